//! What people laid down about files that are about to be changed.

use std::collections::BTreeSet;

use lore_core::{Entry, Kind, Status};

use super::choose::{Pick, Reason, is_of_people, says};
use crate::filter::LookUp;
use crate::index::Card;
use crate::reader::{SearchError, Snapshot};

/// Kinds that say how a file is to be treated; facts and events do not.
const BINDING: [Kind; 6] =
    [Kind::Preference, Kind::Decision, Kind::Limitation, Kind::Lesson, Kind::Pattern, Kind::Architecture];

/// Lists entries that name one of these files, or a folder around it, disputed ones first, then the newest.
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
        for card in snapshot.find(&[LookUp::File(file.clone())])?.into_iter().chain(around(snapshot, file)?) {
            let entry = &card.entry;
            let is_new =
                !seen.contains(entry.id.as_str()) && picks.iter().all(|pick| pick.card.entry.id != entry.id);
            if is_new && binds(entry) && names(entry, file) {
                let reason = if entry.status == Status::Disputed { Reason::Disputed } else { Reason::Match };
                picks.push(Pick { says: says(entry, &[]), card, reason, score: 1.0, against: None });
            }
        }
    }
    let changed = |pick: &Pick| pick.card.entry.updated.or(pick.card.entry.created);
    let disputed = |pick: &Pick| pick.card.entry.status == Status::Disputed;
    picks.sort_by(|a, b| disputed(b).cmp(&disputed(a)).then_with(|| changed(b).cmp(&changed(a))));
    picks.truncate(limit);
    Ok(picks)
}

/// Finds entries that name the folder of a file; wider ones hold too much to look through in a hook.
fn around(snapshot: &Snapshot<'_>, file: &str) -> Result<Vec<Card>, SearchError> {
    match file.rsplit_once('/') {
        Some((folder, _)) => snapshot.find(&[LookUp::File(format!("{folder}/"))]),
        None => Ok(Vec::new()),
    }
}

fn binds(entry: &Entry) -> bool {
    matches!(entry.status, Status::Current | Status::Disputed)
        && BINDING.contains(&entry.kind)
        && is_of_people(entry)
}

/// Tells whether an entry is about this very file or a folder that holds it, not one of the same name.
fn names(entry: &Entry, file: &str) -> bool {
    entry.files.iter().any(|own| {
        let own = own.trim_start_matches("./").trim_end_matches('/');
        !own.is_empty() && (file == own || file.strip_prefix(own).is_some_and(|rest| rest.starts_with('/')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_same_name_elsewhere_is_another() {
        let check = |own: &str, file: &str, expected: bool| {
            let mut entry = Entry::new("dec-2026-01-01-x".parse().unwrap(), Kind::Decision, "x");
            entry.files = vec![own.to_owned()];
            assert_eq!(names(&entry, file), expected, "{own} {file}");
        };
        check("src/auth.rs", "src/auth.rs", true);
        check("./src/auth.rs", "src/auth.rs", true);
        check("src/auth/", "src/auth/token.rs", true);
        check("src/auth", "src/authority.rs", false);
        check("auth.rs", "src/auth.rs", false);
        check("", "src/auth.rs", false);
    }
}
