//! How much speaks for a statement putting an end to another, as fitted numbers.
//!
//! The numbers are in `change.tsv`, made by `lore-evals pairs-fit` from pairs that were written for it. What the
//! rules found out about a pair is among what is weighed, and so are the words by which people announce a change.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::compare::{self, Features, Side};
use super::difference::Difference;
use super::near::closeness;
use super::outline::Outline;
use super::slot::Slot;
use crate::fitted::LogOdds;

/// What is measured on a pair and says nothing about its words: who spoke, when, and what sort of knowledge it is
/// called, which the examples do not tell.
const CIRCUMSTANCES: [&str; 12] = [
    "agent_over_person",
    "days_apart",
    "decides",
    "event",
    "known_decides",
    "limit_met",
    "new_limit",
    "not_later",
    "person_over_agent",
    "reports",
    "same_kind",
    "same_session",
];
/// From this on a measure counts as there.
const THERE: f64 = 0.5;

/// What the features of a pair say about it.
#[derive(Debug)]
pub struct ChangeOdds<'t>(LogOdds<'t, 2>);

impl<'t> ChangeOdds<'t> {
    /// Returns the shipped numbers.
    pub(crate) fn shipped() -> &'static ChangeOdds<'static> {
        static SHIPPED: OnceLock<ChangeOdds<'static>> = OnceLock::new();
        SHIPPED.get_or_init(|| ChangeOdds::read(include_str!("change.tsv")))
    }

    /// Reads a table.
    pub fn read(table: &'t str) -> ChangeOdds<'t> {
        ChangeOdds(LogOdds::read(table))
    }

    /// Returns the log-odds that the known statement of a pair with these features no longer holds, where what
    /// arrives speaks of it in its own words.
    pub fn of(&self, seen: &[String]) -> f64 {
        self.0.sum(seen)[0]
    }

    /// Returns the same where it may speak of it in any words.
    pub fn of_any_words(&self, seen: &[String]) -> f64 {
        self.0.sum(seen)[1]
    }
}

/// Returns the log-odds that what arrives puts an end to what is known, in whatever words it speaks of it.
pub(crate) fn odds(known: &Side, arriving: &Side) -> f64 {
    ChangeOdds::shipped().of_any_words(&seen_of(known, arriving))
}

/// Returns what is seen of a pair of which nothing was measured yet.
pub(crate) fn seen_of(known: &Side, arriving: &Side) -> Vec<String> {
    let mut measured = compare::overlap(known, arriving);
    compare::contrast(known, arriving, &mut measured);
    seen(known, arriving, &compare::difference(known, arriving), &measured)
}

/// Returns what is seen of a pair.
pub(crate) fn seen(
    known: &Side,
    arriving: &Side,
    difference: &Difference,
    measured: &Features,
) -> Vec<String> {
    let mut out = announced(&known.words, &arriving.words);
    out.extend(Outline::seen(&known.outline, &arriving.outline));
    let slot = Slot::between(&known.said, &arriving.said).seen();
    let level = |share: f64, of: f64| (share.abs().min(1.0) * of) as u32;
    let value = format!("value {}", level(difference.value, 5.0));
    let evidence = format!("{:?}", difference.evidence());
    let flags = difference.flags().into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned());
    let there = |(name, share): &(&&str, &f64)| !CIRCUMSTANCES.contains(name) && **share >= THERE;
    let measures = measured.iter().filter(there).map(|(name, _)| format!("measured {name}"));
    for mark in flags.chain(measures).chain(slot) {
        out.push(format!("{value} + {mark}"));
        out.push(format!("{evidence} + {mark}"));
        out.push(format!("= {mark}"));
    }
    out.push(value);
    out.push(format!("evidence {evidence}"));
    out.push(format!("turned {}", level(difference.turned, 3.0)));
    out.push(format!("frame {}", difference.frame.min(5)));
    out.push(format!("of known {}", level(difference.of_known, 4.0)));
    out.push(format!("of arriving {}", level(difference.of_arriving, 4.0)));
    out.push(format!("shared {}", difference.shared.min(5.0) as u32));
    let close = format!("close {}", level(closeness(measured), 8.0));
    out.push(format!("{close} + {evidence}"));
    out.push(format!("{close} + shared {}", difference.shared.min(3.0) as u32));
    out.push(close);
    out
}

/// Returns the words that only one side has, of the arriving one with their neighbours.
fn announced(known: &[String], arriving: &[String]) -> Vec<String> {
    let old: BTreeSet<&str> = known.iter().map(String::as_str).collect();
    let mut words = vec!["^"];
    words.extend(arriving.iter().map(String::as_str));
    words.push("$");
    let is_new = |near: &&[&str]| near.iter().any(|word| !old.contains(word));
    let runs = (1..=2).flat_map(|size| words.windows(size));
    let mut out: BTreeSet<String> =
        runs.filter(is_new).map(|near| format!("new {}", near.join(" "))).collect();
    out.extend(old.iter().filter(|word| !words.contains(*word)).map(|word| format!("old {word}")));
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_one_side_says_is_seen() {
        let said = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let seen = announced(&said("keys hang inside"), &said("keys now hang outside"));
        assert!(
            seen.contains(&"new now".to_owned()) && seen.contains(&"new keys now".to_owned()),
            "{seen:?}"
        );
        assert!(
            seen.contains(&"old inside".to_owned()) && !seen.contains(&"new keys".to_owned()),
            "{seen:?}"
        );
    }

    #[test]
    fn every_line_of_the_shipped_table_is_read() {
        assert_eq!(ChangeOdds::shipped().0.len(), include_str!("change.tsv").lines().count());
    }
}
