//! A conversation put together record by record: turns in their order, results joined to calls.

use std::collections::HashMap;
use std::ops::Range;

use jiff::Timestamp;
use lore_core::Session;
use lore_core::session::{Author, Branch, Channel, Outcome, ToolCall, Turn};
use serde_json::Value;

use crate::refusal::{Refusal, refusal};
use crate::{Arguments, Draft, Input, ToolUse, classify};

/// Where in the transcript we are: what is added next bears this record's line, time and id.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Record<'r> {
    /// 1-based number.
    pub(crate) line: u32,
    /// When it was made.
    pub(crate) at: Option<Timestamp>,
    /// The agent's id for it.
    pub(crate) id: Option<&'r str>,
}

/// What a tool gave back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ToolResult<'r> {
    /// The call it answers.
    pub(crate) id: Option<&'r str>,
    /// How it ended, as far as the transcript says.
    pub(crate) outcome: Outcome,
    /// What came back.
    pub(crate) output: &'r str,
}

/// Builds one session out of records that follow each other.
#[derive(Debug)]
pub(crate) struct Conversation<'a> {
    pub(crate) draft: Draft<'a>,
    model: Option<String>,
    /// Whether another agent, not a person, writes in the user's place.
    pub(crate) delegated: bool,
    turns: Vec<Turn>,
    line: u32,
    at: Option<Timestamp>,
    id: Option<String>,
    calls: HashMap<String, (usize, usize)>,
    reply: Option<usize>,
    answered: bool,
}

