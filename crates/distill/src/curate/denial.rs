//! What one of two clauses denies and the other affirms.

use super::clause::{Unit, same};
use super::token::Form;

/// Tells whether a name or a number that the known clause affirms is what the arriving one denies.
pub(super) fn gives_up(both: &[&Unit<'_>], theirs: &[&Unit<'_>]) -> bool {
    let value = |unit: &&&Unit<'_>| unit.term.form != Form::Word && !unit.term.denied;
    both.iter().filter(value).any(|unit| {
        let mut others = theirs.iter().filter(|other| same(unit, other)).peekable();
        others.peek().is_some() && others.all(|other| other.term.denied)
    })
}

/// Tells whether a statement denies a word wherever it stands in it.
pub(super) fn denied(unit: &Unit<'_>, all: &[Unit<'_>]) -> bool {
    let mut named = all.iter().filter(|other| same(unit, other)).peekable();
    named.peek().is_some() && named.all(|other| other.term.denied)
}

/// Tells whether both sides deny one of the words they have in common.
pub(super) fn both_deny(both: &[&Unit<'_>], theirs: &[&Unit<'_>]) -> bool {
    both.iter()
        .any(|unit| unit.term.denied && theirs.iter().any(|other| other.term.denied && same(unit, other)))
}

/// Weighs the common words that one side denies and the other affirms.
///
/// Where both deny one of them they are of one mind. Where each denies something, they are at odds only
/// if each affirms what the other denies: two things may be missing at once.
pub(super) fn turned(mine: &[&Unit<'_>], both: &[&Unit<'_>], theirs: &[&Unit<'_>]) -> f64 {
    turned_words(mine, both, theirs).iter().map(|unit| unit.term.weight).sum()
}

/// Finds the common words that one side denies and the other affirms.
pub(super) fn turned_words<'u, 'r>(
    mine: &[&'u Unit<'r>],
    both: &[&'u Unit<'r>],
    theirs: &[&'u Unit<'r>],
) -> Vec<&'u Unit<'r>> {
    if both_deny(both, theirs) {
        return Vec::new();
    }
    let is_turned = |unit: &&&Unit<'_>| {
        let mut others = theirs.iter().filter(|other| same(unit, other)).peekable();
        others.peek().is_some() && others.all(|other| other.term.denied != unit.term.denied)
    };
    let turned: Vec<&Unit<'_>> = both.iter().filter(is_turned).copied().collect();
    let denies = |side: &[&Unit<'_>]| side.iter().any(|unit| unit.term.denied);
    let one_way = turned.iter().all(|unit| unit.term.denied) || turned.iter().all(|unit| !unit.term.denied);
    if denies(mine) && denies(theirs) && one_way {
        return Vec::new();
    }
    turned
}
