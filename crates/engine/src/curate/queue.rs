//! Candidates that wait until more speaks for them: untracked, and woken only by what is near them.

use std::collections::HashSet;
use std::io::ErrorKind;

use lore_core::Candidate;
use lore_distill::catalogue::{awakened, words_of};
use lore_store::FileLock;
use lore_store::derived::{Derived, DerivedError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Error;

const FILE: &str = "queue.jsonl";
/// Worktrees share the queue, but have each a lock of their own for writing.
const LOCK: &str = "queue.lock";
/// From so many arriving candidates on, all that wait are looked at again.
const MANY: usize = 500;
/// So many are woken by one candidate, if they share this much of its telling words.
const FEW: usize = 8;
const SHARE: f64 = 0.3;

/// Candidates that wait, not yet parsed.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    waiting: Vec<Waiting>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Waiting {
    words: Vec<String>,
    candidate: Box<RawValue>,
}

impl Queue {
    /// Reads the candidates that wait; a damaged line is one that does not wait any more.
    ///
    /// What cannot be read at all is no empty queue: that would be saved in its place.
    pub(super) fn load(derived: &Derived) -> Result<Queue, DerivedError> {
        let path = derived.path(FILE)?;
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(DerivedError::Io { doing: "read", path, source }),
        };
        let lines = bytes.split(|byte| *byte == b'\n');
        Ok(Queue { waiting: lines.filter_map(|line| serde_json::from_slice(line).ok()).collect() })
    }

    /// Waits until no other worktree changes the queue, and lets none until the lock is dropped.
    pub(super) fn lock(derived: &Derived) -> Result<FileLock, Error> {
        Ok(derived.lock(LOCK)?)
    }

    /// Takes out those that may rise because of what arrives.
    pub(super) fn wake(&mut self, arriving: &[Candidate]) -> Vec<Candidate> {
        let parse = |waiting: &Waiting| serde_json::from_str(waiting.candidate.get()).ok();
        if arriving.len() >= MANY {
            return std::mem::take(&mut self.waiting).iter().filter_map(parse).collect();
        }
        let words: Vec<Vec<String>> =
            self.waiting.iter_mut().map(|waiting| std::mem::take(&mut waiting.words)).collect();
        let awake = awakened(&words, arriving, FEW, SHARE);
        for (waiting, words) in self.waiting.iter_mut().zip(words) {
            waiting.words = words;
        }
        let mut woken = Vec::new();
        let mut at = 0;
        self.waiting.retain(|waiting| {
            let is_awake = awake.contains(&at);
            at += 1;
            woken.extend(is_awake.then(|| parse(waiting)).flatten());
            !is_awake
        });
        woken
    }

    /// Returns how many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds candidates; one that waits already does not wait twice.
    pub(super) fn push(&mut self, candidates: &[Candidate]) {
        let make = |candidate: &Candidate| {
            let text = serde_json::to_string(candidate).ok()?;
            Some(Waiting { words: words_of(candidate), candidate: RawValue::from_string(text).ok()? })
        };
        self.add(candidates.iter().filter_map(make).collect());
    }

    /// Returns all that wait in either of two queues.
    pub(super) fn joined(&self, other: &Queue) -> Queue {
        let mut all = self.clone();
        all.add(other.waiting.clone());
        all
    }

    fn add(&mut self, more: Vec<Waiting>) {
        let known: HashSet<String> =
            self.waiting.iter().map(|waiting| waiting.candidate.get().to_owned()).collect();
        self.waiting.extend(more.into_iter().filter(|waiting| !known.contains(waiting.candidate.get())));
    }

    /// Keeps them for the next run, and returns when the disk has them.
    pub(super) fn save(&self, derived: &Derived) -> Result<(), DerivedError> {
        let mut text = String::new();
        for waiting in &self.waiting {
            text.push_str(&derived.json(FILE, waiting)?);
            text.push('\n');
        }
        derived.write_durably(FILE, derived.door().written_lines(&text).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte that is no text, or a file that could not be read, emptied the queue for good.
    #[test]
    fn a_damaged_line_takes_no_other_with_it() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path());
        assert_eq!(Queue::load(&derived).unwrap().len(), 0);
        let line = r#"{"words":["mast"],"candidate":{"a":1}}"#;
        let text = [line.as_bytes(), b"\xff\xfe", b"{}", line.as_bytes()].join(&b'\n');
        derived.write(FILE, &text).unwrap();
        assert_eq!(Queue::load(&derived).unwrap().len(), 2);
        derived.remove(FILE).unwrap();
        derived.make_folder(FILE).unwrap();
        assert!(matches!(Queue::load(&derived), Err(DerivedError::Io { doing: "read", .. })));
    }
}
