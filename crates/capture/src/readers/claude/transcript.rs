//! One file of Claude Code, record by record.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimeParser;
use lore_core::session::Channel;
use lore_core::{Level, Session, SessionId};
use rustc_hash::FxHashMap;

use super::AGENT;
use super::chain::{Role, key};
use super::skip::{is_of_no_use, plain_progress};
use super::thread::{Place, Speaker, Thread};
use super::wire::{Reach, Record, Text};
use crate::walk::Broken;
use crate::{Draft, Input};

/// One file: a main conversation and those of subagents.
pub(super) struct Transcript<'a, 'i> {
    input: &'i Input<'a>,
    pub(super) main: Thread<'a>,
    /// Conversations of subagents that stand in the same file, by their id.
    children: BTreeMap<String, Thread<'a>>,
    /// Which child a record of an unnamed sidechain belongs to.
    sidechains: FxHashMap<u64, String>,
    /// Whether the whole file is a subagent's.
    is_subagent: Option<bool>,
    /// Session ids in the order they appear, and as they are written.
    ids: Vec<String>,
    written_ids: Vec<Box<[u8]>>,
    titles: Titles,
}

#[derive(Default)]
struct Titles {
    custom: Option<String>,
    made: Option<String>,
    summary: Option<(String, Option<u64>)>,
}

impl<'a, 'i> Transcript<'a, 'i> {
    /// Begins with nothing read yet.
    pub(super) fn new(input: &'i Input<'a>) -> Transcript<'a, 'i> {
        Transcript {
            input,
            main: Thread::new(Draft::new(input, AGENT, ""), Speaker::Person),
            children: BTreeMap::new(),
            sidechains: FxHashMap::default(),
            is_subagent: None,
            ids: Vec::new(),
            written_ids: Vec::new(),
            titles: Titles::default(),
        }
    }

    /// Takes in one line.
    pub(super) fn line(&mut self, line: u32, bytes: &[u8], ended: bool) {
        // A line that is still being written can look whole where it breaks off, and would read
        // otherwise once it is: only one that has ended is read without looking at all of it.
        let reach = if ended { Reach::Needed } else { Reach::Whole };
        if ended && is_of_no_use(bytes) {
            return;
        }
        if ended && let Some((id, parent)) = plain_progress(bytes) {
            self.main.chain.add(Some(key(id)), parent.map(key), Role::Other);
            return;
        }
        match Record::of_line(bytes, reach) {
            Ok(record) => self.record(line, &record),
            Err(Broken::NotUtf8) => {
                let message = "bytes that are not UTF-8 were replaced";
                self.main.draft.diagnose(Level::Note, "not-utf8", line, message);
                match Record::of_line(String::from_utf8_lossy(bytes).as_bytes(), reach) {
                    Ok(record) => self.record(line, &record),
                    Err(_) => self.unparsable(line, ended),
                }
            }
            Err(Broken::Shape) => self.unparsable(line, ended),
        }
    }

    fn unparsable(&mut self, line: u32, ended: bool) {
        let draft = &mut self.main.draft;
        if ended {
            let message = "the line is not a whole JSON object and was skipped";
            draft.diagnose(Level::Warning, "unparsable-line", line, message);
        } else {
            draft.diagnose(Level::Note, "torn-line", line, "the last line is not complete yet");
        }
    }

    fn record(&mut self, line: u32, record: &Record<'_>) {
        match record.kind.written() {
            b"user" | b"assistant" | b"system" | b"attachment" => self.spoken(line, record),
            b"progress" => self.progress(line, record),
            b"queue-operation" => self.queue_operation(line, record),
            b"summary" => {
                let text = self.main.draft.short(&record.summary.get());
                self.titles.summary = text.map(|text| (text, record.leaf_uuid.key()));
            }
            b"custom-title" => self.titles.custom = self.main.draft.short(&record.custom_title.get()),
            b"ai-title" => self.titles.made = self.main.draft.short(&record.ai_title.get()),
            b"last-prompt" => {
                if let Some(leaf) = record.leaf_uuid.key() {
                    self.main.chain.name_leaf(leaf);
                }
            }
            b"pr-link" => {
                if let Some(url) = self.main.draft.short(&record.pr_url.get())
                    && !self.main.draft.session.pull_requests.contains(&url)
                {
                    self.main.draft.session.pull_requests.push(url);
                }
            }
            _ => {}
        }
    }

