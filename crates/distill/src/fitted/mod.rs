//! Numbers that were fitted to labelled examples, and what they are summed over.
//!
//! A table holds log-odds in hundredths, a line for each thing that can be seen; `lore-evals` writes them from
//! examples that were written for it.

pub(crate) mod words;

use std::collections::HashMap;

/// The name under which a table holds what speaks before anything is seen.
pub const BIAS: &str = "(bias)";

/// What each thing that can be seen is worth, for each of several questions.
#[derive(Debug)]
pub(crate) struct LogOdds<'t, const QUESTIONS: usize> {
    rows: HashMap<&'t str, [i16; QUESTIONS]>,
}

impl<'t, const QUESTIONS: usize> LogOdds<'t, QUESTIONS> {
    /// Reads a table: a name and its numbers on each line, an empty cell for nothing.
    pub(crate) fn read(table: &'t str) -> LogOdds<'t, QUESTIONS> {
        let row = |line: &'t str| {
            let mut cells = line.split('\t');
            let name = cells.next()?;
            let mut row = [0; QUESTIONS];
            for (at, cell) in cells.enumerate() {
                *row.get_mut(at)? = if cell.is_empty() { 0 } else { cell.parse().ok()? };
            }
            Some((name, row))
        };
        LogOdds { rows: table.lines().filter_map(row).collect() }
    }

    /// Sums up what was seen, for each question.
    pub(crate) fn sum(&self, seen: &[String]) -> [f64; QUESTIONS] {
        let mut sums = [0; QUESTIONS];
        for name in seen.iter().map(String::as_str).chain([BIAS]) {
            for (sum, worth) in sums.iter_mut().zip(self.rows.get(name).into_iter().flatten()) {
                *sum += i32::from(*worth);
            }
        }
        sums.map(|sum| f64::from(sum) / 100.0)
    }

    /// Returns how many lines were read.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_summed() {
        let odds: LogOdds<'_, 2> = LogOdds::read("(bias)\t-50\nnever\t200\t90\nmaybe\t-300\nbad\tx\n");
        let sum = |words: &[&str]| odds.sum(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(sum(&["never"]), [1.5, 0.9]);
        assert_eq!(sum(&["never", "maybe", "unknown"]), [-1.5, 0.9]);
        assert_eq!(odds.len(), 3);
    }
}
