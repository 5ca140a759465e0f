//! Whether two statements that look at odds speak of the same thing.
//!
//! "The telescope is booked with Marta" and "Marta moved to Lisbon" share Marta, and the telescope is still booked with her.

use std::collections::BTreeSet;

use super::compare::Side;
use super::lexicon::{self, Class};
use super::phrase::is_slot;
use super::quantity;
use super::reading::Term;
use super::token::{Form, is_stop, number, stem};
use super::told::tells_of_once;
use crate::ruling::begins_with_verb;

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

/// "We renamed the crane shed to Ada": ends what names the shed by that name, or says what it is called; another shed, and what
/// cranes do, goes on.
pub(super) fn renames_another(known: &Side, arriving: &Side) -> bool {
    let said = &arriving.said;
    // "Switched the pier's name to Ada" renames it as well.
    let switched = said
        .iter()
        .position(|word| matches!(word.as_str(), "switched" | "changed"))
        .filter(|at| said[*at..].windows(2).any(|pair| pair[0] == "name" && pair[1] == "to"));
    let renamed = said.iter().position(|word| word == "renamed").or(switched);
    let Some(at) = renamed else { return false };
    let Some(to) = said[at..].iter().position(|word| matches!(word.as_str(), "to" | "into")) else {
        return false;
    };
    let thing = if to > 1 { &said[at + 1..at + to] } else { &said[..at] };
    // "Renamed the pier, it goes by …" is told otherwise.
    if thing.iter().any(|word| matches!(word.as_str(), "it" | "he" | "she" | "they" | "we" | "which")) {
        return false;
    }
    let plain = |word: &str| stem(word.trim_end_matches("'s"));
    let telling = |word: &&String| !is_stop(word) && *word != "name";
    let is_named = |word: &&String| {
        known.reading.terms.iter().any(|term| term.form == Form::Name && term.stem == **word)
    };
    let says_name = known.said.iter().any(|word| {
        matches!(word.as_str(), "called" | "named" | "name" | "renamed" | "is" | "are" | "was" | "heißt")
    });
    let whole =
        thing.iter().filter(telling).all(|word| known.said.iter().any(|known| plain(known) == plain(word)));
    !(whole && (says_name || thing.iter().any(|word| is_named(&word))))
}

/// "Berth 1 is for ferries", "berth 2 is for tugs": each of a series has a number, and says something of its own. "Node 20 is
/// required", "Node 22 is required now" says the same of another number.
pub(super) fn is_next_in_a_series(known: &Side, arriving: &Side) -> bool {
    let head = |side: &'_ Side| -> Option<(String, String, Vec<String>)> {
        let said: Vec<&String> = side
            .said
            .iter()
            .skip_while(|word| matches!(word.as_str(), "the" | "our" | "der" | "die" | "das"))
            .collect();
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        match said.as_slice() {
            [noun, place, rest @ ..] if is_number(place) && !is_number(noun) => {
                Some((stem(noun), (*place).clone(), rest.iter().map(|word| stem(word)).collect()))
            }
            _ => None,
        }
    };
    let (Some((noun, one, mine)), Some((same, other, theirs))) = (head(known), head(arriving)) else {
        return false;
    };
    let tells = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || !is_stop(word) && !lexicon::is(word, Class::Hint)
    };
    let own =
        |these: &[String], those: &[String]| these.iter().any(|word| tells(word) && !those.contains(word));
    noun == same && one != other && own(&mine, &theirs) && own(&theirs, &mine)
}

/// "Tickets are sold at the gate", "season tickets are sold online now": what arrives is about a kind of the thing that
/// is known, and the others stay.
pub(super) fn is_of_a_kind(known: &Side, arriving: &Side) -> bool {
    const ANY: [&str; 14] = [
        "all", "any", "both", "each", "every", "future", "most", "new", "next", "no", "old", "other", "own",
        "some",
    ];
    let begun = |side: &'_ Side| -> Vec<String> {
        let leads = |word: &&String| matches!(word.as_str(), "the" | "a" | "an" | "our" | "my");
        side.said.iter().skip_while(leads).take(2).cloned().collect()
    };
    let (mine, theirs) = (begun(known), begun(arriving));
    let ([thing, ..], [kind, same]) = (mine.as_slice(), theirs.as_slice()) else { return false };
    let is_subject = |side: &Side, word: &str| {
        side.reading.terms.iter().any(|term| term.subject && term.stem == stem(word))
    };
    let is_new =
        !known.said.contains(kind) && !known.reading.terms.iter().any(|term| term.stem == stem(kind));
    let is_kind = kind.chars().all(char::is_alphabetic)
        && !is_stop(kind)
        && !ANY.contains(&kind.as_str())
        && !begins_with_verb(kind)
        && ![Class::Hint, Class::Change, Class::Negator, Class::Verb]
            .iter()
            .any(|class| lexicon::is(kind, *class));
    let speaks_of = is_subject(known, thing) && is_subject(arriving, kind);
    stem(thing) == stem(same) && speaks_of && is_new && is_kind
}

