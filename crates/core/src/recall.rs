//! Asking what is known: the query and the hit.

use serde::{Deserialize, Serialize};

use crate::score::Parts;
use crate::{EntryId, Kind, Moment, Status};

/// What is asked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Query {
    /// Words, in any form a person or an agent would write.
    pub text: String,
    /// Only these kinds; all but signals where empty.
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
    /// Only entries of these projects; all where empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// Leaves out what has decayed to the floor and what is no longer current.
    #[serde(default)]
    pub fresh: bool,
    /// At most this many; the caller's default where nothing.
    pub limit: Option<usize>,
}

impl Query {
    /// Asks with words alone.
    pub fn text(text: impl Into<String>) -> Query {
        Query { text: text.into(), ..Query::default() }
    }
}

/// How the words of a query met the words of an entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Matched {
    /// Words of the query that the entry has, rarest first.
    pub terms: Vec<String>,
    /// How alike they are by words, from 0 to 1, comparable between queries.
    pub lexical: f64,
    /// How alike they are by meaning, from 0 to 1, comparable between queries.
    pub semantic: f64,
    /// Share of what the query says that the entry has words for, from 0 to 1.
    pub coverage: f64,
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
    /// Whether the machine wrote it and no person has confirmed it.
    #[serde(default)]
    pub unreviewed: bool,
    /// By what the code shows that it no longer holds, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// The sum that ranks.
    pub score: f64,
    /// The parts of the sum.
    pub parts: Parts,
    /// What the similarity rests on.
    #[serde(default)]
    pub matched: Matched,
    /// The words that matter for this query.
    pub snippet: String,
    /// Why it was chosen, in words.
    pub why: Vec<String>,
    /// Its file, relative to the base.
    #[serde(default)]
    pub path: String,
    /// When it last changed.
    #[serde(default)]
    pub changed: Option<Moment>,
    /// What replaced it, where something did.
    #[serde(default)]
    pub replaced_by: Vec<String>,
    /// Whose base it stands in, where it is not the one that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

impl Hit {
    /// Makes a hit of which only the entry is known.
    pub fn new(id: EntryId, kind: Kind, title: impl Into<String>) -> Hit {
        Hit {
            id,
            kind,
            title: title.into(),
            status: Status::Current,
            unreviewed: false,
            broken: None,
            score: 0.0,
            parts: Parts::default(),
            matched: Matched::default(),
            snippet: String::new(),
            why: Vec::new(),
            path: String::new(),
            changed: None,
            replaced_by: Vec::new(),
            project: None,
        }
    }
}
