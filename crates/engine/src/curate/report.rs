//! What a run of curation did.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use lore_core::{EntryId, Kind, Status};
use lore_distill::curate::{Decision, Outcome};
use lore_store::Tombstone;
use serde::Serialize;

/// What a run did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CurateReport {
    /// Files and databases with sessions of this project.
    pub sources: usize,
    /// Those of them that did not change since they were curated, and were not opened.
    pub unchanged: usize,
    /// Sessions that were read.
    pub sessions: usize,
    /// Sessions that had something new.
    pub fresh: usize,
    /// Candidates that were found in them.
    pub candidates: usize,
    /// New articles.
    pub created: Vec<Touched>,
    /// Articles that changed.
    pub updated: Vec<Touched>,
    /// Candidates that wait for more to speak for them.
    pub queued: usize,
    /// Statements left out because a person removed them before.
    pub rejected: usize,
    /// Statements of agents left out because an agent removed them before.
    pub rejected_by_agents: usize,
    /// Entries that a person deleted since the last run; they stay deleted.
    pub deleted: Vec<EntryId>,
    /// How many candidates had each outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// What was decided about each candidate, and why.
    pub decisions: Vec<Decision>,
    /// What could not be read or written, and why.
    pub problems: Vec<String>,
    /// Sources that could not be read, and why.
    #[serde(skip)]
    pub unread: Vec<(PathBuf, String)>,
    /// Sources of which nothing is left to be curated.
    #[serde(skip)]
    pub finished: BTreeSet<PathBuf>,
    /// Whether enough was new, where that was asked for.
    pub due: Option<Due>,
    /// The git commit, where one was made.
    pub commit: Option<String>,
    /// Why none was made although one was wanted.
    pub not_committed: Option<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl CurateReport {
    /// Notes that a statement was left out because of a removal.
    pub(super) fn reject(&mut self, stone: &Tombstone) {
        let count = if stone.is_by_an_agent() { &mut self.rejected_by_agents } else { &mut self.rejected };
        *count += 1;
    }
}

/// Whether enough sessions are new for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Due {
    /// So many are needed; 0 means that it is turned off.
    pub needed: usize,
    /// So many are new.
    pub new: usize,
    /// Whether one of them has waited for a day, so that few are enough.
    pub waited: bool,
}

/// An article that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touched {
    /// Its id.
    pub id: EntryId,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Whether it can be relied on now.
    pub status: Status,
    /// Its file, relative to the base.
    pub path: String,
    /// Its text, as it was written.
    #[serde(skip)]
    pub text: String,
    /// Its text before, in a rehearsal.
    #[serde(skip)]
    pub before: Option<String>,
}

impl CurateReport {
    /// Counts candidates with an outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(outcome.word()).copied().unwrap_or(0)
    }

    /// Tells whether there was too little to do.
    pub fn was_not_due(&self) -> bool {
        self.due.is_some_and(|due| due.needed == 0 || (due.new < due.needed && !due.waited))
    }
}
