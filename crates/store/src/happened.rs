//! What a transaction does to entries, in the words of its change set.

use std::collections::BTreeSet;

use lore_core::{Article, EntryId, Kind, Status};

use crate::change_set::{self, ChangeSet, Fate, Former, Happened};
use crate::commit::CommitOptions;
use crate::{Summary, Tombstone, Transaction, Version, format};

/// A file that is to change.
pub(crate) struct Due<'a> {
    pub(crate) path: &'a str,
    pub(crate) bytes: Option<&'a [u8]>,
    pub(crate) was: Option<Vec<u8>>,
}

/// What a change set tells beside the files.
pub(crate) struct About<'a> {
    pub(crate) options: &'a CommitOptions,
    pub(crate) deleted: &'a [EntryId],
}

impl Transaction<'_> {
    /// Tells what this transaction changes; nothing where it only makes lists again.
    pub(crate) fn change_set(&self, due: &[Due<'_>], about: &About<'_>) -> Option<ChangeSet> {
        let former = |due: &Due<'_>| Former::new(due.path, due.was.clone(), due.bytes.map(Version::of));
        let kept = due.iter().filter(|due| change_set::is_kept(due.path));
        let files: Vec<Former> = kept.map(former).collect();
        let before = self.store.tombstones();
        let is_noted = |id: &EntryId| about.deleted.contains(id);
        let new = self.stones.iter().map(|stone| &stone.id).filter(|id| !before.contains(id));
        let buried: Vec<EntryId> = new.filter(|id| !is_noted(id)).cloned().collect();
        let lifted: Vec<String> =
            before.iter().filter(|stone| !self.stones.contains(&stone.id)).map(Tombstone::line).collect();
        let happened = self.happened(due, about.deleted);
        let read_sessions = !self.curated.is_empty();
        if self.erases {
            return Some(self.told_without_words(about));
        }
        if files.is_empty() && buried.is_empty() && lifted.is_empty() && happened.is_empty() && !read_sessions
        {
            return None;
        }
        let mut set = ChangeSet {
            id: String::new(),
            number: self.journal.seq + 1,
            at: self.now,
            by: self.owner.by.clone(),
            command: self.owner.what.clone(),
            said: about.options.said.clone().or_else(|| about.options.log_line.clone()),
            undoes: self.undoes.first().cloned(),
            undoes_too: self.undoes.iter().skip(1).cloned().collect(),
            happened,
            files,
            buried,
            lifted,
            read_sessions,
        };
        set.name_itself();
        Some(set)
    }

    /// Tells that words were erased, and nothing of them.
    fn told_without_words(&self, about: &About<'_>) -> ChangeSet {
        let mut set = ChangeSet {
            id: String::new(),
            number: self.journal.seq + 1,
            at: self.now,
            by: self.owner.by.clone(),
            command: self.owner.what.clone(),
            said: about.options.said.clone(),
            undoes: None,
            undoes_too: Vec::new(),
            happened: Vec::new(),
            files: Vec::new(),
            buried: Vec::new(),
            lifted: Vec::new(),
            read_sessions: false,
        };
        set.name_itself();
        set
    }

    /// Lists what becomes of entries, in the order of their files.
    fn happened(&self, due: &[Due<'_>], deleted: &[EntryId]) -> Vec<Happened> {
        let mut all = Vec::new();
        let told = |what, summary: &Summary| Happened {
            what,
            id: summary.id.clone(),
            kind: summary.kind,
            title: summary.title.clone(),
        };
        for (path, planned) in &self.planned {
            let before = self.base.at(path).and_then(|record| record.summary.as_ref());
            let after = planned.record.as_ref().and_then(|record| record.summary.as_ref());
            match (before, after) {
                (Some(before), Some(after)) => {
                    let what = match fate(before, after) {
                        Fate::Confirmed if says_anew(due, path) => Fate::Changed,
                        what => what,
                    };
                    all.push(told(what, after));
                }
                (None, Some(after)) => {
                    let moved = self.base.find(after.id.as_str()).is_some();
                    all.push(told(if moved { Fate::Moved } else { Fate::Learned }, after));
                }
                (Some(before), None) if self.locate(before.id.as_str()).is_none() => {
                    all.push(told(Fate::Removed, before));
                }
                _ => {}
            }
        }
        for stone in self.stones.iter().filter(|stone| deleted.contains(&stone.id)) {
            let kind = stone.id.kind().unwrap_or(Kind::Fact);
            all.push(Happened {
                what: Fate::Removed,
                id: stone.id.clone(),
                kind,
                title: stone.title.clone(),
            });
        }
        all
    }
}

/// Tells what became of an entry that was there before and is there now.
fn fate(before: &Summary, after: &Summary) -> Fate {
    match (before.status, after.status) {
        (old, new) if old == new => {}
        (_, Status::Disputed) => return Fate::Disputed,
        (_, Status::Superseded) => return Fate::Superseded,
        (_, Status::Outdated) => return Fate::Outdated,
        (Status::Disputed, Status::Current) => return Fate::Settled,
        _ => {}
    }
    if after.verified && !before.verified { Fate::Confirmed } else { Fate::Changed }
}

/// Tells whether a file states something that it did not state before: whoever writes it anew does more than confirm it.
fn says_anew(due: &[Due<'_>], path: &str) -> bool {
    let stated = |bytes: &[u8]| -> BTreeSet<String> {
        let body = format::read(path, bytes).entry.map(|entry| entry.body).unwrap_or_default();
        Article::parse(&body).claims().map(|claim| claim.text.clone()).collect()
    };
    let Some(due) = due.iter().find(|due| due.path == path) else { return false };
    match (&due.was, due.bytes) {
        (Some(was), Some(now)) => !stated(now).is_subset(&stated(was)),
        _ => false,
    }
}
