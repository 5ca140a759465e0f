//! GitHub Copilot CLI: a log of events for each session, before that one document.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Session, SessionId};
use serde_json::Value;

use crate::conversation::{Conversation, Record, ToolResult};
use crate::json::{
    Fields, arguments_of, document, head_has, number_of, output_of, parse_document, prose_of, records,
};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads Copilot CLI's event logs.
pub(super) struct Copilot;

impl Reader for Copilot {
    fn agent(&self) -> &'static str {
        "copilot"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let kinds = ["session.start", "user.message", "session.resume", "assistant.turn_start"];
        let events = kinds.iter().any(|kind| head_has(head, &format!("\"type\":\"{kind}\"")));
        let within = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
        events
            || (within("history-session-state") && head_has(head, "\"chatMessages\":"))
            || (within("history-session-state") && head_has(head, "\"timeline\":"))
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let mut log = Log::new(input);
        let findings = if input.path.extension().is_some_and(|extension| extension == "json") {
            let (document, findings) = document(input)?;
            log.document(&document);
            findings
        } else {
            records(input, |line, event| log.event(line, &event))?
        };
        log.talk.draft.add_diagnostics(findings);
        if log.seen > 0 {
            sink(log.finish());
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let home = places.folder("COPILOT_HOME", ".copilot");
        vec![
            Location::folder(home.join("session-state"), 2, &["events.jsonl", ".jsonl"]),
            Location::folder(home.join("history-session-state"), 1, &[".json"]),
        ]
    }
}

/// Events on their way to turns.
struct Log<'a> {
    talk: Conversation<'a>,
    seen: u32,
    events: Vec<Event>,
    by_id: HashMap<String, usize>,
    forked: bool,
}

struct Event {
    parent: Option<String>,
    turns: Range<usize>,
    rewound: bool,
}

