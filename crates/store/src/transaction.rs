//! The only way to write knowledge: all of it or nothing, one writer at a time.
//!
//! A transaction holds the lock from its beginning. Changes are checked when they are asked for and
//! collected in memory; [`Transaction::commit`] puts them in place together with the lists they
//! change. Dropping a transaction leaves the base as it was.

mod planned;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use lore_core::{Curator, Entry, EntryId, Moment, Source, Stamp};

pub(crate) use self::planned::Planned;
use crate::cache::Record;
use crate::check::{self, Refused};
use crate::consequences::Skipped;
use crate::journal::Journal;
use crate::ledger::Curated;
use crate::lines::Lines;
use crate::lock::Lock;
use crate::owner::Hand;
use crate::protect::{self, People};
use crate::snapshot::{self, Snapshot, Stored};
use crate::{Owner, Store, Tombstones, Version, apply, door, format, frozen, layout, merge};

/// A set of changes that will happen together.
pub struct Transaction<'s> {
    pub(crate) store: &'s Store,
    pub(crate) _lock: Lock,
    pub(crate) owner: Owner,
    pub(crate) now: Timestamp,
    pub(crate) base: Arc<Snapshot>,
    pub(crate) journal: Journal,
    /// What each touched file will hold.
    pub(crate) planned: BTreeMap<String, Planned>,
    /// Where names lead after the changes so far; nothing where they lead nowhere any more.
    names: HashMap<String, Option<String>>,
    /// Paths of new files, in lower case.
    taken: HashSet<String>,
    pub(crate) stones: Tombstones,
    pub(crate) curated: Vec<Curated>,
    pub(crate) state: BTreeMap<String, Lines>,
    /// Entries that were removed by one person and edited by another; both are kept for a review.
    pub(crate) contested: HashSet<EntryId>,
    /// Files that are neither entries nor sets of lines.
    pub(crate) verbatim: BTreeMap<String, String>,
    /// Files that were brought back by hand.
    pub(crate) risen: Vec<Arc<Record>>,
    /// What git knows about people's hands; asked when it first matters.
    people: OnceLock<People>,
    /// Files that git was told not to check out; asked when one is missed.
    pub(crate) skipped: OnceLock<Skipped>,
    /// Entries that go because a run is taken back: no person deleted them.
    pub(crate) taken_back: HashSet<EntryId>,
    /// The change set that is taken back.
    pub(crate) undoes: Vec<String>,
    /// Whether words are erased, so that no change set may keep them.
    pub(crate) erases: bool,
}

/// An entry as the transaction will write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its id.
    pub id: EntryId,
    /// Its file, relative to the base.
    pub path: String,
    /// The version it will have.
    pub version: Version,
}

