//! The tags that Cline's model writes its tool calls in, before it had calls of its own.

use serde_json::{Map, Value};

/// Tools that are called by a tag.
const TOOLS: &[&str] = &[
    "read_file",
    "write_to_file",
    "replace_in_file",
    "apply_diff",
    "insert_content",
    "search_and_replace",
    "search_files",
    "list_files",
    "list_code_definition_names",
    "codebase_search",
    "execute_command",
    "browser_action",
    "use_mcp_tool",
    "access_mcp_resource",
    "ask_followup_question",
    "attempt_completion",
    "plan_mode_respond",
    "new_task",
    "switch_mode",
    "update_todo_list",
    "fetch_instructions",
    "load_mcp_documentation",
    "web_fetch",
];

/// A piece of what the model wrote.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'t> {
    /// Words.
    Words(&'t str),
    /// A call of a tool.
    Call(&'t str, Value),
}

/// Takes a text apart into words and calls; thoughts are left out.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut from = 0;
    let mut at = 0;
    while let Some(open) = rest[at..].find('<').map(|found| at + found) {
        let Some((tag, inner, end)) = element(&rest[open..]) else {
            at = open + 1;
            continue;
        };
        let thought = tag == "thinking";
        if !thought && !TOOLS.contains(&tag) {
            at = open + 1;
            continue;
        }
        words(&rest[from..open], &mut found);
        if !thought {
            found.push(Piece::Call(tag, parameters(inner)));
        }
        rest = &rest[open + end..];
        (from, at) = (0, 0);
    }
    words(&rest[from..], &mut found);
    found
}

/// Returns what stands between a tag and its end; a tag that is never closed takes the rest.
pub(super) fn within<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let rest = text.split_once(&format!("<{tag}>"))?.1;
    Some(rest.split(&format!("</{tag}>")).next().unwrap_or(rest).trim())
}

fn words<'t>(text: &'t str, found: &mut Vec<Piece<'t>>) {
    let text = text.trim();
    if !text.is_empty() {
        found.push(Piece::Words(text));
    }
}

/// Splits `<tag>inner</tag>` at the start of a text; one that is never closed takes the rest.
fn element(text: &str) -> Option<(&str, &str, usize)> {
    let after = text.strip_prefix('<')?;
    let length = after.find(|c: char| !c.is_ascii_lowercase() && c != '_')?;
    if length == 0 || after.as_bytes()[length] != b'>' {
        return None;
    }
    let tag = &after[..length];
    let body = &after[length + 1..];
    let close = format!("</{tag}>");
    match body.find(&close) {
        Some(end) => Some((tag, &body[..end], length + 2 + end + close.len())),
        None => Some((tag, body, text.len())),
    }
}

/// Reads the parameters of a call: one tag each, in which anything may stand.
fn parameters(inner: &str) -> Value {
    let mut map = Map::new();
    let mut rest = inner;
    while let Some(open) = rest.find('<') {
        match element(&rest[open..]) {
            Some((name, value, end)) => {
                map.insert(name.to_owned(), Value::String(value.trim_matches('\n').to_owned()));
                rest = &rest[open + end..];
            }
            None => rest = &rest[open + 1..],
        }
    }
    Value::Object(map)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_told_from_words() {
        let text = "<thinking>hm</thinking>\nI'll look.\n\n<read_file>\n<path>src/a.rs</path>\n</read_file>\nthen a < b and <b>bold</b>";
        assert_eq!(
            pieces(text),
            [
                Piece::Words("I'll look."),
                Piece::Call("read_file", json!({"path": "src/a.rs"})),
                Piece::Words("then a < b and <b>bold</b>"),
            ]
        );
        assert_eq!(
            pieces("<execute_command><command>ls"),
            [Piece::Call("execute_command", json!({"command": "ls"}))]
        );
        assert_eq!(pieces("<"), [Piece::Words("<")]);
    }
}
