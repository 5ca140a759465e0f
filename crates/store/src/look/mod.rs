//! What changed in the files since something was derived from them, without reading all of them.
//!
//! Whoever derives something from the base remembers under a mark what the files looked like: size,
//! times and inode of each, and the times of the folders. The next look compares. Where everything
//! is as it was, nothing is read; where a few files differ, only these are. As in the cache, what
//! was changed in the very tick in which it was seen counts as unseen, so that no edit is missed.

mod compare;
mod folder;
mod rows;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::PathBuf;

use lore_core::EntryId;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::compare::{Scope, Suspect};
use self::folder::{Folder, Open, Row, SHARE, below};
use crate::cache::{self, FileKey, checksum};
use crate::journal::{JOURNAL, Journal, STAGING};
use crate::snapshot::{Snapshot, Stored};
use crate::{Store, Summary, Version, layout};

/// Folder of what was seen; its files change together or are not believed.
const FOLDER: &str = "cache/look";
/// Its time says when every file was last looked at.
const CLOSELY: &str = "cache/look/closely";
/// Changes with every change of what is kept.
const FORMAT: u32 = 4;

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// At every file.
    Files,
    /// At every file where there are at most so many, else at the folders only.
    ///
    /// A folder's time moves when a file in it is made, replaced or removed, as git and most editors
    /// do; it does not when a file is written in place. Such a folder is listed, and of its files those
    /// are looked at that are not the ones that were there.
    FilesUpTo(usize),
}

/// What a look found.
#[derive(Debug)]
pub enum Looked {
    /// Everything is as it was.
    Same,
    /// This is all that changed.
    Changed(Changes),
    /// It cannot be told from here; the whole base has to be read, and then [kept](Store::keep).
    Unknown(Before),
}

/// What changed, by whatever hand.
#[derive(Debug)]
pub struct Changes {
    /// Entries that are new or different.
    pub written: Vec<Stored>,
    /// Entries that are no longer where they were, with that path; one that moved is also written.
    pub gone: Vec<(EntryId, String)>,
    /// Names the state of the base with these changes.
    pub mark: String,
    seen: Seen,
    rows: Vec<(String, Vec<u8>)>,
}

/// The folders as they were before the base was read.
#[derive(Debug)]
pub struct Before {
    clock: FileKey,
    journal: FileKey,
    folders: BTreeMap<String, FileKey>,
}

/// What the base looked like under a mark.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Seen {
    format: u32,
    count: u64,
    sum: u64,
    /// Two files claim the same id; which of them counts is for a reader of the whole base to say.
    twice: bool,
    journal: FileKey,
    /// What was removed for good; files that are there may count no longer.
    stones: u64,
    folders: Vec<Folder>,
}

impl Store {
    /// Compares the files with what they were when the base was [kept](Store::keep) under this mark.
    pub fn look(&self, mark: &str, depth: Depth) -> Looked {
        if depth == Depth::Files {
            self.note_close_look();
        }
        self.try_look(mark, depth).unwrap_or_else(|| Looked::Unknown(self.before()))
    }

    /// Compares these files alone with what they were when the base was [kept](Store::keep) under this
    /// mark: what is about to be shown must not be older than its file.
    pub fn look_at(&self, mark: &str, paths: &[&str]) -> Looked {
        let look = || {
            let seen = self.seen_under(mark).filter(|seen| !seen.twice)?;
            let mut suspects: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for path in paths {
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
                suspects.entry(folder).or_default().push(name);
            }
            let named = |(path, names): (&str, Vec<&str>)| Suspect {
                path: path.to_owned(),
                scope: Scope::Named(names.into_iter().map(str::to_owned).collect()),
            };
            let changes = self.compare(seen, suspects.into_iter().map(named).collect())?;
            Some(if changes.is_empty() { Looked::Same } else { Looked::Changed(changes) })
        };
        look().unwrap_or_else(|| Looked::Unknown(self.before()))
    }

