//! What a number counts: two quantities answer the same question only where their units go together.

use std::collections::BTreeSet;

use super::reading::{Reading, Term};
use super::token::Form;

/// A unit: what it measures, and its place among the units of that.
type Unit = (Measure, i32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Time,
    Size,
    Share,
    Length,
    Weight,
    Count,
}

/// Units farther apart than this measure different things: nobody changes milliseconds to hours.
const FAR: i32 = 2;

const UNITS: [(&[&str], Unit); 19] = [
    (&["ms", "millisecond", "µs", "us", "ns"], (Measure::Time, 0)),
    (&["s", "sec", "second"], (Measure::Time, 1)),
    (&["m", "min", "minute"], (Measure::Time, 2)),
    (&["h", "hr", "hour"], (Measure::Time, 3)),
    (&["d", "day"], (Measure::Time, 4)),
    (&["week"], (Measure::Time, 5)),
    (&["month"], (Measure::Time, 6)),
    (&["year"], (Measure::Time, 7)),
    (&["b", "byte", "bytes"], (Measure::Size, 0)),
    (&["k", "kb", "kib"], (Measure::Size, 1)),
    (&["mb", "mib"], (Measure::Size, 2)),
    (&["gb", "gib"], (Measure::Size, 3)),
    (&["mm", "millimet"], (Measure::Length, 0)),
    (&["cm", "centimet"], (Measure::Length, 1)),
    (&["km", "kilomet"], (Measure::Length, 3)),
    (&["g", "gram"], (Measure::Weight, 1)),
    (&["kg", "kilogram"], (Measure::Weight, 2)),
    (&["times", "tim"], (Measure::Count, 0)),
    (&["%", "percent", "percentil", "percentile"], (Measure::Share, 0)),
];

/// So many words before a number and behind it say what it is the number of.
const BEFORE: usize = 4;
const BEHIND: usize = 3;
/// Two numbers stand in the same place if so many of these words are the same, and this share of them.
const SAME_WORDS: usize = 4;
const SAME_SHARE: f64 = 0.75;

/// A number and what it counts, where that is said.
struct Quantity<'r> {
    number: &'r str,
    unit: Option<Unit>,
    /// The words around it.
    frame: BTreeSet<&'r str>,
}

/// Tells whether a number stands among the same words as another number of the other statement,
/// whatever else the two say.
pub(crate) fn framed_change(a: &Reading, b: &Reading) -> f64 {
    let (a, b) = (quantities(a), quantities(b));
    let same_place = |x: &Quantity<'_>, y: &Quantity<'_>| {
        let shared = x.frame.intersection(&y.frame).count();
        let least = x.frame.len().min(y.frame.len());
        x.unit == y.unit && shared >= SAME_WORDS && shared as f64 >= SAME_SHARE * least as f64
    };
    let changed = a.iter().any(|x| {
        let mut there = b.iter().filter(|y| same_place(x, y)).peekable();
        there.peek().is_some() && there.all(|y| y.number != x.number)
    });
    f64::from(u8::from(changed))
}

/// Tells whether both give quantities of one sort and none of the earlier ones is left.
pub(crate) fn number_change(a: &Reading, b: &Reading) -> f64 {
    let (all_a, all_b) = (quantities(a), quantities(b));
    let left = |these: &[Quantity<'_>], those: &[Quantity<'_>]| -> Vec<String> {
        let mut kept: Vec<String> = these
            .iter()
            .filter(|one| those.iter().any(|other| go_together(one, other)))
            .map(|one| one.number.to_owned())
            .collect();
        kept.sort();
        kept.dedup();
        kept
    };
    let (a, b) = (left(&all_a, &all_b), left(&all_b, &all_a));
    let disjoint = a.iter().all(|number| !b.contains(number));
    match (a.is_empty() || b.is_empty(), disjoint) {
        (true, _) => 0.0,
        (false, true) => 1.0,
        (false, false) if a == b => 0.0,
        (false, false) => 0.4,
    }
}

