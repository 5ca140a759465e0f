//! Markdown with front matter: lenient in, canonical out, and changes that touch nothing else.
//!
//! [`read`] never fails on content: it returns what was readable plus diagnostics. [`write()`] gives
//! the one canonical text of an entry. [`rewrite()`] changes an existing file: keys whose values did
//! not change keep every byte, whoever wrote them. `docs/format.md` is the contract.

pub(crate) mod decode;
mod detail;
mod emit;
mod encode;
mod evidence;
pub(crate) mod fields;
mod hash;
pub(crate) mod node;
mod parse;
mod prose;
mod rewrite;
mod salvage;
pub(crate) mod scan;
mod split;
pub(crate) mod title;

use std::borrow::Cow;

use lore_core::{Diagnostic, Entry, Level};

use crate::merge;

pub(crate) use prose::prose;

pub use hash::{content_hash, stored_hash, with_hash};
pub use rewrite::{RewriteError, rewrite};

/// Largest file that is read as an entry; anything above it is no note.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Largest front matter; real ones have a few kilobytes.
const MAX_FRONT_MATTER: usize = 512 * 1024;

/// What reading a file gave.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadEntry {
    /// The entry; nothing where the file is empty or refused.
    pub entry: Option<Entry>,
    /// What was odd, in the order of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The line, from one, on which the Markdown starts.
    pub body_line: u32,
}

/// Reads an entry. The path is relative; folder and file name fill what the file does not say.
pub fn read(path: &str, bytes: &[u8]) -> ReadEntry {
    if let Some(refusal) = refuse_size(path, bytes.len() as u64) {
        return ReadEntry { entry: None, diagnostics: vec![refusal], body_line: 1 };
    }
    let (text, encoding) = text_of(path, bytes);
    let mut diagnostics: Vec<Diagnostic> = encoding.into_iter().collect();
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0').is_empty() {
        let empty = Diagnostic::new(Level::Error, "empty-file", path, "the file is empty");
        diagnostics.push(empty.with_hint("write the entry again, or remove the file"));
        return ReadEntry { entry: None, diagnostics, body_line: 1 };
    }
    if merge::has_markers(&text) {
        let readable = merge::readable(path, &text);
        let found = Diagnostic::new(Level::Error, "merge-conflict", path, "the file holds a merge conflict");
        let read = if merge::has_markers(&readable) {
            ReadEntry { entry: None, diagnostics: Vec::new(), body_line: 1 }
        } else {
            read(path, readable.as_bytes())
        };
        // What else is odd about it is odd because of the markers.
        let found = found.with_hint("`lore check --fix` merges what both sides say");
        let line = merge::marked_line(&text);
        let diagnostics = vec![line.map_or(found.clone(), |line| found.at_line(line))];
        return ReadEntry { diagnostics, ..read };
    }
    if let Some(line) = merge::marked_line(&text) {
        let message = "the file holds a mark of a merge, and no whole conflict";
        let found = Diagnostic::new(Level::Error, "merge-conflict", path, message).at_line(line);
        diagnostics.push(found.with_hint("keep what is right in the file, and take the marks out"));
    }
    if split::split(&text).yaml.len() > MAX_FRONT_MATTER {
        let message = format!("the front matter has more than {} kB", MAX_FRONT_MATTER >> 10);
        let refusal = Diagnostic::new(Level::Error, "file-too-large", path, message).at_line(1);
        diagnostics.push(refusal.with_hint("move what is not about the note below the front matter"));
        return ReadEntry { entry: None, diagnostics, body_line: 1 };
    }
    let scanned = scan::scan(path, &text);
    let body_line = split::line_number(&text, scanned.parts.body);
    diagnostics.extend(scanned.diagnostics);
    let fields = fields::Fields::new(path, scanned.fields, scanned.above);
    let decoded = decode::decode(fields, scanned.body, &decode::Known { path, settled: None });
    diagnostics.extend(decoded.diagnostics);
    diagnostics.sort_by_key(|found| found.place.line);
    ReadEntry { entry: Some(decoded.entry), diagnostics, body_line }
}

/// Writes the canonical text of an entry, without a content hash.
pub fn write(entry: &Entry) -> String {
    let mut out = String::with_capacity(entry.body.len() + 1024);
    out.push_str("---\n");
    for (key, node) in encode::encode(entry) {
        emit::field(&mut out, &key, &node, 0);
    }
    out.push_str("---\n");
    let body = split::plain_breaks(&entry.body);
    // A line feed will follow, and with it a carriage return would be another line break.
    let body = body[split::skip_blank(&body, 0)..].trim_end_matches('\r');
    if !body.is_empty() {
        out.push('\n');
        out.push_str(body);
        if !body.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// Refuses a file by its size, which can be asked before any of it is read.
pub fn refuse_size(path: &str, bytes: u64) -> Option<Diagnostic> {
    (bytes > MAX_BYTES).then(|| {
        let message = format!("the file has {} MB; entries have at most {} MB", bytes >> 20, MAX_BYTES >> 20);
        let hint = "move what is not a note out of the base";
        Diagnostic::new(Level::Error, "file-too-large", path, message).with_hint(hint)
    })
}

/// Reads a whole text as one YAML mapping, as well as can be.
pub(crate) fn document(path: &str, text: &str) -> (Vec<(String, node::Node)>, Vec<Diagnostic>) {
    let text = text.trim_start_matches('\u{feff}');
    let text = text.strip_prefix("---\n").unwrap_or(text);
    let scanned = scan::scan(path, &format!("---\n{text}\n---\n"));
    (scanned.fields.into_iter().map(|field| (field.key, field.node)).collect(), scanned.diagnostics)
}

/// Turns bytes into text, as well as can be.
pub(crate) fn text_of<'b>(path: &str, bytes: &'b [u8]) -> (Cow<'b, str>, Option<Diagnostic>) {
    let report = |message: String, line: u32| {
        let found = Diagnostic::new(Level::Warning, "not-utf-8", path, message);
        Some(found.at_line(line).with_hint("save the file as UTF-8"))
    };
    if let [0xff, 0xfe, rest @ ..] | [0xfe, 0xff, rest @ ..] = bytes {
        let order = if bytes[0] == 0xff { u16::from_le_bytes } else { u16::from_be_bytes };
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
        return (String::from_utf16_lossy(&units).into(), report("the file is UTF-16".to_owned(), 1));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.into(), None),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let message = "the file is not UTF-8; unreadable bytes are shown as `\u{fffd}`".to_owned();
            (String::from_utf8_lossy(bytes), report(message, line))
        }
    }
}