impl<'a> Conversation<'a> {
    pub(crate) fn new(input: &Input<'a>, agent: &str, id: &str) -> Conversation<'a> {
        Conversation {
            draft: Draft::new(input, agent, id),
            model: None,
            delegated: false,
            turns: Vec::new(),
            line: 0,
            at: None,
            id: None,
            calls: HashMap::new(),
            reply: None,
            answered: false,
        }
    }

    /// Goes on to a record.
    pub(crate) fn record(&mut self, record: Record<'_>) {
        self.line = record.line;
        self.at = record.at;
        self.id = record.id.map(str::to_owned);
        self.draft.seen_at(record.at);
    }

    /// Says which model writes the replies from here on; nothing leaves it as it was.
    pub(crate) fn written_by(&mut self, model: Option<&str>) {
        self.model = model.and_then(|model| self.draft.short(model)).or_else(|| self.model.take());
    }

    /// Counts the turns so far.
    pub(crate) fn len(&self) -> usize {
        self.turns.len()
    }

    /// Returns the turns so far.
    pub(crate) fn turns(&mut self) -> &mut Vec<Turn> {
        &mut self.turns
    }

    /// Adds what stands in the user's place, taken apart by who wrote it; the pieces that a person
    /// wrote make one turn.
    pub(crate) fn prompt(&mut self, text: &str) -> Range<usize> {
        let from = self.turns.len();
        let mut persons: Option<usize> = None;
        for writing in classify(text) {
            // What an agent hands to another is not taken apart: none of it was typed.
            let channel = if self.delegated { Channel::Injected } else { writing.channel };
            match persons {
                Some(index) if writing.author == Author::Person && self.turns[index].channel == channel => {
                    let block = self.draft.block(self.line, writing.text);
                    self.turns[index].blocks.extend(block);
                }
                _ => {
                    let added = self.say(writing.author, writing.channel, writing.text);
                    if let Some(index) = added.filter(|_| !self.delegated) {
                        self.turns[index].telltale = writing.telltale;
                    }
                    // What was pasted in between does not part what was typed.
                    let is_own = self.delegated || writing.channel.is_persons_words();
                    if writing.author == Author::Person && is_own {
                        persons = added.or(persons);
                    }
                }
            }
        }
        from..self.turns.len()
    }

    /// Adds a turn as it is; nothing where no words are left after cleaning.
    pub(crate) fn say(&mut self, author: Author, channel: Channel, text: &str) -> Option<usize> {
        // Tool output and notices may come while a reply goes on; a prompt ends it.
        if author == Author::Person || channel == Channel::Summary {
            self.reply = None;
        }
        let (author, channel) = match author {
            Author::Person if self.delegated => (Author::Agent, Channel::Injected),
            _ => (author, channel),
        };
        let turn = self.draft.turn(author, channel, self.line, text)?;
        Some(self.push(turn))
    }

    /// Ends the reply, so that the next words or calls of the agent make a new one.
    pub(crate) fn end_reply(&mut self) {
        self.reply = None;
    }

    /// Says that the reply goes on behind a result, as where calls and results stand within it.
    pub(crate) fn go_on(&mut self) {
        self.answered = false;
    }

    /// Adds words of the agent to the reply that is open, or begins one.
    pub(crate) fn reply(&mut self, text: &str) {
        if self.answered {
            self.reply = None;
        }
        let Some(block) = self.draft.block(self.line, text) else { return };
        let index = self.open_reply();
        self.turns[index].blocks.push(block);
    }

    /// Adds a call to the reply that is open, or begins one.
    pub(crate) fn call(&mut self, id: Option<&str>, name: &str, arguments: &Value) {
        if self.answered {
            self.reply = None;
        }
        let arguments = &Arguments::of(arguments);
        let call = self.draft.call(ToolUse { id, name, line: self.line, arguments });
        let index = self.open_reply();
        let turn = &mut self.turns[index];
        turn.tool_calls.push(call);
        if let Some(id) = id {
            self.calls.insert(id.to_owned(), (index, turn.tool_calls.len() - 1));
        }
    }

    /// Joins a result to its call; one that no call claims stands by itself.
    ///
    /// Its words are the tool's, whatever they say: see [`Conversation::refused`].
    pub(crate) fn result(&mut self, result: ToolResult<'_>) {
        let known = result.id.and_then(|id| self.calls.get(id)).copied();
        let refused = refusal(result.output);
        let outcome = match &refused {
            Some(Refusal::Rejected(_)) => Outcome::Rejected,
            Some(Refusal::Interrupted) => Outcome::Interrupted,
            None => result.outcome,
        };
        match known {
            Some((turn, call)) => {
                let call = &mut self.turns[turn].tool_calls[call];
                self.draft.answer(call, self.line, outcome, result.output);
                if self.reply == Some(turn) {
                    self.answered = true;
                }
            }
            None => {
                self.draft.overhear(self.line, result.output);
                let output = self.draft.output(result.output);
                self.say(Author::Tool, Channel::ToolOutput, &output);
            }
        }
    }

    /// Adds what a person said when they refused a call.
    ///
    /// Only for a result of which the record's own fields, not its words, say that a person gave it:
    /// a server or a file can print any sentence.
    pub(crate) fn refused(&mut self, output: &str) {
        if let Some(Refusal::Rejected(Some(reason))) = refusal(output) {
            self.say(Author::Person, Channel::Rejection, reason);
        }
    }

    /// Adds a command that a person ran beside the agent, with what came of it.
    pub(crate) fn command_of_person(&mut self, command: &str, outcome: Outcome, output: &str) {
        let Some(index) = self.say(Author::System, Channel::CommandEcho, command) else { return };
        let arguments = Arguments::Map(vec![("command".into(), Arguments::Text(command.into()))]);
        let tool = ToolUse { id: None, name: "shell", line: self.line, arguments: &arguments };
        let mut call = self.draft.call(tool);
        self.draft.answer(&mut call, self.line, outcome, output);
        self.turns[index].tool_calls.push(call);
    }

    /// Returns the name of the tool that a call used.
    pub(crate) fn tool_of(&self, id: &str) -> Option<&str> {
        let (turn, call) = self.calls.get(id)?;
        Some(&self.turns[*turn].tool_calls[*call].name)
    }

    /// Returns a call by its id.
    pub(crate) fn call_mut(&mut self, id: &str) -> Option<&mut ToolCall> {
        let (turn, call) = self.calls.get(id)?;
        self.turns.get_mut(*turn)?.tool_calls.get_mut(*call)
    }

    /// Notes that a person stopped the agent: calls without a result were cut off.
    pub(crate) fn interrupt(&mut self, notice: &str) {
        if let Some(turn) = self.reply.map(|index| &mut self.turns[index]) {
            for call in turn.tool_calls.iter_mut().filter(|call| call.result_line.is_none()) {
                call.outcome = Outcome::Interrupted;
            }
        }
        self.say(Author::System, Channel::Notice, notice);
        self.end_reply();
    }

    /// Marks everything from a turn on as given up, where there is such a turn.
    pub(crate) fn abandon_from(&mut self, turn: Option<usize>) {
        self.abandon(turn.unwrap_or(self.turns.len())..self.turns.len());
    }

    /// Marks turns as given up.
    pub(crate) fn abandon(&mut self, turns: Range<usize>) {
        for turn in self.turns.get_mut(turns).into_iter().flatten() {
            turn.branch = Branch::Abandoned;
        }
    }

    /// Ends the session.
    pub(crate) fn finish(mut self) -> Session {
        self.draft.session.turns = self.turns;
        self.draft.finish()
    }

    fn open_reply(&mut self) -> usize {
        self.answered = false;
        if let Some(index) = self.reply {
            return index;
        }
        let turn = self.draft.empty_turn(Author::Agent, Channel::Reply);
        let index = self.push(turn);
        self.reply = Some(index);
        index
    }

    fn push(&mut self, mut turn: Turn) -> usize {
        turn.at = self.at;
        turn.native_id = self.id.clone();
        if turn.author == Author::Agent && turn.channel != Channel::Injected {
            turn.model = self.model.clone();
        }
        self.turns.push(turn);
        self.turns.len() - 1
    }
}
