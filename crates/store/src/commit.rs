//! The end of a transaction: stage, promise, put in place, tell the cache and git.
#![allow(clippy::disallowed_methods, reason = "with apply.rs, the home of writing knowledge")]

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_core::{Diagnostic, EntryId};
use rayon::prelude::*;

use crate::apply::{self, ApplyError, Ground, Point};
use crate::cache::{self, Cache, FileKey, Made, Record};
use crate::change_set;
use crate::consequences::Files;
use crate::derived::DerivedError;
use crate::git::GitError;
use crate::happened::{About, Due};
use crate::journal::{STAGING, Step};
use crate::snapshot::Snapshot;
use crate::tree::Tree;
use crate::{Transaction, Version, layout};

/// How a transaction ends.
#[derive(Debug, Clone, Default)]
pub struct CommitOptions {
    /// Make a git commit of exactly the touched files, with this message.
    pub git: Option<String>,
    /// What the run did, for the log.
    pub log_line: Option<String>,
    /// What the run did, for its change set, where there is nothing for the log.
    pub said: Option<String>,
    /// Which lists are made again.
    pub lists: Lists,
}

/// Which generated lists a commit looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lists {
    /// Those whose entries or bytes changed since they were made.
    #[default]
    Changed,
    /// All, whatever is remembered about them.
    All,
}

/// What a transaction did.
#[derive(Debug)]
pub struct Committed {
    /// Every file that was written or removed, relative to the base.
    pub files: Vec<String>,
    /// Entries that were found to be deleted by hand and now have a tombstone.
    pub deleted: Vec<EntryId>,
    /// The git commit, if one was asked for; what is written stays written even if git refused.
    pub git: Option<Result<String, GitError>>,
    /// What was left as it is because a person was faster.
    pub diagnostics: Vec<Diagnostic>,
    /// The change set, by which it can be told and taken back; nothing where only lists were made again.
    pub run: Option<String>,
}

