//! What a transaction will write, and where names lead after it.

use std::sync::Arc;

use lore_core::EntryId;

use super::{Transaction, Written};
use crate::cache::{FileKey, Record};
use crate::check::Refused;
use crate::snapshot::Stored;
use crate::tree;
use crate::{Summary, Version, apply, layout};

/// What a file will hold.
pub(crate) struct Planned {
    /// Nothing means that it goes.
    pub(crate) bytes: Option<Vec<u8>>,
    /// What it held when the transaction began.
    pub(crate) before: Option<Version>,
    pub(crate) record: Option<Arc<Record>>,
}

impl Transaction<'_> {
    pub(crate) fn locate(&self, name: &str) -> Option<String> {
        match self.names.get(name) {
            Some(path) => path.clone(),
            None => self.base.find(name).map(|summary| summary.path.clone()),
        }
    }

    /// Compares without case, because some disks do.
    pub(crate) fn is_taken(&self, path: &str) -> bool {
        if self.taken.contains(&path.to_ascii_lowercase()) {
            return true;
        }
        let going = |other: &str| self.planned.get(other).is_some_and(|planned| planned.bytes.is_none());
        let same = |record: &Record| record.path.eq_ignore_ascii_case(path) && !going(&record.path);
        let on_disk = || std::fs::symlink_metadata(self.store.root().join(path)).is_ok();
        self.base.below(layout::parent(path)).any(same) || (on_disk() && !going(path))
    }

    pub(crate) fn plan(
        &mut self,
        id: &EntryId,
        path: String,
        text: String,
        before: Option<Version>,
    ) -> Result<Written, Refused> {
        if !layout::is_inside(&path) || apply::leads_outside(self.store.root(), &path) {
            return Err(Refused::Outside(path));
        }
        let record =
            Arc::new(tree::parse(path.clone(), FileKey::default(), text.as_bytes(), None, self.store.door()));
        let Some(summary) = record.summary.as_ref().filter(|summary| summary.id == *id) else {
            return Err(Refused::Unreadable { id: id.clone(), diagnostics: record.diagnostics.clone() });
        };
        let names = std::iter::once(id.as_str().to_owned()).chain(summary.aliases.iter().cloned());
        self.names.extend(names.map(|name| (name, Some(path.clone()))));
        let version = record.version;
        self.taken.insert(path.to_ascii_lowercase());
        let planned =
            self.planned.entry(path.clone()).or_insert(Planned { bytes: None, before, record: None });
        planned.bytes = Some(text.into_bytes());
        planned.record = Some(record);
        Ok(Written { id: id.clone(), path, version })
    }

    /// Lets the names of an entry lead nowhere.
    pub(crate) fn forget_names(&mut self, summary: &Summary) {
        let names = std::iter::once(summary.id.as_str()).chain(summary.aliases.iter().map(String::as_str));
        self.names.extend(names.map(|name| (name.to_owned(), None)));
    }

    pub(crate) fn unplan(&mut self, old: &Stored) {
        let names =
            std::iter::once(old.entry.id.as_str()).chain(old.entry.aliases.iter().map(String::as_str));
        self.give_up_names(names);
        self.unplan_file(&old.path, Some(old.version));
    }

    /// Removes the file of an entry that was read as `version`.
    pub(crate) fn unplan_at(&mut self, path: &str, old: &Summary, version: Option<Version>) {
        self.give_up_names(std::iter::once(old.id.as_str()).chain(old.aliases.iter().map(String::as_str)));
        self.unplan_file(path, version);
    }

    fn give_up_names<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        self.names.extend(names.map(|name| (name.to_owned(), None)));
    }

    fn unplan_file(&mut self, path: &str, before: Option<Version>) {
        let on_disk = Planned { bytes: None, before, record: None };
        let planned = self.planned.entry(path.to_owned()).or_insert(on_disk);
        (planned.bytes, planned.record) = (None, None);
        self.taken.remove(&path.to_ascii_lowercase());
        // What was only planned in this transaction never happened.
        if planned.before.is_none() {
            self.planned.remove(path);
        }
    }
}
