//! How much each entry and each passage has to do with the words, on one scale.

use std::collections::{HashMap, HashSet};

use lore_core::recall::Matched;
use lore_core::{Moment, Status, Voice};

use crate::answer::Quote;
pub(super) use crate::answer::overlap;
use crate::chatter::is_chatter;
use crate::clause::{is_comment, plain};
use crate::hearsay::{adopts, is_guess, is_hearsay, is_logged};
use crate::index::Card;
use crate::period::{Period, period};
use crate::query::Word;
use crate::reader::{SearchError, Snapshot};
use crate::said::{PassageHit, PassageQuery};
use crate::score::Scored;
use crate::status::is_status;
use crate::undecided::proposes;
use crate::{snippet, token};

/// A passage is shown as its best sentences, about this long.
const QUOTED: usize = 380;
/// Or, where there is little room, this long.
const GIST: usize = 170;
/// So many passages are looked at.
const PASSAGES: usize = 40;
/// So many of a session's best passages speak for it.
const SPEAKERS: usize = 4;
/// What that is worth.
const HEARD: f64 = 0.4;
/// An entry costs more room than a quotation, so it has to fit better.
const ENTRY: f64 = 0.15;
/// What remains of the weight of an entry that no longer holds.
const REPLACED: f64 = 0.8;

/// Something that may be shown: an entry that was found, or words of a past session.
pub(super) struct Unit {
    pub(super) what: What,
    pub(super) score: f64,
}

pub(super) enum What {
    Entry(Box<Card>),
    Said { quote: Quote, terms: HashSet<String> },
}

/// Says how alike words and meaning are together, from 0 to 1.
///
/// Measured on questions with and without an answer: words part the two best, meaning alone does
/// not, and half of meaning added to words parts them better than either.
pub(crate) fn likeness(matched: &Matched) -> f64 {
    // Without vectors words have to say it all; this puts the same share of prompts below the floor.
    if matched.semantic == 0.0 {
        matched.lexical * 1.28
    } else {
        (matched.lexical + 0.5 * matched.semantic) / 1.5
    }
}

/// Looks for what was said, as things stood where the words name a time.
pub(super) fn said(
    snapshot: &Snapshot<'_>,
    prompt: &str,
    today: Moment,
) -> Result<Vec<PassageHit>, SearchError> {
    let until = match period(prompt, today.date()) {
        Period::Between(_, end) => Some(Moment::Day(end)),
        _ => None,
    };
    let query = PassageQuery { limit: Some(PASSAGES), until, ..PassageQuery::text(prompt) };
    let mut hits = snapshot.said(&query)?;
    // What no longer holds is not put before an agent as if it did, and what somebody pasted not at all.
    hits.retain(|hit| (!hit.superseded || until.is_some()) && hit.passage.voice > Voice::Tool);
    Ok(hits)
}

/// Weighs an entry that was found.
pub(super) fn of_entry(found: Scored) -> Unit {
    let score = weight(&found.matched, found.matched.coverage) - ENTRY;
    let replaced = matches!(found.card.entry.status, Status::Superseded | Status::Outdated);
    Unit { score: if replaced { score * REPLACED } else { score }, what: What::Entry(Box::new(found.card)) }
}

