//! Pairs: whether a statement puts an end to an earlier one.

use std::collections::BTreeMap;

use lore_core::meaning::Vocabulary;
use lore_core::{Kind, Voice};
use lore_distill::curate::{ChangeOdds, Kinship, Statement, SuspectOdds, kinship, seen_of_pair, suspicion};
use rayon::prelude::*;
use serde::Deserialize;

use super::{Example, files, kept_at, lines, table};
use crate::context::{Context, Failure};
use crate::report::Report;

/// The share of pairs that both hold that may be taken for a change, and of those that may be suspected.
const FALSE_SHARE: f64 = 0.10;
const SUSPECTED_SHARE: f64 = 0.20;
/// Each new statement is also set beside so many of its author's that it was not written for …
const STRANGERS: usize = 12;
/// … of which so many tell what a change is; to be a stranger is rarer than that among all that is known.
const FEW_STRANGERS: usize = 4;
/// How strongly weights are drawn to nothing: much that is seen of a pair is seen together.
const DECAY: f64 = 3.0;
/// What such a pair is called: nobody said anything about it.
const APART: &str = "apart";
/// Authors are left out in so many groups, a few at a time.
const GROUPS: usize = 8;

#[derive(Deserialize)]
struct Row {
    old: String,
    new: String,
    label: String,
}

/// A pair with what its author says about it.
struct Pair {
    author: String,
    /// The group its author is left out with.
    group: usize,
    /// Whether what is new in it is said in the words of the old.
    is_plain: bool,
    seen: Vec<String>,
    kinship: Kinship,
    /// How near the nearest other statement is that was there before.
    next: f64,
    label: String,
    /// Whether it is among the strangers that tell what a change is.
    is_few: bool,
}

impl Pair {
    fn replaces(&self) -> bool {
        self.label == "replaces"
    }

    fn is_apart(&self) -> bool {
        self.label == APART
    }

    /// Whether somebody wrote it as one that both hold of.
    fn holds(&self) -> bool {
        !self.replaces() && !self.is_apart()
    }
}

/// What was fitted: by words alone, and by words and meanings.
struct Fitted {
    change: String,
    suspect: String,
}

/// What both say of a pair whose author they have not seen.
struct Judged<'p> {
    pair: &'p Pair,
    change: f64,
    suspect: f64,
}

