//! Private keys that span lines, however the lines are printed.

use std::ops::Range;

use super::bytes::{BASE64, run_end, starts_word, within};
use super::gutters;

/// How long a block may be.
const REACH: usize = 64 * 1024;
/// How many lines that are no body may follow each other: headers, blank lines, `… 20 lines …`.
const STRAY_LINES: usize = 4;
/// A run of this length is a line of a body, whatever stands before it.
const BODY_RUN: usize = 16;

/// Looks at a `-----BEGIN` for a private key with its body, line breaks escaped or not, with whatever
/// a tool prints before each line.
pub(super) fn pem(text: &str, begin: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let label_start = begin + "-----BEGIN".len();
    let mut at = label_start + private_label(bytes, label_start)?;
    at += bytes[at..].iter().take(8).take_while(|byte| **byte == b'-').count();
    let ceiling = (at + REACH).min(bytes.len());
    let mut body = Body { letters: 0, longest: 0, end: at };
    body.on_one_line(bytes, at, ceiling);
    let mut stray = 0;
    let mut next = gutters::line_end(bytes, at, ceiling).map(|(_, next)| next);
    while let Some(start) = next {
        let line = gutters::line_end(bytes, start, ceiling);
        let end = line.map_or(ceiling, |(end, _)| end);
        if let Some(close) = find(&bytes[start..end], b"--- END").or(find(&bytes[start..end], b"---END")) {
            body.end = armour_end(bytes, start + close + find(&bytes[start + close..], b"END")? + 3);
            break;
        }
        if body.take(bytes, start..end) {
            stray = 0;
        } else {
            stray += 1;
            if stray > STRAY_LINES {
                break;
            }
        }
        next = line.map(|(_, next)| next);
    }
    // A key of an armour line alone, or of a few words, shows nothing.
    (body.letters >= 24 && body.longest >= BODY_RUN).then(|| begin..ceil(text, body.end))
}

/// Looks at a `-----END` for the end of a private key whose beginning was cut off.
pub(super) fn pem_tail(text: &str, anchor: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    private_label(bytes, anchor + "-----END".len())?;
    let floor = anchor.saturating_sub(REACH);
    let mut line = gutters::line_start(bytes, anchor, 200);
    let mut begin = None;
    while line > floor {
        let end = line - 1 - usize::from(line >= 2 && bytes[line - 2] == b'\\');
        let start = gutters::line_start(bytes, end, 200);
        let Some(run) = last_run(bytes, start..end) else { break };
        // Short lines end a body; they do not stand in its middle.
        if run.len() < 40 && begin.is_some() || start == end {
            break;
        }
        begin = Some(run.start);
        line = start;
    }
    let begin = begin?;
    (anchor - begin >= 60).then(|| begin..ceil(text, armour_end(bytes, anchor + "-----END".len())))
}

/// What was read of a key so far.
struct Body {
    letters: usize,
    longest: usize,
    end: usize,
}

impl Body {
    /// Takes what stands on the line of the armour itself, as where line breaks became spaces.
    fn on_one_line(&mut self, bytes: &[u8], from: usize, ceiling: usize) {
        let mut at = from;
        while at < ceiling {
            at += bytes[at..ceiling].iter().take_while(|byte| is_filler(**byte)).count();
            if bytes[at..].starts_with(b"-----END") || bytes[at..].starts_with(b"---- END") {
                self.end = armour_end(bytes, at + 8);
                return;
            }
            let run = run_end(bytes, at, BASE64);
            match bytes.get(run) {
                None | Some(b'\n' | b'\r' | b' ' | b'\t' | b'"' | b'\'' | b'\\' | b'-' | b'<' | b'`')
                    if run > at =>
                {
                    self.add(at..run);
                    at = run;
                }
                _ => return,
            }
        }
    }

