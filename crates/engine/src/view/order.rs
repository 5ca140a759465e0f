//! In which order a view shows things: by kind, by subject, by time.

use std::collections::BTreeMap;

use lore_core::words::subjects;
use lore_core::{Entry, Kind, Moment};
use serde::Serialize;

use super::ViewEntry;
use super::entry::known;

/// A word that fewer entries share is no subject.
const SHARED: usize = 2;
/// So many subjects are listed; more help nobody to find anything.
const SUBJECTS: usize = 80;

/// Entries that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewGroup {
    /// The word for it.
    pub name: String,
    /// What stands above them.
    pub title: String,
    /// Their places, the newest first.
    pub entries: Vec<usize>,
}

/// Something that happened to an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewEvent {
    /// The day.
    pub day: String,
    /// `learned`, `confirmed`, `disputed`, `doubted` or `replaced`.
    pub what: &'static str,
    /// The place of the entry.
    pub entry: usize,
    /// What was replaced, or who confirmed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Returns when an entry last changed.
pub(super) fn newest(entry: &Entry) -> Option<Moment> {
    known(entry.updated).or(known(entry.created))
}

/// Groups entries by kind; kinds of which there are none are left out.
pub(super) fn by_kind(entries: &[ViewEntry]) -> Vec<ViewGroup> {
    let group = |kind: Kind| {
        let of_kind = entries.iter().enumerate().filter(|(_, entry)| entry.kind == kind);
        ViewGroup {
            name: kind.word().to_owned(),
            title: kind.heading().to_owned(),
            entries: of_kind.map(|(at, _)| at).collect(),
        }
    };
    Kind::ALL.into_iter().map(group).filter(|group| !group.entries.is_empty()).collect()
}

/// Groups entries by what they are about: `auth/jwt` also stands below `auth`.
pub(super) fn by_subject(entries: &[ViewEntry]) -> Vec<ViewGroup> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        for subject in subjects(&entry.tags) {
            found.entry(subject).or_default().push(at);
        }
    }
    let shared = found.into_iter().filter(|(_, places)| places.len() >= SHARED);
    let mut groups: Vec<ViewGroup> =
        shared.map(|(name, entries)| ViewGroup { title: name.clone(), name, entries }).collect();
    groups.sort_by(|a, b| b.entries.len().cmp(&a.entries.len()).then_with(|| a.name.cmp(&b.name)));
    groups.truncate(SUBJECTS);
    groups
}

/// Lists what happened to entries on which day, the newest first.
pub(super) fn timeline(entries: &[ViewEntry]) -> Vec<ViewEvent> {
    let mut events = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let mut add = |day: Option<&String>, what: &'static str, text: Option<&String>| {
            if let Some(day) = day {
                events.push(ViewEvent { day: day.clone(), what, entry: at, text: text.cloned() });
            }
        };
        let said = entry.sources.iter().filter_map(|source| source.at.as_ref());
        let added = entry.created.iter().chain(said).min();
        add(added, "added", None);
        // Whoever writes something down confirms it with that.
        for stamp in entry.confirmed.iter().filter(|stamp| stamp.at.as_ref() != added) {
            add(stamp.at.as_ref(), "confirmed", Some(&stamp.by));
        }
        for claim in &entry.claims {
            match claim.standing {
                "past" => add(claim.day.as_ref(), "replaced", Some(&claim.text)),
                "possibly-replaced" => add(claim.day.as_ref(), "doubted", Some(&claim.text)),
                _ => {}
            }
        }
        let sides = entry.claims.iter().filter(|claim| claim.standing == "disputed");
        let places = sides.flat_map(|claim| &claim.sources);
        let days = places.filter_map(|place| entry.sources.get(*place)?.at.as_ref());
        add(days.max(), "disputed", None);
    }
    events.sort_by(|a, b| b.day.cmp(&a.day).then(a.entry.cmp(&b.entry)));
    events
}
