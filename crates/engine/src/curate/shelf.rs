//! What is known, found by the catalogue and read only where it matters.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use lore_core::{Entry, EntryId, SessionId};
use lore_distill::catalogue::{Catalogue, Finder};
use lore_distill::curate::Known;
use lore_store::derived::Derived;
use lore_store::{Snapshot, Summary};

const FILE: &str = "cache/catalogue";

/// Reads the catalogue and brings it in step with the base.
pub(super) fn catalogue(derived: &Derived, snapshot: &Snapshot) -> Catalogue {
    let bytes = derived.path(FILE).ok().and_then(|path| std::fs::read(path).ok());
    let known: Option<Catalogue> = bytes.and_then(|bytes| postcard::from_bytes(&bytes).ok());
    let mut catalogue = known.unwrap_or_default();
    // Of two files with one id, the one that the id leads to.
    let leads = |summary: &&Summary| {
        snapshot.find(summary.id.as_str()).is_some_and(|found| found.path == summary.path)
    };
    let wanted: Vec<&Summary> = snapshot.summaries().filter(leads).collect();
    // Where most of it has to be read anyway, it is read in one go, and without what is dead.
    let mut whole: HashMap<EntryId, Entry> = HashMap::new();
    if catalogue.cards().len() * 2 < wanted.len() {
        catalogue = Catalogue::default();
        whole =
            snapshot.read_all().into_iter().map(|stored| (stored.entry.id.clone(), stored.entry)).collect();
    }
    let fetch = |id: &EntryId| {
        whole.remove(id).or_else(|| Some(snapshot.read(snapshot.find(id.as_str())?).ok()?.entry))
    };
    if catalogue.follow(wanted.iter().map(|summary| (&summary.id, summary.version.to_string())), fetch)
        && let Ok(bytes) = postcard::to_stdvec(&catalogue)
        && let Err(error) = derived.write(FILE, &bytes)
    {
        tracing::debug!(%error, "the catalogue will be made again");
    }
    catalogue
}

/// The entries of a base, as curation asks for them.
pub(super) struct Shelf<'a> {
    snapshot: &'a Snapshot,
    catalogue: &'a Catalogue,
    finder: Finder<'a>,
    forgotten: HashSet<EntryId>,
    /// What was read already.
    read: RefCell<HashMap<usize, Option<Entry>>>,
}

impl<'a> Shelf<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        catalogue: &'a Catalogue,
        forgotten: impl IntoIterator<Item = EntryId>,
    ) -> Shelf<'a> {
        Shelf {
            snapshot,
            catalogue,
            finder: catalogue.open(),
            forgotten: forgotten.into_iter().collect(),
            read: RefCell::default(),
        }
    }

    fn entries(&self, places: Vec<usize>) -> Vec<Entry> {
        let mut read = self.read.borrow_mut();
        let summary = |at: usize| self.snapshot.find(self.catalogue.cards().get(at)?.id.as_str());
        let missing: Vec<(usize, &Summary)> = places
            .iter()
            .filter(|at| !read.contains_key(at))
            .filter_map(|at| Some((*at, summary(*at)?)))
            .collect();
        let found = self.snapshot.read_some(missing.iter().map(|(_, summary)| *summary));
        for ((at, _), stored) in missing.into_iter().zip(found) {
            read.insert(at, stored.map(|stored| stored.entry));
        }
        places.into_iter().filter_map(|at| read.get(&at).cloned().flatten()).collect()
    }
}

impl Known for Shelf<'_> {
    fn similar(&self, text: &str, limit: usize) -> Vec<Entry> {
        self.entries(self.finder.similar(text, limit))
    }

    fn citing(&self, session: &SessionId) -> Vec<Entry> {
        self.entries(self.finder.citing(session))
    }

    fn all(&self) -> Vec<Entry> {
        self.entries((0..self.catalogue.cards().len()).collect())
    }

    fn size(&self) -> usize {
        self.catalogue.cards().len()
    }

    fn contains(&self, id: &EntryId) -> bool {
        self.snapshot.find(id.as_str()).is_some()
    }

    fn is_forgotten(&self, id: &EntryId) -> bool {
        self.forgotten.contains(id)
    }

    fn rarity(&self, stem: &str) -> f64 {
        self.finder.rarity(stem)
    }
}
