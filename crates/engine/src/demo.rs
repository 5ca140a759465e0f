//! A small project's sample sessions, for looking around without a project of one's own.
//!
//! Eleven sessions of two agents over six weeks: rules, a decision and its reversal, a limitation, a point on
//! which two people differ, the same failure in four of them, a question nobody could answer, and a key that
//! must not survive. Beside them a piece of code, and the experiment that answers the question.

use std::path::{Path, PathBuf};

use lore_store::derived::Derived;

use crate::Error;

/// Where the key stands in the samples. It is put in when they are laid out, so that no file of
/// ours holds anything that looks like one.
const PLACEHOLDER: &str = "@@SECRET@@";

macro_rules! sessions {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("demo/sessions/", $name)))),+]
    };
}

const SESSIONS: &[(&str, &str)] = sessions![
    "claude-code-2026-03-02-database.jsonl",
    "claude-code-2026-03-09-payments.jsonl",
    "codex-rollout-2026-03-16-times.jsonl",
    "claude-code-2026-03-27-postgres.jsonl",
    "claude-code-2026-03-30-import.jsonl",
    "codex-rollout-2026-04-02-queue.jsonl",
    "claude-code-2026-04-02-cancellation.jsonl",
    "codex-rollout-2026-04-06-refund-tests.jsonl",
    "claude-code-2026-04-08-calendar-tests.jsonl",
    "codex-rollout-2026-04-09-report-tests.jsonl",
    "codex-rollout-2026-04-10-pier.jsonl",
];

/// The project's own files; the first keeps what is only the tour's out of the way of those who read the code.
const FILES: &[(&str, &str)] = &[
    (".gitignore", "/sessions/\n/data/\n/plan.md\n/answer.json\n"),
    ("src/cancel.rs", include_str!("demo/project/cancel.rs")),
    ("plan.md", include_str!("demo/project/plan.md")),
];

/// Returns the moment of the tour, two days after the last session: ages in it are the same every year.
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_775_988_000).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

/// Returns the key of the samples: shaped like a real one, good for nothing.
pub fn secret() -> String {
    format!("{}_{}_{}", "sk", "test", "4eC39HqLyjWDarjtT1zdp7dcR8mK2vXbQ0sN")
}

/// Writes the sample sessions and the project's files below a folder, and returns where the sessions are.
/// What is there already stays as it is.
pub fn lay_out(folder: &Path) -> Result<PathBuf, Error> {
    let project = Derived::new(folder);
    for (name, text) in FILES.iter().filter(|(name, _)| !folder.join(name).exists()) {
        project.write(name, text.as_bytes())?;
    }
    let sessions = folder.join("sessions");
    let derived = Derived::new(&sessions);
    for (name, text) in SESSIONS {
        // Codex names its files so; ours also say whose they are.
        let name = name.trim_start_matches("codex-");
        derived.write(name, text.replace(PLACEHOLDER, &secret()).as_bytes())?;
    }
    Ok(sessions)
}

/// Writes what somebody at the tour would have written by hand.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    Ok(Derived::new(folder).write(name, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tour_is_two_days_after_the_last_session() {
        assert_eq!(now().to_string(), "2026-04-12T10:00:00Z");
        assert!(SESSIONS.last().is_some_and(|(name, _)| name.contains("2026-04-10")));
    }

    #[test]
    fn what_is_there_already_stays() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let kept = folder.path().join(".gitignore");
        Derived::new(folder.path()).write(".gitignore", b"mine\n").expect("a file can be written");
        lay_out(folder.path()).expect("the samples can be written");
        assert_eq!(std::fs::read_to_string(kept).expect("it is there"), "mine\n");
        assert!(folder.path().join("src/cancel.rs").is_file());
    }
}
