//! JSON as transcripts have it: fields missing, of the wrong type, or torn off in the middle.

use jiff::Timestamp;
use lore_core::{Diagnostic, Level, Moment};
use serde_json::Value;

use crate::{Input, ReadError};

/// Largest document that is read whole.
pub(crate) const WHOLE: u64 = 256 << 20;

/// Asks a value for a field without minding whether it is there.
pub(crate) trait Fields {
    /// Returns a string that is not empty.
    fn text(&self, key: &str) -> Option<&str>;
    /// Returns the items of an array, none where there is no array.
    fn list(&self, key: &str) -> &[Value];
    /// Tells whether a field is there and true.
    fn flag(&self, key: &str) -> bool;
    /// Returns a point in time in any of the usual forms.
    fn time(&self, key: &str) -> Option<Timestamp>;
}

impl Fields for Value {
    fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str().filter(|text| !text.is_empty())
    }

    fn list(&self, key: &str) -> &[Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    fn time(&self, key: &str) -> Option<Timestamp> {
        time_of(self.get(key)?)
    }
}

/// Numbers the messages of a document from one, as lines are.
pub(crate) fn number_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

/// Reads a time: RFC 3339, or a number of seconds, milliseconds, micro- or nanoseconds.
pub(crate) fn time_of(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => match text.trim().parse::<Moment>() {
            Ok(moment) => Some(moment.instant()),
            Err(_) => text.trim().parse::<f64>().ok().and_then(time_of_number),
        },
        Value::Number(number) => time_of_number(number.as_f64()?),
        _ => None,
    }
}

/// Guesses the unit by size: seconds stay below 1e11 until the year 5138. What lies before the
/// year 2000 is no time but some other number.
fn time_of_number(number: f64) -> Option<Timestamp> {
    if !number.is_finite() || number < 946_684_800.0 {
        return None;
    }
    let milliseconds = match number {
        n if n < 1e11 => n * 1e3,
        n if n < 1e14 => n,
        n if n < 1e17 => n / 1e3,
        n => n / 1e6,
    };
    Timestamp::from_millisecond(milliseconds.round() as i64).ok()
}

/// Joins the prose of a message: a string, an object with `text`, or a list of either.
///
/// Blocks of other types (tools, pictures, thoughts) are left out.
pub(crate) fn prose_of(content: &Value) -> String {
    let mut texts = Vec::new();
    gather(content, &mut texts);
    texts.join("\n\n")
}

fn gather<'v>(content: &'v Value, texts: &mut Vec<&'v str>) {
    match content {
        Value::String(text) if !text.trim().is_empty() => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather(item, texts)),
        Value::Object(block) => {
            let kind = block.get("type").and_then(Value::as_str).unwrap_or("text");
            let prose = matches!(kind, "text" | "input_text" | "output_text" | "Text" | "refusal");
            let thought = block.get("thought").and_then(Value::as_bool).unwrap_or(false);
            if prose
                && !thought
                && let Some(text) = block.get("text").and_then(Value::as_str)
                && !text.trim().is_empty()
            {
                texts.push(text);
            }
        }
        _ => {}
    }
}

/// Returns what a tool gave back as text: prose where there is some, else the JSON itself.
pub(crate) fn output_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        _ => {
            let prose = prose_of(value);
            if !prose.is_empty() {
                return prose;
            }
            let known = ["output", "content", "text", "stdout", "message", "result", "error"];
            let inner = known.iter().filter_map(|key| value.get(*key)).find(|inner| !inner.is_null());
            match inner {
                Some(inner) => output_of(inner),
                None if value.as_array().is_some_and(Vec::is_empty) => String::new(),
                None => value.to_string(),
            }
        }
    }
}

/// Reads arguments that stand as an object or as the text of one.
pub(crate) fn arguments_of(value: &Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => inner,
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Goes through the records of a JSON Lines file; what cannot be parsed is skipped and reported.
pub(crate) fn records(
    input: &Input<'_>,
    mut each: impl FnMut(u32, Value),
) -> Result<Vec<Diagnostic>, ReadError> {
    let file = input.path.to_string_lossy().replace('\\', "/");
    let mut lines = input.lines()?;
    let mut findings = Vec::new();
    while let Some(line) = lines.next_line() {
        let (number, ended) = (line.number, line.ended);
        match serde_json::from_slice::<Value>(line.bytes) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => each(number, value),
            // Two records run together when a writer died between them and its heir went on.
            _ => match several(line.bytes) {
                Some(values) => values.into_iter().for_each(|value| each(number, value)),
                None if line.bytes.iter().all(u8::is_ascii_whitespace) => {}
                None => findings.push(unreadable(&file, number, ended)),
            },
        }
    }
    findings.extend(lines.diagnostics(&file));
    Ok(findings)
}

fn several(bytes: &[u8]) -> Option<Vec<Value>> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_slice(bytes).into_iter().collect();
    values.ok().filter(|values| values.iter().all(Value::is_object))
}

