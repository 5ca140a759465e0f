//! Fits the weights of extraction on labelled sessions, with cross-validation by session.

use std::collections::BTreeMap;

use lore_core::{Candidate, Kind, Session};
use lore_distill::extract::{self, Features, Linear, Model, logistic};
use rayon::prelude::*;

use super::gold::{Gold, Labelled, Read};
use super::score::{Extracted, Tally, covers, score, share, whole};
use super::sessions;
use crate::context::{Context, Failure};
use crate::report::Report;

/// One passage with what is known about it.
struct Example {
    features: Features,
    /// From 0 to 1: whether it should be kept.
    target: f64,
    importance: f64,
    kind: Option<Kind>,
}

/// One labelled session with all its passages.
struct Material<'a> {
    labelled: &'a Labelled,
    session: Session,
    examples: Vec<Example>,
}

/// How a model is fitted.
#[derive(Clone, Copy)]
struct Settings {
    /// Strength of the pull towards zero.
    decay: f64,
    rounds: usize,
    folds: usize,
    base: f64,
    per_task: f64,
    /// How much more a noise passage counts than any other.
    noise: f64,
    full: f64,
    /// The precision that the bar must reach under cross-validation.
    wanted_precision: f64,
}

const KINDS: [Kind; 6] =
    [Kind::Decision, Kind::Fact, Kind::Preference, Kind::Architecture, Kind::Limitation, Kind::Event];

/// Fits a model, writes it where it is asked for with `--dump`, and reports what to expect of it.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let gold = Gold::read(context)?;
    let read = sessions(context, &gold)?;
    let settings = Settings {
        decay: context.setting("decay-percent", 300) as f64 / 100.0,
        rounds: context.setting("rounds", 400),
        folds: context.setting("folds", 6),
        base: context.setting("base", 7) as f64,
        per_task: context.setting("per-task-percent", 100) as f64 / 100.0,
        noise: context.setting("noise", 8) as f64,
        full: context.setting("full-percent", 40) as f64 / 100.0,
        wanted_precision: context.setting("precision-percent", 59) as f64 / 100.0,
    };
    let material: Vec<Material<'_>> = read
        .into_par_iter()
        .map(|(labelled, session)| Material {
            examples: examples(&gold, labelled, &session, settings),
            labelled,
            session,
        })
        .collect();
    let mut report = Report::default();
    let all: Vec<&Material<'_>> = material.iter().collect();
    report.set("passages", material.iter().map(|one| one.examples.len()).sum::<usize>());
    let validated = cross_validated(&gold, &all, settings);
    let bar = choose_bar(&validated, settings.wanted_precision);
    for (at, tally) in &validated {
        put(&mut report, &format!("validated@{at:.2}"), tally);
    }
    let mut model = fit(&all, settings);
    model.bar = bar;
    report.set_number("bar", bar);
    put(&mut report, "fitted", &evaluate(&gold, &all, &model));
    for corpus in corpora(&all) {
        let (inside, outside): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.labelled.corpus == corpus);
        if !outside.is_empty() {
            let mut other = fit(&outside, settings);
            other.bar = bar;
            put(&mut report, &format!("unseen {corpus}"), &evaluate(&gold, &inside, &other));
        }
    }
    context.dump_text(&format!("{}\n", serde_json::to_string_pretty(&round(model))?))?;
    Ok(report)
}

fn examples(gold: &Gold, labelled: &Labelled, session: &Session, settings: Settings) -> Vec<Example> {
    let make = |(candidate, features): (Candidate, Features)| {
        let (target, importance, kind) = judge(gold, labelled, &candidate, settings);
        Example { features, target, importance, kind }
    };
    extract::observe(session).into_iter().map(make).collect()
}

