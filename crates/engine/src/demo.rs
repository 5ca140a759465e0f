//! A small project's sample sessions, for looking around without a project of one's own.
//!
//! Six sessions of two agents over a month: a decision and its reversal, preferences, a
//! limitation, a rule on which two people differ, and a key that must not survive.

use std::path::{Path, PathBuf};

use lore_store::derived::Derived;

use crate::Error;

/// Where the key stands in the samples. It is put in when they are laid out, so that no file of
/// ours holds anything that looks like one.
const PLACEHOLDER: &str = "@@SECRET@@";

const SESSIONS: &[(&str, &str)] = &[
    (
        "claude-code-2026-03-02-database.jsonl",
        include_str!("demo/sessions/claude-code-2026-03-02-database.jsonl"),
    ),
    (
        "claude-code-2026-03-09-payments.jsonl",
        include_str!("demo/sessions/claude-code-2026-03-09-payments.jsonl"),
    ),
    ("rollout-2026-03-16-times.jsonl", include_str!("demo/sessions/codex-rollout-2026-03-16-times.jsonl")),
    (
        "claude-code-2026-03-27-postgres.jsonl",
        include_str!("demo/sessions/claude-code-2026-03-27-postgres.jsonl"),
    ),
    ("rollout-2026-04-02-queue.jsonl", include_str!("demo/sessions/codex-rollout-2026-04-02-queue.jsonl")),
    (
        "claude-code-2026-04-02-cancellation.jsonl",
        include_str!("demo/sessions/claude-code-2026-04-02-cancellation.jsonl"),
    ),
];

/// Returns the moment of the tour, ten days after the last session: ages in it are the same every year.
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::from_second(1_775_988_000).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
}

/// Returns the key of the samples: shaped like a real one, good for nothing.
pub fn secret() -> String {
    format!("{}_{}_{}", "sk", "test", "4eC39HqLyjWDarjtT1zdp7dcR8mK2vXbQ0sN")
}

/// Writes the sample sessions below a folder and returns where.
pub fn lay_out(folder: &Path) -> Result<PathBuf, Error> {
    let sessions = folder.join("sessions");
    let derived = Derived::new(&sessions);
    for (name, text) in SESSIONS {
        derived.write(name, text.replace(PLACEHOLDER, &secret()).as_bytes())?;
    }
    Ok(sessions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tour_is_ten_days_after_the_last_session() {
        assert_eq!(now().to_string(), "2026-04-12T10:00:00Z");
    }
}
