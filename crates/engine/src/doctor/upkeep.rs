//! What keeps a base from being written, merged or trusted, and what to do about it.

use lore_core::Diagnostic;
use lore_core::text::counted;
use lore_store::CAME_BACK;

use crate::exclude::what_is_in_doubt;
use crate::merges::CONFLICT;
use crate::{Engine, Error};

/// So many files are named; `lore check` names all.
const NAMED: usize = 3;

impl Engine {
    /// Looks whether everything can be read, written and merged as it should be.
    pub(super) fn look_at_upkeep(&self, find: &mut impl FnMut(bool, String, &str)) -> Result<(), Error> {
        if let Some(doubt) = self.config.in_doubt() {
            let what = format!("{}; hooks are silent and nothing is kept", what_is_in_doubt(doubt));
            find(true, what, &doubt.hint);
        }
        if let Some(why) = self.store.closed_to_writing() {
            let hint = "give yourself the right to write there, or work in a clone of your own";
            find(true, format!("nothing can be written: {why}"), hint);
        }
        let undecided = self.undecided();
        if let Some(first) = undecided.first() {
            let count = counted(undecided.len(), "file is", "files are");
            let what = format!("a merge is not finished: {count} undecided, first `{}`", first.path);
            find(true, what, "`lore check --fix` merges what both sides say; then commit");
        }
        let found = self.store.snapshot()?.diagnostics();
        let is_decided = |found: &&Diagnostic| undecided.iter().all(|file| file.path != found.place.file);
        name(found.iter().filter(|found| found.code == CONFLICT).filter(is_decided), find);
        name(found.iter().filter(|found| found.code == CAME_BACK), find);
        if self.lacks_merge_driver() {
            let what = "git merges entries as plain text in this clone: the merge driver is not set up here";
            find(false, what.to_owned(), "`lore install git`");
        }
        Ok(())
    }
}

/// Names the first files of which something is said.
fn name<'d>(found: impl Iterator<Item = &'d Diagnostic>, find: &mut impl FnMut(bool, String, &str)) {
    let all: Vec<&Diagnostic> = found.collect();
    for one in all.iter().take(NAMED) {
        let line = one.place.line.map(|line| format!(":{line}")).unwrap_or_default();
        let what = format!("`{}{line}` {}", one.place.file, one.message);
        find(true, what, one.hint.as_deref().unwrap_or("`lore check` says more"));
    }
    if let Some(more) = all.len().checked_sub(NAMED).filter(|more| *more > 0) {
        find(true, format!("{more} more places like this"), "`lore check` names them all");
    }
}
