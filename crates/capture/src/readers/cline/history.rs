//! The messages as the model had them.

use std::collections::VecDeque;

use lore_core::session::{Author, Channel, Outcome};
use serde_json::Value;

use super::markup::{Piece, pieces, within};
use crate::conversation::{Conversation, Record, ToolResult};
use crate::json::{Fields, number_of, output_of};

/// Beginnings of texts that the extension itself puts in the user's place.
const NOTICES: &[&str] = &[
    "[ERROR]",
    "[TASK RESUMPTION]",
    "[NOTE]",
    "[Continue assisting the user!]",
    "You seem to be having trouble proceeding.",
    "The user has accepted the condensed conversation summary",
    "(This is an automated message",
    "Tool [",
    "The tool execution failed",
    "Failure: I did not provide a response",
];

/// Reads the messages.
pub(super) fn read(talk: &mut Conversation<'_>, messages: &Value) {
    let mut open: VecDeque<(String, String)> = VecDeque::new();
    for (index, message) in messages.as_array().into_iter().flatten().enumerate() {
        let line = number_of(index);
        talk.record(Record { line, at: message.time("ts"), id: message.text("id") });
        let content = &message["content"];
        let blocks = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
        match message.text("role").unwrap_or_default() {
            "assistant" => {
                let model = message["modelInfo"].text("modelId");
                talk.written_by(model);
                open.clear();
                talk.end_reply();
                add_reply(talk, line, blocks, &mut open);
            }
            "user" if message.flag("isSummary") => {
                talk.say(Author::System, Channel::Summary, &output_of(content));
            }
            "user" => add_answer(talk, blocks, &mut open),
            _ => {}
        }
    }
}

fn add_reply(
    talk: &mut Conversation<'_>,
    line: u32,
    blocks: &[Value],
    open: &mut VecDeque<(String, String)>,
) {
    for block in blocks {
        let text = block.text("text").or(block.as_str()).unwrap_or_default();
        match block.text("type").unwrap_or("text") {
            "text" => {
                for (number, piece) in pieces(text).into_iter().enumerate() {
                    match piece {
                        Piece::Words(words) => talk.reply(words),
                        Piece::Call(name, arguments) => {
                            let id = format!("{line}-{number}");
                            add_call(talk, &id, name, &arguments);
                            open.push_back((id, name.to_owned()));
                        }
                    }
                }
            }
            "tool_use" => {
                let id = block.text("id").unwrap_or_default();
                add_call(talk, id, block.text("name").unwrap_or("unknown"), &block["input"]);
            }
            _ => {}
        }
    }
}

/// Adds a call; what some tools show to the person are the agent's words.
fn add_call(talk: &mut Conversation<'_>, id: &str, name: &str, arguments: &Value) {
    let words = match name {
        "attempt_completion" => arguments.text("result"),
        "ask_followup_question" => arguments.text("question"),
        "plan_mode_respond" => arguments.text("response"),
        _ => None,
    };
    if let Some(words) = words {
        talk.reply(words);
    }
    talk.call(Some(id), name, arguments);
}

/// Takes what stands in the user's place: results, and what a person said with them.
fn add_answer(talk: &mut Conversation<'_>, blocks: &[Value], open: &mut VecDeque<(String, String)>) {
    let mut result: Option<(String, String, String)> = None;
    for block in blocks {
        if block.text("type") == Some("tool_result") {
            let id = block.text("tool_use_id").unwrap_or_default();
            let name = talk.tool_of(id).unwrap_or_default().to_owned();
            let output = output_of(&block["content"]);
            let outcome = if block.flag("is_error") { Outcome::Failed } else { Outcome::Done };
            add_result(talk, Some(id), &name, outcome, &output);
            continue;
        }
        let text = without_details(talk, block.text("text").or(block.as_str()).unwrap_or_default());
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        match header(text) {
            Some((name, rest)) => {
                flush(talk, &mut result);
                let at = open.iter().position(|(_, tool)| tool == name).unwrap_or(0);
                let id = open.remove(at).map(|(id, _)| id).unwrap_or_default();
                result = Some((id, name.to_owned(), rest.to_owned()));
            }
            // The output may follow in a block of its own.
            None if result.as_ref().is_some_and(|(_, _, output)| output.is_empty()) => {
                if let Some((_, _, output)) = &mut result {
                    output.push_str(text);
                }
            }
            None => {
                flush(talk, &mut result);
                add_words(talk, text);
            }
        }
    }
    flush(talk, &mut result);
}

