//! What agents write into a tool's result when a person did not let the tool run.

/// A call that did not run to its end because of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal<'a> {
    /// It was refused, perhaps with a reason.
    Rejected(Option<&'a str>),
    /// It was stopped.
    Interrupted,
}

/// Beginnings of results of refused calls.
const REJECTED: &[&str] = &[
    "the user rejected",
    "the user denied",
    "user denied",
    "user rejected",
    "the user has declined to run this tool",
    "the user declined",
    "the user doesn't want to",
    "[operation cancelled] reason: user did not allow",
    "user did not allow",
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
    "command rejected by user",
    "permission denied by user",
];

/// Beginnings of results of stopped calls.
const INTERRUPTED: &[&str] = &[
    "aborted by user",
    "command aborted by user",
    "tool execution aborted",
    "the user aborted",
    "[operation cancelled]",
    "[request interrupted by user",
    "interrupted by user",
];

/// What stands before the reason.
const BEFORE_REASON: &[&str] = &[
    "with the following feedback:",
    "provided the following feedback:",
    "the user said:",
    "user feedback:",
    "with feedback:",
    "feedback:",
];

/// Reads whether and why a person refused a call from the beginning of its result.
pub(crate) fn refusal(output: &str) -> Option<Refusal<'_>> {
    let text = output.trim();
    let text = text.strip_prefix("Error:").map_or(text, str::trim_start);
    let begins = |openings: &[&str]| openings.iter().any(|opening| starts_with(text, opening));
    if begins(REJECTED) {
        return Some(Refusal::Rejected(reason(text)));
    }
    begins(INTERRUPTED).then_some(Refusal::Interrupted)
}

fn starts_with(text: &str, opening: &str) -> bool {
    text.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening))
}

fn reason(text: &str) -> Option<&str> {
    // Searched in a copy of the same length: only ASCII letters change.
    let lower = text.to_ascii_lowercase();
    let end = BEFORE_REASON.iter().find_map(|words| lower.find(words).map(|at| at + words.len()))?;
    let reason = text.get(end..)?.trim();
    let reason = match reason.strip_prefix("<feedback>") {
        Some(inner) => inner.split("</feedback>").next().unwrap_or(inner),
        None => reason,
    };
    Some(reason.trim().trim_matches('"')).filter(|reason| !reason.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_from_output() {
        let check =
            |output: &str, expected: Option<Refusal<'_>>| assert_eq!(refusal(output), expected, "{output}");
        check("Everything up to date", None);
        check("log: the user rejected the cookie", None);
        check("exec command rejected by user", Some(Refusal::Rejected(None)));
        check("aborted by user after 3.2s", Some(Refusal::Interrupted));
        check("The user denied this operation.", Some(Refusal::Rejected(None)));
        check(
            "The user denied this operation and provided the following feedback:\n<feedback>\nkeep the old route\n</feedback>",
            Some(Refusal::Rejected(Some("keep the old route"))),
        );
        check(
            "Error: The user rejected permission to use this specific tool call with the following feedback: not in main",
            Some(Refusal::Rejected(Some("not in main"))),
        );
    }
}
