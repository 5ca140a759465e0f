//! What was learned, changed, disputed, confirmed, removed and undone, by run.
//!
//! This checkout's own change sets tell it in full. What they do not reach (older times, what came in
//! from others) is told by git's history of the base, and without git by what runs wrote into the base.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use lore_core::text::counted;
use lore_core::{EntryId, Kind, Moment};
use lore_store::{ChangeSet, Chapter, Fate, Summary};
use serde::Serialize;

use crate::{Engine, Error};

/// Which runs are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogOptions {
    /// Only what happened at or after this moment.
    pub since: Option<Moment>,
    /// At most so many runs; all where nothing.
    pub limit: Option<usize>,
}

/// What happened, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Chronicle {
    /// The runs.
    pub runs: Vec<RunTold>,
    /// How many more there are.
    pub more: usize,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunTold {
    /// Its id where it can be taken back; else a commit, or nothing.
    pub id: Option<String>,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: String,
    /// The command, `git` for what came in by git.
    pub command: String,
    /// What it did, in words.
    pub said: Option<String>,
    /// The run it took back.
    pub undoes: Option<String>,
    /// The run that took it back.
    pub undone_by: Option<String>,
    /// What became of entries.
    pub entries: Vec<EntryTold>,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryTold {
    /// learned, changed, disputed, settled, superseded, outdated, confirmed, removed, moved, restored.
    pub what: &'static str,
    /// The entry, where it is known.
    pub id: Option<EntryId>,
    /// Its kind, where it is known.
    pub kind: Option<Kind>,
    /// What it was called then; its file where nothing else is known.
    pub title: String,
}

impl Engine {
    /// Tells what happened to the base, run by run, newest first.
    pub fn log_of_runs(&self, options: &LogOptions) -> Result<Chronicle, Error> {
        let snapshot = self.store.snapshot()?;
        let sets = self.store.change_sets();
        let oldest = sets.first().map(|set| set.at);
        // Of two runs in the same second the later one comes first.
        let mut runs: Vec<RunTold> = sets.iter().rev().map(|set| told(set, &sets)).collect();
        match self.store.git() {
            Some(git) => {
                let mut commits = git.chronicle(self.root()).unwrap_or_default();
                // What this checkout did itself its own sets tell, in full.
                if let Err(error) = git.without_runs(&mut commits, &sets) {
                    tracing::warn!(%error, "git cannot tell which commits hold which runs");
                }
                commits
                    .retain(|commit| options.since.is_none_or(|since| Moment::Instant(commit.at) >= since));
                let told = commits.len().min(options.limit.unwrap_or(commits.len()));
                if let Err(error) = git.entitle(&mut commits[..told]) {
                    tracing::warn!(%error, "git cannot tell what entries were called");
                }
                let there = snapshot.summaries().map(|summary| (summary.path.as_str(), summary)).collect();
                runs.extend(commits.iter().filter_map(|commit| committed(commit, &there)));
            }
            None => runs.extend(self.written_down(oldest)),
        }
        runs.retain(|run| options.since.is_none_or(|since| Moment::Instant(run.at) >= since));
        runs.sort_by_key(|run| std::cmp::Reverse(run.at));
        let all = runs.len();
        runs.truncate(options.limit.unwrap_or(all));
        // Git and other clones go on saying what was forgotten here.
        runs.iter_mut().for_each(|run| self.hold_back(run));
        Ok(Chronicle { more: all - runs.len(), runs })
    }

    /// Takes out of a run what is held back wherever entries are shown.
    fn hold_back(&self, run: &mut RunTold) {
        let door = self.store.door();
        let texts = [&mut run.by].into_iter().chain(run.said.as_mut());
        for text in texts.chain(run.entries.iter_mut().map(|told| &mut told.title)) {
            if let Some(shown) = door.shown_words(text) {
                *text = shown;
            }
        }
        for told in &mut run.entries {
            // An id is made of the words of a title.
            if told.id.as_ref().is_some_and(|id| door.shown_words(id.as_str()).is_some()) {
                told.id = None;
            }
        }
    }

    /// Reads what runs and removals wrote into the base before the oldest change set.
    fn written_down(&self, oldest: Option<Timestamp>) -> Vec<RunTold> {
        let is_beyond = |at: Timestamp| oldest.is_none_or(|oldest| at < oldest);
        let told = |at, by: &str, command: &str, said: &str, entries| RunTold {
            id: None,
            at,
            by: by.to_owned(),
            command: command.to_owned(),
            said: Some(said.to_owned()),
            undoes: None,
            undone_by: None,
            entries,
        };
        let mut runs: Vec<RunTold> = self
            .store
            .runs()
            .into_iter()
            .filter(|(at, _)| is_beyond(*at))
            .map(|(at, said)| told(at, "lorekeep", "curate", &said, Vec::new()))
            .collect();
        for stone in self.store.tombstones().iter() {
            let at = Moment::Day(stone.on).instant();
            if is_beyond(at) {
                let entry = EntryTold {
                    what: Fate::Removed.word(),
                    id: Some(stone.id.clone()),
                    kind: stone.id.kind(),
                    title: stone.title.clone(),
                };
                runs.push(told(at, &stone.by, "rm", &stone.why, vec![entry]));
            }
        }
        runs
    }
}

/// Tells what a commit did to entries; nothing where it did nothing to them.
fn committed(commit: &Chapter, present: &HashMap<&str, &Summary>) -> Option<RunTold> {
    let entries = commit.files.iter().map(|file| {
        let what = match file.sign {
            'A' => Fate::Learned,
            'D' => Fate::Removed,
            _ => Fate::Changed,
        };
        let there = present.get(file.path.as_str());
        EntryTold {
            what: what.word(),
            id: there.map(|summary| summary.id.clone()),
            kind: there.map(|summary| summary.kind),
            title: file
                .title
                .clone()
                .unwrap_or_else(|| there.map_or_else(|| file.path.clone(), |summary| summary.title.clone())),
        }
    });
    let entries: Vec<EntryTold> = entries.collect();
    (!entries.is_empty()).then(|| RunTold {
        id: Some(commit.id.chars().take(10).collect()),
        at: commit.at,
        by: commit.author.clone(),
        command: "git".to_owned(),
        said: Some(commit.subject.clone()),
        undoes: None,
        undone_by: None,
        entries,
    })
}

fn told(set: &ChangeSet, all: &[ChangeSet]) -> RunTold {
    let word = |fate: Fate| match (set.undoes.is_some(), fate) {
        (true, Fate::Learned) => "restored",
        (_, fate) => fate.word(),
    };
    let undone = all.iter().rev().find(|other| other.takes_back(&set.id));
    let entries = set.happened.iter().map(|one| EntryTold {
        what: word(one.what),
        id: Some(one.id.clone()),
        kind: Some(one.kind),
        title: one.title.clone(),
    });
    let distinct: BTreeSet<&EntryId> = set.happened.iter().map(|one| &one.id).collect();
    let said = match (&set.said, distinct.len()) {
        (Some(said), _) => Some(said.clone()),
        (None, 0) => None,
        (None, count) => Some(format!("{} {}", set.command, counted(count, "entry", "entries"))),
    };
    RunTold {
        id: Some(set.id.clone()),
        at: set.at,
        by: set.by.clone(),
        command: set.command.clone(),
        said,
        undoes: set.undoes.clone(),
        undone_by: undone.map(|set| set.id.clone()),
        entries: entries.collect(),
    }
}
