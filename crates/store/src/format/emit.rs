//! YAML that every parser reads the same way, also a simple one.
//!
//! Block lists and mappings, scalars on one line, quotes only where a plain scalar could be taken
//! for something else, no anchors, no tags, no explicit keys.

use super::node::Node;

/// Appends `key: value` with its line break, indented by so many spaces.
pub(super) fn field(out: &mut String, key: &str, node: &Node, indent: usize) {
    pad(out, indent);
    key_text(out, key);
    out.push(':');
    value(out, node, indent);
}

/// Appends one item of a list with its line break.
pub(super) fn item(out: &mut String, node: &Node, indent: usize) {
    pad(out, indent);
    out.push('-');
    match node {
        Node::Map(pairs) if !pairs.is_empty() => {
            out.push(' ');
            let mut nested = String::new();
            for (key, node) in pairs {
                field(&mut nested, key, node, indent + 2);
            }
            out.push_str(nested.trim_start_matches(' '));
        }
        // A list in a list starts on its own line: not every parser knows `- - x`.
        _ => value(out, node, indent),
    }
}

/// Renders a scalar for one line, as plain as can be.
pub(super) fn scalar(node: &Node) -> Option<String> {
    match node {
        Node::Null => Some("null".to_owned()),
        Node::Plain(text) if is_verbatim(text) => Some(text.clone()),
        Node::Plain(text) | Node::Text(text) if is_plain(text) => Some(text.clone()),
        Node::Plain(text) | Node::Text(text) => Some(quoted(text)),
        Node::List(_) | Node::Map(_) => None,
    }
}

/// Renders a list of scalars in brackets.
pub(super) fn flow(items: &[Node]) -> Option<String> {
    let texts: Option<Vec<String>> = items.iter().map(flow_scalar).collect();
    Some(format!("[{}]", texts?.join(", ")))
}

fn flow_scalar(node: &Node) -> Option<String> {
    let text = scalar(node)?;
    let is_bare = !text.starts_with(['"', '\'']);
    Some(if is_bare && text.contains([',', '[', ']', '{', '}']) { quoted(&text) } else { text })
}

/// Appends what follows `key:` or `-`, with the line break.
fn value(out: &mut String, node: &Node, indent: usize) {
    match node {
        Node::List(items) if items.is_empty() => out.push_str(" []\n"),
        Node::Map(pairs) if pairs.is_empty() => out.push_str(" {}\n"),
        Node::List(items) => {
            out.push('\n');
            for node in items {
                item(out, node, indent + 2);
            }
        }
        Node::Map(pairs) => {
            out.push('\n');
            for (key, node) in pairs {
                field(out, key, node, indent + 2);
            }
        }
        Node::Text(text) if is_literal(text) => literal(out, text, indent + 2),
        _ => {
            out.push(' ');
            out.push_str(&scalar(node).unwrap_or_default());
            out.push('\n');
        }
    }
}

fn pad(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn key_text(out: &mut String, key: &str) {
    let first_ok = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest_ok = key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/'));
    if first_ok && rest_ok && !is_resolved(key) { out.push_str(key) } else { out.push_str(&quoted(key)) }
}

/// Tells whether text without quotes stays that text for every parser.
fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    let starts_well = first.is_alphanumeric() || matches!(first, '_' | '/' | '(');
    starts_well
        && text.trim().len() == text.len()
        && !text.chars().any(|c| c == '`' || needs_escape(c))
        && !text.contains(": ")
        && !text.ends_with(':')
        && !text.contains(" #")
        && !is_resolved(text)
}

/// Tells whether a plain scalar of ours or from a file can be written as it is: numbers, days, flags.
fn is_verbatim(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'+'))
        && !text.starts_with("---")
        && text != "-"
        && text != "..."
}

