//! What changed together, and what was said about it, seen from the files that are there now.

use rustc_hash::FxHashMap;

use super::bm25::Bag;

/// What git remembers, newest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Paths, by their present names.
    pub(super) paths: Vec<String>,
    pub(super) commits: Vec<Change>,
    /// How often files were touched, by the names they bore then.
    pub(super) borne: Vec<Borne>,
}

/// A name that a file bore until it got the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Borne {
    pub(super) path: String,
    /// What it was called next, by its place; nothing where it was never renamed.
    pub(super) next: Option<u32>,
    /// How many commits touched it under this name.
    pub(super) commits: usize,
}

impl History {
    /// Counts the commits of each file that is there now.
    ///
    /// Where part of a file went on under another name and the old name is still there, what came before
    /// belongs to the old name: only names that are gone lead on.
    pub(super) fn commits_of(&self, place_of: &FxHashMap<&str, u32>) -> FxHashMap<u32, usize> {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for borne in &self.borne {
            let mut names = std::iter::successors(Some(borne), |name| Some(&self.borne[name.next? as usize]));
            // A name leads only to one noted before it, so this comes to an end.
            let there = names.find_map(|name| place_of.get(name.path.as_str()));
            if let Some(at) = there {
                *counts.entry(*at).or_default() += borne.commits;
            }
        }
        counts
    }
}

/// One commit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) said: Bag,
    /// Which paths it touched.
    pub(super) files: Vec<u32>,
}
