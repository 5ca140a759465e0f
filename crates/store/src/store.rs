//! One knowledge base: making it, opening it, reading it, beginning to write.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use lore_core::{Diagnostic, Level};

use crate::apply::{self, ApplyError, Fault, Ground};
use crate::cache::{Cache, Made, Record};
use crate::derived::{Derived, DerivedError};
use crate::door::Door;
use crate::git::Git;
use crate::journal::Journal;
use crate::ledger::Ledger;
use crate::lock::{self, LockError};
use crate::migrate::{self, MigrateError};
use crate::place::{self, Linked, Reach};
use crate::scope::{Scope, ScopeKind};
use crate::snapshot::{ReadError, ResolveError, Snapshot, Stored};
use crate::tree::{self, ListError, View};
use crate::{Owner, Tombstones, Transaction, layout, takeover};

/// How long a writer waits for another unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(30);
/// From so many newly read files on, a reader leaves a whole new cache behind.
const WORTH_SAVING: usize = 32;
/// How often a reader looks again when writers are faster than it is.
const LOOKS: usize = 100;

/// A knowledge base.
pub struct Store {
    root: PathBuf,
    work: Derived,
    shared: Derived,
    reach: Reach,
    /// What is to be said about state that an earlier version, or somebody else, left elsewhere.
    old: Option<Diagnostic>,
    git: Option<Git>,
    patience: Duration,
    fault: Option<Fault>,
    seen: Mutex<Seen>,
}

/// What this store saw last, so that the next look is cheap.
#[derive(Default)]
struct Seen {
    records: Vec<Arc<Record>>,
    made: HashMap<String, Made>,
    loaded: bool,
    wasteful: bool,
}

/// A base could not be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no base at this place.
    #[error("there is no knowledge base at `{path}`", path = .0.display())]
    Missing(PathBuf),
    /// A folder or file of it could not be made or read.
    #[error("cannot set up `{path}`", path = .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its folder of state is not one.
    #[error(transparent)]
    Linked(#[from] Linked),
    /// It has a format we cannot read.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
}

