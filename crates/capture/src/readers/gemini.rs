//! Gemini CLI: one JSON document for each session, later a log of messages and edits to them.

use std::collections::HashMap;
use std::path::Path;

use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Level, Session, SessionId};
use serde_json::Value;

use crate::answers::answers_of;
use crate::conversation::{Conversation, Record, ToolResult};
use crate::json::{Fields, head_has, number_of, output_of, parse_document, prose_of, records};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads Gemini CLI's chats.
pub(super) struct Gemini;

impl Reader for Gemini {
    fn agent(&self) -> &'static str {
        "gemini"
    }

    fn recognises(&self, _path: &Path, head: &[u8]) -> bool {
        head_has(head, "\"sessionId\":") && head_has(head, "\"projectHash\":")
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let mut chat = Chat::default();
        let findings = if input.path.extension().is_some_and(|extension| extension == "jsonl") {
            records(input, |line, record| chat.record(line, record))?
        } else {
            let (document, findings) = crate::json::document(input)?;
            if document.is_null() && findings.iter().all(|finding| finding.level != Level::Error) {
                return Ok(());
            }
            chat.metadata(&document);
            chat.checkpoint(None, document.list("messages"));
            findings
        };
        if chat.is_empty() && findings.is_empty() {
            return Ok(());
        }
        let mut session = chat.session(input);
        session.draft.add_diagnostics(findings);
        sink(session.finish());
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        // The variable names the folder that holds `.gemini`.
        let home = match places.variable("GEMINI_CLI_HOME") {
            Some(_) => places.folder("GEMINI_CLI_HOME", "").join(".gemini"),
            None => places.folder("GEMINI_HOME", ".gemini"),
        };
        vec![Location::folder(home.join("tmp"), 3, &[".jsonl", ".json"])]
    }
}

/// The messages as the log leaves them.
#[derive(Default)]
struct Chat {
    id: Option<String>,
    title: Option<String>,
    directories: Vec<String>,
    times: Vec<Value>,
    subagent: bool,
    messages: Vec<Message>,
    by_id: HashMap<String, usize>,
}

struct Message {
    line: u32,
    value: Value,
    live: bool,
}

impl Chat {
    fn is_empty(&self) -> bool {
        self.id.is_none() && self.messages.is_empty()
    }

    /// Takes a line of the log.
    fn record(&mut self, line: u32, record: Value) {
        if let Some(target) = record.get("$rewindTo") {
            self.rewind(target.as_str().unwrap_or_default());
        } else if let Some(set) = record.get("$set") {
            self.metadata(set);
            if set.get("messages").is_some_and(Value::is_array) {
                self.checkpoint(Some(line), set.list("messages"));
            }
        } else if record.text("id").is_some() && record.text("type").is_some() {
            self.message(line, record);
        } else {
            self.metadata(&record);
            self.checkpoint(Some(line), record.list("messages"));
        }
    }

    fn metadata(&mut self, from: &Value) {
        if let Some(id) = from.text("sessionId") {
            self.id = Some(id.to_owned());
        }
        if let Some(summary) = from.text("summary") {
            self.title = Some(summary.to_owned());
        }
        let directories = from.list("directories").iter().filter_map(Value::as_str).map(str::to_owned);
        self.directories.extend(directories);
        self.times.extend(["startTime", "lastUpdated"].iter().filter_map(|key| from.get(*key).cloned()));
        self.subagent |= from.text("kind") == Some("subagent");
    }

    /// Takes a message; one that was there already is replaced where it stands.
    fn message(&mut self, line: u32, value: Value) {
        let id = value.text("id").unwrap_or_default().to_owned();
        match self.by_id.get(&id) {
            Some(index) if self.messages[*index].live && !id.is_empty() => {
                self.messages[*index] = Message { line, value, live: true };
            }
            _ => {
                self.by_id.insert(id, self.messages.len());
                self.messages.push(Message { line, value, live: true });
            }
        }
    }

    /// Gives up a message and all after it; an id nobody knows gives up everything.
    fn rewind(&mut self, target: &str) {
        let from = self.by_id.get(target).copied().unwrap_or(0);
        for message in self.messages.iter_mut().skip(from) {
            message.live = false;
        }
    }

    /// Takes a list that stands for the whole history.
    ///
    /// What it leaves out was condensed, not given up, so it stays. In a document, where messages
    /// have no lines, they are numbered.
    fn checkpoint(&mut self, line: Option<u32>, messages: &[Value]) {
        for (index, value) in messages.iter().enumerate() {
            let number = number_of(index);
            let known = value.text("id").and_then(|id| self.by_id.get(id)).is_some();
            // A checkpoint repeats what stands above with parts masked out; the first wording is better.
            if value.is_object() && !(known && line.is_some()) {
                self.message(line.unwrap_or(number), value.clone());
            }
        }
    }

