//! What changed together, and what was said about it, seen from the files that are there now.

use rustc_hash::FxHashMap;

use super::bm25::Bag;

/// What git remembers, newest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Paths, by their present names.
    pub(super) paths: Vec<String>,
    pub(super) commits: Vec<Change>,
    /// Names that files bore, for who has to know what a commit really touched.
    pub(super) borne: Vec<Borne>,
    /// Which of these names every known commit touched, newest first.
    pub(super) touches: Vec<Vec<u32>>,
}

/// A name that a file bore until it got the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Borne {
    pub(super) path: String,
    /// What it was called next, by its place; nothing where it was never renamed.
    pub(super) next: Option<u32>,
}

impl History {
    /// Lists for every known commit which of the files that are there now it touched.
    ///
    /// Where part of a file went on under another name and the old name is still there, what came before
    /// belongs to the old name: only names that are gone lead on.
    pub(super) fn touched_now(&self, place_of: &FxHashMap<&str, u32>) -> Vec<Vec<u32>> {
        let now = |borne: &Borne| {
            // A name leads only to one noted before it, so this comes to an end.
            let mut names = std::iter::successors(Some(borne), |name| Some(&self.borne[name.next? as usize]));
            names.find_map(|name| place_of.get(name.path.as_str()).copied())
        };
        let now: Vec<Option<u32>> = self.borne.iter().map(now).collect();
        let of_commit = |names: &Vec<u32>| {
            let mut files: Vec<u32> = names.iter().filter_map(|name| now[*name as usize]).collect();
            files.sort_unstable();
            files.dedup();
            files
        };
        self.touches.iter().map(of_commit).collect()
    }
}

/// One commit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) said: Bag,
    /// Which paths it touched.
    pub(super) files: Vec<u32>,
}
