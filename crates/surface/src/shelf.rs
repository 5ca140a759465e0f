//! One tantivy index on disk or in memory: opened, checked against its version, emptied when it is unfit.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::directory::{Lock, MmapDirectory};
use tantivy::schema::Schema;
use tantivy::{Directory, Index, IndexReader, IndexSettings, ReloadPolicy};

use crate::readable::Readable;
use crate::schema::{TOKENIZER, VERSION};
use crate::token;

/// Names of the two shelves in a folder.
pub(crate) const ENTRIES: &str = "entries";
pub(crate) const PASSAGES: &str = "passages";
/// Stands for the path of a shelf that lies on no disk.
const MEMORY: &str = "memory";

/// Where an index lives. Nothing outside this crate knows what is inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A folder that is ours alone; it is made when it is not there.
    Folder(PathBuf),
    /// A folder for each level; the passages are shared where there are several sets of entries.
    Apart {
        /// Where the entries are.
        entries: PathBuf,
        /// Where the passages are.
        passages: PathBuf,
        /// Whether anything may be written there.
        access: Access,
    },
    /// This process only.
    Memory,
}

/// What may be done with the folders of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everything.
    Write,
    /// They are somebody else's: what is there may be read.
    Read,
}

/// Why an index has nothing in it and has to be filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It was never filled, or the filling was cut short.
    New,
    /// It was written by another version or with other vectors.
    OtherVersion,
    /// It could not be read.
    Damaged(String),
}

/// The index could not be opened at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be made or read.
    #[error("cannot open the index folder `{path}`")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The search engine refuses it.
    #[error("cannot open the index in `{path}`")]
    Engine {
        /// The folder, or `memory`.
        path: PathBuf,
        /// Why.
        source: tantivy::TantivyError,
    },
    /// Another process holds it while it has to be emptied.
    #[error("another process is rebuilding the index in `{path}`")]
    Busy {
        /// The folder.
        path: PathBuf,
    },
}

/// What every commit leaves behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    version: u32,
    embedder: String,
    /// Where the caller had come when this was committed.
    pub(crate) cursor: String,
}

impl Label {
    pub(crate) fn new(embedder: &str, cursor: &str) -> Label {
        Label { version: VERSION, embedder: embedder.to_owned(), cursor: cursor.to_owned() }
    }

    fn fits(&self, embedder: &str) -> bool {
        self.version == VERSION && self.embedder == embedder
    }

    pub(crate) fn to_payload(&self) -> String {
        serde_json::to_string(self).expect("two texts and a number always serialise")
    }
}

/// One tantivy index with a reader.
pub(crate) struct Shelf {
    pub(crate) index: Index,
    pub(crate) reader: IndexReader,
    pub(crate) reason: Option<Reason>,
    pub(crate) path: PathBuf,
    /// What the last commit that was seen left behind.
    pub(crate) label: Option<Label>,
}

impl Shelf {
    /// Opens the shelf of that name, or makes an empty one where none fits.
    pub(crate) fn open(
        location: &Location,
        name: &str,
        schema: &Schema,
        embedder: &str,
    ) -> Result<Shelf, OpenError> {
        let (folder, access) = match (location, name) {
            (Location::Folder(folder), _) => (folder, Access::Write),
            (Location::Apart { passages, access, .. }, PASSAGES) => (passages, *access),
            (Location::Apart { entries, access, .. }, _) => (entries, *access),
            (Location::Memory, _) => return Shelf::in_memory(schema),
        };
        let path = folder.join(name);
        match Shelf::open_folder(&path, access, schema, embedder) {
            Err(busy @ OpenError::Busy { .. }) => Err(busy),
            // Whoever cannot keep an index still gets an answer, if later.
            Err(_) => Shelf::in_memory(schema),
            opened => opened,
        }
    }

    /// Makes an empty shelf for this process alone.
    pub(crate) fn in_memory(schema: &Schema) -> Result<Shelf, OpenError> {
        let path = PathBuf::from(MEMORY);
        let index = in_memory(schema, &path)?;
        Shelf::finish(index, Err(Reason::New), path)
    }

    /// Tells whether it lies on a disk.
    pub(crate) fn is_kept(&self) -> bool {
        self.path != Path::new(MEMORY)
    }

    fn open_folder(path: &Path, access: Access, schema: &Schema, embedder: &str) -> Result<Shelf, OpenError> {
        let folder = |source| OpenError::Folder { path: path.to_owned(), source };
        if access == Access::Write {
            std::fs::create_dir_all(path).map_err(folder)?;
        }
        let directory = directory(path)?;
        let opened = match try_open(&directory, schema, embedder) {
            Ok((index, label)) => Shelf::finish(index, Ok(label), path.to_owned())
                .map_err(|error| Reason::Damaged(describe(&error))),
            Err(reason) => Err(reason),
        };
        match opened {
            Ok(shelf) => Ok(shelf),
            Err(_) if access == Access::Read => Err(folder(std::io::ErrorKind::PermissionDenied.into())),
            Err(reason) => empty(&directory, schema, path.to_owned(), reason),
        }
    }

