//! The one gate that text passes on its way into a session.

use std::borrow::Cow;
use std::sync::LazyLock;

use lore_core::redact::Redactor;
use lore_core::{sentinel, text};
use memchr::{memchr, memmem, memrchr};

use crate::ReadOptions;
use crate::walk::{self, Broken};

/// How much of what is kept, in bytes unless said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Longest line that is parsed; longer ones are skipped with a diagnostic.
    pub line: usize,
    /// Longest block of prose.
    pub prose: usize,
    /// Beginning of a tool's output.
    pub output_head: usize,
    /// End of a tool's output.
    pub output_tail: usize,
    /// Longest single value among a tool's arguments.
    pub argument: usize,
    /// Longest arguments of a call as a whole.
    pub arguments: usize,
    /// All text of a session; beyond it tool output and arguments are left out.
    pub session: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line: 16 << 20,
            prose: 256 << 10,
            output_head: 2000,
            output_tail: 1000,
            argument: 1000,
            arguments: 8000,
            session: 48 << 20,
        }
    }
}

/// Beginning and end of what a failing call said, where output is not kept otherwise.
const FAILURE_HEAD: usize = 400;
const FAILURE_TAIL: usize = 800;

/// Text beyond a cut that is still looked at, so that a secret across the cut is seen whole.
const MARGIN: usize = 256;

/// Cleans, redacts and cuts text, and counts what was redacted.
#[derive(Debug)]
pub struct Cleaner<'a> {
    redactor: &'a Redactor,
    limits: &'a Limits,
    redactions: u32,
}

impl<'a> Cleaner<'a> {
    /// Makes a cleaner for one session.
    pub fn new(options: &'a ReadOptions) -> Cleaner<'a> {
        let redactor = options.redactor.as_deref().unwrap_or_else(|| Redactor::standard());
        Cleaner { redactor, limits: &options.limits, redactions: 0 }
    }

    /// Counts the values that were redacted so far.
    pub fn redactions(&self) -> u32 {
        self.redactions
    }

    /// Returns how long the arguments of one call may get.
    pub(crate) fn arguments_limit(&self) -> usize {
        self.limits.arguments
    }

    /// Passes prose: our own injected text goes, the rest is cleaned, redacted and kept up to a
    /// generous length.
    pub fn prose(&mut self, text: &str) -> String {
        let text = sentinel::strip(text);
        self.head_and_tail(text.trim(), self.limits.prose / 2, self.limits.prose / 2).into_owned()
    }

    /// Passes a tool's output, cut to its beginning and end.
    pub fn output(&mut self, text: &str) -> String {
        let text = sentinel::strip(text);
        self.head_and_tail(&text, self.limits.output_head, self.limits.output_tail).into_owned()
    }

    /// Passes what a failing call said, cut to its first and last lines.
    pub(crate) fn failure(&mut self, text: &str) -> String {
        let text = sentinel::strip(text);
        self.head_and_tail(&text, FAILURE_HEAD, FAILURE_TAIL).into_owned()
    }

    /// Passes one value among a tool's arguments.
    pub fn argument<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let (head, tail) = (self.limits.argument * 3 / 4, self.limits.argument / 4);
        match sentinel::strip(text) {
            Cow::Borrowed(text) => self.head_and_tail(text, head, tail),
            Cow::Owned(text) => Cow::Owned(self.head_and_tail(&text, head, tail).into_owned()),
        }
    }

    /// Passes something short that stands on one line: a title, a branch, a path.
    pub fn short(&mut self, text: &str) -> String {
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        self.head_and_tail(line.trim(), 1000, 0).into_owned()
    }