/// Says what a passage should have been: kept or not, how much that counts, and of which kind.
fn judge(
    gold: &Gold,
    labelled: &Labelled,
    candidate: &Candidate,
    settings: Settings,
) -> (f64, f64, Option<Kind>) {
    let text = whole(candidate);
    let fooled = gold
        .noise
        .iter()
        .any(|noise| noise.file == labelled.file && covers(candidate, noise.line, &noise.quote));
    if fooled {
        return (0.0, settings.noise, None);
    }
    let mut best: Option<(f64, &str)> = None;
    for item in gold.right(&labelled.file).filter(|item| item.matches(&text)) {
        let close = likeness(&text, &item.quote).max(likeness(&text, &item.statement));
        if best.is_none_or(|(known, _)| close > known) {
            best = Some((close, &item.kind));
        }
    }
    let cut = candidate.evidence.iter().any(|evidence| labelled.cut_lines.contains(&evidence.line));
    match (best, labelled.read) {
        (Some((close, kind)), _) => {
            let target = if close >= 0.4 { 1.0 } else { 0.75 };
            let importance = if close >= 0.4 { 1.5 } else { 0.7 };
            (target, importance, (close >= 0.4).then(|| kind.parse().ok()).flatten())
        }
        (None, Read::Exhaustive) if !cut => (0.0, 1.0, None),
        (None, Read::Full) if !cut => (0.0, settings.full, None),
        (None, _) => (0.0, 0.0, None),
    }
}

/// Returns the share of the label's words that a text has.
fn likeness(text: &str, label: &str) -> f64 {
    let words = |text: &str| -> std::collections::BTreeSet<String> {
        let long = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
        long.map(str::to_lowercase).collect()
    };
    let label = words(label);
    share(label.intersection(&words(text)).count(), label.len())
}

