//! Changes JSON in its text, so that everything else keeps its place, spaces, comments and order.
//!
//! Agents read JSON with comments and commas that trail (JSONC). Both are blanked out, byte for byte,
//! in a copy that is parsed and measured; changes are made to the text itself.

use std::ops::Range;

use serde_json::Value;

/// Says how the bytes of a file are to be read (byte order mark).
const MARK: char = '\u{feff}';

/// JSON as somebody wrote it.
pub(super) struct Text {
    text: String,
    /// The same without comments and trailing commas, each byte in its place.
    plain: String,
    value: Value,
}

impl Text {
    /// Takes a text; anything but a JSON object is refused.
    pub(super) fn new(text: &str) -> Result<Text, String> {
        let text = if text.trim_start_matches(MARK).trim().is_empty() { "{}\n" } else { text };
        let plain = blanked(text);
        let value: Value = serde_json::from_str(&plain).map_err(|error| error.to_string())?;
        if !value.is_object() {
            return Err("it is not a JSON object".to_owned());
        }
        Ok(Text { text: text.to_owned(), plain, value })
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

    /// Adds a member where there is none of that name.
    pub(super) fn insert_if_missing(
        &mut self,
        path: &[&str],
        key: &str,
        value: &Value,
    ) -> Result<(), String> {
        match self.at(path).and_then(|object| object.get(key)) {
            Some(_) => Ok(()),
            None => self.insert(path, key, value),
        }
    }

    /// Removes an element of the list at a path.
    pub(super) fn remove_element(&mut self, path: &[&str], at: usize) -> Result<(), String> {
        let list = self.span(path)?;
        let children = children(&self.plain, &list)?;
        self.cut(&list, &children, at)
    }

    /// Removes a member of the object at a path.
    pub(super) fn remove_member(&mut self, path: &[&str], key: &str) -> Result<(), String> {
        let object = self.span(path)?;
        let children = children(&self.plain, &object)?;
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
        let mut span = value_at(&self.plain, skip_space(&self.plain, 0))?;
        for key in path {
            let children = children(&self.plain, &span)?;
            // Of a key that stands there twice, readers take the last.
            let found = children.into_iter().rev().find(|child| child.key.as_deref() == Some(*key));
            span = found.ok_or_else(|| format!("there is no `{key}`"))?.value;
        }
        Ok(span)
    }

    /// Puts a text before the closing bracket of an object or list.
    fn add_to(&mut self, span: Range<usize>, depth: usize, added: &str) -> Result<(), String> {
        let children = children(&self.plain, &span)?;
        let close = span.end - 1;
        let indent = self.indent();
        let inner = indent.repeat(depth + 1);
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let added = added.replace('\n', newline);
        match children.last() {
            Some(last) => {
                let end = last.value.end;
                // Where a comma trails, ours does too; by that it is told whose the last one is.
                let (comma, from, trailing) = match self.trailing_comma(end..close) {
                    Some(at) => ("", at + 1, ","),
                    None => (",", end, ""),
                };
                // What is said about the last one on its line stays with it.
                let line = self.text[from..close].find('\n').map(|at| from + at);
                let at = line.filter(|line| self.plain[from..*line].trim().is_empty()).unwrap_or(from);
                let at = if self.text[from..at].ends_with('\r') { at - 1 } else { at };
                self.text.insert_str(at, &format!("{newline}{inner}{added}{trailing}"));
                self.text.insert_str(end, comma);
            }
            None => {
                let outer = indent.repeat(depth);
                let kept = self.text[span.start + 1..close].trim_end();
                let text = format!("{kept}{newline}{inner}{added}{newline}{outer}");
                self.text.replace_range(span.start + 1..close, &text);
            }
        }
        self.reread()
    }

    /// Cuts a child out together with the comma that belongs to it; comments of others stay.
    fn cut(&mut self, span: &Range<usize>, children: &[Child], at: usize) -> Result<(), String> {
        let child = children.get(at).ok_or("no such element")?;
        let before = at.checked_sub(1).and_then(|before| children.get(before));
        let comma_in = |range: Range<usize>| {
            let found = self.plain[range.clone()].find(',').map(|at| range.start + at);
            found.or_else(|| self.trailing_comma(range))
        };
        let after = comma_in(child.value.end..children.get(at + 1).map_or(span.end - 1, |next| next.start));
        let ahead = before.and_then(|before| comma_in(before.value.end..child.start));
        let is_last = children.get(at + 1).is_none();
        let is_white = |c: char| c == ' ' || c == '\t';
        let (start, end) = if is_last {
            // From the end of what stands before it on another line.
            let lead = self.text[..child.start].trim_end_matches(is_white);
            let start = lead.strip_suffix('\n').map_or(child.start, str::len);
            let start = self.text[..start].strip_suffix('\r').map_or(start, str::len);
            let alone = before.is_none() && self.text[span.start + 1..child.start].trim().is_empty();
            if alone && self.text[child.value.end..span.end - 1].trim().is_empty() {
                (span.start + 1, span.end - 1)
            } else {
                (start, after.map_or(child.value.end, |comma| comma + 1))
            }
        } else {
            let end = after.map_or(child.value.end, |comma| comma + 1);
            let rest = &self.text[end..];
            (child.start, end + (rest.len() - rest.trim_start().len()))
        };
        self.text.replace_range(start..end, "");
        // A comma that trailed before us goes on trailing.
        if let (true, Some(comma), None) = (is_last, ahead, after) {
            self.text.replace_range(comma..=comma, "");
        }
        self.reread()
    }

    /// Finds a comma after the last child, which JSON does not allow and agents do.
    fn trailing_comma(&self, range: Range<usize>) -> Option<usize> {
        let commas = commas(&self.text);
        commas.into_iter().find(|at| range.contains(at) && self.plain.as_bytes().get(*at) == Some(&b' '))
    }

    /// Reads the text again; a change that broke it would be ours and must not be written.
    fn reread(&mut self) -> Result<(), String> {
        self.plain = blanked(&self.text);
        self.value = serde_json::from_str(&self.plain).map_err(|error| format!("our own change: {error}"))?;
        Ok(())
    }

    /// Returns what the author indents with.
    fn indent(&self) -> String {
        let mut lines = self.text.lines().skip(1);
        let first = lines.find_map(|line| {
            if line.trim_start().starts_with(['/', '*']) {
                return None;
            }
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

/// What a byte of JSON with comments is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Word,
    Comment,
}

/// Tells of each byte whether it stands in a string, in a comment or in neither.
fn parts(text: &str) -> Vec<Part> {
    let bytes = text.as_bytes();
    let mut parts = vec![Part::Code; bytes.len()];
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = match rest {
            [b'"', ..] => {
                let mut end = at + 1;
                while end < bytes.len() && bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                (Part::Word, end + 1)
            }
            [b'/', b'/', ..] => {
                let line = rest.iter().position(|byte| *byte == b'\n');
                (Part::Comment, line.map_or(bytes.len(), |line| at + line))
            }
            [b'/', b'*', ..] => {
                let close = rest.windows(2).skip(2).position(|two| two == b"*/");
                (Part::Comment, close.map_or(bytes.len(), |close| at + close + 4))
            }
            _ => (Part::Code, at + 1),
        };
        let (part, end) = (end.0, end.1.min(bytes.len()));
        parts[at..end].fill(part);
        at = end;
    }
    parts
}

/// Lists where commas stand that part something.
fn commas(text: &str) -> Vec<usize> {
    let parts = parts(text);
    text.bytes()
        .enumerate()
        .filter(|(at, byte)| *byte == b',' && parts[*at] == Part::Code)
        .map(|(at, _)| at)
        .collect()
}

/// Puts spaces where comments and trailing commas are; lines stay lines.
fn blanked(text: &str) -> String {
    let parts = parts(text);
    let mut bytes = text.as_bytes().to_vec();
    // Editors on Windows put a mark in front that says nothing.
    if text.starts_with(MARK) {
        bytes[..MARK.len_utf8()].fill(b' ');
    }
    for (byte, part) in bytes.iter_mut().zip(&parts) {
        if *part == Part::Comment && *byte != b'\n' {
            *byte = b' ';
        }
    }
    for at in commas(text) {
        let next = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        if matches!(next, Some(b'}' | b']')) {
            bytes[at] = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn round(original: &str) -> String {
        let mut text = Text::new(original).unwrap();
        text.insert(&["servers"], "lore", &serde_json::json!({ "command": "lore" })).unwrap();
        text.append(&["hooks", "End"], &serde_json::json!({ "run": "lore" })).unwrap();
        let with = text.text.clone();
        let value: Value = serde_json::from_str(&blanked(&with)).unwrap();
        assert_eq!(value["servers"]["lore"]["command"], "lore", "{with}");
        let groups = value["hooks"]["End"].as_array().unwrap();
        assert_eq!(groups.last().unwrap()["run"], "lore", "{with}");
        let last = groups.len() - 1;
        text.remove_element(&["hooks", "End"], last).unwrap();
        text.remove_if_empty(&["hooks", "End"]).unwrap();
        text.remove_if_empty(&["hooks"]).unwrap();
        text.remove_member(&["servers"], "lore").unwrap();
        text.remove_if_empty(&["servers"]).unwrap();
        text.into_string()
    }

    /// A file with a comment in it was refused.
    #[test]
    fn comments_and_trailing_commas_stay() {
        for original in [
            "{\n  // mine\n  \"a\": 1\n}\n",
            "{\n  \"a\": 1, // about a\n}\n",
            "{\n  \"a\": 1 // about a, with a comma\n}\n",
            "{\n  /* \"servers\": { */\n  \"servers\": {\n    \"db\": {}, // the database\n    \"web\": { \"x\": [1,] } // both\n  },\n}",
            "{\n\t\"hooks\": {\n\t\t\"End\": [\n\t\t\t{ \"run\": \"say // bye, \\\" x\" }, // every day\n\t\t]\n\t}\n}",
            "{\r\n  \"a\": 1\r\n}\r\n",
            "\u{feff}{\r\n  \"servers\": {\"db\": {}}\r\n}\r\n",
            "{\"a\": {\"b\": \"/* no comment */\"}}",
        ] {
            assert_eq!(round(original), original);
        }
    }

    #[test]
    fn what_follows_ours_keeps_its_comment() {
        let original = "{\n  \"lore\": {},\n  // about b\n  \"b\": 1\n}";
        let mut text = Text::new(original).unwrap();
        text.remove_member(&[], "lore").unwrap();
        assert_eq!(text.into_string(), "{\n  // about b\n  \"b\": 1\n}");
    }
}