    /// Passes the name of an argument.
    pub(crate) fn key<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if text.len() <= 32 && text.bytes().all(is_word) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.short(text))
    }

    /// Cleans and redacts without cutting.
    pub fn whole<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        match text::clean(text) {
            Cow::Borrowed(text) => self.redacted(text),
            Cow::Owned(text) => Cow::Owned(self.redacted(&text).into_owned()),
        }
    }

    fn redacted<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let redacted = self.redactor.redact(text);
        self.redactions = self.redactions.saturating_add(redacted.findings.len() as u32);
        redacted.text
    }

    /// Passes a tool's output that stands in a file as a JSON string; of a long one only the parts
    /// that are kept are decoded.
    pub(crate) fn output_json(&mut self, raw: &[u8]) -> String {
        let (head, tail) = (self.limits.output_head, self.limits.output_tail);
        match ends_of_json_string(raw, head + 2 * MARGIN, tail + 2 * MARGIN) {
            Some((first, last)) => self.joined(&first, &last, raw.len(), head, tail),
            None => self.output(&decoded(raw)),
        }
    }

    fn head_and_tail<'t>(&mut self, text: &'t str, head: usize, tail: usize) -> Cow<'t, str> {
        // A few bytes more than the limit are not worth a cut.
        if text.len() <= head + tail + head / 8 + 40 {
            return self.whole(text);
        }
        let has_key = KEY_MARK.find(text.as_bytes()).is_some();
        let text = if has_key { self.whole(text) } else { Cow::Borrowed(text) };
        if text.len() <= head + tail + 40 {
            return text;
        }
        let first = &text[..text.floor_char_boundary(head + MARGIN)];
        let last = &text[text.ceil_char_boundary(text.len().saturating_sub(tail + MARGIN))..];
        Cow::Owned(self.joined(first, last, text.len(), head, tail))
    }

    /// Cuts both ends to their length, after redacting what stands beyond the cuts too.
    fn joined(&mut self, first: &str, last: &str, total: usize, head: usize, tail: usize) -> String {
        let first = self.whole(first);
        let mut out = String::with_capacity(head + tail + 40);
        out.push_str(first[..first.floor_char_boundary(head)].trim_end());
        let gap = total.saturating_sub(head + tail);
        out.push_str(&format!("\n{}\n", text::elision(gap)));
        if tail > 0 {
            let last = self.whole(last);
            out.push_str(last[last.ceil_char_boundary(last.len().saturating_sub(tail))..].trim_start());
        }
        out
    }
}

/// Decodes a JSON string, quotes included; what is not UTF-8 in it is replaced.
pub(crate) fn decoded(raw: &[u8]) -> String {
    let written = raw.strip_prefix(b"\"").and_then(|raw| raw.strip_suffix(b"\"")).unwrap_or_default();
    let text = match walk::decode(written) {
        Err(Broken::NotUtf8) => {
            walk::decode(String::from_utf8_lossy(written).as_bytes()).map(|text| text.into_owned())
        }
        decoded => decoded.map(Cow::into_owned),
    };
    text.unwrap_or_default()
}

/// A key runs over many lines; its middle does not look like a secret by itself, so a text with
/// one is redacted before it is cut.
static KEY_MARK: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("PRIVATE KEY"));

/// Stands in both marks around our own text.
static OWN_MARK: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("lorekeep-context"));

/// Decodes the beginning and the end of a long JSON string; nothing where it is short, holds a
/// private key or marks of ours, or has no place to cut.
fn ends_of_json_string(raw: &[u8], head: usize, tail: usize) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    let inner = raw.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if inner.len() < 2 * (head + tail) {
        return None;
    }
    if KEY_MARK.find(inner).is_some() || OWN_MARK.find(inner).is_some() {
        return None;
    }
    // No escape sequence and no character of more bytes contains a space, so next to one is a safe
    // place to cut.
    let first = &inner[..head];
    let first = &first[..memrchr(b' ', first).filter(|at| *at > head / 2)?];
    let last = &inner[inner.len() - tail..];
    let last = &last[memchr(b' ', last).filter(|at| *at < tail / 2)?..];
    Some((walk::decode(first).ok()?, walk::decode(last).ok()?))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn options() -> ReadOptions {
        let redactor = Redactor::with_patterns(&["hunter[0-9]+".to_owned()]).expect("is a pattern");
        let limits = Limits { output_head: 40, output_tail: 20, ..Limits::default() };
        ReadOptions { redactor: Some(Arc::new(redactor)), limits, ..ReadOptions::default() }
    }

    #[test]
    fn text_is_cleaned_redacted_and_cut() {
        let options = options();
        let check = |text: &str, expected: &str, redactions: u32| {
            let mut cleaner = Cleaner::new(&options);
            assert_eq!(cleaner.output(text), expected, "{text:?}");
            assert_eq!(cleaner.redactions(), redactions, "{text:?}");
        };
        check("\u{1b}[1mbold\u{1b}[0m hunter2", "bold [REDACTED]", 1);
        check(&sentinel::wrap("ours"), "", 0);
        let long = format!("{}END", "0123456789".repeat(300));
        let expected =
            format!("{}\n[… 2943 bytes left out …]\n{}END", "0123456789".repeat(4), "34567890123456789");
        check(&long, &expected, 0);
        // The secret begins before the cut and ends after it.
        let raw = serde_json::to_string(&long.replace("89", " \n")).expect("is a text");
        let whole = Cleaner::new(&options).output(&long.replace("89", " \n"));
        let cut = Cleaner::new(&options).output_json(raw.as_bytes());
        assert_eq!(whole.lines().next(), cut.lines().next());
        assert_eq!(whole.lines().last(), cut.lines().last());
        let across = format!("{}hunter12345678{}", "a ".repeat(18), "b ".repeat(2000));
        let mut cleaner = Cleaner::new(&options);
        assert!(!cleaner.output(&across).contains("hunter"), "a secret across the cut is seen whole");
    }
}
