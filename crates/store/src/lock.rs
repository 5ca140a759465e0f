//! One writer at a time; readers never come here.
//!
//! The lock is the operating system's own on an open file, so a process that dies frees it at
//! once and nothing has to be cleaned up. Who holds it is written beside it, for people only.
//!
//! A second lock is the queue: whoever holds it is next. Without it a process that writes in a
//! loop would take the lock again before anyone who sleeps between two tries could.
#![allow(clippy::disallowed_methods, reason = "waiting has its home here")]

use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Owner;
use crate::derived::{Derived, DerivedError};
use crate::file_lock::FileLock;

const LOCK: &str = "lock";
const QUEUE: &str = "lock.queue";
const HOLDER: &str = "lock.owner";

/// Who holds the lock, as people are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// Machine, where it is known.
    pub host: Option<String>,
    /// Since when.
    pub since: Timestamp,
    /// What it is doing.
    pub what: String,
}

/// The lock could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process wrote for longer than we were told to wait.
    #[error("another process is writing to this base ({})", describe(.holder.as_ref()))]
    Held {
        /// Who, where that can be read.
        holder: Option<Holder>,
    },
    /// The lock file itself could not be made or used.
    #[error(transparent)]
    Derived(#[from] DerivedError),
}

fn describe(holder: Option<&Holder>) -> String {
    match holder {
        Some(holder) => {
            let host = holder.host.as_deref().map(|host| format!(" on {host}")).unwrap_or_default();
            format!("process {}{host}, `{}`, since {}", holder.pid, holder.what, holder.since)
        }
        None => "unknown".to_owned(),
    }
}

/// The right to write; given back when it is dropped or its process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: FileLock,
}

/// Waits for the lock, but no longer than `patience`.
pub(crate) fn acquire(
    work: &Derived,
    owner: &Owner,
    now: Timestamp,
    patience: Duration,
) -> Result<Lock, LockError> {
    let deadline = Instant::now() + patience;
    let held = || LockError::Held { holder: holder(work) };
    let queue = wait(work, QUEUE, deadline, Duration::from_millis(20))?.ok_or_else(held)?;
    let file = wait(work, LOCK, deadline, Duration::from_millis(2))?.ok_or_else(held)?;
    drop(queue);
    note(work, owner, now);
    Ok(Lock { _file: file })
}

/// Takes the lock if nobody holds it.
pub(crate) fn try_acquire(work: &Derived) -> Result<Option<Lock>, LockError> {
    Ok(work.try_lock(LOCK)?.map(|file| Lock { _file: file }))
}

/// Reads who holds, or last held, the lock.
pub(crate) fn holder(work: &Derived) -> Option<Holder> {
    serde_json::from_slice(&std::fs::read(work.folder().join(HOLDER)).ok()?).ok()
}

fn wait(
    work: &Derived,
    name: &str,
    deadline: Instant,
    longest: Duration,
) -> Result<Option<FileLock>, LockError> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(file) = work.try_lock(name)? {
            return Ok(Some(file));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(longest);
    }
}

/// Leaves a note for people. Losing it costs nothing, so a failure is not one.
fn note(work: &Derived, owner: &Owner, now: Timestamp) {
    let holder =
        Holder { pid: std::process::id(), host: owner.host.clone(), since: now, what: owner.what.clone() };
    if let Ok(bytes) = serde_json::to_vec(&holder) {
        let _ = work.write(HOLDER, &bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner() -> Owner {
        Owner::machine("test")
    }

    #[test]
    fn a_held_lock_is_refused_with_its_owner_and_free_again_when_dropped() {
        let temp = tempfile::tempdir().unwrap();
        let work = Derived::new(temp.path());
        let now: Timestamp = "2026-02-20T12:00:00Z".parse().unwrap();
        let first = acquire(&work, &owner(), now, Duration::ZERO).unwrap();
        assert!(try_acquire(&work).unwrap().is_none());
        let refused = acquire(&work, &owner(), now, Duration::from_millis(1)).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains(&std::process::id().to_string()) && text.contains("`test`"), "{text}");
        drop(first);
        assert!(acquire(&work, &owner(), now, Duration::ZERO).is_ok());
    }
}