    /// Takes a line and tells whether it is one of the body.
    fn take(&mut self, bytes: &[u8], line: Range<usize>) -> bool {
        let Some(run) = longest_run(bytes, line.clone()) else { return false };
        let from = gutters::skip(bytes, line.start).min(line.end);
        let begins = run.start <= from + 1;
        let is_header = bytes[from..line.end].iter().take(24).any(|byte| *byte == b':') && run.len() < 40;
        let alone = begins && self.letters > 0 && !bytes[run.end..line.end].contains(&b' ');
        if is_header || !(run.len() >= BODY_RUN && begins || run.len() >= 40 || alone) {
            return false;
        }
        self.add(run);
        true
    }

    fn add(&mut self, run: Range<usize>) {
        self.letters += run.len();
        self.longest = self.longest.max(run.len());
        self.end = run.end;
    }
}

/// Returns the longest run of base64 on a line.
fn longest_run(bytes: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let mut longest: Option<Range<usize>> = None;
    let mut at = line.start;
    while at < line.end {
        let end = run_end(&bytes[..line.end], at, BASE64);
        if end - at > longest.as_ref().map_or(0, Range::len) {
            longest = Some(at..end);
        }
        at = end + 1;
    }
    longest
}

/// Returns the last run of base64 on a line where nothing but signs stands behind it.
fn last_run(bytes: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let shown = &bytes[line.clone()];
    let end = line.start + shown.iter().rposition(|byte| within(BASE64, *byte))? + 1;
    let length = bytes[line.start..end].iter().rev().take_while(|byte| within(BASE64, **byte)).count();
    Some(end - length..end)
}

/// Returns the length of an armour's label where it is that of a private key.
fn private_label(bytes: &[u8], from: usize) -> Option<usize> {
    let label = bytes.get(from..(from + 64).min(bytes.len()))?;
    let length = find(label, b"----")?;
    find(&label[..length], b"PRIVATE KEY")?;
    Some(length)
}

/// Looks at a `Private-Lines:` of a PuTTY key file and returns the lines behind it.
pub(super) fn putty(text: &str, after: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let ceiling = (after + REACH).min(bytes.len());
    let (_, mut next) = gutters::line_end(bytes, after, (after + 24).min(bytes.len()))?;
    let mut found: Option<Range<usize>> = None;
    loop {
        let line = gutters::line_end(bytes, next, ceiling);
        let end = line.map_or(ceiling, |(end, _)| end);
        if find(&bytes[next..end], b"-MAC").is_some() {
            break;
        }
        let Some(run) = last_run(bytes, next..end).filter(|run| run.len() >= BODY_RUN || found.is_some())
        else {
            break;
        };
        let start = found.map_or(run.start, |found| found.start);
        found = Some(start..run.end);
        match line {
            Some((_, after)) => next = after,
            None => break,
        }
    }
    found.filter(|found| found.len() >= 40)
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

/// Looks at base64 that starts like an encoded web token and tells whether it hides one.
pub(super) fn encoded_jwt(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !starts_word(bytes, start) {
        return None;
    }
    let end = run_end(bytes, start, BASE64);
    let head = decode(&bytes[start..end.min(start + 1024)]);
    let whole = head.iter().all(|byte| byte.is_ascii_graphic());
    (end - start >= 60 && whole && find(&head, b".eyJ").is_some()).then_some(start..end)
}

/// Tells whether a byte may stand between the lines of a body: space, and what joins strings.
fn is_filler(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b',' | b'#' | b'*')
}

/// Returns where the armour line that closes a block ends.
fn armour_end(bytes: &[u8], from: usize) -> usize {
    let named = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
    let label = from + bytes[from.min(bytes.len())..].iter().take(48).take_while(named).count();
    label + bytes[label..].iter().take(5).take_while(|byte| **byte == b'-').count()
}

/// Returns the nearest border of a character at or behind `at`.
fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|index| text.is_char_boundary(*index)).unwrap_or(text.len())
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(haystack, needle)
}

/// Decodes base64 as far as it goes.
pub(super) fn decode(encoded: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(encoded.len());
    let mut bits = 0u32;
    let mut held = 0;
    for byte in encoded {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
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
