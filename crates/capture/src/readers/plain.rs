//! Transcripts of everything else: one object for each message, as `docs/plain-transcript.md` has it.
//!
//! Common exports of chats are taken too: lists of messages under one of the usual names, in one
//! document or one for each line.

use std::collections::HashMap;
use std::path::Path;

use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Session, SessionId};
use serde_json::Value;

use crate::conversation::{Conversation, Record, ToolResult};
use crate::json::{
    Fields, arguments_of, document, head_begins, head_has, number_of, output_of, prose_of, records, time_of,
};
use crate::{Input, Location, Places, ReadError, Reader};

const ROLE_KEYS: &[&str] = &["role", "sender", "from", "author", "type"];
const TEXT_KEYS: &[&str] = &["text", "content", "message", "value"];
const TIME_KEYS: &[&str] = &["time", "timestamp", "created_at", "createdAt", "date", "ts", "create_time"];
const SESSION_KEYS: &[&str] =
    &["session", "session_id", "sessionId", "conversation_id", "conversationId", "thread_id"];
const LIST_KEYS: &[&str] =
    &["messages", "chat_messages", "conversation", "conversations", "turns", "history"];

/// Reads plain transcripts.
pub(super) struct Plain;

impl Reader for Plain {
    fn agent(&self) -> &'static str {
        "plain"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
        let ending = [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending));
        if !ending || !(head_begins(head, b'{') || head_begins(head, b'[')) {
            return false;
        }
        let has_key = |keys: &[&str]| keys.iter().any(|key| head_has(head, &format!("\"{key}\":")));
        let roles = ["user", "assistant", "human", "system", "tool", "gpt", "ai", "model", "developer"];
        let role = ROLE_KEYS
            .iter()
            .any(|key| roles.iter().any(|role| head_has(head, &format!("\"{key}\":\"{role}\""))));
        role && has_key(TEXT_KEYS)
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let mut book = Book { input, talks: Vec::new(), places: HashMap::new() };
        let is_document = input.path.extension().is_some_and(|extension| extension == "json");
        let findings = if is_document {
            let (content, findings) = document(input)?;
            book.document(&content);
            findings
        } else {
            records(input, |line, record| book.record(line, &record))?
        };
        if book.talks.is_empty() && !findings.is_empty() {
            book.talk("");
        }
        for (index, (_, mut talk)) in book.talks.into_iter().enumerate() {
            if index == 0 {
                talk.draft.add_diagnostics(findings.clone());
            }
            if talk.len() > 0 || !talk.draft.session.diagnostics.is_empty() {
                sink(talk.finish());
            }
        }
        Ok(())
    }

    fn locations(&self, _places: &Places) -> Vec<Location> {
        // They are where people put them.
        Vec::new()
    }
}

/// The sessions of one file.
struct Book<'a, 'i> {
    input: &'i Input<'a>,
    talks: Vec<(String, Conversation<'a>)>,
    /// Where each of them stands, by its name.
    places: HashMap<String, usize>,
}

impl<'a> Book<'a, '_> {
    /// Returns the session of this name, begun where it is new.
    fn talk(&mut self, name: &str) -> &mut Conversation<'a> {
        // One file may hold as many sessions as it has lines.
        if let Some(index) = self.places.get(name) {
            return &mut self.talks[*index].1;
        }
        let stem = self.stem();
        let id = if name.is_empty() { stem.as_str() } else { name };
        self.talks.push((name.to_owned(), Conversation::new(self.input, "plain", id)));
        let index = self.talks.len() - 1;
        self.places.insert(name.to_owned(), index);
        &mut self.talks[index].1
    }

    /// Takes a document: a list of messages or of conversations, or one conversation.
    fn document(&mut self, content: &Value) {
        match content {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let number = number_of(index);
                    let name = self.numbered(number);
                    self.item(number, &name, item);
                }
            }
            Value::Object(_) => self.item(1, "", content),
            _ => {}
        }
    }

    /// Names a session that has no name of its own.
    fn numbered(&self, number: u32) -> String {
        format!("{}-{number}", self.stem())
    }

    fn stem(&self) -> String {
        self.input.stem()
    }

    fn item(&mut self, number: u32, name: &str, item: &Value) {
        match list_of(item) {
            Some(messages) => {
                let own = SESSION_KEYS.iter().chain(&["id", "uuid"]).find_map(|key| item.text(key));
                let name = own.unwrap_or(name).to_owned();
                let talk = self.talk(&name);
                describe(talk, item);
                if let Some(title) = item.text("name") {
                    talk.draft.session.title = talk.draft.short(title);
                }
                for (index, message) in messages.iter().enumerate() {
                    add_message(self.talk(&name), number_of(index), message);
                }
            }
            None => self.record(number, item),
        }
    }

    /// Takes a line: a message, or a whole conversation.
    fn record(&mut self, line: u32, record: &Value) {
        if list_of(record).is_some() {
            let name = self.numbered(line);
            return self.item(line, &name, record);
        }
        let name = SESSION_KEYS.iter().find_map(|key| record.text(key)).unwrap_or_default().to_owned();
        let talk = self.talk(&name);
        describe(talk, record);
        add_message(talk, line, record);
    }
}

fn list_of(value: &Value) -> Option<&Vec<Value>> {
    LIST_KEYS.iter().find_map(|key| value.get(*key)?.as_array())
}

