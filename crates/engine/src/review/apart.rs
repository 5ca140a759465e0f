//! Disputes between whole entries: what a person wrote is never rewritten, so a contradiction stands beside it.

use std::collections::{BTreeMap, HashMap};

use lore_core::handle::shown;
use lore_core::{Article, Claim, Entry, EntryId, Link, LinkKind, Moment, Standing, Status};
use lore_store::{Snapshot, Stored, Summary, Transaction, Version};

use super::Side;
use crate::ended::Named;
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

/// Which entries stand against which, whichever of two says so: looked up once for all that wait.
pub(super) struct Against<'s>(HashMap<&'s EntryId, BTreeMap<&'s str, &'s Summary>>);

impl<'s> Against<'s> {
    pub(super) fn of(snapshot: &'s Snapshot) -> Against<'s> {
        let mut found = Against(HashMap::new());
        for summary in snapshot.summaries() {
            for link in summary.links.iter().filter(|link| link.kind == LinkKind::Contradicts) {
                let Some(other) = snapshot.find(&link.target).filter(|other| other.id != summary.id) else {
                    continue;
                };
                found.note(summary, other);
                found.note(other, summary);
            }
        }
        found
    }

    fn note(&mut self, summary: &'s Summary, other: &'s Summary) {
        if summary.status == Status::Disputed && matches!(other.status, Status::Current | Status::Disputed) {
            self.0.entry(&summary.id).or_default().insert(&other.path, other);
        }
    }

    /// Lists the entries that stand against a disputed one.
    pub(super) fn entry(&self, summary: &Summary) -> Vec<Named> {
        let others = self.0.get(&summary.id).into_iter().flat_map(BTreeMap::values);
        others.map(|other| Named { id: other.id.clone(), title: other.title.clone() }).collect()
    }
}

fn not_disputed(id: &EntryId) -> Error {
    Error::request(format!("`{id}` is not disputed"), format!("`lore review keep {id}` confirms it"))
}

impl Engine {
    /// Lets one of the entries that stand against each other hold; what loses to it is superseded by it.
    pub(super) fn settle_apart(
        &self,
        transaction: &mut Transaction<'_>,
        old: &Stored,
        side: usize,
    ) -> Result<bool, Error> {
        if old.entry.status != Status::Disputed {
            return Err(not_disputed(&old.entry.id));
        }
        let id = old.entry.id.to_string();
        let opposed = old.entry.linked(LinkKind::Contradicts).map(str::to_owned);
        let opponents: Vec<String> =
            opposed.filter(|name| transaction.get(name).is_ok_and(|other| stands(&other.entry))).collect();
        if side == 0 || side > opponents.len() + 1 {
            return Ok(false);
        }
        if side == 1 {
            for other in &opponents {
                let (loses, holds) = (transaction.get(other)?, transaction.get(&id)?);
                self.supersede_entry(transaction, loses, holds)?;
            }
            let Stored { mut entry, version, .. } = transaction.get(&id)?;
            // Who stood against it may be gone meanwhile.
            reconcile(&mut entry, &|target| !opponents.iter().any(|other| other == target));
            self.confirm(&mut entry);
            transaction.replace(entry, version)?;
            return Ok(true);
        }
        let right = &opponents[side - 2];
        let (loses, holds) = (transaction.get(&id)?, transaction.get(right)?);
        self.supersede_entry(transaction, loses, holds)?;
        // Whoever else stood against what fell stands against nothing any more.
        for other in opponents.iter().filter(|other| *other != right) {
            let Stored { mut entry, version, .. } = transaction.get(other)?;
            reconcile(&mut entry, &|target| target == id);
            transaction.replace(entry, version)?;
        }
        self.confirm_in(transaction, right)?;
        Ok(true)
    }

    /// Lets all sides of a dispute hold, within an entry or between entries.
    pub(super) fn let_both_hold(
        &self,
        transaction: &mut Transaction<'_>,
        old: Stored,
    ) -> Result<&'static str, Error> {
        let Stored { mut entry, version, .. } = old;
        let id = entry.id.clone();
        let mut article = Article::parse(&entry.body);
        let within: Vec<Claim> = article.conflict.drain(..).chain(article.doubted.drain(..)).collect();
        let opponents: Vec<String> = entry.linked(LinkKind::Contradicts).map(str::to_owned).collect();
        if within.is_empty() && opponents.is_empty() && entry.status != Status::Disputed {
            return self.let_replaced_hold(transaction, &id);
        }
        if !within.is_empty() {
            let mut holds = within.into_iter().map(|claim| Claim { standing: Standing::Current, ..claim });
            if article.lead.is_empty() {
                article.lead.extend(holds.next());
            }
            let staying = self.set_apart(transaction, (&mut entry, &mut article), holds.collect())?;
            article.facts.extend(staying);
            entry.body = article.render();
        }
        for name in &opponents {
            let Ok(Stored { entry: mut other, version, .. }) = transaction.get(name) else { continue };
            reconcile(&mut other, &|target| target == id.as_str());
            relate(&mut other, &id);
            relate(&mut entry, &other.id);
            self.confirm(&mut other);
            transaction.replace(other, version)?;
        }
        reconcile(&mut entry, &|_| true);
        self.confirm(&mut entry);
        transaction.replace(entry, version)?;
        Ok("let both hold")
    }

