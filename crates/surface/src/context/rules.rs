//! The rules that people set, as a session hears them at its start.

use std::cmp::Reverse;

use lore_core::{Article, Claim, Curator, Entry, Kind, Status, Voice};

use super::against::against;
use super::choose::{Pick, Reason, says};
use crate::filter::LookUp;
use crate::reader::{SearchError, Snapshot};
use crate::wording::holds_always;

/// Tells whether a person stands behind an entry: what only agents or tools said is no rule of people.
pub(super) fn is_of_people(entry: &Entry) -> bool {
    entry.sources.is_empty()
        || entry.curated_by != Curator::Auto
        || entry.is_verified_by_a_person()
        || entry.sources.iter().any(|source| source.voice == Voice::Person)
}

/// Tells whether an entry is a rule that people set for how to work: a preference, or a decision that
/// says what is always or never done.
fn is_standing_rule(entry: &Entry, says: &[String]) -> bool {
    let lays_down = || holds_always(&entry.title) || says.first().is_some_and(|says| holds_always(says));
    match entry.kind {
        Kind::Preference => true,
        Kind::Decision => lays_down() && (!entry.is_unreviewed() || opens_for_good(says)),
        _ => false,
    }
}

/// "Never sail at night": a rule by its first word, whatever it was filed as.
fn opens_for_good(says: &[String]) -> bool {
    let first = says.first().and_then(|says| says.split_whitespace().next()).unwrap_or_default();
    matches!(first.to_lowercase().as_str(), "always" | "never")
}

/// Lists what a page lays down, its first statement first: of a preference all that a person stated there, of a decision
/// what says what is always or never done.
fn laid_down(entry: &Entry) -> Vec<String> {
    let article = Article::parse(&entry.body);
    let mut stated = article.lead.iter().chain(&article.facts).filter(|claim| !claim.text.is_empty());
    let first = match stated.next() {
        Some(first) if article.conflict.is_empty() => first,
        // Both sides of a dispute are told.
        _ => return says(entry, &[]),
    };
    let is_of_a_person = |claim: &Claim| {
        let mut sources = entry.sources_of(claim).peekable();
        sources.peek().is_none() || sources.any(|source| source.voice == Voice::Person)
    };
    let binds = |claim: &&Claim| {
        is_of_a_person(claim) && (entry.kind == Kind::Preference || holds_always(&claim.text))
    };
    std::iter::once(first).chain(stated.filter(binds)).map(|claim| claim.text.clone()).collect()
}

/// Lists the rules that people set, those they confirmed first, of each the newest first.
pub fn rules(snapshot: &Snapshot<'_>) -> Result<Vec<Pick>, SearchError> {
    let mut cards = snapshot.find(&[LookUp::Kind(Kind::Preference)])?;
    cards.extend(snapshot.find(&[LookUp::Kind(Kind::Decision)])?);
    let mut against = against(&cards);
    for card in cards.iter_mut().filter(|card| card.entry.status == Status::Current) {
        if against.get(card.entry.id.as_str()).is_some_and(|one| one.by_people) {
            card.entry.status = Status::Disputed;
        }
    }
    let mut picks: Vec<Pick> = cards
        .into_iter()
        .filter(|card| matches!(card.entry.status, Status::Current | Status::Disputed))
        .filter(|card| is_of_people(&card.entry))
        .map(|card| {
            let reason =
                if card.entry.status == Status::Disputed { Reason::Disputed } else { Reason::Preference };
            let against = against.remove(card.entry.id.as_str());
            Pick { says: laid_down(&card.entry), card, reason, score: 1.0, against, replaced_by: None }
        })
        .filter(|pick| is_standing_rule(&pick.card.entry, &pick.says))
        .collect();
    let rank = |pick: &Pick| {
        let entry = &pick.card.entry;
        let confirmed = entry.verified.iter().filter_map(|stamp| stamp.at).max();
        (entry.is_verified_by_a_person(), confirmed.max(entry.updated.or(entry.created)))
    };
    picks.sort_by_cached_key(|pick| (Reverse(rank(pick)), pick.card.entry.id.clone()));
    Ok(picks)
}