    /// Takes in a record of the conversation.
    fn spoken(&mut self, line: u32, record: &Record<'_>) {
        self.envelope(record);
        let is_side = record.is_sidechain.0;
        if self.is_subagent.is_none() {
            self.is_subagent = Some(is_side && !record.agent_id.is_empty());
            if self.is_subagent == Some(true) {
                self.main.set_speaker(Speaker::Agent);
            }
        }
        let at = timestamp(record.timestamp);
        let thread = if is_side && self.is_subagent == Some(false) {
            let id = self.main.draft.id(&sidechain(&mut self.sidechains, record)).unwrap_or_default();
            child(&mut self.children, self.input, &id)
        } else {
            &mut self.main
        };
        let id = record.uuid.key();
        if thread.chain.has(id) {
            return;
        }
        let parent = record.parent_uuid.key().or(record.logical_parent_uuid.key());
        let role = match record.kind.written() {
            b"user" | b"assistant" => Role::Prompt,
            _ => Role::Other,
        };
        let node = thread.chain.add(id, parent, role);
        let place = Place { line, node: Some(node), at, id: record.uuid };
        thread.draft.seen_at(at);
        match record.kind.written() {
            b"user" => thread.user(place, record),
            b"assistant" => thread.reply(place, &record.message, record.is_api_error_message.0),
            b"system" => system(thread, place, record),
            _ => attachment(thread, place, record),
        }
    }

    /// Takes in what is said about the session as a whole.
    fn envelope(&mut self, record: &Record<'_>) {
        let id = record.session_id;
        if !id.is_empty() && !self.written_ids.iter().any(|known| **known == *id.written()) {
            self.written_ids.push(id.written().into());
            let id = self.main.draft.short(&id.get());
            self.ids.extend(id.filter(|id| !self.ids.contains(id)));
        }
        let draft = &mut self.main.draft;
        if draft.session.directory.is_none() && !record.cwd.is_empty() {
            draft.session.directory = draft.short(&record.cwd.get());
        }
        if draft.session.branch.is_none() && !record.git_branch.is_empty() {
            draft.session.branch = draft.short(&record.git_branch.get());
        }
        let version = draft.session.agent_version.as_deref().unwrap_or_default();
        if !record.version.is_empty() && version.as_bytes() != record.version.written() {
            draft.session.agent_version = draft.short(&record.version.get());
        }
        if draft.session.parent.is_none() {
            let parent = record.forked_from.session.some().and_then(|id| draft.short(&id));
            draft.session.parent = parent.map(SessionId::new);
        }
    }

    /// Takes in what a subagent said while it worked; other progress is noise.
    fn progress(&mut self, line: u32, record: &Record<'_>) {
        let id = record.uuid.key();
        if self.main.chain.has(id) {
            return;
        }
        self.main.chain.add(id, record.parent_uuid.key(), Role::Other);
        let (Some(inner), Some(agent)) = (&record.data.message, record.data.agent_id.some()) else { return };
        if record.data.kind.written() != b"agent_progress" {
            return;
        }
        let Some(agent) = self.main.draft.id(&agent) else { return };
        let thread = child(&mut self.children, self.input, &agent);
        let id = inner.uuid.key();
        if thread.chain.has(id) {
            return;
        }
        // Records inside progress name no parent: they simply follow each other.
        let node = thread.chain.add(id, None, Role::Prompt);
        let at = timestamp(inner.timestamp).or_else(|| timestamp(record.timestamp));
        let place = Place { line, node: Some(node), at, id: inner.uuid };
        match inner.kind.written() {
            b"user" => thread.user(place, inner),
            b"assistant" => thread.reply(place, &inner.message, inner.is_api_error_message.0),
            _ => {}
        }
    }

    fn queue_operation(&mut self, line: u32, record: &Record<'_>) {
        let content = record.content.texts().collect::<Vec<_>>().join("\n");
        if record.operation.written() == b"enqueue" {
            return self.main.queue.enqueue(line, timestamp(record.timestamp), &content);
        }
        if let Some(queued) = self.main.queue.leave(&record.operation.get(), &content) {
            let place = Place { line: queued.line, node: None, at: queued.at, id: Text::default() };
            self.main.queued(place, &queued.text, false);
        }
    }

