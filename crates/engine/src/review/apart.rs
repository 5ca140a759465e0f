//! Disputes between whole entries: what a person wrote is never rewritten, so a contradiction stands beside it.

use lore_core::handle::shown;
use lore_core::{Article, Entry, LinkKind, Moment, Status};
use lore_store::{Snapshot, Stored, Transaction};

use super::Side;
use crate::{Engine, Error};

/// Lists an entry and those that stand against it as sides, where they dispute and none says so in its own text.
pub(super) fn sides(snapshot: &Snapshot, entry: &Entry) -> Vec<Side> {
    let opponents: Vec<Entry> = entry
        .linked(LinkKind::Contradicts)
        .filter_map(|name| Some(snapshot.read(snapshot.find(name)?).ok()?.entry))
        .filter(stands)
        .collect();
    if entry.status != Status::Disputed || opponents.is_empty() {
        return Vec::new();
    }
    let side =
        |(at, entry): (usize, &Entry)| Side { number: at + 1, text: claimed(entry), said: Some(said(entry)) };
    std::iter::once(entry).chain(&opponents).enumerate().map(side).collect()
}

impl Engine {
    /// Lets one of the entries that stand against each other hold; what loses to it is superseded by it.
    pub(super) fn settle_apart(
        &self,
        transaction: &mut Transaction<'_>,
        old: &Stored,
        side: usize,
    ) -> Result<bool, Error> {
        let id = old.entry.id.to_string();
        let opposed = old.entry.linked(LinkKind::Contradicts).map(str::to_owned);
        let opponents: Vec<String> =
            opposed.filter(|name| transaction.get(name).is_ok_and(|other| stands(&other.entry))).collect();
        if old.entry.status != Status::Disputed || side == 0 || side > opponents.len() + 1 {
            return Ok(false);
        }
        if side == 1 {
            for other in &opponents {
                let (loses, holds) = (transaction.get(other)?, transaction.get(&id)?);
                self.supersede_entry(transaction, loses, holds)?;
            }
            self.confirm_in(transaction, &id)?;
            return Ok(true);
        }
        let right = &opponents[side - 2];
        let (loses, holds) = (transaction.get(&id)?, transaction.get(right)?);
        self.supersede_entry(transaction, loses, holds)?;
        // Whoever else stood against what fell stands against nothing any more.
        for other in opponents.iter().filter(|other| *other != right) {
            let Stored { mut entry, version, .. } = transaction.get(other)?;
            entry.links.retain(|link| link.kind != LinkKind::Contradicts || link.target != id);
            let still = Article::parse(&entry.body).is_disputed()
                || entry.linked(LinkKind::Contradicts).next().is_some();
            if entry.status == Status::Disputed && !still {
                entry.status = Status::Current;
            }
            transaction.replace(entry, version)?;
        }
        self.confirm_in(transaction, right)?;
        Ok(true)
    }

    fn confirm_in(&self, transaction: &mut Transaction<'_>, id: &str) -> Result<(), Error> {
        let Stored { mut entry, version, .. } = transaction.get(id)?;
        self.confirm(&mut entry);
        transaction.replace(entry, version)?;
        Ok(())
    }
}

fn stands(entry: &Entry) -> bool {
    matches!(entry.status, Status::Current | Status::Disputed)
}

/// What an entry says, in its first words.
fn claimed(entry: &Entry) -> String {
    let article = Article::parse(&entry.body);
    article.current().next().map_or_else(|| entry.title.clone(), |claim| claim.text.clone())
}

fn said(entry: &Entry) -> String {
    let who = entry.verified.last().map(|stamp| stamp.by.to_string());
    let who = who.unwrap_or_else(|| "nobody confirmed it".to_owned());
    let when = entry.created.map(|at: Moment| format!(", {}", at.date())).unwrap_or_default();
    format!("{}, {who}{when}", shown(entry.id.as_str()))
}
