//! The sentences of a message that are its writer's own, ready for looking for cues.

use crate::extract::segment::pieces;
use crate::ruling::{casual, own_words};

/// Lists the sentences of a message in its writer's own words: quotations, code and tables are left
/// out, names in code are only a name.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let own = own_words(text);
    let lines: Vec<&str> = own.lines().filter(|line| !is_set_apart(line)).collect();
    pieces(&lines.join("\n"))
        .iter()
        .flat_map(|piece| &piece.sentences)
        .flat_map(|sentence| casual(sentence))
        .flat_map(|sentence| clauses(&sentence))
        .map(|sentence| plain(&sentence))
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// Tells whether a line is indented like code or a listing.
fn is_set_apart(line: &str) -> bool {
    line.starts_with('\t') || line.starts_with("    ") && !line.trim_start().starts_with(['-', '*'])
}

/// Cuts where a thought ends without a full stop.
fn clauses(sentence: &str) -> Vec<String> {
    sentence.split(" - ").flat_map(|part| part.split("; ")).map(|part| part.trim().to_owned()).collect()
}

/// Puts one sort of apostrophe and a plain name in place of code.
fn plain(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    for (at, part) in sentence.split('`').enumerate() {
        if at % 2 == 0 { out.push_str(part) } else { out.push('X') }
    }
    out.replace(['’', '‘'], "'").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_words_are_heard() {
        let text = "that’s not right\n\n```\nwrong wrong\n```\n> still broken\n\n    indented log\nuse `stop` here; fine";
        assert_eq!(sentences(text), ["that's not right", "use X here", "fine"]);
    }
}