/// Fits the weights for keeping, then those for the kinds.
fn fit(material: &[&Material<'_>], settings: Settings) -> Model {
    let examples: Vec<&Example> = material.iter().flat_map(|one| &one.examples).collect();
    let keep: Vec<(&Features, f64, f64)> =
        examples.iter().map(|one| (&one.features, one.target, one.importance)).collect();
    let typed: Vec<&&Example> = examples.iter().filter(|one| one.kind.is_some()).collect();
    let kinds = KINDS.par_iter().map(|kind| {
        // Rare kinds count for more, or everything would be a decision.
        let of_kind = |kind: Option<Kind>| typed.iter().filter(|one| one.kind == kind).count().max(1);
        let importance = |one: &Example| (1.0 / share(of_kind(one.kind), typed.len())).sqrt() / 2.0;
        let rows: Vec<(&Features, f64, f64)> = typed
            .iter()
            .map(|one| (&one.features, f64::from(u8::from(one.kind == Some(*kind))), importance(one)))
            .collect();
        (*kind, linear(&rows, settings))
    });
    Model {
        keep: linear(&keep, settings),
        kinds: kinds.collect(),
        bar: 0.5,
        base: settings.base,
        per_task: settings.per_task,
    }
}

/// Fits a logistic regression by Adam on the whole batch.
fn linear(rows: &[(&Features, f64, f64)], settings: Settings) -> Linear {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (features, _, importance) in rows {
        for (name, _) in features.iter().filter(|_| *importance > 0.0) {
            *counts.entry(name).or_default() += 1;
        }
    }
    // An observation made only a few times says nothing about sessions to come.
    for (name, _) in counts.into_iter().filter(|(_, count)| *count >= 8) {
        let next = names.len();
        names.insert(name, next);
    }
    let sparse: Vec<(Vec<(usize, f64)>, f64, f64)> = rows
        .iter()
        .filter(|(.., importance)| *importance > 0.0)
        .map(|(features, target, importance)| {
            let known = features.iter().filter_map(|(name, value)| Some((*names.get(name)?, *value)));
            (known.collect(), *target, *importance)
        })
        .collect();
    let total: f64 = sparse.iter().map(|row| row.2).sum::<f64>().max(1.0);
    let size = names.len() + 1;
    let (mut weights, mut first, mut second) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    for round in 1..=settings.rounds {
        let mut gradient = vec![0.0; size];
        for (features, target, importance) in &sparse {
            let sum: f64 =
                weights[size - 1] + features.iter().map(|(at, value)| weights[*at] * value).sum::<f64>();
            let error = (logistic(sum) - target) * importance;
            for (at, value) in features {
                gradient[*at] += error * value;
            }
            gradient[size - 1] += error;
        }
        for at in 0..size {
            let pull = if at + 1 == size { 0.0 } else { settings.decay * weights[at] };
            let slope = (gradient[at] + pull) / total;
            first[at] = 0.9 * first[at] + 0.1 * slope;
            second[at] = 0.99 * second[at] + 0.01 * slope * slope;
            let warm = f64::from(u32::try_from(round).unwrap_or(u32::MAX));
            let corrected = first[at] / (1.0 - 0.9_f64.powf(warm));
            let scale = (second[at] / (1.0 - 0.99_f64.powf(warm))).sqrt() + 1e-9;
            weights[at] -= 0.05 * corrected / scale;
        }
    }
    let named = names.into_iter().map(|(name, at)| (name.to_owned(), weights[at])).collect();
    Linear { offset: weights[size - 1], weights: named }
}

/// Fits on all folds but one, extracts from that one, and adds up, for a range of bars.
fn cross_validated(gold: &Gold, material: &[&Material<'_>], settings: Settings) -> Vec<(f64, Tally)> {
    let bars: Vec<f64> = (10..=30).map(|step| f64::from(step) * 0.02).collect();
    let parts: Vec<Vec<Tally>> = (0..settings.folds)
        .into_par_iter()
        .map(|fold| {
            let (held, rest): (Vec<_>, Vec<_>) =
                material.iter().enumerate().partition(|(index, _)| index % settings.folds == fold);
            let rest: Vec<&Material<'_>> = rest.into_iter().map(|(_, one)| *one).collect();
            let held: Vec<&Material<'_>> = held.into_iter().map(|(_, one)| *one).collect();
            let model = fit(&rest, settings);
            let with = |bar: &f64| evaluate(gold, &held, &Model { bar: *bar, ..model.clone() });
            bars.iter().map(with).collect()
        })
        .collect();
    let sum = |at: usize| parts.iter().fold(Tally::default(), |sum, tallies| sum.plus(&tallies[at]));
    bars.iter().enumerate().map(|(at, bar)| (*bar, sum(at))).collect()
}

fn choose_bar(validated: &[(f64, Tally)], wanted: f64) -> f64 {
    let good = validated.iter().find(|(_, tally)| share(tally.right, tally.judged) >= wanted);
    good.or(validated.last()).map_or(0.5, |(bar, _)| *bar)
}

fn evaluate(gold: &Gold, material: &[&Material<'_>], model: &Model) -> Tally {
    let extracted: Vec<Extracted<'_>> = material
        .iter()
        .map(|one| Extracted {
            session: one.labelled,
            entries: extract::extract_with(model, &one.session)
                .into_iter()
                .filter(Candidate::is_entry)
                .collect(),
        })
        .collect();
    score(gold, &extracted)
}

fn corpora(material: &[&Material<'_>]) -> Vec<String> {
    let mut found: Vec<String> = material.iter().map(|one| one.labelled.corpus.clone()).collect();
    found.sort();
    found.dedup();
    found
}

fn put(report: &mut Report, name: &str, tally: &Tally) {
    report.set(name, tally.line());
}

/// Keeps three digits, so that the file can be read and compared.
fn round(mut model: Model) -> Model {
    let shorten = |linear: &mut Linear| {
        linear.offset = (linear.offset * 1000.0).round() / 1000.0;
        for weight in linear.weights.values_mut() {
            *weight = (*weight * 1000.0).round() / 1000.0;
        }
    };
    shorten(&mut model.keep);
    model.kinds.values_mut().for_each(shorten);
    model
}
