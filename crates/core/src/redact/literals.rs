//! Where a literal starts and ends: between quotes, between tags, or bare.

use std::ops::Range;

use super::bytes::{BARE, Runs};

/// How long a quoted value may be.
const VALUE_REACH: usize = 4096;
/// How far the end of a quotation is looked for; every name in one long run of letters asks again.
const QUOTATION: usize = 256;

/// Returns what stands between quotes at `at`, with the letters before them that some languages allow.
pub(super) fn quoted(text: &str, at: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut open = at;
    while open < at + 2
        && matches!(
            bytes.get(open),
            Some(b'@' | b'b' | b'B' | b'r' | b'R' | b'u' | b'U' | b'f' | b'F' | b'$' | b'N')
        )
    {
        open += 1;
    }
    let slashes = bytes[open.min(bytes.len())..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(open + slashes)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let mut start = open + slashes + 1;
    if bytes[start..].starts_with(&[quote, quote]) {
        start += 2;
    }
    let mut end = start;
    let ceiling = (start + VALUE_REACH).min(bytes.len());
    while end < ceiling {
        match bytes[end] {
            b'\n' => break,
            byte if byte == quote => {
                let before = bytes[start..end].iter().rev().take_while(|byte| **byte == b'\\').count();
                // A deeper quote is part of the value, one of our depth or less ends it.
                if before <= slashes {
                    return Some(start..end - before);
                }
            }
            _ => {}
        }
        end += 1;
    }
    // Nothing closes it on this line: the text was cut, or a quote is missing.
    bare(bytes, start, runs)
}

/// Returns a bare value at `at`.
pub(super) fn bare(bytes: &[u8], at: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let mut end = runs.end(at, BARE);
    // A quotation ends with its own mark; what stands behind that belongs to whoever quotes.
    if let Some(closed) = memchr::memmem::find(&bytes[at..end.min(at + QUOTATION)], "”".as_bytes())
        && !bytes[at..].starts_with("“".as_bytes())
    {
        end = at + closed;
    }
    while end > at && matches!(bytes[end - 1], b'.' | b':' | b'?' | b'|') {
        end -= 1;
    }
    // What goes on as a call, an index or a generic type is code.
    let code = matches!(bytes.get(end), Some(b'(' | b'[' | b'{' | b'<'))
        || matches!(bytes.get(end), Some(b'"' | b'\'' | b'`')) && end - at < 3;
    (end > at && !code).then_some(at..end)
}

/// Returns the text of an element, without the space around it.
pub(super) fn tagged(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let ceiling = (at + VALUE_REACH).min(bytes.len());
    let end = at + bytes[at.min(ceiling)..ceiling].iter().position(|byte| *byte == b'<')?;
    if bytes.get(end + 1) != Some(&b'/') {
        return None;
    }
    let inner = text.get(at..end)?;
    let start = at + (inner.len() - inner.trim_start().len());
    let inner = inner.trim();
    (!inner.contains('\n')).then_some(start..start + inner.len())
}

/// Returns the value in `name="password" value="…"` and `"name": "password", "value": "…"`.
pub(super) fn value_attribute(text: &str, at: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let gap = |at: usize| {
        at + bytes[at.min(bytes.len())..]
            .iter()
            .take(40)
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'"' | b'\'' | b'\\'))
            .count()
    };
    let word = gap(at);
    if !bytes[word.min(bytes.len())..].starts_with(b"value") {
        return None;
    }
    let (closed, _) = skip_closers(bytes, word + 5);
    let sign = skip_space(bytes, closed);
    if !matches!(bytes.get(sign), Some(b'=' | b':')) {
        return None;
    }
    quoted(text, skip_space(bytes, sign + 1), runs)
}

/// Returns the start of a YAML block (`name: |`), or `at` where there is none.
pub(super) fn block_start(bytes: &[u8], at: usize) -> usize {
    if !matches!(bytes.get(at), Some(b'|' | b'>')) {
        return at;
    }
    let sign = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
    if bytes.get(sign) == Some(&b'\n') { skip_space(bytes, sign + 1) } else { at }
}

/// Steps over what closes a name: quotes, also escaped ones, and brackets.
pub(super) fn skip_closers(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let mut quoted = false;
    for _ in 0..8 {
        match bytes.get(at) {
            Some(b'"' | b'\'' | b'`') => quoted = true,
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'\\')) => {}
            Some(b']' | b'*') => {}
            _ => break,
        }
        at += 1;
    }
    (at, quoted)
}

/// Steps over the number in `Unseal Key 2:`.
pub(super) fn skip_ordinal(bytes: &[u8], at: usize) -> usize {
    let end = at
        + 1
        + bytes
            .get(at + 1..)
            .map_or(0, |rest| rest.iter().take(3).take_while(|b| b.is_ascii_digit()).count());
    if bytes.get(at) == Some(&b' ') && end - at > 1 && end - at < 4 && bytes.get(end) == Some(&b':') {
        end
    } else {
        at
    }
}

/// Steps over spaces and tabulators.
pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at.min(bytes.len())..].iter().take(64).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
