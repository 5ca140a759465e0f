//! Commands that could not even begin: a wrong word, a missing module, a service that is not there.
//!
//! Once is no friction, whoever ran it tries something else. The same in session after session is what somebody
//! should have said once, and what worked instead is what they should have said.

use std::sync::LazyLock;

use lore_core::session::{Session, ToolCall};
use lore_core::{Severity, SignalType};
use regex::Regex;

use super::ended::{TOLD, by_calls};
use super::work::{command_head, error_line, error_shape, failed, missing_program};
use super::{Sensed, cut};

/// An error of whoever called, or of where it was called; that code is wrong is work and no misfire.
static MISFIRED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:",
        r"(?:unrecogni[sz]ed|unknown|invalid|unexpected) (?:sub-?command|command|option|flag|argument|switch)s?\b|",
        r"no such (?:sub)?command|missing script|no matches found: |event not found|bad substitution|",
        r"cannot find module|module not found|no module named|modulenotfounderror|externally-managed-environment|",
        r"not a git repository|dubious ownership|is not installed|is not recognized as|",
        r"cannot connect to the docker daemon|connection refused|econnrefused|address already in use|eaddrinuse|",
        r"permission denied|not logged in|authentication (?:failed|required)|could not read username|",
        r"environment variable \S+ (?:is )?(?:not set|required|missing)|unsupported engine|requires node",
        r")"
    ))
    .expect("the pattern is a constant")
});

/// Finds the misfires of a session, each once, with what worked instead or made it work.
pub fn misfires(session: &Session) -> Vec<Sensed> {
    let calls: Vec<(&ToolCall, Option<jiff::Timestamp>)> =
        session.live_turns().flat_map(|turn| turn.tool_calls.iter().map(|call| (call, turn.at))).collect();
    let mut found: Vec<Sensed> = Vec::new();
    for (place, (call, at)) in calls.iter().enumerate() {
        let Some((command, error)) = misfired(call) else { continue };
        let head = cut(&command_head(command), TOLD);
        let program = head.split_whitespace().next().unwrap_or_default();
        let subject = format!("misfire {program}: {}", error_shape(&error));
        if program.is_empty() || found.iter().any(|known| known.subject == subject) {
            continue;
        }
        let told = format!("`{head}` could not run: {}", error.trim_end_matches('.'));
        found.push(Sensed {
            line: call.line,
            at: *at,
            happened: format!("{told}."),
            context: format!("`{head}` ended with: {error}"),
            why: vec![format!("misfire: {error}")],
            remedy: by_calls(&head, calls[place + 1..].iter().map(|(call, _)| *call)),
            subject,
            command: Some(head),
            error: Some(error),
            is_faint: true,
            ..Sensed::new(SignalType::Struggle, Severity::Low, cut(&told, 110))
        });
    }
    found
}

fn misfired(call: &ToolCall) -> Option<(&str, String)> {
    let command = call.command.as_deref().filter(|_| failed(call))?;
    // What a shell does not find is told as a struggle already.
    if missing_program(&call.output).is_some() {
        return None;
    }
    let error = error_line(&call.output)?;
    // A line of code that is shown with its number says what some program says, not what happened.
    let is_shown = error.trim_start().starts_with(|c: char| c.is_ascii_digit()) && error.contains(" | ");
    (MISFIRED.is_match(&error) && !is_shown).then_some((command, error))
}

#[cfg(test)]
mod tests {
    use lore_core::session::Outcome;

    use super::super::tests::Talk;

    #[test]
    fn a_misfire_is_told_with_what_worked_instead() {
        let told = Talk::default()
            .runs("hoist sail up", Outcome::Failed, "error: unrecognized subcommand 'sail'")
            .runs("hoist sail up", Outcome::Failed, "error: unrecognized subcommand 'sail'")
            .runs("hoist sail --help", Outcome::Done, "")
            .runs("sail up", Outcome::Done, "")
            .misfires();
        assert_eq!(told.len(), 1, "once in a session: {told:?}");
        assert_eq!(told[0].remedy.as_deref(), Some("Run `sail up` instead of `hoist sail up`."));
        assert!(told[0].is_faint && told[0].error.is_some());
    }

    #[test]
    fn what_was_run_first_made_it_work() {
        let told = Talk::default()
            .runs("hoist main", Outcome::Failed, "Error: Cannot find module 'rope'")
            .runs("ls rig", Outcome::Done, "")
            .runs("rig install", Outcome::Done, "")
            .runs("hoist main", Outcome::Done, "")
            .misfires();
        assert_eq!(told[0].remedy.as_deref(), Some("Run `rig install` first."));
    }

    #[test]
    fn what_fails_because_code_is_wrong_is_none() {
        let told = Talk::default()
            .runs("hoist test", Outcome::Failed, "error: 3 tests failed")
            .runs("grep rope rig", Outcome::Failed, "")
            .runs("hoist", Outcome::Failed, "bash: hoist: command not found")
            .runs("hoist main", Outcome::Done, "error: unknown option `--slow`")
            .runs("hoist test", Outcome::Failed, "12 | expect(said).to('unknown option')")
            .misfires();
        assert_eq!(told, []);
    }
}
