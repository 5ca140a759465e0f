//! Whether friction is noticed where people saw it, and not where it only looks like it.
//!
//! Nothing in the sensors is fitted to weights, so there is nothing to leave out; the patterns were
//! written while looking at these projects, and figures on them are in-sample.

use std::collections::BTreeMap;

use lore_capture::{Keep, ReadOptions};
use lore_core::{Session, SignalType};
use lore_distill::sense::{Configured, Sensed, sense};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cells::{Cells, Good, Headline, Measured};
use crate::context::{Context, Failure};
use crate::report::Report;

/// A raised signal counts for a label within so many records; struggle lasts longer.
const NEAR: u32 = 8;
const NEAR_STRUGGLE: u32 = 40;
/// The kinds that are labelled, with the names of their figures.
const KINDS: [(SignalType, &str, &str); 4] = [
    (SignalType::Frustration, "frustration.precision", "frustration.recall"),
    (SignalType::Struggle, "struggle.precision", "struggle.recall"),
    (SignalType::Deviation, "deviation.precision", "deviation.recall"),
    (SignalType::Config, "config.precision", "config.recall"),
];
const FOOLED: &str = "false_on_lookalikes";

#[derive(Debug, Deserialize)]
struct SessionRow {
    file: String,
    read: String,
}

#[derive(Debug, Deserialize)]
struct Label {
    corpus: String,
    file: String,
    line: u32,
    #[serde(default)]
    signal: Option<String>,
}

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    line: u32,
    signal: &'static str,
    severity: &'static str,
    title: &'a str,
    why: &'a [String],
}

/// One transcript with what was raised in it.
struct Looked {
    corpus: String,
    file: String,
    /// Whether everything in it was labelled.
    is_whole: bool,
    raised: Vec<Sensed>,
}

/// Raises signals in every labelled session and compares.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let rows: Vec<SessionRow> = context.json_lines("gold/sessions.jsonl")?;
    let labels: Vec<Label> = context.json_lines("gold/signals.jsonl")?;
    let alike: Vec<Label> = context.json_lines("gold/nonsignals.jsonl")?;
    let read: BTreeMap<&str, &str> = rows.iter().map(|row| (row.file.as_str(), row.read.as_str())).collect();
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    for label in labels.iter().chain(&alike) {
        files.insert(&label.file, &label.corpus);
    }
    let folders = context.unpacked("transcripts")?;
    for row in &rows {
        files.entry(&row.file).or_insert("");
    }
    let looked: Vec<Looked> = files
        .par_iter()
        .filter_map(|(file, corpus)| {
            let (name, path) = folders
                .iter()
                .map(|(name, folder)| (name, folder.join(file)))
                .find(|(_, path)| path.is_file())?;
            let options = ReadOptions { keep: Keep::Conversation, ..ReadOptions::default() };
            let mut sessions: Vec<Session> = Vec::new();
            lore_capture::read_path(&path, &options, &mut |session| sessions.push(session)).ok()?;
            let longest = sessions.into_iter().max_by_key(|session| session.turns.len())?;
            let corpus = if corpus.is_empty() { name.clone() } else { (*corpus).to_owned() };
            let is_whole = matches!(read.get(file), Some(&("full" | "exhaustive")));
            let raised = sense(&longest, &Configured::default());
            Some(Looked { corpus, file: (*file).to_owned(), is_whole, raised })
        })
        .collect();
    let mut report = Report::default();
    let mut cells = Cells::default();
    for kind in KINDS {
        score(kind, &labels, &looked, &mut cells);
    }
    let of_file = |file: &str| looked.iter().find(|one| one.file == file);
    let mut nearby = 0;
    for label in &alike {
        let Some(one) = of_file(&label.file) else { continue };
        let negative = || one.raised.iter().filter(|signal| !signal.is_positive);
        let raised = negative().any(|signal| signal.line.abs_diff(label.line) <= 1);
        nearby += usize::from(negative().any(|signal| signal.line.abs_diff(label.line) <= NEAR));
        cells.count(FOOLED, &label.corpus, raised);
    }
    let figures = KINDS.into_iter().flat_map(|(_, precision, recall)| [precision, recall]);
    for name in figures {
        cells.write(&Measured { name, good: Good::High, headline: Headline::Pooled }, "", &mut report);
    }
    cells.write(&Measured { name: FOOLED, good: Good::Low, headline: Headline::Pooled }, "", &mut report);
    report.set("projects", cells.by_project());
    report.set("lookalikes_near", nearby);
    report.set("sessions", looked.len());
    report.set("raised", looked.iter().map(|one| one.raised.len()).sum::<usize>());
    let rows: Vec<Row<'_>> =
        looked.iter().flat_map(|one| one.raised.iter().map(|signal| row(&one.file, signal))).collect();
    context.dump(&rows)?;
    Ok(report)
}

fn row<'a>(file: &'a str, signal: &'a Sensed) -> Row<'a> {
    Row {
        file,
        line: signal.line,
        signal: signal.signal_type.word(),
        severity: signal.severity.word(),
        title: &signal.title,
        why: &signal.why,
    }
}

fn score(
    (kind, precision, recall): (SignalType, &str, &str),
    labels: &[Label],
    looked: &[Looked],
    cells: &mut Cells,
) {
    let near = if kind == SignalType::Struggle { NEAR_STRUGGLE } else { NEAR };
    let own: Vec<&Label> =
        labels.iter().filter(|label| label.signal.as_deref() == Some(kind.word())).collect();
    for one in looked {
        let here: Vec<u32> =
            own.iter().filter(|label| label.file == one.file).map(|label| label.line).collect();
        let raised: Vec<u32> =
            one.raised.iter().filter(|signal| signal.signal_type == kind).map(|signal| signal.line).collect();
        for line in &here {
            cells.count(recall, &one.corpus, raised.iter().any(|other| other.abs_diff(*line) <= near));
        }
        if one.is_whole {
            for line in &raised {
                cells.count(precision, &one.corpus, here.iter().any(|other| other.abs_diff(*line) <= near));
            }
        }
    }
}
