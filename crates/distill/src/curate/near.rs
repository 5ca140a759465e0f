//! Whether two statements are near enough to speak of the same thing, and what brings them together that share few
//! words.

use std::collections::BTreeSet;

use super::aside::says_again_but_for_a_set;
use super::compare::{Features, Side};
use super::exchange::{is_replaced, swaps};
use super::lexicon;
use super::period::recurs_otherwise;
use super::reading::Term;
use super::remade::{
    brings_to_another_version, goes_to_another_number, has_another_charge, makes_into, recounts,
};
use super::turned::{drops_by_name, makes_it, remeasures, switches};

/// How close two claims must be, depending on how much there is to be close to.
///
/// Among a thousand claims some are near by chance, among three none is: the bars rise with the
/// logarithm of what is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Distance {
    /// To be about the same subject at all.
    pub(crate) same_subject: f64,
    /// To belong into the article of the other.
    pub(crate) joins: f64,
    /// There are so many claims that some read as if they contradicted each other.
    pub(crate) crowded: bool,
}

/// From so many claims on a base is crowded.
const CROWD: usize = 60;

impl Distance {
    /// Returns the bars for a base of so many claims.
    pub(crate) fn among(claims: usize) -> Distance {
        let share = |many: f64| ((claims as f64).max(1.0).ln() / many.ln()).min(1.0);
        // A dozen subjects are enough to mistake one for another.
        let (dozen, many) = (share(12.0), share(1000.0));
        Distance { same_subject: 0.28, joins: 0.28 + 0.08 * dozen + 0.14 * many, crowded: claims >= CROWD }
    }
}

/// What ties two statements to each other.
pub(super) struct Ties {
    /// How close their subjects are.
    pub(super) closeness: f64,
    /// They share too little to be about the same subject.
    is_far: bool,
    /// It is the same sentence but for words of which a statement gives one, such as days.
    pub(super) of_a_set: bool,
    /// What is known is given up by its name.
    pub(super) dropped: bool,
    /// What is known has another state, measure or count.
    pub(super) turned: bool,
    /// What is known became something else.
    pub(super) remade: bool,
}

impl Ties {
    /// Finds what ties a pair, by how much it has in common.
    pub(super) fn between(known: &Side, arriving: &Side, shared: &Features, distance: Distance) -> Ties {
        let closeness = closeness(shared);
        let is_far = closeness < distance.same_subject * APART || is_frame_alone(known, arriving);
        // Among few claims a few words in common are enough, where they say that something is otherwise.
        let looks_closer = !is_far || !distance.crowded;
        Ties {
            closeness,
            is_far,
            of_a_set: says_again_but_for_a_set(known, arriving),
            dropped: drops_by_name(&known.said, &arriving.said),
            turned: looks_closer && is_turned(known, arriving),
            remade: looks_closer && is_remade(known, arriving),
        }
    }

    /// Tells whether nothing makes the two be about the same thing.
    pub(super) fn are_missing(&self) -> bool {
        self.is_far && !self.of_a_set && !self.dropped && !self.turned && !self.remade
    }

    /// Tells whether the two are so near that the one may end the other.
    pub(super) fn are_tight(&self, known: &Side, arriving: &Side, distance: Distance) -> bool {
        // Among many claims some read by chance as if they contradicted each other; those do not belong
        // into one article.
        (self.dropped || self.turned || self.remade) && !distance.crowded
            || if distance.crowded { self.closeness >= distance.joins } else { is_tied(known, arriving) }
    }
}

/// Two claims may be less alike than those of one subject and still contradict each other, down to
/// this share of it.
const APART: f64 = 0.6;

/// Returns how close two subjects are.
pub(crate) fn closeness(features: &Features) -> f64 {
    let get = |name: &str| features.get(name).copied().unwrap_or(0.0);
    // The words it was said in help where the statements are worded differently; where they are the
    // same text, they must not count twice.
    let words = get("containment").max(0.55 * get("containment") + 0.5 * get("quote_containment"));
    (0.65 * words + 0.2 * get("subject") + 0.15 * get("same_name")).min(1.0)
}

/// A state, a measure or a count of what is known is another one.
fn is_turned(known: &Side, arriving: &Side) -> bool {
    let (known, arriving) = (known.in_english(), arriving.in_english());
    switches(known, arriving)
        || remeasures(known, arriving)
        || recounts(known, arriving)
        || recurs_otherwise(known, arriving)
        || makes_it(known, arriving)
}

/// What is known was made into something else, brought to another version, or is in other hands.
fn is_remade(known: &Side, arriving: &Side) -> bool {
    let exchanges =
        swaps(&known.said, &arriving.said) || is_replaced(known.in_english(), arriving.in_english());
    let (known, arriving) = (known.in_english(), arriving.in_english());
    exchanges
        || makes_into(known, arriving)
        || brings_to_another_version(known, arriving)
        || has_another_charge(known, arriving)
        || goes_to_another_number(known, arriving)
}

/// Tells whether two statements have more in common than a word that a long one would share with anything.
fn is_tied(known: &Side, arriving: &Side) -> bool {
    let stems = |side: &Side| -> BTreeSet<String> {
        side.reading.terms.iter().map(|term| term.stem.clone()).collect()
    };
    let (known, arriving) = (stems(known), stems(arriving));
    known.intersection(&arriving).count() * TIED >= known.len().max(arriving.len())
}

/// One word in so many of the longer statement ties it to the other.
const TIED: usize = 8;

/// "We decided to use brass instead of iron", "we decided to use red instead of blue": what they share is how something is laid
/// down, and neither speaks of what the other is about. Who goes back to something need not name it.
pub(super) fn is_frame_alone(known: &Side, arriving: &Side) -> bool {
    let speaks = |term: &&Term| !term.stem.is_empty() && !term.part;
    let of_known: BTreeSet<&str> =
        known.reading.terms.iter().filter(speaks).map(|term| term.stem.as_str()).collect();
    let mut shared =
        arriving.reading.terms.iter().map(|term| term.stem.as_str()).filter(|stem| of_known.contains(stem));
    let goes_back = arriving.said.iter().any(|word| word == "back");
    !goes_back && shared.next().is_some_and(lexicon::is_frame) && shared.all(lexicon::is_frame)
}
