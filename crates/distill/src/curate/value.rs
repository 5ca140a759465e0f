//! Another value for the same question: names, quantities, places in the sentence.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::Features;
use super::lexicon::Class;
use super::quantity::{framed_change, number_change};
use super::reading::{Reading, Term, of_other_commands};
use super::token::{Form, parts};

/// Measures how the names, quantities and fillings of two statements differ.
pub(crate) fn values(a: &Reading, b: &Reading, out: &mut Features) {
    out.insert("number_change", number_change(a, b));
    out.insert("framed_change", framed_change(a, b));
    let (sibling, other) = name_change(a, b);
    out.insert("sibling_name", sibling);
    out.insert("other_name", other);
    out.insert("slot_change", slot_change(a, b));
    out.insert("reordered", reordered(a, b));
    out.insert("other_subject", other_subject(a, b));
    out.insert("predicate", predicate_overlap(a, b));
    out.insert("narrower", narrower(a, b));
}

/// Tells whether each side is about a name that the other does not have at all.
fn other_subject(a: &Reading, b: &Reading) -> f64 {
    let foreign = |x: &Reading, y: &Reading| {
        let marked = |stem: &str| stem.starts_with("--") || stem.contains(['/', '.', '_', '<', ':']);
        let mut names = x.of_form(Form::Name).filter(|term| term.subject && marked(&term.stem));
        names.any(|term| !y.terms.iter().any(|other| other.stem == term.stem))
    };
    f64::from(u8::from(foreign(a, b) && foreign(b, a) || of_other_commands(a, b)))
}

/// Returns how much of what is said about the subjects is the same.
fn predicate_overlap(a: &Reading, b: &Reading) -> f64 {
    let said = |reading: &Reading| -> BTreeMap<String, f64> {
        let terms = reading.terms.iter().filter(|term| !term.subject && !term.part);
        terms.map(|term| (term.stem.clone(), term.weight)).collect()
    };
    let (x, y) = (said(a), said(b));
    let least = x.values().sum::<f64>().min(y.values().sum::<f64>());
    let shared: f64 = x.iter().filter_map(|(stem, w)| y.get(stem).map(|v| w.min(*v))).sum();
    if least <= 0.0 { 0.0 } else { (shared / least).min(1.0) }
}

/// Tells whether the arriving claim opens with circumstances the known one does not speak of.
fn narrower(a: &Reading, b: &Reading) -> f64 {
    let opening = &b.terms[..b.preamble.min(b.terms.len())];
    let foreign = opening.iter().filter(|term| term.form != Form::Number && !term.part);
    let unknown = foreign.filter(|term| !a.terms.iter().any(|other| other.stem == term.stem)).count();
    (unknown as f64 / 2.0).min(1.0)
}

/// Returns how alike the names are that only one side has, and whether both have such names at all.
fn name_change(a: &Reading, b: &Reading) -> (f64, f64) {
    let names = |reading: &Reading| -> BTreeSet<String> {
        reading.of_form(Form::Name).map(|t| t.stem.clone()).collect()
    };
    let (in_a, in_b) = (names(a), names(b));
    let in_a: BTreeSet<String> = in_a.into_iter().filter(|name| !is_subject(a, name)).collect();
    let in_b: BTreeSet<String> = in_b.into_iter().filter(|name| !is_subject(b, name)).collect();
    let only_a: Vec<&String> = in_a.difference(&in_b).filter(|name| !mentions(b, name)).collect();
    let only_b: Vec<&String> = in_b.difference(&in_a).filter(|name| !mentions(a, name)).collect();
    let mut best: f64 = 0.0;
    for x in &only_a {
        for y in &only_b {
            best = best.max(likeness(x, y));
        }
    }
    (best, f64::from(u8::from(!only_a.is_empty() && !only_b.is_empty())))
}

fn is_subject(reading: &Reading, name: &str) -> bool {
    reading.terms.iter().any(|term| term.stem == name && term.subject)
}

fn mentions(reading: &Reading, name: &str) -> bool {
    reading.terms.iter().any(|term| term.stem == name)
}

/// Returns the share of parts two names have in common.
fn likeness(a: &str, b: &str) -> f64 {
    let (x, y) = (parts(a), parts(b));
    let shared = x.iter().filter(|part| y.contains(part)).count();
    let most = x.len().max(y.len());
    if most == 0 { 0.0 } else { shared as f64 / most as f64 }
}

/// Tells whether both name the same thing.
pub(crate) fn same_name(a: &Reading, b: &Reading) -> f64 {
    let found = a.of_form(Form::Name).any(|x| b.of_form(Form::Name).any(|y| x.stem == y.stem));
    f64::from(u8::from(found))
}

/// Tells whether the same preposition or verb is followed by something else.
fn slot_change(a: &Reading, b: &Reading) -> f64 {
    let mut changed = 0.0;
    let mut kept = 0.0;
    for slot in [
        "in", "at", "to", "from", "with", "by", "as", "through", "under", "on", "into", "named", "called",
        "uses", "use", "per",
    ] {
        let fill = |reading: &Reading| -> BTreeSet<String> {
            let filled = |term: &&Term| term.slot.as_deref() == Some(slot) && !term.subject;
            reading.terms.iter().filter(filled).map(|term| term.stem.clone()).collect()
        };
        let (x, y) = (fill(a), fill(b));
        if x.is_empty() || y.is_empty() {
            continue;
        }
        if x.is_disjoint(&y) { changed += 1.0 } else { kept += 1.0 }
    }
    if changed + kept == 0.0 { 0.0 } else { changed / (changed + kept) }
}

/// Tells whether the same words stand in another order, and the order is what is said.
fn reordered(a: &Reading, b: &Reading) -> f64 {
    let sequence = |from: &Reading, other: &Reading| -> Vec<String> {
        let shared = |term: &&Term| !term.part && other.terms.iter().any(|t| t.stem == term.stem);
        let mut stems: Vec<String> = from.terms.iter().filter(shared).map(|term| term.stem.clone()).collect();
        let mut seen = BTreeSet::new();
        stems.retain(|stem| seen.insert(stem.clone()));
        stems
    };
    if a.count(Class::Sequence) == 0 || b.count(Class::Sequence) == 0 {
        return 0.0;
    }
    let (x, y) = (sequence(a, b), sequence(b, a));
    if x.len() < 4 || x.len() != y.len() {
        return 0.0;
    }
    let inversions = |x: &[String], y: &[String]| {
        let place = |stem: &String| y.iter().position(|other| other == stem).unwrap_or(0);
        let places: Vec<usize> = x.iter().map(place).collect();
        places.windows(2).filter(|pair| pair[0] > pair[1]).count()
    };
    let share = x.len() as f64 / a.terms.len().max(b.terms.len()).max(1) as f64;
    if inversions(&x, &y) > 0 && share > 0.5 { share } else { 0.0 }
}