/// Tells whether some parser would read the plain text as a flag, a number, a date or nothing.
fn is_resolved(text: &str) -> bool {
    const WORDS: [&str; 11] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    let bytes = text.as_bytes();
    if text.len() <= 5 && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    if !bytes.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let is_day = bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let is_number = bytes.iter().all(|b| b.is_ascii_hexdigit() || b"_.,:+-xXoO".contains(b));
    is_day || is_number
}

/// Quotes: double ones, or single ones where that saves escapes.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    if text.contains(['"', '\\']) && !text.chars().any(needs_escape) {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
        return out;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            _ if needs_escape(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Control characters, line separators, byte-order marks and what is no character at all.
fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Tells whether several lines can stand as a literal block that every parser reads the same way.
fn is_literal(text: &str) -> bool {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    text.contains('\n')
        && !text.starts_with([' ', '\n', '#'])
        && !lines.ends_with('\n')
        && lines.lines().all(|line| {
            line.trim_end() == line
                && !line.chars().any(|c| needs_escape(c) || (c.is_whitespace() && c != ' '))
                && !matches!(line.trim(), "---" | "...")
        })
        && !text.contains('\r')
}

fn literal(out: &mut String, text: &str, indent: usize) {
    out.push_str(if text.ends_with('\n') { " |\n" } else { " |-\n" });
    for line in text.lines() {
        if !line.is_empty() {
            pad(out, indent);
            out.push_str(line);
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse::parse;
    use proptest::prelude::*;

    #[test]
    fn quotes_only_what_needs_quotes() {
        let check = |text: &str, expected: &str| {
            assert_eq!(scalar(&Node::Text(text.to_owned())).unwrap(), expected, "{text}");
        };
        check("Use PostgreSQL, not SQLite", "Use PostgreSQL, not SQLite");
        check("it's fine", "it's fine");
        check("Größe", "Größe");
        check("crates/store/src/lib.rs", "crates/store/src/lib.rs");
        check("1.19.6+dev", "1.19.6+dev");
        check("42", "\"42\"");
        check("1.0", "\"1.0\"");
        check("0x1f", "\"0x1f\"");
        check("12:30", "\"12:30\"");
        check("2026-02-20", "\"2026-02-20\"");
        check("2026-02-20T12:00:00Z", "\"2026-02-20T12:00:00Z\"");
        check("yes", "\"yes\"");
        check("No", "\"No\"");
        check("a: b", "\"a: b\"");
        check("ends:", "\"ends:\"");
        check("a #b", "\"a #b\"");
        check("`x`", "\"`x`\"");
        check("- x", "\"- x\"");
        check("", "\"\"");
        check(" x", "\" x\"");
        check("say \"hi\": now", "'say \"hi\": now'");
        check("tab\there", "\"tab\\there\"");
    }

    /// Any value, up to a few levels deep.
    pub(crate) fn any_node() -> impl Strategy<Value = Node> {
        let leaf = prop_oneof![
            Just(Node::Null),
            "[-`:#'\" a-z0-9\n\\\\\\[\\]{},|>&*!%@?éß—\u{85}\u{feff}\t.]{0,14}".prop_map(Node::Text),
            any::<String>().prop_map(Node::Text),
            any::<i32>().prop_map(|number| Node::Plain(number.to_string())),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Node::List),
                prop::collection::btree_map("[a-zA-Z:_ 0-9'é#-]{0,8}", inner, 0..4)
                    .prop_map(|map| Node::Map(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(node in any_node()) {
            let mut text = String::new();
            field(&mut text, "key", &node, 0);
            field(&mut text, "next", &Node::Text("x".to_owned()), 0);
            let parsed = parse(&text).map_err(|e| TestCaseError::fail(format!("{e:?}\n{text}")))?;
            prop_assert_eq!(parsed.fields.len(), 2, "{}", text);
            prop_assert_eq!(parsed.fields[0].node.to_json(), node.to_json(), "{}", text);
            prop_assert_eq!(&text[parsed.fields[1].span.clone()], "next: x\n");
        }
    }
}
