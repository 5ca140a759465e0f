//! Keeping the index in step with the base.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use lore_core::meaning::StaticTable;
use lore_core::{Detail, Entry, EntryId, Hit};
use lore_store::{Changes, Depth, Looked, Snapshot, Store, Stored, Summary, Version};
use lore_surface::{Access, Card, Embedder, Index, Level, Location, SearchError, Silence, WriteError};

use crate::base::Patience;
use crate::own_files::FileTime;
use crate::{Engine, Error};

/// Up to so many files are looked at on every question. In a larger base the folders are, and what is
/// shown; all files are once a minute.
pub(crate) const FEW: usize = 20_000;
/// For so many seconds the folders alone are trusted in a larger base.
const TRUSTED: i64 = 60;
/// From so many entries on, looking at the files takes longer than starting a thread for it.
const MANY: u64 = 500;
/// So many changed entries are taken in while a hook waits.
const A_FEW: usize = 16;
/// Folder of the index in the state.
const INDEX: &str = "cache/index";
/// Begins every stamp; changes with what an index takes from a file.
const STAMPED: &str = "2-";

impl Engine {
    /// Opens the index, brought up to date: what a person edited by hand a moment ago is found.
    pub(crate) fn library(&self) -> Result<Index, Error> {
        let mut index = self.open_index()?;
        let looked = self.look(&index, self.depth());
        self.take_in(&mut index, looked)?;
        Ok(index)
    }

