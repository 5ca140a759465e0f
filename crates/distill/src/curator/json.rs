//! JSON out of what a model wrote around it.

use serde_json::{Map, Value};

/// So much of an answer is looked at; nobody's edits are longer.
const LONGEST: usize = 400_000;
/// So many braces are tried as the beginning of an object.
const TRIES: usize = 48;

/// Finds the first object in a text that has a member of this name.
pub(super) fn object_with(text: &str, member: &str) -> Option<Map<String, Value>> {
    let text = beginning(text);
    let starts = text.char_indices().filter(|(_, c)| *c == '{').map(|(at, _)| at);
    let mut inside = 0;
    for start in starts.take(TRIES) {
        if start < inside {
            continue;
        }
        let Some(length) = balanced(&text[start..]) else { continue };
        if let Ok(Value::Object(object)) = serde_json::from_str(&text[start..start + length]) {
            if object.contains_key(member) {
                return Some(object);
            }
            // What stands inside an object is not an answer of its own.
            inside = start + length;
        }
    }
    None
}

/// Reads the whole objects of an array that was cut off; nothing where there is no such array.
pub(super) fn objects_of_cut_array(text: &str, member: &str) -> Option<Vec<Value>> {
    let text = beginning(text);
    let key = format!("\"{member}\"");
    let rest = text[text.find(&key)? + key.len()..].trim_start().strip_prefix(':')?;
    let mut rest = rest.trim_start().strip_prefix('[')?.trim_start();
    let mut out = Vec::new();
    while rest.starts_with('{') {
        let Some(length) = balanced(rest) else { break };
        let Ok(value) = serde_json::from_str(&rest[..length]) else { break };
        out.push(value);
        rest = rest[length..].trim_start();
        let Some(after) = rest.strip_prefix(',') else { break };
        rest = after.trim_start();
    }
    Some(out)
}

fn beginning(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let end = (0..=LONGEST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// Returns the length of the object that opens a text, strings and escapes heeded.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_found_among_other_words() {
        let check =
            |text: &str, expected: bool| assert_eq!(object_with(text, "edits").is_some(), expected, "{text}");
        check(r#"{"edits":[]}"#, true);
        check(
            r#"Sure! I used {braces}. ```json {"a":{"edits":1}} {"edits":[{"text":"a } b \" {"}]} ``` Done."#,
            true,
        );
        check(r#"{"a":{"edits":1}}"#, false);
        check(r#"{"edits":["#, false);
        check("", false);
        assert!(object_with(&"{".repeat(300_000), "edits").is_none());
    }

    #[test]
    fn whole_objects_of_a_cut_array_are_read() {
        let check = |text: &str, expected: Option<usize>| {
            assert_eq!(objects_of_cut_array(text, "edits").map(|found| found.len()), expected, "{text}");
        };
        check(r#"{"packet":"p","edits":[{"a":1},{"b":"}"},{"c":"#, Some(2));
        check(r#"{"edits": [ {"a":1} "#, Some(1));
        check(r#"{"edits": "#, None);
        check("nothing", None);
    }
}