    /// Returns the file whose time says when every file was last looked at, as far as that was asked for.
    pub fn closely(&self) -> PathBuf {
        self.work().folder().join(CLOSELY)
    }

    /// Remembers what the files look like once something has taken the changes in.
    pub fn keep_changes(&self, changes: &Changes) {
        // All of it is derived: whoever cannot keep it looks again.
        let kept = changes.rows.iter().all(|(folder, rows)| self.work().write(&file(folder), rows).is_ok());
        if kept {
            self.keep_seen(&changes.seen);
        }
    }

    /// Remembers what the files look like once something has taken a whole snapshot in.
    pub fn keep(&self, before: Before, snapshot: &Snapshot) {
        let Before { clock, journal, folders } = before;
        let mut ids = HashSet::new();
        let twice = !snapshot.summaries().all(|summary| ids.insert(summary.id.as_str()));
        let (count, sum) = tally(snapshot.summaries());
        let mut rows: BTreeMap<&str, Vec<Row<'_>>> =
            folders.keys().map(|path| (path.as_str(), Vec::new())).collect();
        for record in &snapshot.tree.records {
            let (folder, name) = record.path.rsplit_once('/').unwrap_or(("", &record.path));
            let id = record.summary.as_ref().map(|summary| summary.id.as_str());
            // A folder that came after the first look is found by its parent's time.
            if let Some(rows) = rows.get_mut(folder) {
                rows.push(Row { name, key: record.key, version: record.version, id });
            }
        }
        let mut seen = Seen {
            format: FORMAT,
            count,
            sum,
            twice,
            journal,
            stones: self.stones_key(),
            folders: Vec::new(),
        };
        for (path, rows) in rows {
            let key = folders.get(path).copied().unwrap_or_default().settled(clock);
            seen.folders.push(Folder::of(path, key, &rows));
            let written =
                rows::encode(&rows).is_some_and(|bytes| self.work().write(&file(path), &bytes).is_ok());
            if !written {
                return;
            }
        }
        self.keep_seen(&seen);
    }

    /// Names the state of a base: the same entries with the same bytes give the same mark, as long as the
    /// same is held back from what they say.
    pub fn mark(snapshot: &Snapshot) -> String {
        let (count, sum) = tally(snapshot.summaries());
        snapshot.door.name(&marked(count, sum))
    }

    /// Returns what the files looked like under this mark.
    fn seen_under(&self, mark: &str) -> Option<Seen> {
        let bytes = fs::read(self.work().folder().join(FOLDER).join("seen")).ok()?;
        let seen: Seen = postcard::from_bytes(&bytes).ok()?;
        (seen.format == FORMAT && self.door().name(&marked(seen.count, seen.sum)) == mark).then_some(seen)
    }

    fn try_look(&self, mark: &str, depth: Depth) -> Option<Looked> {
        let mut seen = self.seen_under(mark).filter(|seen| seen.stones == self.stones_key())?;
        let journal = self.journal_key();
        let promised = journal != seen.journal;
        if promised && Journal::read(self.work().folder(), self.root()).is_pending() {
            return None;
        }
        let total: usize = seen.folders.iter().map(|folder| folder.files).sum();
        let all = depth == Depth::Files || matches!(depth, Depth::FilesUpTo(few) if total <= few);
        let suspects = self.suspects(&seen, all, total);
        if suspects.is_empty() && !promised {
            return Some(Looked::Same);
        }
        if seen.twice {
            return None;
        }
        seen.journal = journal;
        self.compare(seen, suspects).map(Looked::Changed)
    }

