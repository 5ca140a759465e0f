//! A session in the making: every text that enters it is cleaned and redacted here.

use jiff::Timestamp;
use lore_core::session::{Author, Block, Branch, Channel, FileAction, Outcome, Session, ToolCall, Turn};
use lore_core::{Diagnostic, Level, SessionId, command};

use crate::cleaning::decoded;
use crate::tools::{Manner, command_of, files_of, manner_of, shortened};
use crate::{Arguments, Cleaner, Input, Keep, Phrases};

/// Most diagnostics one session carries; the last one says how many more there were.
const MOST_DIAGNOSTICS: usize = 50;
/// Most tools whose ways are remembered.
const MOST_MANNERS: usize = 32;

/// A use of a tool as the transcript has it.
#[derive(Debug, Clone, Copy)]
pub struct ToolUse<'a> {
    /// The agent's id for the call.
    pub id: Option<&'a str>,
    /// The tool's name.
    pub name: &'a str,
    /// 1-based record.
    pub line: u32,
    /// The arguments.
    pub arguments: &'a Arguments<'a>,
}

/// Builds one session.
#[derive(Debug)]
pub struct Draft<'a> {
    /// What is there so far. Texts are set through the methods of the draft.
    pub session: Session,
    cleaner: Cleaner<'a>,
    keep: Keep,
    listen: Option<&'a Phrases>,
    manners: Vec<(String, Manner)>,
    file: String,
    kept: usize,
    room: usize,
    unreported: u32,
    is_overfull: bool,
}

