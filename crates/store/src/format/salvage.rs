//! Damaged YAML, read key by key.
//!
//! The block is cut at the keys that stand at the left margin. Each piece is parsed on its own;
//! a piece that does not parse is mended line by line (quotes around what needs them, spaces for
//! tabs) and parsed again; what still does not parse is taken as the text that stands there.

use std::ops::Range;

use super::node::Node;
use super::parse::{Field, Malformed, Style, TOO_DEEP, own_end, parse};
use super::split::{key_of, lines};

/// What was mended, for a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mended {
    pub(super) line: u32,
    pub(super) code: &'static str,
    pub(super) what: String,
    pub(super) hint: String,
}

/// What could be read, and what was wrong.
#[derive(Debug, Default)]
pub(super) struct Salvaged {
    pub(super) fields: Vec<Field>,
    pub(super) mended: Vec<Mended>,
}

/// Reads whatever keys can be made out.
pub(super) fn salvage(text: &str) -> Salvaged {
    let mut out = Salvaged::default();
    let mut starts: Vec<(usize, u32)> = Vec::new();
    for (line, number) in lines(text, 0).zip(1..) {
        if key_of(&text[line.clone()]).is_some() {
            starts.push((line.start, number));
        } else if starts.is_empty() {
            stray(&text[line.clone()], number, &mut out);
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
    for ((start, line), end) in starts.iter().copied().zip(ends) {
        piece(text, start..own_end(text, start, end), line, &mut out);
    }
    out
}

fn stray(line: &str, number: u32, out: &mut Salvaged) {
    let content = line.trim();
    if !content.is_empty() && !content.starts_with('#') {
        out.mended.push(Mended {
            line: number,
            code: "yaml-stray-line",
            what: format!("`{}` belongs to no key", shorten(content)),
            hint: "write `key: value`, or move the line below the front matter".to_owned(),
        });
    }
}

/// Reads the lines of one key.
fn piece(text: &str, span: Range<usize>, first_line: u32, out: &mut Salvaged) {
    let chunk = &text[span.clone()];
    let error = match parse(chunk) {
        Ok(parsed) => {
            for mut field in parsed.fields {
                field.line += first_line - 1;
                field.span = span.clone();
                field.style = shifted(field.style, span.start);
                out.fields.push(field);
            }
            return;
        }
        Err(error) => error,
    };
    let Some(key) = key_of(chunk) else { return };
    out.mended.push(explain(chunk, key, &error, first_line));
    let node = parse(&mend(chunk)).ok().and_then(|parsed| parsed.fields.into_iter().next());
    let node = node.map_or_else(|| as_it_stands(chunk), |field| field.node);
    out.fields.push(Field {
        key: key.to_owned(),
        node,
        line: first_line,
        span,
        indent: 0,
        style: Style::Other,
    });
}

fn shifted(style: Style, by: usize) -> Style {
    match style {
        Style::Inline(range) => Style::Inline(range.start + by..range.end + by),
        Style::Flow(range) => Style::Flow(range.start + by..range.end + by),
        Style::Items(starts) => Style::Items(starts.into_iter().map(|at| at + by).collect()),
        Style::Other => Style::Other,
    }
}

/// Says what is wrong with a piece in the words of someone who can mend it.
fn explain(chunk: &str, key: &str, error: &Malformed, first_line: u32) -> Mended {
    if error.what == TOO_DEEP {
        let what = format!("`{key}` cannot be read: {TOO_DEEP}");
        let line = first_line + error.line.saturating_sub(1);
        return Mended { line, code: "yaml-depth", what, hint: "write it flatter".to_owned() };
    }
    let in_chunk = usize::try_from(error.line.saturating_sub(1)).unwrap_or(0);
    let all: Vec<&str> = chunk.lines().collect();
    let at = in_chunk.min(all.len().saturating_sub(1));
    let cause = |line: &str| -> Option<(&'static str, String, String)> {
        let quote = || "put the value in double quotes".to_owned();
        let value = value_of(line);
        if line.starts_with('\t') || line.trim_start_matches(' ').starts_with('\t') {
            return Some(("yaml-tab", "a tab indents the line".to_owned(), "indent with spaces".to_owned()));
        }
        if value.starts_with('`') {
            return Some(("yaml-backtick", "the value starts with a backtick".to_owned(), quote()));
        }
        if value.starts_with(['@', '%', '&', '*', '!', '[', ']', '{', '}', ',', '|', '>']) {
            let sign = value.chars().next().unwrap_or(' ');
            return Some(("yaml-sign", format!("the value starts with `{sign}`"), quote()));
        }
        if value.starts_with(['"', '\'']) {
            let hint = "end the quoted text on its line and put nothing behind it".to_owned();
            return Some(("yaml-quote", "the quotes do not match".to_owned(), hint));
        }
        value.contains(": ").then(|| ("yaml-colon", "there is a colon inside the value".to_owned(), quote()))
    };
    // The parser often notices one line late; the line that needs mending is looked for upwards.
    let found = (0..=at).rev().find_map(|index| cause(all.get(index)?).map(|cause| (index, cause)));
    let (index, (code, what, hint)) = found.unwrap_or_else(|| {
        let what = error.what.clone();
        (at, ("yaml-syntax", what, "mend the line, or put the value in double quotes".to_owned()))
    });
    let line = first_line + u32::try_from(index).unwrap_or(0);
    Mended { line, code, what: format!("`{key}` is not valid YAML: {what}"), hint }
}

/// Returns what stands behind the dash and the key of a line.
fn value_of(line: &str) -> &str {
    let content = line.trim_start();
    let content = content.strip_prefix("- ").map_or(content, str::trim_start);
    match key_of(content) {
        Some(_) => content.split_once(':').map_or("", |(_, rest)| rest.trim()),
        None => content.trim_end(),
    }
}

/// Quotes what needs quotes and turns tabs into spaces, line by line.
fn mend(chunk: &str) -> String {
    let mut out = String::with_capacity(chunk.len() + 16);
    for line in chunk.lines() {
        let content = line.trim_start();
        for c in line[..line.len() - content.len()].chars() {
            out.push_str(if c == '\t' { "  " } else { " " });
        }
        let (dash, rest) = match content.strip_prefix("- ") {
            Some(rest) => ("- ", rest.trim_start()),
            None => ("", content),
        };
        out.push_str(dash);
        let (head, value) = match key_of(rest).and(rest.split_once(':')) {
            Some((key, value)) => (format!("{key}: "), value.trim()),
            None => (String::new(), rest.trim_end()),
        };
        out.push_str(&head);
        if !head.is_empty() || !dash.is_empty() {
            quote_if_needed(value, &mut out);
        } else {
            out.push_str(value);
        }
        out.push('\n');
    }
    out
}

/// Appends a value, quoted when YAML would not read it as one scalar or list on its own.
fn quote_if_needed(value: &str, out: &mut String) {
    let probe = format!("k: {value}\n");
    let is_block = value.starts_with(['|', '>']) && value.len() <= 3;
    if value.is_empty() || is_block || parse(&probe).is_ok_and(|parsed| parsed.fields.len() == 1) {
        out.push_str(value);
        return;
    }
    let bare = unquoted(value);
    out.push('\'');
    out.push_str(&bare.replace('\'', "''"));
    out.push('\'');
}

/// Drops a pair of quotes around the whole value; quotes that do not pair are kept as text.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        let inner = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    value
}

/// Takes the lines of a piece as text, or as a list where every line behind the key has a dash.
fn as_it_stands(chunk: &str) -> Node {
    let mut rest = chunk.lines();
    let first = rest.next().and_then(|line| line.split_once(':')).map_or("", |(_, value)| value.trim());
    let more: Vec<&str> = rest.map(str::trim).filter(|line| !line.is_empty()).collect();
    if first.is_empty() && !more.is_empty() && more.iter().any(|line| line.starts_with("- ")) {
        let mut items: Vec<String> = Vec::new();
        for line in more {
            match (line.strip_prefix("- "), items.last_mut()) {
                (Some(item), _) => items.push(unquoted(item.trim()).to_owned()),
                (None, Some(last)) => {
                    last.push(' ');
                    last.push_str(line);
                }
                (None, None) => items.push(line.to_owned()),
            }
        }
        return Node::List(items.into_iter().map(Node::Text).collect());
    }
    let mut text = unquoted(first).to_owned();
    for line in more {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
    if text.is_empty() { Node::Null } else { Node::Text(text) }
}

/// Cuts a text for a message.
pub(super) fn shorten(text: &str) -> String {
    const LIMIT: usize = 40;
    match text.char_indices().nth(LIMIT) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the damaged text; expects these fields as JSON and these codes with their lines.
    fn check(text: &str, expected: &serde_json::Value, codes: &[(&str, u32)]) {
        let out = salvage(text);
        let found: serde_json::Map<String, serde_json::Value> =
            out.fields.iter().map(|field| (field.key.clone(), field.node.to_json())).collect();
        assert_eq!(&serde_json::Value::Object(found), expected, "{text}");
        let said: Vec<(&str, u32)> = out.mended.iter().map(|mended| (mended.code, mended.line)).collect();
        assert_eq!(said, codes, "{text}");
    }

    #[test]
    fn mends_what_people_and_models_write() {
        use serde_json::json;
        check("a: `tick` first\nb: 2\n", &json!({"a": "`tick` first", "b": 2}), &[("yaml-backtick", 1)]);
        check("a: one: two\nb: 2\n", &json!({"a": "one: two", "b": 2}), &[("yaml-colon", 1)]);
        check("a:\n\t- x\n\t- y\n", &json!({"a": ["x", "y"]}), &[("yaml-tab", 2)]);
        check(
            "a:\n  - `x` is\n  - y: z: w\n  - plain\nb: 1",
            &json!({"a": ["`x` is", {"y": "z: w"}, "plain"], "b": 1}),
            &[("yaml-backtick", 2)],
        );
        check("a: \"open\nb: 2\n", &json!({"a": "\"open", "b": 2}), &[("yaml-quote", 1)]);
        check("a: \"x\" y\nb: 2\n", &json!({"a": "\"x\" y", "b": 2}), &[("yaml-quote", 1)]);
        check("a: [x, y\nb: 2\n", &json!({"a": "[x, y", "b": 2}), &[("yaml-sign", 1)]);
        check(
            "junk\na: 1\nmore: @x\n",
            &json!({"a": 1, "more": "@x"}),
            &[("yaml-stray-line", 1), ("yaml-sign", 3)],
        );
        check(
            "m:\n  k: `v`\n  l: 2\nz: 1: 2",
            &json!({"m": {"k": "`v`", "l": 2}, "z": "1: 2"}),
            &[("yaml-backtick", 2), ("yaml-colon", 4)],
        );
    }

    #[test]
    fn what_lies_too_deep_is_text() {
        use serde_json::json;
        let deep = format!("{}x{}", "[".repeat(50_000), "]".repeat(50_000));
        check(&format!("a: {deep}\nb: 2\n"), &json!({"a": deep, "b": 2}), &[("yaml-depth", 1)]);
        let dashes = format!("{}x", "- ".repeat(5_000));
        let text = format!("a:\n  {dashes}\nb: 2\n");
        let out = salvage(&text);
        assert_eq!(out.mended[0].code, "yaml-depth");
        assert_eq!(out.fields.len(), 2);
        let braces = format!("{}x{}", "{a: ".repeat(50_000), "}".repeat(50_000));
        check(&format!("a: {braces}\n"), &json!({"a": braces}), &[("yaml-depth", 1)]);
    }
}
