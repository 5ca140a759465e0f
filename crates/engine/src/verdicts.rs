//! Verdicts on conditions, kept until a file changes that they rest on.
//!
//! Looking a package up means walking a repository; a hook has no time for that. A verdict names the
//! files it was made from, so it holds as long as they look the same and nothing came or went beside
//! them. What git says is never kept.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lore_core::Entry;
use lore_ground::freshness::{Condition, Fact, Project, Truth, Verdict, evaluate, parse};
use lore_store::derived::Derived;
use lore_surface::Standing;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Engine;

const KEPT: &str = "cache/fresh.json";
/// A verdict that rests on more files than this is made anew.
const MOST: usize = 64;

/// Size and time of a file; nothing where it is not there.
type Look = Option<(u64, i64)>;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    verdict: Verdict,
    looks: Vec<Look>,
    /// The folder of the project, in which manifests come and go.
    root: Look,
}

/// Judges conditions, and remembers.
pub(crate) struct Verdicts {
    project: Project,
    work: Derived,
    known: BTreeMap<String, Kept>,
    root: Look,
    changed: bool,
}

impl Engine {
    /// Opens the verdicts of earlier runs.
    pub(crate) fn verdicts(&self) -> Verdicts {
        let work = self.store.work().clone();
        let bytes = std::fs::read(work.folder().join(KEPT)).ok();
        Verdicts {
            project: Project::new(self.project()),
            work,
            known: bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default(),
            root: look(self.project()),
            changed: false,
        }
    }
}

impl Verdicts {
    /// Returns the project.
    pub(crate) fn project(&self) -> &Project {
        &self.project
    }

    /// Judges one condition.
    pub(crate) fn judge(&mut self, condition: &str) -> Verdict {
        if let Some(verdict) = self.known(condition) {
            return verdict;
        }
        let verdict = evaluate(condition, &self.project);
        self.keep(condition, &verdict);
        verdict
    }

    /// Judges those of many conditions that are not known, several at a time, so that each is at hand.
    pub(crate) fn prepare<'c>(&mut self, conditions: impl Iterator<Item = &'c String>) {
        let mut unknown: Vec<&String> = conditions.filter(|one| self.known(one).is_none()).collect();
        unknown.sort();
        unknown.dedup();
        let made: Vec<Verdict> = unknown.par_iter().map(|one| evaluate(one, &self.project)).collect();
        for (condition, verdict) in unknown.into_iter().zip(&made) {
            self.keep(condition, verdict);
        }
    }

    /// Writes the verdicts down, where there are new ones and they can be.
    pub(crate) fn save(&self) {
        if self.changed
            && let Err(error) = self.work.write_json(KEPT, &self.known)
        {
            tracing::debug!(%error, "the verdicts will be made again");
        }
    }

    fn known(&self, condition: &str) -> Option<Verdict> {
        let kept = self.known.get(condition)?;
        let same = kept.root == self.root && kept.looks == self.looks(&kept.verdict.files);
        same.then(|| kept.verdict.clone())
    }

    fn keep(&mut self, condition: &str, verdict: &Verdict) {
        let is_pattern = |file: &String| file.contains(['*', '?', '[', '{']);
        let lasting = !verdict.files.is_empty()
            && verdict.files.len() <= MOST
            && !verdict.files.iter().any(is_pattern)
            && !asks_git(&parse(condition));
        if lasting {
            let looks = self.looks(&verdict.files);
            let kept = Kept { verdict: verdict.clone(), looks, root: self.root };
            self.known.insert(condition.to_owned(), kept);
            self.changed = true;
        } else {
            self.changed |= self.known.remove(condition).is_some();
        }
    }

    fn looks(&self, files: &[String]) -> Vec<Look> {
        files.iter().map(|file| look(&self.project.root().join(file))).collect()
    }
}

/// Says in one word how a condition stands.
pub(crate) fn word(truth: Truth) -> &'static str {
    match truth {
        Truth::Holds => "holds",
        Truth::Broken => "broken",
        Truth::CannotTell => "cannot tell",
    }
}

/// How the conditions of an entry stand.
pub(crate) struct Judged {
    pub(crate) standing: Standing,
    pub(crate) evidence: Vec<String>,
}

/// Judges the conditions an entry rests on.
pub(crate) fn judge(entry: &Entry, verdicts: &mut Verdicts) -> Judged {
    judge_conditions(&entry.depends_on, verdicts)
}

/// Says in words how conditions stand, with the evidence; nothing where there are none.
pub(crate) fn standing(conditions: &[String], verdicts: &mut Verdicts) -> Option<String> {
    let judged = judge_conditions(conditions, verdicts);
    judged.standing.word.map(|word| format!("{word}: {}", judged.evidence.join("; ")))
}

fn judge_conditions(conditions: &[String], verdicts: &mut Verdicts) -> Judged {
    let mut evidence = Vec::new();
    let mut worst: Option<Truth> = None;
    let mut broken = None;
    for condition in conditions {
        let verdict = verdicts.judge(condition);
        if verdict.truth == Truth::Broken && broken.is_none() {
            broken = Some(format!("{condition}; {}", verdict.evidence.join("; ")));
        }
        evidence.extend(verdict.evidence);
        worst = Some(match (worst, verdict.truth) {
            (Some(Truth::Broken), _) | (_, Truth::Broken) => Truth::Broken,
            (Some(Truth::CannotTell), _) | (_, Truth::CannotTell) => Truth::CannotTell,
            _ => Truth::Holds,
        });
    }
    let word = worst.map(|truth| word(truth).to_owned());
    Judged { standing: Standing { word, evidence: broken }, evidence }
}

fn asks_git(condition: &Condition) -> bool {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().any(asks_git),
        Condition::Not(inner) => asks_git(inner),
        Condition::Free(_) | Condition::TooDeep => false,
        Condition::Fact(fact) => {
            matches!(fact, Fact::Branch(_) | Fact::OnBranch(_) | Fact::Tag(_) | Fact::Unchanged { .. })
        }
    }
}

fn look(path: &Path) -> Look {
    let about = PathBuf::from(path).metadata().ok()?;
    let at = about.modified().ok().and_then(|at| jiff::Timestamp::try_from(at).ok());
    // Every write into the work folder moves the time of nothing else, but making it does once.
    Some((if about.is_dir() { 0 } else { about.len() }, at.map_or(0, |at| at.as_microsecond())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    use super::*;

    fn verdicts(folder: &Path) -> Verdicts {
        let work = Derived::new(folder.join(".work"));
        let bytes = std::fs::read(work.folder().join(KEPT)).ok();
        Verdicts {
            project: Project::new(folder),
            work,
            known: bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default(),
            root: look(folder),
            changed: false,
        }
    }

    #[test]
    fn a_verdict_holds_until_its_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".work")).unwrap();
        let lock = |version: &str| {
            let text = format!("[[package]]\nname = \"serde\"\nversion = \"{version}\"\n");
            std::fs::write(folder.path().join("Cargo.lock"), text).unwrap();
        };
        lock("1.0.0");
        let mut first = verdicts(folder.path());
        assert_eq!(first.judge("serde >= 1.0").truth, Truth::Holds);
        first.save();
        let mut second = verdicts(folder.path());
        assert!(second.known("serde >= 1.0").is_some());
        assert_eq!(second.judge("serde >= 1.0").truth, Truth::Holds);
        assert!(!second.changed);
        lock("0.9.10");
        assert_eq!(verdicts(folder.path()).judge("serde >= 1.0").truth, Truth::Broken);
    }
}
