//! Entries that go for good, and what follows for those that name them.

use std::collections::HashSet;

use lore_core::{Article, Curator, Entry, EntryId, Link, LinkKind, Source, Status};

use crate::check::Refused;
use crate::layout;
use crate::owner::Hand;
use crate::snapshot::Stored;
use crate::transaction::Planned;
use crate::{Summary, Tombstone, Transaction, tombstone};

impl Transaction<'_> {
    /// Removes an entry for good: it will not be made again, here or in another clone. Links to it go,
    /// or lead to what replaced it.
    pub fn remove(&mut self, name: &str, why: &str) -> Result<EntryId, Refused> {
        let entry = self.get(name)?.entry;
        let heir = entry.linked(LinkKind::SupersededBy).next();
        self.bury_entry(name, why, heir, tombstone::said_in(&entry))
    }

    /// Removes an entry for good in favour of another, to which links then lead.
    /// What it said is still said by the other.
    pub fn remove_for(&mut self, name: &str, why: &str, heir: Option<&str>) -> Result<EntryId, Refused> {
        self.bury_entry(name, why, heir, Vec::new())
    }

    fn bury_entry(
        &mut self,
        name: &str,
        why: &str,
        heir: Option<&str>,
        said: Vec<String>,
    ) -> Result<EntryId, Refused> {
        let old = self.get(name)?;
        if self.owner.hand() == Hand::Machine && old.entry.curated_by != Curator::Auto {
            return Err(Refused::Protected { id: old.entry.id, curated_by: old.entry.curated_by });
        }
        self.stones.add(Tombstone {
            id: old.entry.id.clone(),
            on: self.last_heard().date(),
            by: self.owner.by.clone(),
            title: self.store.door().written(&old.entry.title).into_owned(),
            aliases: old.entry.aliases.clone(),
            why: self.store.door().written(why).into_owned(),
            evidence: evidence(&old.entry),
            said,
        });
        self.unplan(&old);
        self.unlink(&old, heir.and_then(|heir| self.locate(heir)).and_then(|path| self.id_at(&path)))?;
        Ok(old.entry.id)
    }

    /// Takes back the removal of an entry whose file a person wrote.
    pub fn lift(&mut self, id: &EntryId) {
        self.stones.lift(id);
    }

    /// Takes links to an entry that goes out of all others, or leads them to its heir.
    fn unlink(&mut self, gone: &Stored, heir: Option<EntryId>) -> Result<(), Refused> {
        let names: Vec<&str> = std::iter::once(gone.entry.id.as_str())
            .chain(gone.entry.aliases.iter().map(String::as_str))
            .collect();
        let dead = |target: &str| names.contains(&target);
        let points = |summary: &&Summary| summary.links.iter().any(|link| dead(&link.target));
        let linking: Vec<EntryId> =
            self.base.summaries().filter(points).map(|summary| summary.id.clone()).collect();
        linking.into_iter().try_for_each(|id| self.relink(&id, &dead, heir.as_ref(), Some(&gone.path)))
    }

    /// Takes links to what was removed elsewhere out, such as those that a merge brought.
    pub(crate) fn unlink_removed(&mut self) {
        let gone: HashSet<String> = self
            .stones
            .iter()
            .map(|stone| stone.id.to_string())
            .filter(|id| self.locate(id).is_none())
            .collect();
        if gone.is_empty() {
            return;
        }
        let dead = |target: &str| gone.contains(target);
        let points = |summary: &&Summary| summary.links.iter().any(|link| dead(&link.target));
        let linking: Vec<EntryId> =
            self.base.summaries().filter(points).map(|summary| summary.id.clone()).collect();
        for id in linking {
            // A file that cannot be changed safely keeps its link, and `check` says so.
            let _ = self.relink(&id, &dead, None, None);
        }
    }

    /// Takes dead links out of an entry, or leads them to an heir.
    fn relink(
        &mut self,
        id: &EntryId,
        dead: &dyn Fn(&str) -> bool,
        heir: Option<&EntryId>,
        gone: Option<&str>,
    ) -> Result<(), Refused> {
        // It may have gone in this transaction as well.
        let Ok(old) = self.get(id.as_str()) else { return Ok(()) };
        let original = self.text(&old)?.to_owned();
        let mut entry = old.entry.clone();
        let was_contradicted = entry.linked(LinkKind::Contradicts).any(dead);
        let was_replaced = entry.linked(LinkKind::SupersededBy).any(dead);
        let mut links: Vec<Link> = Vec::new();
        for mut link in std::mem::take(&mut entry.links) {
            if dead(&link.target) {
                let Some(heir) = heir.filter(|heir| *heir != id) else { continue };
                heir.as_str().clone_into(&mut link.target);
            }
            if !links.contains(&link) {
                links.push(link);
            }
        }
        entry.links = links;
        let mut article = Article::parse(&entry.body);
        if let Some(gone) = gone.filter(|_| entry.curated_by == Curator::Auto) {
            let before = article.related.len();
            // Names repeat from folder to folder, and every spike is called alike.
            article
                .related
                .retain(|related| layout::led_to(&old.path, &related.path).as_deref() != Some(gone));
            if article.related.len() < before {
                entry.body = article.render();
            }
        }
        let doubted = article.is_disputed() || entry.linked(LinkKind::Contradicts).next().is_some();
        if was_contradicted && entry.status == Status::Disputed && !doubted {
            entry.status = Status::Current;
        }
        // What replaced it was taken back.
        let is_replaced = entry.linked(LinkKind::SupersededBy).next().is_some();
        if was_replaced && entry.status == Status::Superseded && !is_replaced {
            entry.status = Status::Current;
        }
        if entry == old.entry {
            return Ok(());
        }
        // Links are no words; whose text it is does not change.
        self.rewrite(&entry, &old, &original).map(|_| ())
    }

    /// Takes away the machine's file of an entry that a person makes anew.
    pub(crate) fn clear_grave(&mut self, id: &EntryId) {
        let buried = self
            .base
            .buried
            .iter()
            .filter(|record| record.summary.as_ref().is_some_and(|summary| summary.id == *id));
        for record in buried.cloned().collect::<Vec<_>>() {
            let gone = Planned { bytes: None, before: Some(record.version), record: None };
            self.planned.insert(record.path.clone(), gone);
        }
    }

    pub(crate) fn id_at(&self, path: &str) -> Option<EntryId> {
        let planned = self.planned.get(path).and_then(|planned| planned.record.as_deref());
        let record = planned.or_else(|| self.base.at(path))?;
        record.summary.as_ref().map(|summary| summary.id.clone())
    }
}

/// Names the records an entry rests on.
fn evidence(entry: &Entry) -> Vec<String> {
    let records = |source: &Source| {
        let session = source.session.clone();
        let lines = source.lines.clone();
        session
            .into_iter()
            .flat_map(move |session| lines.clone().into_iter().map(move |line| format!("{session}#{line}")))
    };
    entry.sources.iter().flat_map(records).collect()
}