/// "Stored in grams", "now stored in pounds": the same place of the clause is filled otherwise, of the same subject.
pub(super) fn is_refilled(known: &Side, arriving: &Side, in_place: bool) -> bool {
    let own = |these: &Side, those: &Side| -> BTreeSet<Option<String>> {
        let is_told = |term: &&Term| those.reading.terms.iter().any(|other| other.stem == term.stem);
        let terms = these.reading.terms.iter().filter(|term| !term.part && !is_told(term) && !term.subject);
        terms
            .filter(|term| !lexicon::is_stem(&term.stem, Class::Hint))
            .map(|term| term.slot.clone())
            .collect()
    };
    let is_told = |term: &Term| known.reading.terms.iter().any(|own| own.stem == term.stem);
    let mut subject = arriving.reading.terms.iter().filter(|term| term.subject && !term.part);
    let (gone, come) = (own(known, arriving), own(arriving, known));
    let shared = gone.intersection(&come).any(|slot| slot.is_some() || in_place);
    shared && subject.all(is_told)
}

/// Tells whether what arrives may speak of another thing: it leaves out what the known statement is about and names
/// another one, or another place.
pub(super) fn is_elsewhere(known: &Side, arriving: &Side) -> bool {
    const PLACES: [&str; 8] = ["in", "for", "on", "at", "from", "of", "im", "bei"];
    let has = |side: &Side, stem: &str| side.reading.terms.iter().any(|term| term.stem == stem);
    // What follows the first clause gives reasons, and "use" names nothing.
    let telling = |term: &&Term| {
        let names = !lexicon::is_stem(&term.stem, Class::Verb) && !lexicon::is_frame(&term.stem);
        // "Correction: …" is about what follows.
        let leads = term.stem.starts_with("correct");
        names && !leads && !term.part && term.form != Form::Number && term.clause == 0
    };
    let is_new = |term: &&Term| !has(known, &term.stem);
    let leaves_out =
        known.reading.terms.iter().filter(telling).any(|term| term.subject && !has(arriving, &term.stem));
    let mut new = arriving.reading.terms.iter().filter(telling).filter(is_new);
    let names_another =
        new.any(|term| term.subject || term.slot.as_deref().is_some_and(|slot| PLACES.contains(&slot)));
    let narrows = || {
        let announces = arriving.reading.count(Class::Change) + arriving.reading.count(Class::Hint) > 0;
        // "The fee is 20 percent", "the fee is 10 percent in Austria".
        let counts = |side: &Side| side.reading.of_form(Form::Number).next().is_some();
        let is_there = |term: &Term| {
            let slot = term.slot.as_deref().unwrap_or_default();
            let is_told = known.reading.terms.iter().any(|known| known.slot.as_deref() == Some(slot));
            let names = term.form == Form::Name && !lexicon::is_in_a_set(&term.stem);
            names && matches!(slot, "in" | "for" | "at" | "im" | "bei") && !is_told && counts(known)
        };
        let mut new = arriving.reading.terms.iter().filter(telling).filter(is_new);
        !announces && new.any(|term| term.subject || is_there(term))
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
    let first = arriving.said.first().map_or("", String::as_str);
    let makes = matches!(first, "make" | "let" | "have" | "set");
    // "Starting next week the bell rings 5 times", "as of March …".
    let begins =
        matches!(first, "starting" | "beginning" | "effective" | "from" | "as" | "ab" | "desde" | "à");
    // What stands behind the number says as well as what stands before it that it is the same sentence.
    (at > 1 || at == 1 && mine.len() >= SENTENCE)
        && old != new
        && quantity::goes_with(&old, &new)
        // "Make the lamps go out after 9 minutes" says it behind its first word.
        && theirs[..place].ends_with(&mine[..at])
        && (place == at || place == at + 1 && makes || place <= at + 2 && begins)
        && mine[at + 1..].iter().all(said)
        && !told(arriving)
}

/// "Berth 12 is taken", "berth 14 is taken now": nothing differs but the number, and a word that says "now".
pub(super) fn is_renumbered_now(known: &Side, arriving: &Side) -> bool {
    let plain = |side: &'_ Side| -> Vec<String> {
        let telling = |word: &&String| !lexicon::is(word, Class::Hint) && !lexicon::is(word, Class::Change);
        side.said.iter().filter(telling).cloned().collect()
    };
    let (mine, theirs) = (plain(known), plain(arriving));
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut others = mine.iter().zip(&theirs).filter(|(a, b)| a != b);
    let renumbered = others.next().is_some_and(|(a, b)| is_number(a) && is_number(b));
    mine.len() == theirs.len() && theirs.len() < arriving.said.len() && renumbered && others.next().is_none()
}

/// So many words that matter make a sentence that is not told by chance once more.
const SENTENCE: usize = 4;

