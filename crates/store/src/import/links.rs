//! Ids and links of everything that arrived, made to agree.

use std::collections::{HashMap, HashSet};

use lore_core::{Diagnostic, EntryId, Level};

use super::Imported;
use crate::format::decode::stem;

/// Makes ids unique, points links at the ids of the entries they mean, and reports the rest.
pub(super) fn settle(entries: &mut [Imported]) {
    let mut taken: HashSet<EntryId> = HashSet::new();
    for imported in entries.iter_mut() {
        let wanted = imported.entry.id.clone();
        let mut id = wanted.clone();
        let mut number = 2;
        while !taken.insert(id.clone()) {
            id = wanted.numbered(number);
            number += 1;
        }
        if id != wanted {
            let message = format!("`{wanted}` is taken by another entry; this one is called `{id}`");
            let found = Diagnostic::new(Level::Warning, "id-taken", imported.from.clone(), message);
            imported.repaired.push(found.with_hint(format!("rename it with `id: {id}`")));
            imported.entry.id = id;
        }
    }
    let names = names(entries);
    for imported in entries.iter_mut() {
        for link in &mut imported.entry.links {
            match names.get(&key(&link.target)) {
                Some(id) => link.target = id.to_string(),
                None => {
                    let message =
                        format!("`{}` names `{}`, which did not arrive", link.kind.key(), link.target);
                    let found =
                        Diagnostic::new(Level::Warning, "dangling-link", imported.from.clone(), message);
                    imported.repaired.push(found.with_hint("remove the link, or import what it names"));
                }
            }
        }
    }
}

/// Maps every name an entry is known by to its id; ids win over aliases, aliases over file names.
fn names(entries: &[Imported]) -> HashMap<String, EntryId> {
    let mut names = HashMap::new();
    for imported in entries {
        names.entry(key(imported.entry.id.as_str())).or_insert_with(|| imported.entry.id.clone());
    }
    for imported in entries {
        for alias in &imported.entry.aliases {
            names.entry(key(alias)).or_insert_with(|| imported.entry.id.clone());
        }
    }
    for imported in entries {
        names.entry(key(stem(&imported.from))).or_insert_with(|| imported.entry.id.clone());
    }
    names
}

/// Brings a name into the form in which names are compared: no folder, no ending, lower case.
fn key(name: &str) -> String {
    let name = name.trim().trim_end_matches(".md");
    name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase()
}
