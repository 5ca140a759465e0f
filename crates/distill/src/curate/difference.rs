//! Where two statements differ: the clause they share, and what each puts into it.
//!
//! A change is read off the text, never off who spoke or when: the same clause with another value,
//! the same words affirmed here and denied there, an old value named as given up. Another subject,
//! another place or an exception is no change, however alike the rest may be.

use std::collections::BTreeSet;

use super::clause::{Unit, alike, same, split, units};
use super::compare::Features;
use super::denial;
use super::lexicon::{self, Class};
use super::quantity;
use super::reading::{Reading, Term, of_other_commands};
use super::token::{Form, parts, stem};

/// What the two clauses that are most alike have in common, and what they do not.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Difference {
    /// Weight of the words that both clauses hold.
    pub(crate) shared: f64,
    /// Share of the known clause that the arriving one holds too.
    pub(crate) of_known: f64,
    /// Share of the arriving clause that the known one holds too.
    pub(crate) of_arriving: f64,
    /// How plainly the one gives another value where the other gives one, from 0 to 1.
    pub(crate) value: f64,
    /// The two values stand in the same place of the clause.
    pub(crate) place: bool,
    /// What only the known clause holds is named by the arriving statement elsewhere.
    pub(crate) names_old: bool,
    /// Share of the common words that one side denies and the other affirms.
    pub(crate) turned: f64,
    /// How many of the common words both affirm or both deny.
    pub(crate) frame: usize,
    /// Both deny the same: what they word differently is not what they are at odds about.
    pub(crate) of_one_mind: bool,
    /// The arriving statement gives up by name what the known one says.
    pub(crate) gives_up: bool,
    /// Both speak of something else, or for somewhere else.
    pub(crate) other_subject: bool,
    /// Each holds under circumstances that the other does not name.
    pub(crate) other_scope: bool,
    /// The arriving statement holds only under circumstances that the known one does not name.
    pub(crate) narrower: bool,
    /// The arriving statement announces a change.
    pub(crate) announced: bool,
    /// The arriving statement says that it adds to what is known.
    pub(crate) adds: bool,
    /// Nothing of the known statement is missing from the arriving one.
    pub(crate) holds_known: bool,
    /// Nothing of the arriving statement is missing from the known one.
    pub(crate) holds_arriving: bool,
}

/// How plainly a text tells that another no longer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// Not at all.
    None,
    /// It reads as if; both are shown until somebody confirms it.
    Likely,
    /// The same clause with another value, or denied.
    Plain,
}

/// How far two statements are at odds where a later clause affirms what the known one denies.
const TURNED: f64 = 0.5;
/// How much two statements must share before a difference between them means anything.
const SOMETHING: f64 = 0.3;

