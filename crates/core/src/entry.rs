//! An entry: one piece of knowledge, one file.

use serde::{Deserialize, Serialize};

use crate::detail::words;
use crate::{Claim, Detail, EntryId, Kind, Link, LinkKind, Moment, Source, Trust, Voice};

words! {
    /// Whether an entry can be relied on today.
    Status {
        /// It holds as far as we know.
        Current = "current" | "active" | "stable" | "open" | "accepted",
        /// It was true once.
        Outdated = "outdated" | "deprecated" | "archived" | "stale",
        /// Another entry replaced it.
        Superseded = "superseded" | "replaced",
        /// Sources contradict each other.
        Disputed = "disputed" | "contested",
    }
}

words! {
    /// How sure we are.
    Confidence {
        /// A guess.
        Low = "low" | "speculative",
        /// Implied.
        Medium = "medium" | "implied" | "medium-high" | "moderate",
        /// Said in so many words.
        High = "high" | "explicit" | "certain",
    }
}

words! {
    /// Who wrote the text that stands in the file.
    Curator {
        /// Only we did; we may rewrite it.
        Auto = "auto",
        /// A person did; we only append sources.
        Human = "human",
        /// Both did; we only append sources.
        Mixed = "mixed",
    }
}

/// The front-matter key that says who edited an entry last.
pub const EDITED: &str = "edited";

/// The front-matter key of what an editor set aside, with its name.
pub const SET_ASIDE: &str = "set-aside";

/// Who did something and when, in the form OKF uses for `generated` and `verified`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// `human:<name>`, `<producer>/<version>` or `process:<name>`.
    pub by: String,
    /// When.
    pub at: Option<Moment>,
}

/// One piece of knowledge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name for ever.
    pub id: EntryId,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// At most ten words.
    pub title: String,
    /// One sentence for lists.
    pub description: Option<String>,
    /// Subject words; `auth/jwt` also answers to `auth`.
    pub tags: Vec<String>,
    /// Part of the system it is about.
    pub domain: Option<String>,
    /// Project it came from, for entries that travel.
    pub project: Option<String>,
    /// When it was first known.
    pub created: Option<Moment>,
    /// When it last changed.
    pub updated: Option<Moment>,
    /// Whether it can be relied on.
    pub status: Status,
    /// How sure we are.
    pub confidence: Option<Confidence>,
    /// The evidence.
    pub sources: Vec<Source>,
    /// What wrote it.
    pub generated: Option<Stamp>,
    /// Who confirmed it.
    pub verified: Vec<Stamp>,
    /// From this day on it should be looked at again.
    pub stale_after: Option<Moment>,
    /// Conditions that must hold for it to be true.
    pub depends_on: Vec<String>,
    /// Files of the repository it is about.
    pub files: Vec<String>,
    /// Issues it belongs to, without `#`.
    pub issues: Vec<String>,
    /// Edges to other entries.
    pub links: Vec<Link>,
    /// How often it was seen.
    pub occurrences: Option<u32>,
    /// Whose text it is.
    pub curated_by: Curator,
    /// When we last touched it ourselves.
    pub last_auto_curated: Option<Moment>,
    /// Ids it had elsewhere.
    pub aliases: Vec<String>,
    /// What its kind adds.
    pub detail: Detail,
    /// Keys that are not ours, in their order; they survive every rewrite.
    pub extra: serde_json::Map<String, serde_json::Value>,
    /// The Markdown below the front matter.
    pub body: String,
}

impl Entry {
    /// Makes an otherwise empty entry.
    pub fn new(id: EntryId, kind: Kind, title: impl Into<String>) -> Entry {
        Entry {
            id,
            kind,
            title: title.into(),
            description: None,
            tags: Vec::new(),
            domain: None,
            project: None,
            created: None,
            updated: None,
            status: Status::Current,
            confidence: None,
            sources: Vec::new(),
            generated: None,
            verified: Vec::new(),
            stale_after: None,
            depends_on: Vec::new(),
            files: Vec::new(),
            issues: Vec::new(),
            links: Vec::new(),
            occurrences: None,
            curated_by: Curator::Auto,
            last_auto_curated: None,
            aliases: Vec::new(),
            detail: Detail::empty(kind),
            extra: serde_json::Map::new(),
            body: String::new(),
        }
    }

    /// Returns how far it can be relied on, where it has sources.
    pub fn trust(&self) -> Option<Trust> {
        Trust::of(&self.sources)
    }

    /// Lists the targets of one kind of edge.
    pub fn linked(&self, kind: LinkKind) -> impl Iterator<Item = &str> {
        let wanted = move |link: &&Link| link.kind == kind;
        self.links.iter().filter(wanted).map(|link| link.target.as_str())
    }

    /// Lists the sources that one of its claims rests on.
    pub fn sources_of(&self, claim: &Claim) -> impl Iterator<Item = &Source> {
        self.sources.iter().filter(|source| source.id.as_ref().is_some_and(|id| claim.sources.contains(id)))
    }

    /// Returns when something was last said for it: the newest of its sources and confirmations.
    ///
    /// What the machine writes by itself carries this time and not the clock's, so that the same
    /// sessions give the same bytes on every machine.
    pub fn last_heard(&self) -> Option<Moment> {
        let sources = self.sources.iter().filter_map(|source| source.at);
        sources.chain(self.verified.iter().filter_map(|stamp| stamp.at)).max()
    }

    /// Tells whether a model or an agent edited it, and not rules alone wrote it.
    pub fn is_edited(&self) -> bool {
        self.extra.contains_key(EDITED)
    }

    /// Tells whether an editor set it aside and nobody has taken it up again.
    pub fn is_set_aside(&self) -> bool {
        self.status == Status::Outdated && self.extra.contains_key(SET_ASIDE)
    }

    /// Tells whether a person has confirmed it.
    pub fn is_verified_by_a_person(&self) -> bool {
        self.verified.iter().any(|stamp| stamp.by.starts_with("human:"))
    }

    /// Tells whether a person stands behind it: they said it, or confirmed it.
    pub fn rests_on_a_person(&self) -> bool {
        self.is_verified_by_a_person() || self.sources.iter().any(|source| source.voice == Voice::Person)
    }

    /// Tells whether only the machine stands behind it: it wrote the text, and no person has confirmed it.
    pub fn is_unreviewed(&self) -> bool {
        self.curated_by == Curator::Auto && !self.is_verified_by_a_person()
    }
}