    /// Runs something on the index; one that turns out to be damaged is made again and asked once more.
    ///
    /// The files are looked at meanwhile; where something changed, the work is done again.
    pub(crate) fn with_library<T>(
        &self,
        work: impl Fn(&Index) -> Result<T, SearchError>,
    ) -> Result<T, Error> {
        if self.patience == Patience::Hook {
            return self.with_what_is_there(work);
        }
        self.watched.at(0, 2, "opening the index");
        let mut index = self.open_index()?;
        self.watched.go_on()?;
        self.watched.at(1, 2, "searching");
        let (looked, early) = if index.snapshot().count(Level::Entries) > MANY {
            std::thread::scope(|scope| {
                let look = scope.spawn(|| self.look(&index, self.depth()));
                let early = work(&index);
                (look.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), Some(early))
            })
        } else {
            (self.look(&index, self.depth()), None)
        };
        let value = match (looked, early) {
            (Looked::Same, Some(early)) => early,
            (looked, _) => {
                self.take_in(&mut index, looked)?;
                work(&index)
            }
        };
        match value {
            Ok(value) => Ok(value),
            Err(SearchError::Damaged(level, why)) => {
                tracing::warn!(%why, "the index is made again");
                index.discard(level, &why).or_else(|_| index.in_memory(level))?;
                let snapshot = self.store.snapshot()?;
                self.follow(&mut index, &snapshot)?;
                Ok(work(&index)?)
            }
        }
    }

    /// Runs something on the index as it is, because a hook has no time: a few changes are taken in
    /// before, and anything more is left to a worker.
    fn with_what_is_there<T>(&self, work: impl Fn(&Index) -> Result<T, SearchError>) -> Result<T, Error> {
        // Whoever looks next must not take it for one that is in step.
        let not_built = || {
            let _ = self.forget_step();
            Error::NotBuilt
        };
        if !self.store.work().path(INDEX)?.is_dir() {
            return Err(not_built());
        }
        let mut index = self.open_index()?;
        if index.to_fill(Level::Entries).is_some() {
            return Err(not_built());
        }
        if !self.take_in_a_few(&mut index)? {
            self.behind.store(true, Ordering::Relaxed);
        }
        work(&index).map_err(|damaged| {
            tracing::warn!(%damaged, "the index is left to a worker");
            not_built()
        })
    }

    /// Takes in what changed where that is little, and says whether the index is in step now.
    fn take_in_a_few(&self, index: &mut Index) -> Result<bool, Error> {
        if index.snapshot().count(Level::Entries) > FEW as u64 {
            return Ok(false);
        }
        match self.look(index, Depth::FilesUpTo(FEW)) {
            Looked::Same => Ok(true),
            Looked::Changed(changes) if changes.written.len() + changes.gone.len() <= A_FEW => {
                // Where the index cannot be written, what is there has to do.
                let taken = self.apply(index, &changes).unwrap_or(false);
                if taken {
                    self.store.keep_changes(&changes);
                }
                Ok(taken)
            }
            Looked::Changed(_) | Looked::Unknown(_) => Ok(false),
        }
    }

    /// Looks at those of these entries' files that were written since every file was last looked at, and
    /// of which the index has other bytes.
    pub(crate) fn look_again(&self, shown: &[Hit]) -> Result<bool, Error> {
        let closely = FileTime::of(&self.store.closely());
        let newer = shown.iter().filter(|hit| closely.is_before(&self.root().join(&hit.path)));
        let newer: Vec<&Hit> = newer.collect();
        if newer.is_empty() {
            return Ok(false);
        }
        let mut index = self.open_index()?;
        let mut differing = Vec::new();
        for hit in newer {
            let card = index.snapshot().card(hit.id.as_str())?;
            let there = std::fs::read(self.root().join(&hit.path)).ok();
            let there = there.map(|bytes| self.stamp(Version::of(&bytes)));
            if card.map(|card| card.stamp) != there {
                differing.push(hit.path.as_str());
            }
        }
        if differing.is_empty() {
            return Ok(false);
        }
        let looked = self.store.look_at(&mark(&index), &differing);
        let changed = !matches!(looked, Looked::Same);
        self.take_in(&mut index, looked)?;
        Ok(changed)
    }

    /// Looks at what changed since the index was last brought up to date.
    fn look(&self, index: &Index, depth: Depth) -> Looked {
        self.store.look(&mark(index), depth)
    }

    fn depth(&self) -> Depth {
        let at = self.store.closely().metadata().and_then(|about| about.modified()).ok();
        let at = at.and_then(|at| jiff::Timestamp::try_from(at).ok());
        let recent =
            |at: jiff::Timestamp| (0..TRUSTED).contains(&(self.world.now.as_second() - at.as_second()));
        if at.is_some_and(recent) { Depth::FilesUpTo(FEW) } else { Depth::Files }
    }

    /// Brings the index up to date with what a look found; where it cannot be written, in memory.
    fn take_in(&self, index: &mut Index, looked: Looked) -> Result<(), Error> {
        match self.take_in_place(index, looked) {
            Err(Error::IndexWrite(why)) if index.is_kept(Level::Entries) => {
                tracing::debug!(%why, "the index is made for this process alone");
                index.in_memory(Level::Entries)?;
                let snapshot = self.store.snapshot()?;
                self.follow(index, &snapshot)
            }
            taken => taken,
        }
    }

    fn take_in_place(&self, index: &mut Index, looked: Looked) -> Result<(), Error> {
        let before = match looked {
            Looked::Same => return Ok(()),
            Looked::Changed(changes) => {
                if self.apply(index, &changes)? {
                    self.store.keep_changes(&changes);
                    return Ok(());
                }
                self.store.before()
            }
            Looked::Unknown(before) => before,
        };
        let snapshot = self.store.snapshot()?;
        self.follow(index, &snapshot)?;
        if index.is_kept(Level::Entries) && index.cursor(Level::Entries) == Some(Store::mark(&snapshot)) {
            self.store.keep(before, &snapshot);
        }
        Ok(())
    }

    /// Writes changes into the index, unless an id in them also belongs to another file.
    fn apply(&self, index: &mut Index, changes: &Changes) -> Result<bool, Error> {
        if changes.is_empty() && index.cursor(Level::Entries).as_deref() == Some(&changes.mark) {
            return Ok(true);
        }
        let (mut new, mut cards, mut hidden) = (BTreeSet::new(), Vec::new(), Vec::new());
        for stored in &changes.written {
            let other = index.snapshot().card(stored.entry.id.as_str())?;
            let left = |path: &str| changes.gone.iter().any(|(_, was)| was == path);
            let elsewhere = other.is_some_and(|card| {
                card.entry.id == stored.entry.id && card.path != stored.path && !left(&card.path)
            });
            if elsewhere || !new.insert(&stored.entry.id) {
                return Ok(false);
            }
            if is_open(&stored.entry) {
                hidden.push(stored.entry.id.clone());
            } else {
                cards.push(self.card(stored.clone()));
            }
        }
        let mut writer = match index.writer() {
            Ok(writer) => writer,
            Err(WriteError::Busy(_)) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        for id in changes.gone.iter().map(|(id, _)| id).chain(&hidden) {
            writer.remove(id)?;
        }
        writer.put(&cards)?;
        writer.commit(Level::Entries, &changes.mark)?;
        writer.finish()?;
        Ok(true)
    }

    /// Opens the index with the vectors that the settings ask for, as it is.
    pub(crate) fn open_index(&self) -> Result<Index, Error> {
        // What cannot be made is not, and the index is this process's own then.
        let _ = self.store.work().make_folder(INDEX).and(self.store.shared().make_folder(INDEX));
        let stones = self.store.tombstones();
        let removed = stones.iter().filter(|stone| !stone.evidence.is_empty());
        let silence = Silence::of(removed.map(|stone| (stone.title.as_str(), stone.evidence.as_slice())));
        Ok(Index::open(&self.index_location()?, self.embedder()?)?.with_silence(silence))
    }

    /// Names where the index lies: entries with the worktree whose they are, passages with all of them.
    pub fn index_location(&self) -> Result<Location, Error> {
        let entries = self.store.work().path(INDEX)?;
        let passages = self.store.shared().path(INDEX)?;
        let closed = self.store.work().is_closed().or(self.store.shared().is_closed());
        let access = if closed.is_some() { Access::Read } else { Access::Write };
        Ok(Location::Apart { entries, passages, access })
    }

    fn embedder(&self) -> Result<Option<Arc<dyn Embedder>>, Error> {
        match self.settings.query.model.as_str() {
            "none" => Ok(None),
            "static" => Ok(Some(Arc::new(StaticTable::shipped()))),
            name => Ok(Some(self.model(name)?)),
        }
    }

    /// Brings the index up to date with the base, reading only what changed.
    pub(crate) fn follow(&self, index: &mut Index, snapshot: &Snapshot) -> Result<(), Error> {
        let cursor = Store::mark(snapshot);
        let is_there = |index: &Index| {
            index.to_fill(Level::Entries).is_none() && index.cursor(Level::Entries).as_ref() == Some(&cursor)
        };
        if is_there(index) {
            return Ok(());
        }
        let mut writer = match index.writer() {
            Ok(writer) => writer,
            // Somebody else is bringing it up to date; what is there serves meanwhile.
            Err(WriteError::Busy(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        // While this process waited, another one may have done it.
        if is_there(writer.index()) {
            return Ok(());
        }
        let is_new = writer.index().to_fill(Level::Entries).is_some();
        let known: BTreeMap<String, String> =
            if is_new { BTreeMap::new() } else { writer.index().snapshot().stamps()? };
        let changed: Vec<&Summary> = snapshot
            .summaries()
            .filter(|summary| known.get(summary.id.as_str()) != Some(&self.stamp(summary.version)))
            .collect();
        let gone: Vec<EntryId> =
            known.keys().filter(|id| snapshot.find(id).is_none()).filter_map(|id| id.parse().ok()).collect();
        if is_new {
            writer.clear(Level::Entries)?;
        }
        for batch in changed.chunks(1000) {
            let stored = batch.iter().filter_map(|summary| snapshot.read(summary).ok());
            let (open, told): (Vec<Stored>, Vec<Stored>) = stored.partition(|one| is_open(&one.entry));
            for hidden in &open {
                writer.remove(&hidden.entry.id)?;
            }
            let cards: Vec<Card> = told.into_iter().map(|stored| self.card(stored)).collect();
            writer.put(&cards)?;
        }
        for id in &gone {
            writer.remove(id)?;
        }
        writer.commit(Level::Entries, &cursor)?;
        Ok(writer.finish()?)
    }

    fn card(&self, stored: Stored) -> Card {
        Card { stamp: self.stamp(stored.version), path: stored.path, entry: stored.entry }
    }

    /// Names what the index holds of a file: its bytes, and what is held back from them.
    fn stamp(&self, version: Version) -> String {
        self.store.door().name(&format!("{STAMPED}{version}"))
    }
}

/// Names the state of the base that the index holds; empty where it holds none.
fn mark(index: &Index) -> String {
    index.cursor(Level::Entries).filter(|_| index.to_fill(Level::Entries).is_none()).unwrap_or_default()
}

/// Tells whether an entry is a question that is still being measured: until then nothing of it is told.
fn is_open(entry: &Entry) -> bool {
    matches!(&entry.detail, Detail::Spike(spike) if spike.state.is_some() && !spike.is_answered())
}