impl Transaction<'_> {
    /// Returns the base as it was when the transaction began.
    pub fn base(&self) -> &Snapshot {
        &self.base
    }

    /// Lists what was removed and stays removed, with the changes made so far.
    pub fn tombstones(&self) -> &Tombstones {
        &self.stones
    }

    /// Reads an entry by id or alias, with the changes made so far.
    pub fn get(&self, name: &str) -> Result<Stored, Refused> {
        let path = self.locate(name).ok_or_else(|| Refused::Unknown(name.to_owned()))?;
        if let Some(Planned { bytes: Some(bytes), .. }) = self.planned.get(&path) {
            return Ok(snapshot::stored(&path, bytes.clone(), self.store.door())?);
        }
        // Under the lock nothing is promised that is not in place.
        let mut stored = snapshot::read(self.store.view(&HashMap::new()), &path)?;
        stored.entry.curated_by = self.with_history(&stored.entry.id, stored.entry.curated_by);
        Ok(stored)
    }

    /// Returns the id itself if it is free, else the first free one with a number.
    ///
    /// An id whose handle another entry has, or had before it was removed, is not free: handles stand in
    /// people's notes and in past sessions.
    pub fn free_id(&self, id: &EntryId) -> EntryId {
        let unnamed = |id: &EntryId| {
            let handle = id.handle();
            self.base.by_handle(&handle).is_empty() && !self.stones.iter().any(|stone| handle.fits(&stone.id))
        };
        let free =
            |id: &EntryId| self.locate(id.as_str()).is_none() && !self.stones.contains(id) && unnamed(id);
        if free(id) {
            return id.clone();
        }
        (2..).map(|number| id.numbered(number)).find(free).expect("one of four billion ids is free")
    }

    /// Adds an entry. What a person removed comes back only by a person's hand, what an agent removed also by a person's
    /// words.
    pub fn create(&mut self, mut entry: Entry) -> Result<Written, Refused> {
        check::entry(&entry)?;
        for name in std::iter::once(entry.id.as_str()).chain(entry.aliases.iter().map(String::as_str)) {
            if let Some(path) = self.locate(name) {
                return Err(Refused::Taken { id: name.to_owned(), path });
            }
        }
        if let Some(stone) = self.stones.forbidding(&entry).cloned() {
            let is_theirs = stone.is_by_an_agent() && entry.rests_on_a_person();
            match self.owner.hand() {
                Hand::Machine if !is_theirs => return Err(Refused::Removed(Box::new(stone))),
                Hand::Machine | Hand::Person => {
                    self.stones.lift(&stone.id);
                    self.clear_grave(&stone.id);
                }
            }
        }
        let moment = self.stamp(&entry);
        entry.created.get_or_insert(moment);
        entry.updated.get_or_insert(moment);
        entry.generated.get_or_insert_with(|| Stamp { by: self.owner.by.clone(), at: Some(moment) });
        match self.owner.hand() {
            Hand::Person => entry.curated_by = Curator::Human,
            Hand::Machine if entry.curated_by == Curator::Auto => entry.last_auto_curated = Some(moment),
            Hand::Machine => {}
        }
        let path = layout::path_for(&entry, |path| self.is_taken(path));
        let text = format::with_hash(&format::write(&entry));
        check::secrets(self.store.door(), &entry.id, &text, None)?;
        self.plan(&entry.id, path, text, None)
    }

    /// Puts another content in the place of an entry that was read as `version`.
    pub fn replace(&mut self, mut entry: Entry, version: Version) -> Result<Written, Refused> {
        check::entry(&entry)?;
        let old = self.current(entry.id.as_str(), version)?;
        let original = self.text(&old)?.to_owned();
        if let Some(shown) = self.store.door().shown(&old.path, &original, &old.entry) {
            entry = door::with_own_words(entry, &old.entry, &shown);
        }
        entry.curated_by = old.entry.curated_by;
        if entry == old.entry {
            return Ok(Written { id: entry.id, path: old.path, version });
        }
        frozen::check(&old.entry, &entry)?;
        match self.owner.hand() {
            Hand::Machine if old.entry.curated_by != Curator::Auto => {
                if !protect::may_change(&old.entry, &entry) {
                    return Err(Refused::Protected { id: entry.id, curated_by: old.entry.curated_by });
                }
            }
            Hand::Machine => entry.last_auto_curated = Some(self.stamp(&entry)),
            Hand::Person if says_something_else(&old.entry, &entry) && entry.curated_by == Curator::Auto => {
                entry.curated_by = Curator::Mixed;
            }
            Hand::Person => {}
        }
        self.mark_updated(&mut entry, &old.entry);
        self.rewrite(&entry, &old, &original)
    }

    /// Takes the text of an entry as a person edited it, who read it as `version`.
    pub fn replace_text(&mut self, id: &EntryId, text: &str, version: Version) -> Result<Written, Refused> {
        let old = self.current(id.as_str(), version)?;
        if old.bytes == text.as_bytes() {
            return Ok(Written { id: id.clone(), path: old.path, version });
        }
        let read = format::read(&old.path, text.as_bytes());
        let broken = read.diagnostics.iter().any(|found| found.level == lore_core::Level::Error);
        let Some(mut entry) = read.entry.filter(|entry| !broken && entry.id == *id) else {
            return Err(Refused::Unreadable { id: id.clone(), diagnostics: read.diagnostics });
        };
        check::entry(&entry)?;
        frozen::check(&old.entry, &entry)?;
        if entry.curated_by == Curator::Auto {
            entry.curated_by = Curator::Mixed;
        }
        self.mark_updated(&mut entry, &old.entry);
        self.rewrite(&entry, &old, text)
    }

    /// Adds evidence and changes nothing else; allowed also on a person's text.
    pub fn add_sources(&mut self, name: &str, sources: Vec<Source>) -> Result<Written, Refused> {
        let old = self.get(name)?;
        let original = self.text(&old)?.to_owned();
        let mut entry = old.entry.clone();
        for mut source in sources {
            let same = |known: &Source| {
                known.resource == source.resource
                    && known.lines == source.lines
                    && known.voice == source.voice
            };
            if entry.sources.iter().any(same) {
                continue;
            }
            let used = |key: &str| entry.sources.iter().any(|known| known.id.as_deref() == Some(key));
            if source.id.as_deref().is_none_or(used) {
                source.id = (1..).map(|number| format!("s{number}")).find(|key| !used(key));
            }
            entry.sources.push(source);
        }
        if entry.sources.len() == old.entry.sources.len() {
            return Ok(Written { id: entry.id, path: old.path, version: old.version });
        }
        check::entry(&entry)?;
        self.mark_updated(&mut entry, &old.entry);
        self.rewrite(&entry, &old, &original)
    }

    /// Moves an entry to the archive as it is. It stays searchable where that is asked for.
    pub fn archive(&mut self, name: &str) -> Result<Written, Refused> {
        let old = self.get(name)?;
        let path = layout::archived(&old.entry, &old.path);
        if layout::is_archived(&old.path) || self.is_taken(&path) {
            return Ok(Written { id: old.entry.id, path: old.path, version: old.version });
        }
        let text = self.text(&old)?.to_owned();
        self.unplan(&old);
        self.plan(&old.entry.id, path, text, None)
    }

    /// Notes how far sessions were read.
    pub fn note_curated(&mut self, read: impl IntoIterator<Item = Curated>) {
        self.curated.extend(read);
    }

    /// Puts a named file of machine state, a set of lines, that travels with the base.
    pub fn put_state(&mut self, name: &str, lines: impl IntoIterator<Item = String>) -> Result<(), Refused> {
        if !layout::is_inside(name) {
            return Err(Refused::Outside(name.to_owned()));
        }
        let lines =
            lines.into_iter().map(|line| self.store.door().written_line(&line).into_owned()).collect();
        self.state.insert(format!("{}/state/{name}", layout::STATE), lines);
        Ok(())
    }

    /// Puts a working paper of a spike, or a result that one cites, beside the spike.
    pub fn put_paper(&mut self, path: &str, text: &str) -> Result<(), Refused> {
        if !layout::is_paper(path)
            || !layout::is_writable(path)
            || apply::leads_outside(self.store.root(), path)
        {
            return Err(Refused::Outside(path.to_owned()));
        }
        let text = self.store.door().written(text).into_owned();
        self.verbatim.insert(path.to_owned(), text);
        Ok(())
    }

    pub(crate) fn new(
        store: &Store,
        lock: Lock,
        owner: Owner,
        now: Timestamp,
        base: Arc<Snapshot>,
        journal: Journal,
        stones: Tombstones,
    ) -> Transaction<'_> {
        Transaction {
            store,
            _lock: lock,
            owner,
            now,
            base,
            journal,
            planned: BTreeMap::new(),
            names: HashMap::new(),
            taken: HashSet::new(),
            stones,
            curated: Vec::new(),
            state: BTreeMap::new(),
            contested: HashSet::new(),
            verbatim: BTreeMap::new(),
            risen: Vec::new(),
            people: OnceLock::new(),
            skipped: OnceLock::new(),
            taken_back: HashSet::new(),
            undoes: Vec::new(),
            erases: false,
        }
    }

    /// Returns now, as precise as front matter needs it.
    pub(crate) fn moment(&self) -> Moment {
        Moment::Instant(Timestamp::from_second(self.now.as_second()).unwrap_or(self.now))
    }

    /// Returns the moment that stamps carry: a person acts now; what the machine writes is as old as
    /// the newest that was said for it, so that every machine writes the same.
    fn stamp(&self, entry: &Entry) -> Moment {
        match self.owner.hand() {
            Hand::Person => self.moment(),
            Hand::Machine => {
                let day = || Moment::Day(entry.id.date().unwrap_or_default());
                entry.last_heard().or(entry.updated).or(entry.created).unwrap_or_else(day)
            }
        }
    }

    fn mark_updated(&self, entry: &mut Entry, old: &Entry) {
        let stamp = self.stamp(entry);
        entry.updated = match self.owner.hand() {
            Hand::Person => Some(stamp),
            Hand::Machine => [Some(stamp), entry.updated, old.updated].into_iter().flatten().max(),
        };
    }

    /// Returns the newest moment that the base and the sessions of this run know.
    pub(crate) fn last_heard(&self) -> Moment {
        let read = self.curated.iter().filter_map(|curated| curated.at).max().map(Moment::Instant);
        let planned = self.planned.values().filter_map(|planned| planned.record.as_ref()?.summary.as_ref());
        let known = || {
            let all = self.base.summaries().chain(planned);
            all.filter_map(|summary| summary.updated.or(summary.created)).max()
        };
        match self.owner.hand() {
            Hand::Person => self.moment(),
            Hand::Machine => read.or_else(known).unwrap_or(Moment::Day(jiff::civil::date(1970, 1, 1))),
        }
    }

    fn current(&self, name: &str, version: Version) -> Result<Stored, Refused> {
        let old = self.get(name)?;
        if old.version == version { Ok(old) } else { Err(Refused::Changed { path: old.path }) }
    }

    pub(crate) fn text<'a>(&self, stored: &'a Stored) -> Result<&'a str, Refused> {
        let text = stored.text().ok_or_else(|| Refused::NotText(stored.path.clone()))?;
        match merge::marked_line(text) {
            Some(line) => Err(Refused::Conflicted(format!("{}:{line}", stored.path))),
            None => Ok(text),
        }
    }

    /// Takes into account what git knows about people's hands.
    fn with_history(&self, id: &EntryId, curated_by: Curator) -> Curator {
        if curated_by != Curator::Auto || self.owner.hand() == Hand::Person {
            return curated_by;
        }
        let people = self.people.get_or_init(|| {
            let look = |git| People::look(git, self.store.root(), self.store.work()).ok();
            self.store.git().and_then(look).unwrap_or_default()
        });
        if people.touched(id) { Curator::Mixed } else { curated_by }
    }

    pub(crate) fn rewrite(
        &mut self,
        entry: &Entry,
        old: &Stored,
        original: &str,
    ) -> Result<Written, Refused> {
        let text = format::with_hash(&format::rewrite(original, entry)?);
        check::secrets(self.store.door(), &entry.id, &text, old.text())?;
        self.plan(&entry.id, old.path.clone(), text, Some(old.version))
    }
}

/// Tells whether words changed, and not just stamps, evidence or states.
fn says_something_else(old: &Entry, new: &Entry) -> bool {
    old.title != new.title || old.body != new.body || old.description != new.description
}
