//! One session: what of it is new, and the statements in that.

use std::path::Path;

use jiff::Timestamp;
use lore_core::session::Session;
use lore_core::text::counted;
use lore_core::{Candidate, ContentHash, Level};
use lore_store::{Curated, Ledger};

use super::printed::{Doubt, doubts};

/// One session that was read.
pub(super) struct Part {
    pub(super) source: usize,
    pub(super) curated: Curated,
    /// Whether something stands in it that was not curated before.
    pub(super) is_new: bool,
    /// Whether it was left out because it is too old.
    pub(super) is_old: bool,
    /// Whether it went on in a folder of this project, as far as the caller says so.
    pub(super) is_here: bool,
    pub(super) found: Vec<Candidate>,
    /// Which of their words may be a tool's.
    pub(super) doubts: Vec<Doubt>,
    /// What of it could not be read.
    pub(super) damage: Option<Damage>,
}

/// Finds what is new in a session.
pub(super) fn read(
    session: &Session,
    source: usize,
    ledger: &Ledger,
    bootstrap: bool,
    since: Option<Timestamp>,
) -> Part {
    let lines = session.turns.iter().flat_map(|turn| &turn.blocks).map(|block| block.line).max().unwrap_or(0);
    let lines = u64::from(lines);
    let hash = fingerprint(session, lines);
    let curated = Curated {
        agent: session.agent.clone(),
        session: session.id.clone(),
        lines,
        hash,
        at: session.ended.or(session.started),
        edited: None,
    };
    let is_old = since.is_some_and(|since| session.ended.or(session.started).is_some_and(|at| at < since));
    // A transcript of which no known part reads as it did was rewritten: all of it is new.
    let mut readings = ledger.readings(&session.agent, &session.id).iter();
    let before = readings.find(|before| before.hash == fingerprint(session, before.lines));
    let from = if bootstrap { 0 } else { before.map_or(0, |before| before.lines) };
    if is_old || lines <= from {
        let (found, doubts) = (Vec::new(), Vec::new());
        return Part { source, curated, is_new: false, is_old, is_here: false, found, doubts, damage: None };
    }
    let mut found = lore_distill::extract::extract(session);
    found.retain(|candidate| candidate.evidence.iter().any(|evidence| u64::from(evidence.line) > from));
    let doubts = doubts(session, &found);
    let damage = damage(session);
    Part { source, curated, is_new: true, is_old, is_here: false, found, doubts, damage }
}

/// What of a transcript cannot be read.
pub(super) struct Damage {
    records: usize,
    /// The first of them, in words.
    first: String,
    session: String,
}

fn damage(session: &Session) -> Option<Damage> {
    let mut lost = session.diagnostics.iter().filter(|found| found.level >= Level::Warning);
    let first = lost.next()?;
    let at = first.place.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    let first = format!("{at}{}", first.message);
    Some(Damage { records: 1 + lost.count(), first, session: session.id.short() })
}

/// Says once for all transcripts what of them cannot be read.
pub(super) fn told_damage<'p>(damaged: impl Iterator<Item = (&'p Path, &'p Damage)>) -> Option<String> {
    let damaged: Vec<_> = damaged.collect();
    let (path, Damage { first, session, .. }) = damaged.first()?;
    let records: usize = damaged.iter().map(|(_, damage)| damage.records).sum();
    let records = counted(records, "record", "records");
    let sessions = counted(damaged.len(), "session", "sessions");
    let path = path.display();
    Some(format!("{records} of {sessions}; the first is {path}, {first} (`lore sessions show {session}`)"))
}

/// Names the first records of a transcript by what was said in them.
pub(crate) fn fingerprint(session: &Session, lines: u64) -> String {
    let blocks = session.turns.iter().flat_map(|turn| &turn.blocks);
    let mut said: Vec<(u32, &str)> = blocks
        .filter(|block| u64::from(block.line) <= lines)
        .map(|block| (block.line, block.text.as_str()))
        .collect();
    said.sort_unstable();
    let mut text = String::new();
    for (line, words) in said {
        text.push_str(&format!("{line}:{}\n", words.len()));
        // The ends tell; a transcript is long.
        text.extend(words.chars().take(64));
    }
    ContentHash::of(text.as_bytes()).short().to_owned()
}