/// A transaction could not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// Someone else is writing.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// What a process left unfinished cannot be finished.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// The base could not be read.
    #[error(transparent)]
    List(#[from] ListError),
    /// The folder of state could not be written.
    #[error(transparent)]
    Derived(#[from] DerivedError),
    /// The base is not where it seems to be.
    #[error("`{path}` leads out of the repository through a symbolic link; it is read, but not written", path = .0.display())]
    Elsewhere(PathBuf),
}

/// An entry could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum GetError {
    /// The name does not lead to one entry.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The base could not be listed.
    #[error(transparent)]
    List(#[from] ListError),
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Store {
    /// Makes a base, or opens the one that is there.
    pub fn init(scope: &Scope) -> Result<Store, OpenError> {
        migrate::init(&scope.root)?;
        Store::open(scope)
    }

    /// Opens a base and brings an older format up to date.
    pub fn open(scope: &Scope) -> Result<Store, OpenError> {
        if !scope.root.join(layout::FORMAT).exists() {
            return Err(OpenError::Missing(scope.root.clone()));
        }
        let found = |source| OpenError::Io { path: scope.root.clone(), source };
        let root = std::fs::canonicalize(&scope.root).map_err(found)?;
        migrate::check(&root)?;
        let (work, shared) = (place::open(&scope.work)?, place::open(&scope.shared)?);
        let seen = Mutex::new(Seen::default());
        let (git, reach) = (scope.git.clone(), scope.reach);
        let old = match &git {
            Some(git) if scope.kind == ScopeKind::Project => {
                takeover::take_over(&scope.project, git, &work, &shared)
            }
            _ => None,
        };
        Ok(Store { root, work, shared, reach, old, git, patience: PATIENCE, fault: None, seen })
    }

    /// Waits this long for another writer: for tests, which never wait.
    #[doc(hidden)]
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Store {
        self.patience = patience;
        self
    }

    /// Lets nothing be written beside the base any more, neither caches nor locks: what happens is only rehearsed.
    #[must_use]
    pub fn still(mut self) -> Store {
        self.work = self.work.still();
        self.shared = self.shared.still();
        self
    }

    /// Uses this git instead of the one found by looking: for tests, whose git knows no user.
    #[doc(hidden)]
    #[must_use]
    pub fn with_git(mut self, git: Option<Git>) -> Store {
        self.git = git;
        self
    }

    /// Lets nothing through, in or out, that this door holds back.
    #[must_use]
    pub fn with_door(mut self, door: &Door) -> Store {
        self.work = self.work.with_door(door);
        self.shared = self.shared.with_door(door);
        self
    }

    /// Returns the door that everything passes that is written or handed out.
    pub fn door(&self) -> &Door {
        self.work.door()
    }

    /// Fails at points of a commit: for tests of crashes.
    #[doc(hidden)]
    #[must_use]
    pub fn with_fault(mut self, fault: Fault) -> Store {
        self.fault = Some(fault);
        self
    }

    /// Returns the folder of the base.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the state that concerns the files of this worktree.
    pub fn work(&self) -> &Derived {
        &self.work
    }

    /// Returns the state that all worktrees of the repository share.
    pub fn shared(&self) -> &Derived {
        &self.shared
    }

    /// Returns the repository around the base.
    pub fn git(&self) -> Option<&Git> {
        self.git.as_ref()
    }

    /// Looks at the whole base. Needs no lock, never waits for a writer, and never sees half of one.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>, ListError> {
        let mut journal = Journal::read(self.work.folder(), &self.root);
        if journal.is_pending()
            && !self.work.is_still()
            && let Ok(Some(_lock)) = lock::try_acquire(&self.work)
        {
            // Nobody is at it, so its writer is gone. If it cannot be finished, we see it as if it were.
            let _ = apply::recover(&self.ground());
            journal = Journal::read(self.work.folder(), &self.root);
        }
        self.load();
        let known = self.seen().records.clone();
        let mut tree = tree::load(self.view(&journal.overlay()), &known)?;
        for _ in 0..LOOKS {
            let now = Journal::read(self.work.folder(), &self.root);
            if now.seq == journal.seq {
                break;
            }
            match now.touched_since(journal.seq) {
                Some(paths) => tree::reload(self.view(&now.overlay()), &mut tree, &paths),
                None => tree = tree::load(self.view(&now.overlay()), &tree.records)?,
            }
            journal = now;
        }
        let reread = tree.reread;
        let snapshot =
            Snapshot::new(self.root.clone(), self.work.folder().to_owned(), self.door().clone(), tree);
        let mut seen = self.seen();
        seen.records.clone_from(&snapshot.tree.records);
        let snapshot = Arc::new(snapshot.without(&self.tombstones()));
        if reread >= WORTH_SAVING {
            Cache::save(&self.work, &seen.records, &seen.made);
            seen.wasteful = false;
        }
        Ok(snapshot)
    }

    /// Reads the entry a person means by this name.
    pub fn get(&self, name: &str) -> Result<Stored, GetError> {
        let snapshot = self.snapshot()?;
        let summary = snapshot.resolve(name)?;
        Ok(snapshot.read(summary)?)
    }

    /// Takes the right to write and looks at the base.
    pub fn begin(&self, owner: &Owner, now: Timestamp) -> Result<Transaction<'_>, BeginError> {
        if self.reach == Reach::Outside {
            return Err(BeginError::Elsewhere(self.root.clone()));
        }
        let lock = lock::acquire(&self.work, owner, now, self.patience)?;
        let known = Journal::read(self.work.folder(), &self.root);
        // A rehearsal leaves also what an earlier run left; what a dead one promised has to be kept all the same.
        let journal = match self.work.is_still() && !known.is_pending() {
            true => known,
            false => apply::recover(&self.ground())?.0,
        };
        let base = self.snapshot()?;
        let stones = self.tombstones();
        Ok(Transaction::new(self, lock, owner.clone(), now, base, journal, stones))
    }

    /// Lists what is odd about the state of the base, as distinct from its entries.
    pub fn oddities(&self) -> Vec<Diagnostic> {
        let mut found = apply::refused(self.work.folder(), &self.root);
        found.extend(self.old.clone());
        if let Some(why) = self.work.is_closed().or(self.shared.is_closed()) {
            let folder = self.work.folder().display().to_string();
            let message = format!("nothing can be remembered or written: {why}");
            let hint = "run as the user who made it, or give it to yourself with `chown`";
            found.push(Diagnostic::new(Level::Note, "state-closed", folder, message).with_hint(hint));
        }
        found
    }

    /// Says why nobody here may write, where that is so; nothing is written to find out.
    pub fn closed_to_writing(&self) -> Option<String> {
        if let Some(why) = self.work.is_closed().or(self.shared.is_closed()) {
            return Some(why.to_owned());
        }
        let format = self.root.join(layout::FORMAT);
        let opened = std::fs::OpenOptions::new().append(true).open(&format);
        opened.err().map(|error| format!("`{}`: {error}", format.display()))
    }

    /// Forgets which files the last transactions touched: their names may say what is to be forgotten.
    pub fn forget_touched(&self, owner: &Owner, now: Timestamp) -> Result<(), BeginError> {
        let _lock = lock::acquire(&self.work, owner, now, self.patience)?;
        let (journal, _) = apply::recover(&self.ground())?;
        let failed = |source| ApplyError::Unfinished { path: self.work.folder().to_owned(), source };
        Ok(journal.without_names().promise(self.work.folder()).map_err(failed)?)
    }

    /// Lists what was removed and stays removed.
    pub fn tombstones(&self) -> Tombstones {
        Tombstones::parse(&self.state(layout::TOMBSTONES))
    }

    /// Lists the sessions that were curated.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = Ledger::default();
        for path in self.state_files(layout::LEDGER) {
            ledger.add(&self.state(&path));
        }
        ledger
    }

    /// Lists what runs said about themselves, with when.
    pub fn runs(&self) -> Vec<(Timestamp, String)> {
        let parse = |line: &String| {
            let (at, said) = line.split_once('\t')?;
            let at: lore_core::Moment = at.parse().ok()?;
            Some((at.instant(), said.to_owned()))
        };
        let texts = self.state_files(layout::RUNS).into_iter().map(|path| self.state(&path));
        texts
            .flat_map(|text| crate::lines::parse(&text).iter().filter_map(parse).collect::<Vec<_>>())
            .collect()
    }

    /// Reads a named file of machine state.
    pub fn read_state(&self, name: &str) -> Vec<String> {
        if !layout::is_inside(name) {
            return Vec::new();
        }
        let text = self.state(&format!("{}/state/{name}", layout::STATE));
        crate::lines::parse(&text).into_iter().collect()
    }

    /// Reads a working paper of a spike, or a result that one cites; nothing where there is none.
    pub fn paper(&self, path: &str) -> Option<String> {
        let text =
            if layout::is_paper(path) && layout::is_inside(path) { self.state(path) } else { String::new() };
        Some(text).filter(|text| !text.is_empty())
    }

    /// Lists the files of a folder of machine state, relative to the base.
    pub(crate) fn state_files(&self, folder: &str) -> Vec<String> {
        let Ok(listing) = std::fs::read_dir(self.root.join(folder)) else { return Vec::new() };
        let names = listing.filter_map(|item| item.ok()?.file_name().into_string().ok());
        let mut paths: Vec<String> =
            names.filter(|name| !name.starts_with('.')).map(|name| layout::join(folder, &name)).collect();
        paths.sort();
        paths
    }

    pub(crate) fn ground(&self) -> Ground {
        Ground { root: self.root.clone(), work: self.work.clone(), fault: self.fault.clone() }
    }

    pub(crate) fn made(&self) -> HashMap<String, Made> {
        self.seen().made.clone()
    }

    pub(crate) fn cache_is_wasteful(&self) -> bool {
        self.seen().wasteful
    }

    pub(crate) fn remember(&self, snapshot: &Snapshot, made: HashMap<String, Made>) {
        let records = snapshot.tree.records.clone();
        *self.seen() = Seen { records, made, loaded: true, wasteful: false };
    }

    pub(crate) fn forget(&self) {
        *self.seen() = Seen::default();
    }

    pub(crate) fn view<'a>(&'a self, overlay: &'a HashMap<&'a str, &'a crate::journal::Step>) -> View<'a> {
        View { root: &self.root, work: self.work.folder(), overlay, door: self.door() }
    }

    fn load(&self) {
        let mut seen = self.seen();
        if !seen.loaded {
            let cache = Cache::load(&self.work);
            let wasteful = cache.is_wasteful();
            *seen = Seen { records: cache.records, made: cache.made, loaded: true, wasteful };
        }
    }

    pub(crate) fn state(&self, path: &str) -> String {
        if apply::leads_outside(&self.root, path) {
            return String::new();
        }
        let journal = Journal::read(self.work.folder(), &self.root);
        let bytes = tree::bytes(self.view(&journal.overlay()), path).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
