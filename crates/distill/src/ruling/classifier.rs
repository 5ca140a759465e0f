//! How much speaks for a sentence being meant to last, and for what it is, as fitted numbers.
//!
//! The numbers are in `classifier.tsv`, made by `lore-evals sentences-fit` from sentences that were written for it.
//! Rules of form are among what is weighed: where several of them speak, the numbers say which one to believe.

use std::sync::OnceLock;

use lore_core::Kind;

use crate::fitted::LogOdds;

/// What a sentence can be, in the order of the table's columns; the first column says that it is meant to last.
pub const KINDS: [Kind; 6] =
    [Kind::Preference, Kind::Decision, Kind::Fact, Kind::Architecture, Kind::Limitation, Kind::Event];

/// So much more has to speak for another kind than for the one that the form says.
const IN_DOUBT: f64 = 0.7;

/// What the features of a sentence say about it.
#[derive(Debug)]
pub struct Classifier<'t>(LogOdds<'t, { 1 + KINDS.len() }>);

impl<'t> Classifier<'t> {
    /// Returns the shipped one.
    pub fn shipped() -> &'static Classifier<'static> {
        static SHIPPED: OnceLock<Classifier<'static>> = OnceLock::new();
        SHIPPED.get_or_init(|| Classifier::read(include_str!("classifier.tsv")))
    }

    /// Reads a table.
    pub fn read(table: &'t str) -> Classifier<'t> {
        Classifier(LogOdds::read(table))
    }

    /// Returns the log-odds that a sentence with these features is meant to last.
    pub fn lasting(&self, seen: &[String]) -> f64 {
        self.0.sum(seen)[0]
    }

    /// Returns what a sentence with these features most likely is; in doubt it is what its form says.
    pub fn kind(&self, seen: &[String], form: Kind) -> Kind {
        let sums = self.0.sum(seen);
        let worth = |(kind, sum): (&Kind, &f64)| (*kind, sum + if *kind == form { IN_DOUBT } else { 0.0 });
        let best = KINDS.iter().zip(&sums[1..]).map(worth).max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or(form, |(kind, _)| kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_sum_is_the_kind() {
        let classifier = Classifier::read("(bias)\t\t\t\t10\nnever\t200\t90\n");
        assert_eq!(classifier.kind(&["never".to_owned()], Kind::Event), Kind::Preference);
        assert_eq!(classifier.kind(&[], Kind::Event), Kind::Event);
    }

    #[test]
    fn every_line_of_the_shipped_table_is_read() {
        assert_eq!(Classifier::shipped().0.len(), include_str!("classifier.tsv").lines().count());
    }
}
