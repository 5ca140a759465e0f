//! What a merge left behind is put right: undecided files, markers, one entry in two files.
//!
//! Which side is whose does not matter: the same three versions give the same files in every clone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use lore_core::{Article, EntryId, Level};

use crate::check::Refused;
use crate::git::Unmerged;
use crate::merge::{self, MergedFile, Take, merge_takes};
use crate::migrate::v1;
use crate::transaction::Planned;
use crate::{Tombstone, Tombstones, Transaction, Version, layout, lines};

/// What was put right.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mended {
    /// Files that were in conflict and are decided, relative to the base.
    pub decided: BTreeSet<String>,
    /// Entries that one person removed and another edited; a review decides.
    pub contested: Vec<EntryId>,
}

/// The versions of one entry in files that are in conflict, with where they lie.
#[derive(Default)]
struct Versions {
    base: Option<(String, Vec<u8>)>,
    ours: Option<(String, Vec<u8>)>,
    theirs: Option<(String, Vec<u8>)>,
}

impl Transaction<'_> {
    /// Decides what git left undecided; paths are relative to the base.
    pub fn mend(&mut self, unmerged: Vec<Unmerged>) -> Result<Mended, Refused> {
        let mut mended = Mended::default();
        let mut undecided: BTreeMap<String, Unmerged> =
            unmerged.into_iter().map(|file| (file.path.clone(), file)).collect();
        for path in self.with_markers() {
            let known = undecided.contains_key(&path);
            let text = fs::read_to_string(self.store.root().join(&path)).unwrap_or_default();
            if let Some(sides) = merge::sides(&text).filter(|_| !known) {
                let bytes = |text: String| Some(text.into_bytes());
                let (ours, theirs) = (bytes(sides.ours), bytes(sides.theirs));
                let base = sides.base.map(String::into_bytes);
                undecided.insert(path.clone(), Unmerged { path, base, ours, theirs });
            }
        }
        let mut entries: BTreeMap<EntryId, Versions> = BTreeMap::new();
        for (path, file) in &undecided {
            if layout::is_entry(path) {
                if sort_in(&mut entries, path, file) {
                    mended.decided.insert(path.clone());
                }
            } else if self.mend_state(path, file) {
                mended.decided.insert(path.clone());
            }
        }
        let in_conflict = mended.decided.clone();
        for path in in_conflict.iter().filter(|path| layout::is_entry(path)) {
            self.take_off(path);
        }
        let mut placed: Vec<(EntryId, BTreeSet<String>, String)> = Vec::new();
        for (id, versions) in entries {
            self.mend_entry(&id, versions, &mut placed, &mut mended);
        }
        self.place(placed, &mut mended)?;
        self.join_twins(&mut mended)?;
        self.sort_state();
        self.bring_attributes();
        Ok(mended)
    }

    /// Puts right what a merge left that nobody has to decide: one entry in two files, the order of machine state.
    pub fn join(&mut self) -> Result<(), Refused> {
        self.join_twins(&mut Mended::default())?;
        self.sort_state();
        self.bring_attributes();
        Ok(())
    }

    fn with_markers(&self) -> Vec<String> {
        let conflicted = |d: &lore_core::Diagnostic| d.level == Level::Error && d.code == "merge-conflict";
        let records = self.base.tree.records.iter().filter(|r| r.diagnostics.iter().any(conflicted));
        records.map(|record| record.path.clone()).collect()
    }

    /// Merges a file of machine state; lists and the manifest are made again by the commit.
    fn mend_state(&mut self, path: &str, file: &Unmerged) -> bool {
        let (ours, theirs) = (file.ours.clone().unwrap_or_default(), file.theirs.clone().unwrap_or_default());
        if layout::is_rebuilt(path) {
            return true;
        }
        match merge::merge(path, file.base.as_deref(), &ours, &theirs) {
            MergedFile::One(bytes) if path == layout::TOMBSTONES => {
                let merged = Tombstones::parse(&String::from_utf8_lossy(&bytes));
                // What was found out meanwhile is kept as well.
                let fresh: Vec<Tombstone> =
                    self.stones.iter().filter(|stone| merged.get(&stone.id).is_none()).cloned().collect();
                let before =
                    Tombstones::parse(&String::from_utf8_lossy(file.base.as_deref().unwrap_or_default()));
                self.stones = merged;
                fresh
                    .into_iter()
                    .filter(|stone| before.get(&stone.id).is_none())
                    .for_each(|s| self.stones.add(s));
                true
            }
            MergedFile::One(bytes) if path.starts_with(".lore/") => {
                self.state.insert(path.to_owned(), lines::parse(&String::from_utf8_lossy(&bytes)));
                true
            }
            _ => false,
        }
    }

    /// Puts the lines of machine state in order where git joined two files one behind the other.
    fn sort_state(&mut self) {
        let folders = [layout::LEDGER, layout::RUNS];
        let paths: Vec<String> =
            folders.into_iter().flat_map(|folder| self.store.state_files(folder)).collect();
        for path in paths.into_iter().filter(|path| !self.state.contains_key(path)).collect::<Vec<_>>() {
            let text = fs::read_to_string(self.store.root().join(&path)).unwrap_or_default();
            let in_order = merge::merge_state(&path, &text);
            if in_order != text {
                self.state.insert(path, lines::parse(&in_order));
            }
        }
    }

    /// Takes a file that is in conflict off the plan; what becomes of its entries is decided apart.
    fn take_off(&mut self, path: &str) {
        let before = self.version_at(path);
        if let Some(summary) = self.base.at(path).and_then(|record| record.summary.clone()) {
            self.forget_names(&summary);
        }
        if before.is_some() {
            self.planned.insert(path.to_owned(), Planned { bytes: None, before, record: None });
        }
    }

    fn version_at(&self, path: &str) -> Option<Version> {
        fs::read(self.store.root().join(path)).ok().map(|bytes| Version::of(&bytes))
    }

    /// Decides about one entry: merged, kept, or removed.
    fn mend_entry(
        &mut self,
        id: &EntryId,
        versions: Versions,
        placed: &mut Vec<(EntryId, BTreeSet<String>, String)>,
        mended: &mut Mended,
    ) {
        let Versions { base, mut ours, mut theirs } = versions;
        // A side that moved the file without a conflict has it elsewhere.
        let moved = self.locate(id.as_str()).and_then(|path| {
            let bytes = fs::read(self.store.root().join(&path)).ok()?;
            Some((path, bytes))
        });
        if let Some((path, bytes)) = moved {
            self.take_off(&path);
            let free = if ours.is_none() { &mut ours } else { &mut theirs };
            if free.is_none() {
                *free = Some((path, bytes));
            }
        }
        fn take(side: &Option<(String, Vec<u8>)>) -> Option<Take<'_>> {
            side.as_ref().and_then(|(path, bytes)| Take::read(path, bytes))
        }
        let paths: BTreeSet<String> =
            [&ours, &theirs].into_iter().flatten().map(|(path, _)| path.clone()).collect();
        let text = match (take(&ours), take(&theirs)) {
            (Some(one), Some(other)) => Some(merge_takes(take(&base), one, other)),
            (Some(left), None) | (None, Some(left)) if take(&base).is_none() => Some(left.text.into_owned()),
            (Some(left), None) | (None, Some(left)) => {
                // One side removed it, the other went on with it.
                let known = take(&base);
                let is_confirmed = known.as_ref().is_some_and(|base| {
                    left.entry.verified.iter().any(|stamp| !base.entry.verified.contains(stamp))
                });
                let theirs =
                    is_confirmed || left.is_a_persons() && known.is_none_or(|base| base.text != left.text);
                if !self.stones.contains(id) {
                    self.stones.add(removed(&left, self.last_heard().date()));
                }
                if theirs {
                    self.contested.insert(id.clone());
                    mended.contested.push(id.clone());
                }
                theirs.then(|| left.text.into_owned())
            }
            (None, None) => None,
        };
        placed.extend(text.map(|text| (id.clone(), paths, text)));
    }

    /// Puts entries where they belong; of two that want one name, the smaller id gets it.
    fn place(
        &mut self,
        placed: Vec<(EntryId, BTreeSet<String>, String)>,
        mended: &mut Mended,
    ) -> Result<(), Refused> {
        for (id, paths, text) in placed {
            let Some(take) = Take::read("", text.as_bytes()) else { continue };
            let usual = layout::path_for(&take.entry, |_| false);
            let wanted = paths.get(&usual).or_else(|| paths.first()).cloned().unwrap_or(usual);
            let path = if self.is_taken(&wanted) {
                layout::path_for(&take.entry, |path| self.is_taken(path))
            } else {
                wanted
            };
            let before = self.version_at(&path);
            mended.decided.insert(path.clone());
            self.plan(&id, path, text, before)?;
        }
        Ok(())
    }

    /// Makes one file of several that hold the same entry.
    fn join_twins(&mut self, mended: &mut Mended) -> Result<(), Refused> {
        let mut files: BTreeMap<EntryId, BTreeSet<String>> = BTreeMap::new();
        for summary in self.base.summaries().filter(|summary| !self.planned.contains_key(&summary.path)) {
            files.entry(summary.id.clone()).or_default().insert(summary.path.clone());
        }
        for (id, paths) in files.into_iter().filter(|(_, paths)| paths.len() > 1) {
            let texts: Vec<(String, Vec<u8>)> = paths
                .iter()
                .filter_map(|path| Some((path.clone(), fs::read(self.store.root().join(path)).ok()?)))
                .collect();
            let takes: Vec<Take<'_>> =
                texts.iter().filter_map(|(path, bytes)| Take::read(path, bytes)).collect();
            // What is undecided, or cannot be read, would be lost.
            if takes.len() < paths.len() {
                continue;
            }
            // Who takes a page for a pattern and leaves its id wrote another entry, and has to be told.
            if !takes.windows(2).all(|pair| is_one(&pair[0], &pair[1])) {
                continue;
            }
            let joined = takes.into_iter().map(|take| take.text.into_owned()).reduce(|one, other| {
                match (Take::read("", one.as_bytes()), Take::read("", other.as_bytes())) {
                    (Some(a), Some(b)) => merge_takes(None, a, b),
                    _ => one.clone(),
                }
            });
            let Some(text) = joined else { continue };
            paths.iter().for_each(|path| self.take_off(path));
            mended.decided.extend(paths.iter().cloned());
            self.place(vec![(id, paths, text)], mended)?;
        }
        Ok(())
    }

    /// Tells git about the merge driver in a base that is older than it.
    pub fn bring_attributes(&mut self) {
        let text = fs::read_to_string(self.store.root().join(layout::ATTRIBUTES)).unwrap_or_default();
        if text == v1::FIRST_ATTRIBUTES {
            self.verbatim.insert(layout::ATTRIBUTES.to_owned(), v1::ATTRIBUTES.to_owned());
        }
    }
}

