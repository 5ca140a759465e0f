//! What really changed in the base (store → surface).

use serde::{Deserialize, Serialize};

use crate::EntryId;

/// One effect of a transaction, for whoever keeps something derived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Change {
    /// The entry is new or different.
    Written {
        /// Its id.
        id: EntryId,
        /// Its file, relative to the base.
        path: String,
    },
    /// The entry is gone.
    Removed {
        /// Its id.
        id: EntryId,
    },
}
