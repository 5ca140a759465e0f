//! The base at one moment, for readers. Taking one needs no lock and waits for nobody.

mod resolve;

use std::borrow::Cow;
use std::collections::hash_map::Entry as Slot;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher as _, BuildHasherDefault, Hasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use lore_core::{Curator, Diagnostic, Entry, EntryId, Handle, Level};
use rayon::prelude::*;

pub use self::resolve::ResolveError;
use crate::cache::Record;
use crate::door::Door;
use crate::journal::Journal;
use crate::tree::{self, Tree, View};
use crate::{Summary, Tombstones, Version, format, layout, protect};

/// All entries of the base as they were at one moment between two transactions.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) root: PathBuf,
    pub(crate) work: PathBuf,
    pub(crate) door: Door,
    pub(crate) tree: Tree,
    /// Files that the machine wrote and a person removed elsewhere; nobody is shown them.
    pub(crate) buried: Vec<Arc<Record>>,
    names: OnceLock<Names>,
    /// Every handle in all its length, sorted, so that a short one is found without looking at all.
    handles: OnceLock<Vec<(Handle, u32)>>,
}

/// Where ids and aliases lead. Names are kept as hashes, because there are many and most are never asked for.
#[derive(Debug, Default)]
struct Names {
    hasher: RandomState,
    by_name: HashMap<u64, u32, BuildHasherDefault<Plain>>,
    /// Further entries whose id or alias has the same hash, nearly always because it is the same.
    more: Vec<(u64, u32)>,
    twice: Vec<Diagnostic>,
}

impl Names {
    /// Adds a name and returns where it led before.
    fn add(&mut self, name: &str, at: u32) -> Option<u32> {
        let hash = self.hasher.hash_one(name);
        match self.by_name.entry(hash) {
            Slot::Vacant(free) => {
                free.insert(at);
                None
            }
            Slot::Occupied(taken) => {
                self.more.push((hash, at));
                Some(*taken.get())
            }
        }
    }
}

/// Takes a number that is a hash already as it is.
#[derive(Debug, Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// One entry with its text, as it was read just now.
#[derive(Debug, Clone)]
pub struct Stored {
    /// The entry; `curated_by` says what the file really is, a person's edits included.
    pub entry: Entry,
    /// Its file, relative to the base.
    pub path: String,
    /// Which bytes were read; a replacement names it, so that nobody's edit is lost.
    pub version: Version,
    /// What was odd about the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The line of the file on which the body starts.
    pub body_line: u32,
    door: Door,
    pub(crate) bytes: Vec<u8>,
}

impl Stored {
    /// Returns the file's text as its author sees it, or nothing where it is not valid UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// Returns the file's text as it may be handed out.
    pub fn shown_text(&self) -> Option<Cow<'_, str>> {
        let text = self.text()?;
        Some(self.door.shown_text(text).map_or(Cow::Borrowed(text), Cow::Owned))
    }

    /// Takes the secrets out of what the entry says; the bytes stay what they are.
    pub(crate) fn shown(mut self) -> Stored {
        let text = String::from_utf8_lossy(&self.bytes);
        if let Some(entry) = self.door.shown(&self.path, &text, &self.entry) {
            self.diagnostics.extend(self.door.diagnostics(&self.path, &text));
            self.entry = entry;
        }
        self
    }
}

/// An entry that is listed could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The disk refused, or the file is gone.
    #[error("cannot read `{path}`")]
    Io {
        /// The file, relative to the base.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The file no longer holds an entry.
    #[error("`{path}` does not hold an entry{}", .diagnostics.first().map(|d| format!(": {}", d.message)).unwrap_or_default())]
    NoEntry {
        /// The file, relative to the base.
        path: String,
        /// What was found instead.
        diagnostics: Vec<Diagnostic>,
    },
}

impl Snapshot {
    pub(crate) fn new(root: PathBuf, work: PathBuf, door: Door, tree: Tree) -> Snapshot {
        let (names, handles) = (OnceLock::new(), OnceLock::new());
        Snapshot { root, work, door, tree, buried: Vec::new(), names, handles }
    }

    /// Leaves out what a tombstone covers, unless a person had a hand in it.
    pub(crate) fn without(mut self, stones: &Tombstones) -> Snapshot {
        if stones.iter().next().is_some() {
            let covers = |record: &Arc<Record>| {
                // What a person confirmed while another removed it waits for one of them.
                let covered =
                    |summary: &Summary| stones.covers(&summary.id, summary.curated_by) && !summary.verified;
                record.summary.as_ref().is_some_and(covered)
            };
            (self.buried, self.tree.records) =
                std::mem::take(&mut self.tree.records).into_iter().partition(covers);
        }
        self
    }

    /// Finds what is known of a file.
    pub(crate) fn at(&self, path: &str) -> Option<&Record> {
        let records = &self.tree.records;
        records.binary_search_by(|record| record.path.as_str().cmp(path)).ok().map(|at| records[at].as_ref())
    }

