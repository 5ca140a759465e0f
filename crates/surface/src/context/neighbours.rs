//! What shares a part of the project with a prompt and nothing else.

use std::collections::HashMap;

use lore_core::recall::Query;
use lore_core::{Entry, Moment, Status};

use super::rank::{Unit, What};
use crate::fit::{Asked, has_word, is_everyday, only_word_of};
use crate::query;
use crate::reader::{SearchError, Snapshot};
use crate::wording::is_open_question;

/// A word that so many entries have names a part of the project …
const SEVERAL: usize = 2;
/// … and where somebody asks how things are, so many: an answer may be one of two.
const SEVERAL_ANSWERS: usize = 3;
/// So many entries are looked at for it.
const LOOKED_AT: usize = 12;

/// Leaves out what shares one word with the prompt that other entries have too: such a word names a part of the
/// project, and tells where somebody works and not what they need.
pub(super) fn leave_out_neighbours(
    snapshot: &Snapshot<'_>,
    asked: &Asked,
    (prompt, today): (&str, Moment),
    units: &mut Vec<Unit>,
) -> Result<(), SearchError> {
    let several = if is_open_question(prompt) { SEVERAL_ANSWERS } else { SEVERAL };
    let mut parts: HashMap<String, bool> = HashMap::new();
    for unit in units.iter() {
        let What::Entry(card) = &unit.what else { continue };
        let Some(word) = only_word_of(asked, &card.entry).filter(|word| !parts.contains_key(*word)) else {
            continue;
        };
        // "Write", "list": what is said to every agent tells nothing by itself, however few entries have it.
        if is_everyday(word) {
            parts.insert(word.to_owned(), true);
            continue;
        }
        let query = Query { limit: Some(LOOKED_AT), ..Query::text(word) };
        let near = snapshot.best(&query, &query::words(word), today)?;
        let holds = near.iter().map(|found| &found.card.entry).filter(|entry| {
            matches!(entry.status, Status::Current | Status::Disputed) && has_word(entry, word)
        });
        parts.insert(word.to_owned(), holds.count() >= several);
    }
    let is_part = |entry: &Entry| {
        only_word_of(asked, entry).is_some_and(|word| parts.get(word).copied().unwrap_or(false))
    };
    units.retain(|unit| match &unit.what {
        What::Entry(card) => !is_part(&card.entry),
        What::Said { .. } => true,
    });
    Ok(())
}
