//! Columns of tables: the name stands in the header, the secrets below it.

use std::ops::Range;

use super::gutters;
use super::names::Kind;
use super::values::{self, Form};

/// How many rows below a header are read.
const MOST_ROWS: usize = 40;
/// How long a row may be.
const ROW_REACH: usize = 1000;
/// How many columns a table may have.
const MOST_COLUMNS: usize = 24;

/// Looks below a name that heads a column, of Markdown or of values parted by a sign.
pub(super) fn below(text: &str, name: &Range<usize>, kind: Kind, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let Some(sign) = parted_by(bytes, name) else { return };
    let line = gutters::line_start(bytes, name.start, ROW_REACH);
    let start = text_of_row(bytes, line, sign);
    if !text.is_char_boundary(start) {
        return;
    }
    // The table may be a string of something else; the quote that opens it is no part of it.
    let quote = text[start..name.start].rfind("\":\"").or_else(|| text[start..name.start].rfind(": \""));
    let in_string = quote.is_some();
    let start = quote.map_or(start, |quote| start + quote + 3);
    let Some((end, mut next)) = gutters::line_end(bytes, name.end, name.end + ROW_REACH) else { return };
    let header: Vec<Range<usize>> = cells(text, start..end, sign);
    let named = |cell: &Range<usize>| cell.len() <= 40 && !cell.is_empty() && is_heading(&text[cell.clone()]);
    let Some(column) = header.iter().position(|cell| cell.start <= name.start && name.end <= cell.end) else {
        return;
    };
    let whole = header[column].len() <= name.len() + 20;
    if header.len() < 2 || header.len() > MOST_COLUMNS || !whole || !header.iter().all(named) {
        return;
    }
    for row_number in 0..MOST_ROWS {
        let line = gutters::line_end(bytes, next, next + ROW_REACH);
        let mut end = line.map_or(bytes.len().min(next + ROW_REACH), |(end, _)| end);
        let start = text_of_row(bytes, next, sign);
        if in_string && start < end {
            end = bytes[start..end].iter().position(|byte| *byte == b'"').map_or(end, |quote| start + quote);
        }
        if end <= start || !text.is_char_boundary(start) || !text.is_char_boundary(end) {
            return;
        }
        let row = cells(text, start..end, sign);
        if row.len() != header.len() {
            return;
        }
        let shown = &text[row[column].clone()];
        let rule = shown.bytes().all(|byte| matches!(byte, b'-' | b':' | b' ' | b'='));
        // Bars alone make no header; the line below it does.
        if sign == b'|' && row_number == 0 && !rule {
            return;
        }
        if !rule && is_cell_secret(kind, shown) {
            out.push(row[column].clone());
        }
        match line {
            Some((_, after)) => next = after,
            None => return,
        }
    }
}

/// Tells whether what stands in a cell beside or below a telling name is a secret.
pub(super) fn is_cell_secret(kind: Kind, shown: &str) -> bool {
    let words = shown.split_whitespace().count();
    let kind = if kind == Kind::Owned { Kind::Weak } else { kind };
    let word = shown.bytes().all(|byte| byte.is_ascii_alphabetic());
    let constant =
        shown.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    words == 1
        && !constant
        && match kind {
            Kind::Password => {
                values::is_secret(Kind::Password, Form::Quoted, shown)
                    && (!word || shown.len() >= 6 && !is_title(shown))
            }
            _ => values::is_secret(kind, Form::Tight, shown),
        }
}

/// Returns the value in the cell to the right of a name: `| password | x |`.
pub(super) fn beside(text: &str, name: &Range<usize>, kind: Kind) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if parted_by(bytes, name)? != b'|' {
        return None;
    }
    let line = gutters::line_start(bytes, name.start, ROW_REACH);
    let start = text_of_row(bytes, line, b'|');
    let end = gutters::line_end(bytes, name.end, name.end + ROW_REACH)
        .map_or(bytes.len().min(name.end + ROW_REACH), |(end, _)| end);
    if !text.is_char_boundary(start) || !text.is_char_boundary(end) || bytes.get(start) != Some(&b'|') {
        return None;
    }
    let row = cells(text, start..end, b'|');
    let place = row.iter().position(|cell| cell.start <= name.start && name.end <= cell.end)?;
    let value = row.get(place + 1)?.clone();
    (place == 0 && is_cell_secret(kind, &text[value.clone()])).then_some(value)
}

/// Returns the sign between the cells of the row that a name is a cell of.
fn parted_by(bytes: &[u8], name: &Range<usize>) -> Option<u8> {
    let part = |byte: &u8| b"\"' `*_".contains(byte) || byte.is_ascii_alphanumeric();
    let behind = bytes[name.end..].iter().take(24).find(|byte| !part(byte)).copied();
    if !matches!(behind, None | Some(b'|' | b',' | b'\t' | b';' | b'\n' | b'\r' | b'\\')) {
        return None;
    }
    let before = bytes[..name.start].iter().rev().take(24).find(|byte| !part(byte)).copied();
    [b'|', b',', b'\t', b';'].into_iter().find(|sign| {
        let ends = matches!(behind, None | Some(b'\n' | b'\r' | b'\\'));
        let begins =
            matches!(before, None | Some(b'\n' | b'\r' | b'\\' | 0x92 | b':' | b'+' | b'-' | b'>' | b'#'));
        behind == Some(*sign) && (before == Some(*sign) || begins) || before == Some(*sign) && ends
    })
}

/// Returns where the cells of a row begin; the bar of a table is not a mark of its printing.
fn text_of_row(bytes: &[u8], line: usize, sign: u8) -> usize {
    let start = gutters::skip(bytes, line);
    if sign != b'|' {
        return start;
    }
    let bar = bytes[line..start].iter().rposition(|byte| *byte == b'|');
    bar.map_or(start, |bar| line + bar)
}

/// Splits a row into its cells, without the space, quotes and marks around each.
fn cells(text: &str, row: Range<usize>, sign: u8) -> Vec<Range<usize>> {
    let mut shown = &text[row.clone()];
    let mut start = row.start;
    if sign == b'|' {
        let outer = shown.trim_end();
        let inner = outer.strip_prefix('|').unwrap_or(outer);
        start += outer.len() - inner.len();
        shown = inner.strip_suffix('|').unwrap_or(inner);
    }
    let mut out = Vec::new();
    for cell in shown.split(sign as char).take(MOST_COLUMNS + 1) {
        let marks = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '*' | '\\');
        let head = cell.len() - cell.trim_start_matches(marks).len();
        let inner = cell.trim_matches(marks);
        out.push(start + head..start + head + inner.len());
        start += cell.len() + 1;
    }
    out
}

fn is_heading(cell: &str) -> bool {
    cell.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-./()#".contains(&byte))
}

fn is_title(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
        && word[1..].bytes().all(|byte| byte.is_ascii_lowercase())
}