    fn session<'a>(&self, input: &Input<'a>) -> Conversation<'a> {
        let stem = input.stem();
        let mut talk = Conversation::new(input, "gemini", self.id.as_deref().unwrap_or(&stem));
        talk.delegated = self.subagent;
        for time in &self.times {
            talk.draft.seen_at(crate::json::time_of(time));
        }
        let draft = &mut talk.draft;
        draft.session.title = self.title.as_deref().and_then(|title| draft.short(title));
        let directory = project_of(input).or_else(|| self.directories.first().cloned());
        draft.session.directory = directory.and_then(|directory| draft.short(&directory));
        if self.subagent {
            // `chats/<parent>/<session>.jsonl`
            let folder = input.path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
            draft.session.parent = folder.filter(|name| *name != "chats").map(SessionId::new);
        }
        for message in &self.messages {
            let from = talk.len();
            add_message(&mut talk, message);
            if !message.live {
                let to = talk.len();
                talk.abandon(from..to);
            }
        }
        talk
    }
}

fn add_message(talk: &mut Conversation<'_>, message: &Message) {
    let value = &message.value;
    talk.record(Record { line: message.line, at: value.time("timestamp"), id: value.text("id") });
    match value.text("type").unwrap_or_default() {
        "user" => add_prompt(talk, value),
        "gemini" => {
            talk.written_by(value.text("model"));
            talk.end_reply();
            talk.reply(&prose_of(&value["content"]));
            for call in value.list("toolCalls") {
                talk.call(call.text("id"), call.text("name").unwrap_or("unknown"), &call["args"]);
            }
            value.list("toolCalls").iter().for_each(|call| add_result(talk, call));
        }
        "info" | "error" | "warning" => {
            talk.say(Author::System, Channel::Notice, &prose_of(&value["content"]));
        }
        _ => {}
    }
}

/// Takes what stands in the user's place: typed words, and what the CLI put behind them.
fn add_prompt(talk: &mut Conversation<'_>, value: &Value) {
    const FILES: &str = "--- Content from referenced files ---";
    let content = prose_of(&value["content"]);
    let (typed, files) = match content.find(FILES) {
        Some(at) => content.split_at(at),
        None => (content.as_str(), ""),
    };
    let shown = prose_of(&value["displayContent"]);
    talk.end_reply();
    if typed.trim_start().starts_with("<state_snapshot>") {
        talk.say(Author::System, Channel::Summary, typed);
    } else {
        talk.prompt(if shown.is_empty() { typed } else { &shown });
    }
    talk.say(Author::System, Channel::Injected, files);
}

/// Takes what came back of a call, which stands in the call itself.
fn add_result(talk: &mut Conversation<'_>, call: &Value) {
    let id = call.text("id");
    let outcome = match call.text("status") {
        Some("success") => Outcome::Done,
        Some("error") => Outcome::Failed,
        Some("cancelled") => Outcome::Interrupted,
        _ => Outcome::Unknown,
    };
    let output = response_of(&call["result"]);
    if outcome != Outcome::Unknown || !output.is_empty() {
        talk.result(ToolResult { id, outcome, output: &output });
        // Only a person cancels; a server's error has another status.
        if outcome == Outcome::Interrupted {
            talk.refused(&output);
        }
        if call.text("name") == Some("ask_user") && outcome == Outcome::Done {
            add_answers(talk, &output);
        }
    }
}

/// Takes what a person answered to the agent's questions.
fn add_answers(talk: &mut Conversation<'_>, output: &str) {
    for answer in answers_of(&Value::Null, &parse_document(output, "").0) {
        talk.say(Author::Person, Channel::Answer, &answer);
    }
}

/// Returns what a tool gave back: the results stand in parts of a function response.
fn response_of(result: &Value) -> String {
    let parts = result.as_array().map_or(std::slice::from_ref(result), Vec::as_slice);
    let texts: Vec<String> = parts
        .iter()
        .map(|part| match part.get("functionResponse") {
            Some(response) => output_of(&response["response"]),
            None => output_of(part),
        })
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n")
}

/// Finds the project's folder: beside the chats, or in the registry that names each project's folder.
fn project_of(input: &Input<'_>) -> Option<String> {
    if input.is_detached() {
        return None;
    }
    let chats =
        input.path.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "chats"))?;
    let project = chats.parent()?;
    if let Ok(root) = std::fs::read_to_string(project.join(".project_root")) {
        return Some(root.trim().to_owned());
    }
    let registry = std::fs::read_to_string(project.parent()?.parent()?.join("projects.json")).ok()?;
    let registry = parse_document(&registry, "").0;
    let projects = registry.get("projects").unwrap_or(&registry).as_object()?;
    let slug = project.file_name()?.to_str()?;
    projects.iter().find(|(_, name)| name.as_str() == Some(slug)).map(|(path, _)| path.clone())
}
