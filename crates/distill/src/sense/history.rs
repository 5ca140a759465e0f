//! Friction in a repository's history: chains of fixes, reverts, churn, and changes beyond what was announced.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use lore_core::text::counted;
use lore_core::{Severity, SignalType};

use super::{Sensed, cut};

/// So many fixes of one file in a row are a chain.
const CHAIN: usize = 3;
/// So many are a serious one.
const LONG_CHAIN: usize = 5;
/// Fixes further apart than so many days are of different troubles.
const DAYS: i64 = 7;
/// So many of the last commits are looked at for churn.
const LAST: usize = 50;
/// A file in so many of them is churned.
const CHURN: usize = 10;

/// A commit as far as it shows friction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCommit {
    /// Its id, short.
    pub id: String,
    /// When it was made.
    pub at: Option<Timestamp>,
    /// The first line of its message.
    pub subject: String,
    /// Files it changed.
    pub files: Vec<String>,
}

/// Finds friction in commits, which stand newest first.
pub fn sense_history(commits: &[PastCommit]) -> Vec<Sensed> {
    let mut found = chains(commits);
    found.extend(reverts(commits));
    found.extend(churn(commits));
    found.extend(beyond(commits));
    found
}

/// Names the commits that others take back, by id or by the message they quote.
pub fn taken_back(commits: &[PastCommit]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, commit) in commits.iter().enumerate() {
        let Some(rest) = commit.subject.strip_prefix("Revert \"") else { continue };
        let named = commit.subject.lines().find_map(|line| line.trim().strip_prefix("This reverts commit "));
        if let Some(id) = named {
            let id: String = id.chars().take_while(char::is_ascii_hexdigit).collect();
            found.extend((id.len() >= 7).then_some(id));
            continue;
        }
        let first = rest.lines().next().unwrap_or_default();
        let quoted = first.rsplit_once('"').map_or(first, |(quoted, _)| quoted);
        let before = commits[at + 1..].iter();
        let meant =
            before.filter(|other| other.subject.lines().next() == Some(quoted)).map(|other| other.id.clone());
        found.extend(meant.take(1));
    }
    found
}

fn is_fix(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    lower.starts_with("fix") || lower.starts_with("hotfix") || lower.starts_with("bugfix")
}

/// Files whose changes say nothing about the work: locks, notes, versions.
fn is_telling(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file).to_lowercase();
    let is_kept_up = name.contains("lock")
        || name.starts_with("changelog")
        || name == "package.json"
        || name.ends_with(".snap")
        || file.starts_with(".planning/")
        || file.starts_with("knowledge/");
    !is_kept_up
}

fn chains(commits: &[PastCommit]) -> Vec<Sensed> {
    let mut by_file: BTreeMap<&str, Vec<&PastCommit>> = BTreeMap::new();
    for commit in commits.iter().filter(|commit| is_fix(&commit.subject)) {
        for file in commit.files.iter().filter(|file| is_telling(file)) {
            by_file.entry(file).or_default().push(commit);
        }
    }
    let mut found: Vec<Sensed> = Vec::new();
    let mut told: BTreeSet<Vec<&str>> = BTreeSet::new();
    for (file, fixes) in by_file {
        let mut run: Vec<&PastCommit> = Vec::new();
        let mut runs: Vec<Vec<&PastCommit>> = Vec::new();
        for fix in fixes {
            let near = run.last().is_none_or(|last| days_between(last, fix).is_some_and(|days| days <= DAYS));
            if !near {
                runs.push(std::mem::take(&mut run));
            }
            run.push(fix);
        }
        runs.push(run);
        for run in runs.into_iter().filter(|run| run.len() >= CHAIN) {
            let ids: Vec<&str> = run.iter().map(|commit| commit.id.as_str()).collect();
            // Files that were fixed together are one chain.
            if !told.insert(ids.clone()) {
                continue;
            }
            let severity = if run.len() >= LONG_CHAIN { Severity::High } else { Severity::Medium };
            let title = format!("{} fixes of `{file}` within days of each other", run.len());
            found.push(Sensed {
                at: run.first().and_then(|commit| commit.at),
                happened: run
                    .iter()
                    .map(|commit| format!("- {} {}", commit.id, cut(&commit.subject, 100)))
                    .collect::<Vec<_>>()
                    .join("\n"),
                context: format!("Commits {}.", ids.join(", ")),
                why: vec![format!("{} fix commits on one file, each within {DAYS} days", run.len())],
                subject: format!("fix chain {file} {}", run.last().map_or("", |first| first.id.as_str())),
                files: vec![file.to_owned()],
                ..Sensed::new(SignalType::Struggle, severity, title)
            });
        }
    }
    found
}

fn days_between(one: &PastCommit, other: &PastCommit) -> Option<i64> {
    let (one, other) = (one.at?, other.at?);
    Some((one.as_second() - other.as_second()).abs() / 86_400)
}

