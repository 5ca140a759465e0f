//! What stands against a rule: said beside it, because what a person wrote is not rewritten where something doubts it.

use std::collections::HashMap;

use lore_core::{Article, Entry, Handle, LinkKind, Status};
use serde::{Deserialize, Serialize};

use crate::index::Card;

/// What another entry says against one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Against {
    /// The short name of the other.
    pub handle: Handle,
    /// Whether a person stands behind it: an agent's word alone makes no rule of people a disputed one.
    pub by_people: bool,
    /// What it says.
    pub says: String,
}

/// Lists what stands against entries, by the id of each; of several what people stand behind.
pub(super) fn against(cards: &[Card]) -> HashMap<String, Against> {
    let mut out: HashMap<String, Against> = HashMap::new();
    let stands = |entry: &&Entry| matches!(entry.status, Status::Current | Status::Disputed);
    for entry in cards.iter().map(|card| &card.entry).filter(stands) {
        let by_people = entry.rests_on_a_person();
        for target in entry.linked(LinkKind::Contradicts) {
            if out.get(target).is_some_and(|known| known.by_people || !by_people) {
                continue;
            }
            let article = Article::parse(&entry.body);
            // In a dispute its own side stands first.
            let claim = article.current().next().or(article.conflict.first());
            let says = claim.map_or_else(|| entry.title.clone(), |claim| claim.text.clone());
            let one = Against { handle: entry.id.handle(), by_people, says };
            out.insert(target.to_owned(), one);
        }
    }
    out
}