impl Difference {
    /// Compares what is known with what arrives.
    pub(crate) fn between(known: &Reading, arriving: &Reading) -> Difference {
        let (all_known, all_arriving) = (units(known), units(arriving));
        let (Some(mine), Some(theirs)) = alike(&all_known, &all_arriving) else {
            return Difference::default();
        };
        let (only_mine, both) = split(&mine, &theirs);
        let (only_theirs, _) = split(&theirs, &mine);
        let shared: f64 = both.iter().map(|unit| unit.term.weight).sum();
        if shared < SOMETHING {
            return Difference::default();
        }
        let carries = |unit: &&&Unit<'_>| is_value(unit.term);
        let old: Vec<&Unit<'_>> = only_mine.iter().filter(carries).copied().collect();
        let new: Vec<&Unit<'_>> = only_theirs.iter().filter(carries).copied().collect();
        let (here, there) = (scopes(known, &mine), scopes(arriving, &theirs));
        let outside = |units: &[&'_ Unit<'_>], scope: &[&str]| -> Vec<usize> {
            (0..units.len()).filter(|at| !scope.contains(&units[*at].term.stem.as_str())).collect()
        };
        let one_subject = is_one_subject(&mine, &theirs);
        let announced = arriving.count(Class::Change) > 0
            || arriving.count(Class::Hint) > 0 && arriving.count(Class::Negator) == 0;
        // "Counted in the office", "counted at the gate from now on": the place is what is said.
        let placed = one_subject && announced;
        let said_old: Vec<&Unit<'_>> = match placed {
            true => old.clone(),
            false => outside(&old, &here).into_iter().map(|at| old[at]).collect(),
        };
        let said_new: Vec<&Unit<'_>> = match placed {
            true => new.clone(),
            false => outside(&new, &there).into_iter().map(|at| new[at]).collect(),
        };
        let found = best_value(&said_old, &said_new, &mine, &theirs, one_subject);
        let rest = |units: &[&Unit<'_>], value: Option<&Unit<'_>>| -> f64 {
            let is_it = |unit: &&&Unit<'_>| value.is_none_or(|value| !std::ptr::eq(value.term, unit.term));
            units.iter().filter(is_it).map(|unit| unit.term.weight).sum()
        };
        let (left_old, left_new) = (rest(&old, found.old), rest(&new, found.new));
        let elsewhere = |unit: &&&Unit<'_>| {
            let mut other = all_arriving.iter().filter(|other| other.term.clause != theirs[0].term.clause);
            other.any(|other| same(unit, other))
        };
        let turned_elsewhere = |unit: &&Unit<'_>| {
            let mut other = all_arriving.iter().filter(|other| other.term.clause != theirs[0].term.clause);
            unit.term.denied && other.any(|other| same(unit, other) && !other.term.denied)
        };
        let foreign = |these: &[&str], those: &Reading| {
            these.iter().any(|stem| !those.terms.iter().any(|term| term.stem == **stem))
        };
        let (mine_only, theirs_only) = (foreign(&here, arriving), foreign(&there, known));
        let (about_old, about_new) = (is_about(&old, &mine), is_about(&new, &theirs));
        let every = |units: &[Unit<'_>], others: &[Unit<'_>]| {
            let mut telling = units.iter().filter(|unit| !lexicon::is_stem(&unit.term.stem, Class::Hint));
            telling.all(|unit| {
                others.iter().any(|other| same(unit, other) && unit.term.denied == other.term.denied)
            })
        };
        let turned = denial::turned(&mine, &both, &theirs) / shared;
        Difference {
            shared,
            of_known: shared / (shared + left_old),
            of_arriving: shared / (shared + left_new),
            value: found.grade,
            place: found.place,
            names_old: old.iter().any(|unit| elsewhere(&unit)),
            // "Boats leave without a pilot", "when boats leave, a pilot has to come along".
            turned: turned.max(if only_mine.iter().any(turned_elsewhere) { TURNED } else { 0.0 }),
            frame: both.len() - denial::turned_words(&mine, &both, &theirs).len(),
            of_one_mind: denial::both_deny(&both, &theirs),
            // What a thing does not do stays true when the thing is given up.
            gives_up: mine.iter().all(|unit| !unit.term.denied)
                && (arriving.count(Class::Change) > 0 && denial::gives_up(&both, &theirs)
                    || found.grade > 0.0 && found.old.is_some_and(|old| denial::denied(old, &all_arriving))),
            other_subject: about_old && about_new || bounds(known, arriving),
            // "… in the parser crate" and "… in the other crate": denied here and affirmed there.
            other_scope: of_other_commands(known, arriving)
                || mine_only && theirs_only && !placed
                || !announced
                    && found.place
                    && turned > 0.0
                    && found.old.is_some_and(|old| is_placed(old.term)),
            narrower: !(one_subject && found.grade >= 1.0)
                && (theirs_only && !mine_only
                    || about_new
                        && !about_old
                        && arriving.count(Class::Permission) + arriving.count(Class::Condition) > 0
                    || arriving.count(Class::Exception) > 0),
            announced,
            // "You can pay by card too" adds nothing to "only cash": it takes the only away.
            adds: arriving.count(Class::Addition) > 0 && arriving.count(Class::Negator) == 0 && turned <= 0.0,
            holds_known: every(&all_known, &all_arriving),
            holds_arriving: every(&all_arriving, &all_known),
        }
    }

    /// Says how plainly the text itself tells that the known statement holds no more.
    pub(crate) fn evidence(&self) -> Evidence {
        let (least, most) = (self.of_known.min(self.of_arriving), self.of_known.max(self.of_arriving));
        let here = !self.other_scope && !self.narrower;
        let about = here && !self.other_subject && !self.adds;
        // Of a frame of one common word little follows.
        let framed = self.shared >= 1.5 || self.announced;
        let other_value = about && least >= 0.5 && self.value >= 0.9 && framed;
        // "Not in summer" denies nothing that was said of winter.
        let of_another = self.value >= 0.4 && !self.announced && !self.names_old;
        let denial = about && least >= 0.7 && self.turned >= 0.4 && !of_another
            || here && framed && self.of_known >= 0.9 && least >= 0.5 && self.turned >= 0.7
            || here && self.gives_up && self.of_known >= 0.5 && least >= 0.4;
        let likely = about
            && (least >= 0.6 && self.value >= 0.6 && self.place && !self.of_one_mind
                || (least >= 0.45 || self.of_known >= 0.6 && least >= 0.3)
                    && self.value >= 0.4
                    && self.announced
                    && !self.of_one_mind
                || least >= 0.5 && self.turned >= 0.4 && self.frame >= 2
                || most >= 0.6 && self.turned >= 0.3 && self.announced)
            || self.names_old
                && !self.other_scope
                && self.of_known >= 0.5
                && (self.value > 0.0 || self.announced || self.turned >= 0.4)
            || self.turned >= 0.8 && self.of_arriving >= 0.9 && about;
        if other_value || denial {
            Evidence::Plain
        } else if likely {
            Evidence::Likely
        } else {
            Evidence::None
        }
    }

    /// Lists what is so or not so, by name.
    pub(crate) fn flags(&self) -> [(&'static str, bool); 11] {
        [
            ("place", self.place),
            ("names old", self.names_old),
            ("of one mind", self.of_one_mind),
            ("gives up", self.gives_up),
            ("other subject", self.other_subject),
            ("other scope", self.other_scope),
            ("narrower", self.narrower),
            ("announced", self.announced),
            ("adds", self.adds),
            ("holds known", self.holds_known),
            ("holds arriving", self.holds_arriving),
        ]
    }

    /// Writes down what was found, each between 0 and 1.
    pub(crate) fn measure(&self, out: &mut Features) {
        let flag = |on: bool| f64::from(u8::from(on));
        out.insert("clause_shared", (self.shared / 4.0).min(1.0));
        out.insert("clause_known", self.of_known);
        out.insert("clause_arriving", self.of_arriving);
        out.insert("clause_value", self.value);
        out.insert("clause_place", flag(self.place));
        out.insert("names_old", flag(self.names_old));
        out.insert("turned", self.turned);
        out.insert("clause_subject", flag(self.other_subject));
        out.insert("other_scope", flag(self.other_scope));
        out.insert("scope_narrower", flag(self.narrower));
        out.insert("announced", flag(self.announced));
        out.insert("holds_known", flag(self.holds_known));
        out.insert("holds_arriving", flag(self.holds_arriving));
    }
}

