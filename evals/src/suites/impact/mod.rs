//! Impact: which files a design changes, held against what the next commits really changed.

mod fit;
mod stage;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lore_engine::World;
use lore_engine::impact::{ImpactOptions, impact_at};
use lore_store::derived::Derived;
use serde::{Deserialize, Serialize};

pub(crate) use fit::run as run_fit;

use crate::context::{Context, Failure};
use crate::report::Report;
use stage::Stage;

/// One real change.
#[derive(Debug, Clone, Deserialize)]
struct Record {
    id: String,
    repo: String,
    kind: String,
    parent_commit: String,
    text: String,
    text_nopath: String,
    changed_existing: Vec<String>,
}

impl Record {
    fn is_commit(&self) -> bool {
        self.kind == "commit"
    }
}

#[derive(Debug, Serialize)]
struct Dumped<'r> {
    id: &'r str,
    variant: &'static str,
    files: Vec<String>,
}

/// Sums of one variant.
#[derive(Debug, Default, Clone)]
struct Tally {
    records: f64,
    recall: BTreeMap<usize, f64>,
    precision: BTreeMap<usize, f64>,
    full: f64,
}

const SIZES: [usize; 4] = [5, 10, 20, 50];

impl Tally {
    fn count(&mut self, truth: &[String], files: &[String]) {
        self.records += 1.0;
        for size in SIZES {
            let hits = files.iter().take(size).filter(|file| truth.contains(file)).count() as f64;
            *self.recall.entry(size).or_default() += hits / truth.len().max(1) as f64;
            *self.precision.entry(size).or_default() += hits / size as f64;
            if size == 50 && hits / truth.len().max(1) as f64 >= 0.95 {
                self.full += 1.0;
            }
        }
    }

    fn put(&self, report: &mut Report, name: &str) {
        let all = self.records.max(1.0);
        report.set(&format!("{name}.records"), self.records as usize);
        for size in SIZES {
            report.set_number(&format!("{name}.recall@{size}"), self.recall.get(&size).unwrap_or(&0.0) / all);
        }
        for size in SIZES {
            report.set_number(
                &format!("{name}.precision@{size}"),
                self.precision.get(&size).unwrap_or(&0.0) / all,
            );
        }
        report.set_number(&format!("{name}.full@50"), self.full / all);
    }
}

fn records(context: &Context) -> Result<Vec<Record>, Failure> {
    let mut records: Vec<Record> = context.json_lines("ground/impact.jsonl.gz")?;
    // Together by repository, so that one clone serves them all.
    records.sort_by(|a, b| (&a.repo, &a.id).cmp(&(&b.repo, &b.id)));
    Ok(records)
}

/// Runs the suite with the shipped weights.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let records = records(context)?;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut by_repo: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut dumped, mut missing) = (Vec::new(), Vec::new());
    let (mut cold, mut moved, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let mut stage: Option<Stage> = None;
    for record in &records {
        if stage.as_ref().is_none_or(|stage| stage.repo != record.repo) {
            stage = Stage::open(context, &record.repo)?;
        }
        let Some(stage) = stage.as_ref().filter(|stage| stage.repo == record.repo) else {
            missing.push(record.repo.clone());
            continue;
        };
        stage.check_out(&record.parent_commit)?;
        let kept = Derived::new(stage.kept());
        let variants: &[(&'static str, &str)] = if record.is_commit() {
            &[("commits", &record.text)]
        } else {
            &[("text", &record.text), ("text_nopath", &record.text_nopath)]
        };
        for (variant, text) in variants {
            let options = ImpactOptions { limit: 50, ..ImpactOptions::new(*text) };
            let world = World::real()?;
            let began = Instant::now();
            let impact = impact_at(stage.root(), Some(&kept), &world, &options)?;
            moved.push(began.elapsed());
            let files: Vec<String> = impact.files.into_iter().map(|file| file.path).collect();
            tallies.entry(variant).or_default().count(&record.changed_existing, &files);
            by_repo
                .entry(format!("{variant}.{}", record.repo))
                .or_default()
                .count(&record.changed_existing, &files);
            dumped.push(Dumped { id: &record.id, variant, files });
        }
        // The scans above find another commit than the one before, often years away; this one finds what it left.
        let options = ImpactOptions { limit: 50, ..ImpactOptions::new(record.text.as_str()) };
        let began = Instant::now();
        impact_at(stage.root(), Some(&kept), &World::real()?, &options)?;
        again.push(began.elapsed());
        if stage.is_first(&record.parent_commit) {
            let began = Instant::now();
            impact_at(stage.root(), None, &World::real()?, &options)?;
            cold.push(began.elapsed());
        }
    }
    context.dump(&dumped)?;
    let mut report = Report::default();
    missing.dedup();
    report.set("missing_repositories", missing);
    for (variant, tally) in &tallies {
        tally.put(&mut report, variant);
    }
    for (name, tally) in &by_repo {
        for size in [20, 50] {
            report
                .set_number(&format!("by_project.{name}.recall@{size}"), tally.recall[&size] / tally.records);
        }
    }
    times(&mut report, "seconds.cold", &mut cold);
    times(&mut report, "seconds.another_commit", &mut moved);
    times(&mut report, "seconds.again", &mut again);
    let most = |taken: &[Duration]| taken.iter().max().map_or(0.0, Duration::as_secs_f64);
    report.set_number("cold_seconds", most(&cold));
    report.set_number("warm_seconds", most(&again));
    Ok(report)
}

fn times(report: &mut Report, name: &str, taken: &mut [Duration]) {
    taken.sort();
    let at = |share: f64| {
        taken.get(((taken.len() as f64 - 1.0) * share) as usize).map_or(0.0, Duration::as_secs_f64)
    };
    report.set_number(&format!("{name}.p50"), at(0.5));
    report.set_number(&format!("{name}.max"), at(1.0));
}
