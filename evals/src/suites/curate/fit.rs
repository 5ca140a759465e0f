//! Fits what a change is worth beyond its words, and says what to expect of it on another project.
//!
//! Every labelled item of a project arrives in order of time and is held against the nearest earlier
//! ones; a pair counts as changed where somebody labelled it so. What is reported is always the
//! project that was left out.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::{Kind, Voice};
use lore_distill::curate::{Base, Known as _, Statement, Weights, compare};
use serde::Deserialize;

use super::gold::{self, Item};
use super::{created, share};
use crate::context::{Context, Failure};
use crate::report::Report;

/// The features that count; the others only explain.
const FEATURES: [&str; 23] = [
    "another",
    "brief",
    "change_known",
    "change_quote",
    "clause_arriving",
    "clause_known",
    "clause_place",
    "clause_shared",
    "clause_subject",
    "clause_value",
    "days_apart",
    "holds_known",
    "names_old",
    "negated_known",
    "only_arriving",
    "only_known",
    "provisional_new",
    "reason",
    "reports",
    "same_kind",
    "same_session",
    "subject",
    "turned",
];

/// So many earlier items are held against each.
const NEAREST: usize = 12;
/// Pairs that were judged one by one count half of what stands in a stream.
const JUDGED: f64 = 0.5;
/// From these chances on, in log-odds, the fitted sum alone is reported as a change.
const POINTS: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];

struct Example {
    project: String,
    /// The item that arrives.
    new: String,
    features: Vec<f64>,
    changed: bool,
    importance: f64,
    /// Whether it belongs to a stream, which is what figures are taken on.
    stream: bool,
}

/// Fits weights, writes them where asked for with `--dump`, and reports what to expect of them.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut examples = streams(context)?;
    let changed: usize = examples.iter().filter(|example| example.changed).count();
    examples.extend(judged(context)?);
    let decay = context.setting("decay-percent", 330) as f64 / 100.0;
    let projects: BTreeSet<String> =
        examples.iter().filter(|example| example.stream).map(|example| example.project.clone()).collect();
    let mut report = Report::default();
    report.set("examples", examples.len());
    report.set("changed", changed);
    let mut sums = vec![f64::NEG_INFINITY; examples.len()];
    for project in &projects {
        let seen: Vec<&Example> = examples.iter().filter(|example| example.project != *project).collect();
        let weights = fit(&seen, decay);
        for (sum, example) in sums.iter_mut().zip(&examples) {
            if example.project == *project && example.stream {
                *sum = weigh(&weights, &example.features);
            }
        }
    }
    for point in POINTS {
        let mut told: BTreeMap<(&str, &str), (f64, bool)> = BTreeMap::new();
        for (example, sum) in examples.iter().zip(&sums).filter(|(_, sum)| **sum >= point) {
            let best = told.entry((&example.project, &example.new)).or_insert((f64::NEG_INFINITY, false));
            if *sum > best.0 {
                *best = (*sum, example.changed);
            }
        }
        let right = told.values().filter(|(_, changed)| *changed).count() as f64;
        report.set_number(&format!("left_out@{point:.1}.precision"), share(right, told.len() as f64));
        report.set_number(&format!("left_out@{point:.1}.recall"), share(right, changed as f64));
    }
    let fitted = fit(&examples.iter().collect::<Vec<_>>(), decay);
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    let conflict = FEATURES.iter().zip(&fitted).map(|(name, weight)| ((*name).to_owned(), round(*weight)));
    let bias = round(fitted[FEATURES.len()]);
    context.dump(&[Weights { bias, conflict: conflict.collect(), threshold: 1.0, gate: -2.2 }])?;
    Ok(report)
}

/// The labelled items of each project, each with the earlier ones that are nearest to it.
fn streams(context: &Context) -> Result<Vec<Example>, Failure> {
    let items = gold::items(context)?;
    let changes = gold::changes(context, &items)?;
    let conflicts: BTreeSet<(&str, &str)> = changes
        .iter()
        .filter(|change| change.is_conflict())
        .map(|change| (change.old.id.as_str(), change.new.id.as_str()))
        .collect();
    let mut by_project: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items.values() {
        by_project.entry(&item.corpus).or_default().push(item);
    }
    let mut out = Vec::new();
    for (project, mut stream) in by_project {
        stream.sort_by_key(|item| (item.at(), item.session.clone(), item.line));
        let mut base = Base::default();
        let mut earlier: BTreeMap<String, &Item> = BTreeMap::new();
        for new in stream {
            let arriving = statement(new);
            let near = base.similar(&new.statement, 4 * NEAREST).into_iter();
            let mut near: Vec<_> = near
                .filter_map(|entry| earlier.get(entry.id.as_str()).copied())
                .map(|old| (old, compare(&statement(old), &arriving, &base, Weights::shipped())))
                .collect();
            near.sort_by(|a, b| b.1.closeness.total_cmp(&a.1.closeness).then(a.0.id.cmp(&b.0.id)));
            out.extend(near.into_iter().take(NEAREST).map(|(old, judgement)| Example {
                project: project.to_owned(),
                new: new.id.clone(),
                features: picked(&judgement.features),
                changed: conflicts.contains(&(old.id.as_str(), new.id.as_str())),
                importance: 1.0,
                stream: true,
            }));
            for mut entry in created(&new.candidate()) {
                let (plain, mut number) = (entry.id.clone(), 2);
                while base.contains(&entry.id) {
                    entry.id = plain.numbered(number);
                    number += 1;
                }
                earlier.insert(entry.id.as_str().to_owned(), new);
                base.insert(entry);
            }
        }
    }
    Ok(out)
}

