//! The signal that tells a lesson: one that says what to do about it, with those that are like it.
//!
//! A group is alike on average; that is a topic. What is like the one signal that names the remedy has the
//! same mechanism behind it, and what is not is a group of its own. How much of what to do is also spoken of by
//! the others tells whether it is a remedy for them.

use super::Friction;
use super::likeness::Likeness;
use super::remedy::{self, Remedy};
use super::said::{Part, Said};
use super::wording::{Stock, is_general, named};
use crate::extract::terms::{overlap, ratio, terms};

/// What is less like the heart is about something else, and so is what is less than so much as like it as
/// the likest.
const NEAR: f64 = 0.2;
const AS_NEAR: f64 = 0.45;
/// What it is worth to be like the others.
const CENTRAL: f64 = 1.3;
/// What a title costs that names one occasion, or was cut.
const OCCASION: f64 = 0.35;
/// What it is worth that a sentence is about what the signals are about.
const FITS: f64 = 0.5;
/// What it is worth that it can be said in a title.
const TITLED: f64 = 0.1;
/// What it is worth that the others speak of it too.
const BORNE: f64 = 0.5;

/// A signal that tells a lesson, and those that bear it out.
#[derive(Debug)]
pub(super) struct Heart {
    /// The signal.
    pub(super) at: usize,
    /// What it says is to be done.
    pub(super) remedy: Option<Remedy>,
    /// All signals of the lesson, itself among them.
    pub(super) group: Vec<usize>,
    /// How well what it says suits the others: their mean likeness, and how much of it they speak of.
    pub(super) fit: f64,
}

/// Parts a group into hearts with what is like them.
pub(super) fn cored(
    signals: &[Friction],
    (likeness, stock): (&Likeness, &Stock),
    mut group: Vec<usize>,
) -> Vec<Heart> {
    let mut found = Vec::new();
    while !group.is_empty() {
        let (at, remedy) = heart(signals, (likeness, stock), &group);
        let others = group.iter().filter(|other| **other != at);
        let best = others.map(|other| likeness.between(at, *other)).fold(0.0, f64::max);
        let least = NEAR.max(best * AS_NEAR);
        let is_near = |other: &usize| *other == at || likeness.between(at, *other) >= least;
        let (near, far): (Vec<usize>, Vec<usize>) = group.iter().partition(|other| is_near(other));
        let others: Vec<usize> = near.iter().copied().filter(|other| *other != at).collect();
        let borne = remedy.as_ref().map_or(0.0, |remedy| borne(signals, stock, (at, remedy), &others));
        let fit = likeness.to_group(at, &near) + borne;
        found.push(Heart { at, remedy, group: near, fit });
        group = far;
    }
    found
}

fn heart(
    signals: &[Friction],
    (likeness, stock): (&Likeness, &Stock),
    group: &[usize],
) -> (usize, Option<Remedy>) {
    let subjects = likeness.subjects(group, 6).join(" ");
    let mut best: Option<(f64, usize, Option<Remedy>)> = None;
    for at in group {
        let signal = &signals[*at];
        let wanted = terms(&format!("{subjects} {}", signal.title));
        let fits = |said: &Said| {
            let share = overlap(&terms(&said.text), &wanted);
            // What stands under what to do is about the matter, whatever its words.
            let strange = share <= 0.0 && said.part != Part::Remedy;
            if stock.has(&said.text, group) || strange { -1.0 } else { FITS * share }
        };
        let remedy = remedy::of(signal, &fits);
        let title = if is_general(&signal.title) { 0.0 } else { OCCASION };
        let told = remedy.as_ref().map_or(0.0, |remedy| {
            let others: Vec<usize> = group.iter().copied().filter(|other| other != at).collect();
            let titled = if remedy.order().is_some() { TITLED } else { 0.0 };
            remedy.score + titled + BORNE * borne(signals, stock, (*at, remedy), &others)
        });
        let score = told + likeness.to_group(*at, group) * CENTRAL - title;
        if best.as_ref().is_none_or(|(known, ..)| score > *known) {
            best = Some((score, *at, remedy));
        }
    }
    best.map_or((group[0], None), |(_, at, remedy)| (at, remedy))
}

/// Tells how much of what a signal is about and asks for others speak of, on average.
fn borne(signals: &[Friction], stock: &Stock, (at, remedy): (usize, &Remedy), others: &[usize]) -> f64 {
    let asked = terms(&format!("{} {}", remedy.text, named(&signals[at].title)));
    let sum: f64 = others.iter().map(|other| overlap(&asked, stock.words_of(*other))).sum();
    if others.is_empty() { 0.0 } else { sum / ratio(others.len(), 1) }
}
