//! What people laid down about files that are about to be changed.

use std::collections::BTreeSet;

use lore_core::{Entry, Kind, Status};

use super::choose::{Pick, Reason, says};
use super::rules::is_of_people;
use crate::filter::LookUp;
use crate::reader::{SearchError, Snapshot};
use crate::scope::covers;

/// Kinds that say how a file is to be treated; facts and events do not.
const BINDING: [Kind; 6] =
    [Kind::Preference, Kind::Decision, Kind::Limitation, Kind::Lesson, Kind::Pattern, Kind::Architecture];

/// Lists entries that hold for one of these files, or for a folder around it, disputed ones first, then the newest.
///
/// Nobody asked, so that only what a person stands behind has a place.
pub fn concerning(
    snapshot: &Snapshot<'_>,
    files: &[String],
    seen: &BTreeSet<String>,
    limit: usize,
) -> Result<Vec<Pick>, SearchError> {
    let mut picks: Vec<Pick> = Vec::new();
    for file in files {
        for card in snapshot.find(&[LookUp::Around(file.clone())])? {
            let entry = &card.entry;
            let is_new =
                !seen.contains(entry.id.as_str()) && picks.iter().all(|pick| pick.card.entry.id != entry.id);
            if is_new && binds(entry) && covers(entry, file) {
                let reason = if entry.status == Status::Disputed { Reason::Disputed } else { Reason::Match };
                picks.push(Pick {
                    says: says(entry, &[]),
                    card,
                    reason,
                    score: 1.0,
                    against: None,
                    replaced_by: None,
                });
            }
        }
    }
    let changed = |pick: &Pick| pick.card.entry.updated.or(pick.card.entry.created);
    let disputed = |pick: &Pick| pick.card.entry.status == Status::Disputed;
    picks.sort_by(|a, b| disputed(b).cmp(&disputed(a)).then_with(|| changed(b).cmp(&changed(a))));
    picks.truncate(limit);
    Ok(picks)
}

fn binds(entry: &Entry) -> bool {
    matches!(entry.status, Status::Current | Status::Disputed)
        && BINDING.contains(&entry.kind)
        && is_of_people(entry)
}
