//! Small cuts through a statement, used by everybody who looks at one.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::extract::sentence::{word_count, words};
use crate::extract::terms::is_common;

/// Opens the question that an answer goes with.
pub(crate) const ANSWERING: &str = " (in answer to “";

/// Words that name no subject when a heading or label has no others.
const EMPTY_WORDS: &str = include_str!("empty-words.txt");

/// Tells whether a word says nothing about the subject when it stands in a heading.
pub(crate) fn is_empty_word(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| EMPTY_WORDS.lines().filter(|line| !line.starts_with('#')).collect());
    WORDS.contains(word)
}

/// Takes labels off the front that could stand before anything: `Issue:`, `Key insight:`.
pub(crate) fn without_label(text: &str) -> &str {
    let mut rest = text;
    while let Some((label, after)) = rest.split_once(": ") {
        let plain = label.chars().all(|letter| letter.is_alphanumeric() || " '/()#-".contains(letter));
        let empty = words(label).all(|word| {
            is_common(&word)
                || is_empty_word(&word)
                || word.len() < 3
                || word.bytes().all(|b| b.is_ascii_digit())
        });
        if !plain || !empty || label.is_empty() || word_count(after) < 4 {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// Returns the text up to the end of its first sentence.
pub(crate) fn first_sentence(text: &str) -> &str {
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() && matches!(before, '.' | '!' | '?') {
            return &text[..at];
        }
        before = letter;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_fit_anything_are_taken_off() {
        assert_eq!(without_label("Key insight: the cache is never cleared"), "the cache is never cleared");
        assert_eq!(
            without_label("Problem: Root cause: the cache is never cleared"),
            "the cache is never cleared"
        );
        assert_eq!(
            without_label("Export format: one line per row and no header"),
            "Export format: one line per row and no header"
        );
        assert_eq!(without_label("Fix: `a`"), "Fix: `a`");
    }

    #[test]
    fn statements_are_cut() {
        assert_eq!(first_sentence("One, v1.2 too. Two."), "One, v1.2 too.");
        assert_eq!(first_sentence("One"), "One");
    }
}