fn flush(talk: &mut Conversation<'_>, result: &mut Option<(String, String, String)>) {
    if let Some((id, name, output)) = result.take() {
        let failed = output.starts_with("The tool execution failed") || output.starts_with("Error");
        let outcome = if failed { Outcome::Failed } else { Outcome::Done };
        add_result(talk, Some(&id).filter(|id| !id.is_empty()).map(String::as_str), &name, outcome, &output);
    }
}

/// Tools whose results are what a person said.
const ASKING: &[&str] = &[
    "ask_followup_question",
    "attempt_completion",
    "condense",
    "new_task",
    "plan_mode_respond",
    "plan_mode_response",
    "switch_mode",
];

/// Tools that ask before they act and whose results begin with the extension's own words.
const CHANGING: &[&str] = &[
    "apply_diff",
    "execute_command",
    "insert_content",
    "replace_in_file",
    "search_and_replace",
    "write_to_file",
];

/// Adds a result and the words of a person that stand in it.
///
/// The history has no field for them, so it goes by the tool: a file that was read or a server's
/// answer can print any sentence and any tag.
fn add_result(talk: &mut Conversation<'_>, id: Option<&str>, name: &str, outcome: Outcome, output: &str) {
    talk.result(ToolResult { id, outcome, output });
    let asks = ASKING.contains(&name);
    if !asks && !CHANGING.contains(&name) {
        return;
    }
    talk.refused(output);
    let denied = crate::refusal::refusal(output).is_some();
    if !asks {
        return;
    }
    if let Some(answer) = within(output, "answer") {
        talk.say(Author::Person, Channel::Answer, answer);
    } else if let Some(words) = within(output, "user_message") {
        talk.say(Author::Person, Channel::Prompt, words);
    } else if let Some(words) = within(output, "feedback").filter(|_| !denied) {
        // Given on a finished or a running task; a refusal has been seen to already.
        let channel = if name == "ask_followup_question" { Channel::Answer } else { Channel::Prompt };
        talk.say(Author::Person, channel, words);
    }
}

/// Adds words that belong to no result.
fn add_words(talk: &mut Conversation<'_>, text: &str) {
    if NOTICES.iter().any(|opening| text.starts_with(opening)) {
        let said = within(text, "user_message").or_else(|| within(text, "feedback"));
        let notice = text.split("<user_message>").next().unwrap_or(text);
        talk.say(Author::System, Channel::Notice, notice.split("<feedback>").next().unwrap_or(notice));
        if let Some(said) = said {
            talk.say(Author::Person, Channel::Prompt, said);
        }
    } else if let Some(said) = within(text, "user_message").filter(|_| text.starts_with("New ")) {
        talk.say(Author::Person, Channel::Prompt, said);
    } else if let Some(explicit) = text.strip_prefix("<explicit_instructions") {
        talk.say(Author::System, Channel::Injected, explicit);
    } else {
        talk.end_reply();
        talk.prompt(text);
    }
}

/// Reads `[tool for 'x'] Result:` and what follows it.
fn header(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let (head, rest) = inner.split_once("] Result:")?;
    let name = head.split([' ', ']']).next()?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (is_name && !head.contains('\n')).then(|| (name, rest.trim()))
}

/// Takes out the listing of open files, clock and folder that goes with every message, and
/// remembers the folder.
fn without_details(talk: &mut Conversation<'_>, text: &str) -> String {
    const OPEN: &str = "<environment_details>";
    const CLOSE: &str = "</environment_details>";
    let Some((before, rest)) = text.split_once(OPEN) else { return text.to_owned() };
    let (details, after) = rest.split_once(CLOSE).unwrap_or((rest, ""));
    if talk.draft.session.directory.is_none() {
        let marks = ["Current Working Directory (", "Current Workspace Directory (", "Working Directory ("];
        let folder = marks.iter().find_map(|mark| details.split_once(mark)?.1.split_once(')'));
        talk.draft.session.directory = folder.and_then(|(folder, _)| talk.draft.short(folder));
    }
    format!("{before}{after}")
}
