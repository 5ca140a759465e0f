//! Whether a real store of signals is read whole, found again by the sensors, and turned into lessons.
//! `--model CMD` has a command word them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lore_core::{Severity, SignalType};
use lore_distill::sense::Sensed;
use lore_distill::sense::plan::{PlanPapers, sense_plan, sense_verification};
use lore_engine::reflection::ReflectOptions;
use lore_engine::{Engine, InitOptions, World};
use serde::Serialize;
use tempfile::TempDir;

use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::curator::write_editor;
use crate::suites::files_below;

/// A lesson, for whoever grades it.
#[derive(Serialize)]
struct Row {
    id: String,
    title: String,
    lesson: String,
    applies: String,
    recommendation: String,
    category: String,
    confidence: String,
    evidence: Vec<String>,
    places: usize,
}

/// A signal of the store as it was written there.
struct Original {
    severity: String,
    signal_type: String,
    method: String,
    phase: String,
    plan: String,
    positive: bool,
}

/// Imports each store with signals, reflects, and compares the plans with what was noticed then.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    let mut rows: Vec<Row> = Vec::new();
    for (name, folder) in context.unpacked("stores")? {
        let Some(store) = knowledge(&folder) else { continue };
        let originals = originals(&store);
        if originals.len() < 10 {
            continue;
        }
        let scratch = TempDir::with_prefix("lore-evals-reflect-")?;
        if let Some(command) = &context.model {
            write_editor(&scratch.path().join("home"), &command.to_string_lossy())?;
        }
        let world = World {
            now: "2026-05-01T12:00:00Z".parse()?,
            directory: scratch.path().to_owned(),
            variables: BTreeMap::from([
                ("HOME".to_owned(), scratch.path().join("home").display().to_string()),
                ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default()),
                ("LORE_USER".to_owned(), "reader".to_owned()),
            ]),
        };
        let project = Some(scratch.path().to_owned());
        Engine::init(&world, &InitOptions { project, ..InitOptions::default() })?;
        let engine = Engine::open(world)?;
        engine.import(&store, false)?;
        let signals = engine.signals(&lore_engine::signals::SignalFilter {
            archived: true,
            ..lore_engine::signals::SignalFilter::default()
        })?;
        report.set("signals", signals.len());
        report.set("originals", originals.len());
        let count = |severity: Severity| signals.iter().filter(|one| one.severity == Some(severity)).count();
        let told =
            |words: &[&str]| originals.iter().filter(|one| words.contains(&one.severity.as_str())).count();
        report.set("critical", count(Severity::Critical));
        let kept = count(Severity::Critical) == told(&["critical"])
            && count(Severity::High) == told(&["high"])
            && count(Severity::Medium) == told(&["medium", "notable"]);
        report.set("severity_kept", kept);
        found_again(&folder, &originals, &mut report);
        let editor = context.model.as_ref().map(|_| engine.editor("asked")).transpose()?;
        let reflected = engine.reflect_with(&ReflectOptions::default(), editor.as_deref())?;
        if let Some(wording) = &reflected.wording {
            report.set("worded.asked", wording.asked);
            report.set("worded.taken", wording.worded);
            report.set("worded.none", wording.none.len());
            report.set("worded.tokens_in", wording.tokens_in);
            report.set("worded.tokens_out", wording.tokens_out);
            for kept in &wording.kept {
                eprintln!("not taken: {}: {}", kept.title, kept.why);
            }
        }
        report.set("lessons", reflected.lessons.len());
        report.set("largest", reflected.largest);
        report.set("unclear", reflected.unclear.len());
        let one_place = reflected.lessons.iter().filter(|line| line.places < 2).count();
        report.set("from_one_place", one_place);
        report.set("never_acted_on", reflected.never_acted_on.len());
        let again = engine.reflect(&ReflectOptions::default())?;
        report.set("repeated", again.lessons.iter().filter(|line| line.change == "new").count());
        report.set("store", name);
        rows.extend(reflected.lessons.into_iter().map(|line| Row {
            id: line.id,
            title: line.title,
            lesson: line.lesson,
            applies: line.applies,
            recommendation: line.recommendation,
            category: line.category,
            confidence: line.confidence.to_string(),
            evidence: line.evidence,
            places: line.places,
        }));
    }
    context.dump(&rows)?;
    Ok(report)
}

