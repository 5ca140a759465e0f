//! Replays what attackers, crashes and careless colleagues do: every test that docs/security.md names.

use std::collections::BTreeSet;
use std::process::Command;

use crate::context::{Context, Failure};
use crate::report::Report;

/// Where the threats stand, each with the tests that hold it.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/security.md");

/// The test that has an obedient model carry out what hostile packets want.
const INJECTION: &str = "sixty_hostile_packets_and_none_gets_through";

/// Runs the tests and counts.
pub(crate) fn run(_context: &Context) -> Result<Report, Failure> {
    let named = named(&std::fs::read_to_string(PAGE)?);
    let output = Command::new(env!("CARGO"))
        .args(["test", "--workspace", "--no-fail-fast", "--"])
        .args(&named)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut report = Report::default();
    let ended = |name: &str, how: &str| {
        told.lines().any(|line| {
            let test = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
            test.is_some_and(|(test, ending)| {
                test.rsplit("::").next() == Some(name) && ending.starts_with(how)
            })
        })
    };
    let failed: Vec<&String> = named.iter().filter(|name| ended(name, "FAILED")).collect();
    let passed = named.iter().filter(|name| ended(name, "ok") && !ended(name, "FAILED")).count();
    report.set("named", named.len());
    report.set("held", passed);
    report.set("failed", failed.len());
    report.set("not_run", named.len() - passed - failed.len());
    report.set("injected", usize::from(!ended(INJECTION, "ok") || ended(INJECTION, "FAILED")));
    let words: Vec<serde_json::Value> = failed.into_iter().map(|name| name.as_str().into()).collect();
    report.set("which", words);
    Ok(report)
}

/// Lists the tests that a page names: names in code of at least four words.
fn named(page: &str) -> BTreeSet<String> {
    page.split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| {
            name.matches('_').count() >= 3 && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        })
        .map(str::to_owned)
        .collect()
}
