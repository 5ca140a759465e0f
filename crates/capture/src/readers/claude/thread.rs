//! One conversation of a Claude Code file: records become turns.

use std::sync::LazyLock;

use jiff::Timestamp;
use lore_core::Session;
use lore_core::session::{Author, Branch, Channel, Outcome, Telltale, Turn};
use memchr::memmem;
use rustc_hash::FxHashMap;

use super::chain::{Chain, Role};
use super::people;
use super::queue::Queue;
use super::wire::{Content, Message, Part, Record, Text};
use crate::cleaning::decoded;
use crate::{Arguments, Draft, ToolUse, Writing, classify};

/// Who speaks in the user's place of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// A person, as far as the text does not tell otherwise.
    Person,
    /// The agent that started this subagent.
    Agent,
}

/// A conversation in the making.
#[derive(Debug)]
pub(super) struct Thread<'a> {
    pub(super) draft: Draft<'a>,
    pub(super) chain: Chain,
    pub(super) queue: Queue,
    speaker: Speaker,
    /// Message id → turn.
    messages: FxHashMap<u64, u32>,
    /// Tool use id → turn and call.
    calls: FxHashMap<u64, (u32, u32)>,
    /// Turn → record in the chain.
    nodes: Vec<Option<u32>>,
    /// Turns that were typed earlier than they were handed over.
    late: Vec<u32>,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'r> {
    pub(super) line: u32,
    pub(super) node: Option<u32>,
    pub(super) at: Option<Timestamp>,
    pub(super) id: Text<'r>,
}

