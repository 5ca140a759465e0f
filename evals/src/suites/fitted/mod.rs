//! Numbers fitted to examples that were written for it: what lasts, and what puts an end to something.
//!
//! The examples are in `evals/sentences`, `evals/pairs` and `evals/reworded`, a file per author. Whoever wrote what is
//! measured is left out of what it was fitted on.

mod logistic;
mod pairs;
mod sentences;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use lore_distill::fitted::BIAS;
use serde::de::DeserializeOwned;

use self::logistic::Sample;
use crate::context::Failure;

pub(crate) use self::pairs::{run as run_pairs, run_fit as run_pairs_fit, run_suspect_fit};
pub(crate) use self::sentences::{run as run_sentences, run_fit as run_sentences_fit};

/// What fewer authors write says how they write, and nothing else.
const AUTHORS: usize = 3;
/// Weights below so many hundredths are left out of the table.
const LITTLE: i16 = 6;

/// What was seen of something that somebody wrote, and the answer to each question about it; none where nobody knows.
struct Example<'s> {
    author: &'s str,
    seen: &'s [String],
    answers: Vec<Option<bool>>,
    importance: f64,
}

/// Lists the files of a folder beside this crate, with the name of each author.
fn files(folder: &str) -> Result<Vec<(String, PathBuf)>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.sort();
    let name = |file: &PathBuf| file.file_stem().map(|name| name.to_string_lossy().into_owned());
    Ok(files.into_iter().map(|file| (name(&file).unwrap_or_default(), file)).collect())
}

/// Reads JSON lines.
fn lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Failure> {
    let text = fs::read_to_string(file)?;
    let line = |(at, line)| {
        serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", file.display(), at + 1).into())
    };
    text.lines().enumerate().map(line).collect()
}

/// Fits one column for each question and writes them as a table; weights are drawn to nothing by `decay`.
fn table(examples: &[Example<'_>], questions: usize, decay: f64) -> String {
    let mut seen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for example in examples {
        for name in example.seen {
            seen.entry(name).or_default().insert(example.author);
        }
    }
    let names: Vec<&str> =
        seen.into_iter().filter(|(_, authors)| authors.len() >= AUTHORS).map(|(name, _)| name).collect();
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let column = |question: usize| {
        let sample = |example: &Example<'_>| {
            Some(Sample {
                features: example.seen.iter().filter_map(|name| index.get(name.as_str()).copied()).collect(),
                positive: (*example.answers.get(question)?)?,
                importance: example.importance,
            })
        };
        logistic::fit(&examples.iter().filter_map(sample).collect::<Vec<_>>(), names.len(), decay)
    };
    let columns: Vec<Vec<f64>> = (0..questions).map(column).collect();
    let mut out = String::new();
    for (name, at) in [(BIAS, names.len())].into_iter().chain(names.iter().copied().zip(0..)) {
        let worth = |column: &Vec<f64>| (column[at] * 100.0).round() as i16;
        let cell = |worth: i16| if worth.abs() < LITTLE { String::new() } else { worth.to_string() };
        let cells: Vec<String> = columns.iter().map(|column| cell(worth(column))).collect();
        if name == BIAS || cells.iter().any(|cell| !cell.is_empty()) {
            let _ = writeln!(out, "{}", format!("{name}\t{}", cells.join("\t")).trim_end());
        }
    }
    out
}

/// Returns the share of the true ones that is found where only so many of the false ones are.
fn kept_at(sums: &mut [(f64, bool)], false_share: f64) -> f64 {
    sums.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all = |is: bool| sums.iter().filter(|(_, true_one)| *true_one == is).count().max(1) as f64;
    let (right, wrong) = (all(true), all(false));
    let (mut kept, mut mistaken) = (0.0, 0.0);
    for (_, true_one) in sums.iter() {
        if *true_one {
            kept += 1.0;
        } else {
            mistaken += 1.0;
        }
        if mistaken / wrong > false_share {
            break;
        }
    }
    kept / right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_what_tells_the_answers_apart() {
        let (yes, no) = (vec!["now".to_owned(), "keys".to_owned()], vec!["keys".to_owned()]);
        let examples: Vec<Example<'_>> = (0..80)
            .map(|at| Example {
                author: ["ann", "ben", "cleo"][at % 3],
                seen: if at % 2 == 0 { &yes } else { &no },
                answers: vec![Some(at % 2 == 0)],
                importance: 1.0,
            })
            .collect();
        let table = table(&examples, 1, 1.0);
        let worth = |name: &str| {
            let line = table.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.rsplit('\t').next()?.parse::<i32>().ok()).unwrap_or(0)
        };
        assert!(worth("now") > 100, "{table}");
        assert!(worth("keys").abs() < worth("now") / 2, "{table}");
    }

    #[test]
    fn what_is_kept_depends_on_what_may_be_mistaken() {
        let mut sums = vec![(3.0, true), (2.0, false), (1.0, true), (0.0, false)];
        assert_eq!(kept_at(&mut sums, 0.4), 0.5);
        assert_eq!(kept_at(&mut sums, 0.6), 1.0);
    }
}
