//! What is remembered between runs: packets that are out, what was spent, when to ask again.

use std::collections::BTreeMap;

use jiff::Timestamp;
use lore_core::{Moment, PacketId, SessionId};
use lore_store::FileLock;
use serde::{Deserialize, Serialize};

use super::pack::Prepared;
use crate::{Engine, Error};

const FILE: &str = "curator/desk.json";
const LOCK: &str = "curator/desk.lock";
const RUN_LOCK: &str = "curator/run.lock";
/// A packet that was handed out is nobody else's for so long, in seconds.
pub const LEASE: i64 = 15 * 60;
/// After failures a model is left alone for so long, in seconds; the last one goes on.
const PAUSES: [i64; 4] = [10 * 60, 3_600, 6 * 3_600, 24 * 3_600];
/// After so many failures a session is left to rules.
const GIVE_UP: u32 = 3;
/// After so many packets in a row of which nothing could be taken, a model is unfit.
const UNFIT: u32 = 3;
/// So often a packet is halved; then it counts as answered.
const HALVINGS: u32 = 3;
/// So many runs can be taken back as a whole.
const RUNS: usize = 50;
/// So many change sets are known by their packets.
const SETS: usize = 500;

/// The state of editing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Desk {
    #[serde(default)]
    leases: BTreeMap<PacketId, Lease>,
    #[serde(default)]
    spent: Spent,
    #[serde(default)]
    pause: Option<Pause>,
    /// The model that is unfit.
    #[serde(default)]
    unfit: Option<String>,
    /// Packets in a row of which nothing could be taken.
    #[serde(default)]
    refused: u32,
    #[serde(default)]
    failed: BTreeMap<SessionId, u32>,
    #[serde(default)]
    halved: BTreeMap<SessionId, u32>,
    /// The day on which a session was told what waits.
    #[serde(default)]
    told: Option<String>,
    /// The last runs, each with the change sets it made.
    #[serde(default)]
    runs: Vec<EditRun>,
    /// How many runs there were.
    #[serde(default)]
    count: u64,
    /// The packet that each change set wrote, as far back as it can be taken back.
    #[serde(default)]
    written: Vec<(String, PacketId)>,
    /// Packets that were taken back, and by which run.
    #[serde(default)]
    undone: BTreeMap<PacketId, TakenBack>,
}

/// What became of a packet whose edits were taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TakenBack {
    /// The run that took it back.
    by: String,
    /// Whether its sessions wait for an editor again: somebody asked for it.
    #[serde(default)]
    waits: bool,
}

/// A run of an editor: as many change sets as packets that changed something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EditRun {
    pub(crate) id: String,
    pub(crate) by: String,
    pub(crate) sets: Vec<String>,
    /// The packets that were answered in it.
    #[serde(default)]
    pub(crate) packets: Vec<PacketId>,
}

/// A packet that somebody is at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lease {
    at: Timestamp,
    holder: Holder,
    sessions: Vec<SessionId>,
}

/// Who is at a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Holder {
    /// A run of ours; it ends with its process.
    Run,
    /// An agent that will come back, or not.
    Agent,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Spent {
    day: String,
    tokens: usize,
}

/// Why a model is left alone for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// Until then.
    pub until: Timestamp,
    /// What it said, or why it could not.
    pub why: String,
    /// How often in a row it failed.
    pub step: usize,
}

impl Desk {
    /// Lists the sessions that somebody is at.
    pub(super) fn leased(&self, now: Timestamp) -> Vec<SessionId> {
        let held = self.leases.values().filter(|lease| lease.holds(now));
        held.flat_map(|lease| lease.sessions.iter().cloned()).collect()
    }

    pub(super) fn lease(&mut self, prepared: &Prepared, holder: Holder, now: Timestamp) {
        self.leases.retain(|_, lease| lease.holds(now));
        let sessions = prepared.packet.sessions.iter().map(|part| part.session.clone()).collect();
        self.leases.insert(prepared.packet.id.clone(), Lease { at: now, holder, sessions });
    }

    pub(super) fn release(&mut self, packet: &PacketId) {
        self.leases.remove(packet);
    }

    /// Forgets what a run held that is gone; whoever calls this holds the lock of runs.
    pub(super) fn release_runs(&mut self) {
        self.leases.retain(|_, lease| lease.holder != Holder::Run);
    }

