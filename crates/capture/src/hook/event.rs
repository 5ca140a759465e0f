//! What we make of a hook, whichever agent sent it.

use std::path::PathBuf;

use lore_core::SessionId;

/// Something an agent told us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookEvent {
    /// The agent's short name, such as `claude-code`.
    pub agent: &'static str,
    /// The agent's own name of the event, which it expects to see again in the reply.
    pub name: String,
    /// The session it belongs to.
    pub session: SessionId,
    /// The folder the agent works in, which may be another worktree than the one it began in.
    pub directory: Option<PathBuf>,
    /// Where the agent writes the session down.
    pub transcript: Option<PathBuf>,
    /// What happened.
    pub told: Told,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// A session begins, or begins again.
    Begin(Begun),
    /// Somebody sends a prompt.
    Prompt {
        /// The words.
        text: String,
        /// Whether a person or a program of theirs sent it, rather than the agent's own machinery.
        asked: bool,
    },
    /// A tool is used.
    Tool {
        /// Whether it is about to be used, and can be refused, or has been.
        stage: Stage,
        /// What it does.
        act: Act,
    },
    /// A tool was used and failed.
    Failed {
        /// What it was to do.
        act: Act,
        /// What it printed, or what the agent says of it.
        error: String,
    },
    /// The agent has answered, or is about to drop what it remembers; the session goes on.
    Rest,
    /// The session is over, or at least left.
    End,
    /// Something we have no use for; an agent may send more than we know of.
    Other,
}

/// When a tool's hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Before the tool runs.
    Before,
    /// After it has.
    After,
}

/// What a tool does, as far as it shows how far a change is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// It reads or searches files, or lists steps.
    Reads,
    /// It shows a plan.
    Plans(String),
    /// It changes these files, as far as they are named.
    Edits(Vec<String>),
    /// It runs a command line.
    Runs(String),
    /// Anything else.
    Other,
}

/// How a session began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begun {
    /// There is nothing in it yet.
    Empty,
    /// It goes on with everything that was in it.
    Resumed,
    /// What was in it is gone or was summarised.
    Emptied,
}

/// A hook's message cannot be understood.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// We know no such agent.
    #[error("`{0}` is no agent whose hooks we know")]
    Agent(String),
    /// It is not the JSON object we expect.
    #[error("the hook's message cannot be read")]
    Message(#[source] serde_json::Error),
}
