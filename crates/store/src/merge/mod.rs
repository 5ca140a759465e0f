//! Two histories of one file become one, by meaning.
//!
//! Everything here is a function of three texts: what both sides began with, where there was such a
//! thing, and what each made of it. The sides are put in an order that does not depend on who
//! merges, so whichever clone does it writes the same bytes. `docs/merging.md` says what people see.

mod authors;
mod body;
mod driver;
mod entry;
mod manuscript;
mod markers;
mod pairs;
mod state;

use std::borrow::Cow;

use lore_core::{Curator, Entry};

use crate::{format, layout, protect};

pub use driver::{Called, Driven, drive};
pub(crate) use markers::readable;
pub use markers::{Sides, has_markers, marked_line, sides};
pub(crate) use state::merge_state;

/// What became of two versions of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergedFile {
    /// One text says what both said.
    One(Vec<u8>),
    /// The versions are different entries that got the same name.
    Two {
        /// The entry that keeps the name.
        here: Vec<u8>,
        /// The entry that has to be put elsewhere.
        elsewhere: Vec<u8>,
    },
    /// It is not ours, so it is merged like any other text.
    Foreign,
}

/// One version of an entry.
#[derive(Debug, Clone)]
pub(crate) struct Take<'t> {
    /// The entry; `curated_by` says what the text really is.
    pub(crate) entry: Entry,
    pub(crate) text: Cow<'t, str>,
}

/// Merges two versions of the file at a path of the base.
pub fn merge(path: &str, base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> MergedFile {
    if ours == theirs {
        return MergedFile::One(ours.to_vec());
    }
    if layout::is_generated(path) {
        // Either will do: the next write makes it again from the entries.
        return MergedFile::One(ours.max(theirs).to_vec());
    }
    if let Some(text) = state::merge(path, base, ours, theirs) {
        return MergedFile::One(text.into_bytes());
    }
    if !layout::is_entry(path) {
        return MergedFile::Foreign;
    }
    let (Some(one), Some(other)) = (Take::read(path, ours), Take::read(path, theirs)) else {
        return MergedFile::Foreign;
    };
    if one.entry.id != other.entry.id {
        let (here, elsewhere) = if one.entry.id < other.entry.id { (ours, theirs) } else { (theirs, ours) };
        return MergedFile::Two { here: here.to_vec(), elsewhere: elsewhere.to_vec() };
    }
    let base = base.and_then(|bytes| Take::read(path, bytes));
    MergedFile::One(merge_takes(base, one, other).into_bytes())
}

/// Merges two versions of one entry.
pub(crate) fn merge_takes(base: Option<Take<'_>>, one: Take<'_>, other: Take<'_>) -> String {
    let base = base.filter(|base| base.entry.id == one.entry.id);
    let unchanged = |side: &Take<'_>| base.as_ref().is_some_and(|base| base.text == side.text);
    if unchanged(&one) || one.text == other.text {
        return other.text.into_owned();
    }
    if unchanged(&other) {
        return one.text.into_owned();
    }
    let (main, other) = if one.rank() >= other.rank() { (one, other) } else { (other, one) };
    entry::merge(base.as_ref(), &main, &other)
}

impl<'t> Take<'t> {
    /// Reads a version; nothing where it is not text or holds no entry.
    pub(crate) fn read(path: &str, bytes: &'t [u8]) -> Option<Take<'t>> {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !has_markers(text))?;
        let mut entry = format::read(path, bytes).entry?;
        entry.curated_by = protect::curator(text, entry.curated_by);
        Some(Take { entry, text: text.into() })
    }

    /// Tells whether a person had a hand in the text.
    pub(crate) fn is_a_persons(&self) -> bool {
        self.entry.curated_by != Curator::Auto
    }

    /// Orders the sides: a person's words come first, then what is newer, then the bytes decide.
    fn rank(&self) -> (bool, Option<lore_core::Moment>, &str) {
        (self.is_a_persons(), self.entry.updated, &self.text)
    }
}

/// Takes what either side added to a list and leaves out what either side removed.
pub(crate) fn three<T: PartialEq + Clone>(base: &[T], main: &[T], other: &[T]) -> Vec<T> {
    let kept = main.iter().filter(|item| !base.contains(item) || other.contains(item));
    let added = other.iter().filter(|item| !base.contains(item) && !main.contains(item));
    kept.chain(added).cloned().collect()
}

/// Takes the value that was changed; where both sides changed it, `both` decides.
pub(crate) fn pick<T: PartialEq + Clone>(
    base: Option<&T>,
    main: &T,
    other: &T,
    both: impl FnOnce(&T, &T) -> T,
) -> T {
    match base {
        _ if main == other => main.clone(),
        Some(base) if base == main => other.clone(),
        Some(base) if base == other => main.clone(),
        _ => both(main, other),
    }
}

#[cfg(test)]
mod tests;
