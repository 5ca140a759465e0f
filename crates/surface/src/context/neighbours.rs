//! What shares a part of the project with a prompt and nothing else.

use std::collections::HashMap;

use lore_core::recall::Query;
use lore_core::words::{Commonness, commonness};
use lore_core::{Entry, Moment, Status};

use super::rank::{Unit, What};
use crate::fit::{Asked, current_words, has_word, is_everyday, only_word_of};
use crate::inquiry::is_measure;
use crate::query;
use crate::reader::{SearchError, Snapshot};
use crate::spoken::spoken;
use crate::token::is_stop_word;
use crate::wording::is_open_question;

/// A word that so many entries have names a part of the project …
const SEVERAL: usize = 2;
/// … and where somebody asks how things are, so many: an answer may be one of two.
const SEVERAL_ANSWERS: usize = 3;
/// A word that tells no more than this is a common one.
const WEAK: f64 = 0.5;
/// So many entries are looked at for it.
const LOOKED_AT: usize = 12;

/// Leaves out what shares one word with the prompt that other entries have too: such a word names a part of the
/// project, and tells where somebody works and not what they need.
pub(super) fn leave_out_neighbours(
    snapshot: &Snapshot<'_>,
    asked: &Asked,
    (prompt, today): (&str, Moment),
    units: &mut Vec<Unit>,
) -> Result<(), SearchError> {
    let several = if is_open_question(prompt) { SEVERAL_ANSWERS } else { SEVERAL };
    let mut parts: HashMap<String, bool> = HashMap::new();
    for unit in units.iter() {
        let What::Entry(card) = &unit.what else { continue };
        let Some(word) = only_word_of(asked, &card.entry).filter(|word| !parts.contains_key(*word)) else {
            continue;
        };
        // "Write", "list": what is said to every agent tells nothing by itself, however few entries have it.
        if is_everyday(word) {
            parts.insert(word.to_owned(), true);
            continue;
        }
        let query = Query { limit: Some(LOOKED_AT), ..Query::text(word) };
        let near = snapshot.best(&query, &query::words(word), today)?;
        let holds = near.iter().map(|found| &found.card.entry).filter(|entry| {
            matches!(entry.status, Status::Current | Status::Disputed) && has_word(entry, word)
        });
        parts.insert(word.to_owned(), holds.count() >= several);
    }
    let is_part = |entry: &Entry| {
        only_word_of(asked, entry).is_some_and(|word| {
            let says = current_words(entry);
            let is_weak = || asked.tells(word) <= WEAK;
            parts.get(word).copied().unwrap_or(false)
                || is_weak() && (is_aside(word, &says) || is_another(word, prompt, &says))
        })
    };
    units.retain(|unit| match &unit.what {
        What::Entry(card) => !is_part(&card.entry),
        What::Said { .. } => true,
    });
    Ok(())
}

/// What opens a reason, or what is said besides, up to the end of its sentence.
const ASIDES: [&str; 17] = [
    "because",
    "cuz",
    "since",
    "otherwise",
    "even if",
    "even though",
    "although",
    "which is why",
    "that was",
    "weil",
    "sonst",
    "obwohl",
    "porque",
    "aunque",
    "parce que",
    "sinon",
    "perché",
];

/// Tells whether a text has a word only where it says why, or something besides: that is not what it is about.
fn is_aside(term: &str, text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut main = String::with_capacity(lower.len());
    for sentence in lower.split_inclusive(['.', '!', '?', '\n']) {
        let opens = |aside: &&str| {
            let places = sentence.match_indices(*aside).map(|(at, _)| at);
            let alone = |at: &usize| {
                let (before, after) = (&sentence[..*at], &sentence[at + aside.len()..]);
                before.ends_with([' ', ',', '(']) && after.starts_with(' ')
            };
            places.into_iter().find(alone)
        };
        let end = ASIDES.iter().filter_map(opens).min().unwrap_or(sentence.len());
        main.push_str(&sentence[..end]);
        main.push(' ');
    }
    !spoken(&main).iter().any(|(other, _)| other == term)
}

/// Tells whether a word names one thing here and another there: “the audio thread” and “the scanner thread”.
fn is_another(term: &str, prompt: &str, text: &str) -> bool {
    let (here, there) = (kinds(term, prompt), kinds(term, text));
    let named = |kinds: &[Option<String>]| !kinds.is_empty() && kinds.iter().all(Option::is_some);
    named(&here) && named(&there) && here.iter().all(|kind| !there.contains(kind))
}

/// Lists what stands right before a word and says of which kind it is, for each place that has the word.
fn kinds(term: &str, text: &str) -> Vec<Option<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |word: &str| spoken(word).iter().any(|(other, _)| other == term);
    let kind = |at: usize| {
        let before = words.get(at.checked_sub(1)?)?;
        let word = before.to_lowercase();
        let names = word.chars().all(char::is_alphabetic) && !is_stop_word(&word) && !is_measure(&word);
        // What scans is a scanner, and names a kind of thing though “scan” is a word of every day.
        let tells = match commonness(&word) {
            Commonness::Chat => false,
            Commonness::Prompt => word.ends_with("er"),
            _ => true,
        };
        (names && tells).then(|| spoken(&word).into_iter().map(|(term, _)| term).collect())
    };
    (0..words.len()).filter(|at| has(words[*at])).map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_and_asides_are_not_what_a_text_is_about() {
        let check = |text: &str, expected: bool| assert_eq!(is_aside("harbour", text), expected, "{text}");
        check("Every boat has two lamps; that was agreed in the harbour.", true);
        check("Every boat has two lamps, because the harbour is dark.", true);
        check("The harbour has two lamps, because it is dark.", false);
        check("Lamps are lit at dusk. The harbour has two.", false);
    }

    #[test]
    fn a_thing_of_another_kind_is_another_thing() {
        let check = |here: &str, there: &str, expected: bool| {
            assert_eq!(is_another("pump", here, there), expected, "{here} / {there}");
        };
        check("the ballast pump leaks", "Never run the bilge pump dry.", true);
        check("the bilge pump leaks", "Never run the bilge pump dry.", false);
        check("the pump leaks", "Never run the bilge pump dry.", false);
        check("the ballast pump leaks", "Pumps never run dry.", false);
        check("the filler pump leaks", "Never run the bilge pump dry.", true);
        check("a broken pump leaks", "Never run the bilge pump dry.", false);
        check("a new pump leaks", "Never run the bilge pump dry.", false);
    }
}
