//! What one entry of a pi session says.

use lore_core::session::{Author, Channel, Outcome};
use serde_json::Value;

use super::Log;
use crate::conversation::{Record, ToolResult};
use crate::json::{Fields, arguments_of, output_of, prose_of};

impl Log<'_> {
    /// Takes an entry.
    pub(super) fn entry(&mut self, line: u32, entry: &Value) {
        self.seen += 1;
        let kind = entry.text("type").unwrap_or_default();
        if kind == "session" {
            return self.header(entry);
        }
        let at = entry.time("timestamp").or_else(|| entry["message"].time("timestamp"));
        self.conversation.record(Record { line, at, id: entry.text("id") });
        if self.tree.add(entry.text("id"), entry.text("parentId")) {
            self.conversation.end_reply();
        }
        let from = self.conversation.len();
        self.content(kind, entry);
        let to = self.conversation.len();
        self.tree.made(from..to);
    }

    fn content(&mut self, kind: &str, entry: &Value) {
        match kind {
            "message" => self.message(&entry["message"]),
            "model_change" => self.conversation.written_by(entry.text("modelId")),
            "compaction" | "branch_summary" => {
                let summary = entry.text("summary").unwrap_or_default();
                self.conversation.say(Author::System, Channel::Summary, summary);
            }
            "custom_message" => {
                self.conversation.say(Author::System, Channel::Injected, &prose_of(&entry["content"]));
            }
            "session_info" => {
                let draft = &mut self.conversation.draft;
                draft.session.title = entry.text("name").and_then(|text| draft.short(text));
            }
            _ => {}
        }
    }

    fn message(&mut self, message: &Value) {
        match message.text("role").unwrap_or_default() {
            "user" => {
                self.conversation.end_reply();
                self.prompt(&prose_of(&message["content"]));
            }
            "assistant" => self.assistant(message),
            "toolResult" => self.result(message),
            "bashExecution" => self.shell(message),
            "compactionSummary" | "branchSummary" => {
                let summary =
                    message.text("summary").map_or_else(|| prose_of(&message["content"]), str::to_owned);
                self.conversation.say(Author::System, Channel::Summary, &summary);
            }
            "system" | "custom" | "hookMessage" => {
                self.conversation.say(Author::System, Channel::Injected, &prose_of(&message["content"]));
            }
            _ => {}
        }
    }

    /// Takes what stands in the user's place; files that were named with it come before the words.
    fn prompt(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, file)) = rest.split_once("<file name=\"")
            && before.trim().is_empty()
            && let Some((file, after)) = file.split_once("</file>")
        {
            self.conversation.say(Author::System, Channel::Injected, &file.replacen("\">", "", 1));
            rest = after;
        }
        self.conversation.prompt(rest);
    }

    fn assistant(&mut self, message: &Value) {
        self.conversation.written_by(message.text("model"));
        self.conversation.end_reply();
        if let Some(text) = message["content"].as_str() {
            self.conversation.reply(text);
        }
        for block in message.list("content") {
            match block.text("type").unwrap_or_default() {
                "text" => self.conversation.reply(block.text("text").unwrap_or_default()),
                "toolCall" => {
                    let name = block.text("name").unwrap_or("unknown");
                    self.conversation.call(block.text("id"), name, &arguments_of(&block["arguments"]));
                }
                _ => {}
            }
        }
        match message.text("stopReason") {
            Some("aborted") => {
                self.conversation.interrupt(message.text("errorMessage").unwrap_or("the reply was aborted"));
            }
            Some("error") => {
                let error = message.text("errorMessage").unwrap_or("the model failed");
                self.conversation.say(Author::System, Channel::Notice, error);
            }
            _ => {}
        }
    }

    fn result(&mut self, message: &Value) {
        let outcome = if message.flag("isError") { Outcome::Failed } else { Outcome::Done };
        let output = output_of(&message["content"]);
        self.conversation.result(ToolResult { id: message.text("toolCallId"), outcome, output: &output });
    }

    /// Takes a command that the person ran beside the agent.
    fn shell(&mut self, message: &Value) {
        let command = message.text("command").unwrap_or_default();
        let output = message.text("output").unwrap_or_default();
        let outcome = match message.get("exitCode").and_then(Value::as_i64) {
            _ if message.flag("cancelled") => Outcome::Interrupted,
            Some(0) => Outcome::Done,
            Some(_) => Outcome::Failed,
            None => Outcome::Unknown,
        };
        self.conversation.command_of_person(command, outcome, output);
    }
}
