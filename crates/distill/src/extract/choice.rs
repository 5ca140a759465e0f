//! Options that an agent puts before a person, and which of them was taken.

use std::sync::LazyLock;

use regex::Regex;

use crate::extract::lexicon::Cues;
use crate::extract::segment::{Piece, Shape};
use crate::extract::terms::terms;

/// What became of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The person took it.
    Chosen,
    /// The person took another one.
    Passed,
    /// Nobody chose.
    Open,
}

static PICK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|sure|i|we|let'?s|lets|would|like|love|prefer|pick|choose|take|do|go|with|for|the|think|say|definitely|a mix of)[\s,:]+){0,6}(?:(?:option|approach|choice|number|solution|variant|alternative|plan|#)\s*#?\s*([0-9]{1,2}|[a-f])\b|([0-9]{1,2}|[a-f])(?:[).,:;!]|\s*$|\s+(?:and|but|is|with|please|for|sounds|seems|looks|then|or)\b))",
    )
    .expect("the pattern is a constant")
});
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:(?:option|approach|choice|solution|variant|alternative)\s+#?([0-9]{1,2}|[a-f])\b|([a-f])\))[\s:.)–—-]*(.*)$")
        .expect("the pattern is a constant")
});

/// Words that announce a choice rather than a state of things.
const MENU: [&str; 16] = [
    "option",
    "alternative",
    "approaches",
    "possibilit",
    "choices",
    "either",
    "few ways",
    "ways to",
    "suggestions",
    "ideas",
    "pros",
    "cons",
    "would you like",
    "we could",
    "you could",
    "should we",
];

/// Returns the key of the option a reply picks, such as `3` or `b`.
pub(crate) fn picked(reply: &str) -> Option<String> {
    let opening = reply.lines().find(|line| !line.trim().is_empty())?;
    let found = PICK.captures(opening)?;
    Some(found.get(1).or_else(|| found.get(2))?.as_str().to_lowercase())
}

/// Returns the key of the option that a piece describes, where the message lays out options.
pub(crate) fn key(piece: &Piece) -> Option<String> {
    let named = |text: &str| {
        NAMED
            .captures(text)
            .and_then(|found| Some(found.get(1).or_else(|| found.get(2))?.as_str().to_lowercase()))
    };
    piece
        .label
        .as_deref()
        .and_then(named)
        .or_else(|| piece.sentences.first().and_then(|sentence| named(sentence)))
        .or_else(|| piece.headings.iter().rev().find_map(|heading| named(heading)))
}

/// Finds the option a reply takes up in words, without naming its number: the one it shares most with.
pub(crate) fn taken_up(pieces: &[Piece], keys: &[Option<String>], reply: &str) -> Option<String> {
    let said = terms(reply);
    let shared = |piece: &Piece| {
        let name = piece.label.clone().or_else(|| piece.sentences.first().cloned()).unwrap_or_default();
        terms(&name).intersection(&said).count()
    };
    let mut counts: Vec<(usize, &String)> =
        pieces.iter().zip(keys).filter_map(|(piece, key)| Some((shared(piece), key.as_ref()?))).collect();
    counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    match counts.as_slice() {
        [(best, key), (second, other), ..] if *best >= 2 && (best > second || key == other) => {
            Some((*key).clone())
        }
        _ => None,
    }
}

/// Tells for each piece of an agent's message whether it is an option, and which one.
pub(crate) fn options(pieces: &[Piece]) -> Vec<Option<String>> {
    let asks = pieces.iter().any(|piece| piece.sentences.iter().any(|sentence| is_asking(sentence)));
    pieces
        .iter()
        .map(|piece| {
            if let Some(key) = key(piece) {
                return Some(key);
            }
            let lead = piece.lead.as_deref().unwrap_or_default();
            let heading = piece.headings.last().map(String::as_str).unwrap_or_default();
            let offered = is_menu(lead) || is_menu(heading) || is_asking(lead) && asks;
            let listed = piece.shape == Shape::Item && offered;
            listed.then(|| piece.ordinal.clone().unwrap_or_else(|| "-".to_owned()))
        })
        .collect()
}

/// Finds the item of a message that has this number or letter, in its last list that has it.
pub(crate) fn item<'a>(pieces: &'a [Piece], wanted: &str) -> Option<&'a Piece> {
    pieces
        .iter()
        .rev()
        .find(|piece| key(piece).as_deref() == Some(wanted))
        .or_else(|| pieces.iter().rev().find(|piece| piece.ordinal.as_deref() == Some(wanted)))
}

/// Returns what an option says, without its number.
pub(crate) fn describe(piece: &Piece) -> String {
    let heading = piece.headings.iter().rev().find_map(|heading| {
        NAMED.captures(heading).map(|found| found[3].trim().to_owned()).filter(|rest| !rest.is_empty())
    });
    let first = piece.sentences.first().map(String::as_str).unwrap_or_default();
    let own = NAMED.captures(first).map_or(first, |found| found.get(3).map_or(first, |rest| rest.as_str()));
    match heading {
        Some(heading) if !own.is_empty() && piece.shape != Shape::Paragraph => format!("{heading}: {own}"),
        Some(heading) => heading,
        None => own.to_owned(),
    }
}

/// Tells whether a sentence puts a question to the person.
pub(crate) fn is_asking(sentence: &str) -> bool {
    sentence.trim_end().ends_with('?') || Cues::of(sentence).has("offering")
}

fn is_menu(text: &str) -> bool {
    let lower = text.to_lowercase();
    MENU.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::segment::pieces;

    #[track_caller]
    fn check(reply: &str, expected: Option<&str>) {
        assert_eq!(picked(reply).as_deref(), expected, "{reply}");
    }

    #[test]
    fn reads_what_was_picked() {
        check("3, but enabled by default", Some("3"));
        check("ok, option 2, detail view only for now", Some("2"));
        check("I like Option C", Some("c"));
        check("let's go with approach b please", Some("b"));
        check("2", Some("2"));
        check("a new file is fine", None);
        check("30 files changed", None);
        check("yes, do that", None);
        check("I think this is wrong", None);
    }

    #[test]
    fn finds_the_options_of_a_message() {
        let message =
            pieces("There are two options:\n1. **Flags** - one command\n2. **Verbs** - many\n\nWhich one?");
        let found = options(&message);
        assert_eq!(found[1].as_deref(), Some("1"));
        assert_eq!(describe(item(&message, "2").unwrap()), "Verbs - many");
        let headed = pieces("## Option A: Keep it\n\nLess work.\n\n## Option B: Drop it\n\nLess code.");
        assert_eq!(options(&headed)[1].as_deref(), Some("b"));
        assert_eq!(describe(item(&headed, "b").unwrap()), "Drop it");
    }
}
