//! The hash of what we last wrote, by which edits of people are noticed.

use std::ops::Range;

use lore_core::ContentHash;

use super::split::{Fence, line_break, lines, split};

const KEY: &str = "content_hash:";

/// Hashes a file without its `content_hash` line.
///
/// Line ends and a byte-order mark do not count: git and editors change them without anyone
/// having edited anything.
pub fn content_hash(text: &str) -> ContentHash {
    let rest = match hash_line(text) {
        Some(line) => [&text[..line.start], &text[line.end..]].concat(),
        None => text.to_owned(),
    };
    ContentHash::of(rest.trim_start_matches('\u{feff}').replace("\r\n", "\n").as_bytes())
}

/// Returns the hash that the file carries.
pub fn stored_hash(text: &str) -> Option<ContentHash> {
    let line = &text[hash_line(text)?];
    let value = line[KEY.len()..].split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| ContentHash::from_text(value))
}

/// Writes the hash of the file into its front matter; a file without front matter stays as it is.
pub fn with_hash(text: &str) -> String {
    let line = format!("{KEY} {}{}", content_hash(text), line_break(text));
    let (at, add_break) = match hash_line(text) {
        Some(old) => (old, false),
        None => {
            let parts = split(text);
            if parts.fence != Fence::Closed {
                return text.to_owned();
            }
            let end = parts.yaml.end;
            (end..end, !text[..end].ends_with('\n'))
        }
    };
    let gap = if add_break { "\n" } else { "" };
    [&text[..at.start], gap, &line, &text[at.end..]].concat()
}

/// Finds the line at the left margin of the front matter.
fn hash_line(text: &str) -> Option<Range<usize>> {
    let yaml = split(text).yaml;
    lines(&text[..yaml.end], yaml.start).find(|line| text[line.clone()].starts_with(KEY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_does_not_count_itself_or_line_ends() {
        let plain = "---\ntype: fact\n---\n\nBody\n";
        let hashed = with_hash(plain);
        assert_eq!(stored_hash(plain), None);
        assert_eq!(stored_hash(&hashed), Some(content_hash(&hashed)));
        assert_eq!(content_hash(plain), content_hash(&hashed));
        assert_eq!(with_hash(&hashed), hashed);
        let windows = format!("\u{feff}{}", hashed.replace('\n', "\r\n"));
        assert_eq!(stored_hash(&windows), Some(content_hash(&windows)));
        let edited = hashed.replace("Body", "Edited");
        assert_ne!(stored_hash(&edited), Some(content_hash(&edited)));
        assert_eq!(with_hash("no front matter"), "no front matter");
        assert_eq!(stored_hash("---\na: 1\n---\ncontent_hash: x\n"), None);
    }
}