/// "A boat waits 30 minutes", "a boat waits 60 minutes at the north pier": what is counted otherwise for one thing or place leaves
/// the rule as it is, unless it says "now".
pub(super) fn counts_for_one_thing(known: &Side, arriving: &Side) -> bool {
    const DEFINITE: [&str; 14] =
        ["the", "our", "each", "every", "all", "any", "der", "die", "das", "den", "dem", "la", "el", "le"];
    const WHERE: [&str; 7] = ["in", "on", "at", "during", "im", "en", "dans"];
    // "At most", "in total", "on average" say how it is counted.
    const HOW: [&str; 12] = [
        "most", "least", "total", "average", "row", "once", "future", "moment", "time", "end", "long",
        "whole",
    ];
    let counts = |side: &Side| side.reading.of_form(Form::Number).next().is_some();
    let announces = arriving.reading.count(Class::Change) + arriving.reading.count(Class::Hint) > 0;
    let is_new = |word: &String| {
        let counted = number(word).starts_with(|c: char| c.is_ascii_digit()) || HOW.contains(&word.as_str());
        !counted && !is_stop(word) && !known.said.iter().any(|known| stem(known) == stem(word))
    };
    let is_there = |at: usize| {
        let behind = &arriving.said[at + 1..];
        let definite = behind.first().is_some_and(|word| DEFINITE.contains(&word.as_str()));
        let named = &behind[usize::from(definite)..];
        let is_for = matches!(arriving.said[at].as_str(), "for" | "für" | "para" | "pour");
        // "For guests" are some, "for safety" and "for legal reasons" is why.
        let several = || {
            let last = named.iter().take_while(|word| !is_stop(word)).last();
            last.is_some_and(|word| word.ends_with('s') && !matches!(word.as_str(), "reasons" | "purposes"))
        };
        let names = WHERE.contains(&arriving.said[at].as_str()) || is_for && (definite || several());
        names && named.first().is_some_and(is_new)
    };
    // "…, that's in the new contract" says why.
    let why = |word: &String| {
        matches!(word.as_str(), "that's" | "because" | "since" | "otherwise" | "weil" | "porque")
    };
    let told = arriving.said.iter().position(why).unwrap_or(arriving.said.len());
    let is_said = || (0..told).any(is_there) || is_of_one_kind(known, arriving);
    counts(known) && counts(arriving) && !announces && is_said()
}

/// "The office closes at 8", "the Lisbon office closes at 6": it is about one of those that the known statement is about.
fn is_of_one_kind(known: &Side, arriving: &Side) -> bool {
    let subject = |side: &Side| -> Vec<String> {
        let terms = side.reading.terms.iter().filter(|term| !term.part && term.subject);
        terms.filter(|term| term.form != Form::Number).map(|term| term.stem.clone()).collect()
    };
    let (mine, theirs) = (subject(known), subject(arriving));
    let told = |word: &str| known.said.iter().any(|known| stem(known) == stem(word));
    // Right before it, as in "the Lisbon office": "turned the freezer" is what was done.
    let finer = |pair: &[String]| {
        let counts = number(&pair[0]).starts_with(|c: char| c.is_ascii_digit());
        // "Make session tokens expire …" is an order.
        let names = !is_stop(&pair[0]) && !counts && lexicon::classes_of(&pair[0]) == 0;
        names && !told(&pair[0]) && mine.contains(&stem(&pair[1]))
    };
    !mine.is_empty() && mine.iter().all(|stem| theirs.contains(stem)) && arriving.said.windows(2).any(finer)
}

/// "We sail on Mondays", "we now sail on Tuesdays and Fridays": the same sentence but for words of which a statement gives
/// one, such as days, where it gives them.
pub(super) fn says_again_but_for_a_set(known: &Side, arriving: &Side) -> bool {
    let (mine, theirs) = (Said::of(known), Said::of(arriving));
    let mut differ = mine.iter().zip(&theirs).enumerate().filter(|(_, (one, other))| one != other);
    let Some((at, (Said::Of(old), Said::Of(new)))) = differ.next() else { return false };
    let gives = |said: &[Said]| matches!(&said[at - 1], Said::Word(word) if is_slot(word));
    let of_one_set = old.iter().all(|one| new.iter().all(|other| lexicon::is_of_one_set(one, other)));
    mine.len() == theirs.len() && differ.next().is_none() && at > 1 && gives(&mine) && of_one_set
}

/// A word of a sentence, or several of which a statement gives one.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Word(String),
    Of(Vec<String>),
}

impl Said {
    fn of(side: &Side) -> Vec<Said> {
        // "On" is of a set too: a lamp is on or off.
        let given =
            |word: &String| Some(stem(word)).filter(|one| !is_slot(word) && lexicon::is_in_a_set(one));
        let mut out: Vec<Said> = Vec::new();
        let mut words = side.said.iter().peekable();
        while let Some(word) = words.next() {
            let goes_on = words.peek().is_some_and(|next| given(next).is_some());
            match (out.last_mut(), given(word)) {
                _ if word == "now" => {}
                (Some(Said::Of(list)), Some(stem)) => list.push(stem),
                (_, Some(stem)) => out.push(Said::Of(vec![stem])),
                (Some(Said::Of(_)), None) if goes_on && is_and(word) => {}
                _ => out.push(Said::Word(word.clone())),
            }
        }
        out
    }
}

fn is_and(word: &str) -> bool {
    matches!(word, "and" | "or" | "und" | "oder" | "y" | "et")
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
