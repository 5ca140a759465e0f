//! How the base is doing, in numbers and in what to look at next.

use std::collections::BTreeMap;

use lore_core::{Diagnostic, EntryId, Level, LifecycleState, Moment, Status};
use lore_store::{Snapshot, Summary, door};
use serde::Serialize;

use crate::config::Ignored;
use crate::curator::Editing;
use crate::entries::Item;
use crate::hook::{Trouble, WorkerFailure};
use crate::news::{News, Reader, Recent};
use crate::{Engine, Error};

/// What `lore status` tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatusReport {
    /// The folder of the base.
    pub base: String,
    /// How many entries there are, without the archive.
    pub entries: usize,
    /// How many lie in the archive.
    pub archived: usize,
    /// How many of each kind.
    pub kinds: BTreeMap<String, usize>,
    /// How many of each status.
    pub statuses: BTreeMap<String, usize>,
    /// How many of each confidence; `none` where nothing is said.
    pub confidences: BTreeMap<String, usize>,
    /// Entries whose sources contradict each other.
    pub disputed: Vec<Item>,
    /// Entries to be looked at again.
    pub stale: Vec<Item>,
    /// Links that lead nowhere.
    pub broken_links: Vec<BrokenLink>,
    /// How many no person has confirmed.
    pub unverified: usize,
    /// How many a person wrote or edited.
    pub by_people: usize,
    /// Signals that nobody has dealt with.
    pub open_signals: usize,
    /// How many files have something wrong with them.
    pub problems: usize,
    /// How many entries hold what looks like a secret.
    pub secrets: usize,
    /// How many sessions were curated.
    pub curated_sessions: usize,
    /// What waits for an editor, and how editing goes.
    pub editing: Editing,
    /// How many deleted entries stay deleted.
    pub tombstones: usize,
    /// When an entry last changed.
    pub last_change: Option<Moment>,
    /// Sessions that could not be curated and are not tried again by themselves.
    pub set_aside: Vec<Trouble>,
    /// Why the last worker ended early, if it did.
    pub worker_failure: Option<WorkerFailure>,
    /// What this repository's settings wanted and did not get.
    pub ignored_settings: Vec<Ignored>,
    /// What is new since the user last looked.
    pub news: News,
}

/// A link that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BrokenLink {
    /// The entry that has it.
    pub from: EntryId,
    /// Its file.
    pub path: String,
    /// The kind of link.
    pub key: String,
    /// Where it was to lead.
    pub target: String,
}

impl Engine {
    /// Counts and lists what a person should know about the base.
    pub fn status(&self) -> Result<StatusReport, Error> {
        let snapshot = self.store.snapshot()?;
        let today = Moment::Instant(self.world.now);
        let live: Vec<&Summary> = snapshot.summaries().filter(|summary| !summary.archived).collect();
        let count = |test: &dyn Fn(&Summary) -> bool| live.iter().filter(|summary| test(summary)).count();
        let pick = |test: &dyn Fn(&Summary) -> bool| {
            live.iter().filter(|summary| test(summary)).map(|summary| Item::of(summary)).collect::<Vec<_>>()
        };
        let is_open = |summary: &Summary| {
            matches!(summary.lifecycle, Some(LifecycleState::Detected | LifecycleState::Triaged))
        };
        Ok(StatusReport {
            base: self.scope.root.display().to_string(),
            entries: live.len(),
            archived: snapshot.len() - live.len(),
            kinds: tally(live.iter().map(|summary| summary.kind.word())),
            statuses: tally(live.iter().map(|summary| summary.status.word())),
            confidences: tally(live.iter().map(|summary| summary.confidence.map_or("none", |c| c.word()))),
            disputed: pick(&|summary| summary.status == Status::Disputed),
            stale: pick(&|summary| summary.stale_after.is_some_and(|day| day.date() <= today.date())),
            broken_links: broken_links(&snapshot),
            unverified: count(&Summary::is_unconfirmed),
            by_people: count(&|summary| summary.curated_by != lore_core::Curator::Auto),
            open_signals: count(&is_open),
            problems: files_with(&snapshot.diagnostics(), is_problem)
                + files_with(&self.store.oddities(), is_problem),
            secrets: files_with(&snapshot.diagnostics(), |diagnostic| diagnostic.code == door::SECRET),
            curated_sessions: self.store.ledger().iter().count(),
            editing: self.editing(),
            tombstones: self.store.tombstones().iter().count(),
            set_aside: self.set_aside(),
            worker_failure: self.worker_failure(),
            last_change: live.iter().filter_map(|summary| summary.updated).max(),
            ignored_settings: self.config.ignored.clone(),
            news: self.news_of(&Recent::of(&snapshot), Reader::Person),
        })
    }
}

/// Lists the links that lead to no entry, by file.
pub(crate) fn broken_links(snapshot: &Snapshot) -> Vec<BrokenLink> {
    let mut broken = Vec::new();
    for summary in snapshot.summaries() {
        for link in summary.links.iter().filter(|link| snapshot.find(&link.target).is_none()) {
            broken.push(BrokenLink {
                from: summary.id.clone(),
                path: summary.path.clone(),
                key: link.kind.key().to_owned(),
                target: link.target.clone(),
            });
        }
    }
    broken
}

fn is_problem(diagnostic: &Diagnostic) -> bool {
    diagnostic.level > Level::Note
}

fn files_with(all: &[Diagnostic], test: impl Fn(&Diagnostic) -> bool) -> usize {
    let mut files: Vec<&str> = all
        .iter()
        .filter(|diagnostic| test(diagnostic))
        .map(|diagnostic| diagnostic.place.file.as_str())
        .collect();
    files.dedup();
    files.len()
}

fn tally<'a>(words: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word.to_owned()).or_insert(0) += 1;
    }
    counts
}
