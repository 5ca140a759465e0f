//! Text measured in the columns of a terminal, where a letter may take two of them or none.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Counts the columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Cuts a text to a number of columns, with a sign that it goes on.
pub(crate) fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if columns(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    let mut taken = 0;
    for piece in text.graphemes(true) {
        taken += columns(piece);
        if taken >= width {
            break;
        }
        kept.push_str(piece);
    }
    kept.truncate(kept.trim_end().len());
    if width > 0 {
        kept.push('…');
    }
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_to_the_columns() {
        assert_eq!(cut("plain", 5), "plain");
        assert_eq!(cut("plainer", 5), "plai…");
        assert_eq!(cut("two words", 5), "two…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("anything", 0), "");
    }
}
