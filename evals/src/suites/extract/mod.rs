//! Whether extraction finds what people would keep, and nothing else.

mod fit;
mod gold;
mod score;

use std::time::Instant;

use lore_capture::ReadOptions;
use lore_core::{Candidate, Session};
use lore_distill::extract::{Model, extract_with};
use rayon::prelude::*;
use serde::Serialize;

use self::gold::{Gold, Labelled};
use self::score::{Extracted, score, share};
use crate::context::{Context, Failure};
use crate::report::Report;

pub(crate) use self::fit::run as run_fit;

#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    title: &'a str,
    text: &'a str,
    r#type: &'a str,
    confidence: &'a str,
    evidence: Vec<u32>,
}

/// Extracts from each labelled session alone and scores the entries.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    run_with(context, Model::built_in())
}

pub(crate) fn run_with(context: &Context, model: &Model) -> Result<Report, Failure> {
    let gold = Gold::read(context)?;
    let read = sessions(context, &gold)?;
    let begun = Instant::now();
    let extracted: Vec<Extracted<'_>> = read
        .par_iter()
        .map(|(labelled, session)| Extracted {
            session: labelled,
            entries: extract_with(model, session).into_iter().filter(Candidate::is_entry).collect(),
        })
        .collect();
    let elapsed = begun.elapsed().as_secs_f64() * 1000.0;
    let tally = score(&gold, &extracted);
    let mut report = Report::default();
    report.set_number("recall", share(tally.found, tally.items));
    report.set_number("recall_selfcontained", share(tally.self_contained, tally.items));
    report.set_number("precision", share(tally.right, tally.judged));
    report.set_number("noise_rate", share(tally.fooled, tally.noise));
    report.set_number("entries_per_session", share(tally.entries, tally.sessions));
    report.set_number("type_accuracy", share(tally.typed_right, tally.typed));
    report.set("sessions", tally.sessions);
    report.set("items", tally.items);
    report.set("judged_entries", tally.judged);
    report.set_number("milliseconds_per_session", elapsed / (tally.sessions.max(1) as f64));
    let rows: Vec<Row<'_>> =
        extracted.iter().flat_map(|one| one.entries.iter().map(|entry| row(one, entry))).collect();
    context.dump(&rows)?;
    Ok(report)
}

fn row<'a>(one: &Extracted<'a>, entry: &'a Candidate) -> Row<'a> {
    Row {
        file: &one.session.file,
        title: &entry.title,
        text: &entry.text,
        r#type: entry.kind.word(),
        confidence: entry.confidence.word(),
        evidence: entry.evidence.iter().map(|evidence| evidence.line).collect(),
    }
}

/// Reads the labelled sessions that can be found.
fn sessions<'a>(context: &Context, gold: &'a Gold) -> Result<Vec<(&'a Labelled, Session)>, Failure> {
    let folders = context.unpacked("transcripts")?;
    let found = gold.sessions.par_iter().filter_map(|labelled| {
        let path = folders.values().map(|folder| folder.join(&labelled.file)).find(|path| path.is_file())?;
        let mut sessions: Vec<Session> = Vec::new();
        lore_capture::read_path(&path, &ReadOptions::default(), &mut |session| sessions.push(session))
            .ok()?;
        // A file with several sessions is labelled as a whole; the longest one is the conversation.
        let longest = sessions.into_iter().max_by_key(|session| session.turns.len())?;
        Some((labelled, longest))
    });
    Ok(found.collect())
}