impl<'a> Log<'a> {
    fn new(input: &Input<'a>) -> Log<'a> {
        let stem = input.stem();
        let folder =
            input.path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let id = if stem == "events" { folder.unwrap_or(stem) } else { stem };
        let talk = Conversation::new(input, "copilot", &id);
        Log { talk, seen: 0, events: Vec::new(), by_id: HashMap::new(), forked: false }
    }

    /// Takes the document of early versions.
    fn document(&mut self, document: &Value) {
        if !document.is_object() {
            return;
        }
        self.seen += 1;
        self.context(document);
        for (index, message) in document.list("chatMessages").iter().enumerate() {
            let line = number_of(index);
            self.talk.record(Record { line, at: message.time("timestamp"), id: message.text("id") });
            let text = prose_of(&message["content"]);
            match message.text("role").unwrap_or_default() {
                "user" => {
                    self.talk.prompt(&text);
                }
                "assistant" => {
                    self.talk.end_reply();
                    self.talk.reply(&text);
                    for call in message.list("tool_calls") {
                        let function = &call["function"];
                        let name = function.text("name").unwrap_or("unknown");
                        self.talk.call(call.text("id"), name, &arguments_of(&function["arguments"]));
                    }
                }
                "tool" => {
                    let id = message.text("tool_call_id");
                    self.talk.result(ToolResult { id, outcome: Outcome::Unknown, output: &text });
                }
                "system" => {
                    self.talk.say(Author::System, Channel::Injected, &text);
                }
                _ => {}
            }
        }
    }

    /// Takes an event.
    fn event(&mut self, line: u32, event: &Value) {
        self.seen += 1;
        let data = &event["data"];
        let id = event.text("id");
        self.talk.record(Record { line, at: event.time("timestamp"), id });
        let from = self.talk.len();
        let kind = event.text("type").unwrap_or_default();
        if kind == "session.snapshot_rewind" {
            self.rewind(data);
        } else if event.text("agentId").is_some() || data.text("parentToolCallId").is_some() {
            self.of_subagent(kind, data);
        } else {
            self.content(kind, data);
        }
        if event.flag("ephemeral") && self.talk.len() == from {
            return;
        }
        let turns = from..self.talk.len();
        self.events.push(Event { parent: event.text("parentId").map(str::to_owned), turns, rewound: false });
        if let Some(id) = id {
            self.by_id.insert(id.to_owned(), self.events.len() - 1);
        }
    }

    fn content(&mut self, kind: &str, data: &Value) {
        match kind {
            "session.start" | "session.resume" | "session.context_changed" => self.context(data),
            "session.model_change" => self.talk.written_by(data.text("newModel")),
            "session.title_changed" => {
                let draft = &mut self.talk.draft;
                draft.session.title = data.text("title").and_then(|text| draft.short(text));
            }
            "user.message" => self.prompt(data),
            "assistant.message" => {
                self.talk.written_by(data.text("model"));
                self.talk.end_reply();
                self.talk.reply(&prose_of(&data["content"]));
                for request in data.list("toolRequests") {
                    let name = request.text("name").unwrap_or("unknown");
                    self.talk.call(request.text("toolCallId"), name, &arguments_of(&request["arguments"]));
                }
            }
            "tool.execution_start" => {
                let id = data.text("toolCallId");
                if id.is_none_or(|id| self.talk.tool_of(id).is_none()) {
                    let name = data.text("toolName").unwrap_or("unknown");
                    self.talk.call(id, name, &arguments_of(&data["arguments"]));
                }
            }
            "tool.execution_complete" => self.result(data),
            "session.compaction_complete" => {
                let summary = data.text("summaryContent").unwrap_or_default();
                self.talk.say(Author::System, Channel::Summary, summary);
            }
            "system.message" | "skill.invoked" => {
                self.talk.say(Author::System, Channel::Injected, &prose_of(&data["content"]));
            }
            "session.error" | "session.info" | "session.warning" => {
                self.talk.say(Author::System, Channel::Notice, data.text("message").unwrap_or_default());
            }
            "abort" => {
                let reason = data.text("reason").unwrap_or("aborted");
                self.talk.interrupt(&format!("turn aborted: {reason}"));
            }
            _ => {}
        }
    }

    /// Takes what a subagent did within the session: its calls, and its words as a notice of an agent.
    fn of_subagent(&mut self, kind: &str, data: &Value) {
        match kind {
            "assistant.message" => {
                self.talk.end_reply();
                let text = prose_of(&data["content"]);
                self.talk.say(Author::Agent, Channel::Notice, &text);
            }
            "user.message" => {
                self.talk.say(Author::Agent, Channel::Injected, data.text("content").unwrap_or_default());
            }
            "tool.execution_start" | "tool.execution_complete" => self.content(kind, data),
            _ => {}
        }
    }

    fn context(&mut self, data: &Value) {
        let context = data.get("context").unwrap_or(data);
        self.talk.written_by(data.text("selectedModel"));
        let draft = &mut self.talk.draft;
        if let Some(id) = data.text("sessionId") {
            draft.session.id = SessionId::new(id);
        }
        draft.seen_at(data.time("startTime"));
        if draft.session.agent_version.is_none() {
            draft.session.agent_version = data.text("copilotVersion").and_then(|text| draft.short(text));
        }
        if draft.session.directory.is_none() {
            draft.session.directory = context.text("cwd").and_then(|text| draft.short(text));
        }
        if draft.session.branch.is_none() {
            draft.session.branch = context.text("branch").and_then(|text| draft.short(text));
        }
    }

    /// Takes what stands in the user's place; `source` names a skill or hook where it is not a person.
    fn prompt(&mut self, data: &Value) {
        let typed = data.text("content").or_else(|| data.text("transformedContent")).unwrap_or_default();
        let person =
            data.text("source").is_none_or(|source| matches!(source, "user" | "cli" | "immediate-prompt"));
        self.talk.end_reply();
        if !person {
            self.talk.say(Author::System, Channel::Injected, typed);
        } else if data.text("content").is_some() {
            self.talk.prompt(typed);
        } else {
            self.talk.prompt(without_reminders(typed));
        }
    }

    fn result(&mut self, data: &Value) {
        let id = data.text("toolCallId");
        let result = &data["result"];
        let failed = data.get("success").and_then(Value::as_bool) == Some(false);
        let output =
            if failed && !data["error"].is_null() { output_of(&data["error"]) } else { output_of(result) };
        let denied = matches!(data["error"].text("code"), Some("rejected" | "denied"));
        let outcome = match (denied, failed) {
            (true, _) => Outcome::Rejected,
            (_, true) => Outcome::Failed,
            _ => Outcome::Done,
        };
        let asked = id.and_then(|id| self.talk.tool_of(id)) == Some("ask_user");
        self.talk.result(ToolResult { id, outcome, output: &output });
        if denied {
            self.talk.refused(&output);
        }
        if asked && !failed {
            self.talk.say(Author::Person, Channel::Answer, answer_of(&output));
        }
        let telemetry = &data["toolTelemetry"]["properties"];
        let paths = parse_document(telemetry.text("filePaths").unwrap_or("[]"), "").0;
        self.touch(id, &paths);
    }

    /// Adds files that only the telemetry names; what was done to them it does not say.
    fn touch(&mut self, id: Option<&str>, paths: &Value) {
        let paths: Vec<String> = paths
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter_map(|path| self.talk.draft.short(path))
            .collect();
        let Some(call) = id.and_then(|id| self.talk.call_mut(id)) else { return };
        if !call.files.is_empty() {
            return;
        }
        let edits = ["edit", "create", "write", "replace"].iter().any(|word| call.name.contains(word));
        let action =
            if edits { lore_core::session::FileAction::Edit } else { lore_core::session::FileAction::Read };
        call.files = paths.into_iter().map(|path| lore_core::session::FileTouch { path, action }).collect();
    }

    /// Gives up an event and all that came after it.
    fn rewind(&mut self, data: &Value) {
        let Some(from) = data.text("upToEventId").and_then(|id| self.by_id.get(id)).copied() else { return };
        for event in self.events.iter_mut().skip(from) {
            event.rewound = true;
        }
        self.forked = true;
        self.talk.end_reply();
    }

    fn finish(mut self) -> Session {
        let live = self.live();
        for (index, event) in self.events.iter().enumerate() {
            if event.rewound || live.as_ref().is_some_and(|live| !live.contains(&index)) {
                self.talk.abandon(event.turns.clone());
            }
        }
        self.talk.finish()
    }

    /// Follows the parents from the last event; nothing where that does not lead back to the first.
    fn live(&self) -> Option<HashSet<usize>> {
        let mut live = HashSet::new();
        let mut at = self.events.len().checked_sub(1)?;
        while live.insert(at) {
            match &self.events[at].parent {
                Some(parent) => at = *self.by_id.get(parent)?,
                None => return (at == 0).then_some(live),
            }
        }
        None
    }
}

/// Takes off what the CLI puts around a prompt: the time before it, reminders behind it.
fn without_reminders(text: &str) -> &str {
    let text = match text.trim_start().strip_prefix("<current_datetime>") {
        Some(rest) => rest.split_once("</current_datetime>").map_or("", |(_, rest)| rest),
        None => text,
    };
    text.split("<reminder>").next().unwrap_or(text).trim()
}

/// Takes the answer out of the sentence around it.
fn answer_of(output: &str) -> &str {
    let text = output.trim();
    let openings = ["User responded:", "User selected:", "User answered:", "The user responded:"];
    openings.iter().find_map(|opening| text.strip_prefix(opening)).unwrap_or(text).trim()
}
