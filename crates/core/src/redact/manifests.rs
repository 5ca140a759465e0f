//! Manifests that hold names and values apart: Kubernetes, Compose, task definitions.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::blocks::decode;
use super::bytes::{BASE64, Runs, run_end};
use super::gutters;
use super::literals::{bare, quoted, skip_closers, skip_space};

/// How far around `kind: Secret` its data is looked for.
const REACH: usize = 4000;

/// Returns the value that a manifest gives on the line below a name: `name: X` and `value: …`.
pub(super) fn value_below(text: &str, name_end: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let (closed, _) = skip_closers(bytes, name_end);
    let (end, next) = gutters::line_end(bytes, closed, closed + 4)?;
    bytes[closed..end].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b',')).then_some(())?;
    let at = gutters::skip(bytes, next);
    let at = at + usize::from(matches!(bytes.get(at), Some(b'"' | b'\'')));
    let word = bytes.get(at..at + 5).filter(|word| word.eq_ignore_ascii_case(b"value"))?;
    let (closed, _) = skip_closers(bytes, at + word.len());
    let sign = skip_space(bytes, closed);
    matches!(bytes.get(sign), Some(b':' | b'=')).then_some(())?;
    let start = skip_space(bytes, sign + 1);
    quoted(text, start, runs).or_else(|| bare(bytes, start, runs))
}

/// Returns the value of the element behind a name's: `<name>X</name><value>…</value>`.
pub(super) fn value_element(text: &str, name_end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let after = bytes.get(name_end..name_end + 120.min(bytes.len() - name_end))?;
    let after = after.strip_prefix(b"</")?;
    let close = after.iter().take(24).position(|byte| *byte == b'>')?;
    let mut at = name_end + 2 + close + 1;
    at = skip_space(bytes, at);
    if let Some((_, next)) = gutters::line_end(bytes, at, at + 2).filter(|(end, _)| *end <= at + 1) {
        at = gutters::skip(bytes, next);
    }
    let tag = bytes.get(at..)?.strip_prefix(b"<")?;
    let length = tag.iter().take(24).position(|byte| *byte == b'>')?;
    matches!(&tag[..length], b"value" | b"td" | b"dd" | b"string" | b"Value").then_some(())?;
    super::literals::tagged(text, at + 1 + length + 1)
}

static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\\?"value\\?"\s*:\s*\\?"(?P<v>[^"\\\n]{3,200})\\?"\s*,\s*\\?"(?:name|key)\\?"\s*:\s*\\?"$"#)
        .expect("a fixed pattern")
});
static DEFAULT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^"\s*\{[^{}]{0,200}?\bdefault\s*=\s*"(?P<v>[^"\n]{3,200})""#).expect("a fixed pattern")
});

/// Returns the value that stands before its name (`"value": …, "name": "X"`), or in the block of a
/// variable (`variable "x" { default = … }`).
pub(super) fn value_around(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if name.start == 0 || bytes[name.start - 1] != b'"' {
        return None;
    }
    // Both patterns cost much; what stands next to the name tells whether they can fit.
    let near = &bytes[name.start.saturating_sub(12)..name.start];
    let is_named =
        near.windows(4).any(|four| four == b"name") || near.windows(3).any(|three| three == b"key");
    let opens = bytes.get(skip_space(bytes, name.end + 1)) == Some(&b'{');
    if !is_named && !opens {
        return None;
    }
    let floor_at = super::shapes::floor(text, name.start.saturating_sub(300));
    if let Some(value) = BEFORE.captures(&text[floor_at..name.start]).and_then(|found| found.name("v")) {
        return Some(floor_at + value.start()..floor_at + value.end());
    }
    let ceiling = super::shapes::floor(text, (name.end + 400).min(text.len()));
    let value = DEFAULT.captures(&text[name.end..ceiling])?.name("v")?;
    Some(name.end + value.start()..name.end + value.end())
}

/// Looks around `kind: Secret` for its data and returns the encoded values.
pub(super) fn values(text: &str, anchor: Range<usize>, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    if bytes.get(anchor.end).is_some_and(u8::is_ascii_alphanumeric) {
        return;
    }
    let floor = anchor.start.saturating_sub(REACH);
    let ceiling = (anchor.end + REACH).min(bytes.len());
    let mut line = gutters::line_start(bytes, floor, 200);
    let mut inside = false;
    while line < ceiling {
        let Some((end, next)) = gutters::line_end(bytes, line, ceiling).or(Some((ceiling, ceiling))) else {
            return;
        };
        let start = gutters::skip(bytes, line).min(end);
        let shown = &bytes[start..end];
        let key = shown.iter().take(80).position(|byte| *byte == b':');
        if shown.starts_with(b"---") && line > anchor.start {
            return;
        }
        if let Some(key) = key {
            let name = shown[..key].trim_ascii();
            let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
            let value = skip_space(bytes, start + key + 1);
            let value = value + usize::from(matches!(bytes.get(value), Some(b'"' | b'\'')));
            if matches!(name, b"data" | b"stringData" | b"binaryData") {
                inside = true;
            } else if matches!(
                name,
                b"metadata" | b"kind" | b"type" | b"apiVersion" | b"immutable" | b"name" | b"namespace"
            ) {
                inside = false;
            } else if inside && value < end {
                let run = run_end(&bytes[..end], value, BASE64);
                let plain = decode(&bytes[value..run]);
                let readable = plain.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
                if run - value >= 8
                    && (run - value).is_multiple_of(4)
                    && readable
                    && text.is_char_boundary(run)
                {
                    out.push(value..run);
                }
            }
        } else if inside {
            let run = run_end(&bytes[..end], start, BASE64);
            if run - start >= 16 && run == end {
                out.push(start..run);
            }
        }
        line = next;
    }
}
