//! Text in small pieces that can be read on their own: sentences, list items, rows, long ones cut.

use lore_core::text::is_cut_short;

use crate::snippet::sentences;

/// Nothing up to this length is cut.
const WHOLE: usize = 120;
/// Nothing longer stays in one piece.
const LONGEST: usize = 200;
/// A piece shorter than this goes with its neighbour.
const STUB: usize = 45;

/// Opens what somebody chose in a form.
const CHOSEN: &str = "→ ";

/// Splits Markdown into pieces, in their order.
pub(crate) fn clauses(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for sentence in sentences(text).into_iter().filter(|sentence| !is_comment(sentence)).map(plain) {
        match out.last_mut() {
            // By itself it says of nothing what it is.
            Some(asked) if sentence.starts_with(CHOSEN) && asked.len() + sentence.len() < LONGEST => {
                asked.push(' ');
                asked.push_str(&sentence);
            }
            _ => out.extend(pieces(&sentence)),
        }
    }
    out
}

/// Tells whether a line is a comment or a command of a listing.
pub(crate) fn is_comment(line: &str) -> bool {
    ["//", "$ ", "/*", "*/", "<!--", "+ ", "@@"].iter().any(|mark| line.starts_with(mark))
}

/// Takes emphasis, boxes to tick and the bars of tables out of a line; code stays as it is.
pub(crate) fn plain(line: &str) -> String {
    let line = ["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| line.strip_prefix(tick)).unwrap_or(line);
    let mut out = String::with_capacity(line.len());
    for (place, part) in line.split('`').enumerate() {
        if place > 0 {
            out.push('`');
        }
        if place % 2 == 0 {
            out.push_str(&part.replace("**", "").replace("__", "").replace(" | ", "; "))
        } else {
            out.push_str(part)
        }
    }
    out.trim_end_matches(['|', ' ']).to_owned()
}

/// Splits one line of text, which may hold several sentences.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    if text.len() <= WHOLE {
        return vec![text.to_owned()];
    }
    let mut joined: Vec<String> = Vec::new();
    for piece in at_ends(text) {
        match joined.last_mut() {
            Some(last)
                if (last.len() < STUB || piece.len() < STUB * 2 / 3)
                    && last.len() + piece.len() < LONGEST =>
            {
                last.push(' ');
                last.push_str(piece);
            }
            _ => joined.push(piece.to_owned()),
        }
    }
    joined.iter().flat_map(|piece| cut(piece)).map(str::to_owned).collect()
}

/// Splits where a sentence, a clause or the cell of a table ends.
fn at_ends(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(' ') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let opens = after.starts_with(|c: char| !c.is_lowercase() && !c.is_whitespace());
        let cut_short = before.strip_suffix('.').is_some_and(is_cut_short);
        let ends = before.ends_with(['.', '!', '?', ';']) && opens && !cut_short;
        let cell = before.ends_with(" |");
        if (ends || cell) && at > start {
            out.push(text[start..at].trim_end_matches([' ', '|']));
            start = at + 1;
        }
    }
    out.push(&text[start..]);
    out.retain(|piece| !piece.trim().is_empty());
    out
}

/// Cuts what is too long at a comma or colon, else at a space.
fn cut(mut text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    while text.len() > LONGEST {
        let mut limit = LONGEST;
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let head = &text[..limit];
        let late = |at: &usize| *at >= LONGEST * 2 / 5;
        let place = [", ", ": ", "; "].iter().filter_map(|mark| head.rfind(mark)).max().filter(late);
        let place = place.or_else(|| head.rfind(' ').filter(late)).map_or(limit, |at| at + 1);
        out.push(text[..place].trim());
        text = text[place..].trim_start();
    }
    if !text.is_empty() {
        out.push(text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_texts_part_where_a_reader_would_pause() {
        let text = "The writer holds the lock for a commit only, never for a search. Readers open what is \
                    there and wait for nobody. A second writer waits until the first is done, or gives up.";
        let found = clauses(text);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[1], "Readers open what is there and wait for nobody.");
        assert_eq!(clauses("Short. Two."), ["Short.", "Two."]);
        assert_eq!(clauses("Ash or pine?\n→ Ash"), ["Ash or pine? → Ash"]);
    }

    #[test]
    fn marks_of_markdown_are_left_out() {
        assert_eq!(clauses("- [ ] **Keep** the `a**b` name"), ["Keep the `a**b` name"]);
        assert_eq!(clauses("| Zone | UTC |"), ["Zone; UTC"]);
        assert_eq!(clauses("// set it\nIt is set."), ["It is set."]);
    }

    proptest! {
        #[test]
        fn no_letter_is_lost_and_nothing_is_too_long(text in "[a-zA-Z .;,é]{0,900}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            let found = clauses(&text);
            prop_assert_eq!(letters(&found.concat()), letters(&text));
            prop_assert!(found.iter().all(|piece| piece.len() <= LONGEST + STUB));
        }
    }
}
