//! What a person hands in, held against what is known before it is written: the comparison of curation.

use lore_core::{
    Article, Candidate, Claim, Confidence, Entry, EntryId, Evidence, Kind, Link, LinkKind, Moment, Proposal,
    Route, SessionId, Standing, Status, Voice,
};
use lore_distill::curate::{Bars, Outcome, Plainness, Reach, tells_of_change};
use lore_store::{Transaction, Version};
use serde::Serialize;

use crate::entries::in_short;
use crate::{Asker, Engine, Error};

/// What something new met among what is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Met {
    /// `known`, `replaces`, `changes`, `contradicts`, `beside`.
    pub how: Meeting,
    /// The entry that was met.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// The statement in it that was compared.
    pub said: String,
    /// What else it does the same to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Also>,
    /// Whether it may speak of another thing, so that both hold.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
}

/// Another entry that was met in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Also {
    /// The entry.
    pub id: EntryId,
    /// The statement in it that was compared.
    pub said: String,
}

/// What the new one does to the one it met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Meeting {
    /// It says the same.
    Known,
    /// It takes its place.
    Replaces,
    /// It says otherwise of a part of it; the rest holds.
    Changes,
    /// Both cannot hold, and nobody has decided.
    Contradicts,
    /// It is about the same, and both hold.
    Beside,
}

/// Kinds that say how things are or should be; others stand by themselves.
pub(crate) const COMPARED: [Kind; 6] =
    [Kind::Decision, Kind::Preference, Kind::Fact, Kind::Architecture, Kind::Limitation, Kind::Event];

impl Engine {
    /// Compares what a person hands in with what is known.
    pub(crate) fn meet(&self, entry: &Entry, transaction: &Transaction<'_>) -> Result<Option<Met>, Error> {
        if self.asker() != &Asker::Person || !COMPARED.contains(&entry.kind) {
            return Ok(None);
        }
        let candidate = self.spoken(entry);
        let curation = self.judge_with(vec![candidate], transaction, &|_| Bars::OPEN);
        let opposed = curation.proposals.iter().find_map(met_entry);
        for decision in curation.decisions {
            // A person's article is never rewritten: the other side then stands in one of its own.
            let known = |id: &EntryId| transaction.get(id.as_str()).ok();
            let Some(stored) = decision
                .entry
                .as_ref()
                .or(opposed.as_ref())
                .and_then(known)
                .or_else(|| opposed.as_ref().and_then(known))
            else {
                continue;
            };
            // Who speaks now and says that it changed is believed, where they plainly speak of the same thing.
            let tells = tells_of_change(&entry.body);
            let is_plain = tells && decision.plainness != Plainness::Doubtful;
            let how = match (decision.outcome, decision.reach) {
                (Outcome::Same, _) => Meeting::Known,
                (Outcome::Disputed | Outcome::PossiblyReplaced, Reach::Part) if tells => Meeting::Changes,
                (Outcome::Disputed | Outcome::PossiblyReplaced, Reach::Whole) if is_plain => {
                    Meeting::Replaces
                }
                (Outcome::Supersedes, _) => Meeting::Replaces,
                (Outcome::Disputed | Outcome::PossiblyReplaced, _) => Meeting::Contradicts,
                (Outcome::Adds | Outcome::Refines, _) => Meeting::Beside,
                (Outcome::New | Outcome::Dropped, _) => continue,
            };
            if !COMPARED.contains(&stored.entry.kind) {
                continue;
            }
            let said = decision.against.unwrap_or_else(|| stored.entry.title.clone());
            let (id, title) = (stored.entry.id, stored.entry.title);
            let reaches = matches!(how, Meeting::Replaces | Meeting::Contradicts);
            let holds = |entry: &Entry| {
                matches!(entry.status, Status::Current | Status::Disputed) && COMPARED.contains(&entry.kind)
            };
            let further = decision.further.into_iter().filter(|one| reaches && one.entry != id);
            let also = further
                .filter(|one| known(&one.entry).is_some_and(|stored| holds(&stored.entry)))
                .map(|one| Also { id: one.entry, said: one.against })
                .collect();
            let is_doubtful = decision.reach == Reach::Elsewhere || decision.plainness == Plainness::Doubtful;
            let unsure = how == Meeting::Contradicts && is_doubtful;
            return Ok(Some(Met { how, id, title, said, also, unsure }));
        }
        Ok(None)
    }

