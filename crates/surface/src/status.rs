//! How far a piece of work was at the time: true for a minute, and no knowledge.

use crate::wording::{Sort, offers};

/// What is checked again and again, …
const CHECKS: [&str; 10] =
    ["test", "tests", "check", "checks", "build", "builds", "suite", "pipeline", "ci", "lint"];
/// … and how it came out the last time.
const OUTCOMES: [&str; 14] = [
    "pass",
    "passes",
    "passed",
    "passing",
    "fail",
    "fails",
    "failed",
    "failing",
    "green",
    "red",
    "broken",
    "compiles",
    "succeeds",
    "succeeded",
];
/// What somebody does to a process, told without saying who.
const HANDLED: [&str; 12] = [
    "started",
    "starting",
    "stopped",
    "stopping",
    "restarted",
    "restarting",
    "launched",
    "killed",
    "running",
    "rerunning",
    "waiting",
    "checking",
];
/// A longer sentence says more than that.
const SHORT: usize = 14;
/// How it came out stands near what was checked.
const NEAR: usize = 4;

/// Tells whether a sentence says how things stood at the moment: "Started the pump; all tests pass".
pub(crate) fn is_status(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_handled = words.first().is_some_and(|first| HANDLED.contains(first)) && words.len() > 1;
    let lasts = [
        "must", "should", "always", "never", "only", "every", "each", "if", "when", "unless", "before",
        "until",
    ];
    if words.len() > SHORT || words.iter().any(|word| lasts.contains(word)) || offers(text, Sort::Reason) {
        // "One test fails: …" goes on with what it printed.
        let head = lower
            .split_once(':')
            .map(|(head, _)| head)
            .filter(|head| head.split_whitespace().count() <= NEAR + 1);
        return head.is_some_and(came_out);
    }
    is_handled || came_out(&lower)
}

fn came_out(lower: &str) -> bool {
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (0..words.len()).filter(|at| CHECKS.contains(&words[*at])).any(|at| {
        let next = &words[at + 1..words.len().min(at + 1 + NEAR)];
        next.iter().any(|word| OUTCOMES.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_stands_at_the_moment_is_told_from_how_it_is() {
        let check = |text: &str, expected: bool| assert_eq!(is_status(text), expected, "{text}");
        check("Started the pump; all tests pass.", true);
        check("All 14 tests pass now.", true);
        check(
            "One test fails: `bilge_is_dry` expected 3 litres, got 4, since the float in the tank of the second pump sticks",
            true,
        );
        check("The build is green again.", true);
        check("Restarting the pump.", true);
        check("All tests must pass before a boat leaves.", false);
        check("The float test fails because the switch bounces.", false);
        check("The pump runs for three minutes.", false);
        check("Tests live beside the code.", false);
        check("We started renting boats in May.", false);
    }
}
