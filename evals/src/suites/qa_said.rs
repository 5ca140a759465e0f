//! Questions asked of past sessions alone, before anything was curated.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lore_capture::{ReadOptions, read_path};
use lore_core::{Moment, Session};
use lore_surface::{
    AskOptions, Index, Level, Location, Passage, PassageQuery, Quote, StaticTable, answer, passages,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::capture::files_below;

#[derive(Debug, Deserialize)]
struct Question {
    id: String,
    corpus: String,
    question: String,
    answer: Option<String>,
    accept: Vec<String>,
    #[serde(default)]
    reject: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Dumped {
    id: String,
    budget: usize,
    abstained: bool,
    why: String,
    answered: bool,
    stale: bool,
    passages: Vec<Quote>,
}

/// Asks every question of every corpus.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let questions: Vec<Question> = context.json_lines("gold/qa.jsonl")?;
    let mut report = Report::default();
    let mut dumped = Vec::new();
    for (corpus, folder) in context.unpacked("transcripts")? {
        let asked: Vec<&Question> = questions.iter().filter(|question| question.corpus == corpus).collect();
        if !asked.is_empty() {
            let (index, latest) = indexed(&folder)?;
            ask_all(&corpus, &asked, &index, latest, &mut report, &mut dumped)?;
        }
    }
    context.dump(&dumped)?;
    Ok(report)
}

fn ask_all(
    corpus: &str,
    asked: &[&Question],
    index: &Index,
    today: Moment,
    report: &mut Report,
    dumped: &mut Vec<Dumped>,
) -> Result<(), Failure> {
    let snapshot = index.snapshot();
    report.set(&format!("{corpus}.passages"), snapshot.count(Level::Passages));
    let known = asked.iter().filter(|question| question.answer.is_some()).count() as f64;
    let unknown = asked.len() as f64 - known;
    for budget in [500, 2000] {
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for question in asked {
            let options = AskOptions { today, budget, as_of: None, projects: Vec::new() };
            let given = answer(&snapshot, &question.question, &options)?;
            let text: Vec<&str> = given.passages.iter().map(|quote| quote.text.as_str()).collect();
            let answered = question.answer.is_some() && all_match(&question.accept, &text.join("\n\n"))?;
            let mut stale = false;
            for quote in given.passages.iter().filter(|quote| is_current(quote)) {
                stale |= any_matches(&question.reject, &quote.text)?;
            }
            let mut add = |name, right: bool| *sums.entry(name).or_default() += f64::from(u8::from(right));
            add("answered", answered);
            add("answered_unless_abstained", answered && !given.abstained);
            add("stale", stale && question.answer.is_some());
            add("abstained", given.abstained && question.answer.is_none());
            add("wrongly_abstained", given.abstained && question.answer.is_some());
            let raw = raw_text(&snapshot, &question.question, budget)?;
            add("plain", question.answer.is_some() && all_match(&question.accept, &raw)?);
            let (id, abstained, why) = (question.id.clone(), given.abstained, given.why);
            dumped.push(Dumped { id, budget, abstained, why, answered, stale, passages: given.passages });
        }
        for (name, sum) in sums {
            let of = if name == "abstained" { unknown } else { known };
            report.set_number(&format!("{corpus}.{name}@{budget}"), sum / of.max(1.0));
        }
    }
    Ok(())
}

/// Takes whole passages in order until the budget is full, to compare with.
fn raw_text(snapshot: &lore_surface::Snapshot<'_>, question: &str, budget: usize) -> Result<String, Failure> {
    let query = PassageQuery { limit: Some(60), ..PassageQuery::text(question) };
    let mut out = String::new();
    for hit in snapshot.said(&query)? {
        out.push_str(&hit.passage.text);
        out.push_str("\n\n");
        if lore_core::text::tokens(&out) > budget {
            break;
        }
    }
    Ok(out.chars().take(budget * 4).collect())
}

fn is_current(quote: &Quote) -> bool {
    !["superseded", "outdated", "disputed", "earlier"].contains(&quote.status.as_str())
}

fn all_match(patterns: &[String], text: &str) -> Result<bool, Failure> {
    for pattern in patterns {
        if !fancy_regex::Regex::new(&format!("(?i){pattern}"))?.is_match(text)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn any_matches(patterns: &[String], text: &str) -> Result<bool, Failure> {
    for pattern in patterns {
        if fancy_regex::Regex::new(&format!("(?i){pattern}"))?.is_match(text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Indexes every passage of every session below a folder; also returns the last day somebody spoke.
fn indexed(folder: &Path) -> Result<(Index, Moment), Failure> {
    let read: Vec<Vec<Session>> = files_below(folder)?
        .par_iter()
        .map(|file| {
            let mut sessions = Vec::new();
            // A file that is no transcript has nothing to say.
            let _ = read_path(file, &ReadOptions::default(), &mut |session| sessions.push(session));
            sessions
        })
        .collect();
    let mut index = Index::open(&Location::Memory, Some(Arc::new(StaticTable::shipped())))?;
    let mut writer = index.writer()?;
    writer.clear(Level::Passages)?;
    let mut latest: Option<jiff::Timestamp> = None;
    for session in read.into_iter().flatten() {
        let made: Vec<Passage> = passages(&session, None);
        latest = latest.max(made.iter().filter_map(|passage| passage.at).max());
        writer.put_passages(session.id.as_str(), &made)?;
    }
    writer.commit(Level::Passages, "")?;
    writer.finish()?;
    Ok((index, Moment::Instant(latest.unwrap_or(jiff::Timestamp::UNIX_EPOCH))))
}
