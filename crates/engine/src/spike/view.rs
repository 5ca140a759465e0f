//! A spike as it is shown, with what to do next.

use lore_core::{Entry, EntryId, Handle, Kind, Spike, SpikeOutcome, SpikeState};
use serde::Serialize;

use super::record::RunStatus;
use super::workspace::{folder, of_spike};
use crate::{Asker, Engine, Error};

/// A spike as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpikeView {
    /// Its id.
    pub id: EntryId,
    /// Its short name.
    pub handle: Handle,
    /// Its title.
    pub title: String,
    /// What is asked.
    pub question: Option<String>,
    /// How far it is.
    pub state: SpikeState,
    /// What came out.
    pub outcome: Option<SpikeOutcome>,
    /// The answer in one sentence, once there is one.
    pub answer: Option<String>,
    /// What can be chosen from.
    pub alternatives: Vec<String>,
    /// What has to come out.
    pub criteria: Vec<String>,
    /// What the answer was found under.
    pub conditions: Vec<String>,
    /// What it rests on.
    pub depends_on: Vec<String>,
    /// How often it was measured.
    pub rounds: u32,
    /// The folder of its papers, relative to the base.
    pub folder: String,
    /// Its papers.
    pub papers: Vec<String>,
    /// The run that is under way, or the last.
    pub run: Option<RunStatus>,
    /// What to do next.
    pub next: String,
    /// What about its design makes the answer less sure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Names of the papers.
const PAPERS: [&str; 5] = ["HYPOTHESIS.md", "EXPERIMENT.md", "DECISION.md", "DESIGN.md", "FINDINGS.md"];

impl Engine {
    /// Lists all spikes, those that need something first.
    pub fn spikes(&self, state: Option<SpikeState>) -> Result<Vec<SpikeView>, Error> {
        let snapshot = self.store.snapshot()?;
        let wanted = snapshot.summaries().filter(|one| one.kind == Kind::Spike);
        let stored = snapshot.read_some(wanted).into_iter().flatten();
        let mut found: Vec<SpikeView> = stored.map(|one| self.view(&one.entry, &one.path)).collect();
        found.retain(|one| state.map_or(one.state != SpikeState::Archived, |state| one.state == state));
        found.sort_by(|a, b| a.state.cmp(&b.state).then_with(|| b.id.cmp(&a.id)));
        Ok(found)
    }

    /// Shows one spike.
    pub fn show_spike(&self, name: &str) -> Result<SpikeView, Error> {
        let stored = self.read_spike(name)?;
        Ok(self.view(&stored.entry, &stored.path))
    }

    pub(super) fn view(&self, entry: &Entry, path: &str) -> SpikeView {
        let spike = of_spike(entry).unwrap_or_default();
        let folder = folder(path).to_owned();
        let there = |name: &&&str| self.store.paper(&format!("{folder}/{name}")).is_some();
        let run = self.run_status(&self.run_place(&entry.id, path));
        let state = spike.stage();
        let next = next(&spike, state, run.as_ref(), &entry.id, &self.asker);
        SpikeView {
            id: entry.id.clone(),
            handle: entry.id.handle(),
            title: entry.title.clone(),
            question: spike.question.clone(),
            state,
            outcome: spike.outcome,
            answer: entry.description.clone().filter(|_| spike.is_answered()),
            alternatives: spike.alternatives,
            criteria: spike.criteria,
            conditions: spike.conditions,
            depends_on: entry.depends_on.clone(),
            rounds: spike.rounds.unwrap_or(0),
            papers: PAPERS.iter().filter(there).map(|name| (*name).to_owned()).collect(),
            folder,
            run,
            next,
            warnings: Vec::new(),
        }
    }
}

fn next(spike: &Spike, state: SpikeState, run: Option<&RunStatus>, id: &EntryId, asker: &Asker) -> String {
    let name = id.handle();
    // Only a person may say yes to an experiment.
    let run_it = match asker {
        Asker::Person => format!("`lore spike run {name}`"),
        Asker::Agent { .. } => format!("`lore spike run {name}`, by the user in a terminal of their own,"),
    };
    match state {
        SpikeState::Hypothesis => {
            format!("write EXPERIMENT.md and criteria, then `lore spike design {name}`")
        }
        SpikeState::Designed => run_it.trim_end_matches(',').to_owned(),
        SpikeState::Running if run.is_some_and(|run| run.is_running) => {
            format!("it runs; `lore spike status {name}`")
        }
        SpikeState::Running => {
            format!("it was interrupted; {run_it} goes on where it stopped")
        }
        SpikeState::Collected => format!("`lore spike decide {name}`"),
        SpikeState::Concluded if spike.may_repeat() => {
            format!("{run_it} measures a second and last round")
        }
        SpikeState::Concluded | SpikeState::Archived => String::new(),
    }
}
