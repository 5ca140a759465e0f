//! Reads what coding agents leave behind into one agent-neutral [`Session`].
//!
//! Every agent keeps its transcripts in a format of its own and changes it without asking us. One
//! file in `readers/` knows one agent; what all of them share (scanning lines in bounded memory,
//! cleaning and redacting text, telling a person's words from the harness's) lives beside them.
//!
//! The way through: [`discover()`] finds what exists on this machine, and [`read_path`] picks the
//! [`Reader`] that recognises a file and hands its sessions to a sink. What was read before is
//! remembered above, by whoever asks.
//!
//! This crate never writes a file, never panics on input, never fails on content (what could not
//! be read becomes a [`Diagnostic`](lore_core::Diagnostic)), and lets no text out that was not
//! cleaned and redacted: all prose goes through [`Draft`].

mod answers;
mod archive;
mod arguments;
mod classify;
mod cleaning;
mod conversation;
mod database;
mod discover;
mod draft;
pub mod hook;
mod input;
mod json;
mod lines;
mod phrases;
mod places;
mod readers;
mod refusal;
mod summary;
pub mod templates;
mod tools;
mod walk;

use std::path::Path;

use lore_core::Session;

pub use arguments::Arguments;
pub use classify::{Writing, classify};
pub use cleaning::{Cleaner, Limits};
pub use discover::{Found, belongs, discover, discover_at, holds_many, is_within};
pub use draft::{Draft, ToolUse};
pub use input::{Input, Keep, ReadError, ReadOptions};
pub use lines::{Line, Lines};
pub use phrases::Phrases;
pub use places::{Location, PLACE_VARIABLES, PlaceVariable, Places};
pub use readers::readers;
pub use summary::{Summary, summarise};

/// How much of a file a reader sees when it is asked whether the file is its own.
pub const HEAD: usize = 4096;

/// Knows the transcripts of one agent.
pub trait Reader: Sync + Send {
    /// Returns the agent's short name, such as `claude-code`.
    fn agent(&self) -> &'static str;

    /// Tells by name and first bytes (at most [`HEAD`]) whether a file is this agent's.
    fn recognises(&self, path: &Path, head: &[u8]) -> bool;

    /// Reads every session of one source, in the order they began.
    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError>;

    /// Lists the folders and files where this agent usually leaves its sessions.
    fn locations(&self, places: &Places) -> Vec<Location>;

    /// Lists the places within a project's folder where this agent leaves its sessions, if it does.
    fn project_locations(&self, _folder: &Path) -> Vec<Location> {
        Vec::new()
    }

    /// Returns the id of a file's session where one session may have been saved to several files;
    /// the richest of them is then the one to read.
    fn session_of(&self, _input: &Input<'_>) -> Option<String> {
        None
    }

    /// Tells from the path alone whether a file belongs to one of the folders, where that can be told.
    fn belongs(&self, _path: &Path, _folders: &[&Path]) -> Option<bool> {
        None
    }
}

/// Reads one file with the reader that recognises it, or every session in an archive.
pub fn read_path(path: &Path, options: &ReadOptions, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
    if archive::is_archive(path) {
        return archive::read(path, options, sink);
    }
    let input = Input::file(path, options);
    reader_of(&input)?.read(&input, sink)
}

/// Returns the reader that recognises a source.
pub fn reader_of(input: &Input<'_>) -> Result<&'static dyn Reader, ReadError> {
    let head = input.head(HEAD)?;
    let found = readers().iter().find(|reader| reader.recognises(input.path, &head));
    found.copied().ok_or_else(|| ReadError::Unrecognised { path: input.path.to_owned() })
}
