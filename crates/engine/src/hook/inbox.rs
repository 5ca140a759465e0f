//! Notes about sessions that ended and wait to be curated.
//!
//! Each end of a session leaves a small file of its own, so that writing one needs no lock and
//! taking some away never loses another.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jiff::Timestamp;
use lore_capture::hook::HookEvent;
use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

use crate::config::Curate;
use crate::{Engine, Error};

pub(super) const INBOX: &str = "inbox";
/// Sessions do not wait longer than this for others to join them.
pub(crate) const LONGEST_WAIT: i64 = 24 * 3600;

/// One session that ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) agent: String,
    pub(super) session: String,
    /// Not every agent says where it writes a session down, or has a file for each.
    #[serde(default)]
    #[serde(with = "crate::path_text::maybe")]
    pub(super) transcript: Option<PathBuf>,
    pub(super) at: Timestamp,
}

/// The sessions that wait.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Files of notes, oldest first.
    pub(super) files: Vec<String>,
}

impl Waiting {
    /// Counts the different sessions that wait.
    pub fn sessions(&self) -> usize {
        let mut keys: Vec<&str> = self.files.iter().filter_map(|name| Some(parts(name)?.1)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }

    /// Tells whether it is time to curate: enough sessions, or one that has waited for long.
    pub(crate) fn is_due(&self, settings: &Curate, now: Timestamp) -> bool {
        if settings.after_sessions == 0 {
            return false;
        }
        let oldest = self.files.iter().filter_map(|name| parts(name)).map(|(at, _)| at).min();
        self.sessions() >= settings.after_sessions as usize
            || oldest.is_some_and(|at| now.as_second() - at >= LONGEST_WAIT)
    }
}

/// Takes apart `<second>-<session>-<process>.json`.
fn parts(name: &str) -> Option<(i64, &str)> {
    let mut parts = name.strip_suffix(".json")?.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?))
}

impl Engine {
    /// Lists what waits.
    pub fn waiting(&self) -> Waiting {
        let folder = self.store.shared().folder().join(INBOX);
        let listing = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<String> = listing
            .filter_map(|file| file.file_name().into_string().ok())
            .filter(|name| parts(name).is_some())
            .collect();
        files.sort();
        Waiting { files }
    }

    /// Tells whether a session is noted as ended.
    pub(crate) fn has_ended(&self, session: &lore_core::SessionId) -> bool {
        self.notes(&self.waiting()).iter().any(|(_, note)| note.session == session.as_str())
    }

    /// Remembers that a session ended.
    pub(super) fn leave_note(&self, event: &HookEvent) -> Result<(), Error> {
        let transcript = self.transcript_of(event);
        if transcript.is_none() && event.session.as_str().is_empty() {
            return Ok(());
        }
        // The path has to lead to the transcript; what a session calls itself need not be kept as it is.
        let session = self.store.door().written(event.session.as_str()).into_owned();
        self.leave(&Note { agent: event.agent.to_owned(), session, transcript, at: self.world.now })
    }

    pub(super) fn leave(&self, note: &Note) -> Result<(), Error> {
        let key = ContentHash::of(note.session.as_bytes()).short().to_owned();
        let name = format!("{INBOX}/{:012}-{key}-{}.json", note.at.as_second(), std::process::id());
        Ok(self.store.shared().write_json(&name, note)?)
    }

    /// Reads the notes with the names of their files; one that cannot be read is as good as none.
    pub(super) fn notes(&self, waiting: &Waiting) -> Vec<(String, Note)> {
        let folder = self.store.shared().folder().join(INBOX);
        let read = |name: &String| {
            let note = serde_json::from_slice(&std::fs::read(folder.join(name)).ok()?).ok()?;
            Some((name.clone(), note))
        };
        waiting.files.iter().filter_map(read).collect()
    }

    /// Throws the notes of sessions away whose transcripts somebody curated to their end since they were left.
    pub(crate) fn forget_notes_of(&self, finished: &BTreeSet<PathBuf>) -> Result<(), Error> {
        let notes = self.notes(&self.waiting());
        let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let finished: BTreeSet<PathBuf> =
            if notes.is_empty() { BTreeSet::new() } else { finished.iter().map(real).collect() };
        let is_done = |note: &Note| {
            let read = note.transcript.as_ref().is_some_and(|path| finished.contains(&real(path)));
            read && note.at <= self.world.now
        };
        let done: Vec<String> =
            notes.into_iter().filter(|(_, note)| is_done(note)).map(|(name, _)| name).collect();
        self.forget(&done)
    }

    /// Throws notes away that were dealt with.
    pub(super) fn forget<'n>(&self, files: impl IntoIterator<Item = &'n String>) -> Result<(), Error> {
        for name in files {
            self.store.shared().remove(&format!("{INBOX}/{name}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(files: &[&str]) -> Waiting {
        Waiting { files: files.iter().map(|name| (*name).to_owned()).collect() }
    }

    #[test]
    fn curation_is_due_after_enough_sessions_or_long_enough() {
        let settings = Curate { after_sessions: 2, ..crate::config::Config::defaults().settings().curate };
        let now = Timestamp::from_second(1_000_000).unwrap();
        let check = |files: &[&str], expected: bool| {
            assert_eq!(waiting(files).is_due(&settings, now), expected, "{files:?}");
        };
        check(&[], false);
        check(&["000000999990-aa-1.json"], false);
        check(&["000000999990-aa-1.json", "000000999995-aa-2.json"], false);
        check(&["000000999990-aa-1.json", "000000999995-bb-2.json"], true);
        check(&["000000900000-aa-1.json"], true);
        let off = Curate { after_sessions: 0, ..settings };
        assert!(!waiting(&["000000000000-aa-1.json"]).is_due(&off, now));
    }
}
