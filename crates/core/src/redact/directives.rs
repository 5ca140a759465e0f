//! Values that the end of their line ends: lines of settings without a sign between name and value.

use std::ops::Range;

use super::assignment::{JUDGED, accept};
use super::bytes::Runs;
use super::gutters;
use super::literals::{bare, quoted, skip_space};
use super::names::Kind;
use super::shapes::floor;
use super::values::{self, Form};
use super::wordlike;

/// Tells whether a name and a space begin a line of settings (`requirepass x`), or set a variable
/// (`ENV NAME x`).
pub(super) fn is_directive(bytes: &[u8], name: &Range<usize>) -> bool {
    let before = &bytes[name.start.saturating_sub(14)..name.start];
    let sets = [&b"ENV "[..], b"ARG ", b"setenv ", b"setx ", b"-gx ", b"set -x ", b"--env "];
    let numbered = matches!(before, [.., digit, b':' | b'-'] if digit.is_ascii_digit());
    if numbered || before.ends_with(b"\"") || sets.iter().any(|word| before.ends_with(word)) {
        return true;
    }
    // Behind a word and a space a name stands in the middle of a line.
    if matches!(before, [.., letter, b' '] if letter.is_ascii_alphanumeric()) {
        return false;
    }
    let line = gutters::line_start(bytes, name.start, 14);
    (line == 0 || line < name.start || bytes[line - 1] == b'\n' || bytes[line - 1] == b'n')
        && gutters::skip(bytes, line) == name.start
        && name.start - line < 14
}

/// Returns a value that only the end of its line ends: a word that may be a password, or more signs than
/// code has.
pub(super) fn to_line_end(text: &str, name: &Range<usize>, start: usize, kind: Kind) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let (end, _) =
        gutters::line_end(bytes, start, start + JUDGED).unwrap_or((bytes.len().min(start + JUDGED), 0));
    let shown = text.get(start..floor(text, end))?;
    // A quotation ends with its own mark.
    let shown = shown.split(['"', '”']).next().unwrap_or(shown);
    let line = shown.trim_end().trim_end_matches([',', ';', '\'', '`']);
    let begins = gutters::skip(bytes, gutters::line_start(bytes, name.start, 80)) == name.start;
    if begins && text[name.clone()].to_ascii_lowercase().ends_with("passphrase") && wordlike::is_phrase(line)
    {
        return Some(start..start + line.len());
    }
    if line.is_empty() || line.contains(char::is_whitespace) {
        return None;
    }
    let word = kind == Kind::Password
        && begins
        && line.len() == shown.trim_end().len()
        && wordlike::is_lone_word(line)
        && !values::is_placeholder(line);
    let wild = matches!(kind, Kind::Password | Kind::Secret | Kind::Key) && wordlike::is_wild(line);
    // `pass` is also what tests do; with something that is no word it is a password.
    let pass = &text[name.clone()] == "pass"
        && begins
        && wordlike::is_no_word(line)
        && values::is_secret(Kind::Password, Form::Loose, line);
    (word || wild || pass).then(|| start..start + line.len())
}

/// Returns what stands behind a name that begins a line of settings.
pub(super) fn directive(
    text: &str,
    name: &Range<usize>,
    start: usize,
    kind: Kind,
    runs: &mut Runs<'_>,
) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !is_directive(bytes, name) {
        return None;
    }
    let value = quoted(text, start, runs).or_else(|| bare(bytes, start, runs))?;
    let after = skip_space(bytes, value.end);
    matches!(bytes.get(after), None | Some(b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'#')).then_some(())?;
    let sets = name.start > 0
        && bytes[name.start - 1] == b' '
        && text[name.clone()].bytes().all(|byte| !byte.is_ascii_lowercase());
    let plain = matches!(&text[name.clone()], "requirepass" | "masterauth" | "bindpw" | "rootpw");
    let form = if sets || plain { Form::Tight } else { Form::Loose };
    let shown = text.get(value.clone())?;
    (sets || plain || wordlike::is_no_word(shown)).then_some(())?;
    accept(text, kind, form, value)
}
