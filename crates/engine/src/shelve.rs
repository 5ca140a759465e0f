//! Passages of past sessions on the shelf below the entries: derived, redacted, never tracked.
//!
//! Each source (a transcript, a database) is read again only when its size or time has changed. A
//! transcript that is gone keeps its passages, because agents clear away what is a month old.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use lore_capture::{Found, Keep};
use lore_surface::{Level, Passage, passages};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::sessions::{Archive, OnProgress, SessionFilter};
use crate::{Engine, Error};

/// Says what was read for the shelf, and when.
const SHELVED: &str = "cache/shelved.json";
/// So many sources are read before their passages are put away.
const BATCH: usize = 64;

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Shelved {
    /// Sources that there are.
    pub sources: usize,
    /// Sources that were new or had changed.
    pub read: usize,
    /// Passages that were put on the shelf.
    pub passages: usize,
    /// What could not be read, and why.
    pub problems: Vec<String>,
}

/// What the shelf holds, by source: how big it was and when it was written.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Inventory {
    cursor: u64,
    /// The mark of the patterns that left sessions and topics out.
    #[serde(default)]
    excluded: String,
    sources: BTreeMap<String, (u64, i64)>,
}

impl Engine {
    /// Puts what was said in new or changed sessions on the shelf.
    pub fn shelve(&self, filter: &SessionFilter, progress: OnProgress<'_>) -> Result<Shelved, Error> {
        let archive = self.archive()?;
        let seals = self.store.seals();
        let mut sources = archive.sources(filter)?;
        sources.retain(|found| !seals.forbid_session(&found.path.to_string_lossy()));
        let mut done = Shelved { sources: sources.len(), ..Shelved::default() };
        let mut inventory = self.inventory();
        let mut index = self.open_index()?;
        let is_new = index.to_fill(Level::Passages).is_some();
        if is_new || index.cursor(Level::Passages) != Some(inventory.cursor.to_string()) {
            inventory.sources.clear();
        }
        // What is left out now may be on the shelf, and the other way round.
        let ignored = self.settings.sessions.ignore_agents.join(",");
        let excluded = format!("{}{ignored}", archive.exclusion().mark_of_all());
        let is_other = excluded != inventory.excluded;
        let changed: Vec<&Found> = sources.iter().filter(|found| is_other || !inventory.has(found)).collect();
        if changed.is_empty() && !is_other {
            return Ok(done);
        }
        let keep_all = filter.takes_everything();
        let (total, count) = (changed.len() as u64, AtomicU64::new(0));
        let options = archive.options(Keep::Conversation);
        let read = |found: &&Found| {
            let mut made: Vec<Vec<Passage>> = Vec::new();
            let outcome = lore_capture::read_path(&found.path, &options, &mut |session| {
                let forgotten = seals.forbid_session(session.id.as_str());
                let is_left_out = archive.exclusion().leaves_out(&session);
                if !forgotten && !is_left_out && (keep_all || found.own || archive.belongs(&session)) {
                    let mut passages = passages(&session, None);
                    passages.retain(|passage| {
                        !seals.forbid(&passage.text) && !archive.exclusion().is_off_limits(&passage.text)
                    });
                    for passage in &mut passages {
                        if let Some(text) = seals.without_people(&passage.text) {
                            passage.text = text;
                        }
                    }
                    made.push(passages);
                }
            });
            progress(count.fetch_add(1, Ordering::Relaxed) + 1, total);
            (made, outcome.err().map(|error| error.to_string()))
        };
        let mut writer = index.writer()?;
        if inventory.sources.is_empty() {
            writer.clear(Level::Passages)?;
        }
        if is_other {
            let ignored = self.ignored_sources()?;
            let leaves_out = |source: &String| {
                ignored.contains(source) || archive.exclusion().leaves_out_file(Path::new(source))
            };
            for source in inventory.sources.keys().filter(|source| leaves_out(source)) {
                writer.remove_passages(source)?;
            }
            inventory.sources.retain(|source, _| !leaves_out(source));
            // Of transcripts that are gone the passages are all there is.
            let keep = |passage: &Passage| {
                (!archive.exclusion().is_off_limits(&passage.text)).then(|| passage.clone())
            };
            writer.strike_passages(&keep)?;
            // Whatever is not read now is read when it comes to it.
            inventory.sources.values_mut().for_each(|stamp| *stamp = (0, 0));
            inventory.excluded = excluded;
        }
        for batch in changed.chunks(BATCH) {
            let parts: Vec<_> = batch.par_iter().map(read).collect();
            for (found, (made, problem)) in batch.iter().zip(parts) {
                let source = name(&found.path);
                writer.remove_passages(&source)?;
                for passages in &made {
                    done.passages += passages.len();
                    writer.add_passages(&source, passages)?;
                }
                done.problems.extend(problem);
                inventory.note(found);
            }
        }
        done.read = changed.len();
        inventory.cursor += 1;
        // The inventory goes first: if only one of the two is written, all is read again.
        self.keep(&inventory)?;
        writer.commit(Level::Passages, &inventory.cursor.to_string())?;
        writer.finish()?;
        Ok(done)
    }

    /// Lists what lies in the usual places and belongs to agents that are not to be read.
    fn ignored_sources(&self) -> Result<BTreeSet<String>, Error> {
        let mut settings = self.settings.clone();
        let ignored = std::mem::take(&mut settings.sessions.ignore_agents);
        let archive = Archive::with(self.world.clone(), self.archive()?.folders().to_vec(), settings)?;
        let sources = archive.sources(&SessionFilter::default())?;
        let is_ignored = |found: &&Found| ignored.iter().any(|agent| agent == found.agent);
        Ok(sources.iter().filter(is_ignored).map(|found| name(&found.path)).collect())
    }

    fn inventory(&self) -> Inventory {
        let path = self.store.shared().path(SHELVED).ok();
        let bytes = path.and_then(|path| std::fs::read(path).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn keep(&self, inventory: &Inventory) -> Result<(), Error> {
        Ok(self.store.shared().write_json(SHELVED, inventory)?)
    }
}

impl Inventory {
    fn has(&self, found: &Found) -> bool {
        self.sources.get(&name(&found.path)) == Some(&stamp(found))
    }

    fn note(&mut self, found: &Found) {
        self.sources.insert(name(&found.path), stamp(found));
    }
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn stamp(found: &Found) -> (u64, i64) {
    (found.bytes, found.modified.map_or(0, |at| at.as_millisecond()))
}
