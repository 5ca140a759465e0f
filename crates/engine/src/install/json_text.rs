//! Changes JSON in its text, so that everything else keeps its place, spaces and order.

use std::ops::Range;

use serde_json::Value;

/// JSON as somebody wrote it.
pub(super) struct Text {
    text: String,
    value: Value,
}

impl Text {
    /// Takes a text; anything but a JSON object is refused.
    pub(super) fn new(text: &str) -> Result<Text, String> {
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if !value.is_object() {
            return Err("it is not a JSON object".to_owned());
        }
        Ok(Text { text: text.to_owned(), value })
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }

    /// Adds an element to the list at a path, and makes the path where it is missing.
    pub(super) fn append(&mut self, path: &[&str], element: &Value) -> Result<(), String> {
        let (last, above) = path.split_last().ok_or("no path")?;
        match self.at(path) {
            None => self.insert(above, last, &Value::Array(vec![element.clone()])),
            Some(Value::Array(_)) => {
                let span = self.span(path)?;
                self.add_to(span, path.len(), &pretty(element, self.indent(), path.len() + 1))
            }
            Some(_) => Err(format!("`{}` is not a list", path.join("."))),
        }
    }

    /// Adds a member to the object at a path, and makes the path where it is missing.
    pub(super) fn insert(&mut self, path: &[&str], key: &str, value: &Value) -> Result<(), String> {
        match self.at(path) {
            None => {
                let (last, above) = path.split_last().ok_or("no path")?;
                let mut object = serde_json::Map::new();
                object.insert(key.to_owned(), value.clone());
                self.insert(above, last, &Value::Object(object))
            }
            Some(Value::Object(_)) => {
                let span = self.span(path)?;
                let depth = path.len();
                let body = pretty(value, self.indent(), depth + 1);
                self.add_to(span, depth, &format!("{}: {body}", Value::from(key)))
            }
            Some(_) => Err(format!("`{}` is not an object", path.join("."))),
        }
    }

    /// Removes an element of the list at a path.
    pub(super) fn remove_element(&mut self, path: &[&str], at: usize) -> Result<(), String> {
        let list = self.span(path)?;
        let children = children(&self.text, &list)?;
        self.cut(&list, &children, at)
    }

    /// Removes a member of the object at a path.
    pub(super) fn remove_member(&mut self, path: &[&str], key: &str) -> Result<(), String> {
        let object = self.span(path)?;
        let children = children(&self.text, &object)?;
        let at = children.iter().position(|child| child.key.as_deref() == Some(key)).ok_or("no such key")?;
        self.cut(&object, &children, at)
    }

    /// Removes the object or list at a path if nothing is in it.
    pub(super) fn remove_if_empty(&mut self, path: &[&str]) -> Result<(), String> {
        let empty = match self.at(path) {
            Some(Value::Array(list)) => list.is_empty(),
            Some(Value::Object(object)) => object.is_empty(),
            _ => false,
        };
        match path.split_last() {
            Some((key, above)) if empty => self.remove_member(above, key),
            _ => Ok(()),
        }
    }

