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
    let mut longest = 0;
    let mut end = body;
    while at < ceiling {
        at += bytes[at..ceiling].iter().take_while(|byte| is_filler(**byte)).count();
        if bytes[at..].starts_with(b"-----END") || bytes[at..].starts_with(b"---- END") {
            end = armour_end(bytes, at + 8);
            break;
        }
        let run = run_end(bytes, at, BASE64);
        match bytes.get(run) {
            // The letter of an escaped line break, or a header of an old format.
            Some(b'\\') if run == at => at = (at + 2).min(ceiling),
            Some(b':') if run > at => at = line_end(bytes, run),
            None | Some(b'\n' | b'\r' | b' ' | b'\t' | b'"' | b'\'' | b'\\' | b'-' | b'<' | b'`')
                if run > at =>
            {
                letters += run - at;
                longest = longest.max(run - at);
                at = run;
                end = run;
            }
            _ => break,
        }
    }
    // A key of an armour line alone, or of a few words, shows nothing.
    (letters >= 24 && longest >= 16).then(|| begin..ceil(text, end))
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

/// Tells whether a byte may stand between the lines of a body: space, and what joins strings.
fn is_filler(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b',' | b'#' | b'*')
}

/// Returns where the armour line that closes a block ends.
fn armour_end(bytes: &[u8], from: usize) -> usize {
    let named = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
    let label = from + bytes[from.min(bytes.len())..].iter().take(48).take_while(named).count();
    label + bytes[label..].iter().take(5).take_while(|byte| **byte == b'-').count()
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let reach = &bytes[from..bytes.len().min(from + 120)];
    from + reach.iter().position(|byte| matches!(byte, b'\n' | b'\\' | b'"')).unwrap_or(reach.len())
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
