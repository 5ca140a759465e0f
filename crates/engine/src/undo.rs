//! Taking back a run, and seeing which there are.

use lore_core::PacketId;
use lore_core::text::counted;
use lore_store::{ChangeSet, Former, WhyNot};
use serde::Serialize;

use crate::curator::EditRun;
use crate::{Engine, Error};

/// What is taken back, and what is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    /// The run that is taken back.
    pub run: String,
    /// When it happened.
    pub at: jiff::Timestamp,
    /// Who did it.
    pub by: String,
    /// What it did, in words.
    pub said: String,
    /// The run that takes it back, by which this can be undone in turn.
    pub undone_by: Option<String>,
    /// Files that hold again what they held before.
    pub restored: Vec<String>,
    /// Files that are gone, because the run made them.
    pub removed: Vec<String>,
    /// Files that were left as they are.
    pub left: Vec<LeftAlone>,
    /// Entries that may be made again.
    pub lifted: Vec<String>,
    /// Entries whose removal counts again.
    pub buried: Vec<String>,
    /// Whether the run had read sessions; they count as read and are not read again by themselves.
    pub read_sessions: bool,
    /// Whether an editor wrote what is taken back; its sessions wait for one again when it is asked for.
    pub edited: bool,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// A file that was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftAlone {
    /// The file, relative to the base.
    pub path: String,
    /// Why.
    pub why: String,
    /// What a person can do.
    pub hint: String,
}

impl Engine {
    /// Takes back one run, by default the last one that changed knowledge.
    pub fn undo(&self, run: Option<&str>, dry_run: bool) -> Result<UndoReport, Error> {
        if !dry_run {
            self.only_a_person("take back a run", "ask the user to run `lore undo` themselves")?;
        }
        if let Some(edited) = run.and_then(|run| self.desk().run(run.trim()).cloned()) {
            return self.undo_edits(&edited, dry_run);
        }
        self.undo_one(run, dry_run)
    }

    /// Takes back what an editor wrote in one run, the last packet first, all of it at once.
    fn undo_edits(&self, run: &EditRun, dry_run: bool) -> Result<UndoReport, Error> {
        let EditRun { id, by, sets, packets: answered } = run;
        let found: Vec<ChangeSet> =
            sets.iter().rev().map_while(|set| self.run_named(Some(set)).ok()).collect();
        let Some((last, earlier)) = found.split_first() else {
            let why = if sets.is_empty() { "wrote nothing" } else { "is too long ago" };
            let hint = "`lore log` shows the runs that can be taken back";
            return Err(Error::request(format!("run {id} {why}"), hint));
        };
        let packets = counted(sets.len(), "packet", "packets");
        let said = match found.len() {
            all if all == sets.len() => format!("{packets} edited by {by}"),
            some => format!("the last {some} of {packets} edited by {by}; the others are too long ago"),
        };
        let whole = self.take_back(id, last, earlier, answered, dry_run)?;
        Ok(UndoReport { run: id.clone(), by: format!("model {by}"), said, ..whole })
    }

    fn undo_one(&self, run: Option<&str>, dry_run: bool) -> Result<UndoReport, Error> {
        let set = self.run_named(run)?;
        self.take_back(&set.id, &set, &[], &[], dry_run)
    }

    /// Takes back a run and with it some before it, in one transaction.
    fn take_back(
        &self,
        name: &str,
        last: &ChangeSet,
        earlier: &[ChangeSet],
        answered: &[PacketId],
        dry_run: bool,
    ) -> Result<UndoReport, Error> {
        let mut transaction = self.begin("undo")?;
        let sets = || std::iter::once(last).chain(earlier);
        let mut report = UndoReport {
            run: last.id.clone(),
            at: last.at,
            by: last.by.clone(),
            said: last.said.clone().unwrap_or_else(|| last.command.clone()),
            undone_by: None,
            restored: Vec::new(),
            removed: Vec::new(),
            left: Vec::new(),
            lifted: Vec::new(),
            buried: Vec::new(),
            read_sessions: sets().any(|set| set.read_sessions),
            edited: false,
            dry_run,
        };
        let desk = self.desk();
        let mut packets: Vec<PacketId> = sets().filter_map(|set| desk.packet_of(&set.id)).cloned().collect();
        packets.extend(answered.iter().cloned());
        report.edited = !packets.is_empty();
        let mut is_empty = true;
        for set in sets() {
            let taken = transaction.take_back(set);
            is_empty &= taken.is_empty();
            report.left.extend(taken.left.iter().map(|one| left_alone(set, &one.path, one.why)));
            report.restored.extend(taken.restored);
            report.removed.extend(taken.removed);
            report.lifted.extend(taken.lifted.iter().map(ToString::to_string));
            report.buried.extend(taken.buried.iter().map(ToString::to_string));
        }
        // A file that several runs touched is named once, as it is in the end.
        for names in [&mut report.restored, &mut report.removed, &mut report.lifted, &mut report.buried] {
            names.sort();
            names.dedup();
        }
        let UndoReport { restored, removed, .. } = &mut report;
        restored.retain(|path| !removed.contains(path));
        if !dry_run && !is_empty {
            report.undone_by = self.commit(transaction, &format!("undo of {name}"))?.run;
            let taken: Vec<String> = sets().map(|set| set.id.clone()).collect();
            let by = report.undone_by.clone().unwrap_or_default();
            self.at_desk(|desk| desk.take_back(&packets, &by, &taken))?;
            // What they would have written is not wanted either.
            self.drop_questions(&packets)?;
        }
        Ok(report)
    }