/// Tells whether two words come from one: `extend` and `extension` are no two answers.
fn is_of_one_family(a: &str, b: &str) -> bool {
    let plain = |word: &str| word.chars().all(char::is_alphabetic);
    let shared = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let longer = a.chars().count().max(b.chars().count());
    plain(a) && plain(b) && shared >= 5 && shared * 4 >= longer * 3
}

/// Tells whether the words left over say what the clause is about.
///
/// Where no verb ends the subject, it is what stands before the first preposition.
fn is_about(left: &[&Unit<'_>], clause: &[&Unit<'_>]) -> bool {
    let verbless = clause.iter().all(|unit| unit.term.subject);
    left.iter().any(|unit| unit.term.subject && !(verbless && unit.term.slot.is_some()))
}

/// Tells whether the one gives the least and the other the most of something, or its default and its most.
fn bounds(a: &Reading, b: &Reading) -> bool {
    let (least, most) = (Class::Least, Class::Most);
    let named = |reading: &Reading| -> Vec<String> {
        let stems = reading.terms.iter().map(|term| term.stem.clone());
        stems.filter(|stem| lexicon::is_measure(stem)).collect()
    };
    let (of_a, of_b) = (named(a), named(b));
    let others = !of_a.is_empty() && !of_b.is_empty() && !of_a.iter().any(|stem| of_b.contains(stem));
    others || a.count(least) > 0 && b.count(most) > 0 || a.count(most) > 0 && b.count(least) > 0
}

/// Tells whether a word stands behind a preposition that says where something holds.
fn is_placed(term: &Term) -> bool {
    matches!(term.slot.as_deref(), Some("in" | "for" | "on" | "at")) && !term.subject
}

