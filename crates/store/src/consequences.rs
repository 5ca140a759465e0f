//! What follows from changed entries: tombstones, machine state and generated lists.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lore_core::EntryId;
use rayon::prelude::*;

use crate::apply;
use crate::cache::{self, FileKey, Made, Record};
use crate::commit::{CommitError, CommitOptions, Lists};
use crate::index::Folders;
use crate::manifest::{self, Known};
use crate::transaction::Planned;
use crate::{Curated, Summary, Tombstone, Transaction, layout, ledger, lines, log};

/// What files will hold, by path relative to the base; nothing means that the file goes.
pub(crate) type Files = BTreeMap<String, Option<Vec<u8>>>;

/// Files of the base that git was told not to check out.
pub(crate) enum Skipped {
    These(HashSet<String>),
    /// Only some files are checked out, and git does not say which.
    CannotTell,
}

impl Transaction<'_> {
    /// Decides about files that are there although their entries were removed.
    ///
    /// What the base did not hold at the last write was brought back by hand, and the stone goes.
    /// What it did hold came in with a merge: there the stone wins over the machine's text, and where
    /// a person wrote, both stay and a review decides.
    pub(crate) fn unearth(&mut self) -> Result<(), CommitError> {
        let root = self.store.root().to_owned();
        for record in self.base.buried.clone() {
            let Some(id) = record.summary.as_ref().map(|summary| summary.id.clone()) else { continue };
            if self.planned.contains_key(&record.path) || !self.stones.contains(&id) {
                continue;
            }
            if self.locate(id.as_str()).is_none() && !self.was_known(&root, &id)? {
                self.stones.lift(&id);
                self.risen.push(record);
            } else {
                let gone = Planned { bytes: None, before: Some(record.version), record: None };
                self.planned.insert(record.path.clone(), gone);
            }
        }
        // What was merged into another entry is found under that one's name and is not there itself.
        let is_there = |id: &EntryId| {
            self.locate(id.as_str()).and_then(|path| self.id_at(&path)).is_some_and(|there| there == *id)
        };
        let present: Vec<EntryId> = self
            .stones
            .iter()
            .map(|stone| stone.id.clone())
            .filter(|id| is_there(id) && !self.contested.contains(id))
            .collect();
        for id in present {
            if !self.was_known(&root, &id)? {
                self.stones.lift(&id);
            }
        }
        self.unlink_removed();
        Ok(())
    }

    /// Tells whether the base held an entry when it was last written.
    fn was_known(&self, root: &Path, id: &EntryId) -> Result<bool, CommitError> {
        let text = text_at(root, &manifest::path(layout::month_of(id.as_str())))?;
        Ok(text.lines().any(|line| line.split('\t').next() == Some(id.as_str())))
    }

    /// Notes what people deleted.
    pub(crate) fn bury(&mut self, records: &[Arc<Record>], missing: Vec<Known>) -> Vec<EntryId> {
        // A file that is still there but no longer says its id is damaged or renamed, not deleted.
        let is_there = |path: &str| records.binary_search_by(|record| record.path.as_str().cmp(path)).is_ok();
        let unnamed: HashSet<&str> = records
            .iter()
            .filter(|record| record.summary.is_none())
            .map(|record| file_name(&record.path))
            .collect();
        // When exactly somebody deleted it, nobody knows; every clone that notices says the same.
        let on = self.last_heard().date();
        let mut deleted = Vec::new();
        for known in missing {
            let gone = !self.stones.contains(&known.id)
                && !self.taken_back.contains(&known.id)
                && !is_there(&known.path)
                && !unnamed.contains(file_name(&known.path));
            if gone {
                deleted.push(known.id.clone());
                self.stones.add(Tombstone {
                    id: known.id,
                    on,
                    by: "human".to_owned(),
                    title: known.title,
                    aliases: known.aliases,
                    why: "the file was deleted".to_owned(),
                    evidence: Vec::new(),
                    said: Vec::new(),
                });
            }
        }
        deleted.sort();
        deleted
    }

    /// Notes what people deleted since the last write, before anything is made that would hide it.
    pub fn notice_deletions(&mut self) -> Result<Vec<EntryId>, CommitError> {
        let (base, root) = (Arc::clone(&self.base), self.store.root().to_owned());
        let missing = self.manifest(&root, base.summaries(), &mut self.store.made(), &mut Files::new())?;
        Ok(self.bury(&base.tree.records, missing))
    }

    /// Brings the manifest up to date and lists the entries it knew that are not there any more. What git
    /// was told not to check out is not gone; it stays in the manifest.
    pub(crate) fn manifest<'a>(
        &self,
        root: &Path,
        summaries: impl Iterator<Item = &'a Summary>,
        made: &mut HashMap<String, Made>,
        files: &mut Files,
    ) -> Result<Vec<Known>, CommitError> {
        let mut months: HashMap<&str, (u64, Vec<&Summary>)> = HashMap::new();
        for summary in summaries {
            let (from, of_month) = months.entry(layout::month_of(summary.id.as_str())).or_default();
            *from = from.wrapping_add(summary.version.number() ^ cache::checksum(summary.path.as_bytes()));
            of_month.push(summary);
        }
        let known = self.store.state_files(layout::MANIFEST);
        let emptied = known.iter().filter_map(|path| path.rsplit('/').next());
        let emptied: Vec<&str> = emptied.filter(|month| !months.contains_key(month)).collect();
        months.extend(emptied.into_iter().map(|month| (month, (0, Vec::new()))));
        let mut missing = Vec::new();
        for (month, (from, mut of_month)) in months {
            let path = manifest::path(month);
            let now = fs::symlink_metadata(root.join(&path)).ok().map(|meta| FileKey::of(&meta));
            let fresh =
                made.get(&path).zip(now).is_some_and(|(made, now)| made.from == from && made.key.proves(now));
            if fresh {
                continue;
            }
            let gone = manifest::missing(&text_at(root, &path)?, |id| self.locate(id).is_some());
            let (skipped, gone): (Vec<Known>, Vec<Known>) =
                gone.into_iter().partition(|known| self.is_skipped(&known.path));
            missing.extend(gone);
            made.insert(path.clone(), Made { from, key: FileKey::default() });
            let text = manifest::render(&mut of_month, &skipped);
            files.insert(path, Some(text.into_bytes()).filter(|bytes| !bytes.is_empty()));
        }
        Ok(missing)
    }

    /// Tells whether git was told not to check a file out (a sparse checkout, `--skip-worktree`).
    fn is_skipped(&self, path: &str) -> bool {
        match self.skipped() {
            Skipped::These(paths) => paths.contains(path),
            Skipped::CannotTell => true,
        }
    }

    fn skipped(&self) -> &Skipped {
        self.skipped.get_or_init(|| {
            let nothing = Skipped::These(HashSet::new());
            let Some(git) = self.store.git() else { return nothing };
            let top = fs::canonicalize(git.top()).unwrap_or_else(|_| git.top().to_owned());
            let Ok(prefix) = self.store.root().strip_prefix(top) else { return nothing };
            let prefix = prefix.to_string_lossy().replace('\\', "/");
            let within = |path: String| match prefix.as_str() {
                "" => Some(path),
                prefix => path.strip_prefix(prefix)?.strip_prefix('/').map(str::to_owned),
            };
            match git.skipped(self.store.root()) {
                Ok(paths) => Skipped::These(paths.into_iter().filter_map(within).collect()),
                Err(_) if git.is_sparse() => Skipped::CannotTell,
                Err(_) => nothing,
            }
        })
    }

    /// Leaves lists as they are that would lose what is not checked out.
    pub(crate) fn keep_lists_of_skipped(&self, made: &mut HashMap<String, Made>, files: &mut Files) {
        let is_kept = |path: &str| {
            let folder = layout::parent(path);
            let above = |other: &String| {
                layout::is_entry(other)
                    && (folder.is_empty()
                        || other.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
            };
            let has = match self.skipped.get() {
                Some(Skipped::These(paths)) => paths.iter().any(above),
                Some(Skipped::CannotTell) => true,
                None => false,
            };
            (file_name(path) == layout::INDEX || path == layout::TIMELINE) && has
        };
        files.retain(|path, _| !is_kept(path));
        made.retain(|path, _| !is_kept(path));
    }

    pub(crate) fn state_files(
        &self,
        root: &Path,
        options: &CommitOptions,
        files: &mut Files,
    ) -> Result<(), CommitError> {
        let mut put = |path: String, text: String| {
            files.insert(path, Some(text.into_bytes()).filter(|bytes| !bytes.is_empty()));
        };
        put(layout::TOMBSTONES.to_owned(), self.stones.render());
        let mut months: BTreeMap<String, Vec<&Curated>> = BTreeMap::new();
        for curated in &self.curated {
            months.entry(curated.month()).or_default().push(curated);
        }
        for (month, read) in months {
            let path = format!("{}/{month}", layout::LEDGER);
            put(path.clone(), ledger::extend(&text_at(root, &path)?, read));
        }
        if let Some(line) = &options.log_line {
            let at = self.last_heard();
            let path = format!("{}/{}", layout::RUNS, at.date().strftime("%Y-%m"));
            let mut runs = lines::parse(&text_at(root, &path)?);
            runs.insert(lines::join([at.to_string().as_str(), &self.store.door().written(line)]));
            put(path, lines::render(&runs));
        }
        for (path, text) in &self.verbatim {
            put(path.clone(), text.clone());
        }
        for (path, lines) in &self.state {
            put(path.clone(), lines::render(lines));
        }
        Ok(())
    }

    /// Reads what runs said, this one included.
    pub(crate) fn runs(&self, root: &Path, files: &Files) -> Result<lines::Lines, CommitError> {
        let mut runs = lines::Lines::new();
        for path in self.store.state_files(layout::RUNS) {
            if !files.contains_key(&path) {
                runs.extend(lines::parse(&text_at(root, &path)?));
            }
        }
        let inside = |path: &str| path.strip_prefix(layout::RUNS).is_some_and(|rest| rest.starts_with('/'));
        for bytes in files.iter().filter(|(path, _)| inside(path)).filter_map(|(_, bytes)| bytes.as_ref()) {
            runs.extend(lines::parse(&String::from_utf8_lossy(bytes)));
        }
        Ok(runs)
    }

    pub(crate) fn lists<'a>(
        &self,
        summaries: impl Iterator<Item = &'a Summary> + Clone,
        runs: &lines::Lines,
        which: Lists,
        made: &mut HashMap<String, Made>,
        files: &mut Files,
    ) {
        let folders = Folders::of(summaries.clone());
        let generated = &self.base.tree.generated;
        let mut wanted = HashSet::new();
        let mut stale = Vec::new();
        for folder in folders.paths() {
            let path = layout::join(folder, layout::INDEX);
            let from = folders.digest(folder);
            let fresh = which == Lists::Changed
                && made
                    .get(&path)
                    .zip(generated.get(&path))
                    .is_some_and(|(made, now)| made.from == from && made.key.proves(*now));
            if !fresh {
                made.insert(path.clone(), Made { from, key: FileKey::default() });
                stale.push((folder, path.clone()));
            }
            wanted.insert(path);
        }
        let rendered =
            stale.into_par_iter().map(|(folder, path)| (path, Some(folders.render(folder).into_bytes())));
        files.par_extend(rendered);
        files.insert(
            layout::LOG.to_owned(),
            Some(log::render(summaries.clone(), &self.stones, runs).into_bytes()),
        );
        files.insert(layout::TIMELINE.to_owned(), log::timeline(summaries).map(String::into_bytes));
        // Only lists we know to be ours go with their last entry.
        let had_entries: HashSet<String> = Folders::of(self.base.summaries())
            .paths()
            .map(|folder| layout::join(folder, layout::INDEX))
            .collect();
        for path in
            generated.keys().filter(|path| file_name(path) == layout::INDEX && !wanted.contains(*path))
        {
            if made.remove(path).is_some() || had_entries.contains(path) || self.leads_nowhere(path) {
                files.insert(path.clone(), None);
            }
        }
    }

    /// Tells whether a list is one of ours by its form and nothing in it is there any more: a merge
    /// brings the list of a folder back whose last entry the other side removed.
    fn leads_nowhere(&self, path: &str) -> bool {
        let root = self.store.root();
        let Ok(text) = text_at(root, path) else { return false };
        let going = |other: &str| self.planned.get(other).is_some_and(|planned| planned.bytes.is_none());
        let mut items = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
        items.peek().is_some()
            && items.all(|line| {
                let target =
                    line.strip_prefix("* [").and_then(|rest| rest.split_once("](")?.1.split(')').next());
                target.is_some_and(|target| {
                    let other = layout::join(layout::parent(path), target);
                    layout::is_inside(&other) && (going(&other) || !root.join(&other).exists())
                })
            })
    }
}

fn text_at(root: &Path, path: &str) -> Result<String, CommitError> {
    let bytes = apply::present(root, path).map_err(|source| CommitError::Io {
        doing: "read",
        path: root.join(path),
        source,
    })?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