    pub(super) fn spent_on(&self, now: Timestamp) -> usize {
        if self.spent.day == day(now) { self.spent.tokens } else { 0 }
    }

    pub(super) fn spend(&mut self, tokens: usize, now: Timestamp) {
        self.spent = Spent { day: day(now), tokens: self.spent_on(now) + tokens };
    }

    /// Returns why nobody is asked for now.
    pub(super) fn paused(&self, now: Timestamp) -> Option<&Pause> {
        self.pause.as_ref().filter(|pause| now < pause.until)
    }

    /// A model failed: it is left alone, longer each time.
    pub(super) fn break_off(&mut self, why: &str, now: Timestamp) {
        let step = self.pause.as_ref().map_or(0, |pause| pause.step + 1).min(PAUSES.len() - 1);
        let until = Timestamp::from_second(now.as_second() + PAUSES[step]).unwrap_or(now);
        self.pause = Some(Pause { until, why: why.to_owned(), step });
    }

    /// A model answered.
    pub(super) fn answered(&mut self) {
        self.pause = None;
    }

    pub(super) fn unfit(&self) -> Option<&str> {
        self.unfit.as_deref()
    }

    pub(super) fn is_unfit(&self, model: &str) -> bool {
        self.unfit.as_deref() == Some(model)
    }

    /// Notes whether anything of a packet could be taken; says whether the model is unfit from now on.
    pub(super) fn note_fitness(&mut self, model: &str, all_refused: bool) -> bool {
        self.refused = if all_refused { self.refused + 1 } else { 0 };
        if self.refused >= UNFIT {
            self.unfit = Some(model.to_owned());
            self.refused = 0;
        }
        self.is_unfit(model)
    }

    /// Another model, or the same by a person's wish, is tried again.
    pub(super) fn try_again(&mut self) {
        (self.unfit, self.refused, self.pause) = (None, 0, None);
    }

    pub(super) fn note_failure(&mut self, sessions: impl Iterator<Item = SessionId>) {
        for session in sessions {
            *self.failed.entry(session).or_insert(0) += 1;
        }
    }

    pub(super) fn has_given_up(&self, session: &SessionId) -> bool {
        self.failed.get(session).is_some_and(|count| *count >= GIVE_UP)
    }

    /// Makes the next packet of a session half as large; nothing where it is small enough.
    pub(super) fn halve(&mut self, session: &SessionId) -> bool {
        let count = self.halved.entry(session.clone()).or_insert(0);
        *count += 1;
        *count <= HALVINGS
    }

    pub(super) fn halvings(&self, session: &SessionId) -> u32 {
        self.halved.get(session).copied().unwrap_or(0).min(HALVINGS)
    }

    pub(super) fn done(&mut self, sessions: impl Iterator<Item = SessionId>) {
        for session in sessions {
            self.failed.remove(&session);
            self.halved.remove(&session);
        }
    }

    /// Begins a run and names it.
    pub(super) fn begin_run(&mut self, by: &str) -> String {
        self.count += 1;
        let id = format!("edit-{}", self.count);
        self.runs.push(EditRun { id: id.clone(), by: by.to_owned(), sets: Vec::new(), packets: Vec::new() });
        let over = self.runs.len().saturating_sub(RUNS);
        self.runs.drain(..over);
        id
    }

    /// Notes what a run wrote, at once, so that it can be taken back even if the run dies.
    pub(super) fn note_set(&mut self, run: &str, set: &str) {
        if let Some(run) = self.runs.iter_mut().find(|known| known.id == run) {
            run.sets.push(set.to_owned());
        }
    }

    /// Notes a packet that was answered in a run.
    pub(super) fn note_answered(&mut self, run: &str, packet: &PacketId) {
        if let Some(run) = self.runs.iter_mut().find(|known| known.id == run) {
            run.packets.push(packet.clone());
        }
    }

    /// Notes which packet a change set wrote; a packet that is answered again counts again.
    pub(super) fn note_written(&mut self, set: Option<&String>, packet: &PacketId) {
        self.undone.remove(packet);
        let Some(set) = set else { return };
        self.written.push((set.clone(), packet.clone()));
        let over = self.written.len().saturating_sub(SETS);
        self.written.drain(..over);
    }

