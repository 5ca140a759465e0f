//! Evidence beside sessions: the plans of the project, its history, and what it says should run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lore_distill::sense::Configured;
use lore_distill::sense::history::PastCommit;
use lore_distill::sense::plan::{PlanPapers, resolves, sense_plan, sense_verification};
use lore_distill::sense::{Sensed, history};

use crate::Engine;

/// So many commits are looked at.
const COMMITS: usize = 200;
/// A paper larger than this is no plan.
const LARGEST: u64 = 1 << 20;

/// What a plan or a commit says about a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remedy {
    /// The signal, as it is named there.
    pub(super) signal: String,
    /// `plan 36-01` or `commit abc1234`.
    pub(super) by: String,
    /// Why it is one.
    pub(super) why: String,
}

/// One plan as its files lie on disk.
struct PlanFiles {
    phase: String,
    plan: String,
    planned: String,
    summary: Option<String>,
}

impl Engine {
    /// Reads what the project and the agent's settings say should run.
    pub(super) fn configured(&self) -> Configured {
        let read = |path: PathBuf| std::fs::read_to_string(path).ok();
        let project = self.project();
        let plan = read(project.join(".planning/config.json")).map(|text| Configured::of_plan(&text));
        if let Some(plan) = plan.filter(|plan| !plan.models.is_empty()) {
            return plan;
        }
        let place = ".claude/settings.json";
        let agent = read(project.join(place)).map(|text| Configured::of_agent(&text, place));
        agent.unwrap_or_default()
    }

    /// Senses the plans of a GSD project; each signal comes with the plan it is about.
    pub(super) fn sense_plans(&self) -> Vec<(String, Sensed)> {
        let mut found = Vec::new();
        for (phase, folder) in phases(&self.project().join(".planning/phases")) {
            let plans = plans(&phase, &folder);
            let last = plans.iter().rposition(|plan| plan.summary.is_some());
            for (at, plan) in plans.iter().enumerate() {
                let papers = PlanPapers {
                    phase: &plan.phase,
                    plan: &plan.plan,
                    planned: &plan.planned,
                    summary: plan.summary.as_deref(),
                    is_passed_over: last.is_some_and(|last| at < last),
                };
                let name = format!("{}-{}", plan.phase, plan.plan);
                found.extend(sense_plan(&papers).into_iter().map(|signal| (name.clone(), signal)));
            }
            for file in files(&folder, "-VERIFICATION.md") {
                let text = text(&file).unwrap_or_default();
                found.extend(sense_verification(&phase, &text).map(|signal| (phase.clone(), signal)));
            }
        }
        found
    }

    /// Lists the signals that finished plans say they resolve.
    pub(super) fn resolved_by_plans(&self) -> Vec<Remedy> {
        let mut found = Vec::new();
        for (phase, folder) in phases(&self.project().join(".planning/phases")) {
            for plan in plans(&phase, &folder).into_iter().filter(|plan| plan.summary.is_some()) {
                let by = format!("plan {}-{}", plan.phase, plan.plan);
                found.extend(resolves(&plan.planned).into_iter().map(|signal| Remedy {
                    signal,
                    by: by.clone(),
                    why: "the plan names it under resolves_signals and has a summary".to_owned(),
                }));
            }
        }
        found
    }

    /// Lists the last commits of the repository.
    pub(super) fn recent_commits(&self) -> Vec<PastCommit> {
        let recent = self.store.git().and_then(|git| git.recent(COMMITS).ok()).unwrap_or_default();
        recent
            .into_iter()
            .map(|commit| PastCommit {
                id: commit.id.chars().take(9).collect(),
                at: commit.at,
                subject: commit.message,
                files: commit.files,
            })
            .collect()
    }

    /// Senses the last commits.
    pub(super) fn sense_past(&self, commits: &[PastCommit]) -> Vec<Sensed> {
        let subjects: Vec<PastCommit> = commits
            .iter()
            .map(|commit| PastCommit {
                subject: commit.subject.lines().next().unwrap_or_default().to_owned(),
                ..commit.clone()
            })
            .collect();
        history::sense_history(&subjects)
    }
}

/// Lists the signals that commits say they settle.
pub(super) fn resolved_by_commits(commits: &[PastCommit]) -> Vec<Remedy> {
    let mut found = Vec::new();
    for commit in commits {
        for line in commit.subject.lines() {
            let lower = line.to_lowercase();
            let settles = ["resolve", "fix", "close", "remedi", "address", "settle"];
            if !settles.iter().any(|word| lower.contains(word)) {
                continue;
            }
            let names = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            for name in names.filter(|name| name.len() > 6 && name.to_lowercase().starts_with("sig-")) {
                found.push(Remedy {
                    signal: name.to_owned(),
                    by: format!("commit {}", commit.id),
                    why: "its message names the signal".to_owned(),
                });
            }
        }
    }
    found
}

fn phases(folder: &Path) -> BTreeMap<String, PathBuf> {
    let listing = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let named = listing.filter(|entry| entry.path().is_dir()).filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let number: String = name.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        Some((if number.is_empty() { name.clone() } else { number }, entry.path()))
    });
    named.collect()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = listing.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    found.sort();
    found
}

fn plans(phase: &str, folder: &Path) -> Vec<PlanFiles> {
    let read = |path: PathBuf| {
        let stem = path.file_name()?.to_string_lossy().strip_suffix("-PLAN.md")?.to_owned();
        let plan = stem.rsplit('-').next().unwrap_or(&stem).to_owned();
        let summary = text(&folder.join(format!("{stem}-SUMMARY.md")));
        Some(PlanFiles { phase: phase.to_owned(), plan, planned: text(&path)?, summary })
    };
    files(folder, "-PLAN.md").into_iter().filter_map(read).collect()
}

fn text(path: &Path) -> Option<String> {
    let fits = path.metadata().is_ok_and(|about| about.len() <= LARGEST);
    fits.then(|| std::fs::read_to_string(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_names_a_signal_settles_it() {
        let commit = |message: &str| PastCommit {
            id: "abc".to_owned(),
            at: None,
            subject: message.to_owned(),
            files: Vec::new(),
        };
        let names = |message: &str| -> Vec<String> {
            resolved_by_commits(&[commit(message)]).into_iter().map(|one| one.signal).collect()
        };
        assert_eq!(
            names("rope: longer\n\nResolves: sig-2026-03-01-the-rope-broke"),
            ["sig-2026-03-01-the-rope-broke"]
        );
        assert_eq!(names("notes about sig-2026-03-01-the-rope-broke"), Vec::<String>::new());
        assert_eq!(names("fix: signals"), Vec::<String>::new());
    }
}