/// A transaction did not happen.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// Nothing was written yet.
    #[error("cannot {doing} `{path}`; nothing was changed", path = .path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// Someone changed a file while the transaction was being made.
    #[error("`{path}` was changed by someone else meanwhile; nothing was changed")]
    Changed {
        /// The file, relative to the base.
        path: String,
    },
    /// The folder for files on their way could not be made.
    #[error(transparent)]
    Derived(#[from] DerivedError),
    /// The disk refused while files were put in place.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

impl Transaction<'_> {
    /// Makes everything that was asked for happen at once, or nothing.
    pub fn commit(mut self, options: &CommitOptions) -> Result<Committed, CommitError> {
        let root = self.store.root().to_owned();
        self.unearth()?;
        let records = self.records_after();
        let summaries = || records.iter().filter_map(|record| record.summary.as_ref());
        let mut made = self.store.made();
        let mut files = Files::new();
        let missing = self.manifest(&root, summaries(), &mut made, &mut files)?;
        let deleted = self.bury(&records, missing);
        self.state_files(&root, options, &mut files)?;
        let runs = self.runs(&root, &files)?;
        self.lists(summaries(), &runs, options.lists, &mut made, &mut files);
        self.keep_lists_of_skipped(&mut made, &mut files);

        let ground = self.store.ground();
        let about = About { options, deleted: &deleted };
        let (steps, run) =
            self.stage(&ground, &files, &about).inspect_err(|_| apply::clean(&ground, &self.journal))?;
        let paths: Vec<String> = steps.iter().map(|step| step.path.clone()).collect();
        let mut diagnostics = Vec::new();
        if !steps.is_empty() {
            let journal = self.journal.next(steps);
            let failed =
                |source| CommitError::Io { doing: "write the journal in", path: ground.staging(), source };
            ground.at(Point::Promise).map_err(failed)?;
            journal.promise(ground.work.folder()).map_err(failed)?;
            ground.at(Point::Promised).map_err(failed)?;
            (_, diagnostics) = apply::carry_out(&ground, journal)?;
        }
        // Before git, whose hooks may write other bytes than ours, or give a person time to.
        if ground.at(Point::Remember).is_ok() {
            self.remember(&root, records, made, &paths, diagnostics.is_empty());
        }
        let git = options.git.as_ref().filter(|_| !paths.is_empty()).and_then(|message| {
            let full: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
            self.store.git().map(|git| git.commit(&full, &self.store.door().written(message)))
        });
        Ok(Committed { files: paths, deleted, git, diagnostics, run })
    }

    /// Lists the records as they will be.
    fn records_after(&self) -> Vec<Arc<Record>> {
        let base = &self.base.tree.records;
        let mut records: Vec<Arc<Record>> =
            base.iter().filter(|record| !self.planned.contains_key(&record.path)).cloned().collect();
        records.extend(self.risen.iter().cloned());
        records.extend(self.planned.values().filter_map(|planned| planned.record.clone()));
        records.sort_by(|a, b| a.path.cmp(&b.path));
        records
    }

    /// Writes every new file and the change set into the staging folder, durable, and lists what is to
    /// be done.
    fn stage(
        &self,
        ground: &Ground,
        files: &Files,
        about: &About<'_>,
    ) -> Result<(Vec<Step>, Option<String>), CommitError> {
        let mut wanted: Vec<(&String, &Option<Vec<u8>>)> =
            self.planned.iter().map(|(path, planned)| (path, &planned.bytes)).collect();
        wanted.extend(files);
        let seq = self.journal.seq + 1;
        let folder = ground.work.make_folder(STAGING)?;
        let failed = |path: &Path, source| CommitError::Io { doing: "write", path: path.to_owned(), source };
        let look =
            |(path, bytes): (&'_ String, &'_ Option<Vec<u8>>)| self.was(ground, path, bytes.as_deref());
        let looked: Vec<Option<Was>> =
            wanted.par_iter().copied().map(look).collect::<Result<_, CommitError>>()?;
        let due: Vec<Due<'_>> = wanted
            .into_iter()
            .zip(looked)
            .filter_map(|((path, bytes), was)| Some(Due { path, bytes: bytes.as_deref(), was: was?.0 }))
            .collect();
        let set = self.change_set(&due, about);
        let run = set.as_ref().map(|set| set.id.clone());
        let packed = set.map(|mut set| set.encode()).transpose();
        let packed = packed.map_err(|source| failed(&folder, source))?;
        let stage = |number: usize| {
            let Some(Due { path, bytes, was }) = due.get(number) else {
                let target = folder.join(change_set::staged_name(seq));
                let bytes = packed.as_deref().unwrap_or_default();
                write_staged(ground, &target, bytes, Staged::Private)
                    .map_err(|source| failed(&target, source))?;
                return Ok(None);
            };
            let staged = bytes.map(|_| format!("{seq}-{number}"));
            if let Some((bytes, name)) = bytes.zip(staged.as_ref()) {
                let target = folder.join(name);
                let how = if layout::is_rebuilt(path) { Staged::Rebuilt } else { Staged::Durable };
                write_staged(ground, &target, bytes, how).map_err(|source| failed(&target, source))?;
            }
            let (before, after) = (was.as_deref().map(Version::of), bytes.map(Version::of));
            Ok(Some(Step { path: (*path).to_owned(), before, after, staged }))
        };
        let count = due.len() + usize::from(packed.is_some());
        let steps: Vec<Option<Step>> =
            (0..count).into_par_iter().map(stage).collect::<Result<_, CommitError>>()?;
        Ok((steps.into_iter().flatten().collect(), run))
    }

    /// Returns what a file holds before the change, or nothing where there is none to make.
    fn was(&self, ground: &Ground, path: &str, bytes: Option<&[u8]>) -> Result<Option<Was>, CommitError> {
        let full = ground.root.join(path);
        if apply::leads_outside(&ground.root, path) {
            let source = io::Error::other("a symbolic link leads out of the base");
            return Err(CommitError::Io { doing: "write", path: full, source });
        }
        let now = apply::present(&ground.root, path).map_err(|source| CommitError::Io {
            doing: "read",
            path: full,
            source,
        })?;
        let before = now.as_deref().map(Version::of);
        if self.planned.get(path).is_some_and(|planned| planned.before != before) {
            return Err(CommitError::Changed { path: path.to_owned() });
        }
        Ok((now.as_deref() != bytes).then_some(Was(now)))
    }

    /// Tells the cache and this store what the base looks like now.
    fn remember(
        &self,
        root: &Path,
        mut records: Vec<Arc<Record>>,
        mut made: HashMap<String, Made>,
        paths: &[String],
        as_planned: bool,
    ) {
        let work = self.store.work();
        let at = cache::clock(work);
        let look = |path: &str| fs::symlink_metadata(root.join(path)).ok().map(|meta| FileKey::of(&meta));
        let mut generated = self.base.tree.generated.clone();
        let mut fresh = Vec::new();
        if !as_planned {
            // A person was faster; what is there now is found out by reading.
            self.store.forget();
            return;
        }
        for path in paths {
            let key = look(path);
            if layout::is_rebuilt(path) {
                match key {
                    Some(key) => generated.insert(path.clone(), key),
                    None => generated.remove(path),
                };
            } else if let Some(key) = key
                && let Ok(found) = records.binary_search_by(|record| record.path.as_str().cmp(path))
            {
                let record = Record { key: key.settled(at), ..Record::clone(&records[found]) };
                records[found] = Arc::new(record);
                fresh.push(Arc::clone(&records[found]));
            }
        }
        for (path, made) in &mut made {
            if made.key == FileKey::default() {
                made.key =
                    generated.get(path).copied().or_else(|| look(path)).unwrap_or_default().settled(at);
            }
        }
        let gone: Vec<String> = paths.iter().filter(|path| look(path).is_none()).cloned().collect();
        let changed: Vec<(&String, &Made)> = {
            let known = self.store.made();
            made.iter().filter(|(path, made)| known.get(*path) != Some(made)).collect()
        };
        if self.store.cache_is_wasteful() {
            Cache::save(work, &records, &made);
        } else {
            Cache::append(work, &fresh, &gone, &changed);
        }
        let tree = Tree { records, generated, diagnostics: self.base.tree.diagnostics.clone(), reread: 0 };
        let snapshot = Snapshot::new(root.to_owned(), work.folder().to_owned(), work.door().clone(), tree);
        self.store.remember(&snapshot, made);
    }
}

/// What a file held: nothing where there was none.
struct Was(Option<Vec<u8>>);

/// How a staged file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Staged {
    /// It must survive a power cut.
    Durable,
    /// The next write makes it again.
    Rebuilt,
    /// It must survive, and nobody else may read it.
    Private,
}

/// Writes a file that is promised next. The journal lies in the same folder and makes its name durable.
fn write_staged(ground: &Ground, target: &Path, bytes: &[u8], how: Staged) -> io::Result<()> {
    ground.at(Point::Stage)?;
    // What lies there was never promised; a link would lead elsewhere.
    if fs::symlink_metadata(target).is_ok() {
        fs::remove_file(target)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if how == Staged::Private {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(target)?;
    file.write_all(bytes)?;
    if how == Staged::Rebuilt { Ok(()) } else { file.sync_all() }
}
