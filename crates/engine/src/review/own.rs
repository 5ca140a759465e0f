//! A rule that a person lets hold beside what seemed to replace it stands on its own again: as a line under another title it
//! would be told to nobody as the rule that it is.

use lore_core::{Article, Claim, Entry, EntryId, Kind};
use lore_store::Transaction;

use super::apart::link;
use crate::entries::first_sentence;
use crate::remember::heard;
use crate::{Engine, Error};

impl Engine {
    /// Gives each rule among some claims a page of its own, and returns the claims that stay.
    pub(super) fn set_apart(
        &self,
        transaction: &mut Transaction<'_>,
        (entry, article): (&mut Entry, &mut Article),
        claims: Vec<Claim>,
    ) -> Result<Vec<Claim>, Error> {
        let mut staying = Vec::new();
        for claim in claims {
            let (kind, title) = heard(&claim.text);
            if kind != Some(Kind::Preference) || article.lead.is_empty() {
                staying.push(claim);
                continue;
            }
            let mut own = page_of(entry, article, &claim, &title);
            own.id = transaction.free_id(&own.id);
            link(&mut own, lore_core::LinkKind::Related, &entry.id);
            link(entry, lore_core::LinkKind::Related, &own.id);
            self.confirm(&mut own);
            leave(entry, article, &claim, &staying);
            transaction.create(own)?;
        }
        Ok(staying)
    }
}

/// Makes the page of a claim, with the words it rests on.
fn page_of(entry: &Entry, article: &Article, claim: &Claim, title: &str) -> Entry {
    let sources: Vec<_> = entry.sources_of(claim).cloned().collect();
    let said = sources.iter().filter_map(|source| source.at);
    let created = said.clone().min().or(entry.created);
    let day = created.map(lore_core::Moment::date).or_else(|| entry.id.date()).unwrap_or_default();
    let is_its = |key: &String| claim.sources.contains(key);
    let page = Article {
        lead: vec![claim.clone()],
        context: article.context.iter().filter(|quote| is_its(&quote.source)).cloned().collect(),
        notes: article.notes.iter().filter(|note| is_its(&note.id)).cloned().collect(),
        ..Article::default()
    };
    let lower = claim.text.to_lowercase();
    let mut own = Entry::new(EntryId::new(Kind::Preference, day, title), Kind::Preference, title);
    own.description = first_sentence(&claim.text);
    own.tags = entry.tags.iter().filter(|tag| lower.contains(tag.as_str())).cloned().collect();
    own.files = lore_distill::extract::files_in(&claim.text);
    own.created = created;
    own.updated = said.max().or(entry.updated);
    own.confidence = entry.confidence;
    own.generated.clone_from(&entry.generated);
    own.last_auto_curated = entry.last_auto_curated;
    own.curated_by = entry.curated_by;
    own.sources = sources;
    own.body = page.render();
    own
}

/// Takes the words that only this claim rested on out of the page it leaves.
fn leave(entry: &mut Entry, article: &mut Article, claim: &Claim, staying: &[Claim]) {
    let cited: Vec<String> =
        article.claims().chain(staying).flat_map(|other| other.sources.iter().cloned()).collect();
    let is_gone = |key: &String| claim.sources.contains(key) && !cited.contains(key);
    article.context.retain(|quote| !is_gone(&quote.source));
    article.notes.retain(|note| !is_gone(&note.id));
    entry.sources.retain(|source| !source.id.as_ref().is_some_and(is_gone));
}
