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
    /// What shows that it is not what a person typed; nothing where nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub telltale: Option<Telltale>,
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
    /// A person sent what something or somebody else wrote: a log, a screen, code, another's answer.
    Pasted,
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

/// What shows that a text in the user's place was not typed by a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Telltale {
    /// The record itself says that it was not.
    Record,
    /// It stands in a tag that a harness puts around its own text.
    Tag,
    /// It begins with words that a harness or a client always uses.
    SetWords,
    /// It tells of a task that runs or ended.
    Notification,
    /// It is an instruction to the client, such as `::name{…}`.
    Directive,
    /// It is the name of a command.
    Command,
    /// It tells an agent who it is and what to do, at length.
    Playbook,
    /// The same opening stands in several sessions.
    Template,
    /// It is a plan that was handed over to be carried out.
    Plan,
    /// It is a comment of a reviewing program.
    Review,
    /// It has the headings and emphasis of a document.
    Document,
    /// Its lines begin with times, levels or places in files.
    Log,
    /// It has prompts, boxes or marks of a terminal.
    Screen,
    /// It is the trace of an error.
    Trace,
    /// It is a difference between files.
    Diff,
    /// It is JSON, YAML, a table or the like.
    Data,
    /// It is code.
    Code,
    /// It is quoted: by marks, as a message, or as what somebody else says.
    Quotation,
}

impl Telltale {
    /// Returns whose words such a text holds when it is quoted as evidence.
    const fn voice(self) -> Voice {
        match self {
            Telltale::Log
            | Telltale::Screen
            | Telltale::Trace
            | Telltale::Diff
            | Telltale::Data
            | Telltale::Code
            // Somebody else's words, and nobody knows whose.
            | Telltale::Quotation => Voice::Tool,
            _ => Voice::Agent,
        }
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
            telltale: None,
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
            (Author::Person, Channel::Pasted) => self.telltale.map_or(Voice::Tool, Telltale::voice),
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

    /// Tells whether an agent started it and spoke in the user's place: it is then evidence of the
    /// session that started it. A session that a person resumed or forked has a parent as well.
    pub fn is_delegated(&self) -> bool {
        self.parent.is_some() && self.turns.iter().all(|turn| turn.author != Author::Person)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_words_are_nobodys_own() {
        let check = |channel: Channel, telltale: Option<Telltale>, expected: Voice| {
            let turn = Turn { telltale, ..Turn::prose(Author::Person, channel, 1, "moored") };
            assert_eq!(turn.voice(), expected, "{channel:?} {telltale:?}");
            assert_eq!(channel.is_persons_words(), expected == Voice::Person, "{channel:?}");
        };
        check(Channel::Prompt, None, Voice::Person);
        check(Channel::Queued, None, Voice::Person);
        check(Channel::PastedPlan, Some(Telltale::Plan), Voice::Agent);
        check(Channel::Pasted, Some(Telltale::Review), Voice::Agent);
        check(Channel::Pasted, Some(Telltale::Log), Voice::Tool);
        check(Channel::Pasted, None, Voice::Tool);
    }

    #[test]
    fn telltales_are_written_as_words() {
        let turn = Turn {
            telltale: Some(Telltale::SetWords),
            ..Turn::prose(Author::System, Channel::Notice, 1, "x")
        };
        let json = serde_json::to_value(&turn).expect("is plain data");
        assert_eq!(json["telltale"], "set-words");
        let typed = serde_json::to_value(Turn::prose(Author::Person, Channel::Prompt, 1, "x"))
            .expect("is plain data");
        assert_eq!(typed.get("telltale"), None, "what was typed says nothing");
        assert!(serde_json::from_value::<Turn>(typed).is_ok(), "sessions written before can be read");
    }

    #[test]
    fn a_session_that_a_person_resumed_is_not_a_subagents() {
        let parent = Some(SessionId::new("first"));
        let asked = |author: Author| Session {
            parent: parent.clone(),
            turns: vec![Turn::prose(author, Channel::Prompt, 1, "moor")],
            ..Session::default()
        };
        assert!(asked(Author::Agent).is_delegated());
        assert!(!asked(Author::Person).is_delegated());
        assert!(!Session::default().is_delegated());
    }
}
