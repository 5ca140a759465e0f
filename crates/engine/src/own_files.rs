//! Files of a project that we wrote ourselves, told by our own marks: exported and viewed pages, what `install` put there.
//!
//! What they say is the base's, which is asked with the standing of what it says; they are no part of the code.

use std::path::Path;

use crate::World;
use crate::install::Wired;
use crate::{export, view};

/// What is known of them before any is read.
pub(crate) struct OwnFiles {
    wired: Wired,
}

impl OwnFiles {
    pub(crate) fn of(world: &World, project: &Path) -> OwnFiles {
        OwnFiles { wired: Wired::of(world, project) }
    }

    /// Tells whether a file is one of them. What somebody changed, or put something of theirs into, is theirs.
    pub(crate) fn has(&self, path: &str, text: &str) -> bool {
        export::is_page(text) || view::is_page(text.as_bytes()) || self.wired.is_all_ours(path, text)
    }
}