fn quantities(reading: &Reading) -> Vec<Quantity<'_>> {
    let terms: Vec<&Term> = reading.terms.iter().filter(|term| !term.part).collect();
    let mut found = Vec::new();
    for (at, term) in terms.iter().enumerate().filter(|(_, term)| term.form == Form::Number) {
        let written = term.stem.trim_start_matches(|c: char| !c.is_alphabetic() && c != '%');
        let next = terms.get(at + 1).and_then(|next| unit(&next.stem));
        let around = terms[at.saturating_sub(BEFORE)..].iter().take(BEHIND + 1 + at.min(BEFORE));
        let frame =
            around.filter(|other| other.form != Form::Number).map(|other| other.stem.as_str()).collect();
        found.push(Quantity { number: &term.stem, unit: unit(written).or(next), frame });
    }
    found
}

/// Without a unit, a number may count anything.
fn go_together(a: &Quantity<'_>, b: &Quantity<'_>) -> bool {
    match (a.unit, b.unit) {
        (Some(x), Some(y)) => x.0 == y.0 && (x.1 - y.1).abs() <= FAR,
        _ => true,
    }
}

/// Tells whether two words are units of one sort, near enough that one takes the place of the other.
pub(crate) fn are_alike(a: &str, b: &str) -> bool {
    let plain = |word: &str| unit(word).or_else(|| unit(word.trim_end_matches('s')));
    plain(a).zip(plain(b)).is_some_and(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() <= FAR)
}

/// Tells whether a word is a unit.
pub(super) fn is_unit(word: &str) -> bool {
    unit(word).or_else(|| unit(word.trim_end_matches('s'))).is_some()
}

/// Tells whether two numbers, as written, may count the same thing.
pub(crate) fn goes_with(a: &str, b: &str) -> bool {
    let written = |number: &str| {
        unit(number.trim_start_matches(|c: char| !c.is_alphabetic() && c != '%')).map(|unit| unit.0)
    };
    match (written(a), written(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

fn unit(word: &str) -> Option<Unit> {
    UNITS.iter().find(|(words, _)| words.contains(&word)).map(|(_, unit)| *unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &str, arriving: &str, expected: f64) {
        let change = number_change(&Reading::of(known), &Reading::of(arriving));
        assert!((change - expected).abs() < 1e-9, "{known} / {arriving}: {change}");
    }

    #[test]
    fn the_same_words_around_another_number_are_another_answer() {
        let check = |known: &str, arriving: &str, expected: f64| {
            let change = framed_change(&Reading::of(known), &Reading::of(arriving));
            assert!((change - expected).abs() < 1e-9, "{known} / {arriving}: {change}");
        };
        let known = "The confirmation mail says that cancellations are free until 24 hours before the start.";
        let rest = "Stripe cannot refund a charge older than 180 days.";
        check(known, &format!("Cancellations are free until 48 hours before the start. {rest}"), 1.0);
        check(known, &format!("Cancellations are free until 24 hours before the start. {rest}"), 0.0);
        check(known, "Refunds take 48 hours.", 0.0);
        check(known, "The boat leaves 48 hours after the start of the season.", 0.0);
    }

    #[test]
    fn numbers_of_different_sorts_do_not_answer_each_other() {
        check(
            "Cancellations are free until 24 hours before.",
            "Cancellations are free until 48 hours before.",
            1.0,
        );
        check("Booking takes 40 ms instead of 900 ms.", "Cancellations are free until 24 hours before.", 0.0);
        check(
            "Booking takes 40ms at the 95th percentile.",
            "Cancellations are free until 2 days before.",
            0.0,
        );
        check("The cache lives for 90 seconds.", "The cache lives for 5 minutes.", 1.0);
        check("The log is kept for 30 days.", "The log may grow to 20 MB.", 0.0);
        check("There are 3 retries.", "There are 5 retries.", 1.0);
        check("There are 3 retries.", "There are 3 retries within 10 seconds.", 0.4);
        check("There are retries.", "There are 5 retries.", 0.0);
    }
}