fn reverts(commits: &[PastCommit]) -> Vec<Sensed> {
    let is_revert = |commit: &&PastCommit| {
        let lower = commit.subject.to_lowercase();
        lower.starts_with("revert ") || lower.starts_with("revert:") || lower.starts_with("revert\"")
    };
    let signal = |commit: &PastCommit| Sensed {
        at: commit.at,
        happened: format!("{} {}", commit.id, commit.subject),
        context: format!("It touched {}.", counted(commit.files.len(), "file", "files")),
        why: vec!["the commit takes another one back".to_owned()],
        subject: format!("revert {}", commit.id),
        files: commit.files.iter().take(5).cloned().collect(),
        ..Sensed::new(SignalType::Struggle, Severity::Medium, cut(&commit.subject, 110))
    };
    commits.iter().filter(is_revert).map(signal).collect()
}

fn churn(commits: &[PastCommit]) -> Vec<Sensed> {
    let last = &commits[..commits.len().min(LAST)];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in last.iter().flat_map(|commit| &commit.files).filter(|file| is_telling(file)) {
        *counts.entry(file).or_default() += 1;
    }
    let mut found: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count >= CHURN).collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let signal = |(file, count): (&str, usize)| Sensed {
        at: last.first().and_then(|commit| commit.at),
        happened: format!("`{file}` is in {count} of the last {}.", counted(last.len(), "commit", "commits")),
        context: "A file that everybody has to change often holds too much or is not settled.".to_owned(),
        why: vec![format!("in {count} of {}", counted(last.len(), "commit", "commits"))],
        subject: format!("churn {file}"),
        files: vec![file.to_owned()],
        ..Sensed::new(SignalType::Struggle, Severity::Low, format!("`{file}` changes in every few commits"))
    };
    found.into_iter().take(5).map(signal).collect()
}

/// Finds commits whose message announces less than they change.
fn beyond(commits: &[PastCommit]) -> Vec<Sensed> {
    let announces = |subject: &str| {
        let word = subject.split([':', '(']).next().unwrap_or_default().trim().to_lowercase();
        match word.as_str() {
            "docs" | "doc" => Some("documents"),
            "test" | "tests" => Some("tests"),
            "style" => Some("style"),
            _ => None,
        }
    };
    let is_code = |file: &str| {
        let ending = file.rsplit('.').next().unwrap_or_default();
        ["rs", "go", "py", "ts", "tsx", "js", "jsx", "java", "kt", "c", "cpp", "cs", "rb", "swift", "php"]
            .contains(&ending)
            && !file.to_lowercase().contains("test")
            && !file.to_lowercase().contains("spec")
    };
    let mut found = Vec::new();
    for commit in commits {
        let Some(said) = announces(&commit.subject).filter(|said| *said != "style") else { continue };
        let code: Vec<&String> =
            commit.files.iter().filter(|file| is_code(file) && is_telling(file)).collect();
        if code.len() < 2 {
            continue;
        }
        let changed = counted(code.len(), "file of code", "files of code");
        found.push(Sensed {
            at: commit.at,
            happened: format!("{} announces {said} and changes {changed}.", commit.id),
            context: cut(&commit.subject, 120),
            why: vec![format!("message says {said}; {changed} changed")],
            subject: format!("beyond {}", commit.id),
            files: code.into_iter().take(5).cloned().collect(),
            ..Sensed::new(SignalType::Deviation, Severity::Low, format!("A commit for {said} changes code"))
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(id: &str, day: i64, subject: &str, files: &[&str]) -> PastCommit {
        PastCommit {
            id: id.to_owned(),
            at: Timestamp::from_second(1_700_000_000 + day * 86_400).ok(),
            subject: subject.to_owned(),
            files: files.iter().map(|file| (*file).to_owned()).collect(),
        }
    }

    #[test]
    fn fixes_in_a_row_are_a_chain_and_those_far_apart_are_not() {
        let near = [
            commit("c", 3, "fix(pier): again", &["src/pier.rs", "src/rope.rs"]),
            commit("b", 2, "fix: the pier", &["src/pier.rs", "src/rope.rs"]),
            commit("a", 1, "fix pier", &["src/pier.rs", "src/rope.rs"]),
        ];
        let found = sense_history(&near);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].signal_type, found[0].severity), (SignalType::Struggle, Severity::Medium));
        let far: Vec<PastCommit> =
            [60, 30, 1].map(|day| commit("x", day, "fix pier", &["src/pier.rs"])).to_vec();
        assert_eq!(sense_history(&far), []);
    }

    #[test]
    fn what_was_taken_back_is_named() {
        let long = "Revert \"mast: taller\"\n\nThis reverts commit 9f8e7d6c5b4a.";
        let commits = [
            commit("d", 4, long, &[]),
            commit("c", 3, "Revert \"crane: new arm\"", &[]),
            commit("b", 2, "crane: new arm", &[]),
            commit("a", 1, "crane: new arm", &[]),
        ];
        let found: Vec<String> = taken_back(&commits).into_iter().collect();
        assert_eq!(found, ["9f8e7d6c5b4a", "b"]);
    }

    #[test]
    fn reverts_and_broken_announcements_are_told() {
        let commits = [
            commit("b", 2, "Revert \"crane: new arm\"", &["src/crane.rs"]),
            commit("a", 1, "docs: the crane", &["docs/crane.md", "src/crane.rs", "src/arm.rs"]),
            commit("0", 1, "docs: more", &["docs/crane.md", "src/crane.rs"]),
        ];
        let titles: Vec<String> = sense_history(&commits).into_iter().map(|one| one.title).collect();
        assert_eq!(titles, ["Revert \"crane: new arm\"", "A commit for documents changes code"]);
    }
}
