//! What was counted, noted and produced.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cells::Cell;
use crate::report::Report;

/// Counts by figure.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<String, Cell>,
    notes: BTreeMap<String, BTreeMap<String, usize>>,
    pub(super) dumped: Vec<Value>,
}

impl Tally {
    pub(super) fn count(&mut self, figure: &str, holds: bool) {
        self.counts.entry(figure.to_owned()).or_default().count(holds);
    }

    /// Adds to a figure that is no share of its own cases.
    pub(super) fn add(&mut self, figure: &str, part: usize, whole: usize) {
        let cell = self.counts.entry(figure.to_owned()).or_default();
        cell.part += part;
        cell.whole += whole;
    }

    /// Notes a word about a case; the same words are counted.
    pub(super) fn note(&mut self, list: &str, word: String) {
        *self.notes.entry(list.to_owned()).or_default().entry(word).or_default() += 1;
    }

    pub(super) fn dump(&mut self, row: Value) {
        self.dumped.push(row);
    }

    pub(super) fn join(&mut self, other: Tally) {
        for (figure, cell) in other.counts {
            self.add(&figure, cell.part, cell.whole);
        }
        for (list, words) in other.notes {
            for (word, count) in words {
                *self.notes.entry(list.clone()).or_default().entry(word).or_default() += count;
            }
        }
        self.dumped.extend(other.dumped);
    }

    #[cfg(test)]
    pub(super) fn cell(&self, figure: &str) -> Cell {
        self.counts.get(figure).copied().unwrap_or_default()
    }

    pub(super) fn write(&self, report: &mut Report) {
        for (figure, cell) in &self.counts {
            if let Some(share) = cell.share() {
                report.set_number(figure, share);
                report.set(&format!("{figure}.n"), cell.part);
                report.set(&format!("{figure}.of"), cell.whole);
            }
        }
        for (list, words) in &self.notes {
            let mut ranked: Vec<(&String, &usize)> = words.iter().collect();
            ranked.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
            let told = |(word, count): (&String, &usize)| match count {
                1 => word.clone(),
                count => format!("{count} × {word}"),
            };
            report.set(list, ranked.into_iter().map(told).collect::<Vec<_>>());
        }
    }
}
