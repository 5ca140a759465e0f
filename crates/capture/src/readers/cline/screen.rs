//! The messages as the person saw them.

use lore_core::session::{Author, Channel};
use serde_json::Value;

use crate::conversation::{Conversation, Record};
use crate::json::{Fields, number_of, parse_document};

/// Takes only the times.
pub(super) fn times(talk: &mut Conversation<'_>, messages: &Value) {
    for message in messages.as_array().into_iter().flatten() {
        talk.draft.seen_at(message.time("ts"));
    }
}

/// Reads the messages.
pub(super) fn read(talk: &mut Conversation<'_>, messages: &Value) {
    let mut begun = false;
    for (index, message) in messages.as_array().into_iter().flatten().enumerate() {
        let line = number_of(index);
        talk.record(Record { line, at: message.time("ts"), id: None });
        let text = message.text("text").unwrap_or_default();
        let kind = message.text("say").or_else(|| message.text("ask")).unwrap_or_default();
        if message.flag("partial") {
            continue;
        }
        match kind {
            "task" => begin(talk, &mut begun, text),
            // The first words are the task, whoever they are said to be from.
            "text" if !begun => begin(talk, &mut begun, text),
            "text" | "completion_result" | "plan_mode_respond" => {
                talk.end_reply();
                talk.reply(&words_of(text));
            }
            "followup" => {
                talk.end_reply();
                talk.reply(&words_of(text));
            }
            "user_feedback" => {
                talk.end_reply();
                talk.prompt(text);
            }
            "tool" => {
                let tool = parse_document(text, "").0;
                talk.call(None, tool.text("tool").unwrap_or("unknown"), &tool);
            }
            "command" => talk.call(None, "execute_command", &serde_json::json!({ "command": text })),
            "command_output" | "mcp_server_response" => {
                let output = talk.draft.output(text);
                talk.say(Author::Tool, Channel::ToolOutput, &output);
            }
            "error" | "diff_error" | "api_req_failed" => {
                talk.say(Author::System, Channel::Notice, text);
            }
            _ => {}
        }
    }
}

fn begin(talk: &mut Conversation<'_>, begun: &mut bool, text: &str) {
    *begun = true;
    talk.prompt(text);
}

/// Returns the words, which some versions put into an object.
fn words_of(text: &str) -> String {
    if text.starts_with('{')
        && let Ok(object) = serde_json::from_str::<Value>(text)
        && let Some(words) = object.text("question").or_else(|| object.text("response"))
    {
        return words.to_owned();
    }
    text.to_owned()
}
