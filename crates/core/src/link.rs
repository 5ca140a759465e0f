//! Typed edges between entries.

use serde::{Deserialize, Serialize};

/// What one entry says about another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// They are about neighbouring things.
    Related,
    /// This entry replaces the other.
    Supersedes,
    /// The other entry replaces this one.
    SupersededBy,
    /// They cannot both hold.
    Contradicts,
    /// This entry was made from the other.
    DerivedFrom,
    /// This entry limits when the other holds.
    Qualifies,
    /// The other entry limits when this one holds.
    QualifiedBy,
    /// The same trouble came back.
    RecurrenceOf,
}

impl LinkKind {
    /// Lists all kinds in the order of their front-matter keys.
    pub const ALL: [LinkKind; 8] = [
        LinkKind::Related,
        LinkKind::Supersedes,
        LinkKind::SupersededBy,
        LinkKind::Contradicts,
        LinkKind::DerivedFrom,
        LinkKind::Qualifies,
        LinkKind::QualifiedBy,
        LinkKind::RecurrenceOf,
    ];

    /// Returns the front-matter key.
    pub const fn key(self) -> &'static str {
        match self {
            LinkKind::Related => "related",
            LinkKind::Supersedes => "supersedes",
            LinkKind::SupersededBy => "superseded_by",
            LinkKind::Contradicts => "contradicts",
            LinkKind::DerivedFrom => "derived_from",
            LinkKind::Qualifies => "qualifies",
            LinkKind::QualifiedBy => "qualified_by",
            LinkKind::RecurrenceOf => "recurrence_of",
        }
    }

    /// Returns what the other end says back, where that has a name.
    pub const fn inverse(self) -> Option<LinkKind> {
        match self {
            LinkKind::Related => Some(LinkKind::Related),
            LinkKind::Supersedes => Some(LinkKind::SupersededBy),
            LinkKind::SupersededBy => Some(LinkKind::Supersedes),
            LinkKind::Contradicts => Some(LinkKind::Contradicts),
            LinkKind::Qualifies => Some(LinkKind::QualifiedBy),
            LinkKind::QualifiedBy => Some(LinkKind::Qualifies),
            LinkKind::DerivedFrom | LinkKind::RecurrenceOf => None,
        }
    }
}

/// One edge. The target is text, because it may name an alias or an entry that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link {
    /// What this entry says about the target.
    pub kind: LinkKind,
    /// Id, alias or path of the other entry.
    pub target: String,
}

impl Link {
    /// Makes an edge.
    pub fn new(kind: LinkKind, target: impl Into<String>) -> Link {
        Link { kind, target: target.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_mutual() {
        for kind in LinkKind::ALL {
            if let Some(inverse) = kind.inverse() {
                assert_eq!(inverse.inverse(), Some(kind));
            }
        }
    }
}
