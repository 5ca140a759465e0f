//! Clauses, word by word: which two of two statements share the most, and which of their words are the same.

use super::reading::{Reading, Term};
use super::token::Form;

/// A word with the parts of the name or compound that it is.
pub(super) struct Unit<'r> {
    pub(super) term: &'r Term,
    parts: Vec<&'r str>,
}

pub(super) fn units(reading: &Reading) -> Vec<Unit<'_>> {
    let mut out: Vec<Unit<'_>> = Vec::new();
    for term in &reading.terms {
        match out.last_mut() {
            Some(last) if term.part => last.parts.push(&term.stem),
            _ => out.push(Unit { term, parts: Vec::new() }),
        }
    }
    out
}

/// Tells whether two words are the same; of a compound its parts count, of a name only the whole.
pub(super) fn same(a: &Unit<'_>, b: &Unit<'_>) -> bool {
    // `-O1` and O1 are one.
    let (one, other) = (a.term.stem.as_str(), b.term.stem.as_str());
    let is_option = one.starts_with('-') != other.starts_with('-');
    if one == other || is_option && one.trim_start_matches('-') == other.trim_start_matches('-') {
        return true;
    }
    let part_of = |part: &Unit<'_>, whole: &Unit<'_>| {
        whole.term.form == Form::Word && whole.parts.contains(&part.term.stem.as_str())
    };
    part_of(a, b) || part_of(b, a) || spelling(&a.term.stem, &b.term.stem)
}

/// Tells whether two longer words differ only by a slip of the pen or an ending.
fn spelling(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let plain = |word: &str| word.chars().all(char::is_alphabetic);
    short.chars().count() >= 5
        && plain(a)
        && plain(b)
        && long.len() - short.len() <= 2
        && long.starts_with(short)
}

/// Finds the two clauses that share the most.
#[allow(clippy::type_complexity)]
pub(super) fn alike<'u, 'r>(
    known: &'u [Unit<'r>],
    arriving: &'u [Unit<'r>],
) -> (Option<Vec<&'u Unit<'r>>>, Option<Vec<&'u Unit<'r>>>) {
    let clauses = |units: &'u [Unit<'r>]| -> Vec<Vec<&'u Unit<'r>>> {
        let mut out: Vec<Vec<&Unit<'_>>> = Vec::new();
        for unit in units {
            match out.last_mut() {
                Some(last) if last[0].term.clause == unit.term.clause => last.push(unit),
                _ => out.push(vec![unit]),
            }
        }
        out
    };
    let mut best: Option<(f64, Vec<&Unit<'_>>, Vec<&Unit<'_>>)> = None;
    let theirs = clauses(arriving);
    for mine in clauses(known) {
        for theirs in &theirs {
            let in_common: f64 = mine
                .iter()
                .filter(|unit| theirs.iter().any(|other| same(unit, other)))
                .map(|unit| unit.term.weight)
                .sum();
            if best.as_ref().is_none_or(|(most, ..)| in_common > *most) {
                best = Some((in_common, mine.clone(), theirs.clone()));
            }
        }
    }
    match best {
        Some((_, mine, theirs)) => (Some(mine), Some(theirs)),
        None => (None, None),
    }
}

/// Splits a clause into what the other lacks and what both hold.
pub(super) fn split<'u, 'r>(
    these: &[&'u Unit<'r>],
    those: &[&'u Unit<'r>],
) -> (Vec<&'u Unit<'r>>, Vec<&'u Unit<'r>>) {
    let in_short = |unit: &Unit<'_>| spelt_out(unit, those) || spelled_by(unit, these, those);
    these.iter().copied().partition(|unit| !those.iter().any(|other| same(unit, other)) && !in_short(unit))
}

/// Tells whether a word is the initials of words that follow each other in the other clause.
fn spelt_out(unit: &Unit<'_>, others: &[&Unit<'_>]) -> bool {
    let name = &unit.term.stem;
    let letters = name.chars().count();
    let short = (2..=5).contains(&letters) && name.chars().all(char::is_alphabetic);
    short && others.windows(letters).any(|run| is_spelt(name, run))
}

/// Tells whether a word is among words whose initials stand in the other clause.
fn spelled_by(unit: &Unit<'_>, these: &[&Unit<'_>], those: &[&Unit<'_>]) -> bool {
    let Some(at) = these.iter().position(|this| std::ptr::eq(this.term, unit.term)) else { return false };
    let named =
        |other: &&&Unit<'_>| other.term.form == Form::Name && (2..=5).contains(&other.term.stem.len());
    those.iter().filter(named).any(|other| {
        let letters = other.term.stem.chars().count();
        let first = (at + 1).saturating_sub(letters);
        (first..=at)
            .any(|from| these.get(from..from + letters).is_some_and(|run| is_spelt(&other.term.stem, run)))
    })
}

fn is_spelt(name: &str, run: &[&Unit<'_>]) -> bool {
    run.iter().zip(name.chars()).all(|(other, letter)| other.term.stem.starts_with(letter))
}
