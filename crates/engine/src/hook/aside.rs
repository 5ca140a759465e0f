//! Sessions that could not be curated: tried twice, then set aside and named in `lore status`.
//!
//! That a session is being tried is written down before it begins, so that also a worker that was
//! killed, or ran out of time, counts as one that failed.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

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
    pub transcript: PathBuf,
    /// How often it was tried.
    pub tries: u32,
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

    /// Returns what tries it once more.
    pub fn retry(&self) -> String {
        // A database named by hand would be taken whole, with the sessions of other projects.
        if lore_capture::holds_many(&self.transcript) {
            return "lore curate".to_owned();
        }
        format!("lore curate --sessions {}", quoted(&self.transcript))
    }
}

fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~".contains(c);
    if path.chars().all(plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

impl Engine {
    /// Lists the sessions that were set aside, as long as nobody curated them by hand.
    pub fn set_aside(&self) -> Vec<Trouble> {
        let ledger = self.store.ledger();
        let curated = |trouble: &Trouble| {
            ledger
                .iter()
                .any(|curated| curated.session.as_str() == trouble.session && !trouble.session.is_empty())
        };
        let folder = self.store.shared().folder().join(FOLDER);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let read =
            |path: PathBuf| -> Option<Trouble> { serde_json::from_slice(&std::fs::read(path).ok()?).ok() };
        let mut found: Vec<Trouble> = files.filter_map(|file| read(file.path())).collect();
        found.retain(|trouble| trouble.is_set_aside() && trouble.transcript.exists() && !curated(trouble));
        found.sort_by(|a, b| (a.at, &a.transcript).cmp(&(b.at, &b.transcript)));
        found
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
        let _ = self.store.shared().write(RUN, &serde_json::to_vec(&run).unwrap_or_default());
        let done = match failure {
            Some(reason) => {
                let reason = self.store.door().written(reason).into_owned();
                let failure = WorkerFailure { reason, at: self.world.now };
                self.store.shared().write(WORKER, &serde_json::to_vec(&failure).unwrap_or_default())
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
        let bytes = serde_json::to_vec(trouble).unwrap_or_default();
        Ok(self.store.shared().write(&tried.file(), &bytes)?)
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
