//! Where the front matter of a file begins and ends.

use std::borrow::Cow;
use std::ops::Range;

/// The parts of a file, as byte ranges of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    /// The lines between the fences; empty and at the start where there is no front matter.
    pub(super) yaml: Range<usize>,
    /// Where the Markdown starts, after the closing fence and the blank lines that follow it.
    pub(super) body: usize,
    /// How the block is fenced.
    pub(super) fence: Fence,
}

/// How a block of front matter is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fence {
    /// There is no front matter.
    None,
    /// It opens and closes.
    Closed,
    /// It opens; where it ends was guessed.
    Open,
}

const BOM: char = '\u{feff}';

/// Finds the front matter.
pub(super) fn split(text: &str) -> Parts {
    let start = text.len() - text.trim_start_matches(BOM).len();
    let none = Parts { yaml: start..start, body: skip_blank(text, start), fence: Fence::None };
    let opening = skip_blank(text, start);
    let Some(first) = lines(text, opening).next().filter(|line| is_fence(&text[line.clone()], "---")) else {
        return none;
    };
    let from = first.end;
    let closes = |line: &str| is_fence(line, "---") || is_fence(line, "...");
    if let Some(line) = lines(text, from).find(|line| closes(&text[line.clone()])) {
        // `---` above prose is a rule of Markdown, unless something between looks like a key.
        let yaml = from..line.start;
        let is_block = text[yaml.clone()].trim().is_empty()
            || lines(text, from).any(|l| {
                l.start < yaml.end
                    && (key_of(&text[l.clone()]).is_some() || text[l].trim_start().starts_with(['{', '#']))
            });
        if !is_block {
            return none;
        }
        return Parts { yaml, body: skip_blank(text, line.end), fence: Fence::Closed };
    }
    let end = guess_end(text, from);
    if end == from {
        return none;
    }
    Parts { yaml: from..end, body: skip_blank(text, end), fence: Fence::Open }
}

/// Lists the lines from a byte on, each with its line break.
pub(super) fn lines(text: &str, from: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let length = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len() - at, |i| i + 1);
        let line = at..at + length;
        at += length;
        Some(line)
    })
}

/// Counts the line, from one, that a byte stands in.
pub(super) fn line_number(text: &str, at: usize) -> u32 {
    let before = &text.as_bytes()[..at.min(text.len())];
    u32::try_from(memchr::memchr_iter(b'\n', before).count()).unwrap_or(u32::MAX - 1) + 1
}

/// Returns the line break that most lines of the text end with.
pub(super) fn line_break(text: &str) -> &'static str {
    let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let carriage = memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count();
    if carriage * 2 > all { "\r\n" } else { "\n" }
}

/// Ends every line with a line feed alone, however many carriage returns stand before it.
pub(super) fn plain_breaks(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.trim_end_matches('\r'));
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// Returns the key that a line at the left margin opens, without quotes.
pub(super) fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = match line.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let end = line[1..].find(char::from(*quote))? + 1;
            (&line[1..end], line[end + 1..].trim_start())
        }
        first if first.is_ascii_alphanumeric() || *first == b'_' || *first >= 0x80 => {
            let end = line.find([':', '\n'])?;
            (line[..end].trim_end(), &line[end..])
        }
        _ => return None,
    };
    let after = rest.strip_prefix(':')?;
    let is_word = !key.is_empty() && key.len() <= 64 && key.split_whitespace().count() <= 3;
    (is_word && (after.is_empty() || after.starts_with([' ', '\t', '\r', '\n']))).then_some(key)
}

fn is_fence(line: &str, fence: &str) -> bool {
    line.strip_prefix(fence).is_some_and(|rest| rest.trim().is_empty())
}

/// Returns where the blank lines that start here end.
pub(super) fn skip_blank(text: &str, from: usize) -> usize {
    let blank = lines(text, from).take_while(|line| text[line.clone()].trim().is_empty());
    blank.last().map_or(from, |line| line.end)
}

/// Guesses where unclosed front matter ends: before the first line that no YAML block would hold.
fn guess_end(text: &str, from: usize) -> usize {
    let mut end = from;
    let mut after_blank = false;
    for line in lines(text, from) {
        let content = &text[line.clone()];
        if content.trim().is_empty() {
            after_blank = true;
            continue;
        }
        let heading = content.starts_with('#') && (after_blank || end == from);
        let nested = content.starts_with([' ', '\t']) || content.starts_with("- ");
        let belongs = key_of(content).is_some() || (end > from && nested) || content.starts_with('#');
        if heading || !belongs || (after_blank && nested) {
            break;
        }
        after_blank = false;
        end = line.end;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_block_and_the_body() {
        let check = |text: &str, yaml: &str, body: &str, fence: Fence| {
            let parts = split(text);
            let found = (&text[parts.yaml.clone()], &text[parts.body..], parts.fence);
            assert_eq!(found, (yaml, body, fence), "{text:?}");
        };
        check("---\na: 1\n---\n\nBody\n", "a: 1\n", "Body\n", Fence::Closed);
        check("\u{feff}---\r\na: 1\r\n---\r\nBody", "a: 1\r\n", "Body", Fence::Closed);
        check("\n--- \na: 1\n...\nBody", "a: 1\n", "Body", Fence::Closed);
        check("---\n---\nBody", "", "Body", Fence::Closed);
        check("# Title\n\n---\nx: 1\n---\n", "", "# Title\n\n---\nx: 1\n---\n", Fence::None);
        check("---\nJust prose.\n\n---\nMore", "", "---\nJust prose.\n\n---\nMore", Fence::None);
        check(
            "---\na: 1\nb:\n  - x\n\n# Title\n\ntext: no",
            "a: 1\nb:\n  - x\n",
            "# Title\n\ntext: no",
            Fence::Open,
        );
        check("---\n", "", "---\n", Fence::None);
        check("", "", "", Fence::None);
    }

    #[test]
    fn knows_keys_at_the_margin() {
        let check = |line: &str, key: Option<&str>| assert_eq!(key_of(line), key, "{line:?}");
        check("title: x", Some("title"));
        check("\"quoted key\" : x", Some("quoted key"));
        check("tags:\n", Some("tags"));
        check("größe: 1", Some("größe"));
        check("  indented: x", None);
        check("http://example.org", None);
        check("A sentence that goes on and on: like this", None);
        check("- item: x", None);
        check("# comment: x", None);
    }
}
