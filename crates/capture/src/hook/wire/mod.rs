//! The shapes that agents send to hooks and expect back.
//!
//! Nearly all send what Claude Code began with, some under other names; what they want to hear
//! differs more. Names of fields and events are therefore looked up in lists, and each agent has a
//! row that says how to answer it.

mod payload;
mod tools;

use serde_json::json;

use super::event::{HookError, HookEvent, Stage, Told};
use payload::Payload;

/// Agents whose hooks we know.
pub const AGENTS: &[&str] =
    &["claude-code", "codex", "gemini", "opencode", "copilot", "cursor", "pi", "goose"];

/// How an agent wants to be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Everything in `hookSpecificOutput`, as Claude Code has it.
    Nested,
    /// The same, but a refusal is a `decision` at the top.
    Decision,
    /// Fields at the top, written together.
    Flat,
    /// Fields at the top, with underscores.
    Underscored,
}

fn form(agent: &str) -> Form {
    match agent {
        "gemini" => Form::Decision,
        "copilot" => Form::Flat,
        "cursor" => Form::Underscored,
        _ => Form::Nested,
    }
}

/// Reads what an agent sent. The event's name in the message counts; `event` stands in for it.
pub fn read(agent: &str, event: &str, message: &[u8]) -> Result<HookEvent, HookError> {
    let known = AGENTS.iter().find(|known| **known == agent);
    let known = known.ok_or_else(|| HookError::Agent(agent.to_owned()))?;
    Payload::read(message)?.meant(known, event)
}

/// Tells whether the agent shows its model what we reply to this event; where it does not, nothing is worth
/// saying, and nothing counts as said.
pub fn hears(event: &HookEvent) -> bool {
    let before_a_tool = matches!(event.told, Told::Tool { stage: Stage::Before, .. });
    match event.agent {
        "goose" => false,
        "gemini" | "copilot" | "opencode" | "pi" => !before_a_tool,
        _ => true,
    }
}

/// Writes what the agent expects in order to show a text to its model.
pub fn reply(event: &HookEvent, context: &str) -> String {
    let reply = match form(event.agent) {
        Form::Nested | Form::Decision => json!({
            "hookSpecificOutput": { "hookEventName": event.name, "additionalContext": context }
        }),
        Form::Flat => json!({ "additionalContext": context }),
        Form::Underscored if matches!(event.told, Told::Prompt { .. }) => {
            json!({ "continue": true, "additional_context": context })
        }
        Form::Underscored => json!({ "additional_context": context }),
    };
    reply.to_string()
}

