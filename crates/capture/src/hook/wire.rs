//! The shapes that agents send to hooks and expect back.

use std::path::PathBuf;

use lore_core::SessionId;
use serde::Deserialize;

use super::event::{Begun, HookError, HookEvent, Told};

/// Agents whose hooks we know.
pub const AGENTS: &[&str] = &["claude-code"];

/// Reads what an agent sent. The event's name in the message counts; `event` stands in for it.
pub fn read(agent: &str, event: &str, message: &[u8]) -> Result<HookEvent, HookError> {
    match agent {
        "claude-code" => {
            let sent: ClaudeCode = serde_json::from_slice(message).map_err(HookError::Message)?;
            Ok(sent.meant(event))
        }
        other => Err(HookError::Agent(other.to_owned())),
    }
}

/// Writes what the agent expects in order to show a text to its model.
pub fn reply(event: &HookEvent, context: &str) -> String {
    serde_json::json!({
        "hookSpecificOutput": { "hookEventName": event.name, "additionalContext": context }
    })
    .to_string()
}

/// What Claude Code sends. Fields come and go between versions, so each may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ClaudeCode {
    session_id: String,
    transcript_path: Option<PathBuf>,
    cwd: Option<PathBuf>,
    hook_event_name: Option<String>,
    /// Only there in a subagent.
    agent_id: Option<String>,
    /// How a session began, or who sent a prompt.
    source: Option<String>,
    prompt: Option<String>,
}

impl ClaudeCode {
    fn meant(self, event: &str) -> HookEvent {
        let name = self.hook_event_name.unwrap_or_else(|| camel(event));
        let told = match name.as_str() {
            "SessionStart" => Told::Begin(match self.source.as_deref() {
                Some("resume" | "fork") => Begun::Resumed,
                Some("clear" | "compact") => Begun::Emptied,
                _ => Begun::Empty,
            }),
            "UserPromptSubmit" => Told::Prompt {
                text: self.prompt.unwrap_or_default(),
                asked: self.agent_id.is_none()
                    && matches!(self.source.as_deref(), None | Some("user" | "sdk")),
            },
            "SessionEnd" => Told::End,
            _ => Told::Other,
        };
        HookEvent {
            agent: "claude-code",
            name,
            session: SessionId::new(self.session_id),
            directory: self.cwd,
            transcript: self.transcript_path,
            told,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(message: &str) -> Told {
        read("claude-code", "session-start", message.as_bytes()).unwrap().told
    }

    #[test]
    fn the_events_of_claude_code_are_understood() {
        let check = |message: &str, expected: Told| assert_eq!(meant(message), expected, "{message}");
        check("{}", Told::Begin(Begun::Empty));
        check(
            r#"{"hook_event_name":"SessionStart","source":"startup","model":"x"}"#,
            Told::Begin(Begun::Empty),
        );
        check(r#"{"hook_event_name":"SessionStart","source":"compact"}"#, Told::Begin(Begun::Emptied));
        check(r#"{"hook_event_name":"SessionStart","source":"fork"}"#, Told::Begin(Begun::Resumed));
        let prompt = |text: &str, asked| Told::Prompt { text: text.to_owned(), asked };
        check(r#"{"hook_event_name":"UserPromptSubmit","prompt":"why?"}"#, prompt("why?", true));
        check(
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"wake","source":"loop_wakeup"}"#,
            prompt("wake", false),
        );
        check(
            r#"{"hook_event_name":"UserPromptSubmit","prompt":"look","agent_id":"a1"}"#,
            prompt("look", false),
        );
        check(r#"{"hook_event_name":"SessionEnd","reason":"clear"}"#, Told::End);
        check(r#"{"hook_event_name":"SomethingNew","x":[1]}"#, Told::Other);
    }

    #[test]
    fn a_reply_names_the_event_and_carries_the_text() {
        let event = read("claude-code", "user-prompt-submit", br#"{"session_id":"s","prompt":"x"}"#).unwrap();
        let reply: serde_json::Value = serde_json::from_str(&reply(&event, "a \"quoted\" text")).unwrap();
        assert_eq!(reply["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
        assert_eq!(reply["hookSpecificOutput"]["additionalContext"], "a \"quoted\" text");
    }

    #[test]
    fn what_is_no_message_is_an_error_and_no_panic() {
        for message in ["", "{\"session_id\":7}", "nonsense"] {
            assert!(read("claude-code", "stop", message.as_bytes()).is_err(), "{message:?}");
        }
        assert!(matches!(read("other", "x", b"{}"), Err(HookError::Agent(_))));
    }
}
