//! Taking a transaction back: another transaction whose words are the old ones.
//!
//! Only a file that is still as the run left it is given back; what anybody changed since, by hand,
//! by another run or by git, stays as it is and is named.

use lore_core::{EntryId, LinkKind, Status};

use crate::change_set::{ChangeSet, Fate, Former, is_kept};
use crate::check::{self, Refused};
use crate::{Tombstones, Transaction, Version, apply, layout, lines};

/// What a transaction takes back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakenBack {
    /// Files that hold again what they held.
    pub restored: Vec<String>,
    /// Files that go because the run made them.
    pub removed: Vec<String>,
    /// Files that are left as they are.
    pub left: Vec<NotTaken>,
    /// Entries that may be made again, because the run forbade it.
    pub lifted: Vec<EntryId>,
    /// Entries whose removal counts again, because the run brought them back or kept them against it.
    pub buried: Vec<EntryId>,
}

/// A file that is not taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTaken {
    /// The file, relative to the base.
    pub path: String,
    /// Why.
    pub why: WhyNot,
}

/// Why a file is not taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNot {
    /// It was changed since.
    Changed,
    /// It is gone since.
    Gone,
    /// There is one again.
    Again,
    /// Another file bears its id now.
    Elsewhere,
    /// What took its place stays, because it was changed since.
    Replaced,
    /// What it held was forgotten.
    Forgotten,
    /// What it held must not be written: it looks like a secret, or a link leads out of the base.
    Unfit,
}

impl TakenBack {
    /// Tells whether nothing at all is taken back.
    pub fn is_empty(&self) -> bool {
        self.restored.is_empty()
            && self.removed.is_empty()
            && self.lifted.is_empty()
            && self.buried.is_empty()
    }
}