    /// Lists the folders in which something may have changed.
    fn suspects(&self, seen: &Seen, all: bool, total: usize) -> Vec<Suspect> {
        let changed = |folder: &&Folder| {
            let now = fs::symlink_metadata(self.root().join(&folder.path));
            let moved = now.map_or(true, |meta| !folder.key.proves(FileKey::of(&meta)));
            moved || (all && self.has_edits(folder).unwrap_or(true))
        };
        let found: Vec<&Folder> = if all && total > SHARE {
            seen.folders.par_iter().filter(changed).collect()
        } else {
            seen.folders.iter().filter(changed).collect()
        };
        let scope = if all { Scope::Files } else { Scope::Replaced };
        found.into_iter().map(|folder| Suspect { path: folder.path.clone(), scope: scope.clone() }).collect()
    }

    /// Tells whether a file of a folder, to which none came and of which none went, was written.
    fn has_edits(&self, folder: &Folder) -> Option<bool> {
        let bytes = fs::read(self.work().path(&file(&folder.path)).ok()?).ok()?;
        let rows = rows::decode(&bytes)?;
        if Folder::of("", folder.key, &rows).sum != folder.sum {
            return None;
        }
        let open = Open::new(&self.root().join(&folder.path))?;
        let edited = |row: &Row<'_>| open.key(row.name).is_none_or(|now| !row.key.proves(now));
        Some(if rows.len() > SHARE {
            rows.par_iter().with_min_len(SHARE).any(edited)
        } else {
            rows.iter().any(edited)
        })
    }

    /// Looks at the folders only, before the whole base is read.
    pub fn before(&self) -> Before {
        self.note_close_look();
        let clock = cache::clock(self.work());
        let journal = self.journal_key();
        let mut folders = BTreeMap::new();
        let mut open = vec![String::new()];
        while let Some(path) = open.pop() {
            let full = self.root().join(&path);
            let Ok(meta) = fs::symlink_metadata(&full) else { continue };
            folders.insert(path.clone(), FileKey::of(&meta));
            open.extend(below(&full, &path).into_iter().flatten());
        }
        Before { clock, journal, folders }
    }

    /// Is called before looking, so that what changes meanwhile is younger.
    fn note_close_look(&self) {
        // Without the note all files are looked at again.
        let _ = self.work().touch(CLOSELY);
    }

    fn journal_key(&self) -> FileKey {
        let path = self.work().folder().join(STAGING).join(JOURNAL);
        fs::symlink_metadata(path).map_or(FileKey::default(), |meta| FileKey::of(&meta))
    }

    fn stones_key(&self) -> u64 {
        fs::read(self.root().join(layout::TOMBSTONES)).map_or(0, |bytes| checksum(&bytes))
    }

    fn keep_seen(&self, seen: &Seen) {
        let bytes = postcard::to_stdvec(seen).unwrap_or_default();
        let _ = self.work().write(&format!("{FOLDER}/seen"), &bytes);
    }
}

impl Changes {
    /// Tells whether no entry changed; a file may still look different.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.gone.is_empty()
    }
}

impl Seen {
    fn put_in(&mut self, row: &Row<'_>) {
        if let Some(id) = row.id {
            self.count = self.count.wrapping_add(1);
            self.sum = self.sum.wrapping_add(weight(id, row.version));
        }
    }

    fn take_out(&mut self, row: &Row<'_>) {
        if let Some(id) = row.id {
            self.count = self.count.wrapping_sub(1);
            self.sum = self.sum.wrapping_sub(weight(id, row.version));
        }
    }
}

/// Adds entries up in a way in which one can be taken out again.
fn tally<'a>(summaries: impl Iterator<Item = &'a Summary>) -> (u64, u64) {
    summaries.fold((0, 0), |(count, sum), summary| {
        (count + 1, sum.wrapping_add(weight(summary.id.as_str(), summary.version)))
    })
}

fn weight(id: &str, version: Version) -> u64 {
    checksum(id.as_bytes()) ^ version.number()
}

fn marked(count: u64, sum: u64) -> String {
    format!("{FORMAT}.{count}-{sum:016x}")
}

fn file(folder: &str) -> String {
    format!("{FOLDER}/{:016x}", checksum(folder.as_bytes()))
}
