//! What the week came to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use lore_core::text::tokens;
use serde::Deserialize;

use super::Recorded;
use crate::callers::{Call, Caller};
use crate::context::Failure;
use crate::report::Report;
use crate::suites::context::readings;
use crate::suites::hooks::told;
use crate::suites::program::{Lore, Ran};

/// What hooks said and took.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) agents_killed: usize,
    pub(super) hooks_killed: usize,
    events: usize,
    wrong: usize,
    /// Tokens that were said, by day.
    days: BTreeMap<usize, usize>,
    /// And by what they were said with.
    said: BTreeMap<String, (usize, usize)>,
    /// Prompts of the sessions, and those of every day: how many, how many silent.
    prompts: [(usize, usize); 2],
    lives: BTreeMap<String, Vec<f64>>,
}

impl Tally {
    /// Takes in what one hook did.
    pub(super) fn add(&mut self, caller: &Caller, call: &Call, day: usize, everyday: bool, ran: &Ran) {
        self.events += 1;
        let text = told(caller, call, ran).filter(|_| ran.status.code() == Some(0));
        if text.is_none() {
            self.wrong += 1;
            eprintln!("wrong: {} {}: {} {:?} {:?}", caller.agent, call.what, ran.status, ran.out, ran.err);
        }
        let text = text.unwrap_or_default();
        let cost = tokens(&text);
        *self.days.entry(day).or_default() += cost;
        let said = self.said.entry(call.what.clone()).or_default();
        *said = (said.0 + usize::from(!text.is_empty()), said.1 + cost);
        if call.what == "prompt" {
            let (all, silent) = &mut self.prompts[usize::from(everyday)];
            *all += 1;
            *silent += usize::from(text.is_empty());
        }
        self.lives.entry(call.what.clone()).or_default().push(ran.life);
    }

    #[allow(clippy::cast_precision_loss, reason = "prompts are few")]
    pub(super) fn write(&self, report: &mut Report) {
        report.set("killed.agents", self.agents_killed);
        report.set("killed.hooks", self.hooks_killed);
        report.set("events", self.events);
        report.set("wrong_replies", self.wrong);
        let all: usize = self.days.values().sum();
        report.set_number("tokens_per_day", all as f64 / self.days.len().max(1) as f64);
        report.set("tokens_on_the_worst_day", self.days.values().copied().max().unwrap_or_default());
        for (what, (times, cost)) in self.said.iter().filter(|(_, (times, _))| *times > 0) {
            report.set(&format!("told.{what}.times"), *times);
            report.set(&format!("told.{what}.tokens"), *cost);
        }
        for (name, (all, silent)) in ["prompts", "everyday"].iter().zip(self.prompts) {
            report.set(&format!("{name}.n"), all);
            report.set_number(&format!("{name}.silent"), silent as f64 / all.max(1) as f64);
        }
        for (what, lives) in &self.lives {
            let mut lives = lives.clone();
            lives.sort_by(f64::total_cmp);
            report.set_number(&format!("{what}_p50_ms"), lives[lives.len() / 2]);
            report.set_number(&format!("{what}_p95_ms"), lives[lives.len() * 95 / 100]);
        }
    }
}

/// Holds the ledgers of all bases against what was replayed.
pub(super) fn curated(recorded: &[Recorded], report: &mut Report) -> Result<(), Failure> {
    let mut read: BTreeMap<&Path, BTreeMap<String, usize>> = BTreeMap::new();
    let mut agents: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut once, mut twice, mut never) = (0, 0, Vec::new());
    for one in recorded {
        let ledger = match read.get(one.project.as_path()) {
            Some(ledger) => ledger,
            None => read.entry(&one.project).or_insert(readings(&one.project)?),
        };
        let times = ledger.get(one.session.id.as_str()).copied().unwrap_or_default();
        let own = agents.entry(&one.session.agent).or_default();
        *own = (own.0 + 1, own.1 + usize::from(times == 1));
        match times {
            0 => never.push(format!("{} {}", one.session.agent, one.source.display())),
            1 => once += 1,
            _ => twice += 1,
        }
    }
    report.set("sessions", recorded.len());
    report.set("curated_once", once);
    report.set("curated_twice", twice);
    report.set("never_curated", never.len());
    for (agent, (sessions, once)) in agents {
        report.set(&format!("{agent}.sessions"), sessions);
        report.set(&format!("{agent}.curated_once"), once);
    }
    never.iter().for_each(|session| eprintln!("never curated: {session}"));
    let (mut waiting, mut under_way, mut aside) = (0, 0, 0);
    for project in read.keys() {
        let state = lore_store::Scope::at(project).shared;
        let is_record = |file: &std::fs::DirEntry| file.path().extension().is_some_and(|end| end == "json");
        let count = |folder: &str| {
            std::fs::read_dir(state.join(folder)).into_iter().flatten().flatten().filter(is_record).count()
        };
        waiting += count("inbox");
        // The session that looked in on Monday is under way.
        under_way += count("running").saturating_sub(1);
        aside += count("trouble");
    }
    report.set("waiting_after", waiting);
    report.set("under_way_after", under_way);
    report.set("set_aside", aside);
    Ok(())
}

#[derive(Debug, Deserialize, Default)]
struct Notebook {
    #[serde(default)]
    notes: Vec<Note>,
}

#[derive(Debug, Deserialize)]
struct Note {
    id: String,
    times: u32,
    occasions: Vec<Occasion>,
}

#[derive(Debug, Deserialize)]
struct Occasion {
    agent: String,
}

/// Senses everything once more from nothing, and sees whether the week missed any of it.
pub(super) fn signals(lore: &Lore, now: Timestamp, report: &mut Report) -> Result<(), Failure> {
    let file = lore_store::Scope::at(&lore.project).shared.join("signals/notes.json");
    let read = || -> BTreeMap<String, u32> {
        let book: Notebook = std::fs::read(&file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        // What plans and history tell is no part of a session.
        let heard =
            |note: &Note| note.occasions.iter().all(|one| !matches!(one.agent.as_str(), "git" | "plan"));
        book.notes.into_iter().filter(heard).map(|note| (note.id, note.times)).collect()
    };
    let during = read();
    if file.is_file() {
        std::fs::rename(&file, file.with_extension("week"))?;
    }
    let mut command = lore.command(&["sense", "--quiet"]);
    command.env("LORE_NOW", now.to_string());
    lore.ask(command, "")?;
    let afterwards = read();
    let missed: BTreeSet<&String> = afterwards
        .iter()
        .filter(|(id, times)| during.get(*id).is_none_or(|during| during < times))
        .map(|(id, _)| id)
        .collect();
    missed.iter().for_each(|id| eprintln!("missed in {}: {id}", lore.project.display()));
    let mut raise = |name: &str, by: usize| {
        let before = report.figures().get(name).and_then(serde_json::Value::as_u64).unwrap_or_default();
        report.set(name, before + by as u64);
    };
    raise("signals", afterwards.len());
    raise("signals_missed", missed.len());
    Ok(())
}
