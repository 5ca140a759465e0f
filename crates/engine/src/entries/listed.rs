//! Entries in a list, and which of them are wanted.

use lore_core::{Confidence, Curator, EntryId, Handle, Kind, Moment, Status};
use lore_store::Summary;
use serde::Serialize;

/// Which entries are wanted; everything that is set has to hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filter {
    /// Only these kinds; all where empty.
    pub kinds: Vec<Kind>,
    /// Only this status.
    pub status: Option<Status>,
    /// Only with this tag or one below it.
    pub tag: Option<String>,
    /// Only of this issue.
    pub issue: Option<String>,
    /// Only about this file or folder.
    pub file: Option<String>,
    /// Only changed on or after this moment.
    pub since: Option<Moment>,
    /// Also what lies in the archive.
    pub archived: bool,
    /// Only what no person has confirmed.
    pub unverified: bool,
}

/// An entry in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Its name.
    pub id: EntryId,
    /// Its short name.
    pub handle: Handle,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// One sentence about it.
    pub description: Option<String>,
    /// Whether it can be relied on.
    pub status: Status,
    /// How sure we are.
    pub confidence: Option<Confidence>,
    /// When it last changed.
    pub updated: Option<Moment>,
    /// Subject words.
    pub tags: Vec<String>,
    /// Its file, relative to the base.
    pub path: String,
    /// Whose text it is.
    pub curated_by: Curator,
    /// Whether a person confirmed it.
    pub verified: bool,
    /// Whether something in it seems to have been replaced by something later.
    pub possibly_replaced: bool,
    /// By what the code shows that it no longer holds, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// What else a page of rules lays down; only in a list of rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

impl Filter {
    /// Tells whether an entry is wanted.
    pub fn fits(&self, summary: &Summary) -> bool {
        let below = |whole: &str, part: &str| {
            whole == part || whole.strip_prefix(part).is_some_and(|rest| rest.starts_with('/'))
        };
        (self.kinds.is_empty() || self.kinds.contains(&summary.kind))
            && self.status.is_none_or(|status| summary.status == status)
            && self.tag.as_ref().is_none_or(|tag| summary.tags.iter().any(|own| below(own, tag)))
            && self.issue.as_ref().is_none_or(|issue| summary.issues.contains(issue))
            && self
                .file
                .as_ref()
                .is_none_or(|file| summary.files.iter().any(|own| below(own, file.trim_end_matches('/'))))
            && self
                .since
                .is_none_or(|since| summary.updated.or(summary.created).is_some_and(|at| at >= since))
            && (self.archived || !summary.archived)
            && (!self.unverified || summary.is_unconfirmed())
    }
}

impl Item {
    /// Tells whether only the machine stands behind it.
    pub fn is_unreviewed(&self) -> bool {
        self.curated_by == Curator::Auto && !self.verified
    }

    /// Takes what a list shows out of a summary.
    pub(crate) fn of(summary: &Summary) -> Item {
        Item {
            id: summary.id.clone(),
            handle: summary.id.handle(),
            kind: summary.kind,
            title: summary.title.clone(),
            description: summary.description.clone(),
            status: summary.status,
            confidence: summary.confidence,
            updated: summary.updated.or(summary.created),
            tags: summary.tags.clone(),
            path: summary.path.clone(),
            curated_by: summary.curated_by,
            verified: summary.verified,
            possibly_replaced: summary.doubted,
            broken: None,
            also: Vec::new(),
        }
    }
}
