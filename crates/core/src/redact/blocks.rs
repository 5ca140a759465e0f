//! Private keys that span lines.

use std::ops::Range;

use super::bytes::{BASE64, run_end, starts_word, within};

/// How long a block may be.
const REACH: usize = 64 * 1024;

/// Looks at a `-----BEGIN` for a private key with its body, line breaks escaped or not.
pub(super) fn pem(text: &str, begin: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let label_start = begin + "-----BEGIN".len();
    let label = bytes.get(label_start..(label_start + 64).min(bytes.len()))?;
    let label_length = find(label, b"----")?;
    find(&label[..label_length], b"PRIVATE KEY")?;
    let mut at = label_start + label_length;
    at += bytes[at..].iter().take(8).take_while(|byte| **byte == b'-').count();
    let body = at;
    let ceiling = (body + REACH).min(bytes.len());
    let mut letters = 0;
    let mut end = body;
    while at < ceiling {
        if bytes[at..].starts_with(b"-----END") || bytes[at..].starts_with(b"---- END") {
            let close = bytes[at + 8..]
                .iter()
                .take(64)
                .position(|byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b'<' | b'`'));
            let rest = at + 8 + close.unwrap_or_else(|| bytes.len().min(at + 72) - at - 8);
            end = last_dash(bytes, at + 8, rest);
            break;
        }
        let run = run_end(bytes, at, BASE64);
        if run > at {
            letters += run - at;
            at = run;
            end = at;
        } else if let Some(step) = filler(bytes, at) {
            at += step;
        } else {
            break;
        }
    }
    // A key of an armour line alone, or of a few words, shows nothing.
    (letters >= 24 && longest_run(&bytes[body..end]) >= 16).then(|| begin..ceil(text, end))
}

/// Looks at a `Private-Lines:` of a PuTTY key file and returns the lines behind it.
pub(super) fn putty(text: &str, after: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line = after + bytes[after..].iter().take(24).position(|byte| matches!(byte, b'\n' | b'\\'))?;
    let mut at = line;
    while at < bytes.len() && at - line < REACH {
        let run = run_end(bytes, at, BASE64);
        if run > at && !bytes[run..].starts_with(b"-MAC") {
            at = run;
        } else if run == at && matches!(bytes[at], b'\n' | b'\r' | b'\\') {
            at += 1;
        } else {
            break;
        }
    }
    let start = line
        + bytes[line..at].iter().position(|byte| within(BASE64, *byte) && *byte != b'n' && *byte != b'r')?;
    let end =
        start + bytes[start..at].iter().rposition(|byte| within(BASE64, *byte)).map_or(0, |last| last + 1);
    (end - start >= 40).then_some(start..end)
}

/// Looks at base64 that starts like an armoured block and tells whether it hides a private key.
pub(super) fn encoded(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !starts_word(bytes, start) {
        return None;
    }
    let end = run_end(bytes, start, BASE64);
    let head = decode(&bytes[start..end.min(start + 64)]);
    (end - start >= 80 && find(&head, b"PRIVATE KEY").is_some()).then_some(start..end)
}

/// Steps over one piece of a body that is not base64: space, escaped line breaks, quotes of joined
/// strings, header lines of old formats.
fn filler(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        b' ' | b'\t' | b'\n' | b'\r' => Some(1),
        b'\\' if matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't' | b'\\' | b'\n' | b'\r')) => {
            Some(if bytes[at + 1] == b'\\' { 1 } else { 2 })
        }
        b'"' | b'\'' | b',' | b'#' | b'*' | b':' | b'-' | b'.' | b'(' | b')' => {
            // Only where base64 goes on soon; this is how strings joined over lines and headers look.
            let ahead = &bytes[at + 1..(at + 24).min(bytes.len())];
            if bytes[at..].starts_with(b"--") {
                None
            } else {
                ahead.iter().any(|byte| within(BASE64, *byte)).then_some(1)
            }
        }
        _ => None,
    }
}

fn longest_run(bytes: &[u8]) -> usize {
    bytes.split(|byte| !within(BASE64, *byte)).map(<[u8]>::len).max().unwrap_or(0)
}

fn last_dash(bytes: &[u8], from: usize, to: usize) -> usize {
    bytes[from..to].iter().rposition(|byte| *byte == b'-').map_or(from, |last| from + last + 1)
}

/// Returns the nearest border of a character at or behind `at`.
fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|index| text.is_char_boundary(*index)).unwrap_or(text.len())
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

/// Decodes base64 as far as it goes.
fn decode(encoded: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(encoded.len());
    let mut bits = 0u32;
    let mut held = 0;
    for byte in encoded {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}
