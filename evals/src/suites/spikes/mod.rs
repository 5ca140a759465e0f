//! Whether a question that was answered is known again, and workspaces of another tool are taken whole.
//!
//! The first two files of pairs were written before the code that judges them, by the same hand; the second
//! is only counted: nothing was tried on it while building. The third was written when the code stood, in
//! looser words; the parser was later mended for what it showed, and the fourth was written before that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lore_engine::{Engine, InitOptions, World};
use lore_surface::{Fit, Inquiry};
use serde_json::{Value, json};

use crate::context::{Context, Failure};
use crate::report::Report;

const HALVES: [(&str, &str); 4] = [
    ("development", include_str!("pairs-development.txt")),
    ("left_out", include_str!("pairs-left-out.txt")),
    ("afterwards", include_str!("pairs-afterwards.txt")),
    ("fresh", include_str!("pairs-fresh.txt")),
];

/// One pair.
struct Pair<'a> {
    expected: &'a str,
    field: &'a str,
    known: &'a str,
    asked: &'a str,
}

pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    let mut rows = Vec::new();
    for (half, text) in HALVES {
        let pairs = pairs(text)?;
        report.set(half, measure(&pairs, half, &mut rows));
    }
    let right = rows.iter().filter(|row| row["expected"] == row["judged"]).count();
    report.set_number("right", right as f64 / rows.len().max(1) as f64);
    let falsely = rows.iter().filter(|row| row["judged"] == "same" && row["expected"] == "other").count();
    report.set("same_across_technologies", falsely);
    if context.data("stores").is_dir() {
        let mut taken = 0;
        for (name, folder) in context.unpacked("stores")? {
            let store = [folder.clone(), folder.join(&name)];
            if let Some(figures) = store.iter().find_map(|folder| imported(folder).transpose()) {
                let figures = figures?;
                taken += figures["spikes"].as_u64().unwrap_or(0);
                report.set(&format!("stores.{name}"), figures);
            }
        }
        report.set("workspaces", taken);
    }
    context.dump(&rows)?;
    Ok(report)
}

fn pairs(text: &str) -> Result<Vec<Pair<'_>>, Failure> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split(" | ").map(str::trim).collect();
            match columns[..] {
                [expected, field, known, asked] => Ok(Pair { expected, field, known, asked }),
                _ => Err(format!("not four columns: {line}").into()),
            }
        })
        .collect()
}

fn measure(pairs: &[Pair<'_>], half: &str, rows: &mut Vec<Value>) -> Value {
    let (mut right, mut falsely_same, mut by_words) = (0, 0, 0);
    let mut confusion: BTreeMap<String, u32> = BTreeMap::new();
    for pair in pairs {
        let fit = Inquiry::parse(pair.asked).answered_by(&Inquiry::parse(pair.known));
        let judged = match &fit {
            Fit::Full => "same",
            Fit::Part(_) => "part",
            Fit::None => "other",
        };
        right += u32::from(judged == pair.expected);
        falsely_same += u32::from(judged == "same" && pair.expected != "same");
        by_words += u32::from(words_alone(pair) == pair.expected);
        *confusion.entry(format!("{}_as_{judged}", pair.expected)).or_default() += 1;
        rows.push(json!({
            "half": half, "field": pair.field, "expected": pair.expected, "judged": judged,
            "known": pair.known, "asked": pair.asked,
        }));
    }
    let share = |count: u32| f64::from(count) / pairs.len().max(1) as f64;
    json!({
        "pairs": pairs.len(),
        "right": share(right),
        "falsely_same": falsely_same,
        "baseline_words": share(by_words),
        "confusion": confusion,
    })
}

/// The trivial judge: how many words both questions share.
fn words_alone(pair: &Pair<'_>) -> &'static str {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 1)
            .map(str::to_lowercase)
            .collect()
    };
    let (known, asked) = (words(pair.known), words(pair.asked));
    let share = known.intersection(&asked).count() as f64 / known.union(&asked).count().max(1) as f64;
    match share {
        share if share >= 0.75 => "same",
        share if share >= 0.5 => "part",
        _ => "other",
    }
}

/// Imports the workspaces of a store into an empty base, twice.
fn imported(store: &Path) -> Result<Option<Value>, Failure> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().join("home").display().to_string();
    let world = World {
        now: "2026-02-20T12:00:00Z".parse()?,
        directory: folder.path().to_owned(),
        variables: BTreeMap::from([("HOME".to_owned(), home)]),
    };
    let options = InitOptions { project: Some(folder.path().to_owned()), ..InitOptions::default() };
    Engine::init(&world, &options)?;
    let engine = Engine::open(world)?;
    let Ok(first) = engine.import_spikes(store, false) else { return Ok(None) };
    let second = engine.import_spikes(store, false)?;
    let spikes = engine.spikes(None)?;
    let concluded = spikes.iter().filter(|one| one.answer.is_some()).count();
    Ok(Some(json!({
        "taken": first.taken.len(),
        "left": first.left.len(),
        "taken_again": second.taken.len(),
        "spikes": spikes.len(),
        "concluded": concluded,
        "with_a_question": spikes.iter().filter(|one| one.question.is_some()).count(),
    })))
}