    /// Throws everything away, so that it can be filled again.
    pub(crate) fn discard(&mut self, schema: &Schema, why: String) -> Result<(), OpenError> {
        *self = if self.is_kept() {
            empty(&directory(&self.path)?, schema, self.path.clone(), Reason::Damaged(why))?
        } else {
            let index = in_memory(schema, &self.path)?;
            Shelf::finish(index, Err(Reason::Damaged(why)), self.path.clone())?
        };
        Ok(())
    }

    /// Sees what other processes have committed since; one that they filled is filled.
    pub(crate) fn refresh(&mut self, embedder: &str) -> Result<(), tantivy::TantivyError> {
        let now = label(self.index.directory())?;
        if now == self.label {
            return Ok(());
        }
        self.reader.reload()?;
        if now.as_ref().is_some_and(|label| label.fits(embedder)) {
            self.reason = None;
        }
        self.label = now;
        Ok(())
    }

    /// Finishes with what the last commit left behind, or why there is none.
    fn finish(index: Index, label: Result<Label, Reason>, path: PathBuf) -> Result<Shelf, OpenError> {
        index.tokenizers().register(TOKENIZER, token::analyzer());
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(|source| OpenError::Engine { path: path.clone(), source })?;
        let (label, reason) = match label {
            Ok(label) => (Some(label), None),
            Err(reason) => (None, Some(reason)),
        };
        Ok(Shelf { index, reader, reason, path, label })
    }
}

/// Reads what the last commit left behind, without reading all that the engine wrote beside it.
fn label(directory: &dyn Directory) -> Result<Option<Label>, tantivy::TantivyError> {
    #[derive(Deserialize)]
    struct Commit {
        payload: Option<String>,
    }
    let bytes = directory.atomic_read(Path::new("meta.json"))?;
    let commit: Commit = serde_json::from_slice(&bytes).map_err(std::io::Error::from)?;
    Ok(commit.payload.and_then(|payload| serde_json::from_str(&payload).ok()))
}

fn directory(path: &Path) -> Result<Readable, OpenError> {
    let failed = |error: tantivy::directory::error::OpenDirectoryError| OpenError::Engine {
        path: path.to_owned(),
        source: error.into(),
    };
    MmapDirectory::open(path).map(Readable).map_err(failed)
}

/// Small blocks, because a search reads a few records from all over the shelf.
fn settings() -> IndexSettings {
    IndexSettings { docstore_blocksize: 4096, ..IndexSettings::default() }
}

fn in_memory(schema: &Schema, path: &Path) -> Result<Index, OpenError> {
    Index::builder()
        .schema(schema.clone())
        .settings(settings())
        .create_in_ram()
        .map_err(|source| OpenError::Engine { path: path.to_owned(), source })
}

fn describe(error: &OpenError) -> String {
    match error {
        OpenError::Engine { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

fn try_open(directory: &Readable, schema: &Schema, embedder: &str) -> Result<(Index, Label), Reason> {
    let damaged = |error: &dyn std::fmt::Display| Reason::Damaged(error.to_string());
    if !Index::exists(directory).map_err(|error| damaged(&error))? {
        return Err(Reason::New);
    }
    let index = Index::open(directory.clone()).map_err(|error| damaged(&error))?;
    let label = label(directory).map_err(|error| damaged(&error))?.ok_or(Reason::New)?;
    if !label.fits(embedder) || index.schema() != *schema {
        return Err(Reason::OtherVersion);
    }
    Ok((index, label))
}

/// Removes every file of the shelf and begins anew. Readers that have it open keep what they see.
fn empty(directory: &Readable, schema: &Schema, path: PathBuf, reason: Reason) -> Result<Shelf, OpenError> {
    let lock = Lock { is_blocking: false, ..writer_lock() };
    let guard = directory.acquire_lock(&lock);
    let is_new = reason == Reason::New;
    let made = || Index::open(directory.clone()).ok().filter(|index| is_new && index.schema() == *schema);
    // Whoever fills the shelf right now holds the lock; searching goes on meanwhile and finds nothing.
    if let Some(index) = made() {
        return Shelf::finish(index, Err(reason), path);
    }
    let _guard = match guard {
        Ok(guard) => guard,
        // Somebody else is making a few empty files, which takes no time; then theirs will do.
        Err(_) if is_new => {
            let busy = |_| OpenError::Busy { path: path.clone() };
            let guard = directory.acquire_lock(&writer_lock()).map_err(busy)?;
            if let Some(index) = made() {
                return Shelf::finish(index, Err(reason), path);
            }
            guard
        }
        Err(_) => return Err(OpenError::Busy { path }),
    };
    let folder = |source| OpenError::Folder { path: path.clone(), source };
    for file in std::fs::read_dir(&path).map_err(folder)? {
        let name = PathBuf::from(file.map_err(folder)?.file_name());
        if !name.to_string_lossy().ends_with(".lock") {
            // What cannot be removed is reported by the creation below.
            let _ = directory.delete(&name);
        }
    }
    let engine = |source| OpenError::Engine { path: path.clone(), source };
    let index = Index::create(directory.clone(), schema.clone(), settings()).map_err(engine)?;
    Shelf::finish(index, Err(reason), path)
}

/// The lock that one writer holds; others wait for it.
pub(crate) fn writer_lock() -> Lock {
    Lock { filepath: PathBuf::from(".lore-writer.lock"), is_blocking: true }
}
