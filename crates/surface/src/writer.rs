//! Applies changes to the index; one writer at a time, everything visible at its commit.

use lore_core::EntryId;
use rayon::prelude::*;
use tantivy::directory::error::LockError;
use tantivy::directory::{DirectoryLock, Lock};
use tantivy::{Directory, IndexWriter, TantivyDocument, TantivyError, Term};

use crate::document;
use crate::index::{Card, Index, Level};
use crate::passage::{Passage, surroundings};
use crate::shelf::{Label, OpenError, writer_lock};

/// Memory for one writing thread; enough for a day's work without a flush.
const SMALL: usize = 20_000_000;
/// Memory for all threads when everything is written anew.
const LARGE: usize = 240_000_000;
/// How many documents are prepared in parallel before they are handed over.
const BATCH: usize = 2048;

/// The index could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Somebody else is writing.
    #[error("another process is writing the index in `{0}`")]
    Busy(std::path::PathBuf),
    /// Nothing may or can be written there.
    #[error("the index in `{0}` cannot be written")]
    ReadOnly(std::path::PathBuf),
    /// The search engine refuses.
    #[error("cannot write the index in `{path}`")]
    Engine {
        /// The folder.
        path: std::path::PathBuf,
        /// Why.
        source: TantivyError,
    },
    /// The index cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A record cannot be kept.
    #[error("cannot keep `{id}` in the index")]
    Record {
        /// The entry or session.
        id: String,
        /// Why.
        source: serde_json::Error,
    },
}

/// Tells one who is waited for from a folder in which nobody can write.
fn refused(path: std::path::PathBuf) -> impl FnOnce(LockError) -> WriteError {
    move |error| match error {
        LockError::LockBusy => WriteError::Busy(path),
        LockError::IoError(_) => WriteError::ReadOnly(path),
    }
}

/// The one writer of an index.
pub struct Writer<'i> {
    index: &'i mut Index,
    entries: Option<IndexWriter>,
    passages: Option<IndexWriter>,
    filled: [bool; 2],
    wait: bool,
    /// Writers of other worktrees hold another lock for their entries, but share the passages.
    passages_guard: Option<DirectoryLock>,
    _guard: DirectoryLock,
}