fn unreadable(file: &str, line: u32, ended: bool) -> Diagnostic {
    if ended {
        let message = "the record is not JSON and was skipped";
        Diagnostic::new(Level::Warning, "bad-record", file, message).at_line(line)
    } else {
        let message = "the last record is torn and was skipped";
        Diagnostic::new(Level::Note, "torn-record", file, message).at_line(line)
    }
}

/// Reads a document; of one that is torn, what stands before the tear.
pub(crate) fn document(input: &Input<'_>) -> Result<(Value, Vec<Diagnostic>), ReadError> {
    let text = input.text_limited(WHOLE)?;
    let file = input.path.to_string_lossy().replace('\\', "/");
    Ok(parse_document(&text, &file))
}

/// Parses a document; of one that is torn, what stands before the tear.
pub(crate) fn parse_document(text: &str, file: &str) -> (Value, Vec<Diagnostic>) {
    let text = text.trim_end_matches('\0');
    let error = match serde_json::from_str::<Value>(text) {
        Ok(value) => return (value, Vec::new()),
        Err(error) => error,
    };
    let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
    if error.is_eof()
        && let Some(value) = mend(text)
    {
        let message = "the document is torn; what stands before the tear was read";
        return (value, vec![Diagnostic::new(Level::Warning, "torn-document", file, message).at_line(line)]);
    }
    let message = format!("the document is not JSON: {error}");
    (Value::Null, vec![Diagnostic::new(Level::Error, "bad-document", file, message).at_line(line)])
}

/// Cuts a torn document behind its last whole element and closes what is open.
fn mend(text: &str) -> Option<Value> {
    let mut open: Vec<u8> = Vec::new();
    let mut safe: Option<(usize, Vec<u8>)> = None;
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            // Deeper than the parser would follow.
            b'{' | b'[' if open.len() > 128 => return None,
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop()?;
                safe = Some((at + 1, open.clone()));
            }
            b',' => safe = Some((at, open.clone())),
            _ => {}
        }
    }
    let (end, open) = safe?;
    let closing: String = open.iter().rev().map(|byte| char::from(*byte)).collect();
    serde_json::from_str(&format!("{}{closing}", text.get(..end)?)).ok()
}

/// Tells whether the head of a file holds a piece of JSON, however it is spaced.
pub(crate) fn head_has(head: &[u8], piece: &str) -> bool {
    let squeezed: Vec<u8> = head.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    memchr::memmem::find(&squeezed, piece.as_bytes()).is_some()
}

/// Tells whether the head of a file begins with a byte, past a byte order mark and blanks.
pub(crate) fn head_begins(head: &[u8], byte: u8) -> bool {
    let head = crate::lines::trim_start_of_file(head);
    head.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&byte)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_are_read_in_any_unit() {
        let check = |value: Value, expected: Option<&str>| {
            assert_eq!(time_of(&value).map(|at| at.to_string()).as_deref(), expected, "{value}");
        };
        check(json!("2026-03-01T08:00:00.250Z"), Some("2026-03-01T08:00:00.25Z"));
        check(json!("2026-03-01 08:00:00"), Some("2026-03-01T08:00:00Z"));
        check(json!(1_772_352_000), Some("2026-03-01T08:00:00Z"));
        check(json!(1_772_352_000_250_i64), Some("2026-03-01T08:00:00.25Z"));
        check(json!("1772352000250"), Some("2026-03-01T08:00:00.25Z"));
        check(json!(1_772_352_000.25), Some("2026-03-01T08:00:00.25Z"));
        check(json!("soon"), None);
        check(json!(-1), None);
        check(json!(1), None);
        check(json!(f64::MAX), None);
        check(json!(true), None);
    }

    #[test]
    fn torn_documents_are_mended() {
        let check = |text: &str, expected: Value| {
            let (value, findings) = parse_document(text, "a.json");
            assert_eq!(value, expected, "{text}");
            assert_eq!(findings.len(), 1, "{text}");
        };
        check(r#"{"a":1,"b":[{"c":"x"},{"c":"y"#, json!({"a": 1, "b": [{"c": "x"}]}));
        check(r#"{"a":1,"b":"un"#, json!({"a": 1}));
        check(r#"[{"a":"}]\""},"#, json!([{"a": "}]\""}]));
        check(r#"{"a""#, Value::Null);
        check("", Value::Null);
        check("no json", Value::Null);
    }

    #[test]
    fn output_is_prose_or_json() {
        let check = |value: Value, expected: &str| assert_eq!(output_of(&value), expected, "{value}");
        check(json!("plain"), "plain");
        check(json!([{"type": "text", "text": "a"}, {"type": "image"}, "b"]), "a\n\nb");
        check(json!({"output": "x", "exit": 0}), "x");
        check(json!({"exit": 0}), r#"{"exit":0}"#);
        check(json!(null), "");
    }
}