impl<'a> Draft<'a> {
    /// Begins a session read from the input.
    pub fn new(input: &Input<'a>, agent: &str, id: &str) -> Draft<'a> {
        let file = input.path.to_string_lossy().replace('\\', "/");
        let session = Session {
            id: SessionId::new(id),
            agent: agent.to_owned(),
            origin: file.clone(),
            ..Session::default()
        };
        let room = input.options.limits.session;
        Draft {
            session,
            cleaner: Cleaner::new(input.options),
            keep: if input.options.listen.is_some() { Keep::Conversation } else { input.options.keep },
            listen: input.options.listen.as_deref(),
            manners: Vec::new(),
            file,
            kept: 0,
            room,
            unreported: 0,
            is_overfull: false,
        }
    }

    /// Makes a turn of prose; nothing where no words are left after cleaning.
    pub fn turn(&mut self, author: Author, channel: Channel, line: u32, text: &str) -> Option<Turn> {
        let block = self.block(line, text)?;
        Some(Turn { blocks: vec![block], ..self.empty_turn(author, channel) })
    }

    /// Makes a turn with nothing in it yet.
    pub fn empty_turn(&self, author: Author, channel: Channel) -> Turn {
        Turn {
            author,
            channel,
            telltale: None,
            blocks: Vec::new(),
            tool_calls: Vec::new(),
            at: None,
            native_id: None,
            model: None,
            branch: Branch::Live,
        }
    }

    /// Makes a block of prose; nothing where no words are left after cleaning.
    ///
    /// A session with more words than anyone can have written keeps its turns without them.
    pub fn block(&mut self, line: u32, text: &str) -> Option<Block> {
        if self.listen.is_some() {
            return None;
        }
        if self.kept > 2 * self.room {
            if !self.is_overfull {
                self.is_overfull = true;
                let message =
                    format!("the session has more than {} bytes of text; the rest is left out", self.kept);
                self.diagnose(Level::Warning, "session-too-long", line, message);
            }
            return None;
        }
        let text = self.cleaner.prose(text);
        self.kept += text.len();
        (!text.trim().is_empty()).then_some(Block { line, text })
    }

    /// Makes a tool call whose result is not known yet.
    pub fn call(&mut self, tool: ToolUse<'_>) -> ToolCall {
        let mut arguments = String::new();
        let mut command = None;
        let mut files = Vec::new();
        if self.kept <= self.room && self.listen.is_none() {
            let manner = self.manner_of(tool.name);
            command = command_of(manner, tool.arguments)
                .map(|command| self.cleaner.argument(&command).into_owned());
            files = files_of(manner, tool.arguments);
            if self.keep == Keep::Everything || files.iter().any(|touch| touch.action != FileAction::Read) {
                arguments = shortened(tool.arguments, &mut self.cleaner);
            }
        }
        for file in &mut files {
            file.path = self.cleaner.short(&file.path);
        }
        self.kept += arguments.len();
        ToolCall {
            id: tool.id.and_then(|id| self.id(id)),
            name: self.id(tool.name).unwrap_or_default(),
            line: tool.line,
            result_line: None,
            arguments,
            command,
            outcome: Outcome::Unknown,
            output: String::new(),
            files,
        }
    }

    /// Remembers what the tools do that were used before: there are few, and each is used often.
    fn manner_of(&mut self, tool: &str) -> Manner {
        if let Some((_, manner)) = self.manners.iter().find(|(known, _)| known == tool) {
            return *manner;
        }
        let manner = manner_of(tool);
        if self.manners.len() < MOST_MANNERS {
            self.manners.push((tool.to_owned(), manner));
        }
        manner
    }

    /// Gives a call its result.
    pub fn answer(&mut self, call: &mut ToolCall, line: u32, outcome: Outcome, output: &str) {
        call.result_line = Some(line);
        call.outcome = outcome;
        if let Some(phrases) = self.listen {
            phrases.note(output.as_bytes(), line, &mut self.session.printed);
        } else if self.keeps_output() {
            call.output = self.output(output);
        } else if self.keeps_verdict(call, outcome) {
            call.output = self.cleaner.failure(output);
            self.kept += call.output.len();
        }
    }

    /// Gives a call its result, which stands in the file as a JSON string.
    pub(crate) fn answer_json(&mut self, call: &mut ToolCall, line: u32, outcome: Outcome, raw: &[u8]) {
        call.result_line = Some(line);
        call.outcome = outcome;
        if let Some(phrases) = self.listen {
            phrases.note(raw, line, &mut self.session.printed);
        } else if self.keeps_output() {
            call.output = self.cleaner.output_json(raw);
            self.kept += call.output.len();
        } else if self.keeps_verdict(call, outcome) {
            call.output = self.cleaner.failure(&decoded(raw));
            self.kept += call.output.len();
        }
    }

    /// Looks for phrases in output that no call claims, where somebody asked for that.
    pub(crate) fn overhear(&mut self, line: u32, output: &str) {
        if let Some(phrases) = self.listen {
            phrases.note(output.as_bytes(), line, &mut self.session.printed);
        }
    }

    fn keeps_output(&self) -> bool {
        self.keep == Keep::Everything && self.kept <= self.room
    }

    /// What a failing call said is part of how the session went; so is what tests and commits said, whose
    /// exit codes are often lost in a pipe.
    fn keeps_verdict(&self, call: &ToolCall, outcome: Outcome) -> bool {
        let tells = |command: &str| command::runs_tests(command) || command::makes_commit(command);
        (outcome == Outcome::Failed || call.command.as_deref().is_some_and(tells)) && self.kept <= self.room
    }

    /// Passes tool output through the gate.
    pub fn output(&mut self, output: &str) -> String {
        if self.kept > self.room {
            return String::new();
        }
        let text = self.cleaner.output(output);
        self.kept += text.len();
        text
    }

    /// Passes something short (title, branch, folder) through the gate; nothing where it is empty.
    pub fn short(&mut self, text: &str) -> Option<String> {
        let text = self.cleaner.short(text);
        (!text.is_empty()).then_some(text)
    }

    /// Passes an id that a program made; what looks like anything else goes through the gate.
    pub fn id(&mut self, text: &str) -> Option<String> {
        let is_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
        if (1..=48).contains(&text.len()) && text.bytes().all(is_id) {
            return Some(text.to_owned());
        }
        self.short(text)
    }

    /// Widens the time the session took.
    pub fn seen_at(&mut self, at: Option<Timestamp>) {
        let Some(at) = at else { return };
        if self.session.started.is_none_or(|started| at < started) {
            self.session.started = Some(at);
        }
        if self.session.ended.is_none_or(|ended| at > ended) {
            self.session.ended = Some(at);
        }
    }

    /// Notes something odd about the source.
    pub fn diagnose(&mut self, level: Level, code: &str, line: u32, message: impl Into<String>) {
        let finding = Diagnostic::new(level, code, self.file.clone(), message).at_line(line);
        self.add_diagnostics([finding]);
    }

    /// Adds findings made elsewhere.
    pub fn add_diagnostics(&mut self, findings: impl IntoIterator<Item = Diagnostic>) {
        for mut finding in findings {
            if self.session.diagnostics.len() < MOST_DIAGNOSTICS {
                finding.message = self.cleaner.short(&finding.message);
                self.session.diagnostics.push(finding);
            } else {
                self.unreported += 1;
            }
        }
    }

    /// Returns the path the session was read from, as diagnostics name it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Ends the session.
    pub fn finish(mut self) -> Session {
        if self.unreported > 0 {
            let message = format!("{} more findings are not listed", self.unreported);
            let more = Diagnostic::new(Level::Note, "more-findings", self.file, message);
            self.session.diagnostics.push(more);
        }
        self.session.redactions = self.cleaner.redactions();
        self.session
    }
}
