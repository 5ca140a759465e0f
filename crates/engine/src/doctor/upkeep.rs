//! What keeps a base from being written, merged or trusted, and what to do about it.

use lore_core::Diagnostic;
use lore_store::CAME_BACK;

use crate::exclude::what_is_in_doubt;
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
        let found = self.store.snapshot()?.diagnostics();
        name(found.iter().filter(|found| found.code == CAME_BACK), find);
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