    /// Ties a new entry to what it met, and returns what has to change there.
    pub(crate) fn tie(
        &self,
        entry: &mut Entry,
        met: &Met,
        transaction: &Transaction<'_>,
    ) -> Result<Vec<(Entry, Version)>, Error> {
        let mut changed = Vec::new();
        let first = std::iter::once((&met.id, &met.said));
        for (id, said) in first.chain(met.also.iter().map(|also| (&also.id, &also.said))) {
            let mut old = transaction.get(id.as_str())?;
            match met.how {
                Meeting::Known => continue,
                Meeting::Beside => {
                    entry.links.push(Link::new(LinkKind::Related, id.as_str()));
                    continue;
                }
                Meeting::Changes => {
                    entry.links.push(Link::new(LinkKind::Qualifies, id.as_str()));
                    old.entry.links.push(Link::new(LinkKind::QualifiedBy, entry.id.as_str()));
                }
                Meeting::Contradicts => {
                    entry.links.push(Link::new(LinkKind::Contradicts, id.as_str()));
                    old.entry.links.push(Link::new(LinkKind::Contradicts, entry.id.as_str()));
                    entry.status = Status::Disputed;
                    old.entry.status = Status::Disputed;
                }
                Meeting::Replaces => self.give_way(&mut old.entry, said, entry),
            }
            changed.push((old.entry, old.version));
        }
        Ok(changed)
    }

    /// Lets a new entry take the place of what an older one says.
    fn give_way(&self, old: &mut Entry, said: &str, entry: &mut Entry) {
        let mut article = Article::parse(&old.body);
        if article.current().count() > 1 && retire(&mut article, said, entry, self.world.moment()) {
            // The rest of the page holds; only the statement goes to its history.
            entry.links.push(Link::new(LinkKind::Related, old.id.as_str()));
            old.links.push(Link::new(LinkKind::Related, entry.id.as_str()));
            // So that the page is not called after what no longer holds.
            if let Some(first) = article.lead.first() {
                old.title = in_short(&first.text);
            }
            old.body = article.render();
        } else {
            entry.links.push(Link::new(LinkKind::Supersedes, old.id.as_str()));
            old.links.push(Link::new(LinkKind::SupersededBy, entry.id.as_str()));
            old.status = Status::Superseded;
        }
    }

    /// Makes what the comparison takes: the statement, in the person's voice.
    fn spoken(&self, entry: &Entry) -> Candidate {
        let evidence = Evidence {
            session: SessionId::new("told".to_owned()),
            agent: "person".to_owned(),
            line: 0,
            quote: said(entry),
            voice: Voice::Person,
            // Whatever is known was known before, be it by the same tick of the clock.
            at: None,
        };
        Candidate { confidence: Confidence::High, route: Route::Ruling, ..as_candidate(entry, evidence) }
    }
}

/// Returns what an entry says, in a sentence or a few.
pub(crate) fn said(entry: &Entry) -> String {
    let lead: Vec<String> = Article::parse(&entry.body).lead.into_iter().map(|claim| claim.text).collect();
    if lead.is_empty() { entry.title.clone() } else { lead.join(" ") }
}

/// Makes a candidate of an entry, as if it had been said in a session.
pub(crate) fn as_candidate(entry: &Entry, evidence: Evidence) -> Candidate {
    Candidate {
        title: entry.title.clone(),
        keywords: entry.tags.clone(),
        files: entry.files.clone(),
        issue: entry.issues.first().cloned(),
        ..Candidate::resting_on(evidence, entry.kind)
    }
}

/// Returns the entry of a person that a proposed one contradicts or stands beside.
pub(crate) fn met_entry(proposal: &Proposal) -> Option<EntryId> {
    let Proposal::Create { entry, .. } = proposal else { return None };
    let met = entry.linked(LinkKind::Contradicts).chain(entry.linked(LinkKind::Related));
    met.into_iter().next()?.parse().ok()
}

/// Moves one statement of an article to its history; says whether it was there.
fn retire(article: &mut Article, said: &str, by: &Entry, now: Moment) -> bool {
    let Some(claim) = article.current().find(|claim| claim.text == said).cloned() else { return false };
    for claims in [&mut article.lead, &mut article.why, &mut article.facts] {
        claims.retain(|claim| claim.text != said);
    }
    // A page opens with something that holds.
    if article.lead.is_empty() && !article.facts.is_empty() {
        article.lead.push(article.facts.remove(0));
    }
    let standing = Standing::Past {
        until: Some(now),
        replaced_by: Some(by.title.clone()),
        reason: Some("a person said otherwise".to_owned()),
    };
    article.history.insert(0, Claim { standing, ..claim });
    true
}