/// Weighs a passage that was found, and quotes its best sentences; nothing where none says anything. Nobody who did not
/// ask is told what a person asked at its end, nor what an agent proposed and a person refused.
pub(super) fn of_passage(hit: &PassageHit, words: &[Word], (unasked, refused): (bool, bool)) -> Option<Unit> {
    let passage = &hit.passage;
    // What an agent said it would do next tells the next one nothing.
    let is_agents = passage.voice != Voice::Person;
    let is_hearsay = |sentence: &str| {
        let is_unsure = || is_guess(sentence) || refused && proposes(sentence);
        is_agents && (is_hearsay(sentence) || is_status(sentence) || unasked && is_unsure())
    };
    let sentences = snippet::sentences(&passage.text);
    // What it will hold to stands beside the announcement that it will.
    let adopted = |at: usize| is_agents && sentences[at..].iter().take(2).any(|sentence| adopts(sentence));
    let tells = |at: &usize| {
        let sentence = sentences[*at];
        !is_chatter(sentence)
            && !is_logged(sentence)
            && !is_comment(sentence)
            && !is_hearsay(sentence)
            && !adopted(*at)
    };
    let mut telling = (0..sentences.len()).filter(tells).collect::<Vec<_>>();
    while unasked && telling.last().is_some_and(|last| plain(sentences[*last]).ends_with('?')) {
        telling.pop();
    }
    let text = with_gaps(&sentences, &telling);
    let text = if text.len() <= QUOTED { text } else { snippet::best(&text, words, QUOTED) };
    let terms = terms(&text);
    if terms.is_empty() {
        return None;
    }
    let lower = text.to_lowercase();
    // Of the words that the whole passage has, the quotation may have lost some.
    let kept = hit.matched.terms.iter().filter(|term| lower.contains(term.as_str())).count();
    let covered = hit.matched.coverage * kept as f64 / hit.matched.terms.len().max(1) as f64;
    // A question is no answer, and code says little to somebody who asks in words.
    let asks = if text.trim_end().ends_with('?') { 0.07 } else { 0.0 };
    let score = weight(&hit.matched, covered) - asks - 1.5 * code(&text);
    let gist = if text.len() > GIST { snippet::best(&text, words, GIST) } else { String::new() };
    let quote = Quote {
        text,
        status: "uncurated".to_owned(),
        unreviewed: false,
        source: passage.source(),
        sequence: passage.sequence,
        level: "passage",
        voice: passage.voice,
        at: passage.at.map(Moment::Instant),
        score,
        gist,
    };
    Some(Unit { what: What::Said { quote, terms }, score })
}

/// Joins sentences that are told; where some between them are not, a sign says so.
fn with_gaps(sentences: &[&str], told: &[usize]) -> String {
    let mut text = String::new();
    for (place, at) in told.iter().enumerate() {
        text.push_str(&plain(sentences[*at]));
        if let Some(next) = told.get(place + 1) {
            text.push_str(if *next > at + 1 { " …\n" } else { "\n" });
        }
    }
    text
}

/// Lifts what was said in a session with much that fits: who talks about something says it there.
pub(super) fn lift_sessions(units: &mut [Unit]) {
    let least = units.iter().map(|unit| unit.score).fold(f64::INFINITY, f64::min);
    let mut heard: HashMap<String, Vec<f64>> = HashMap::new();
    for unit in units.iter() {
        if let Some(session) = unit.session() {
            heard.entry(session.to_owned()).or_default().push(unit.score - least);
        }
    }
    for scores in heard.values_mut() {
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.truncate(SPEAKERS);
    }
    for unit in units.iter_mut() {
        let lift = unit
            .session()
            .and_then(|session| heard.get(session))
            .map(|scores| scores.iter().sum::<f64>() / SPEAKERS as f64);
        unit.score += HEARD * lift.unwrap_or_default();
    }
}

impl Unit {
    /// Tells whether something is so of what it quotes.
    pub(super) fn says(&self, is_so: impl Fn(&str) -> bool) -> bool {
        matches!(&self.what, What::Said { quote, .. } if is_so(&quote.text))
    }

    /// Names the session it was said in.
    fn session(&self) -> Option<&str> {
        match &self.what {
            What::Said { quote, .. } => quote.source.split_once('#').map(|(session, _)| session),
            What::Entry(_) => None,
        }
    }
}

fn weight(matched: &Matched, covered: f64) -> f64 {
    matched.lexical + matched.semantic + 0.5 * covered
}

/// Returns what share of a text are signs that prose does without.
fn code(text: &str) -> f64 {
    let signs = text.chars().filter(|c| matches!(c, '{' | '}' | '(' | ')' | ';' | '`' | '/' | '_')).count();
    signs as f64 / text.chars().count().max(1) as f64
}

pub(super) fn terms(text: &str) -> HashSet<String> {
    token::tokens(text).into_iter().map(|token| token.term).collect()
}

/// Returns what share of a set is in another.
pub(super) fn within(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    a.intersection(b).count() as f64 / a.len().max(1) as f64
}
