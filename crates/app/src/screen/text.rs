//! Text that is fit for a screen: cleaned, measured in columns, broken between words.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::columns::columns;
use crate::ui::sanitised;

/// A tab is this wide; where it would lead to depends on what stands before it.
const TAB: &str = "    ";

/// Makes any text safe to be shown, line by line.
pub(super) fn safe(text: &str) -> String {
    let text = sanitised(text);
    if text.contains('\t') { text.replace('\t', TAB) } else { text.into_owned() }
}

/// Makes any text safe to be shown on one line.
pub(super) fn one_line(text: &str) -> String {
    let text = safe(text);
    if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}

/// Breaks a text into lines of at most so many columns; indented lines go on with their indentation.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrapped_line(line, width.max(1))).collect()
}

/// Takes apart what readers take for one letter where it alone is wider than a line.
fn narrow(piece: &str, width: usize) -> Vec<&str> {
    match columns(piece) > width {
        true => piece.split_inclusive(|_: char| true).collect(),
        false => vec![piece],
    }
}

fn wrapped_line(line: &str, width: usize) -> Vec<String> {
    if columns(line) <= width {
        return vec![line.to_owned()];
    }
    let margin = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat(if margin * 2 < width { margin } else { 0 });
    let mut lines = Vec::new();
    let mut current = indent.clone();
    for word in line.trim_start_matches(' ').split_inclusive(' ') {
        let fits = columns(&current) + columns(word.trim_end()) <= width;
        if !fits && current.len() > indent.len() {
            lines.push(std::mem::replace(&mut current, indent.clone()).trim_end().to_owned());
        }
        if columns(&current) + columns(word.trim_end()) <= width {
            current.push_str(word);
            continue;
        }
        // A word that is longer than a line is broken between what readers take for letters.
        for piece in word.graphemes(true).flat_map(|piece| narrow(piece, width)) {
            if columns(&current) + columns(piece) > width && current.len() > indent.len() {
                lines.push(std::mem::replace(&mut current, indent.clone()));
            }
            current.push_str(piece);
        }
    }
    let current = current.trim_end();
    if !current.is_empty() {
        lines.push(current.to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::columns::cut;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("  one two three", 8), ["  one", "  two", "  three"]);
        assert_eq!(wrapped("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("漢字漢字", 5), ["漢字", "漢字"]);
        assert_eq!(wrapped("a\n\nb", 5), ["a", "", "b"]);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(one_line("a\u{1b}[2Jb\r\nc\u{202e}d\te"), "ab cd e");
        assert_eq!(safe("x\ty"), "x    y");
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_it_may_be(text in "\\PC{0,80}", width in 2usize..30) {
            for line in wrapped(&safe(&text), width) {
                prop_assert!(columns(&line) <= width, "{line:?}");
            }
            prop_assert!(columns(&cut(&safe(&text), width)) <= width);
        }

        #[test]
        fn no_word_is_lost(text in "[a-z ]{0,80}", width in 1usize..30) {
            let all: String = wrapped(&text, width).concat();
            let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(letters(&all), letters(&text));
        }
    }
}
