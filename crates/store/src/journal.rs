//! The promise of a transaction: what will be done, written down before it is done.
//!
//! A transaction first puts all its new files into the staging folder. Then this one file is put in
//! place: from that moment the transaction has happened, whatever becomes of its process. Carrying
//! it out is renaming, and whoever comes next and finds it unfinished finishes it. Readers do not
//! wait for that: they look into the staging folder for what is promised but not yet in place.
//!
//! Taking a transaction back, when the disk refuses half-way, is a transaction too: its promise is
//! the files as they were.
//!
//! A journal is believed only if it is one of ours: of our version, undamaged, naming nothing but
//! files of the base that no link leads away from, and staged files beside it. Any other is never
//! carried out; the next writer puts it aside.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

use crate::{Version, apply, derived, layout};

/// Folder of the journal and of the files it promises; one folder, so that making the journal's
/// name durable makes theirs durable too.
pub(crate) const STAGING: &str = "staging";
/// The journal's name in that folder.
pub(crate) const JOURNAL: &str = "journal";
/// Opens the file, before its checksum; the number changes with every change of what it says. Before it
/// had one, the checksum stood alone: such a journal is believed only where nothing is left to do.
const HEAD: &str = "lore-journal 2 ";
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

/// Why a journal is not believed. None of these is one that we left behind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("it is not a plain file in a plain folder")]
    NotPlain,
    #[error("it is not of a version that this build carries out")]
    Version,
    #[error("its checksum does not fit")]
    Checksum,
    #[error("it cannot be read")]
    Unreadable,
    #[error("`{0}` is not a file of the base")]
    Outside(String),
    #[error("`{0}` is reached through a symbolic link")]
    Link(String),
    #[error("`{0}` is not a staged file")]
    Staged(String),
}

impl Journal {
    /// Reads the journal; a missing one, and one that is not believed, promises nothing.
    pub(crate) fn read(work: &Path, root: &Path) -> Journal {
        Journal::inspect(work, root).unwrap_or_default()
    }

    /// Reads the journal and holds all it says against where it may lead.
    pub(crate) fn inspect(work: &Path, root: &Path) -> Result<Journal, Refusal> {
        let staging = work.join(STAGING);
        let Ok(folder) = fs::symlink_metadata(&staging) else { return Ok(Journal::default()) };
        if !folder.is_dir() {
            return Err(Refusal::NotPlain);
        }
        let path = staging.join(JOURNAL);
        match fs::symlink_metadata(&path) {
            Err(_) => return Ok(Journal::default()),
            Ok(meta) if !meta.is_file() => return Err(Refusal::NotPlain),
            Ok(_) => {}
        }
        let text = fs::read_to_string(&path).map_err(|_| Refusal::Unreadable)?;
        let (head, json) = text.split_once('\n').ok_or(Refusal::Unreadable)?;
        let hash = head.strip_prefix(HEAD);
        if ContentHash::of(json.as_bytes()).as_str() != hash.unwrap_or(head) {
            let told = hash.is_some() || !head.contains(' ');
            return Err(if told { Refusal::Checksum } else { Refusal::Version });
        }
        let mut journal: Journal = serde_json::from_str(json).map_err(|_| Refusal::Unreadable)?;
        if fs::symlink_metadata(staging.join(journal.done())).is_ok() {
            journal.steps.clear();
        }
        if hash.is_none() && journal.is_pending() {
            return Err(Refusal::Version);
        }
        journal.stays_inside(&staging, root)?;
        Ok(journal)
    }

    /// Checks that nothing it names lies elsewhere than in the base and in the staging folder.
    fn stays_inside(&self, staging: &Path, root: &Path) -> Result<(), Refusal> {
        let touched = self.recent.iter().flat_map(|(_, paths)| paths);
        if let Some(path) = touched.clone().find(|path| !layout::is_writable(path)) {
            return Err(Refusal::Outside(path.clone()));
        }
        for step in &self.steps {
            if !layout::is_writable(&step.path) {
                return Err(Refusal::Outside(step.path.clone()));
            }
            if apply::leads_outside(root, &step.path) {
                return Err(Refusal::Link(step.path.clone()));
            }
            let Some(name) = &step.staged else { continue };
            let there = || fs::symlink_metadata(staging.join(name));
            if !is_staged_name(name) || there().is_ok_and(|meta| !meta.is_file()) {
                return Err(Refusal::Staged(name.clone()));
            }
        }
        Ok(())
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

    /// Returns the same, without what it remembers of past transactions; nothing is promised.
    pub(crate) fn without_names(&self) -> Journal {
        Journal { seq: self.seq, ..Journal::default() }
    }

    /// Makes the promise durable: the transaction has now happened.
    pub(crate) fn promise(&self, work: &Path) -> io::Result<()> {
        derived::write_private(&work.join(STAGING).join(JOURNAL), self.text()?.as_bytes())
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
        Ok(format!("{HEAD}{}\n{json}", ContentHash::of(json.as_bytes())))
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

/// Tells whether a name is one that we give: digits and hyphens, with `old` for what was there before.
fn is_staged_name(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts.as_slice() {
        [seq, at] | [seq, "old", at] => number(seq) && number(at),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(path: &str) -> Step {
        Step { path: path.to_owned(), before: None, after: None, staged: Some("1-0".to_owned()) }
    }

    #[test]
    fn reads_back_and_notices_damage() {
        let temp = tempfile::tempdir().unwrap();
        let (work, root) = (temp.path(), temp.path().join("base"));
        std::fs::create_dir(work.join(STAGING)).unwrap();
        assert_eq!(Journal::inspect(work, &root), Ok(Journal::default()));
        let journal = Journal::default().next(vec![step("decisions/a.md")]);
        journal.promise(work).unwrap();
        assert_eq!(Journal::inspect(work, &root), Ok(journal.clone()));
        let path = work.join(STAGING).join(JOURNAL);
        let text = std::fs::read_to_string(&path).unwrap();
        let changed = |text: String| {
            derived::write_durable(&path, text.as_bytes()).unwrap();
            Journal::inspect(work, &root)
        };
        assert_eq!(changed(text.replace("decisions/a", "decisions/b")), Err(Refusal::Checksum));
        assert_eq!(changed(text.replace("lore-journal 2", "lore-journal 3")), Err(Refusal::Version));
        let (_, old) = text.split_at(HEAD.len());
        assert_eq!(changed(old.to_owned()), Err(Refusal::Version));
        assert_eq!(changed("nothing".to_owned()), Err(Refusal::Unreadable));
        let mut settled = journal.clone();
        settled.settle(work).unwrap();
        assert!(!settled.is_pending() && journal.is_pending());
        assert_eq!(changed(text.clone()), Ok(settled.clone()));
        // What an earlier version left behind complete is nothing to worry about.
        assert_eq!(changed(old.to_owned()), Ok(settled));
    }

    #[test]
    fn staged_files_have_our_names() {
        let check = |name: &str, expected: bool| assert_eq!(is_staged_name(name), expected, "{name}");
        check("12-0", true);
        check("12-old-3", true);
        for name in
            ["", "journal", "12-done", "../12-0", "12-0/x", "12", "-0", "12-old-", "/etc/passwd", "1-+2"]
        {
            check(name, false);
        }
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
