//! How agents did: what sessions show and what people recorded, added up by agent, model and domain.

mod advice;
mod outcomes;

use std::collections::BTreeMap;

use lore_core::Moment;
use lore_distill::sense::{WorkOutcome, is_place};
use serde::{Deserialize, Serialize};

pub(crate) use self::outcomes::Outcomes;
use crate::{Engine, Error};

/// The file of machine state that holds one line per outcome that somebody recorded.
const STATE: &str = "agents";

/// One piece of work by one agent, as somebody recorded it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The agent.
    pub agent: String,
    /// How it ended.
    pub outcome: WorkOutcome,
    /// The part of the system.
    pub domain: Option<String>,
    /// The issue, without `#`.
    pub issue: Option<String>,
    /// How long it took.
    pub minutes: Option<u32>,
    /// Whether it had to be done again.
    pub rework: bool,
    /// When.
    pub at: Moment,
}

/// Which work is meant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkFilter {
    /// Only on this part of the system.
    pub domain: Option<String>,
    /// Only by this agent.
    pub agent: Option<String>,
    /// Only from this moment on.
    pub since: Option<Moment>,
}

/// What is known of an agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct AgentFigures {
    /// The agent.
    pub agent: String,
    /// How often it was at work.
    pub invocations: usize,
    /// Of how many of these it is known how they ended; shares are of those.
    pub judged: usize,
    /// Share of success, a partial one counting half.
    pub success: f64,
    /// Share that had to be done again.
    pub rework: f64,
    /// Minutes it took, in the middle.
    pub minutes: Option<u32>,
    /// How many ended with tests that passed.
    pub green: usize,
    /// How many ended with tests that failed.
    pub red: usize,
    /// How many were committed.
    pub committed: usize,
    /// How many were taken back.
    pub reverted: usize,
    /// How many a person corrected.
    pub corrected: usize,
    /// By model: how many of which it is known, and share of success.
    pub models: BTreeMap<String, (usize, f64)>,
    /// The same by domain.
    pub domains: BTreeMap<String, (usize, f64)>,
}

/// A piece of work, whoever told of it.
#[derive(Debug, Clone, Default)]
struct Counted {
    agent: String,
    model: Option<String>,
    domain: Option<String>,
    outcome: Option<WorkOutcome>,
    minutes: Option<u32>,
    rework: bool,
    green: Option<bool>,
    committed: bool,
    reverted: bool,
    corrected: bool,
    at: Option<Moment>,
}

/// Reads the word for an outcome.
pub fn outcome(word: &str) -> Result<WorkOutcome, Error> {
    match word.to_ascii_lowercase().as_str() {
        "success" | "done" => Ok(WorkOutcome::Success),
        "partial" => Ok(WorkOutcome::Partial),
        "failed" | "failure" => Ok(WorkOutcome::Failed),
        _ => Err(Error::request(
            format!("`{word}` is not an outcome"),
            "the outcomes are success, partial, failed",
        )),
    }
}

impl Engine {
    /// Records how a piece of work ended.
    pub fn record_work(&self, work: &Work, dry_run: bool) -> Result<(), Error> {
        if work.agent.trim().is_empty() {
            return Err(Error::request("an outcome needs an agent", "name the agent first"));
        }
        let mut transaction = self.begin("agents")?;
        let mut lines = self.store.read_state(STATE);
        lines.push(self.store.work().json(STATE, work)?);
        transaction.put_state(STATE, lines)?;
        if !dry_run {
            self.commit(transaction, &format!("record work of {}", work.agent))?;
        }
        Ok(())
    }

    /// Adds up what is known, per agent, the busiest first.
    pub fn agents(&self, filter: &WorkFilter) -> Vec<AgentFigures> {
        let mut by_agent: BTreeMap<String, Vec<Counted>> = BTreeMap::new();
        for one in self.counted(filter) {
            by_agent.entry(one.agent.clone()).or_default().push(one);
        }
        let mut found: Vec<AgentFigures> =
            by_agent.into_iter().map(|(agent, work)| figures(agent, &work)).collect();
        found.sort_by(|a, b| b.invocations.cmp(&a.invocations).then_with(|| a.agent.cmp(&b.agent)));
        found
    }