    /// Returns the packet that a change set wrote.
    pub(crate) fn packet_of(&self, set: &str) -> Option<&PacketId> {
        self.written.iter().find(|(known, _)| known == set).map(|(_, packet)| packet)
    }

    /// Notes that packets were taken back by a run, and that what these change sets had taken back holds again.
    pub(crate) fn take_back(&mut self, packets: &[PacketId], by: &str, sets: &[String]) {
        self.undone.retain(|_, taken| !sets.contains(&taken.by));
        for packet in packets {
            self.undone.insert(packet.clone(), TakenBack { by: by.to_owned(), waits: false });
        }
    }

    /// Has the sessions of all packets that were taken back wait for an editor again.
    pub(crate) fn wait_again(&mut self) {
        self.undone.values_mut().for_each(|taken| taken.waits = true);
    }

    /// Tells whether the answer to a packet counts: nobody took it back and asked for another.
    pub(super) fn counts(&self, packet: &str) -> bool {
        !self.undone.iter().any(|(undone, taken)| taken.waits && undone.as_str() == packet)
    }

    /// Forgets a run that wrote nothing.
    pub(super) fn end_run(&mut self, run: &str) {
        self.runs.retain(|known| known.id != run || !known.sets.is_empty());
    }

    pub(crate) fn run(&self, id: &str) -> Option<&EditRun> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// Tells whether a session may be told what waits: once a day.
    pub(super) fn may_tell(&self, now: Timestamp) -> bool {
        self.told.as_deref() != Some(day(now).as_str())
    }

    pub(super) fn told(&mut self, now: Timestamp) {
        self.told = Some(day(now));
    }
}

impl Lease {
    fn holds(&self, now: Timestamp) -> bool {
        (0..LEASE).contains(&(now.as_second() - self.at.as_second()))
    }
}

fn day(now: Timestamp) -> String {
    Moment::Instant(now).date().to_string()
}

impl Engine {
    /// Reads the state of editing; a damaged file is none.
    pub(crate) fn desk(&self) -> Desk {
        let path = self.store.shared().path(FILE).ok();
        let bytes = path.and_then(|path| std::fs::read(path).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Changes the state of editing, one process at a time.
    pub(crate) fn at_desk<T>(&self, change: impl FnOnce(&mut Desk) -> T) -> Result<T, Error> {
        let _lock = self.store.shared().lock(LOCK)?;
        let mut desk = self.desk();
        let before = desk.clone();
        let value = change(&mut desk);
        if desk != before {
            self.store.shared().keep_json_clean(FILE, &desk)?;
        }
        Ok(value)
    }

    /// Takes the right to run, or nothing where another run is at it.
    pub(super) fn take_run_lock(&self) -> Result<Option<FileLock>, Error> {
        Ok(self.store.shared().try_lock(RUN_LOCK)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    #[test]
    fn a_model_that_fails_is_left_alone_for_longer_each_time() {
        let mut desk = Desk::default();
        let mut waits = Vec::new();
        for _ in 0..6 {
            desk.break_off("no answer", at(0));
            waits.push(desk.paused(at(0)).map(|pause| pause.until.as_second() - at(0).as_second()).unwrap());
        }
        assert_eq!(waits, [600, 3_600, 21_600, 86_400, 86_400, 86_400]);
        assert!(desk.paused(at(86_400)).is_none());
        desk.answered();
        desk.break_off("no answer", at(0));
        assert_eq!(desk.paused(at(599)).map(|pause| pause.step), Some(0));
    }

    #[test]
    fn only_three_packets_in_a_row_make_a_model_unfit() {
        let mut desk = Desk::default();
        for (refused, expected) in
            [(true, false), (true, false), (false, false), (true, false), (true, false), (true, true)]
        {
            assert_eq!(desk.note_fitness("small", refused), expected);
        }
        assert!(desk.is_unfit("small") && !desk.is_unfit("large"));
    }

    #[test]
    fn what_was_spent_counts_for_its_day() {
        let mut desk = Desk::default();
        desk.spend(10, at(0));
        desk.spend(5, at(0));
        assert_eq!((desk.spent_on(at(0)), desk.spent_on(at(86_400))), (15, 0));
    }
}
