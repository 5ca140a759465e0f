//! What was said: the search over passages of past sessions, clearly below curated entries.

use lore_core::recall::Matched;
use lore_core::{Moment, SessionId, Voice};
use tantivy::{DocAddress, TantivyError, Term};

use crate::filter::{Allowed, file_forms, holders};
use crate::fuse::likeness;
use crate::lexical::Weighted;
use crate::passage::Passage;
use crate::query;
use crate::reader::Snapshot;
use crate::silence::Hearing;

/// What is asked about past sessions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PassageQuery {
    /// Words, in any form.
    pub text: String,
    /// Only these voices; all where empty.
    pub voices: Vec<Voice>,
    /// Only these projects; all where empty.
    pub projects: Vec<String>,
    /// Only these sessions; all where empty.
    pub sessions: Vec<SessionId>,
    /// Only passages beside which one of these files was touched; all where empty.
    pub files: Vec<String>,
    /// Only what was said on or after this moment.
    pub since: Option<Moment>,
    /// Only what was said before the end of this moment.
    pub until: Option<Moment>,
    /// At most this many; ten where nothing.
    pub limit: Option<usize>,
}

impl PassageQuery {
    /// Asks with words alone.
    pub fn text(text: impl Into<String>) -> PassageQuery {
        PassageQuery { text: text.into(), ..PassageQuery::default() }
    }
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageHit {
    /// The passage.
    pub passage: Passage,
    /// How alike it is to the query, from 0 to 1.
    pub score: f64,
    /// What that rests on.
    pub matched: Matched,
    /// Whether an entry says that it no longer holds: it must not be quoted without saying so.
    pub superseded: bool,
}

/// How many passages are given where the query does not say.
const LIMIT: usize = 10;

/// Returns the best passages, best first.
pub(crate) fn search(snapshot: &Snapshot<'_>, query: &PassageQuery) -> Result<Vec<PassageHit>, TantivyError> {
    let fields = &snapshot.index.passage_fields;
    let words = query::words(&query.text);
    let weighted = [
        Weighted { field: fields.text, weight: 1.0, length: 0.75, own: true },
        Weighted { field: fields.context, weight: snapshot.tuning.context, length: 0.75, own: false },
    ];
    let limit = query.limit.unwrap_or(LIMIT);
    let likeness = likeness(
        &snapshot.passages,
        &weighted,
        &words,
        &query.text,
        snapshot.index.embedder.as_deref(),
        &snapshot.tuning,
        limit,
    )?;
    let mut best: Vec<(f32, u64, DocAddress)> = Vec::new();
    for (ord, segment) in snapshot.passages.segment_readers().iter().enumerate() {
        let allowed = Allowed::new(segment, &filters(snapshot, query))?;
        let persons = holders(segment, &[Term::from_field_text(fields.voice, Voice::Person.word())])?;
        let ties = segment.fast_fields().u64("tie")?;
        let said = segment.fast_fields().i64("said")?;
        for doc in segment.doc_ids_alive() {
            let person = persons.binary_search(&doc).is_ok();
            let score = likeness.fused[ord][doc as usize] * if person { 1.0 } else { snapshot.tuning.agent };
            if score > 0.0 && allowed.has(doc) && in_time(query, said.first(doc)) {
                best.push((score, ties.first(doc).unwrap_or_default(), DocAddress::new(ord as u32, doc)));
            }
        }
    }
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut hits = Vec::with_capacity(best.len().min(limit));
    for (score, _, address) in best {
        if hits.len() == limit {
            break;
        }
        let Some(passage) = snapshot.passage_at(address)? else { continue };
        let hearing = snapshot.hearing(&passage)?;
        if hearing == Hearing::Closed {
            continue;
        }
        let matched = likeness.matched(address, &words);
        let superseded = hearing == Hearing::Past;
        hits.push(PassageHit { passage, score: f64::from(score), matched, superseded });
    }
    Ok(hits)
}

fn filters(snapshot: &Snapshot<'_>, query: &PassageQuery) -> Vec<Vec<Term>> {
    let fields = &snapshot.index.passage_fields;
    let text = |field, text: &str| Term::from_field_text(field, text);
    vec![
        query.voices.iter().map(|voice| text(fields.voice, voice.word())).collect(),
        query.projects.iter().map(|project| text(fields.project, project)).collect(),
        query.sessions.iter().map(|session| text(fields.session, session.as_str())).collect(),
        query.files.iter().flat_map(|file| file_forms(file)).map(|form| text(fields.file, &form)).collect(),
    ]
}

fn in_time(query: &PassageQuery, said: Option<i64>) -> bool {
    let after = query.since.is_none_or(|since| said.is_some_and(|at| at >= since.instant().as_second()));
    let before = query.until.is_none_or(|until| said.is_some_and(|at| at < end(until)));
    after && before
}

/// Returns the first second after a moment: a day ends at midnight.
fn end(moment: Moment) -> i64 {
    let length = if matches!(moment, Moment::Day(_)) { 86_400 } else { 1 };
    moment.instant().as_second() + length
}
