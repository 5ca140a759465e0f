//! The index: curated entries on one shelf, passages of past sessions on another.

use std::sync::Arc;

use lore_core::Entry;
use serde::{Deserialize, Serialize};
use tantivy::schema::Schema;

use crate::reader::Snapshot;
use crate::schema::{self, EntryFields, PassageFields};
use crate::semantic::Embedder;
use crate::shelf::{Access, ENTRIES, Location, OpenError, PASSAGES, Reason, Shelf};
use crate::silence::Silence;
use crate::writer::{WriteError, Writer};

/// An entry as the index keeps it, whole, so that no file has to be read to show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The entry.
    pub entry: Entry,
    /// Its file, relative to the base.
    pub path: String,
    /// Whatever tells the caller that the file is still the one that was indexed.
    pub stamp: String,
}

/// One of the two levels of memory that are indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// What was curated.
    Entries,
    /// What was said.
    Passages,
}

/// A derived, disposable index.
pub struct Index {
    pub(crate) entries: Shelf,
    pub(crate) passages: Shelf,
    pub(crate) entry_fields: EntryFields,
    pub(crate) passage_fields: PassageFields,
    pub(crate) embedder: Option<Arc<dyn Embedder>>,
    pub(crate) silence: Silence,
    entry_schema: Schema,
    passage_schema: Schema,
    access: Access,
}

impl Index {
    /// Opens the index, or an empty one where there is none that fits; see [`Index::to_fill`].
    pub fn open(location: &Location, embedder: Option<Arc<dyn Embedder>>) -> Result<Index, OpenError> {
        let (entry_schema, entry_fields) = schema::entries();
        let (passage_schema, passage_fields) = schema::passages();
        let name = embedder.as_ref().map_or("none", |embedder| embedder.name()).to_owned();
        Ok(Index {
            entries: Shelf::open(location, ENTRIES, &entry_schema, &name)?,
            passages: Shelf::open(location, PASSAGES, &passage_schema, &name)?,
            entry_fields,
            passage_fields,
            embedder,
            silence: Silence::default(),
            entry_schema,
            passage_schema,
            access: match location {
                Location::Apart { access, .. } => *access,
                _ => Access::Write,
            },
        })
    }

    /// Quotes nothing of what was removed.
    #[must_use]
    pub fn with_silence(mut self, silence: Silence) -> Index {
        self.silence = silence;
        self
    }

    /// Says why a level has to be filled by the caller, or nothing where it is ready.
    pub fn to_fill(&self, level: Level) -> Option<&Reason> {
        self.shelf(level).reason.as_ref()
    }

    /// Returns what the caller gave as its position at the last commit of the level that was seen.
    pub fn cursor(&self, level: Level) -> Option<String> {
        self.shelf(level).label.as_ref().map(|label| label.cursor.clone())
    }

    /// Waits for other writers and returns the one writer.
    pub fn writer(&mut self) -> Result<Writer<'_>, WriteError> {
        Writer::new(self, true)
    }

    /// Returns the one writer, or [`WriteError::Busy`] where somebody else is writing: for tests, which never wait.
    #[doc(hidden)]
    pub fn try_writer(&mut self) -> Result<Writer<'_>, WriteError> {
        Writer::new(self, false)
    }

    /// Sees what other processes have committed since.
    pub fn refresh(&mut self) -> Result<(), OpenError> {
        let embedder = self.embedder_name().to_owned();
        for shelf in [&mut self.entries, &mut self.passages] {
            let path = shelf.path.clone();
            shelf.refresh(&embedder).map_err(|source| OpenError::Engine { path, source })?;
        }
        Ok(())
    }

    /// Returns a view that does not change while it is searched.
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(self)
    }

    /// Makes a level anew for this process alone, where its folder cannot be written.
    pub fn in_memory(&mut self, level: Level) -> Result<(), OpenError> {
        match level {
            Level::Entries => self.entries = Shelf::in_memory(&self.entry_schema)?,
            Level::Passages => self.passages = Shelf::in_memory(&self.passage_schema)?,
        }
        Ok(())
    }

    /// Tells whether what is written on a level outlasts this process.
    pub fn is_kept(&self, level: Level) -> bool {
        self.shelf(level).is_kept()
    }

    pub(crate) fn may_write(&self, level: Level) -> bool {
        self.access == Access::Write || !self.is_kept(level)
    }

    /// Throws a level away that turned out to be damaged, so that it can be filled again.
    pub fn discard(&mut self, level: Level, why: &str) -> Result<(), OpenError> {
        match level {
            Level::Entries => self.entries.discard(&self.entry_schema, why.to_owned()),
            Level::Passages => self.passages.discard(&self.passage_schema, why.to_owned()),
        }
    }

    pub(crate) fn shelf(&self, level: Level) -> &Shelf {
        match level {
            Level::Entries => &self.entries,
            Level::Passages => &self.passages,
        }
    }

    pub(crate) fn embedder_name(&self) -> &str {
        self.embedder.as_ref().map_or("none", |embedder| embedder.name())
    }
}
