//! A transcript, whichever agent left it (capture → distill).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Diagnostic, SessionId, Voice};

/// Everything one session left behind, redacted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Session {
    /// The agent's own id for it.
    pub id: SessionId,
    /// Short name of the agent, such as `claude-code`.
    pub agent: String,
    /// The file or database it was read from.
    pub origin: String,
    /// The folder it worked in when it began.
    pub directory: Option<String>,
    /// The git branch when it began.
    pub branch: Option<String>,
    /// What the agent or the person called it.
    pub title: Option<String>,
    /// Version of the agent.
    pub agent_version: Option<String>,
    /// When the first record was made.
    pub started: Option<Timestamp>,
    /// When the last record was made.
    pub ended: Option<Timestamp>,
    /// The session that started this one, for subagents and forks.
    pub parent: Option<SessionId>,
    /// The issue it belongs to.
    pub issue: Option<String>,
    /// Pull requests it is linked to.
    pub pull_requests: Vec<String>,
    /// Turns, in the order of the live branch; abandoned ones stand where they were made.
    pub turns: Vec<Turn>,
    /// How many values were redacted on the way.
    pub redactions: u32,
    /// What was odd about the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Phrases that somebody looked for and that tools printed, where somebody did.
    #[serde(skip)]
    pub printed: Vec<Printed>,
}

/// A phrase that was looked for and stands in what a tool printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// Its place among those that were looked for.
    pub phrase: usize,
    /// 1-based record of the output.
    pub line: u32,
}

/// One message, whole: an agent that writes a message as several records still makes one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Who wrote it.
    pub author: Author,
    /// By which way it came into the transcript.
    pub channel: Channel,
    /// The prose, block by block.
    pub blocks: Vec<Block>,
    /// What the agent did with it.
    pub tool_calls: Vec<ToolCall>,
    /// When it was made.
    pub at: Option<Timestamp>,
    /// The agent's id for the message.
    pub native_id: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// Whether the conversation went on from here.
    pub branch: Branch,
}

/// A run of prose and the record it stands in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// 1-based record of the transcript.
    pub line: u32,
    /// The text, redacted and cleaned.
    pub text: String,
}

/// Who wrote a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// A person.
    Person,
    /// A coding agent.
    Agent,
    /// A tool's output.
    Tool,
    /// The agent's harness: reminders, notices, summaries, injected context.
    System,
}

/// By which way a turn came into the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// A person typed it and sent it.
    Prompt,
    /// A person typed it while the agent was busy.
    Queued,
    /// A person refused a tool call and said why.
    Rejection,
    /// A person answered a question that the agent put.
    Answer,
    /// A person gave arguments to a slash command.
    CommandArguments,
    /// A person sent a plan that an agent had written; the words are the agent's.
    PastedPlan,
    /// The agent replied.
    Reply,
    /// The agent wrote a plan and asked for approval.
    Plan,
    /// A digest of what went before, made when the context was compacted.
    Summary,
    /// Text that a hook, a skill or a reminder put into the conversation.
    Injected,
    /// A slash command or shell command was echoed, or its output.
    CommandEcho,
    /// A notice of the harness: an interruption, a finished task, an error.
    Notice,
    /// Free-standing tool output that no call claims.
    ToolOutput,
}

impl Channel {
    /// Tells whether the words are a person's own.
    pub const fn is_persons_words(self) -> bool {
        matches!(
            self,
            Channel::Prompt
                | Channel::Queued
                | Channel::Rejection
                | Channel::Answer
                | Channel::CommandArguments
        )
    }
}

/// Whether the conversation went on from a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Branch {
    /// It is on the path that leads to the end.
    #[default]
    Live,
    /// It was rewound: evidence of something tried and given up.
    Abandoned,
}

/// One use of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The agent's id for the call.
    pub id: Option<String>,
    /// The tool, as the agent names it.
    pub name: String,
    /// 1-based record of the call.
    pub line: u32,
    /// 1-based record of the result.
    pub result_line: Option<u32>,
    /// The arguments as JSON text, long values cut.
    pub arguments: String,
    /// The command line, for shells.
    pub command: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// What came back, cut to its beginning and end.
    pub output: String,
    /// Files it touched.
    pub files: Vec<FileTouch>,
}

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It worked.
    Done,
    /// It reported an error.
    Failed,
    /// A person refused it.
    Rejected,
    /// It was stopped half way.
    Interrupted,
    /// The transcript does not say.
    #[default]
    Unknown,
}

/// What a tool did to a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileTouch {
    /// Path as the agent gave it.
    pub path: String,
    /// What was done.
    pub action: FileAction,
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAction {
    /// It was read.
    Read,
    /// It was created or written whole.
    Write,
    /// Part of it was changed.
    Edit,
    /// It was removed.
    Delete,
}

impl Turn {
    /// Makes a turn with one block of prose and nothing else.
    pub fn prose(author: Author, channel: Channel, line: u32, text: impl Into<String>) -> Turn {
        Turn {
            author,
            channel,
            blocks: vec![Block { line, text: text.into() }],
            tool_calls: Vec::new(),
            at: None,
            native_id: None,
            model: None,
            branch: Branch::Live,
        }
    }

    /// Joins the blocks, with an empty line between them.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.blocks.iter().map(|block| block.text.as_str()).collect();
        texts.join("\n\n")
    }

    /// Returns the record the turn begins at.
    pub fn line(&self) -> u32 {
        let prose = self.blocks.first().map(|block| block.line);
        let call = self.tool_calls.first().map(|call| call.line);
        prose.into_iter().chain(call).min().unwrap_or(0)
    }

    /// Returns whose words they are when they are quoted as evidence.
    pub fn voice(&self) -> Voice {
        match (self.author, self.channel) {
            (Author::Person, Channel::PastedPlan) | (Author::Agent | Author::System, _) => Voice::Agent,
            (Author::Person, _) => Voice::Person,
            (Author::Tool, _) => Voice::Tool,
        }
    }
}

impl Session {
    /// Lists the turns the conversation went on from.
    pub fn live_turns(&self) -> impl Iterator<Item = &Turn> {
        self.turns.iter().filter(|turn| turn.branch == Branch::Live)
    }
}