    /// Lists what is known of the files below a folder.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &Record> {
        let prefix = layout::join(folder, "");
        let records = &self.tree.records;
        let first = records.partition_point(|record| record.path < prefix);
        let inside = move |record: &&Arc<Record>| record.path.starts_with(&prefix);
        records[first..].iter().take_while(inside).map(Arc::as_ref)
    }

    /// Lists all entries by path.
    pub fn summaries(&self) -> impl Iterator<Item = &Summary> + Clone {
        self.tree.records.iter().filter_map(|record| record.summary.as_ref())
    }

    /// Counts the entries.
    pub fn len(&self) -> usize {
        self.summaries().count()
    }

    /// Tells whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.summaries().next().is_none()
    }

    /// Finds an entry by its id or an alias.
    pub fn find(&self, name: &str) -> Option<&Summary> {
        let names = self.names();
        let hash = names.hasher.hash_one(name);
        let first = names.by_name.get(&hash)?;
        let more = names.more.iter().filter(|(other, _)| *other == hash).map(|(_, at)| at);
        let found: Vec<&Summary> =
            std::iter::once(first).chain(more).filter_map(|at| self.nth(*at)).collect();
        // Real ids win over aliases.
        let by_id = found.iter().find(|summary| summary.id.as_str() == name);
        let by_alias = || found.iter().find(|summary| summary.aliases.iter().any(|alias| alias == name));
        by_id.or_else(by_alias).copied()
    }

    /// Returns where an entry lies, or would lie if it were made now.
    pub fn path_of(&self, entry: &Entry) -> String {
        match self.find(entry.id.as_str()) {
            Some(summary) => summary.path.clone(),
            None => layout::path_for(entry, |path| self.at(path).is_some()),
        }
    }

    /// Finds the entries whose handle is this or begins with it; nearly always one or none.
    pub fn by_handle(&self, handle: &Handle) -> Vec<&Summary> {
        let handles = self.handles.get_or_init(|| {
            let named = (0u32..).zip(&self.tree.records).filter_map(|(at, record)| {
                let summary = record.summary.as_ref()?;
                Some((Handle::longest(&summary.id), at))
            });
            let mut handles: Vec<(Handle, u32)> = named.collect();
            handles.sort_unstable();
            handles
        });
        let first = handles.partition_point(|(known, _)| known < handle);
        let fitting =
            handles[first..].iter().take_while(|(known, _)| known.as_str().starts_with(handle.as_str()));
        fitting.filter_map(|(_, at)| self.nth(*at)).collect()
    }

    /// Reads one entry with its text from its file.
    pub fn read(&self, summary: &Summary) -> Result<Stored, ReadError> {
        let journal = Journal::read(&self.work, &self.root);
        let overlay = journal.overlay();
        read(View { root: &self.root, work: &self.work, overlay: &overlay, door: &self.door }, &summary.path)
            .map(Stored::shown)
    }

    /// Reads several entries in one go; what cannot be read any more is nothing.
    pub fn read_some<'a>(&self, summaries: impl IntoIterator<Item = &'a Summary>) -> Vec<Option<Stored>> {
        let journal = Journal::read(&self.work, &self.root);
        let overlay = journal.overlay();
        let view = View { root: &self.root, work: &self.work, overlay: &overlay, door: &self.door };
        summaries.into_iter().map(|summary| read(view, &summary.path).ok().map(Stored::shown)).collect()
    }

    /// Reads all entries with their texts; what cannot be read any more is left out.
    pub fn read_all(&self) -> Vec<Stored> {
        let journal = Journal::read(&self.work, &self.root);
        let overlay = journal.overlay();
        let view = View { root: &self.root, work: &self.work, overlay: &overlay, door: &self.door };
        let paths: Vec<&str> = self.summaries().map(|s| s.path.as_str()).collect();
        paths.into_par_iter().filter_map(|path| read(view, path).ok().map(Stored::shown)).collect()
    }

    /// Lists everything odd about the files: by path, then by line.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let own = self.tree.records.iter().flat_map(|record| &record.diagnostics);
        let mut all: Vec<Diagnostic> =
            own.chain(&self.tree.diagnostics).chain(&self.names().twice).cloned().collect();
        all.sort();
        all
    }

    /// Lists each entry's version, for whoever keeps something derived from them.
    pub fn versions(&self) -> BTreeMap<EntryId, Version> {
        self.summaries().map(|s| (s.id.clone(), s.version)).collect()
    }

    fn nth(&self, at: u32) -> Option<&Summary> {
        self.tree.records.get(at as usize)?.summary.as_ref()
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let mut names = Names::default();
            names.by_name.reserve(self.tree.records.len());
            for (at, record) in (0u32..).zip(&self.tree.records) {
                let Some(summary) = &record.summary else { continue };
                if let Some(other) = names.add(summary.id.as_str(), at).and_then(|first| self.nth(first))
                    && other.id == summary.id
                {
                    let message = format!("the id `{}` is also in `{}`", summary.id, other.path);
                    let found = Diagnostic::new(Level::Error, "duplicate-id", record.path.clone(), message);
                    names.twice.push(found.with_hint("give one of the two another id, or remove it"));
                }
                for alias in &summary.aliases {
                    names.add(alias, at);
                }
            }
            names
        })
    }
}

/// Reads the entry at a path, with who really wrote it.
pub(crate) fn read(view: View<'_>, path: &str) -> Result<Stored, ReadError> {
    let bytes = tree::bytes(view, path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    stored(path, bytes, view.door)
}

/// Takes an entry from the bytes of its file.
pub(crate) fn stored(path: &str, bytes: Vec<u8>, door: &Door) -> Result<Stored, ReadError> {
    let read = format::read(path, &bytes);
    let Some(mut entry) = read.entry else {
        return Err(ReadError::NoEntry { path: path.to_owned(), diagnostics: read.diagnostics });
    };
    entry.curated_by = match std::str::from_utf8(&bytes) {
        Ok(text) => protect::curator(text, entry.curated_by),
        Err(_) => Curator::Human,
    };
    Ok(Stored {
        entry,
        path: path.to_owned(),
        version: Version::of(&bytes),
        diagnostics: read.diagnostics,
        body_line: read.body_line,
        door: door.clone(),
        bytes,
    })
}