impl<'i> Writer<'i> {
    pub(crate) fn new(index: &'i mut Index, wait: bool) -> Result<Writer<'i>, WriteError> {
        let lock = Lock { is_blocking: wait, ..writer_lock() };
        let path = index.entries.path.clone();
        if !index.may_write(Level::Entries) {
            return Err(WriteError::ReadOnly(path));
        }
        let guard = index.entries.index.directory().acquire_lock(&lock).map_err(refused(path))?;
        // Whoever wrote last may have done what this writer is here for.
        index.refresh()?;
        let filled = [index.entries.reason.is_none(), index.passages.reason.is_none()];
        Ok(Writer { index, entries: None, passages: None, filled, wait, passages_guard: None, _guard: guard })
    }

    /// Returns the index as it was when the writing began.
    pub fn index(&self) -> &Index {
        self.index
    }

    /// Removes everything on a level and counts it as filled from the next commit on.
    pub fn clear(&mut self, level: Level) -> Result<(), WriteError> {
        let path = self.index.shelf(level).path.clone();
        let writer = self.open(level, LARGE)?;
        writer.delete_all_documents().map_err(|source| WriteError::Engine { path, source })?;
        self.filled[level as usize] = true;
        Ok(())
    }

    /// Puts entries in place of what was there under their ids.
    pub fn put(&mut self, cards: &[Card]) -> Result<(), WriteError> {
        let fields = self.index.entry_fields;
        let embedder = self.index.embedder.clone();
        for batch in cards.chunks(BATCH) {
            let documents: Result<Vec<TantivyDocument>, WriteError> =
                batch.par_iter().map(|card| document::entry(&fields, card, embedder.as_deref())).collect();
            let path = self.index.entries.path.clone();
            let writer = self.open(Level::Entries, SMALL)?;
            for (card, document) in batch.iter().zip(documents?) {
                writer.delete_term(Term::from_field_text(fields.id, card.entry.id.as_str()));
                writer
                    .add_document(document)
                    .map_err(|source| WriteError::Engine { path: path.clone(), source })?;
            }
        }
        Ok(())
    }

    /// Removes an entry.
    pub fn remove(&mut self, id: &EntryId) -> Result<(), WriteError> {
        let term = Term::from_field_text(self.index.entry_fields.id, id.as_str());
        self.open(Level::Entries, SMALL)?.delete_term(term);
        Ok(())
    }

    /// Puts the passages read from one source, in their order, in place of those that were there.
    pub fn put_passages(&mut self, source: &str, passages: &[Passage]) -> Result<(), WriteError> {
        self.remove_passages(source)?;
        self.add_passages(source, passages)
    }

    /// Adds the passages of one session, in their order; a source may hold several sessions.
    pub fn add_passages(&mut self, source: &str, passages: &[Passage]) -> Result<(), WriteError> {
        let fields = self.index.passage_fields;
        let embedder = self.index.embedder.clone();
        let documents: Result<Vec<TantivyDocument>, WriteError> = (0..passages.len())
            .into_par_iter()
            .with_min_len(16)
            .map(|at| {
                let around = surroundings(passages, at);
                document::passage(&fields, source, &passages[at], &around, embedder.as_deref())
            })
            .collect();
        let path = self.index.passages.path.clone();
        let writer = self.open(Level::Passages, SMALL)?;
        for document in documents? {
            writer
                .add_document(document)
                .map_err(|source| WriteError::Engine { path: path.clone(), source })?;
        }
        Ok(())
    }

    /// Removes the passages of a source.
    pub fn remove_passages(&mut self, source: &str) -> Result<(), WriteError> {
        let term = Term::from_field_text(self.index.passage_fields.source, source);
        self.open(Level::Passages, SMALL)?.delete_term(term);
        Ok(())
    }

    /// Makes what was written on a level visible, with the caller's position beside it.
    ///
    /// A level that has to be filled stays so until it was cleared and filled in one go.
    pub fn commit(&mut self, level: Level, cursor: &str) -> Result<(), WriteError> {
        let label = Label::new(self.index.embedder_name(), cursor);
        let filled = self.filled[level as usize];
        let path = self.index.shelf(level).path.clone();
        let engine = |source| WriteError::Engine { path: path.clone(), source };
        let writer = self.open(level, SMALL)?;
        let mut prepared = writer.prepare_commit().map_err(engine)?;
        if filled {
            prepared.set_payload(&label.to_payload());
        }
        prepared.commit().map_err(engine)?;
        let shelf = match level {
            Level::Entries => &mut self.index.entries,
            Level::Passages => &mut self.index.passages,
        };
        if filled {
            shelf.reason = None;
            shelf.label = Some(label);
        }
        shelf.reader.reload().map_err(engine)
    }

    /// Removes the files that nothing needs any more, at once.
    pub(crate) fn sweep(&mut self, level: Level) -> Result<(), WriteError> {
        let path = self.index.shelf(level).path.clone();
        let engine = |source| WriteError::Engine { path: path.clone(), source };
        let writer = self.open(level, SMALL)?;
        writer.garbage_collect_files().wait().map(drop).map_err(engine)
    }

    /// Lets merging end, so that the next reader finds few and tidy files.
    pub fn finish(self) -> Result<(), WriteError> {
        let path = self.index.entries.path.clone();
        for writer in [self.entries, self.passages].into_iter().flatten() {
            writer
                .wait_merging_threads()
                .map_err(|source| WriteError::Engine { path: path.clone(), source })?;
        }
        for shelf in [&self.index.entries, &self.index.passages] {
            let path = shelf.path.clone();
            shelf.reader.reload().map_err(|source| WriteError::Engine { path, source })?;
        }
        Ok(())
    }

    fn open(&mut self, level: Level, memory: usize) -> Result<&mut IndexWriter, WriteError> {
        let (slot, shelf) = match level {
            Level::Entries => (&mut self.entries, &self.index.entries),
            Level::Passages => (&mut self.passages, &self.index.passages),
        };
        if level == Level::Passages && self.passages_guard.is_none() {
            let lock = Lock { is_blocking: self.wait, ..writer_lock() };
            if !self.index.may_write(level) {
                return Err(WriteError::ReadOnly(shelf.path.clone()));
            }
            let taken = shelf.index.directory().acquire_lock(&lock);
            self.passages_guard = Some(taken.map_err(refused(shelf.path.clone()))?);
        }
        if slot.is_none() {
            let threads = if memory > SMALL { 2 } else { 1 };
            let made = shelf.index.writer_with_num_threads(threads, memory);
            let path = shelf.path.clone();
            *slot = Some(made.map_err(|source| WriteError::Engine { path, source })?);
        }
        Ok(slot.as_mut().expect("it was made just above"))
    }
}