    /// Lets an entry hold again beside the one that took its place, whichever of the two is named.
    fn let_replaced_hold(
        &self,
        transaction: &mut Transaction<'_>,
        id: &EntryId,
    ) -> Result<&'static str, Error> {
        let named = transaction.get(id.as_str())?.entry;
        let linked = |kind| -> Vec<String> { named.linked(kind).map(str::to_owned).collect() };
        let replaced: Vec<(String, String)> = match named.status {
            Status::Superseded => {
                linked(LinkKind::SupersededBy).into_iter().map(|by| (id.to_string(), by)).collect()
            }
            _ => linked(LinkKind::Supersedes).into_iter().map(|old| (old, id.to_string())).collect(),
        };
        let mut done = 0;
        for (old, new) in replaced {
            let (Ok(old), Ok(new)) = (transaction.get(&old), transaction.get(&new)) else { continue };
            let (Stored { entry: mut old, version: seen, .. }, Stored { entry: mut new, version, .. }) =
                (old, new);
            if old.status != Status::Superseded {
                continue;
            }
            let (old_id, new_id) = (old.id.clone(), new.id.clone());
            old.links.retain(|link| link.kind != LinkKind::SupersededBy || link.target != new_id.as_str());
            new.links.retain(|link| link.kind != LinkKind::Supersedes || link.target != old_id.as_str());
            // Something else may have taken its place too.
            if old.linked(LinkKind::SupersededBy).next().is_none() {
                old.status = Status::Current;
                bring_back(&mut old, &new);
            }
            relate(&mut old, &new_id);
            relate(&mut new, &old_id);
            for (mut entry, version) in [(old, seen), (new, version)] {
                self.confirm(&mut entry);
                transaction.replace(entry, version)?;
            }
            done += 1;
        }
        if done == 0 { Err(not_disputed(id)) } else { Ok("let both hold") }
    }

    fn confirm_in(&self, transaction: &mut Transaction<'_>, id: &str) -> Result<(), Error> {
        let Stored { mut entry, version, .. } = transaction.get(id)?;
        self.confirm(&mut entry);
        transaction.replace(entry, version)?;
        Ok(())
    }
}

/// Writes entries that changed; whoever stood against one that holds no more stands against nothing there.
pub(crate) fn replace_all(
    transaction: &mut Transaction<'_>,
    changed: Vec<(Entry, Version)>,
) -> Result<(), Error> {
    let mut fallen = Vec::new();
    for (mut entry, version) in changed {
        if !stands(&entry) {
            let opposed: Vec<String> = entry.linked(LinkKind::Contradicts).map(str::to_owned).collect();
            entry.links.retain(|link| link.kind != LinkKind::Contradicts);
            fallen.push((entry.id.clone(), opposed));
        }
        transaction.replace(entry, version)?;
    }
    for (id, opposed) in fallen {
        for name in opposed {
            let Ok(Stored { mut entry, version, .. }) = transaction.get(&name) else { continue };
            let before = entry.links.len();
            reconcile(&mut entry, &|target| target == id.as_str());
            if entry.links.len() != before {
                transaction.replace(entry, version)?;
            }
        }
    }
    Ok(())
}

/// Ends what stands between an entry and others; where nothing else speaks against it, it holds again.
pub(crate) fn reconcile(entry: &mut Entry, with: &dyn Fn(&str) -> bool) {
    entry.links.retain(|link| link.kind != LinkKind::Contradicts || !with(&link.target));
    let still =
        Article::parse(&entry.body).is_disputed() || entry.linked(LinkKind::Contradicts).next().is_some();
    if entry.status == Status::Disputed && !still {
        entry.status = Status::Current;
    }
}

pub(super) fn link(entry: &mut Entry, kind: LinkKind, target: &EntryId) {
    let link = Link::new(kind, target.as_str());
    if !entry.links.contains(&link) {
        entry.links.push(link);
    }
}

/// Takes what another entry put an end to out of the history again.
fn bring_back(entry: &mut Entry, by: &Entry) {
    let mut article = Article::parse(&entry.body);
    if article.current().next().is_some() {
        return;
    }
    let says: Vec<String> = Article::parse(&by.body).current().map(|claim| claim.text.clone()).collect();
    let ended = |claim: &mut Claim| match &claim.standing {
        Standing::Past { replaced_by: Some(other), .. } => *other == by.title || says.contains(other),
        _ => false,
    };
    let mut back = article
        .history
        .extract_if(.., ended)
        .map(|claim| Claim { standing: Standing::Current, ..claim })
        .collect::<Vec<_>>()
        .into_iter();
    article.lead.extend(back.next());
    article.facts.extend(back);
    entry.body = article.render();
}

fn relate(entry: &mut Entry, other: &EntryId) {
    link(entry, LinkKind::Related, other);
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