/// Tells whether a word can be what a statement says, and is not merely how it is said.
fn is_value(term: &Term) -> bool {
    term.form != Form::Word
        || !([Class::Verb, Class::Hint, Class::Change, Class::Remover, Class::Order]
            .into_iter()
            .any(|class| lexicon::is_stem(&term.stem, class)))
}

/// Lists the words that say where, when or for whom a clause holds.
fn scopes<'r>(reading: &'r Reading, clause: &[&Unit<'r>]) -> Vec<&'r str> {
    let opening = reading.terms.iter().take(reading.preamble).filter(|term| !term.part);
    let placed = clause.iter().map(|unit| unit.term).filter(|term| {
        lexicon::is_stem(&term.stem, Class::Place) || term.slot.as_deref() == Some("for") && !term.subject
    });
    opening
        .chain(placed)
        .filter(|term| term.form != Form::Number && is_value(term))
        .map(|term| term.stem.as_str())
        .collect()
}

/// The two words that answer the same question otherwise.
#[derive(Default)]
struct Values<'u, 'r> {
    grade: f64,
    place: bool,
    old: Option<&'u Unit<'r>>,
    new: Option<&'u Unit<'r>>,
}

/// Tells whether both clauses are about the same thing and nothing else, and say the same of it or merely
/// what it is.
fn is_one_subject(mine: &[&Unit<'_>], theirs: &[&Unit<'_>]) -> bool {
    let part = |units: &[&Unit<'_>], wanted: &dyn Fn(&Term) -> bool| -> BTreeSet<String> {
        units.iter().filter(|unit| wanted(unit.term)).map(|unit| unit.term.stem.clone()).collect()
    };
    let head = |term: &Term| term.head && is_value(term);
    let verb = |term: &Term| !term.head && lexicon::is_stem(&term.stem, Class::Verb);
    let (a, b) = (part(mine, &head), part(theirs, &head));
    let (x, y) = (part(mine, &verb), part(theirs, &verb));
    !a.is_empty() && a == b && (x.is_empty() || y.is_empty() || x == y)
}

/// Finds the words left over that most plainly answer the same question.
fn best_value<'u, 'r>(
    old: &[&'u Unit<'r>],
    new: &[&'u Unit<'r>],
    mine: &[&'u Unit<'r>],
    theirs: &[&'u Unit<'r>],
    one_subject: bool,
) -> Values<'u, 'r> {
    let mut best = Values::default();
    for x in old {
        for y in new {
            let place = neighbours(x, mine).any(|a| neighbours(y, theirs).any(|b| same(a, b)))
                || x.term.slot.is_some() && x.term.slot == y.term.slot
                || one_subject && !x.term.head && !y.term.head;
            let grade = grade(x.term, y.term) * if place { 1.0 } else { 0.7 };
            if grade > best.grade {
                best = Values { grade, place, old: Some(x), new: Some(y) };
            }
        }
    }
    best
}

/// The words right before and behind a word.
fn neighbours<'n, 'u, 'r>(
    unit: &'n Unit<'r>,
    clause: &'n [&'u Unit<'r>],
) -> impl Iterator<Item = &'n Unit<'r>> + use<'n, 'u, 'r> {
    let at = clause.iter().position(|other| std::ptr::eq(other.term, unit.term));
    let around = at.map(|at| [at.checked_sub(1), Some(at + 1)]).into_iter().flatten().flatten();
    around.filter_map(|at| clause.get(at).map(|unit| &**unit))
}

/// Returns how plainly two words are answers to the same question.
fn grade(a: &Term, b: &Term) -> f64 {
    let (x, y) = (stem(&a.stem), stem(&b.stem));
    if lexicon::is_opposite(&x, &y) || lexicon::is_of_one_set(&x, &y) {
        return 1.0;
    }
    if is_of_one_family(&x, &y) {
        return 0.0;
    }
    match (a.form, b.form) {
        (Form::Number, Form::Number) if quantity::goes_with(&a.stem, &b.stem) => 1.0,
        (Form::Number, _) | (_, Form::Number) => 0.0,
        (Form::Name, Form::Name) => {
            let (x, y) = (parts(&a.stem), parts(&b.stem));
            if x.iter().any(|part| y.contains(part)) { 0.9 } else { 0.8 }
        }
        (Form::Name, _) | (_, Form::Name) => 0.7,
        _ => 0.6,
    }
}