/// Sorts the versions of a file by the entries they hold; nothing is sorted where one holds none.
fn sort_in(entries: &mut BTreeMap<EntryId, Versions>, path: &str, file: &Unmerged) -> bool {
    let id = |bytes: &Vec<u8>| Take::read(path, bytes).map(|take| take.entry.id);
    let sides = [&file.base, &file.ours, &file.theirs];
    if sides.into_iter().flatten().any(|bytes| id(bytes).is_none()) {
        return false;
    }
    for (number, bytes) in sides.into_iter().enumerate() {
        let Some((bytes, id)) = bytes.as_ref().and_then(|bytes| Some((bytes, id(bytes)?))) else { continue };
        let versions = entries.entry(id).or_default();
        let side = match number {
            0 => &mut versions.base,
            1 => &mut versions.ours,
            _ => &mut versions.theirs,
        };
        side.get_or_insert_with(|| (path.to_owned(), bytes.clone()));
    }
    true
}

/// Tells whether two files of one id hold the same entry: its title, or something that it says.
fn is_one(a: &Take<'_>, b: &Take<'_>) -> bool {
    let said = |take: &Take<'_>| -> BTreeSet<String> {
        Article::parse(&take.entry.body).current().map(|claim| claim.text.clone()).collect()
    };
    a.entry.title == b.entry.title || !said(a).is_disjoint(&said(b))
}

/// Says of an entry that one side removed without a word what there is to say.
fn removed(left: &Take<'_>, on: jiff::civil::Date) -> Tombstone {
    Tombstone {
        id: left.entry.id.clone(),
        on,
        by: "human".to_owned(),
        title: left.entry.title.clone(),
        aliases: left.entry.aliases.clone(),
        why: "the file was deleted".to_owned(),
        evidence: Vec::new(),
        said: crate::tombstone::said_in(&left.entry),
    }
}