/// Writes what the agent expects in order not to use a tool, with the reason its model is told.
pub fn refuse(event: &HookEvent, reason: &str) -> String {
    let reply = match form(event.agent) {
        Form::Nested => json!({
            "hookSpecificOutput": {
                "hookEventName": event.name,
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            }
        }),
        Form::Decision => json!({ "decision": "deny", "reason": reason }),
        Form::Flat => json!({ "permissionDecision": "deny", "permissionDecisionReason": reason }),
        Form::Underscored => json!({ "permission": "deny", "user_message": reason, "agent_message": reason }),
    };
    reply.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::event::{Act, Begun};

    fn meant(agent: &str, event: &str, message: &str) -> Told {
        read(agent, event, message.as_bytes()).unwrap().told
    }

    #[test]
    fn the_events_of_claude_code_are_understood() {
        let check = |message: &str, expected: Told| {
            assert_eq!(meant("claude-code", "session-start", message), expected, "{message}");
        };
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
        check(r#"{"hook_event_name":"Stop","stop_hook_active":false}"#, Told::Rest);
        check(r#"{"hook_event_name":"PreCompact","trigger":"auto"}"#, Told::Rest);
        check(r#"{"hook_event_name":"SomethingNew","x":[1]}"#, Told::Other);
        let tool = |act| Told::Tool { stage: Stage::Before, act };
        let before = |name: &str, input: &str| {
            format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{name}","tool_input":{input}}}"#)
        };
        check(&before("Read", r#"{"file_path":"a"}"#), tool(Act::Reads));
        check(&before("MultiEdit", "{}"), tool(Act::Edits(Vec::new())));
        check(&before("Edit", r#"{"file_path":"/p/a.rs"}"#), tool(Act::Edits(vec!["/p/a.rs".to_owned()])));
        check(&before("ExitPlanMode", r#"{"plan":"1. do"}"#), tool(Act::Plans("1. do".to_owned())));
        check(&before("Bash", r#"{"command":"git push"}"#), tool(Act::Runs("git push".to_owned())));
        check(&before("shell", r#"{"command":["git","push"]}"#), tool(Act::Runs("git push".to_owned())));
        check(&before("WebFetch", "{}"), tool(Act::Other));
        check(
            r#"{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"make"},"error":"no rule"}"#,
            Told::Failed { act: Act::Runs("make".to_owned()), error: "no rule".to_owned() },
        );
    }

    #[test]
    fn the_same_happens_under_the_names_of_other_agents() {
        let prompt = || Told::Prompt { text: "why?".to_owned(), asked: true };
        for (agent, event, message, expected) in [
            ("codex", "SessionStart", r#"{"session_id":"s","source":"resume"}"#, Told::Begin(Begun::Resumed)),
            ("codex", "user-prompt-submit", r#"{"session_id":"s","turn_id":"t","prompt":"why?"}"#, prompt()),
            (
                "gemini",
                "before-agent",
                r#"{"session_id":"s","hook_event_name":"BeforeAgent","prompt":"why?"}"#,
                prompt(),
            ),
            ("gemini", "pre-compress", "{}", Told::Rest),
            ("gemini", "after-agent", r#"{"prompt_response":"done"}"#, Told::Rest),
            (
                "copilot",
                "session-start",
                r#"{"timestamp":7,"sessionId":"s","source":"new"}"#,
                Told::Begin(Begun::Empty),
            ),
            ("copilot", "user-prompt-submitted", r#"{"sessionId":"s","prompt":"why?"}"#, prompt()),
            ("copilot", "agent-stop", r#"{"sessionId":"s","stopReason":"end_turn"}"#, Told::Rest),
            (
                "cursor",
                "sessionStart",
                r#"{"conversation_id":"c","session_id":"c"}"#,
                Told::Begin(Begun::Empty),
            ),
            (
                "cursor",
                "before-submit-prompt",
                r#"{"conversation_id":"c","prompt":"why?","attachments":[]}"#,
                prompt(),
            ),
            ("cursor", "stop", r#"{"conversation_id":"c","status":"completed"}"#, Told::Rest),
            ("goose", "x", r#"{"event":"SessionEnd","session_id":"s","working_dir":"/p"}"#, Told::End),
            ("opencode", "session-end", "{}", Told::End),
            ("pi", "user-prompt-submit", r#"{"prompt":"why?"}"#, prompt()),
        ] {
            assert_eq!(meant(agent, event, message), expected, "{agent} {message}");
        }
    }

    #[test]
    fn a_command_that_failed_is_told_whatever_the_agent_calls_it() {
        for (agent, event, message) in [
            (
                "codex",
                "post-tool-use",
                r#"{"tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"Exit code: 2\nWall time: 1\nOutput:\nno rule"}"#,
            ),
            (
                "codex",
                "post-tool-use",
                r#"{"tool_name":"shell","tool_input":{"command":["make"]},"tool_response":{"exit_code":2,"output":"no rule"}}"#,
            ),
            (
                "gemini",
                "after-tool",
                r#"{"tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Output: no rule\nExit Code: 2"}}"#,
            ),
            (
                "copilot",
                "post-tool-use",
                r#"{"toolName":"bash","toolArgs":"{\"command\":\"make\"}","toolResult":{"resultType":"failure","textResultForLlm":"no rule"}}"#,
            ),
            (
                "copilot",
                "post-tool-use-failure",
                r#"{"toolName":"bash","toolArgs":{"command":"make"},"error":"no rule"}"#,
            ),
            (
                "cursor",
                "post-tool-use-failure",
                r#"{"tool_name":"Shell","tool_input":{"command":"make"},"error_message":"no rule"}"#,
            ),
        ] {
            let Told::Failed { act, error } = meant(agent, event, message) else {
                panic!("{agent} {message} is a failure");
            };
            assert_eq!(act, Act::Runs("make".to_owned()), "{message}");
            assert!(error.contains("no rule"), "{error}");
        }
        for message in [
            r#"{"tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"Exit code: 0\nOutput:\nfine"}"#,
            r#"{"tool_name":"Bash","tool_input":{"command":"grep Exit x"},"tool_response":"the Exit code: 3 of it"}"#,
            r#"{"tool_name":"Bash","tool_input":{"command":"make"}}"#,
        ] {
            let told = meant("codex", "post-tool-use", message);
            assert!(matches!(told, Told::Tool { stage: Stage::After, .. }), "{message} {told:?}");
        }
    }

    #[test]
    fn where_and_in_which_session_is_read_from_every_shape() {
        let check = |agent: &str, message: &str| {
            let event = read(agent, "stop", message.as_bytes()).unwrap();
            assert_eq!(event.session.as_str(), "s1", "{message}");
            assert_eq!(event.directory.as_deref(), Some(std::path::Path::new("/p")), "{message}");
            event.transcript
        };
        let path = || Some(std::path::PathBuf::from("/t.jsonl"));
        assert_eq!(check("codex", r#"{"session_id":"s1","cwd":"/p","transcript_path":null}"#), None);
        assert_eq!(check("copilot", r#"{"sessionId":"s1","cwd":"/p","transcriptPath":"/t.jsonl"}"#), path());
        let cursor = r#"{"conversation_id":"s1","workspace_roots":["/p","/q"],"transcript_path":"/t.jsonl"}"#;
        assert_eq!(check("cursor", cursor), path());
        assert_eq!(check("goose", r#"{"event":"Stop","session_id":"s1","working_dir":"/p"}"#), None);
    }

    #[test]
    fn each_agent_is_answered_in_its_own_form() {
        let event = |agent: &str, event: &str| read(agent, event, br#"{"session_id":"s"}"#).unwrap();
        let said = |agent: &str, name: &str| -> serde_json::Value {
            serde_json::from_str(&reply(&event(agent, name), "a \"quoted\" text")).unwrap()
        };
        for agent in ["claude-code", "codex", "gemini", "opencode", "pi"] {
            let reply = said(agent, "session-start");
            assert_eq!(reply["hookSpecificOutput"]["hookEventName"], "SessionStart", "{agent}");
            assert_eq!(reply["hookSpecificOutput"]["additionalContext"], "a \"quoted\" text", "{agent}");
        }
        assert_eq!(said("copilot", "session-start")["additionalContext"], "a \"quoted\" text");
        assert_eq!(said("cursor", "sessionStart")["additional_context"], "a \"quoted\" text");
        assert_eq!(said("cursor", "beforeSubmitPrompt")["continue"], true);
        assert!(hears(&event("copilot", "user-prompt-submitted")) && !hears(&event("goose", "stop")));
        assert!(!hears(&event("gemini", "before-tool")) && hears(&event("cursor", "preToolUse")));
    }

    #[test]
    fn a_refusal_says_why_in_the_agents_own_form() {
        let said = |agent: &str| -> serde_json::Value {
            let event = read(agent, "pre-tool-use", br#"{"session_id":"s","tool_name":"Edit"}"#).unwrap();
            serde_json::from_str(&refuse(&event, "check first")).unwrap()
        };
        for agent in ["claude-code", "codex", "opencode", "pi", "goose"] {
            let said = said(agent);
            assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny", "{agent}");
            assert_eq!(said["hookSpecificOutput"]["permissionDecisionReason"], "check first", "{agent}");
        }
        assert_eq!(said("gemini"), serde_json::json!({ "decision": "deny", "reason": "check first" }));
        assert_eq!(said("copilot")["permissionDecision"], "deny");
        assert_eq!(said("cursor")["permission"], "deny");
        assert_eq!(said("cursor")["agent_message"], "check first");
    }

    #[test]
    fn what_is_no_message_is_an_error_and_no_panic() {
        for message in ["", "{\"session_id\":7}", "nonsense", "[]"] {
            assert!(read("claude-code", "stop", message.as_bytes()).is_err(), "{message:?}");
        }
        assert!(matches!(read("other", "x", b"{}"), Err(HookError::Agent(_))));
    }
}
