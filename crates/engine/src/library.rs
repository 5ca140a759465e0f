//! Keeping the index in step with the base.

use std::collections::BTreeMap;
use std::sync::Arc;

use lore_core::{ContentHash, EntryId};
use lore_store::{Snapshot, Summary};
use lore_surface::{Card, Embedder, Index, Level, Location, SearchError, StaticTable, WriteError};

use crate::{Engine, Error};

impl Engine {
    /// Opens the index, brought up to date: what a person edited by hand a moment ago is found.
    pub(crate) fn library(&self) -> Result<Index, Error> {
        let mut index = self.open_index()?;
        let cursor = index.cursor(Level::Entries).filter(|_| index.to_fill(Level::Entries).is_none());
        if let Some(look) = self.changed_since(cursor.as_deref()) {
            let snapshot = self.store.snapshot()?;
            self.follow(&mut index, &snapshot)?;
            if index.cursor(Level::Entries) == Some(self::cursor(&snapshot)) {
                self.keep_look(self::cursor(&snapshot), look);
            }
        }
        Ok(index)
    }

    /// Runs something on the index; one that turns out to be damaged is made again and asked once more.
    pub(crate) fn with_library<T>(
        &self,
        work: impl Fn(&Index) -> Result<T, SearchError>,
    ) -> Result<T, Error> {
        let mut index = self.library()?;
        match work(&index) {
            Ok(value) => Ok(value),
            Err(SearchError::Damaged(level, why)) => {
                tracing::warn!(%why, "the index is made again");
                index.discard(level, &why)?;
                let snapshot = self.store.snapshot()?;
                self.follow(&mut index, &snapshot)?;
                Ok(work(&index)?)
            }
        }
    }

    /// Opens the index with the vectors that the settings ask for, as it is.
    pub(crate) fn open_index(&self) -> Result<Index, Error> {
        let folder = self.store.derived().path("index")?;
        Ok(Index::open(&Location::Folder(folder), self.embedder()?)?)
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
        let cursor = cursor(snapshot);
        let is_new = index.to_fill(Level::Entries).is_some();
        if !is_new && index.cursor(Level::Entries).as_deref() == Some(cursor.as_str()) {
            return Ok(());
        }
        let known: BTreeMap<String, String> =
            if is_new { BTreeMap::new() } else { index.snapshot().stamps()? };
        let changed: Vec<&Summary> = snapshot
            .summaries()
            .filter(|summary| known.get(summary.id.as_str()) != Some(&summary.version.to_string()))
            .collect();
        let gone: Vec<EntryId> =
            known.keys().filter(|id| snapshot.find(id).is_none()).filter_map(|id| id.parse().ok()).collect();
        let mut writer = match index.writer() {
            Ok(writer) => writer,
            // Somebody else is bringing it up to date; what is there serves meanwhile.
            Err(WriteError::Busy(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        if is_new {
            writer.clear(Level::Entries)?;
        }
        for batch in changed.chunks(1000) {
            let cards: Vec<Card> = batch
                .iter()
                .filter_map(|summary| {
                    let stored = snapshot.read(summary).ok()?;
                    Some(Card { stamp: stored.version.to_string(), path: stored.path, entry: stored.entry })
                })
                .collect();
            writer.put(&cards)?;
        }
        for id in &gone {
            writer.remove(id)?;
        }
        writer.commit(Level::Entries, &cursor)?;
        Ok(writer.finish()?)
    }
}

/// Names the state of the base: the same entries with the same bytes give the same text.
fn cursor(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for summary in snapshot.summaries() {
        text.push_str(summary.id.as_str());
        text.push_str(&summary.version.to_string());
    }
    ContentHash::of(text.as_bytes()).short().to_owned()
}
