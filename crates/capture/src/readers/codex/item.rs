//! What items and events of a rollout say.

use lore_core::session::{Author, Channel, FileAction, FileTouch, Outcome, Turn};
use serde_json::{Value, json};

use super::Rollout;
use super::echo::Source;
use super::output::{outcome_of_code, read_output};
use crate::answers::answers_of;
use crate::conversation::ToolResult;
use crate::json::{Fields, arguments_of, output_of, prose_of};

/// Beginnings of texts that Codex itself puts in the user's place.
const CONTEXT: &[(&str, Channel)] = &[
    ("# AGENTS.md instructions", Channel::Injected),
    ("<user_instructions>", Channel::Injected),
    ("<environment_context>", Channel::Injected),
    ("<environments_instructions>", Channel::Injected),
    ("<external_", Channel::Injected),
    ("<skill>", Channel::Injected),
    ("<hook_prompt", Channel::Injected),
    ("<codex_internal_context", Channel::Injected),
    ("<goal_context>", Channel::Injected),
    ("<recommended_plugins>", Channel::Injected),
    ("<permissions instructions>", Channel::Injected),
    ("<collaboration_mode>", Channel::Injected),
    ("<user_shell_command>", Channel::CommandEcho),
    ("Another language model started to solve this problem", Channel::Summary),
    ("<turn_aborted>", Channel::Notice),
    ("<user_action>", Channel::Notice),
    ("<subagent_notification>", Channel::Notice),
    ("Warning: The maximum number of unified exec processes", Channel::Notice),
    ("Warning: apply_patch was requested via", Channel::Notice),
    ("Warning: Your account was flagged", Channel::Notice),
];

/// What an editor puts between its own context and the person's words.
const REQUEST: &str = "## My request for Codex:";