impl Transaction<'_> {
    /// Takes back what a run changed, as far as nobody changed it since.
    pub fn take_back(&mut self, set: &ChangeSet) -> TakenBack {
        let mut done = TakenBack::default();
        let files = || set.files.iter().filter(|file| is_kept(&file.path) && layout::is_inside(&file.path));
        // What goes makes room for what comes, so that a moved file finds its way back.
        let (going, coming): (Vec<&Former>, Vec<&Former>) =
            files().partition(|file| file.before.is_none() && !file.forgotten);
        for file in going {
            match self.as_left(file) {
                Err(why) => done.left.push(NotTaken { path: file.path.clone(), why }),
                Ok(now) => self.give_up(file, now, &mut done),
            }
        }
        let staying: Vec<EntryId> = done.left.iter().filter_map(|one| self.id_at(&one.path)).collect();
        for file in coming {
            let given = match self.is_replaced_by(&file.path, &staying) {
                true => Err(WhyNot::Replaced),
                false => self.as_left(file).and_then(|now| self.give_back(file, now)),
            };
            match given {
                Err(why) => done.left.push(NotTaken { path: file.path.clone(), why }),
                Ok(()) => done.restored.push(file.path.clone()),
            }
        }
        self.stones_back(set, &mut done);
        self.undoes.push(set.id.clone());
        done.restored.sort();
        done.removed.sort();
        done.left.sort_by(|a, b| a.path.cmp(&b.path));
        done
    }

    /// Tells whether one of these entries took the place of what a file holds: it would hold again beside its successor.
    fn is_replaced_by(&self, path: &str, staying: &[EntryId]) -> bool {
        let Some(summary) = self.base.at(path).and_then(|record| record.summary.as_ref()) else {
            return false;
        };
        let successors = summary.links.iter().filter(|link| link.kind == LinkKind::SupersededBy);
        summary.status == Status::Superseded
            && successors.into_iter().any(|link| staying.iter().any(|id| id.as_str() == link.target))
    }

    /// Checks that a file is as the run left it.
    fn as_left(&self, file: &Former) -> Result<Option<Version>, WhyNot> {
        if apply::leads_outside(self.store.root(), &file.path) {
            return Err(WhyNot::Unfit);
        }
        let now = self.version_of(&file.path)?;
        match (now, file.after) {
            (now, after) if now == after => {}
            (None, _) => return Err(WhyNot::Gone),
            (Some(_), None) => return Err(WhyNot::Again),
            _ => return Err(WhyNot::Changed),
        }
        if file.forgotten { Err(WhyNot::Forgotten) } else { Ok(now) }
    }

    /// Returns the version of a file as this transaction leaves it so far: a run before may have been taken back with it.
    fn version_of(&self, path: &str) -> Result<Option<Version>, WhyNot> {
        if let Some(planned) = self.planned.get(path) {
            return Ok(planned.bytes.as_deref().map(Version::of));
        }
        if let Some(lines) = self.state.get(path) {
            let text = lines::render(lines);
            return Ok((!text.is_empty()).then(|| Version::of(text.as_bytes())));
        }
        let bytes = apply::present(self.store.root(), path).map_err(|_| WhyNot::Unfit)?;
        Ok(bytes.as_deref().map(Version::of))
    }

    /// Removes a file that the run made, without a tombstone: it was never wrong, only taken back.
    fn give_up(&mut self, file: &Former, now: Option<Version>, done: &mut TakenBack) {
        if !layout::is_entry(&file.path) {
            self.state.insert(file.path.clone(), lines::Lines::new());
        } else if let Some(old) = self.base.at(&file.path).and_then(|record| record.summary.clone()) {
            self.taken_back.insert(old.id.clone());
            self.unplan_at(&file.path, &old, now);
        } else {
            return done.left.push(NotTaken { path: file.path.clone(), why: WhyNot::Changed });
        }
        done.removed.push(file.path.clone());
    }

    fn give_back(&mut self, file: &Former, now: Option<Version>) -> Result<(), WhyNot> {
        let text = file.text().ok_or(WhyNot::Forgotten)?;
        if !layout::is_entry(&file.path) {
            self.state.insert(file.path.clone(), lines::parse(text));
            return Ok(());
        }
        let read = crate::format::read(&file.path, text.as_bytes());
        let entry = read.entry.ok_or(WhyNot::Unfit)?;
        if self.bears(&entry.id).is_some_and(|path| path != file.path) {
            return Err(WhyNot::Elsewhere);
        }
        let planned = check::secrets(self.store.door(), &entry.id, text, None)
            .and_then(|()| self.plan(&entry.id, file.path.clone(), text.to_owned(), now));
        planned.map(drop).map_err(|refused| match refused {
            Refused::Changed { .. } => WhyNot::Changed,
            _ => WhyNot::Unfit,
        })
    }

    /// Finds the file that has an id for its own. What was merged into another entry leads there by its old id,
    /// but lies nowhere.
    fn bears(&self, id: &EntryId) -> Option<String> {
        let path = self.locate(id.as_str())?;
        let planned = self.planned.get(&path).and_then(|planned| planned.record.as_deref());
        let summary = planned.or_else(|| self.base.at(&path)).and_then(|record| record.summary.as_ref());
        summary.is_some_and(|own| own.id == *id).then_some(path)
    }

    /// Lifts the tombstones that the run made, and puts back those it lifted.
    fn stones_back(&mut self, set: &ChangeSet, done: &mut TakenBack) {
        for id in &set.buried {
            // What does not come back stays forbidden, unless it came and went within the run.
            let went = set.happened.iter().any(|one| one.what == Fate::Removed && one.id == *id);
            if self.stones.contains(id) && (!went || self.locate(id.as_str()).is_some()) {
                self.stones.lift(id);
                done.lifted.push(id.clone());
            }
        }
        let lifted = Tombstones::parse(&set.lifted.join("\n"));
        for stone in lifted.iter() {
            let place = self.locate(stone.id.as_str());
            // What is there as it was before the run stood against its stone. What a hand brought back has none.
            if place.is_none_or(|path| done.restored.contains(&path)) {
                self.stones.add(stone.clone());
                done.buried.push(stone.id.clone());
            }
        }
    }
}
