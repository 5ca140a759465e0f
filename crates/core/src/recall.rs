//! Asking what is known: the query, the hit, and the one trait between siblings.

use serde::{Deserialize, Serialize};

use crate::score::Parts;
use crate::{EntryId, Kind, Moment, Status};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Query {
    /// Words, in any form a person or an agent would write.
    pub text: String,
    /// Only these kinds; all where empty.
    pub kinds: Vec<Kind>,
    /// Prefer entries of this domain.
    pub domain: Option<String>,
    /// Only entries with one of these tags or a tag below it.
    pub tags: Vec<String>,
    /// Only entries that changed on or after this moment.
    pub since: Option<Moment>,
    /// Entries about these files come first.
    pub files: Vec<String>,
    /// Entries of this issue come first.
    pub issue: Option<String>,
    /// At most this many; the caller's default where nothing.
    pub limit: Option<usize>,
}

/// One answer, with the reasons for its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The entry.
    pub id: EntryId,
    /// Its kind.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Its status; what is superseded is never shown as current.
    pub status: Status,
    /// The sum that ranks.
    pub score: f64,
    /// The parts of the sum.
    pub parts: Parts,
    /// The words that matter for this query.
    pub snippet: String,
    /// Why it was chosen, in words.
    pub why: Vec<String>,
}

/// Whoever can say what is known. Implemented by surface; used by distill and ground.
pub trait Recall {
    /// Why it could not be asked.
    type Error: std::error::Error;

    /// Returns the best answers, best first.
    fn recall(&self, query: &Query) -> Result<Vec<Hit>, Self::Error>;
}