    /// Returns what a file held before a run, for whoever wants to take it back by hand.
    pub fn before_run(&self, run: Option<&str>, path: &str) -> Result<String, Error> {
        let set = self.run_named(run)?;
        let path = path.strip_prefix("knowledge/").unwrap_or(path);
        let file = set.files.iter().find(|file| file.path == path);
        let Some(file) = file else {
            let names: Vec<String> = set.files.iter().map(|file| format!("`{}`", file.path)).collect();
            let hint = format!("it changed {}", names.join(", "));
            return Err(Error::request(format!("run {} did not change `{path}`", set.id), hint));
        };
        file.text().map(str::to_owned).ok_or_else(|| {
            let why = if file.forgotten { "was forgotten" } else { "did not exist" };
            Error::request(format!("`{path}` {why} before run {}", set.id), "`lore log` shows the runs")
        })
    }

    /// Finds a run by its number, its id or the letters of it.
    fn run_named(&self, run: Option<&str>) -> Result<ChangeSet, Error> {
        // What a process left unfinished is finished first, so that its run is there.
        self.store.snapshot()?;
        let mut sets = self.store.change_sets();
        let Some(run) = run else {
            // What a merge brought together came along with a person's deed and is not what they mean.
            let is_meant = |set: &ChangeSet| set.changed_knowledge() && set.command != MERGING;
            return sets.into_iter().rev().find(is_meant).ok_or_else(|| {
                Error::request("there is no run that could be taken back", "`lore log` shows what happened")
            });
        };
        let wanted = run.trim().trim_start_matches('#');
        let fits = |set: &ChangeSet| {
            let (number, letters) = set.id.split_once('-').unwrap_or((&set.id, ""));
            set.id == wanted || number == wanted || letters == wanted
        };
        match sets.iter().rposition(fits) {
            Some(at) => Ok(sets.swap_remove(at)),
            None => Err(Error::request(
                format!("there is no run `{run}`, or it is too long ago"),
                "`lore log` shows the runs that can be taken back",
            )),
        }
    }
}

/// The command under which entries that a merge brought together are compared.
const MERGING: &str = "merge";

fn left_alone(set: &ChangeSet, path: &str, why: WhyNot) -> LeftAlone {
    let before = set.files.iter().find(|file| file.path == path).and_then(Former::text);
    // What the run made had nothing before it that could be compared.
    let by_hand = match before {
        Some(_) => format!("compare with `lore undo {} --show {path}` and edit it", set.id),
        None => "the run made it: edit or remove it by hand".to_owned(),
    };
    let (why, hint) = match why {
        WhyNot::Changed => ("was changed since", by_hand),
        WhyNot::Gone if before.is_none() => {
            ("is gone since", "there is nothing left to take back".to_owned())
        }
        WhyNot::Gone => {
            ("is gone since", format!("`lore undo {} --show {path}` prints what it held", set.id))
        }
        WhyNot::Again => ("is there again", by_hand),
        WhyNot::Elsewhere => ("lies elsewhere now", by_hand),
        WhyNot::Replaced => (
            "stays replaced, because what replaced it was changed since",
            "`lore review both ID` lets both hold".to_owned(),
        ),
        WhyNot::Forgotten => ("was forgotten and cannot come back", "nothing is left of it".to_owned()),
        WhyNot::Unfit => {
            ("holds what must not be written, or a link leads out of the base", "write it anew".to_owned())
        }
    };
    LeftAlone { path: path.to_owned(), why: why.to_owned(), hint }
}
