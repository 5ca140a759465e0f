//! How agents did: outcomes as they were recorded, added up by domain.

use std::collections::BTreeMap;

use lore_core::Moment;
use serde::{Deserialize, Serialize};

use crate::{Engine, Error};

/// The file of machine state that holds one line per outcome.
const STATE: &str = "agents";
/// An agent of which nothing is known yet is thought to succeed this often …
const PRIOR: f64 = 0.75;
/// … with the weight of this many outcomes.
const PRIOR_WEIGHT: f64 = 2.0;

/// How a piece of work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkOutcome {
    /// It was done.
    Success,
    /// It was done in part.
    Partial,
    /// It was not done, or undone.
    Failed,
}

/// One piece of work by one agent.
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

/// What is known of an agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct AgentFigures {
    /// The agent.
    pub agent: String,
    /// How often it was at work.
    pub invocations: usize,
    /// Share of success, a partial one counting half.
    pub success: f64,
    /// Share that had to be done again.
    pub rework: f64,
    /// Minutes it took, in the middle.
    pub minutes: Option<u32>,
    /// The same by domain: how often, and share of success.
    pub domains: BTreeMap<String, (usize, f64)>,
}

impl std::str::FromStr for WorkOutcome {
    type Err = Error;

    fn from_str(word: &str) -> Result<WorkOutcome, Error> {
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
}

impl WorkOutcome {
    fn worth(self) -> f64 {
        match self {
            WorkOutcome::Success => 1.0,
            WorkOutcome::Partial => 0.5,
            WorkOutcome::Failed => 0.0,
        }
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
        lines.push(serde_json::to_string(work).unwrap_or_default());
        transaction.put_state(STATE, lines)?;
        if !dry_run {
            self.commit(transaction, &format!("record work of {}", work.agent))?;
        }
        Ok(())
    }

    /// Adds up what was recorded, per agent, the busiest first.
    pub fn agents(&self, domain: Option<&str>) -> Vec<AgentFigures> {
        let mut work = self.recorded_work();
        work.retain(|work| domain.is_none() || work.domain.as_deref() == domain);
        let mut by_agent: BTreeMap<String, Vec<Work>> = BTreeMap::new();
        for one in work {
            by_agent.entry(one.agent.clone()).or_default().push(one);
        }
        let mut found: Vec<AgentFigures> =
            by_agent.into_iter().map(|(agent, work)| figures(agent, &work)).collect();
        found.sort_by(|a, b| b.invocations.cmp(&a.invocations).then_with(|| a.agent.cmp(&b.agent)));
        found
    }

    /// Says whom to ask about a domain, best first, with the figures; nobody where nothing was recorded.
    pub(crate) fn recommended(&self, domain: Option<&str>) -> Vec<(String, String)> {
        let mut ranked: Vec<(f64, String, String)> = Vec::new();
        for agent in self.agents(None) {
            let (count, share, place) =
                match domain.and_then(|domain| Some((agent.domains.get(domain)?, domain))) {
                    Some(((count, share), domain)) => (*count, *share, format!(" in {domain}")),
                    None if domain.is_some() => continue,
                    None => (agent.invocations, agent.success, String::new()),
                };
            let n = count as f64;
            let expected = (share * n + PRIOR * PRIOR_WEIGHT) / (n + PRIOR_WEIGHT);
            let because = format!("{:.0} % success over {count} pieces of work{place}", share * 100.0);
            ranked.push((expected, agent.agent, because));
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        ranked.into_iter().take(3).map(|(_, agent, because)| (agent, because)).collect()
    }

    fn recorded_work(&self) -> Vec<Work> {
        let lines = self.store.read_state(STATE);
        lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

fn figures(agent: String, work: &[Work]) -> AgentFigures {
    let share = |work: &[&Work]| {
        let sum: f64 = work.iter().map(|work| work.outcome.worth()).sum();
        sum / work.len().max(1) as f64
    };
    let all: Vec<&Work> = work.iter().collect();
    let mut domains: BTreeMap<String, Vec<&Work>> = BTreeMap::new();
    for one in work {
        if let Some(domain) = &one.domain {
            domains.entry(domain.clone()).or_default().push(one);
        }
    }
    let mut minutes: Vec<u32> = work.iter().filter_map(|work| work.minutes).collect();
    minutes.sort_unstable();
    AgentFigures {
        agent,
        invocations: work.len(),
        success: share(&all),
        rework: work.iter().filter(|work| work.rework).count() as f64 / work.len().max(1) as f64,
        minutes: minutes.get(minutes.len() / 2).copied(),
        domains: domains.into_iter().map(|(domain, work)| (domain, (work.len(), share(&work)))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_success_counts_half() {
        let work = |outcome, domain: &str, minutes| Work {
            agent: "a".to_owned(),
            outcome,
            domain: Some(domain.to_owned()),
            issue: None,
            minutes: Some(minutes),
            rework: outcome == WorkOutcome::Failed,
            at: "2026-02-20".parse().unwrap(),
        };
        let all = [
            work(WorkOutcome::Success, "auth", 10),
            work(WorkOutcome::Partial, "auth", 30),
            work(WorkOutcome::Failed, "ui", 20),
        ];
        let found = figures("a".to_owned(), &all);
        assert_eq!((found.invocations, found.success, found.minutes), (3, 0.5, Some(20)));
        assert_eq!(found.domains["auth"], (2, 0.75));
        assert!((found.rework - 1.0 / 3.0).abs() < 1e-9);
    }
}
