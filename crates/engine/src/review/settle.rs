//! One side of a dispute holds, or one entry instead of another.

use lore_core::{Article, Claim, Entry, EntryId, Link, LinkKind, Standing, Status};
use lore_distill::article::follow_standing;
use lore_store::{Stored, Transaction};

use super::apart::{link, replace_all};
use super::sides::{claims_in_question, parted};
use super::twins;
use crate::{Engine, Error};

impl Engine {
    pub(super) fn settle_entry(
        &self,
        transaction: &mut Transaction<'_>,
        old: Stored,
        side: usize,
    ) -> Result<&'static str, Error> {
        let mut article = Article::parse(&old.entry.body);
        let within = claims_in_question(&article).len();
        if within == 0 && self.settle_apart(transaction, &old, side)? {
            return Ok("settled");
        }
        let mut entry = old.entry;
        if side == 0 || side > within {
            let hint = format!("`lore review show {}` numbers the sides", entry.id);
            return Err(Error::request(format!("`{}` has no side {side}", entry.id), hint));
        }
        let by = self.world.person();
        let (right, fallen) = parted(&mut article, side - 1);
        let reason = format!("settled by {by}");
        for claim in fallen.iter().rev() {
            article.history.insert(0, self.past(claim.clone(), &right.text, &reason));
        }
        if let Some(heir) = twins::said_by_another(transaction, &entry, &right) {
            return self.leave_to(transaction, (entry, old.version), article, heir);
        }
        article.lead.insert(0, Claim { standing: Standing::Current, ..right });
        follow_standing(&mut entry, &article, &fallen);
        entry.body = article.render();
        entry.status = Status::Current;
        self.confirm(&mut entry);
        self.settle_elsewhere(transaction, &mut entry, &fallen, &reason)?;
        transaction.replace(entry, old.version)?;
        Ok("settled")
    }

    /// Moves what fell to the history of the entries that this one contradicted, so that it holds nowhere.
    fn settle_elsewhere(
        &self,
        transaction: &mut Transaction<'_>,
        entry: &mut Entry,
        fallen: &[Claim],
        reason: &str,
    ) -> Result<(), Error> {
        let standing = Article::parse(&entry.body).lead.first().map(|claim| claim.text.clone());
        let standing = standing.unwrap_or_else(|| entry.title.clone());
        let opposed: Vec<String> = entry.linked(LinkKind::Contradicts).map(str::to_owned).collect();
        for name in opposed {
            let Ok(other) = transaction.get(&name) else { continue };
            let (mut theirs, version) = (other.entry, other.version);
            let mut article = Article::parse(&theirs.body);
            let fell = |claim: &Claim| fallen.iter().any(|lost| lost.text == claim.text);
            let mut gone = Vec::new();
            for part in [&mut article.lead, &mut article.why, &mut article.facts] {
                gone.extend(part.extract_if(.., |claim| fell(claim)));
            }
            if article.conflict.iter().any(|claim| claim.text == standing) {
                // It shows the same dispute.
                let sides = std::mem::take(&mut article.conflict).into_iter();
                let (right, lost): (Vec<Claim>, Vec<Claim>) = sides.partition(|claim| claim.text == standing);
                let holds = right.into_iter().map(|claim| Claim { standing: Standing::Current, ..claim });
                article.lead.splice(0..0, holds);
                gone.extend(lost);
            }
            entry.links.retain(|link| link.kind != LinkKind::Contradicts || link.target != name);
            theirs
                .links
                .retain(|link| link.kind != LinkKind::Contradicts || link.target != entry.id.as_str());
            if !gone.is_empty() {
                for claim in gone.iter().rev() {
                    article.history.insert(0, self.past(claim.clone(), &standing, reason));
                }
                follow_standing(&mut theirs, &article, &gone);
                theirs.body = article.render();
                if article.current().next().is_none() {
                    theirs.status = Status::Superseded;
                    link(&mut theirs, LinkKind::SupersededBy, &entry.id);
                    link(entry, LinkKind::Supersedes, &theirs.id);
                }
            }
            let doubted = article.is_disputed() || theirs.linked(LinkKind::Contradicts).next().is_some();
            if theirs.status == Status::Disputed && !doubted {
                theirs.status = Status::Current;
            }
            transaction.replace(theirs, version)?;
        }
        Ok(())
    }

    pub(super) fn supersede_entry(
        &self,
        transaction: &mut Transaction<'_>,
        old: Stored,
        other: Stored,
    ) -> Result<&'static str, Error> {
        let (mut entry, mut newer) = (old.entry, other.entry);
        let mut article = Article::parse(&entry.body);
        let reason = format!("decided by {}", self.world.person());
        let current = article.lead.drain(..).chain(article.why.drain(..));
        let current: Vec<Claim> =
            current.chain(article.facts.drain(..)).chain(article.conflict.drain(..)).collect();
        let current: Vec<Claim> = current.into_iter().chain(article.doubted.drain(..)).collect();
        for claim in current.into_iter().rev() {
            article.history.insert(0, self.past(claim, &newer.title, &reason));
        }
        entry.body = article.render();
        entry.status = Status::Superseded;
        link(&mut entry, LinkKind::SupersededBy, &newer.id);
        link(&mut newer, LinkKind::Supersedes, &entry.id);
        let between = |link: &Link, other: &EntryId| {
            link.kind == LinkKind::Contradicts && link.target == other.as_str()
        };
        entry.links.retain(|link| !between(link, &newer.id));
        newer.links.retain(|link| !between(link, &entry.id));
        let still =
            Article::parse(&newer.body).is_disputed() || newer.linked(LinkKind::Contradicts).next().is_some();
        if newer.status == Status::Disputed && !still {
            newer.status = Status::Current;
        }
        transaction.replace(newer, other.version)?;
        replace_all(transaction, vec![(entry, old.version)])?;
        Ok("superseded")
    }
}
