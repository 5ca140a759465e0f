//! Everything the floor could look at, so that it can be set by measuring.

use std::path::Path;
use std::sync::Arc;

use lore_core::Moment;
use lore_core::meaning::StaticTable;
use lore_core::recall::Query;
use lore_engine::Engine;
use lore_surface::{Index, PassageQuery};
use serde_json::{Value, json};

use super::{Question, bootstrapped, unrelated};
use crate::context::{Context, Failure};
use crate::report::Report;

/// Writes the best entries and passages for every prompt, with what speaks for each.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let questions: Vec<Question> = context.json_lines("gold/qa.jsonl")?;
    let others = context.json_lines("retrieval/dev.jsonl.gz")?;
    let unrelated = unrelated(&others);
    let mut rows = Vec::new();
    for (corpus, folder) in context.unpacked("transcripts")? {
        let asked: Vec<&Question> = questions.iter().filter(|question| question.corpus == corpus).collect();
        if asked.is_empty() {
            continue;
        }
        let scratch = tempfile::tempdir()?;
        let kept = context.setting_text("base").map(|base| Path::new(base).join(&corpus));
        let project = kept.unwrap_or_else(|| scratch.path().to_owned());
        let engine = bootstrapped(&project, &folder, &asked)?;
        let index = open(&engine)?;
        let today = Moment::Instant(engine.world().now);
        let prompts = asked
            .iter()
            .map(|question| {
                let kind = if question.answer.is_some() { "question" } else { "null" };
                (kind, question.id.clone(), question.question.clone(), question.accept.clone())
            })
            .chain(
                unrelated
                    .iter()
                    .enumerate()
                    .map(|(number, text)| ("unrelated", number.to_string(), text.clone(), Vec::new())),
            );
        for (kind, id, prompt, accept) in prompts {
            let mut row = features(&index, &prompt, today)?;
            row["corpus"] = corpus.clone().into();
            row["kind"] = kind.into();
            row["id"] = id.into();
            row["prompt"] = prompt.into();
            row["accept"] = accept.into();
            rows.push(row);
        }
    }
    let mut report = Report::default();
    report.set("prompts", rows.len());
    context.dump(&rows)?;
    Ok(report)
}

fn open(engine: &Engine) -> Result<Index, Failure> {
    // Any question brings the index into step.
    engine.query(&Query::text("everything"))?;
    Ok(Index::open(&engine.index_location()?, Some(Arc::new(StaticTable::shipped())))?)
}

fn features(index: &Index, prompt: &str, today: Moment) -> Result<Value, Failure> {
    let snapshot = index.snapshot();
    let mut entries = Vec::new();
    for hit in snapshot.search(&Query { limit: Some(15), ..Query::text(prompt) }, today)? {
        let body = snapshot.card(hit.id.as_str())?.map(|card| card.entry.body).unwrap_or_default();
        entries.push(json!({
            "id": hit.id, "kind": hit.kind, "title": hit.title, "status": hit.status, "score": hit.score,
            "parts": hit.parts, "matched": hit.matched, "snippet": hit.snippet, "body": body,
        }));
    }
    let mut said = Vec::new();
    for hit in snapshot.said(&PassageQuery { limit: Some(40), ..PassageQuery::text(prompt) })? {
        said.push(json!({
            "score": hit.score, "matched": hit.matched, "voice": hit.passage.voice, "at": hit.passage.at,
            "text": hit.passage.text, "session": hit.passage.session, "line": hit.passage.line,
        }));
    }
    let options = lore_surface::AskOptions {
        today,
        budget: 500,
        as_of: None,
        projects: Vec::new(),
        own_names: Vec::new(),
    };
    let answer = lore_surface::answer(&snapshot, prompt, &options)?;
    Ok(json!({ "entries": entries, "said": said, "abstained": answer.abstained, "why": answer.why,
        "answer": answer.passages }))
}