/// Takes what a record says about the session.
fn describe(talk: &mut Conversation<'_>, record: &Value) {
    let draft = &mut talk.draft;
    let first = |keys: &[&str]| keys.iter().find_map(|key| record.text(key)).unwrap_or_default();
    let directory = draft.short(first(&["directory", "cwd", "working_dir"]));
    let branch = draft.short(first(&["branch", "git_branch"]));
    let title = draft.short(first(&["title"]));
    draft.session.directory = draft.session.directory.take().or(directory);
    draft.session.branch = draft.session.branch.take().or(branch);
    draft.session.title = draft.session.title.take().or(title);
    if let Some(agent) = record.text("agent").and_then(|agent| draft.short(agent)) {
        draft.session.agent = agent;
    }
    if let Some(parent) = record.text("parent") {
        draft.session.parent = Some(SessionId::new(parent));
    }
    if let Some(issue) = record.text("issue") {
        draft.session.issue = draft.short(issue);
    }
    draft.seen_at(time(record));
    talk.written_by(record.text("model"));
}

fn time(record: &Value) -> Option<jiff::Timestamp> {
    TIME_KEYS.iter().find_map(|key| time_of(record.get(*key)?))
}

/// Reads who wrote a message.
fn author_of(message: &Value) -> Option<Author> {
    let role = ROLE_KEYS.iter().find_map(|key| {
        let value = message.get(*key)?;
        value.as_str().or_else(|| value.text("role"))
    })?;
    match role.to_ascii_lowercase().as_str() {
        "user" | "human" | "person" | "me" => Some(Author::Person),
        "assistant" | "agent" | "ai" | "model" | "bot" | "gpt" | "chatgpt" | "claude" | "gemini" => {
            Some(Author::Agent)
        }
        "tool" | "function" | "tool_result" | "ipython" => Some(Author::Tool),
        "system" | "developer" => Some(Author::System),
        _ => None,
    }
}

fn add_message(talk: &mut Conversation<'_>, line: u32, message: &Value) {
    // Some wrap the message once more.
    let inner = message.get("message").filter(|inner| inner.is_object()).unwrap_or(message);
    let Some(author) = author_of(inner).or_else(|| author_of(message)) else { return };
    let at = time(inner).or_else(|| time(message));
    let id = ["id", "uuid"].iter().find_map(|key| inner.text(key).or_else(|| message.text(key)));
    talk.record(Record { line, at, id });
    let content = TEXT_KEYS.iter().filter_map(|key| inner.get(*key)).find(|value| !value.is_null());
    let content = content.unwrap_or(&Value::Null);
    let text = match content.get("parts") {
        Some(parts) => prose_of(parts),
        None => prose_of(content),
    };
    match author {
        Author::Person => {
            let results = content.as_array().into_iter().flatten();
            let mut answered = false;
            for block in results.filter(|block| block.text("type") == Some("tool_result")) {
                answered = true;
                let outcome = if block.flag("is_error") { Outcome::Failed } else { Outcome::Done };
                let output = output_of(&block["content"]);
                talk.result(ToolResult { id: block.text("tool_use_id"), outcome, output: &output });
            }
            if !answered {
                talk.end_reply();
            }
            talk.prompt(&text);
        }
        Author::Agent => {
            talk.end_reply();
            talk.reply(&text);
            add_calls(talk, inner, content);
        }
        Author::Tool => add_output(talk, inner, &text),
        Author::System => {
            talk.say(Author::System, Channel::Injected, &text);
        }
    }
}

/// Adds calls in the forms they are written in: ours, Anthropic's blocks, OpenAI's list.
fn add_calls(talk: &mut Conversation<'_>, message: &Value, content: &Value) {
    let blocks = content.as_array().into_iter().flatten();
    for block in blocks.filter(|block| block.text("type") == Some("tool_use")) {
        talk.call(block.text("id"), block.text("name").unwrap_or("unknown"), &block["input"]);
    }
    for call in message.list("tool_calls") {
        let function = call.get("function").unwrap_or(call);
        let name = function.text("name").unwrap_or("unknown");
        talk.call(call.text("id"), name, &arguments_of(&function["arguments"]));
    }
    let Some(tool) = message.get("tool").filter(|tool| tool.is_string() || tool.is_object()) else { return };
    let name = tool.as_str().or_else(|| tool.text("name")).unwrap_or("unknown");
    let owner = if tool.is_object() { tool } else { message };
    let arguments = ["arguments", "input", "args"].iter().find_map(|key| owner.get(*key)).map(arguments_of);
    let own = format!("{}-{name}", talk.len());
    let id = owner.text("id").filter(|_| tool.is_object()).unwrap_or(&own);
    talk.call(Some(id), name, &arguments.unwrap_or_default());
    let output = ["output", "result", "error"].iter().find_map(|key| owner.get(*key));
    if let Some(output) = output {
        let outcome = outcome_of(owner);
        talk.result(ToolResult { id: Some(id), outcome, output: &output_of(output) });
    }
}

fn add_output(talk: &mut Conversation<'_>, message: &Value, text: &str) {
    let tool = &message["tool"];
    let keys = ["tool_call_id", "call_id", "call"];
    let id = keys.iter().find_map(|key| message.text(key)).or_else(|| tool.text("id"));
    let output = if text.is_empty() { output_of(&tool["output"]) } else { text.to_owned() };
    talk.result(ToolResult { id, outcome: outcome_of(message), output: &output });
}

fn outcome_of(owner: &Value) -> Outcome {
    let failed = owner.get("error").is_some_and(|error| !error.is_null() && error != &Value::Bool(false));
    match owner.get("ok").and_then(Value::as_bool) {
        Some(true) => Outcome::Done,
        Some(false) => Outcome::Failed,
        None if failed || owner.flag("is_error") => Outcome::Failed,
        None => Outcome::Unknown,
    }
}