/// Finds the knowledge folder of a store.
fn knowledge(folder: &Path) -> Option<std::path::PathBuf> {
    let below = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    std::iter::once(folder.to_owned())
        .chain(below)
        .map(|place| place.join("knowledge"))
        .find(|place| place.join("signals").is_dir())
}

fn originals(store: &Path) -> Vec<Original> {
    let files = files_below(&store.join("signals")).unwrap_or_default();
    let texts = files.iter().filter(|path| path.extension().is_some_and(|e| e == "md"));
    texts
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .map(|text| {
            let field = |key: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
                line.unwrap_or_default().trim().trim_matches(['"', '\'']).to_lowercase()
            };
            Original {
                severity: field("severity"),
                signal_type: field("signal_type"),
                method: field("detection_method"),
                phase: field("phase"),
                plan: field("plan"),
                positive: field("polarity") == "positive" || field("signal_category") == "positive",
            }
        })
        .collect()
}

/// Counts which automatic signals about a plan the plan sensor notices again, from the same papers.
fn found_again(folder: &Path, originals: &[Original], report: &mut Report) {
    let mut raised: BTreeMap<(String, String), Vec<Sensed>> = BTreeMap::new();
    let files = files_below(folder).unwrap_or_default();
    let name =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let summaries: BTreeSet<std::path::PathBuf> =
        files.iter().filter(|path| name(path).ends_with("-SUMMARY.md")).cloned().collect();
    let (mut pairs, mut deviations) = (0, 0);
    for path in &files {
        let file = name(path);
        let number = |name: &str| {
            let folder = path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
            let digits =
                |text: &str| text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect::<String>();
            (digits(&folder.unwrap_or_default()), name.rsplit('-').next().unwrap_or_default().to_owned())
        };
        if let Some(stem) = file.strip_suffix("-PLAN.md") {
            let (phase, plan) = number(stem);
            let planned = std::fs::read_to_string(path).unwrap_or_default();
            let beside = path.with_file_name(format!("{stem}-SUMMARY.md"));
            let summary =
                summaries.contains(&beside).then(|| std::fs::read_to_string(&beside).ok()).flatten();
            pairs += usize::from(summary.is_some());
            let papers = PlanPapers {
                phase: &phase,
                plan: &plan,
                planned: &planned,
                summary: summary.as_deref(),
                is_passed_over: summary.is_none(),
            };
            let found = sense_plan(&papers);
            deviations += found.iter().filter(|one| one.signal_type == SignalType::Deviation).count();
            raised.entry((plain(&phase), plain(&plan))).or_default().extend(found);
        } else if let Some(stem) = file.strip_suffix("-VERIFICATION.md") {
            let (phase, _) = number(stem);
            let text = std::fs::read_to_string(path).unwrap_or_default();
            raised
                .entry((plain(&phase), String::new()))
                .or_default()
                .extend(sense_verification(&phase, &text));
        }
    }
    report.set("pairs", pairs);
    report.set("deviations", deviations);
    let is_automatic = |one: &&Original| {
        matches!(one.method.as_str(), "automated" | "sensor-artifact")
            && matches!(one.signal_type.as_str(), "deviation" | "struggle")
            && !one.positive
            && !plain(&one.plan).is_empty()
            && plain(&one.plan) != "0"
    };
    let (mut found, mut all) = (0, 0);
    for one in originals.iter().filter(is_automatic) {
        let key = (plain(&one.phase), plain(&one.plan));
        // A signal about a plan that is not in the store cannot be found there.
        let Some(sensed) = raised.get(&key) else { continue };
        all += 1;
        found += usize::from(sensed.iter().any(|signal| !signal.is_positive));
    }
    report.set("automatic", all);
    #[allow(clippy::cast_precision_loss, reason = "there are few")]
    report.set_number("found_again", if all == 0 { 0.0 } else { found as f64 / all as f64 });
}

/// Writes a number of a phase or plan in one way.
fn plain(number: &str) -> String {
    let digits: String = number
        .trim()
        .rsplit('-')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '.')
        .collect();
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() && !digits.is_empty() { "0".to_owned() } else { trimmed.to_owned() }
}
