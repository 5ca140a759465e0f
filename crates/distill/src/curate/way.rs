//! Small words that say which way: up or down, before or after.
//!
//! They name nothing and are not compared as the words of a subject are, but two sentences that differ in nothing else
//! say different things.

use std::collections::BTreeSet;

use super::compare::Side;
use super::lexicon::{self, Class};
use super::reading::Term;

/// Words that mean the opposite of each other.
pub(super) const OPPOSITES: [(&str, &str); 18] = [
    ("on", "off"),
    ("in", "out"),
    ("up", "down"),
    ("before", "after"),
    ("with", "without"),
    ("above", "below"),
    ("over", "under"),
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("first", "last"),
    ("inside", "outside"),
    ("top", "bottom"),
    ("earlier", "later"),
    ("ein", "aus"),
    ("vor", "nach"),
    ("avant", "après"),
    ("antes", "después"),
];
/// Words that are not compared as others are, and of which each says something.
const TELLING: [&str; 19] = [
    "above", "after", "before", "even", "few", "fewer", "less", "more", "most", "off", "once", "only", "out",
    "over", "since", "under", "until", "up", "within",
];
/// So many words that name something have to be the same.
const SAME: usize = 2;

/// Tells whether two words mean the opposite of each other.
pub(super) fn are_opposite(one: &str, other: &str) -> bool {
    OPPOSITES.iter().any(|(a, b)| (one, other) == (*a, *b) || (one, other) == (*b, *a))
}

/// Tells whether two sentences say the same of the same but for which way: "rounded up", "we round it down".
pub(super) fn turns(known: &Side, arriving: &Side) -> bool {
    let (mine, theirs) = (named(known), named(arriving));
    let (old, new) = (left(known, arriving), left(arriving, known));
    let opposite = old.iter().any(|one| new.iter().any(|other| are_opposite(one, other)));
    let exchanged = old.iter().any(is_telling) && new.iter().any(is_telling);
    mine == theirs && mine.len() >= SAME && (opposite || exchanged)
}

/// Tells whether one of two sentences has a small word that says something and that the other has not.
pub(super) fn differs(known: &Side, arriving: &Side) -> bool {
    let telling = |side: &Side, other: &Side| left(side, other).iter().any(is_telling);
    telling(known, arriving) || telling(arriving, known)
}

fn is_telling(word: &&str) -> bool {
    TELLING.contains(word)
}

/// Lists the words that say which way and that the other sentence has not.
fn left<'s>(side: &'s Side, other: &Side) -> Vec<&'s str> {
    let is_way =
        |word: &str| TELLING.contains(&word) || OPPOSITES.iter().any(|(a, b)| word == *a || word == *b);
    let words = side.said.iter().map(String::as_str);
    words.filter(|word| is_way(word) && !other.said.iter().any(|said| said == word)).collect()
}

/// Lists what a sentence names, each with whether it is denied.
fn named(side: &Side) -> BTreeSet<(String, bool)> {
    let is_way = |stem: &str| OPPOSITES.iter().any(|(a, b)| stem == *a || stem == *b);
    let names =
        |term: &&Term| !term.part && !is_way(&term.stem) && !lexicon::is_stem(&term.stem, Class::Hint);
    side.reading.terms.iter().filter(names).map(|term| (term.stem.clone(), term.denied)).collect()
}