type Odds = fn(&Judged<'_>) -> f64;

/// Says how the shipped procedure does on authors it has not seen.
pub(crate) fn run(_: &Context) -> Result<Report, Failure> {
    let pairs = read()?;
    let left_out = |group: usize| {
        let fitted = Fitted::of(&pairs.iter().filter(|pair| pair.group != group).collect::<Vec<_>>());
        let (change, suspect) = (ChangeOdds::read(&fitted.change), SuspectOdds::read(&fitted.suspect));
        let judged = pairs.iter().filter(|pair| pair.group == group).map(|pair| {
            let suspicion = suspicion(change.of_any_words(&pair.seen), &pair.kinship, pair.next);
            Judged { pair, change: change.of(&pair.seen), suspect: suspect.of(&suspicion) }
        });
        judged.collect::<Vec<_>>()
    };
    let judged: Vec<Judged<'_>> = (0..GROUPS).into_par_iter().flat_map_iter(left_out).collect();
    let mut report = Report::default();
    report.set("pairs", pairs.iter().filter(|pair| !pair.is_apart()).count());
    let mut by_author: BTreeMap<&str, Vec<&Judged<'_>>> = BTreeMap::new();
    for row in &judged {
        by_author.entry(&row.pair.author).or_default().push(row);
    }
    for (author, rows) in &by_author {
        let (name, odds): (&str, Odds) = match rows.iter().all(|row| row.pair.is_plain) {
            true => ("noticed", |row| row.change),
            false => ("suspected", |row| row.suspect),
        };
        report.set_number(&format!("{author}.{name}"), share(rows, Pair::replaces, odds));
        report.set_number(&format!("{author}.false"), share(rows, Pair::holds, odds));
    }
    let questions: [(&str, bool, f64, Odds); 3] = [
        ("noticed", true, FALSE_SHARE, |row| row.change),
        ("suspected", false, SUSPECTED_SHARE, |row| row.suspect),
        ("suspected.plain", true, SUSPECTED_SHARE, |row| row.suspect),
    ];
    for (name, is_plain, bar, odds) in questions {
        let all: Vec<&Judged<'_>> = judged.iter().filter(|row| row.pair.is_plain == is_plain).collect();
        report.set_number(name, share(&all, Pair::replaces, odds));
        report.set_number(&format!("{name}.false"), share(&all, Pair::holds, odds));
        for label in ["partly", "adds", "same", "beside", APART] {
            let rate = share(&all, |pair| pair.label == label, odds);
            report.set_number(&format!("{name}.false.{label}"), rate);
        }
        let asked = all.iter().filter(|row| !row.pair.is_apart());
        let mut sums: Vec<(f64, bool)> = asked.map(|row| (odds(row), row.pair.replaces())).collect();
        report.set_number(&format!("{name}@{bar}"), kept_at(&mut sums, bar));
    }
    Ok(report)
}

/// Writes the table of words that ships, from all pairs, where `--dump` says.
pub(crate) fn run_fit(context: &Context) -> Result<Report, Failure> {
    let pairs = read()?;
    write(context, &pairs, &change(pairs.iter()))
}

/// Writes the table of suspicions that ships, from all pairs, where `--dump` says.
pub(crate) fn run_suspect_fit(context: &Context) -> Result<Report, Failure> {
    let pairs = read()?;
    write(context, &pairs, &suspect(&pairs.iter().collect::<Vec<_>>()))
}

fn write(context: &Context, pairs: &[Pair], table: &str) -> Result<Report, Failure> {
    let mut report = Report::default();
    report.set("pairs", pairs.len());
    report.set("rows", table.lines().count());
    context.dump_text(table)?;
    Ok(report)
}

/// The share of such pairs that is taken for a change.
fn share(rows: &[&Judged<'_>], is: impl Fn(&Pair) -> bool, odds: impl Fn(&Judged<'_>) -> f64) -> f64 {
    let of: Vec<f64> = rows.iter().filter(|row| is(row.pair)).map(|row| odds(row)).collect();
    of.iter().filter(|odds| **odds >= 0.0).count() as f64 / of.len().max(1) as f64
}

fn read() -> Result<Vec<Pair>, Failure> {
    let vocabulary = Vocabulary::default();
    let statement = |text: &str, at: &str| Statement {
        voice: Voice::Person,
        at: at.parse().ok(),
        ..Statement::plain(text, Kind::Fact)
    };
    let mut out = Vec::new();
    let plain = files("pairs")?.into_iter().map(|file| (file, true));
    let reworded = files("reworded")?.into_iter().map(|file| (file, false));
    for (number, ((author, file), is_plain)) in plain.chain(reworded).enumerate() {
        let rows = lines::<Row>(&file)?;
        for (at, row) in rows.iter().enumerate() {
            let others = (1..=STRANGERS).filter_map(|step| {
                let other = &rows[(at + step * rows.len() / (STRANGERS + 1)) % rows.len()].old;
                let is_few = step.is_multiple_of(STRANGERS / FEW_STRANGERS);
                (*other != row.old).then_some((other.as_str(), APART, is_few))
            });
            let known: Vec<(&str, &str, bool)> =
                [(row.old.as_str(), row.label.as_str(), true)].into_iter().chain(others).collect();
            let kinships: Vec<Kinship> =
                known.iter().map(|(old, ..)| kinship(old, &row.new, &vocabulary)).collect();
            for (at, ((old, label, is_few), kinship)) in known.iter().zip(&kinships).enumerate() {
                let others = kinships.iter().enumerate().filter(|(other, _)| *other != at);
                out.push(Pair {
                    author: author.clone(),
                    group: number % GROUPS,
                    is_plain,
                    seen: seen_of_pair(
                        &statement(old, "2026-01-01T00:00:00Z"),
                        &statement(&row.new, "2026-02-01T00:00:00Z"),
                    ),
                    kinship: *kinship,
                    next: others.map(|(_, other)| other.nearness()).fold(0.0, f64::max),
                    label: (*label).to_owned(),
                    is_few: *is_few,
                });
            }
        }
    }
    Ok(out)
}

impl Fitted {
    fn of(pairs: &[&Pair]) -> Fitted {
        Fitted { change: change(pairs.iter().copied()), suspect: suspect(pairs) }
    }
}

/// Fits what the words of a pair say: where new speaks in the words of old, and in whatever words it does.
fn change<'p>(pairs: impl Iterator<Item = &'p Pair>) -> String {
    let example = |pair: &'p Pair| Example {
        author: &pair.author,
        seen: &pair.seen,
        answers: vec![pair.is_plain.then_some(pair.replaces()), Some(pair.replaces())],
        importance: 1.0,
    };
    let examples: Vec<Example<'_>> = pairs.filter(|pair| pair.is_few).map(example).collect();
    table(&examples, 2, DECAY)
}

/// Fits what the words of a pair and its meanings say together; what the words say comes from authors left out.
fn suspect(pairs: &[&Pair]) -> String {
    let judge = |group: usize| {
        let others = change(pairs.iter().copied().filter(|pair| pair.group != group));
        let odds = ChangeOdds::read(&others);
        let own = pairs.iter().copied().filter(|pair| pair.group == group);
        own.map(|pair| (pair, suspicion(odds.of_any_words(&pair.seen), &pair.kinship, pair.next)))
            .collect::<Vec<_>>()
    };
    let seen: Vec<(&Pair, Vec<String>)> = (0..GROUPS).into_par_iter().flat_map_iter(judge).collect();
    let examples: Vec<Example<'_>> = seen
        .iter()
        .map(|(pair, seen)| Example {
            author: &pair.author,
            seen,
            answers: vec![Some(pair.replaces())],
            importance: 1.0,
        })
        .collect();
    table(&examples, 1, DECAY)
}
