//! What one message of OpenCode says, in both of its models.

use jiff::Timestamp;
use lore_core::session::{Author, Channel, Outcome};
use serde_json::Value;

use crate::answers::answers_of;
use crate::conversation::{Conversation, Record, ToolResult};
use crate::json::{Fields, output_of, prose_of};

/// What stands in the user's place when the person ran a command in the agent's prompt.
const RUN_BY_PERSON: &str = "The following tool was executed by the user";

/// Adds a message of the first model: its description, and its parts beside it.
pub(super) fn add_first(talk: &mut Conversation<'_>, line: u32, info: &Value, parts: &[Value]) {
    talk.record(Record { line, at: info["time"].time("created"), id: info.text("id") });
    talk.draft.seen_at(info["time"].time("completed"));
    match info.text("role").unwrap_or_default() {
        "user" => add_prompt(talk, parts),
        "assistant" => {
            if let Some(directory) = info["path"].text("cwd")
                && talk.draft.session.directory.is_none()
            {
                talk.draft.session.directory = talk.draft.short(directory);
            }
            let announced = talk.turns().last().is_some_and(|turn| {
                turn.channel == Channel::CommandEcho
                    && turn.tool_calls.is_empty()
                    && turn.text() == RUN_BY_PERSON
            });
            if announced { add_command_of_person(talk, parts) } else { add_reply(talk, info, parts) }
        }
        _ => {}
    }
}

fn add_prompt(talk: &mut Conversation<'_>, parts: &[Value]) {
    let mut typed = Vec::new();
    let mut injected = Vec::new();
    for part in parts {
        let kind = part.text("type").unwrap_or_default();
        let text = part.text("text").or_else(|| part.text("prompt")).unwrap_or_default();
        match kind {
            "text" if part.flag("synthetic") || part.flag("ignored") => injected.push(text),
            "text" => typed.push(text),
            "subtask" => injected.push(text),
            _ => {}
        }
    }
    talk.end_reply();
    talk.prompt(&typed.join("\n\n"));
    for text in injected {
        let channel = if text == RUN_BY_PERSON { Channel::CommandEcho } else { Channel::Injected };
        talk.say(Author::System, channel, text);
    }
}

/// Takes a command that the person ran: the message before it only announces it.
fn add_command_of_person(talk: &mut Conversation<'_>, parts: &[Value]) {
    talk.turns().pop();
    for state in parts.iter().filter(|part| part.text("type") == Some("tool")).map(|part| &part["state"]) {
        let command = state["input"].text("command").unwrap_or_default();
        let (outcome, output) = result_of(state).unwrap_or((Outcome::Unknown, String::new()));
        talk.command_of_person(command, outcome, &output);
    }
}

fn add_reply(talk: &mut Conversation<'_>, info: &Value, parts: &[Value]) {
    let model =
        info.text("modelID").or_else(|| info["model"].text("modelID")).or_else(|| info["model"].text("id"));
    talk.written_by(model);
    talk.end_reply();
    if info.flag("summary") {
        let texts: Vec<&str> = parts.iter().filter_map(|part| part.text("text")).collect();
        talk.say(Author::System, Channel::Summary, &texts.join("\n\n"));
        return;
    }
    for part in parts {
        match part.text("type").unwrap_or_default() {
            "text" if !part.flag("ignored") => talk.reply(part.text("text").unwrap_or_default()),
            "tool" => {
                let name = part.text("tool").or_else(|| part.text("name")).unwrap_or("unknown");
                talk.call(call_id(part), name, &part["state"]["input"]);
            }
            _ => {}
        }
    }
    let tools = parts.iter().filter(|part| part.text("type") == Some("tool"));
    tools.for_each(|part| add_result(talk, part));
    add_error(talk, &info["error"]);
}

fn call_id(part: &Value) -> Option<&str> {
    part.text("callID").or_else(|| part.text("id"))
}

/// OpenCode's own tools whose errors begin with its own words.
const OWN_TOOLS: &[&str] = &[
    "apply_patch",
    "bash",
    "edit",
    "glob",
    "grep",
    "list",
    "lsp",
    "multiedit",
    "patch",
    "question",
    "read",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "webfetch",
    "write",
];

/// Takes what came back of a call, which stands in the part itself.
fn add_result(talk: &mut Conversation<'_>, part: &Value) {
    let state = &part["state"];
    let Some((outcome, output)) = result_of(state) else { return };
    talk.result(ToolResult { id: call_id(part), outcome, output: &output });
    let name = part.text("tool").or_else(|| part.text("name")).unwrap_or_default();
    // A refusal is kept as the error of the call, and so is whatever a server's tool answers with.
    if state.text("status") == Some("error") && OWN_TOOLS.contains(&name) {
        talk.refused(&output);
    }
    if name == "question" {
        let given = ["metadata", "structured"].iter().filter_map(|key| state.get(*key));
        for answer in given.flat_map(|given| answers_of(&state["input"], given)) {
            talk.say(Author::Person, Channel::Answer, &answer);
        }
    }
}

/// Reads how a call ended and what came back; nothing while it runs.
fn result_of(state: &Value) -> Option<(Outcome, String)> {
    let failed_command = state["metadata"].get("exit").and_then(Value::as_i64).is_some_and(|code| code != 0);
    match state.text("status").unwrap_or_default() {
        "completed" if failed_command => Some((Outcome::Failed, first_output(state, &["output", "content"]))),
        "completed" => Some((Outcome::Done, first_output(state, &["output", "content", "result"]))),
        "error" => Some((Outcome::Failed, first_output(state, &["error", "content", "output"]))),
        _ => None,
    }
}

fn first_output(state: &Value, keys: &[&str]) -> String {
    let texts = keys.iter().filter_map(|key| state.get(*key)).map(output_of);
    texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

fn add_error(talk: &mut Conversation<'_>, error: &Value) {
    if error.is_null() {
        return;
    }
    let message = error["data"].text("message").or_else(|| error.text("message"));
    let name = error.text("name").unwrap_or_default();
    if name.contains("Abort") {
        talk.interrupt(message.unwrap_or("the reply was aborted"));
    } else {
        talk.say(Author::System, Channel::Notice, message.unwrap_or(name));
    }
}

/// Adds a message of the second model, which holds everything in one place.
pub(super) fn add_second(talk: &mut Conversation<'_>, line: u32, message: &Value, at: Option<Timestamp>) {
    talk.record(Record { line, at, id: message.text("id") });
    let text = message.text("text").unwrap_or_default();
    match message.text("type").unwrap_or_default() {
        "user" => {
            talk.end_reply();
            talk.prompt(text);
        }
        "assistant" => add_reply(talk, message, message.list("content")),
        "synthetic" | "system" => {
            talk.say(Author::System, Channel::Injected, text);
        }
        "compaction" => {
            talk.say(Author::System, Channel::Summary, message.text("summary").unwrap_or_default());
        }
        "shell" => {
            let output = prose_of(&message["output"]);
            talk.command_of_person(message.text("command").unwrap_or_default(), Outcome::Unknown, &output);
        }
        "model-switched" => {
            let model = message["model"].text("id").or_else(|| message["model"].text("modelID"));
            talk.written_by(model);
        }
        _ => {}
    }
}
