//! Whether the code shows that an entry no longer holds, wherever the entry is told.

use std::sync::Arc;

use lore_core::Status;
use lore_core::recall::Hit;
use lore_ground::freshness::Truth;
use lore_store::Snapshot;

use crate::entries::Item;
use crate::verdicts::Verdicts;
use crate::{Engine, Error};

/// The conditions of a base, held against the code of a project.
pub(crate) struct Broken<'e> {
    base: Arc<Snapshot>,
    code: &'e Engine,
    /// Most entries rest on nothing in the code; then nothing is opened.
    verdicts: Option<Verdicts>,
}

impl Engine {
    /// Holds the conditions of this base against the code of a project: its own, or that of whoever asks.
    pub(crate) fn broken_by<'e>(&self, code: &'e Engine) -> Result<Broken<'e>, Error> {
        Ok(Broken { base: self.store.snapshot()?, code, verdicts: None })
    }

    /// Says of each hit whether it is broken.
    pub(crate) fn mark_hits<'h>(
        &self,
        hits: impl Iterator<Item = &'h mut Hit>,
        code: &Engine,
    ) -> Result<(), Error> {
        let mut broken = self.broken_by(code)?;
        hits.for_each(|hit| hit.broken = broken.of(hit.id.as_str()));
        broken.save();
        Ok(())
    }

    /// Says of each item of a list whether it is broken.
    pub(crate) fn marked(&self, mut items: Vec<Item>) -> Result<Vec<Item>, Error> {
        let mut broken = self.broken_by(self)?;
        broken.prepare(items.iter().map(|item| item.id.as_str()));
        items.iter_mut().for_each(|item| item.broken = broken.of(item.id.as_str()));
        broken.save();
        Ok(items)
    }
}

impl Broken<'_> {
    /// Says which condition of an entry is broken, and what shows it.
    pub(crate) fn of(&mut self, id: &str) -> Option<String> {
        let conditions = conditions(&self.base, id);
        conditions.iter().find_map(|condition| {
            let verdict = self.verdicts.get_or_insert_with(|| self.code.verdicts()).judge(condition);
            let evidence = verdict.evidence.join("; ");
            (verdict.truth == Truth::Broken).then(|| format!("{condition}; {evidence}"))
        })
    }

    /// Judges the conditions of many entries, several at a time.
    fn prepare<'i>(&mut self, ids: impl Iterator<Item = &'i str>) {
        let wanted: Vec<&String> = ids.flat_map(|id| conditions(&self.base, id)).collect();
        if !wanted.is_empty() {
            let verdicts = self.verdicts.get_or_insert_with(|| self.code.verdicts());
            verdicts.prepare(wanted.into_iter());
        }
    }

    /// Keeps what was judged for the next time.
    pub(crate) fn save(self) {
        if let Some(verdicts) = self.verdicts {
            verdicts.save();
        }
    }
}

/// Returns what an entry rests on; what was replaced or withdrawn says so already.
fn conditions<'b>(base: &'b Snapshot, id: &str) -> &'b [String] {
    let holds = |status: Status| matches!(status, Status::Current | Status::Disputed);
    let summary = base.find(id).filter(|summary| holds(summary.status));
    summary.map(|summary| summary.depends_on.as_slice()).unwrap_or_default()
}
