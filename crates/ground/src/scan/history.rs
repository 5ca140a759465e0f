//! What changed together, and what was said about it, seen from the files that are there now.

use super::bm25::Bag;

/// What git remembers, newest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Paths, by their present names.
    pub(super) paths: Vec<String>,
    pub(super) commits: Vec<Change>,
}

/// One commit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) said: Bag,
    /// Which paths it touched.
    pub(super) files: Vec<u32>,
}
