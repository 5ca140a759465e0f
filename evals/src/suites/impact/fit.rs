//! Fits how much each signal counts: for each changed file, its share beside all that were not changed
//! (softmax), every project left out once.

use std::collections::BTreeSet;

use lore_engine::World;
use lore_ground::freshness::Project;
use lore_ground::scan::{COUNT, ImpactWeights, Log, NAMES, Outlines, ScanRequest, TIES, signals};
use serde::Serialize;

use super::stage::Stage;
use super::{Tally, records};
use crate::context::{Context, Failure};
use crate::report::Report;

/// Of files that nothing speaks for only so many are kept, the likeliest by the first look.
const KEPT: usize = 600;

/// So much of what was set by hand for the first look is the beginning of the second.
const PRIOR: f64 = 0.6;

/// One design: the signals of its files.
struct Example {
    id: String,
    repo: String,
    variant: &'static str,
    truth: Vec<String>,
    files: Vec<(String, [f32; COUNT])>,
    /// Which of them were changed.
    changed: Vec<usize>,
}

#[derive(Serialize)]
struct Row<'e> {
    id: &'e str,
    repo: &'e str,
    variant: &'static str,
    truth: usize,
    changed: &'e [usize],
    files: Vec<&'e str>,
    signals: Vec<&'e [f32]>,
}

/// Fits, reports what to expect on projects that were left out, and writes the weights with `--dump`.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let examples = examples(context)?;
    if context.setting_text("rows").is_some() {
        let rows: Vec<Row<'_>> = examples
            .iter()
            .map(|example| Row {
                id: &example.id,
                repo: &example.repo,
                variant: example.variant,
                truth: example.truth.len(),
                changed: &example.changed,
                files: example.files.iter().map(|(path, _)| path.as_str()).collect(),
                signals: example.files.iter().map(|(_, signals)| signals.as_slice()).collect(),
            })
            .collect();
        context.dump(&rows)?;
        return Ok(Report::default());
    }
    let decay = context.setting("decay-percent", 50) as f64 / 100.0;
    let projects: BTreeSet<&str> = examples.iter().map(|example| example.repo.as_str()).collect();
    let mut tallies: [(&str, Tally); 3] =
        ["commits", "text", "text_nopath"].map(|name| (name, Tally::default()));
    for project in &projects {
        let seen: Vec<&Example> = examples.iter().filter(|example| example.repo != *project).collect();
        let weights = fit(&seen, decay);
        for example in examples.iter().filter(|example| example.repo == *project) {
            let ranked = ranked(example, &weights);
            for (name, tally) in &mut tallies {
                if *name == example.variant {
                    tally.count(&example.truth, &ranked);
                }
            }
        }
    }
    let mut report = Report::default();
    report.set("projects", projects.len());
    for (name, tally) in &tallies {
        tally.put(&mut report, &format!("left_out.{name}"));
    }
    let all = fit(&examples.iter().collect::<Vec<_>>(), decay);
    let lines = NAMES.iter().zip(all).map(|(name, weight)| format!("{name} = {:.2}", weight + 0.0));
    context.dump_text(&format!("[all]\n{}\n", lines.collect::<Vec<_>>().join("\n")))?;
    Ok(report)
}