impl<'a> Thread<'a> {
    pub(super) fn new(draft: Draft<'a>, speaker: Speaker) -> Thread<'a> {
        Thread {
            draft,
            chain: Chain::default(),
            queue: Queue::default(),
            speaker,
            messages: FxHashMap::default(),
            calls: FxHashMap::default(),
            nodes: Vec::new(),
            late: Vec::new(),
        }
    }

    /// Ends the conversation: every turn learns whether it was abandoned.
    pub(super) fn finish(mut self) -> Session {
        let turns = self.draft.session.turns.len();
        let abandoned = self.chain.abandoned(turns);
        for (turn, node) in self.draft.session.turns.iter_mut().zip(&self.nodes) {
            let gone = node.and_then(|node| abandoned.get(node as usize)).copied().unwrap_or(false);
            turn.branch = if gone { Branch::Abandoned } else { Branch::Live };
        }
        let late = std::mem::take(&mut self.late);
        in_their_place(&mut self.draft.session.turns, &late);
        self.draft.finish()
    }

    /// Says who speaks in the user's place.
    pub(super) fn set_speaker(&mut self, speaker: Speaker) {
        self.speaker = speaker;
    }

    /// Takes in part of a message of the agent.
    pub(super) fn reply(&mut self, place: Place<'_>, message: &Message<'_>, is_error: bool) {
        let number = self.turn_of_message(place, message, is_error);
        if let Some(node) = place.node {
            self.chain.set_role(node, Role::Turn(number));
        }
        for text in message.content.texts() {
            if text != "(no content)"
                && let Some(block) = self.draft.block(place.line, text)
            {
                self.turn_mut(number).blocks.push(block);
            }
        }
        for part in message.content.parts().iter().filter(|part| is_call(part.kind.written())) {
            self.call(place, number, part);
        }
    }

    fn turn_of_message(&mut self, place: Place<'_>, message: &Message<'_>, is_error: bool) -> u32 {
        let id = if message.id.is_empty() { place.id } else { message.id };
        if let Some(number) = id.key().and_then(|id| self.messages.get(&id)) {
            return *number;
        }
        let channel = if is_error { Channel::Notice } else { Channel::Reply };
        let mut turn = self.draft.empty_turn(Author::Agent, channel);
        turn.native_id = id.some().and_then(|id| self.draft.id(&id));
        let model = message.model.some().filter(|model| model != "<synthetic>");
        turn.model = model.and_then(|model| self.draft.id(&model));
        turn.at = place.at;
        let number = self.push(turn, place.node);
        if let Some(id) = id.key() {
            self.messages.insert(id, number);
        }
        number
    }

    fn call(&mut self, place: Place<'_>, number: u32, part: &Part<'_>) {
        let arguments = part.input.map_or(Arguments::Nothing, Arguments::of_json);
        let (id, name) = (part.id.some(), part.name.get());
        let tool = ToolUse { id: id.as_deref(), name: &name, line: place.line, arguments: &arguments };
        let call = self.draft.call(tool);
        if name == "ExitPlanMode"
            && let Some(plan) = arguments.get("plan").and_then(Arguments::as_text)
            && let Some(block) = self.draft.block(place.line, plan)
        {
            let turn = self.turn_mut(number);
            turn.channel = Channel::Plan;
            turn.blocks.push(block);
        }
        let turn = self.turn_mut(number);
        turn.tool_calls.push(call);
        let at = turn.tool_calls.len() - 1;
        if let Some(id) = part.id.key() {
            self.calls.insert(id, (number, u32::try_from(at).unwrap_or(u32::MAX)));
        }
    }

    /// Takes in what stands in the user's place: prose, and results of tools.
    pub(super) fn user(&mut self, place: Place<'_>, record: &Record<'_>) {
        let mut beside_result = false;
        for part in
            record.message.content.parts().iter().filter(|part| part.kind.written().ends_with(b"tool_result"))
        {
            beside_result = true;
            self.result(place, part, record.structured);
        }
        let mut turns: Vec<Turn> = Vec::new();
        for text in record.message.content.texts() {
            if !(beside_result && self.queue.claims(text)) {
                self.user_text(place, record, text, &mut turns);
            }
        }
        for turn in turns {
            self.push(turn, place.node);
        }
    }

    fn user_text(&mut self, place: Place<'_>, record: &Record<'_>, text: &str, turns: &mut Vec<Turn>) {
        let whole = if record.is_compact_summary.0 {
            Some((Author::System, Channel::Summary))
        } else if record.is_meta.0 {
            Some((Author::System, Channel::Injected))
        } else if self.speaker == Speaker::Agent {
            Some((Author::Agent, Channel::Injected))
        } else if !record.origin.may_be_a_person() {
            Some((Author::System, Channel::Notice))
        } else {
            None
        };
        if let Some((author, channel)) = whole {
            let writing = Writing { author, channel, telltale: Some(Telltale::Record), text };
            return self.piece(place, writing, turns);
        }
        let is_plan = !record.plan_content.is_empty();
        for writing in classify(text) {
            let of_plan = is_plan && matches!(writing.channel, Channel::Prompt | Channel::Pasted);
            self.piece(place, if of_plan { plan(writing) } else { writing }, turns);
        }
    }

    /// Takes in a prompt that was typed while the agent was busy.
    pub(super) fn queued(&mut self, place: Place<'_>, text: &str, is_notice: bool) {
        let mut turns = Vec::new();
        for mut writing in classify(text) {
            if is_notice {
                writing = Writing { telltale: writing.telltale.or(Some(Telltale::Record)), ..writing };
                (writing.author, writing.channel) = (Author::System, Channel::Notice);
            } else if writing.channel == Channel::Prompt {
                writing.channel = Channel::Queued;
            }
            self.piece(place, writing, &mut turns);
        }
        for turn in turns {
            let number = self.push(turn, place.node);
            self.late.push(number);
        }
    }

    /// Takes in the echo of a command; only its arguments are a person's words.
    pub(super) fn echo(&mut self, place: Place<'_>, text: &str) {
        let mut turns = Vec::new();
        for mut writing in classify(text) {
            if writing.author == Author::Person && writing.channel != Channel::CommandArguments {
                (writing.author, writing.channel) = (Author::System, Channel::CommandEcho);
                writing.telltale = Some(Telltale::Record);
            }
            self.piece(place, writing, &mut turns);
        }
        for turn in turns {
            self.push(turn, place.node);
        }
    }

    /// Takes in something the harness says.
    pub(super) fn notice(&mut self, place: Place<'_>, channel: Channel, text: &str) {
        let mut turns = Vec::new();
        let telltale = Some(Telltale::Record);
        self.piece(place, Writing { author: Author::System, channel, telltale, text }, &mut turns);
        for turn in turns {
            self.push(turn, place.node);
        }
    }

    /// Adds a piece of a record: to the turn before where it is of the same kind, else as its own.
    /// What was pasted in between does not part what was typed.
    fn piece(&mut self, place: Place<'_>, writing: Writing<'_>, turns: &mut Vec<Turn>) {
        let Writing { author, channel, telltale, text } = writing;
        let Some(mut turn) = self.draft.turn(author, channel, place.line, text) else { return };
        turn.telltale = telltale;
        let is_same = |turn: &Turn| {
            let is_typed = author == Author::Person && channel.is_persons_words();
            turn.author == author && turn.channel == channel && (is_typed || turn.telltale == telltale)
        };
        let own =
            turns.iter().rposition(|turn| turn.channel != Channel::Pasted || channel == Channel::Pasted);
        if let Some(last) = own.and_then(|at| turns.get_mut(at)).filter(|turn| is_same(turn)) {
            last.blocks.append(&mut turn.blocks);
            return;
        }
        turn.at = place.at;
        turn.native_id = place.id.some().and_then(|id| self.draft.id(&id));
        turns.push(turn);
    }

    /// Joins a result to its call and takes a person's words out of it.
    fn result(&mut self, place: Place<'_>, part: &Part<'_>, structured: Option<&[u8]>) {
        let owner = part.tool_use_id.key().and_then(|id| self.calls.get(&id)).copied();
        if let (Some((turn, _)), Some(node)) = (owner, place.node) {
            self.chain.set_role(node, Role::Turn(turn));
        }
        let raw = part.content.unwrap_or(b"\"\"");
        // Words of a person may stand in it, or it is taken apart; all else is decoded where it is kept.
        let is_read = part.is_error.0 || self.asks_a_person(owner) || raw.starts_with(b"[");
        let text = is_read.then(|| text_of(raw));
        let is_refused = part.is_error.0 && people::is_refused(structured, raw, self.tool_of(owner, part));
        let refusal = text.as_deref().filter(|_| is_refused).and_then(people::refusal);
        let begins = |opening: &str| match &text {
            Some(text) => text.starts_with(opening),
            None => raw[1..].starts_with(opening.as_bytes()),
        };
        let interrupted = begins("[Request interrupted by user") || structured.is_some_and(is_interrupted);
        let outcome = match () {
            () if refusal.is_some() => Outcome::Rejected,
            () if interrupted => Outcome::Interrupted,
            () if part.is_error.0 => Outcome::Failed,
            () => Outcome::Done,
        };
        if let Some((turn, at)) = owner {
            let calls = &mut self.draft.session.turns[turn as usize].tool_calls;
            let mut call = std::mem::replace(&mut calls[at as usize], no_call());
            match (&refusal, &text) {
                (Some(refusal), _) => self.draft.answer(&mut call, place.line, outcome, refusal.notice),
                (None, Some(text)) => self.draft.answer(&mut call, place.line, outcome, text),
                (None, None) => self.draft.answer_json(&mut call, place.line, outcome, raw),
            }
            self.draft.session.turns[turn as usize].tool_calls[at as usize] = call;
        } else if refusal.is_none() {
            self.stray_output(place, &text_of(raw));
        }
        let reason = refusal.and_then(|refusal| refusal.reason.map(str::to_owned));
        self.words(place, reason.into_iter().collect(), Channel::Rejection);
        if self.asks_a_person(owner) && outcome == Outcome::Done {
            let answers = people::answers(structured, text.as_deref().unwrap_or_default());
            self.words(place, answers, Channel::Answer);
        }
    }

    /// Adds a turn for a person's words found in a tool result.
    fn words(&mut self, place: Place<'_>, texts: Vec<String>, channel: Channel) {
        if self.speaker == Speaker::Agent {
            return;
        }
        let mut turns = Vec::new();
        for text in &texts {
            let writing = Writing { author: Author::Person, channel, telltale: None, text };
            self.piece(place, writing, &mut turns);
        }
        for turn in turns {
            self.push(turn, place.node);
        }
    }

    fn stray_output(&mut self, place: Place<'_>, text: &str) {
        self.draft.overhear(place.line, text);
        let output = self.draft.output(text);
        let mut turns = Vec::new();
        let (author, channel) = (Author::Tool, Channel::ToolOutput);
        self.piece(place, Writing { author, channel, telltale: None, text: &output }, &mut turns);
        for turn in turns {
            self.push(turn, place.node);
        }
    }

    fn tool_of(&self, owner: Option<(u32, u32)>, part: &Part<'_>) -> people::Tool {
        let Some((turn, at)) = owner else { return people::Tool::Foreign };
        let turn = self.draft.session.turns.get(turn as usize);
        let name = turn.and_then(|turn| turn.tool_calls.get(at as usize)).map(|call| call.name.as_str());
        let is_own =
            part.kind.written() == b"tool_result" && !name.is_none_or(|name| name.starts_with("mcp__"));
        if is_own { people::Tool::Own } else { people::Tool::Foreign }
    }

    fn asks_a_person(&self, owner: Option<(u32, u32)>) -> bool {
        let Some((turn, at)) = owner else { return false };
        let turn = self.draft.session.turns.get(turn as usize);
        turn.and_then(|turn| turn.tool_calls.get(at as usize))
            .is_some_and(|call| call.name == "AskUserQuestion")
    }

    fn turn_mut(&mut self, number: u32) -> &mut Turn {
        &mut self.draft.session.turns[number as usize]
    }

    fn push(&mut self, turn: Turn, node: Option<u32>) -> u32 {
        self.draft.seen_at(turn.at);
        self.draft.session.turns.push(turn);
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }
}

/// Says that words are those of a plan.
fn plan(writing: Writing<'_>) -> Writing<'_> {
    Writing { channel: Channel::PastedPlan, telltale: Some(Telltale::Plan), ..writing }
}

/// Moves turns to where their records stand: what was typed while the agent worked comes before
/// what the agent made of it, however late it left the queue.
fn in_their_place(turns: &mut [Turn], late: &[u32]) {
    for number in late {
        let from = *number as usize;
        // Those before it moved to the front at most, so that its own number still holds.
        let line = turns[from].line();
        let to =
            turns[..from].iter().rposition(|turn| (1..=line).contains(&turn.line())).map_or(0, |at| at + 1);
        turns[to..=from].rotate_right(1);
    }
}

fn is_call(kind: &[u8]) -> bool {
    matches!(kind, b"tool_use" | b"server_tool_use" | b"mcp_tool_use")
}

/// Takes the text out of a result as it is written; what is not UTF-8 in it is replaced.
fn text_of(raw: &[u8]) -> String {
    if !raw.starts_with(b"[") {
        return decoded(raw);
    }
    let raw = String::from_utf8_lossy(raw);
    Content::of(raw.as_bytes()).texts().collect::<Vec<_>>().join("\n")
}

/// Looks for the mark that shells leave; output and error stand before it and may be long.
fn is_interrupted(structured: &[u8]) -> bool {
    static MARK: LazyLock<memmem::Finder<'static>> =
        LazyLock::new(|| memmem::Finder::new("\"interrupted\":true"));
    let tail = &structured[structured.len().saturating_sub(500)..];
    MARK.find(tail).is_some()
}

fn no_call() -> lore_core::session::ToolCall {
    lore_core::session::ToolCall {
        id: None,
        name: String::new(),
        line: 0,
        result_line: None,
        arguments: String::new(),
        command: None,
        outcome: Outcome::Unknown,
        output: String::new(),
        files: Vec::new(),
    }
}
