//! Sessions that could not be curated: tried twice, then set aside and named in `lore status`.
//!
//! That a session is being tried is written down before it begins, so that also a worker that was
//! killed, or ran out of time, counts as one that failed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_core::{ContentHash, SessionId};
use lore_store::Ledger;
use serde::{Deserialize, Serialize};

use crate::sessions::SessionFilter;
use crate::{Engine, Error};

pub(super) const FOLDER: &str = "trouble";
/// What the worker itself failed of.
const WORKER: &str = "trouble/worker.json";
/// What the last worker did.
const RUN: &str = "worker.json";
/// A session that failed so often is not tried again by itself.
const ENOUGH: u32 = 2;

/// A transcript that could not be curated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The session.
    pub session: String,
    /// Its transcript.
    #[serde(with = "crate::path_text")]
    pub transcript: PathBuf,
    /// How often it was tried.
    pub tries: u32,
    /// How many lines of the session were curated when it was tried.
    #[serde(default)]
    pub lines: u64,
    /// Why it failed the last time.
    pub reason: String,
    /// When that was.
    pub at: Timestamp,
}

/// A session that a worker tries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tried {
    pub(super) session: String,
    pub(super) transcript: PathBuf,
}

/// What made the last worker end early.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerFailure {
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// What the last worker did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRun {
    /// When it began.
    pub at: Timestamp,
    /// Sessions that were curated.
    pub sessions: usize,
    /// New articles.
    pub created: usize,
    /// Changed articles.
    pub updated: usize,
    /// Why it ended early, if it did.
    pub failure: Option<String>,
}

impl Trouble {
    /// Tells whether it is not tried any more.
    pub fn is_set_aside(&self) -> bool {
        self.tries >= ENOUGH
    }

    /// Tells whether somebody got further with it since it was tried.
    fn is_overcome(&self, ledger: &Ledger) -> bool {
        !self.session.is_empty() && read_of(ledger, &self.session) > self.lines
    }

    fn into_tried(self) -> Tried {
        Tried { session: self.session, transcript: self.transcript }
    }

    /// Returns what tries it once more.
    pub fn retry(&self) -> String {
        // A database named by hand would be taken whole, with the sessions of other projects.
        if lore_capture::holds_many(&self.transcript) {
            return "lore curate".to_owned();
        }
        format!("lore curate --sessions {}", quoted(&self.transcript))
    }
}

/// Counts the lines that were curated of a session, whichever agent held it.
fn read_of(ledger: &Ledger, session: &str) -> u64 {
    let of_session = ledger.iter().filter(|curated| curated.session.as_str() == session);
    of_session.map(|curated| curated.lines).max().unwrap_or(0)
}

fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~".contains(c);
    if path.chars().all(plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

impl Engine {
    /// Lists the sessions that were set aside, as long as nobody got further with them.
    pub fn set_aside(&self) -> Vec<Trouble> {
        let mut found = self.troubles();
        let ledger = self.store.ledger();
        found.retain(|trouble| {
            trouble.is_set_aside() && trouble.transcript.exists() && !trouble.is_overcome(&ledger)
        });
        found.sort_by(|a, b| (a.at, &a.transcript).cmp(&(b.at, &b.transcript)));
        found
    }

    fn troubles(&self) -> Vec<Trouble> {
        let folder = self.store.shared().folder().join(FOLDER);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.filter_map(|file| serde_json::from_slice(&std::fs::read(file.path()).ok()?).ok()).collect()
    }

    /// Forgets the tries of sessions that were curated further since, here or in another clone.
    pub(super) fn forget_trouble_overcome(&self) -> Result<(), Error> {
        let troubles = self.troubles();
        if troubles.is_empty() {
            return Ok(());
        }
        let ledger = self.store.ledger();
        let overcome = troubles.into_iter().filter(|trouble| trouble.is_overcome(&ledger));
        overcome.map(Trouble::into_tried).try_for_each(|tried| self.succeed(&tried))
    }

    /// Forgets the tries of sessions whose sources somebody curated to their end.
    pub(crate) fn forget_trouble_with(
        &self,
        sources: &BTreeSet<PathBuf>,
        filter: &SessionFilter,
    ) -> Result<(), Error> {
        let is_read = |trouble: &Trouble| {
            let id = || SessionId::new(&trouble.session);
            sources.contains(&trouble.transcript) && (filter.only.is_empty() || filter.only.contains(&id()))
        };
        let read = self.troubles().into_iter().filter(is_read);
        read.map(Trouble::into_tried).try_for_each(|tried| self.succeed(&tried))
    }

    /// Says why the last worker failed, if it did.
    pub fn worker_failure(&self) -> Option<WorkerFailure> {
        let path = self.store.shared().path(WORKER).ok()?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Says what the last worker did.
    pub fn last_worker(&self) -> Option<WorkerRun> {
        let path = self.store.shared().path(RUN).ok()?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Writes down why a worker failed, or that the last one did not.
    pub(super) fn note_worker(&self, failure: Option<&str>, worked: Option<&super::Worked>) {
        let count = |of: fn(&super::Worked) -> usize| worked.map_or(0, of);
        let run = WorkerRun {
            at: self.world.now,
            sessions: count(|worked| worked.sessions),
            created: count(|worked| worked.created),
            updated: count(|worked| worked.updated),
            failure: failure.map(|reason| self.store.door().written(reason).into_owned()),
        };
        let _ = self.store.shared().write_json(RUN, &run);
        let done = match failure {
            Some(reason) => {
                let reason = self.store.door().written(reason).into_owned();
                let failure = WorkerFailure { reason, at: self.world.now };
                self.store.shared().write_json(WORKER, &failure)
            }
            None => self.store.shared().remove(WORKER),
        };
        if let Err(error) = done {
            tracing::debug!(%error, "what became of the worker is not written down");
        }
    }

    /// Returns how often a session was tried without success.
    pub(super) fn tries(&self, tried: &Tried) -> u32 {
        self.trouble(tried).map_or(0, |trouble| trouble.tries)
    }

    /// Counts a try before it begins; what it says is true until it has succeeded.
    pub(super) fn try_now(&self, tried: &Tried) -> Result<(), Error> {
        let tries = self.tries(tried) + 1;
        let reason = "the worker was stopped while it read this session".to_owned();
        self.keep_trouble(
            tried,
            &Trouble {
                session: self.store.door().written(&tried.session).into_owned(),
                transcript: tried.transcript.clone(),
                tries,
                lines: read_of(&self.store.ledger(), &tried.session),
                reason,
                at: self.world.now,
            },
        )
    }

    /// Says better why a try failed.
    pub(super) fn blame_try(&self, tried: &Tried, reason: &str) -> Result<(), Error> {
        let Some(trouble) = self.trouble(tried) else { return Ok(()) };
        self.log(&format!("worker: {}: {reason}", tried.transcript.display()));
        let reason = self.store.door().written(reason).into_owned();
        self.keep_trouble(tried, &Trouble { reason, ..trouble })
    }

    /// Forgets the tries of a session that was curated.
    pub(super) fn succeed(&self, tried: &Tried) -> Result<(), Error> {
        Ok(self.store.shared().remove(&tried.file())?)
    }

    fn trouble(&self, tried: &Tried) -> Option<Trouble> {
        let path = self.store.shared().path(&tried.file()).ok()?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    fn keep_trouble(&self, tried: &Tried, trouble: &Trouble) -> Result<(), Error> {
        Ok(self.store.shared().write_json(&tried.file(), trouble)?)
    }
}

impl Tried {
    /// Names the record: of the session, because a database holds all sessions of its agent.
    fn file(&self) -> String {
        let mut key = self.transcript.as_os_str().as_encoded_bytes().to_vec();
        key.push(0);
        key.extend_from_slice(self.session.as_bytes());
        format!("{FOLDER}/{}.json", ContentHash::of(&key).short())
    }
}