#[derive(Deserialize)]
struct JudgedCandidate {
    id: String,
    text: String,
    kind: Option<String>,
    voice: String,
    session: String,
    line: u32,
}

#[derive(Deserialize)]
struct JudgedPair {
    id: String,
    corpus: String,
    old: String,
    new: String,
    relation: String,
}

/// Pairs that somebody judged one by one on other projects, without those that are kept for grading.
fn judged(context: &Context) -> Result<Vec<Example>, Failure> {
    let candidates: Vec<JudgedCandidate> = context.json_lines("judged/candidates.jsonl")?;
    let by_id: BTreeMap<&str, &JudgedCandidate> =
        candidates.iter().map(|one| (one.id.as_str(), one)).collect();
    let pairs: Vec<JudgedPair> = context.json_lines("judged/pairs.jsonl")?;
    let base = Base::default();
    let stated = |one: &JudgedCandidate| Statement {
        kind: one.kind.as_deref().and_then(|kind| kind.parse().ok()).unwrap_or(Kind::Fact),
        voice: if one.voice == "person" { Voice::Person } else { Voice::Agent },
        places: BTreeSet::from([(one.session.clone(), one.line)]),
        ..Statement::plain(one.text.clone(), Kind::Fact)
    };
    let example = |pair: &JudgedPair| {
        let (old, new) = (by_id.get(pair.old.as_str())?, by_id.get(pair.new.as_str())?);
        let judgement = compare(&stated(old), &stated(new), &base, Weights::shipped());
        Some(Example {
            project: pair.corpus.clone(),
            new: pair.id.clone(),
            features: picked(&judgement.features),
            changed: matches!(pair.relation.as_str(), "supersedes" | "contradicts"),
            importance: JUDGED,
            stream: false,
        })
    };
    let seen = pairs.iter().filter(|pair| !gold::KEPT_FOR_GRADING.contains(&pair.corpus.as_str()));
    Ok(seen.filter_map(example).collect())
}

fn picked(features: &BTreeMap<&'static str, f64>) -> Vec<f64> {
    FEATURES.iter().map(|name| features.get(name).copied().unwrap_or(0.0)).collect()
}

/// Makes the statement that is compared.
pub(in crate::suites) fn statement(item: &Item) -> Statement {
    Statement {
        text: item.statement.clone(),
        quote: item.quote.clone(),
        kind: item.kind(),
        voice: item.voice(),
        at: item.at(),
        places: BTreeSet::from([(item.session.clone(), item.line)]),
    }
}

/// Fits a logistic regression by gradient descent with momentum; the last number is the bias.
fn fit(examples: &[&Example], decay: f64) -> Vec<f64> {
    let total: f64 = examples.iter().map(|example| example.importance).sum::<f64>().max(1.0);
    let mut weights = vec![0.0; FEATURES.len() + 1];
    let mut speed = vec![0.0; weights.len()];
    for _ in 0..3000 {
        let mut slope = vec![0.0; weights.len()];
        for example in examples {
            let chance = 1.0 / (1.0 + (-weigh(&weights, &example.features)).exp());
            let error = (chance - f64::from(u8::from(example.changed))) * example.importance / total;
            for (slope, feature) in slope.iter_mut().zip(example.features.iter().chain([&1.0])) {
                *slope += error * feature;
            }
        }
        for (at, weight) in weights.iter_mut().enumerate() {
            let pull = if at < FEATURES.len() { decay * *weight / total } else { 0.0 };
            speed[at] = 0.9 * speed[at] + slope[at] + pull;
            *weight -= 0.2 * speed[at];
        }
    }
    weights
}

fn weigh(weights: &[f64], features: &[f64]) -> f64 {
    let sum: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    sum + weights[features.len()]
}
