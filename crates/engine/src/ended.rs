//! How an entry ended that no longer holds: what took its place, or who withdrew it.

use lore_core::{Entry, EntryId, LinkKind, Moment, Status};
use lore_store::Snapshot;
use serde::Serialize;

use crate::Engine;
use crate::log::LogOptions;

/// How an entry ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// What holds instead; nothing where it was withdrawn.
    pub replaced_by: Vec<Named>,
    /// Who withdrew it, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn_by: Option<String>,
    /// The day, as far as it is known.
    pub day: Option<String>,
}

/// An entry by what it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its id.
    pub id: EntryId,
    /// Its title.
    pub title: String,
}

impl Named {
    /// Lists the entries that one is linked to; those that are not there any more are left out.
    pub(crate) fn linked(snapshot: &Snapshot, entry: &Entry, kind: LinkKind) -> Vec<Named> {
        let known = entry.linked(kind).filter_map(|name| snapshot.find(name));
        known.map(|other| Named { id: other.id.clone(), title: other.title.clone() }).collect()
    }
}

impl Engine {
    /// Tells how an entry ended; nothing where it holds.
    pub(crate) fn ended(&self, snapshot: &Snapshot, entry: &Entry) -> Option<Ended> {
        let day = entry.updated.map(|at| at.date().to_string());
        match entry.status {
            Status::Superseded => {
                let replaced_by = Named::linked(snapshot, entry, LinkKind::SupersededBy);
                Some(Ended { replaced_by, withdrawn_by: None, day })
            }
            Status::Outdated if !entry.is_set_aside() => {
                // Entries do not say who withdrew them; what was done does.
                let runs = self.log_of_runs(&LogOptions::default()).map(|told| told.runs).unwrap_or_default();
                let run = runs.into_iter().find(|run| {
                    let ended = |told: &crate::log::EntryTold| {
                        told.what == "outdated" && told.id.as_ref() == Some(&entry.id)
                    };
                    run.entries.iter().any(ended)
                });
                let on = run.as_ref().map(|run| Moment::Instant(run.at).date().to_string());
                Some(Ended { replaced_by: Vec::new(), withdrawn_by: run.map(|run| run.by), day: on.or(day) })
            }
            _ => None,
        }
    }
}
