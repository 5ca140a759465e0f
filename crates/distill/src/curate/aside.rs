//! Whether two statements that look at odds speak of the same thing.
//!
//! "The telescope is booked with Marta" and "Marta moved to Lisbon" share Marta, and the telescope is still booked with her.

use std::collections::BTreeSet;

use super::compare::Side;
use super::lexicon::{self, Class};
use super::quantity;
use super::reading::Term;
use super::token::Form;
use super::told::tells_of_once;

/// Words by which somebody or something is gone, and with them what they did.
const GOES: [&str; 14] = [
    "left", "leaves", "leaving", "quit", "quits", "gone", "died", "dead", "closed", "bankrupt", "fired",
    "resigned", "stopped", "over",
];

/// Tells whether what arrives speaks of something that the known statement only names, and says nothing of what
/// that is about.
pub(super) fn is_about_somebody_named(known: &Side, arriving: &Side) -> bool {
    let stems = |side: &Side, wanted: fn(&Term) -> bool| -> BTreeSet<String> {
        let terms = side.reading.terms.iter().filter(|term| !term.part && wanted(term));
        terms.map(|term| term.stem.clone()).collect()
    };
    let subject = stems(arriving, |term| term.subject);
    let about = stems(known, |term| term.subject);
    let shared: BTreeSet<String> =
        stems(known, |_| true).intersection(&stems(arriving, |_| true)).cloned().collect();
    let is_named =
        |stem: &String| known.reading.terms.iter().any(|term| term.stem == *stem && term.form == Form::Name);
    let says_gone = arriving.said.iter().any(|word| {
        GOES.contains(&word.as_str())
            || lexicon::is(word, Class::Negator)
            || lexicon::is(word, Class::Remover)
            || word.ends_with("n't")
    });
    !shared.is_empty()
        && !says_gone
        && shared.is_subset(&subject)
        && shared.is_disjoint(&about)
        && shared.iter().all(is_named)
}

/// "Vogel is now called Vogel & Sons": under another name all else holds. "The lamp is Ada", "the lamp is now called Bea" is a
/// change of the name itself.
pub(super) fn is_renaming(known: &Side, arriving: &Side) -> bool {
    let has = |side: &Side, words: &[&str]| side.said.iter().any(|word| words.contains(&word.as_str()));
    let is_called = arriving
        .said
        .windows(2)
        .any(|pair| matches!(pair[0].as_str(), "is" | "are" | "now") && pair[1] == "called");
    let named = ["called", "name", "named", "is", "are", "was"];
    (is_called || has(arriving, &["rebranded", "married"])) && !has(known, &named)
}

/// Tells whether what arrives may speak of another thing: it leaves out what the known statement is about and names
/// another one, or another place.
pub(super) fn is_elsewhere(known: &Side, arriving: &Side) -> bool {
    const PLACES: [&str; 8] = ["in", "for", "on", "at", "from", "of", "im", "bei"];
    let has = |side: &Side, stem: &str| side.reading.terms.iter().any(|term| term.stem == stem);
    // What follows the first clause gives reasons, and "use" names nothing.
    let telling = |term: &&Term| {
        let names = !lexicon::is_stem(&term.stem, Class::Verb) && !lexicon::is_frame(&term.stem);
        names && !term.part && term.form != Form::Number && term.clause == 0
    };
    let is_new = |term: &&Term| !has(known, &term.stem);
    let leaves_out =
        known.reading.terms.iter().filter(telling).any(|term| term.subject && !has(arriving, &term.stem));
    let mut new = arriving.reading.terms.iter().filter(telling).filter(is_new);
    let names_another =
        new.any(|term| term.subject || term.slot.as_deref().is_some_and(|slot| PLACES.contains(&slot)));
    let narrows = || {
        let announces = arriving.reading.count(Class::Change) + arriving.reading.count(Class::Hint) > 0;
        let mut subject = arriving.reading.terms.iter().filter(telling).filter(|term| term.subject);
        !announces && subject.any(|term| is_new(&term))
    };
    leaves_out && names_another || narrows() || counts_another(known, arriving)
}

/// "The slip carries 40 tons", "the slip carries 55 tons since the repair": all of it is said again but for the number, which
/// is none that names something, as in "hall 2".
pub(super) fn says_again_but_for_a_number(known: &Side, arriving: &Side) -> bool {
    let terms = |side: &'_ Side| -> Vec<(String, bool)> {
        let terms = side.reading.terms.iter().filter(|term| !term.part);
        terms.map(|term| (term.stem.clone(), term.form == Form::Number)).collect()
    };
    let (mine, theirs) = (terms(known), terms(arriving));
    let number = |terms: &[(String, bool)]| -> Option<(usize, String)> {
        let mut numbers = terms.iter().enumerate().filter(|(_, (_, is_number))| *is_number);
        let (at, (number, _)) = numbers.next()?;
        numbers.next().is_none().then(|| (at, number.clone()))
    };
    let (Some((at, old)), Some((place, new))) = (number(&mine), number(&theirs)) else { return false };
    let told = |side: &Side| tells_of_once(&side.said) || side.reading.count(Class::Negator) > 0;
    let said = |(stem, _): &(String, bool)| {
        let is_it = |other: &String| other == stem || quantity::are_alike(other, stem);
        theirs.iter().any(|(other, _)| is_it(other))
    };
    let makes =
        arriving.said.first().is_some_and(|word| matches!(word.as_str(), "make" | "let" | "have" | "set"));
    at > 1
        && old != new
        && quantity::goes_with(&old, &new)
        // "Make the lamps go out after 9 minutes" says it behind its first word.
        && theirs[..place].ends_with(&mine[..at])
        && (place == at || place == at + 1 && makes)
        && mine[at + 1..].iter().all(said)
        && !told(arriving)
}

/// "3 boats", "5 guests": neither number says anything of the other.
fn counts_another(known: &Side, arriving: &Side) -> bool {
    let counted = |side: &Side| -> Vec<String> {
        let terms: Vec<&Term> = side.reading.terms.iter().filter(|term| !term.part).collect();
        let behind = |pair: &[&Term]| {
            let counts = pair[0].form == Form::Number && pair[1].form == Form::Word;
            counts.then(|| pair[1].stem.clone())
        };
        terms.windows(2).filter_map(behind).collect()
    };
    let (mine, theirs) = (counted(known), counted(arriving));
    let alike = |one: &String| theirs.iter().any(|other| one == other || quantity::are_alike(one, other));
    !mine.is_empty() && !theirs.is_empty() && !mine.iter().any(alike)
}
