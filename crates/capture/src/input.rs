//! One source of sessions: a file, plain or compressed, or bytes out of an archive.

use std::cell::RefCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_core::redact::Redactor;

use crate::lines::Lines;
use crate::{Limits, Phrases};

/// How to read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Takes secrets out; ours alone where nothing is given.
    pub redactor: Option<Arc<Redactor>>,
    /// How much of what is kept.
    pub limits: Limits,
    /// What is kept at all.
    pub keep: Keep,
    /// Phrases to look for in what tools printed. Then nothing else is kept of a session but its
    /// names, whatever [`ReadOptions::keep`] says.
    pub listen: Option<Arc<Phrases>>,
}

/// What is kept of a session. What is not kept is not decoded, cleaned or redacted either, and
/// redactions in it are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Everything, within the limits.
    #[default]
    Everything,
    /// What was said, what was run, what was changed and how it ended: of a failing call, a
    /// test run and a commit the first and last lines are kept, of others no output; arguments only where they change files.
    Conversation,
}

/// A source that could not be opened or read at all. Content never causes one.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// No reader knows it.
    #[error("no reader knows the format of `{}`", path.display())]
    Unrecognised {
        /// The file.
        path: PathBuf,
    },
    /// SQLite refused.
    #[error("cannot read the database `{}`", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
    /// It is larger than a format that must be read whole may be.
    #[error("`{}` is larger than {limit} bytes, too large to read whole", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// What would have been read.
        limit: u64,
    },
}

/// What a reader reads from.
pub struct Input<'a> {
    /// Where it is; for something in an archive, the archive's path and the name within.
    pub path: &'a Path,
    /// How to read it.
    pub options: &'a ReadOptions,
    content: Content<'a>,
}

/// Where the bytes come from.
enum Content<'a> {
    File,
    Bytes(&'a [u8]),
    /// Can be opened once.
    Stream(RefCell<Option<Box<dyn Read + 'a>>>),
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("path", &self.path).finish_non_exhaustive()
    }
}

impl<'a> Input<'a> {
    /// Reads from a file.
    pub fn file(path: &'a Path, options: &'a ReadOptions) -> Input<'a> {
        Input { path, options, content: Content::File }
    }

    /// Reads from bytes that stand for a file of this name.
    pub fn bytes(path: &'a Path, bytes: &'a [u8], options: &'a ReadOptions) -> Input<'a> {
        Input { path, options, content: Content::Bytes(bytes) }
    }

    /// Reads from something that can be read once and stands for a file of this name.
    pub fn stream(path: &'a Path, source: Box<dyn Read + 'a>, options: &'a ReadOptions) -> Input<'a> {
        Input { path, options, content: Content::Stream(RefCell::new(Some(source))) }
    }

    /// Opens the source and undoes compression (`.zst`, `.gz`).
    pub fn open(&self) -> Result<Box<dyn Read + 'a>, ReadError> {
        let raw: Box<dyn Read + 'a> = match &self.content {
            Content::File => Box::new(File::open(self.path).map_err(|source| self.io(source))?),
            Content::Bytes(bytes) => Box::new(Cursor::new(*bytes)),
            Content::Stream(source) => source
                .borrow_mut()
                .take()
                .ok_or_else(|| self.io(io::Error::other("it can be read only once")))?,
        };
        match self.path.extension().and_then(|extension| extension.to_str()) {
            Some("zst") => Ok(Box::new(zstd::Decoder::new(raw).map_err(|source| self.io(source))?)),
            Some("gz") => Ok(Box::new(flate2::read::MultiGzDecoder::new(raw))),
            _ => Ok(raw),
        }
    }

    /// Returns the first bytes, fewer where the source ends or its compression is broken.
    pub fn head(&self, length: usize) -> Result<Vec<u8>, ReadError> {
        let mut head = Vec::with_capacity(length);
        let outcome = self.open()?.take(length as u64).read_to_end(&mut head);
        match outcome {
            Err(source) if head.is_empty() && !self.is_detached() => Err(self.io(source)),
            _ => Ok(head),
        }
    }

    /// Scans the lines in bounded memory.
    pub fn lines(&self) -> Result<Lines<'a>, ReadError> {
        Ok(Lines::new(self.open()?, self.options.limits.line))
    }

    /// Reads a small document whole; bytes that are not UTF-8 are replaced, a BOM and leading NULs stripped.
    pub fn text_limited(&self, limit: u64) -> Result<String, ReadError> {
        let mut bytes = Vec::new();
        self.open()?.take(limit + 1).read_to_end(&mut bytes).map_err(|source| self.io(source))?;
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLarge { path: self.path.to_owned(), limit });
        }
        Ok(String::from_utf8_lossy(crate::lines::trim_start_of_file(&bytes)).into_owned())
    }

    /// Tells whether the bytes come from an archive, so that neighbouring files cannot be looked at.
    pub fn is_detached(&self) -> bool {
        !matches!(self.content, Content::File)
    }

    /// Returns the file's name without its last ending.
    pub(crate) fn stem(&self) -> String {
        self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Makes the error for something the operating system refused.
    pub fn io(&self, source: io::Error) -> ReadError {
        ReadError::Io { path: self.path.to_owned(), source }
    }
}