fn ranked(example: &Example, weights: &[f64; COUNT]) -> Vec<String> {
    let mut order: Vec<(f64, usize)> =
        example.files.iter().enumerate().map(|(at, (_, signals))| (weigh(weights, signals), at)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().take(50).map(|(_, at)| example.files[at].0.clone()).collect()
}

fn examples(context: &Context) -> Result<Vec<Example>, Failure> {
    let weights = ImpactWeights::shipped();
    let mut found = Vec::new();
    let mut stage: Option<Stage> = None;
    let (mut outlines, mut log) = (Outlines::default(), Log::default());
    for record in records(context)? {
        if stage.as_ref().is_none_or(|stage| stage.repo != record.repo) {
            stage = Stage::open(context, &record.repo)?;
            (outlines, log) = (Outlines::default(), Log::default());
        }
        let Some(stage) = stage.as_ref().filter(|stage| stage.repo == record.repo) else { continue };
        stage.check_out(&record.parent_commit)?;
        log.follow(stage.root());
        let history = log.history();
        let variants = if record.is_commit() {
            vec![("commits", record.text.as_str())]
        } else {
            vec![("text", record.text.as_str()), ("text_nopath", record.text_nopath.as_str())]
        };
        for (variant, text) in variants {
            let project = Project::new(stage.root());
            let now = i64::try_from(World::real()?.now.as_nanosecond())?;
            let request = ScanRequest {
                project: &project,
                text,
                history: &&history,
                limit: 50,
                now,
                is_own: &|_, _| false,
                time_is_up: &|| false,
            };
            let mut files = signals(&request, &mut outlines, weights);
            let first = |signals: &[f32; COUNT]| {
                weigh(&weights.first, signals) + f64::from(signals[TIES..].iter().sum::<f32>())
            };
            files.sort_by(|a, b| first(&b.1).total_cmp(&first(&a.1)).then_with(|| a.0.cmp(&b.0)));
            let is_changed = |path: &String| record.changed_existing.contains(path);
            let far: Vec<(String, [f32; COUNT])> =
                files.iter().skip(KEPT).filter(|(path, _)| is_changed(path)).cloned().collect();
            files.truncate(KEPT);
            files.extend(far);
            let changed = files
                .iter()
                .enumerate()
                .filter(|(_, (path, _))| is_changed(path))
                .map(|(at, _)| at)
                .collect();
            found.push(Example {
                id: record.id.clone(),
                repo: record.repo.clone(),
                variant,
                truth: record.changed_existing.clone(),
                files,
                changed,
            });
        }
    }
    Ok(found)
}

/// Gradient descent with momentum; weights are pulled towards those that were set by hand.
///
/// Each changed file is held against the files that were not changed: against each other changed files must
/// not compete, or a file that is named would count against those that are not.
fn fit(examples: &[&Example], decay: f64) -> [f64; COUNT] {
    let prior = ImpactWeights::shipped().first.map(|weight| PRIOR * weight);
    let mut weights = prior;
    let mut speed = [0.0; COUNT];
    let examples: Vec<&&Example> = examples.iter().filter(|example| !example.changed.is_empty()).collect();
    // Each design counts alike. Were it each project, two odd designs of one would weigh as much as fifty of another.
    let alike = 1.0 / (examples.len() as f64).max(1.0);
    for _ in 0..400 {
        let mut slope = [0.0; COUNT];
        for example in &examples {
            let sums: Vec<f64> = example.files.iter().map(|(_, signals)| weigh(&weights, signals)).collect();
            let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let raised: Vec<f64> = sums.iter().map(|sum| (sum - best).exp()).collect();
            let is_changed: Vec<bool> = (0..raised.len()).map(|at| example.changed.contains(&at)).collect();
            let others: f64 =
                raised.iter().zip(&is_changed).filter(|(_, changed)| !**changed).map(|(one, _)| one).sum();
            let share = alike / example.changed.len() as f64;
            let missed: Vec<f64> = example.changed.iter().map(|at| others / (others + raised[*at])).collect();
            let all_missed: f64 = missed.iter().sum::<f64>() / others.max(f64::MIN_POSITIVE);
            for (((_, signals), raised), changed) in example.files.iter().zip(&raised).zip(&is_changed) {
                if !changed {
                    for (slope, signal) in slope.iter_mut().zip(signals) {
                        *slope += share * all_missed * raised * f64::from(*signal);
                    }
                }
            }
            for (at, missed) in example.changed.iter().zip(&missed) {
                for (slope, signal) in slope.iter_mut().zip(&example.files[*at].1) {
                    *slope -= share * missed * f64::from(*signal);
                }
            }
        }
        for at in 0..COUNT {
            speed[at] = 0.9 * speed[at] + slope[at] + decay * 0.08 * (weights[at] - prior[at]);
            weights[at] -= 0.5 * speed[at];
        }
    }
    weights
}

fn weigh(weights: &[f64; COUNT], signals: &[f32; COUNT]) -> f64 {
    weights.iter().zip(signals).map(|(weight, signal)| weight * f64::from(*signal)).sum()
}