    /// Hands over the main conversation and then those of subagents.
    pub(super) fn finish(mut self, sink: &mut dyn FnMut(Session)) {
        let stem = self.input.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = stem.split(".jsonl").next().unwrap_or(stem);
        // The name is taken before what stands inside: it is the same however much was written yet.
        let own = uuid_in(stem).map(str::to_owned).or(self.ids.first().cloned());
        let own = own.filter(|_| self.is_subagent != Some(true)).or(self.ids.first().cloned());
        let own = own.unwrap_or_else(|| stem.to_owned());
        let draft = &mut self.main.draft;
        if self.is_subagent == Some(true) {
            draft.session.parent = Some(SessionId::new(own.clone()));
            let id = draft.short(stem.strip_prefix("agent-").unwrap_or(stem)).unwrap_or_default();
            draft.session.id = SessionId::new(id);
        } else {
            let before = self.ids.first().filter(|first| **first != own);
            if draft.session.parent.is_none() {
                draft.session.parent = before.map(|id| SessionId::new(id.clone()));
            }
            draft.session.id = SessionId::new(own);
        }
        let summary =
            self.titles.summary.filter(|(_, leaf)| self.main.chain.has(*leaf)).map(|(text, _)| text);
        draft.session.title = self.titles.custom.or(self.titles.made).or(summary);
        let main = self.main.finish();
        let children: Vec<Session> =
            self.children.into_values().map(|thread| finish_child(thread, &main)).collect();
        sink(main);
        children.into_iter().filter(|session| !session.turns.is_empty()).for_each(sink);
    }
}

/// Names the subagent that a record belongs to; older versions only tell by its parents.
fn sidechain(known: &mut FxHashMap<u64, String>, record: &Record<'_>) -> String {
    if let Some(id) = record.agent_id.some() {
        return id.into_owned();
    }
    let above = record.parent_uuid.key().and_then(|parent| known.get(&parent));
    let id = above.cloned().unwrap_or_else(|| format!("sidechain-{}", record.uuid.get()));
    known.insert(key(record.uuid.written()), id.clone());
    id
}

fn child<'t, 'a>(
    children: &'t mut BTreeMap<String, Thread<'a>>,
    input: &Input<'a>,
    id: &str,
) -> &'t mut Thread<'a> {
    children.entry(id.to_owned()).or_insert_with(|| Thread::new(Draft::new(input, AGENT, id), Speaker::Agent))
}

fn finish_child(thread: Thread<'_>, main: &Session) -> Session {
    let mut session = thread.finish();
    session.parent = Some(main.id.clone());
    if session.id == main.id {
        // Ids tell the sessions of one source apart.
        session.id = SessionId::new(format!("{}-subagent", main.id));
    }
    session.directory = main.directory.clone();
    session.branch = main.branch.clone();
    session.agent_version = main.agent_version.clone();
    session
}

fn system(thread: &mut Thread<'_>, place: Place<'_>, record: &Record<'_>) {
    match record.subtype.written() {
        // Bookkeeping.
        b"turn_duration" | b"microcompact_boundary" => {}
        b"stop_hook_summary" => {
            if record.prevented_continuation.0 {
                thread.notice(place, Channel::Injected, &record.stop_reason.get());
            }
        }
        b"api_error" => thread.notice(place, Channel::Notice, "the model's interface reported an error"),
        b"local_command" => {
            for text in record.content.texts() {
                thread.echo(place, text);
            }
        }
        _ => {
            for text in record.content.texts() {
                thread.notice(place, Channel::Notice, text);
            }
        }
    }
}

/// Takes queued prompts; everything else a harness attaches is context it found, or hooks' output.
fn attachment(thread: &mut Thread<'_>, place: Place<'_>, record: &Record<'_>) {
    let attachment = &record.attachment;
    if attachment.kind.written() != b"queued_command" {
        return;
    }
    let is_notice = attachment.mode.written() == b"task-notification" || !attachment.origin.may_be_a_person();
    for text in attachment.prompt.texts() {
        if !thread.queue.claims(text) {
            thread.queued(place, text, is_notice);
        }
    }
}

/// Finds a UUID in a file name.
fn uuid_in(name: &str) -> Option<&str> {
    let is_uuid = |text: &[u8]| {
        let is_right = |(at, byte): (usize, &u8)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        };
        text.iter().enumerate().all(is_right)
    };
    let at = name.as_bytes().windows(36).position(is_uuid)?;
    name.get(at..at + 36)
}

fn timestamp(text: Text<'_>) -> Option<Timestamp> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    if text.is_empty() { None } else { PARSER.parse_timestamp(text.written()).ok() }
}
