//! What a lesson is about: testing, environment, tooling, external, architecture or workflow.

use std::collections::BTreeMap;

use lore_core::SignalType;

use super::Friction;

/// Words of each category, for telling what a lesson is about.
const CATEGORIES: [(&str, &[&str]); 6] = [
    (
        "testing",
        &[
            "test",
            "tests",
            "tdd",
            "coverage",
            "flaky",
            "suite",
            "assert",
            "fixture",
            "mock",
            "ci",
            "verification",
        ],
    ),
    (
        "environment",
        &[
            "install",
            "installer",
            "path",
            "node",
            "env",
            "docker",
            "permission",
            "machine",
            "version",
            "shell",
            "credential",
            "token",
            "runtime",
            "profile",
        ],
    ),
    (
        "tooling",
        &[
            "script", "cli", "hook", "sensor", "tool", "lint", "linter", "command", "editor", "build",
            "workflow", "template",
        ],
    ),
    (
        "external",
        &["api", "upstream", "network", "provider", "fork", "rate", "remote", "npm", "github", "service"],
    ),
    (
        "architecture",
        &[
            "schema",
            "module",
            "dependency",
            "import",
            "design",
            "interface",
            "migration",
            "contract",
            "refactor",
            "cycle",
            "data",
        ],
    ),
    (
        "workflow",
        &[
            "plan",
            "scope",
            "commit",
            "branch",
            "review",
            "merge",
            "release",
            "deviation",
            "phase",
            "handoff",
            "cleanup",
            "summary",
            "declared",
            "approval",
        ],
    ),
];

/// Tells the category that most of what signals are called and tagged with belongs to.
pub(super) fn category(ordered: &[&Friction], subjects: &[String]) -> &'static str {
    if ordered.iter().filter(|one| one.signal_type == Some(SignalType::Config)).count() * 2 > ordered.len() {
        return "environment";
    }
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let told: Vec<String> =
        ordered.iter().map(|one| format!("{} {}", one.title, one.tags.join(" ").replace('-', " "))).collect();
    let told = told.join(" ");
    let own = crate::extract::sentence::words(&told).map(|word| (word, 1));
    let words = subjects.iter().map(|word| (word.to_lowercase(), 3)).chain(own);
    for (word, weight) in words {
        for (name, known) in CATEGORIES {
            if known.contains(&word.as_str()) {
                *counts.entry(name).or_default() += weight;
            }
        }
    }
    let order = |name: &str| CATEGORIES.iter().position(|(own, _)| *own == name).unwrap_or(0);
    counts.into_iter().max_by_key(|(name, count)| (*count, order(name))).map_or("workflow", |(name, _)| name)
}
