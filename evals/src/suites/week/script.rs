//! What a recorded session sent to hooks, in order: prompts, tools, failures, stops.

use lore_core::Session;
use lore_core::session::{Author, Channel, FileAction, Outcome, ToolCall};

/// So many ordinary uses of tools are sent of a session; every failure is.
const TOOLS: usize = 40;
/// So much of what a command printed is sent.
const ERROR: usize = 2_000;

/// Something that a hook tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    /// The sort of call, as the messages name it.
    pub(super) what: &'static str,
    /// How much of the transcript was written by then, in records.
    pub(super) line: u32,
    /// The prompt, file or command.
    pub(super) text: String,
    /// What a command failed of.
    pub(super) error: String,
}

impl Step {
    fn new(what: &'static str, line: u32, text: &str) -> Step {
        Step { what, line, text: text.to_owned(), error: String::new() }
    }
}

/// Lists what a session sent between its start and its end.
pub(super) fn steps(session: &Session) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut tools, mut answering) = (0, false);
    for turn in session.live_turns() {
        match turn.author {
            Author::Person if is_prompt(turn.channel) => {
                if answering {
                    steps.push(Step::new("stop", turn.line().saturating_sub(1), ""));
                }
                steps.push(Step::new("prompt", turn.line(), &turn.text()));
                answering = false;
            }
            Author::Agent => answering = true,
            _ => {}
        }
        for call in &turn.tool_calls {
            answering = true;
            if tools < TOOLS
                && let Some(step) = used(session, call)
            {
                tools += 1;
                steps.push(step);
            }
            if let (Outcome::Failed, Some(command)) = (call.outcome, &call.command) {
                let error: String = call.output.chars().take(ERROR).collect();
                steps.push(Step { error, ..Step::new("failure", call.line, command) });
            }
        }
    }
    if answering {
        steps.push(Step::new("stop", u32::MAX, ""));
    }
    steps
}

/// Tells whether an agent calls its hook for such words.
fn is_prompt(channel: Channel) -> bool {
    matches!(
        channel,
        Channel::Prompt | Channel::Queued | Channel::CommandArguments | Channel::PastedPlan | Channel::Pasted
    )
}

fn used(session: &Session, call: &ToolCall) -> Option<Step> {
    if let Some(command) = &call.command {
        return Some(Step::new("run", call.line, command));
    }
    let touched = call.files.first()?;
    let what = if touched.action == FileAction::Read { "read" } else { "edit" };
    Some(Step::new(what, call.line, within(session, &touched.path)))
}

/// Names a file as it is named below the project.
fn within<'p>(session: &Session, path: &'p str) -> &'p str {
    let folder = session.directory.as_deref().unwrap_or_default();
    path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/')
}