    /// Lists every piece of work that a filter lets through.
    fn counted(&self, filter: &WorkFilter) -> Vec<Counted> {
        let lines = self.store.read_state(STATE);
        let recorded = lines.iter().filter_map(|line| serde_json::from_str::<Work>(line).ok());
        let told = recorded.map(|work| Counted {
            agent: work.agent,
            domain: work.domain,
            outcome: Some(work.outcome),
            minutes: work.minutes,
            rework: work.rework,
            at: Some(work.at),
            ..Counted::default()
        });
        let shown = Outcomes::load(self.store.shared()).pieces.into_iter().map(|piece| {
            let stretch = piece.stretch;
            Counted {
                agent: piece.agent,
                outcome: stretch.outcome(),
                rework: stretch.corrected > 0 || stretch.reverted,
                green: stretch.green,
                committed: stretch.committed,
                reverted: stretch.reverted,
                corrected: stretch.corrected > 0,
                at: stretch.at.map(Moment::Instant),
                model: stretch.model,
                domain: stretch.domain,
                minutes: stretch.minutes,
            }
        });
        let wanted = |work: &Counted| {
            let in_domain =
                |named: &String| work.domain.as_deref().is_some_and(|place| is_place(place, named));
            filter.domain.as_ref().is_none_or(in_domain)
                && filter.agent.as_ref().is_none_or(|agent| work.agent.eq_ignore_ascii_case(agent))
                && filter.since.is_none_or(|since| work.at.is_some_and(|at| at.instant() >= since.instant()))
        };
        told.chain(shown).filter(wanted).collect()
    }
}

/// Returns how many of these it is known of how they ended, and the share of success.
fn share<'a>(work: impl IntoIterator<Item = &'a Counted>) -> (usize, f64) {
    let known: Vec<f64> = work.into_iter().filter_map(|work| Some(work.outcome?.worth())).collect();
    (known.len(), known.iter().sum::<f64>() / known.len().max(1) as f64)
}

fn figures(agent: String, work: &[Counted]) -> AgentFigures {
    let by = |name: fn(&Counted) -> Option<&String>| {
        let mut parts: BTreeMap<String, Vec<&Counted>> = BTreeMap::new();
        for one in work {
            if let Some(name) = name(one) {
                parts.entry(name.clone()).or_default().push(one);
            }
        }
        let shares = parts.into_iter().map(|(name, work)| (name, share(work)));
        shares.filter(|(_, (judged, _))| *judged > 0).collect::<BTreeMap<_, _>>()
    };
    let count = |fits: fn(&Counted) -> bool| work.iter().filter(|one| fits(one)).count();
    let mut minutes: Vec<u32> = work.iter().filter_map(|work| work.minutes).collect();
    minutes.sort_unstable();
    let (judged, success) = share(work);
    AgentFigures {
        agent,
        invocations: work.len(),
        judged,
        success,
        rework: count(|one| one.rework) as f64 / work.len().max(1) as f64,
        minutes: minutes.get(minutes.len() / 2).copied(),
        green: count(|one| one.green == Some(true)),
        red: count(|one| one.green == Some(false)),
        committed: count(|one| one.committed),
        reverted: count(|one| one.reverted),
        corrected: count(|one| one.corrected),
        models: by(|one| one.model.as_ref()),
        domains: by(|one| one.domain.as_ref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_success_counts_half_and_what_is_open_counts_in_no_share() {
        let work = |outcome, domain: &str, minutes| Counted {
            agent: "a".to_owned(),
            outcome,
            domain: Some(domain.to_owned()),
            model: Some("m".to_owned()),
            minutes: Some(minutes),
            rework: outcome == Some(WorkOutcome::Failed),
            ..Counted::default()
        };
        let all = [
            work(Some(WorkOutcome::Success), "auth", 10),
            work(Some(WorkOutcome::Partial), "auth", 30),
            work(Some(WorkOutcome::Failed), "ui", 20),
            work(None, "docs", 20),
        ];
        let found = figures("a".to_owned(), &all);
        assert_eq!((found.invocations, found.judged, found.success, found.minutes), (4, 3, 0.5, Some(20)));
        assert_eq!(found.domains["auth"], (2, 0.75));
        assert_eq!(found.domains.get("docs"), None);
        assert_eq!(found.models["m"], (3, 0.5));
        assert!((found.rework - 0.25).abs() < 1e-9);
    }
}