impl Rollout<'_> {
    /// Takes what the model was given or wrote.
    pub(super) fn item(&mut self, item: &Value) {
        match item.text("type").unwrap_or_default() {
            "message" => self.message(item),
            "function_call" | "custom_tool_call" => {
                let name = item.text("name").unwrap_or("unknown");
                let arguments = arguments_of(item.get("arguments").unwrap_or(&item["input"]));
                self.call(item.text("call_id"), name, &arguments);
            }
            "local_shell_call" => {
                let id = item.text("call_id").or_else(|| item.text("id"));
                self.call(id, "local_shell", &item["action"]);
            }
            "web_search_call" => self.call(item.text("id"), "web_search", &item["action"]),
            "tool_search_call" => self.call(item.text("call_id"), "tool_search", &item["arguments"]),
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                let (text, outcome) = read_output(&item["output"]);
                self.result(item.text("call_id"), outcome, &text);
            }
            "agent_message" => {
                let text = prose_of(&item["content"]);
                self.conversation.say(Author::Agent, Channel::Notice, &text);
            }
            _ => {}
        }
    }

    fn message(&mut self, item: &Value) {
        match item.text("role").unwrap_or_default() {
            "user" => {
                let mut typed = Vec::new();
                for text in item.list("content").iter().filter_map(|block| block.text("text")) {
                    match context_of(text) {
                        Some(channel) => {
                            self.folder_in(text);
                            self.conversation.say(Author::System, channel, text);
                        }
                        None if is_media_label(text) => {}
                        None => typed.push(text),
                    }
                }
                let whole = item["content"].as_str();
                self.prompt(Source::Item, &whole.map_or_else(|| typed.join("\n"), str::to_owned));
            }
            "assistant" => {
                let text = prose_of(&item["content"]);
                if self.echo.reply(Source::Item, &text) {
                    self.reply(&text);
                }
            }
            _ => {
                let text = prose_of(&item["content"]);
                self.conversation.say(Author::System, Channel::Injected, &text);
            }
        }
    }

    /// Finds the working folder in the context that early rollouts keep it in alone.
    fn folder_in(&mut self, context: &str) {
        let draft = &mut self.conversation.draft;
        if draft.session.directory.is_none() && context.contains("<environment_context>") {
            let tagged = context.split_once("<cwd>").and_then(|(_, rest)| rest.split_once("</cwd>"));
            let plain = || context.split_once("Current working directory: ")?.1.split_once('\n');
            draft.session.directory = tagged.or_else(plain).and_then(|(folder, _)| draft.short(folder));
        }
    }

    /// Takes what the person was shown.
    pub(super) fn event(&mut self, event: &Value) {
        match event.text("type").unwrap_or_default() {
            "user_message" => self.prompt(Source::Event, event.text("message").unwrap_or_default()),
            "agent_message" => {
                let text = event.text("message").unwrap_or_default();
                if self.echo.reply(Source::Event, text) {
                    self.reply(text);
                }
            }
            "turn_aborted" => {
                let reason = event.text("reason").unwrap_or("interrupted");
                self.conversation.interrupt(&format!("turn aborted: {reason}"));
            }
            "thread_rolled_back" => {
                let turns = event.get("num_turns").and_then(Value::as_u64).unwrap_or(1);
                let turns = usize::try_from(turns).unwrap_or(usize::MAX);
                if turns > 0
                    && let Some(from) = self.echo.roll_back(turns)
                {
                    self.roll_back(from);
                }
            }
            "patch_apply_end" => {
                let failed = event.get("success").and_then(Value::as_bool) == Some(false);
                self.touched(event.text("call_id"), &event["changes"], failed.then_some(Outcome::Failed));
            }
            "thread_name_updated" => {
                let draft = &mut self.conversation.draft;
                draft.session.title = event.text("thread_name").and_then(|text| draft.short(text));
            }
            "item_completed" => self.completed(&event["item"]),
            _ => {}
        }
    }

    /// Takes an item of a paginated rollout, mostly an echo of what the model wrote.
    fn completed(&mut self, item: &Value) {
        let id = item.text("id");
        let known = id.is_some_and(|id| self.conversation.tool_of(id).is_some());
        match item.text("type").unwrap_or_default() {
            "UserMessage" => {
                let blocks = item.list("content").iter();
                let texts: Vec<&str> = blocks.filter_map(|block| block.text("text")).collect();
                self.prompt(Source::Event, &texts.join("\n"));
            }
            "AgentMessage" => {
                let blocks = item.list("content").iter();
                let text: String = blocks.filter_map(|block| block.text("text")).collect();
                if self.echo.reply(Source::Event, &text) {
                    self.reply(&text);
                }
            }
            "Plan" => {
                let text = item.text("text").unwrap_or_default();
                if self.echo.reply(Source::Event, text) {
                    self.conversation.say(Author::Agent, Channel::Plan, text);
                }
            }
            "HookPrompt" => {
                for text in item.list("fragments").iter().filter_map(|fragment| fragment.text("text")) {
                    if self.echo.reply(Source::Event, text) {
                        self.conversation.say(Author::System, Channel::Injected, text);
                    }
                }
            }
            "CommandExecution" => {
                if !known {
                    let arguments = json!({ "command": item["command"], "cwd": item["cwd"] });
                    self.call(id, "exec_command", &arguments);
                }
                let code = item.get("exit_code").and_then(Value::as_i64);
                let outcome = match item.text("status") {
                    Some("declined") => Outcome::Rejected,
                    Some("failed") => Outcome::Failed,
                    _ => outcome_of_code(code),
                };
                self.result(id, outcome, item.text("aggregated_output").unwrap_or_default());
            }
            "McpToolCall" => {
                if !known {
                    self.call(id, item.text("tool").unwrap_or("mcp"), &item["arguments"]);
                }
                let failed = !item["error"].is_null() || item.text("status") == Some("failed");
                let outcome = if failed { Outcome::Failed } else { Outcome::Done };
                let output = if item["result"].is_null() { &item["error"] } else { &item["result"] };
                self.result(id, outcome, &output_of(output));
            }
            "FileChange" => {
                let outcome = match item.text("status") {
                    Some("declined") => Some(Outcome::Rejected),
                    Some("failed") => Some(Outcome::Failed),
                    _ => None,
                };
                self.touched(id, &item["changes"], outcome);
            }
            _ => {}
        }
    }

    /// Takes a text in the user's place.
    fn prompt(&mut self, source: Source, text: &str) {
        let (before, typed) = match text.find(REQUEST) {
            Some(at) => (&text[..at], text[at + REQUEST.len()..].trim()),
            None => ("", text.trim()),
        };
        if typed.is_empty() || !self.echo.prompt(source, typed) {
            return;
        }
        if let Some(channel) = context_of(typed) {
            self.conversation.say(Author::System, channel, typed);
            return;
        }
        self.conversation.say(Author::System, Channel::Injected, before);
        let turns = self.conversation.prompt(typed);
        let persons = |index: &usize| self.conversation.turns()[*index].author != Author::System;
        if let Some(index) = turns.clone().find(persons) {
            self.echo.prompted(source, typed, index);
        }
    }

    /// Gives up everything from a prompt on, with what an editor put before it in the same record.
    fn roll_back(&mut self, prompt: usize) {
        let turns = self.conversation.turns();
        let line = turns.get(prompt).map(Turn::line);
        let before = turns.iter().take(prompt).rev().take_while(|turn| Some(turn.line()) == line).count();
        let end = turns.len();
        self.conversation.abandon(prompt - before..end);
        self.conversation.end_reply();
    }

    /// Takes words of the agent; a plan it proposes stands by itself.
    fn reply(&mut self, text: &str) {
        const OPEN: &str = "<proposed_plan>";
        const CLOSE: &str = "</proposed_plan>";
        let Some((before, rest)) = text.split_once(OPEN) else {
            self.conversation.end_reply();
            return self.conversation.reply(text);
        };
        let (plan, after) = rest.split_once(CLOSE).unwrap_or((rest, ""));
        self.conversation.end_reply();
        self.conversation.reply(before);
        if self.echo.reply(Source::Item, plan) {
            self.conversation.say(Author::Agent, Channel::Plan, plan);
        }
        self.conversation.reply(after);
    }

    fn call(&mut self, id: Option<&str>, name: &str, arguments: &Value) {
        if id.is_none_or(|id| self.conversation.tool_of(id).is_none()) {
            self.conversation.call(id, name, arguments);
        }
    }

    fn result(&mut self, id: Option<&str>, outcome: Outcome, output: &str) {
        let asked = id.and_then(|id| self.conversation.tool_of(id)) == Some("request_user_input");
        self.conversation.result(ToolResult { id, outcome, output });
        let given = if asked { serde_json::from_str(output).unwrap_or_default() } else { Value::Null };
        for answer in answers_of(&Value::Null, &given) {
            self.conversation.say(Author::Person, Channel::Answer, &answer);
        }
    }

    /// Adds the files that a patch really changed to its call.
    fn touched(&mut self, id: Option<&str>, changes: &Value, outcome: Option<Outcome>) {
        let Some(call) = id.and_then(|id| self.conversation.call_mut(id)) else { return };
        if let Some(outcome) = outcome {
            call.outcome = outcome;
        }
        let mut files = std::mem::take(&mut call.files);
        for (path, change) in changes.as_object().into_iter().flatten() {
            let action = match change.text("type") {
                Some("add") => FileAction::Write,
                Some("delete") => FileAction::Delete,
                _ => FileAction::Edit,
            };
            let Some(path) = self.conversation.draft.short(path) else { continue };
            // The patch names a file from the working folder, the event from the root.
            if !files.iter().any(|touch| touch.action == action && path.ends_with(touch.path.as_str())) {
                files.push(FileTouch { path, action });
            }
        }
        if let Some(call) = id.and_then(|id| self.conversation.call_mut(id)) {
            call.files = files;
        }
    }
}

fn context_of(text: &str) -> Option<Channel> {
    let text = text.trim_start();
    CONTEXT.iter().find(|(opening, _)| text.starts_with(opening)).map(|(_, channel)| *channel)
}

/// Tells whether a text only says where a picture begins or ends.
fn is_media_label(text: &str) -> bool {
    let text = text.trim();
    let label = ["<image", "</image", "<audio", "</audio"].iter().any(|tag| text.starts_with(tag));
    label && text.ends_with('>') && !text.contains('\n')
}
