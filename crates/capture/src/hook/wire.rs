//! The shapes that agents send to hooks and expect back.

use std::path::PathBuf;

use lore_core::SessionId;
use serde::Deserialize;

use super::event::{Act, Begun, HookError, HookEvent, Stage, Told};

/// Agents whose hooks we know; all send the shape that Claude Code began with, Gemini under other names.
pub const AGENTS: &[&str] = &["claude-code", "codex", "copilot", "gemini"];

/// Reads what an agent sent. The event's name in the message counts; `event` stands in for it.
pub fn read(agent: &str, event: &str, message: &[u8]) -> Result<HookEvent, HookError> {
    let known = AGENTS.iter().find(|known| **known == agent);
    let known = known.ok_or_else(|| HookError::Agent(agent.to_owned()))?;
    let sent: ClaudeCode = serde_json::from_slice(message).map_err(HookError::Message)?;
    Ok(sent.meant(known, event))
}

/// Writes what the agent expects in order to show a text to its model.
pub fn reply(event: &HookEvent, context: &str) -> String {
    serde_json::json!({
        "hookSpecificOutput": { "hookEventName": event.name, "additionalContext": context }
    })
    .to_string()
}

/// Writes what the agent expects in order not to use a tool, with the reason its model is told.
pub fn refuse(event: &HookEvent, reason: &str) -> String {
    if event.agent == "gemini" {
        return serde_json::json!({ "decision": "deny", "reason": reason }).to_string();
    }
    serde_json::json!({
        "hookSpecificOutput": {
            "hookEventName": event.name,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
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
    tool_name: Option<String>,
    tool_input: Option<serde_json::Value>,
}

impl ClaudeCode {
    fn meant(self, agent: &'static str, event: &str) -> HookEvent {
        let name = self.hook_event_name.unwrap_or_else(|| camel(event));
        let tool = |stage| Told::Tool {
            stage,
            act: act(self.tool_name.as_deref().unwrap_or_default(), self.tool_input.as_ref()),
        };
        let told = match name.as_str() {
            "SessionStart" => Told::Begin(match self.source.as_deref() {
                Some("resume" | "fork") => Begun::Resumed,
                Some("clear" | "compact") => Begun::Emptied,
                _ => Begun::Empty,
            }),
            "PreToolUse" | "BeforeTool" => tool(Stage::Before),
            "PostToolUse" | "AfterTool" => tool(Stage::After),
            "UserPromptSubmit" | "BeforeAgent" => Told::Prompt {
                text: self.prompt.unwrap_or_default(),
                asked: self.agent_id.is_none()
                    && matches!(self.source.as_deref(), None | Some("user" | "sdk")),
            },
            "SessionEnd" => Told::End,
            _ => Told::Other,
        };
        HookEvent {
            agent,
            name,
            session: SessionId::new(self.session_id),
            directory: self.cwd,
            transcript: self.transcript_path,
            told,
        }
    }
}

/// Tells what a tool does from its name and what it is given.
fn act(name: &str, input: Option<&serde_json::Value>) -> Act {
    let text = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| input?.get(*key));
        match found {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(serde_json::Value::Array(words)) => {
                words.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        }
    };
    match name.to_lowercase().replace(['_', '-'], "").as_str() {
        "read" | "readfile" | "readmanyfiles" | "grep" | "glob" | "ls" | "view" | "searchfilecontent"
        | "listdirectory" | "notebookread" | "todowrite" | "todo" => Act::Reads,
        "exitplanmode" => Act::Plans(text(&["plan"])),
        "updateplan" => Act::Plans(input.map(ToString::to_string).unwrap_or_default()),
        "edit" | "write" | "multiedit" | "notebookedit" | "applypatch" | "replace" | "writefile"
        | "create" | "strreplaceeditor" | "patch" => Act::Edits,
        "bash" | "shell" | "runshellcommand" | "execcommand" | "localshell" | "execute" => {
            Act::Runs(text(&["command", "cmd", "script"]))
        }
        _ => Act::Other,
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
        let tool = |act| Told::Tool { stage: Stage::Before, act };
        let before = |name: &str, input: &str| {
            format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{name}","tool_input":{input}}}"#)
        };
        check(&before("Read", r#"{"file_path":"a"}"#), tool(Act::Reads));
        check(&before("MultiEdit", "{}"), tool(Act::Edits));
        check(&before("ExitPlanMode", r#"{"plan":"1. do"}"#), tool(Act::Plans("1. do".to_owned())));
        check(&before("Bash", r#"{"command":"git push"}"#), tool(Act::Runs("git push".to_owned())));
        check(&before("shell", r#"{"command":["git","push"]}"#), tool(Act::Runs("git push".to_owned())));
        check(&before("WebFetch", "{}"), tool(Act::Other));
    }

    #[test]
    fn a_refusal_says_why_in_the_agents_own_form() {
        let event =
            |agent: &str| read(agent, "pre-tool-use", br#"{"session_id":"s","tool_name":"Edit"}"#).unwrap();
        let said: serde_json::Value = serde_json::from_str(&refuse(&event("codex"), "check first")).unwrap();
        assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
        assert_eq!(said["hookSpecificOutput"]["permissionDecisionReason"], "check first");
        let said: serde_json::Value = serde_json::from_str(&refuse(&event("gemini"), "check first")).unwrap();
        assert_eq!((said["decision"].as_str(), said["reason"].as_str()), (Some("deny"), Some("check first")));
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
