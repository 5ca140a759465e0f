//! A short answer in the words that were written or said, with where they stand, or none at all.
//!
//! Curated entries come first, then passages of past sessions. Nothing is rephrased: what is shown
//! can be found word for word at its source. Where the evidence is weak it says that it does not know.

use std::collections::HashSet;

use lore_core::recall::Query;
use lore_core::text::tokens;
use lore_core::{Hit, Moment, Status};
use serde::Serialize;

use crate::index::Level;
use crate::period::{Period, period};
use crate::query::{self, Word};
use crate::reader::{SearchError, Snapshot};
use crate::said::{PassageHit, PassageQuery};
use crate::snippet;
use crate::token;

/// How to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AskOptions {
    /// The day of asking.
    pub today: Moment,
    /// What may be spent, in tokens.
    pub budget: usize,
    /// As things stood at this moment; the question may say so itself.
    pub as_of: Option<Moment>,
    /// Only these projects; all where empty.
    pub projects: Vec<String>,
}

/// What can be said to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The evidence, best first, within the budget.
    pub passages: Vec<Quote>,
    /// Whether the evidence is too weak to call it an answer; the nearest is given all the same.
    pub abstained: bool,
    /// Why it is, or is not, an answer.
    pub why: String,
}

/// Words that were written or said, with their source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quote {
    /// The words.
    pub text: String,
    /// `current`, `disputed`, `outdated`, `superseded`, or `uncurated` for what was only said.
    pub status: String,
    /// The id of the entry, or session and line.
    pub source: String,
    /// `entry` or `passage`.
    pub level: &'static str,
    /// When it was written or said.
    pub at: Option<Moment>,
    /// How well it fits, from 0 to 1.
    pub score: f64,
}

/// How many entries and passages are looked at.
const ENTRIES: usize = 12;
const PASSAGES: usize = 60;
/// A quotation is about this long at most.
const QUOTE: usize = 420;
/// Quotations that share more of their words than this say the same.
const SAME: f64 = 0.6;

/// Answers a question from what is written and said.
pub fn answer(snapshot: &Snapshot<'_>, question: &str, options: &AskOptions) -> Result<Answer, SearchError> {
    let period = options.as_of.map_or_else(
        || period(question, options.today.date()),
        |as_of| Period::Between(as_of.date(), as_of.date()),
    );
    let until = match period {
        Period::Between(_, end) => Some(Moment::Day(end)),
        _ => None,
    };
    let words = query::words(question);
    let hits = snapshot.search(
        &Query { limit: Some(ENTRIES), projects: options.projects.clone(), ..Query::text(question) },
        options.today,
    )?;
    let said = snapshot.said(&PassageQuery {
        limit: Some(PASSAGES),
        projects: options.projects.clone(),
        until,
        ..PassageQuery::text(question)
    })?;
    let (abstained, why) = judge(&hits, &said);
    let mut quotes: Vec<Quote> = Vec::new();
    for hit in hits
        .iter()
        .filter(|hit| until.is_none_or(|until| hit.changed.is_none_or(|at| at.date() <= until.date())))
    {
        let card = snapshot.card(hit.id.as_str())?;
        let body = card.map(|card| snippet::best(&card.entry.body, &words, QUOTE)).unwrap_or_default();
        quotes.push(entry_quote(hit, &body));
    }
    quotes.extend(said.iter().map(|hit| passage_quote(hit, &words)));
    quotes.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(Answer { passages: packed(quotes, options.budget), abstained, why })
}

/// Decides whether the evidence answers the question.
fn judge(hits: &[Hit], said: &[PassageHit]) -> (bool, String) {
    let matches = hits.iter().map(|hit| &hit.matched).chain(said.iter().map(|hit| &hit.matched));
    let (mut covered, mut near) = (0.0f64, 0.0f64);
    for matched in matches {
        covered = covered.max(matched.coverage);
        near = near.max(matched.semantic);
    }
    let sure = covered.max(near);
    if covered == 0.0 && near == 0.0 {
        return (true, "nothing that is written or said has anything to do with it".to_owned());
    }
    let why = format!(
        "the best evidence has words for {:.0} % of the question and is {near:.2} near in meaning",
        covered * 100.0
    );
    (sure < 0.45, why)
}

fn entry_quote(hit: &Hit, body: &str) -> Quote {
    let mut text = hit.title.clone();
    if !body.is_empty() {
        text.push_str(": ");
        text.push_str(body);
    }
    let factor = if matches!(hit.status, Status::Superseded | Status::Outdated) { 0.5 } else { 1.0 };
    Quote {
        text,
        status: hit.status.word().to_owned(),
        source: hit.id.to_string(),
        level: level_word(Level::Entries),
        at: hit.changed,
        score: (hit.matched.lexical * 0.7 + hit.matched.semantic * 0.3 + 0.1) * factor,
    }
}

fn passage_quote(hit: &PassageHit, words: &[Word]) -> Quote {
    let passage = &hit.passage;
    let text = if passage.text.len() <= QUOTE {
        passage.text.clone()
    } else {
        snippet::best(&passage.text, words, QUOTE)
    };
    Quote {
        text,
        status: "uncurated".to_owned(),
        source: passage.source(),
        level: level_word(Level::Passages),
        at: passage.at.map(Moment::Instant),
        score: hit.score,
    }
}

fn level_word(level: Level) -> &'static str {
    match level {
        Level::Entries => "entry",
        Level::Passages => "passage",
    }
}

/// Takes quotations in order while they fit and say something new.
fn packed(quotes: Vec<Quote>, budget: usize) -> Vec<Quote> {
    let mut taken: Vec<(HashSet<String>, Quote)> = Vec::new();
    let mut spent = 0;
    for quote in quotes {
        let cost = tokens(&quote.text);
        let terms: HashSet<String> = token::tokens(&quote.text).into_iter().map(|token| token.term).collect();
        let known = taken.iter().any(|(other, _)| overlap(&terms, other) > SAME);
        if known || terms.is_empty() || spent + cost > budget {
            continue;
        }
        spent += cost;
        taken.push((terms, quote));
    }
    taken.into_iter().map(|(_, quote)| quote).collect()
}

/// Returns what share of the smaller set is in the other.
fn overlap(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let smaller = a.len().min(b.len()).max(1);
    a.intersection(b).count() as f64 / smaller as f64
}
