//! The promise of a transaction: what will be done, written down before it is done.
//!
//! A transaction first puts all its new files into the staging folder. Then this one file is put in
//! place: from that moment the transaction has happened, whatever becomes of its process. Carrying
//! it out is renaming, and whoever comes next and finds it unfinished finishes it. Readers do not
//! wait for that: they look into the staging folder for what is promised but not yet in place.
//!
//! Taking a transaction back, when the disk refuses half-way, is a transaction too: its promise is
//! the files as they were.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

use crate::{Version, derived, layout};

/// Folder of the journal and of the files it promises; one folder, so that making the journal's
/// name durable makes theirs durable too.
pub(crate) const STAGING: &str = "staging";
/// The journal's name in that folder.
pub(crate) const JOURNAL: &str = "journal";
/// How many touched paths of past transactions are remembered for readers.
const REMEMBERED: usize = 300;

/// The last transaction, done or under way.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Journal {
    /// Counts transactions, so that a reader sees that one happened.
    pub(crate) seq: u64,
    /// What is still to be done; empty when all is in place.
    pub(crate) steps: Vec<Step>,
    /// Which entries the last transactions touched, newest last.
    recent: Vec<(u64, Vec<String>)>,
}

/// One file of a transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// Where it goes, relative to the base.
    pub(crate) path: String,
    /// What was there when the transaction was made.
    pub(crate) before: Option<Version>,
    /// What will be there.
    pub(crate) after: Option<Version>,
    /// Its name in the staging folder; nothing means that the file is to go.
    pub(crate) staged: Option<String>,
}

impl Journal {
    /// Reads the journal. A missing or damaged one promises nothing.
    pub(crate) fn read(work: &Path) -> Journal {
        let parse = |text: &str| {
            let (hash, json) = text.split_once('\n')?;
            (ContentHash::of(json.as_bytes()).as_str() == hash).then(|| serde_json::from_str(json).ok())?
        };
        let text = std::fs::read_to_string(work.join(STAGING).join(JOURNAL)).ok();
        let mut journal: Journal = text.as_deref().and_then(parse).unwrap_or_default();
        if journal.is_pending() && work.join(STAGING).join(journal.done()).exists() {
            journal.steps.clear();
        }
        journal
    }

    /// Tells whether something is promised and not yet known to be done.
    pub(crate) fn is_pending(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Makes the promise of the transaction that follows this one.
    pub(crate) fn next(&self, steps: Vec<Step>) -> Journal {
        let entries: Vec<String> =
            steps.iter().map(|step| &step.path).filter(|path| layout::is_entry(path)).cloned().collect();
        let mut recent = self.recent.clone();
        recent.push((self.seq + 1, entries));
        let mut kept: usize = recent.iter().map(|(_, paths)| paths.len() + 1).sum();
        let surplus = recent
            .iter()
            .take_while(|(_, paths)| {
                let drop = kept > REMEMBERED;
                kept -= paths.len() + 1;
                drop
            })
            .count();
        recent.drain(..surplus);
        Journal { seq: self.seq + 1, steps, recent }
    }

    /// Makes the promise durable: the transaction has now happened.
    pub(crate) fn promise(&self, work: &Path) -> io::Result<()> {
        derived::write_durable(&work.join(STAGING).join(JOURNAL), self.text()?.as_bytes())
    }

    /// Notes that everything is in place. If this note is lost, carrying out again changes nothing.
    ///
    /// An empty file says it, because putting another journal in place would wait for the disk.
    pub(crate) fn settle(&mut self, work: &Path) -> io::Result<()> {
        derived::Derived::new(work.join(STAGING)).append(&self.done(), b"").map_err(io::Error::other)?;
        self.steps.clear();
        Ok(())
    }

    /// Returns the name of the file that says that everything is in place.
    pub(crate) fn done(&self) -> String {
        format!("{}-done", self.seq)
    }

    fn text(&self) -> io::Result<String> {
        let json = serde_json::to_string(self)?;
        Ok(format!("{}\n{json}", ContentHash::of(json.as_bytes())))
    }

    /// Lists the entries touched after transaction `seq`, if that is still known.
    pub(crate) fn touched_since(&self, seq: u64) -> Option<HashSet<&str>> {
        let later = self.recent.iter().filter(|(number, _)| *number > seq);
        let count = later.clone().count() as u64;
        (self.seq.checked_sub(seq)? == count)
            .then(|| later.flat_map(|(_, paths)| paths.iter().map(String::as_str)).collect())
    }

    /// Returns what a reader must see instead of the files themselves.
    pub(crate) fn overlay(&self) -> HashMap<&str, &Step> {
        self.steps.iter().map(|step| (step.path.as_str(), step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(path: &str) -> Step {
        Step { path: path.to_owned(), before: None, after: None, staged: Some("0".to_owned()) }
    }

    #[test]
    fn reads_back_and_notices_damage() {
        let work = tempfile::tempdir().unwrap();
        std::fs::create_dir(work.path().join(STAGING)).unwrap();
        assert_eq!(Journal::read(work.path()), Journal::default());
        let journal = Journal::default().next(vec![step("decisions/a.md")]);
        journal.promise(work.path()).unwrap();
        assert_eq!(Journal::read(work.path()), journal);
        let mut settled = journal.clone();
        settled.settle(work.path()).unwrap();
        assert!(!settled.is_pending() && journal.is_pending());
        assert_eq!(Journal::read(work.path()), settled);
        let path = work.path().join(STAGING).join(JOURNAL);
        let text = std::fs::read_to_string(&path).unwrap().replace("decisions/a", "decisions/b");
        derived::write_durable(&path, text.as_bytes()).unwrap();
        assert_eq!(Journal::read(work.path()), Journal::default());
    }

    #[test]
    fn remembers_what_was_touched_within_limits() {
        let mut journal = Journal::default();
        for number in 0..10 {
            journal = journal.next(vec![step(&format!("project/{number}.md")), step("index.md")]);
        }
        assert_eq!(journal.touched_since(10), Some(HashSet::new()));
        assert_eq!(journal.touched_since(8), Some(["project/8.md", "project/9.md"].into()));
        let many = (0..REMEMBERED).map(|n| step(&format!("a/{n}.md"))).collect();
        let journal = journal.next(many);
        assert_eq!(journal.touched_since(8), None);
        assert_eq!(journal.touched_since(11), Some(HashSet::new()));
    }
}