    fn at(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.value, |value, key| value.get(key))
    }

    /// Finds where the value at a path stands.
    fn span(&self, path: &[&str]) -> Result<Range<usize>, String> {
        let mut span = value_at(&self.text, skip_space(&self.text, 0))?;
        for key in path {
            let children = children(&self.text, &span)?;
            // Of a key that stands there twice, readers take the last.
            let found = children.into_iter().rev().find(|child| child.key.as_deref() == Some(*key));
            span = found.ok_or_else(|| format!("there is no `{key}`"))?.value;
        }
        Ok(span)
    }

    /// Puts a text before the closing bracket of an object or list.
    fn add_to(&mut self, span: Range<usize>, depth: usize, added: &str) -> Result<(), String> {
        let children = children(&self.text, &span)?;
        let close = span.end - 1;
        let indent = self.indent();
        let inner = indent.repeat(depth + 1);
        match children.last() {
            Some(last) => self.text.insert_str(last.value.end, &format!(",\n{inner}{added}")),
            None => {
                let outer = indent.repeat(depth);
                self.text.replace_range(span.start + 1..close, &format!("\n{inner}{added}\n{outer}"));
            }
        }
        self.reread()
    }

    /// Cuts a child out together with the comma that belongs to it.
    fn cut(&mut self, span: &Range<usize>, children: &[Child], at: usize) -> Result<(), String> {
        let child = children.get(at).ok_or("no such element")?;
        let range = match (at.checked_sub(1).and_then(|before| children.get(before)), children.get(at + 1)) {
            (Some(before), _) => before.value.end..child.value.end,
            (None, Some(next)) => child.start..next.start,
            (None, None) => span.start + 1..span.end - 1,
        };
        self.text.replace_range(range, "");
        self.reread()
    }

    /// Reads the text again; a change that broke it would be ours and must not be written.
    fn reread(&mut self) -> Result<(), String> {
        self.value = serde_json::from_str(&self.text).map_err(|error| format!("our own change: {error}"))?;
        Ok(())
    }

    /// Returns what the author indents with.
    fn indent(&self) -> String {
        let mut lines = self.text.lines().skip(1);
        let first = lines.find_map(|line| {
            let white: String = line.chars().take_while(|c| *c == ' ' || *c == '\t').collect();
            (!white.is_empty() && white.len() < line.len()).then_some(white)
        });
        first.unwrap_or_else(|| "  ".to_owned())
    }
}

/// One element or member.
struct Child {
    key: Option<String>,
    /// Where it begins, its key included.
    start: usize,
    value: Range<usize>,
}

/// Lists what stands in an object or list.
fn children(text: &str, span: &Range<usize>) -> Result<Vec<Child>, String> {
    let is_object = text[span.clone()].starts_with('{');
    let mut out = Vec::new();
    let mut at = skip_space(text, span.start + 1);
    while at < span.end - 1 {
        let start = at;
        let mut key = None;
        if is_object {
            let name = value_at(text, at)?;
            key = serde_json::from_str(&text[name.clone()]).ok();
            at = skip_space(text, name.end);
            if text.as_bytes().get(at) != Some(&b':') {
                return Err("a colon is missing".to_owned());
            }
            at = skip_space(text, at + 1);
        }
        let value = value_at(text, at)?;
        at = skip_space(text, value.end);
        out.push(Child { key, start, value });
        if text.as_bytes().get(at) == Some(&b',') {
            at = skip_space(text, at + 1);
        }
    }
    Ok(out)
}

/// Finds the end of the value that begins here; the text is known to be valid JSON.
fn value_at(text: &str, start: usize) -> Result<Range<usize>, String> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut in_string = false;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        if in_string {
            match byte {
                b'\\' => at += 1,
                b'"' => {
                    in_string = false;
                    if depth == 0 {
                        return Ok(start..at + 1);
                    }
                }
                _ => {}
            }
        } else {
            match byte {
                b'"' => in_string = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return Ok(start..at),
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(start..at + 1);
                    }
                }
                b',' | b' ' | b'\n' | b'\r' | b'\t' if depth == 0 => return Ok(start..at),
                _ => {}
            }
        }
        at += 1;
    }
    if depth == 0 && !in_string { Ok(start..at) } else { Err("it ends too early".to_owned()) }
}

fn skip_space(text: &str, from: usize) -> usize {
    let space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    from + text.as_bytes().get(from..).unwrap_or_default().iter().take_while(|byte| space(byte)).count()
}

/// Writes a value in lines, indented as its surroundings.
fn pretty(value: &Value, indent: String, depth: usize) -> String {
    let plain = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut out = String::new();
    for (n, line) in plain.lines().enumerate() {
        if n > 0 {
            out.push('\n');
            out.push_str(&indent.repeat(depth));
        }
        let own = line.len() - line.trim_start().len();
        out.push_str(&indent.repeat(own / 2));
        out.push_str(line.trim_start());
    }
    out
}
