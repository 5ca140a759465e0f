//! The folders in which something may have changed, compared with what they were.

use std::collections::HashMap;
use std::fs;

use super::folder::{Folder, Fresh, Made, Row, again, list};
use super::{Changes, Seen, file, marked, rows};
use crate::Store;
use crate::cache::{self, FileKey};

/// A folder in which something may have changed.
pub(super) struct Suspect {
    pub(super) path: String,
    pub(super) scope: Scope,
}

/// What may have changed in it.
#[derive(Clone)]
pub(super) enum Scope {
    /// Any file, and which there are.
    Files,
    /// Which files there are; none was written in place.
    Replaced,
    /// Only these files.
    Named(Vec<String>),
}

impl Store {
    /// Looks into the folders in which something may have changed, and reads what did.
    pub(super) fn compare(&self, mut seen: Seen, mut suspects: Vec<Suspect>) -> Option<Changes> {
        // The clock is read before the files are, so that a change during reading is not missed.
        let clock = cache::clock(self.work());
        let overlay = HashMap::new();
        let view = self.view(&overlay);
        let (mut written, mut gone, mut made) = (Vec::new(), Vec::new(), Vec::new());
        let stones = self.tombstones();
        while let Some(Suspect { path, scope }) = suspects.pop() {
            let known =
                seen.folders.iter().position(|folder| folder.path == path).map(|at| seen.folders.remove(at));
            let bytes = match &known {
                Some(_) => fs::read(self.work().path(&file(&path)).ok()?).ok()?,
                None => rows::encode(&[])?,
            };
            let old = rows::decode(&bytes)?;
            if known
                .as_ref()
                .is_some_and(|known| known.sum != Folder::of(&path, FileKey::default(), &old).sum)
            {
                return None;
            }
            let by_name: HashMap<&str, usize> =
                old.iter().enumerate().map(|(at, row)| (row.name, at)).collect();
            let same = |name: &str, item: &fs::DirEntry| {
                by_name.get(name).map(|at| old[*at]).filter(|row| row.key.is_still(item))
            };
            let now = match scope {
                Scope::Files => list(self.root(), &path, |_, _| None),
                Scope::Replaced => list(self.root(), &path, same),
                Scope::Named(names) => Some(again(self.root(), &path, known?.key, &old, &names)),
            };
            let mut fresh =
                Fresh { view, clock, folder: &path, stones: &stones, written: &mut written, gone: &mut gone };
            let files = now.as_ref().map_or(&[][..], |now| &now.files);
            let rows = fresh.rows(&old, by_name, files)?;
            let borrowed: Vec<Row<'_>> = rows.iter().map(|row| row.as_row(&old)).collect();
            let mut left = vec![true; old.len()];
            for (row, made) in borrowed.iter().zip(&rows) {
                match made {
                    Made::Old(at) => left[*at] = false,
                    Made::New { .. } => seen.put_in(row),
                }
            }
            for (row, _) in old.iter().zip(left).filter(|(_, left)| *left) {
                seen.take_out(row);
            }
            if let Some(now) = &now {
                seen.folders.push(Folder::of(&path, now.key.settled(clock), &borrowed));
                made.push((path.clone(), rows::encode(&borrowed)?));
                let is_new = |below: &&String| {
                    !seen.folders.iter().any(|folder| folder.path == **below)
                        && !suspects.iter().any(|suspect| suspect.path == **below)
                };
                let new: Vec<Suspect> = now
                    .below
                    .iter()
                    .filter(is_new)
                    .cloned()
                    .map(|path| Suspect { path, scope: Scope::Files })
                    .collect();
                suspects.extend(new);
            }
        }
        seen.folders.sort_by(|a, b| a.path.cmp(&b.path));
        let mark = self.door().name(&marked(seen.count, seen.sum));
        Some(Changes { written, gone, mark, seen, rows: made })
    }
}
