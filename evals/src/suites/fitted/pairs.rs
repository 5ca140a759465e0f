//! Pairs: whether a statement puts an end to an earlier one.

use std::collections::BTreeSet;

use lore_core::{Kind, Voice};
use lore_distill::curate::{ChangeOdds, Statement, seen_of_pair};
use serde::Deserialize;

use super::{Example, files, kept_at, lines, table};
use crate::context::{Context, Failure};
use crate::report::Report;

/// The share of pairs that both hold that may be taken for a change.
const FALSE_SHARE: f64 = 0.10;
/// Each new statement is also set beside so many of its author's that it was not written for.
const STRANGERS: usize = 4;
/// How strongly weights are drawn to nothing: much that is seen of a pair is seen together.
const DECAY: f64 = 3.0;
/// What such a pair is called: nobody said anything about it.
const APART: &str = "apart";

#[derive(Deserialize)]
struct Row {
    old: String,
    new: String,
    label: String,
}

/// A pair with what its author says about it.
struct Pair {
    author: String,
    seen: Vec<String>,
    label: String,
}

impl Pair {
    fn replaces(&self) -> bool {
        self.label == "replaces"
    }
}

/// Says how the shipped procedure does on authors it has not seen.
pub(crate) fn run(_: &Context) -> Result<Report, Failure> {
    let pairs = read()?;
    let authors: BTreeSet<&str> = pairs.iter().map(|pair| pair.author.as_str()).collect();
    let mut report = Report::default();
    report.set("pairs", pairs.iter().filter(|pair| pair.label != APART).count());
    let mut sums: Vec<(f64, &str)> = Vec::new();
    for author in authors {
        let table = fit(pairs.iter().filter(|pair| pair.author != author));
        let odds = ChangeOdds::read(&table);
        let own = pairs.iter().filter(|pair| pair.author == author);
        let of_author: Vec<(f64, &str)> =
            own.map(|pair| (odds.of(&pair.seen), pair.label.as_str())).collect();
        report.set_number(&format!("{author}.noticed"), share(&of_author, |label| label == "replaces"));
        report.set_number(
            &format!("{author}.false"),
            share(&of_author, |label| !["replaces", APART].contains(&label)),
        );
        sums.extend(of_author);
    }
    report.set_number("noticed", share(&sums, |label| label == "replaces"));
    report.set_number("false", share(&sums, |label| !["replaces", APART].contains(&label)));
    for label in ["partly", "adds", "same", "beside", APART] {
        report.set_number(&format!("false.{label}"), share(&sums, |other| other == label));
    }
    let asked = sums.into_iter().filter(|(_, label)| *label != APART);
    let mut sums: Vec<(f64, bool)> = asked.map(|(sum, label)| (sum, label == "replaces")).collect();
    report.set_number(&format!("noticed@{FALSE_SHARE}"), kept_at(&mut sums, FALSE_SHARE));
    Ok(report)
}

/// Writes the table that ships, from all pairs, where `--dump` says.
pub(crate) fn run_fit(context: &Context) -> Result<Report, Failure> {
    let pairs = read()?;
    let table = fit(pairs.iter());
    let mut report = Report::default();
    report.set("pairs", pairs.len());
    report.set("rows", table.lines().count());
    context.dump_text(&table)?;
    Ok(report)
}

/// The share of pairs of a label that is taken for a change.
fn share(sums: &[(f64, &str)], is: impl Fn(&str) -> bool) -> f64 {
    let rows: Vec<f64> = sums.iter().filter(|(_, label)| is(label)).map(|(sum, _)| *sum).collect();
    rows.iter().filter(|sum| **sum >= 0.0).count() as f64 / rows.len().max(1) as f64
}

fn read() -> Result<Vec<Pair>, Failure> {
    let statement = |text: &str, at: &str| Statement {
        voice: Voice::Person,
        at: at.parse().ok(),
        ..Statement::plain(text, Kind::Fact)
    };
    let seen = |old: &str, new: &str| {
        seen_of_pair(&statement(old, "2026-01-01T00:00:00Z"), &statement(new, "2026-02-01T00:00:00Z"))
    };
    let mut out = Vec::new();
    for (author, file) in files("pairs")? {
        let rows = lines::<Row>(&file)?;
        for (at, row) in rows.iter().enumerate() {
            let pair = |old: &str, label: &str| Pair {
                author: author.clone(),
                seen: seen(old, &row.new),
                label: label.to_owned(),
            };
            out.push(pair(&row.old, &row.label));
            let others = (1..=STRANGERS)
                .map(|step| &rows[(at + step * rows.len() / (STRANGERS + 1)) % rows.len()].old);
            out.extend(others.filter(|old| **old != row.old).map(|old| pair(old, APART)));
        }
    }
    Ok(out)
}

fn fit<'p>(pairs: impl Iterator<Item = &'p Pair>) -> String {
    let examples: Vec<Example<'_>> = pairs
        .map(|pair| Example { seen: &pair.seen, answers: vec![Some(pair.replaces())], importance: 1.0 })
        .collect();
    table(&examples, 1, DECAY)
}
