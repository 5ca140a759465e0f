//! A hook's message, its fields found under whichever name an agent gives them.

use std::path::PathBuf;

use lore_core::SessionId;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::tools::act;
use crate::hook::event::{Begun, HookError, HookEvent, Stage, Told};

/// What a tool printed is looked at so far for how it ended.
const HEAD: usize = 400;
/// So much of what a failed tool printed is handed on: its end, where the reason stands.
const LONGEST: usize = 4_000;

/// What an agent sent. Fields come and go between versions, so each may be missing.
pub(super) struct Payload(Map<String, Value>);

impl Payload {
    pub(super) fn read(message: &[u8]) -> Result<Payload, HookError> {
        serde_json::from_slice(message).map(Payload).map_err(HookError::Message)
    }

    pub(super) fn meant(self, agent: &'static str, event: &str) -> Result<HookEvent, HookError> {
        let name = self.field(&["hook_event_name", "hookEventName", "event"])?;
        let name: String = name.unwrap_or_else(|| camel(event));
        let directory: Option<PathBuf> = self.field(&["cwd", "working_dir"])?;
        let roots: Option<Vec<PathBuf>> = self.field(&["workspace_roots"])?;
        let session: Option<String> = self.field(&["session_id", "sessionId", "conversation_id"])?;
        Ok(HookEvent {
            agent,
            told: self.told(&plain(&name))?,
            name,
            session: SessionId::new(session.unwrap_or_default()),
            directory: directory.or_else(|| roots?.into_iter().next()),
            transcript: self.field(&["transcript_path", "transcriptPath"])?,
        })
    }

    fn told(&self, name: &str) -> Result<Told, HookError> {
        Ok(match name {
            "sessionstart" => Told::Begin(match self.source()?.as_deref() {
                Some("resume" | "fork") => Begun::Resumed,
                Some("clear" | "compact") => Begun::Emptied,
                _ => Begun::Empty,
            }),
            "userpromptsubmit" | "userpromptsubmitted" | "beforeagent" | "beforesubmitprompt" => {
                // A prompt that a subagent gets was written by an agent.
                let in_subagent: Option<String> = self.field(&["agent_id"])?;
                Told::Prompt {
                    text: self.field(&["prompt"])?.unwrap_or_default(),
                    asked: in_subagent.is_none()
                        && matches!(self.source()?.as_deref(), None | Some("user" | "sdk")),
                }
            }
            "pretooluse" | "beforetool" => Told::Tool { stage: Stage::Before, act: self.act()? },
            "posttooluse" | "aftertool" => match self.failure()? {
                Some(error) => Told::Failed { act: self.act()?, error },
                None => Told::Tool { stage: Stage::After, act: self.act()? },
            },
            "posttoolusefailure" => {
                Told::Failed { act: self.act()?, error: self.failure()?.unwrap_or_default() }
            }
            "stop" | "agentstop" | "afteragent" | "precompact" | "precompress" => Told::Rest,
            "sessionend" => Told::End,
            _ => Told::Other,
        })
    }

    /// How a session began, or who sent a prompt.
    fn source(&self) -> Result<Option<String>, HookError> {
        self.field(&["source"])
    }

    fn act(&self) -> Result<crate::hook::Act, HookError> {
        let name: Option<String> = self.field(&["tool_name", "toolName"])?;
        let input = self.value(&["tool_input", "toolArgs", "tool_args"]);
        // One agent sends what it gives the tool as a text of JSON.
        let parsed = input.and_then(Value::as_str).and_then(|text| serde_json::from_str(text).ok());
        Ok(act(&name.unwrap_or_default(), parsed.as_ref().or(input)))
    }

    /// Says why a tool failed, where it did.
    fn failure(&self) -> Result<Option<String>, HookError> {
        let named: Option<Value> = self.field(&["error", "error_message", "errorMessage"])?;
        if let Some(text) = named.as_ref().map(words).filter(|text| !text.trim().is_empty()) {
            return Ok(Some(ending(&text)));
        }
        let Some(response) = self.value(&["tool_response", "toolResult", "tool_output"]) else {
            return Ok(None);
        };
        let code = ["exit_code", "exitCode"].iter().find_map(|key| response.get(*key)?.as_i64());
        let kind = response.get("resultType").and_then(Value::as_str);
        let inner = response.get("error").map(words).filter(|text| !text.trim().is_empty());
        let text = words(response);
        let failed = code.is_some_and(|code| code != 0)
            || matches!(kind, Some("failure" | "error"))
            || inner.is_some()
            || (code.is_none() && ended_badly(&text));
        Ok(failed.then(|| ending(&inner.unwrap_or(text))))
    }

    fn value(&self, names: &[&str]) -> Option<&Value> {
        names.iter().find_map(|name| self.0.get(*name)).filter(|value| !value.is_null())
    }

    fn field<T: DeserializeOwned>(&self, names: &[&str]) -> Result<Option<T>, HookError> {
        let read = |value: &Value| serde_json::from_value(value.clone()).map_err(HookError::Message);
        self.value(names).map(read).transpose()
    }
}

/// Collects the words of whatever a tool returned.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(words).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            let known = ["stderr", "message", "textResultForLlm", "llmContent", "output", "stdout", "text"];
            let parts = known.iter().filter_map(|key| fields.get(*key)).map(words);
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Tells whether what a shell returned says, in a line of its own at either end, that the command failed.
fn ended_badly(text: &str) -> bool {
    let line = |line: &str| {
        let line = line.trim().to_ascii_lowercase();
        let code = ["exit code:", "process exited with code", "exited with code"]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        code.and_then(|rest| rest.trim().trim_end_matches('.').parse::<i64>().ok())
            .is_some_and(|code| code != 0)
    };
    let head: String = text.chars().take(HEAD).collect();
    let tail: String = text.chars().rev().take(HEAD).collect::<Vec<_>>().into_iter().rev().collect();
    head.lines().take(4).any(line) || tail.lines().rev().take(4).any(line)
}

fn ending(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(LONGEST);
    text.chars().skip(skip).collect()
}

/// Writes an event's name as all spellings of it agree: `session-start`, `sessionStart`, `SessionStart`.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Turns `session-start`, as it stands on a command line, into `SessionStart`.
fn camel(name: &str) -> String {
    name.split(['-', '_'])
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}
