//! A suggested edit of the base with its reasons (distill → store).

use serde::{Deserialize, Serialize};

use crate::{Entry, EntryId, Source};

/// Why something was proposed, in words a person can check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reason(pub String);

/// One suggested edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "proposal", rename_all = "kebab-case")]
pub enum Proposal {
    /// Add an entry that is not there yet.
    Create {
        /// The whole entry.
        entry: Box<Entry>,
        /// Why.
        reasons: Vec<Reason>,
    },
    /// Put another text in the place of an entry that is there.
    Replace {
        /// The whole entry, with the id of the old one.
        entry: Box<Entry>,
        /// Why.
        reasons: Vec<Reason>,
    },
    /// Add evidence and change nothing else; allowed also on a person's text.
    AddSources {
        /// The entry.
        id: EntryId,
        /// The evidence.
        sources: Vec<Source>,
        /// Why.
        reasons: Vec<Reason>,
    },
}

impl Proposal {
    /// Returns the entry it is about.
    pub fn id(&self) -> &EntryId {
        match self {
            Proposal::Create { entry, .. } | Proposal::Replace { entry, .. } => &entry.id,
            Proposal::AddSources { id, .. } => id,
        }
    }

    /// Returns why.
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Proposal::Create { reasons, .. }
            | Proposal::Replace { reasons, .. }
            | Proposal::AddSources { reasons, .. } => reasons,
        }
    }
}
