//! Every agent's hook messages, in the shapes that agents send, through the real binary: an answer in the
//! agent's own form or silence, exit code 0, nothing on standard error.

use serde_json::{Value, json};

use crate::desk::Desk;

/// Our word for an event, and what the agent sends with it.
type Sent = (&'static str, fn(&Desk) -> Value);

/// What an agent is, as far as its hooks show.
struct Shape {
    agent: &'static str,
    /// What stands in every message.
    common: fn(&Desk) -> Value,
    /// A start, a prompt, an edit, a failed command, a stop, a compaction and an end.
    events: [Sent; 7],
    /// Where the text for the model is.
    text: &'static str,
    /// What is heard: at the start, with a prompt, before an edit, after a failure.
    hears: [bool; 4],
    /// Where a refusal is, and what stands there.
    refusal: (&'static str, &'static str),
}

fn path(desk: &Desk, file: &str) -> String {
    desk.project().join(file).display().to_string()
}

const ERROR: &str = "error: the mail worker failed: connection refused on port 6390 of the relay";
const NESTED: &str = "/hookSpecificOutput/additionalContext";
const DENIED: (&str, &str) = ("/hookSpecificOutput/permissionDecision", "deny");

fn shapes() -> Vec<Shape> {
    vec![
        Shape {
            agent: "claude-code",
            common: |desk| {
                json!({ "session_id": "c1", "transcript_path": path(desk, "c1.jsonl"), "cwd": desk.project(),
                    "permission_mode": "default", "prompt_id": "p1" })
            },
            events: [
                (
                    "session-start",
                    |_| json!({ "hook_event_name": "SessionStart", "source": "startup", "model": "m" }),
                ),
                (
                    "user-prompt-submit",
                    |_| json!({ "hook_event_name": "UserPromptSubmit", "prompt": PROMPT, "source": "user" }),
                ),
                ("pre-tool-use", |desk| {
                    json!({ "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_use_id": "t1",
                    "tool_input": { "file_path": path(desk, "src/token.rs"), "old_string": "a", "new_string": "b" } })
                }),
                ("post-tool-use-failure", |_| {
                    json!({ "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": ERROR,
                    "tool_input": { "command": "make migrate" }, "tool_use_id": "t2", "is_interrupt": false })
                }),
                (
                    "stop",
                    |_| json!({ "hook_event_name": "Stop", "stop_hook_active": false, "last_assistant_message": "done" }),
                ),
                (
                    "pre-compact",
                    |_| json!({ "hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": null }),
                ),
                (
                    "session-end",
                    |_| json!({ "hook_event_name": "SessionEnd", "reason": "prompt_input_exit" }),
                ),
            ],
            text: NESTED,
            hears: [true; 4],
            refusal: DENIED,
        },
        Shape {
            agent: "codex",
            common: |desk| {
                json!({ "session_id": "x1", "transcript_path": null, "cwd": desk.project(), "model": "m",
                    "permission_mode": "default" })
            },
            events: [
                ("session-start", |_| json!({ "hook_event_name": "SessionStart", "source": "startup" })),
                (
                    "user-prompt-submit",
                    |_| json!({ "hook_event_name": "UserPromptSubmit", "turn_id": "1", "prompt": PROMPT }),
                ),
                ("pre-tool-use", |_| {
                    json!({ "hook_event_name": "PreToolUse", "turn_id": "1", "tool_name": "apply_patch", "tool_use_id": "t1",
                    "tool_input": { "command": "*** Begin Patch\n*** Update File: src/token.rs\n@@\n-a\n+b\n*** End Patch" } })
                }),
                ("post-tool-use", |_| {
                    json!({ "hook_event_name": "PostToolUse", "turn_id": "1", "tool_name": "Bash", "tool_use_id": "t2",
                    "tool_input": { "command": "make migrate" }, "tool_response": format!("Exit code: 2\nWall time: 0.1\nOutput:\n{ERROR}") })
                }),
                (
                    "stop",
                    |_| json!({ "hook_event_name": "Stop", "turn_id": "1", "stop_hook_active": false, "last_assistant_message": null }),
                ),
                (
                    "pre-compact",
                    |_| json!({ "hook_event_name": "PreCompact", "turn_id": "1", "trigger": "manual" }),
                ),
                ("session-end", |_| json!({ "hook_event_name": "SessionEnd", "reason": "exit" })),
            ],
            text: NESTED,
            hears: [true; 4],
            refusal: DENIED,
        },
        Shape {
            agent: "gemini",
            common: |desk| {
                json!({ "session_id": "g1", "transcript_path": path(desk, "g1.json"), "cwd": desk.project(),
                    "timestamp": "2026-02-20T12:00:00Z" })
            },
            events: [
                ("session-start", |_| json!({ "hook_event_name": "SessionStart", "source": "startup" })),
                ("before-agent", |_| json!({ "hook_event_name": "BeforeAgent", "prompt": PROMPT })),
                ("before-tool", |_| {
                    json!({ "hook_event_name": "BeforeTool", "tool_name": "replace",
                    "tool_input": { "file_path": "src/token.rs", "old_string": "a", "new_string": "b" } })
                }),
                ("after-tool", |_| {
                    json!({ "hook_event_name": "AfterTool", "tool_name": "run_shell_command",
                    "tool_input": { "command": "make migrate" }, "tool_response": { "llmContent": format!("Output: {ERROR}\nExit Code: 2") } })
                }),
                (
                    "after-agent",
                    |_| json!({ "hook_event_name": "AfterAgent", "prompt": PROMPT, "prompt_response": "done", "stop_hook_active": false }),
                ),
                ("pre-compress", |_| json!({ "hook_event_name": "PreCompress", "trigger": "auto" })),
                ("session-end", |_| json!({ "hook_event_name": "SessionEnd", "reason": "exit" })),
            ],
            text: NESTED,
            hears: [true, true, false, true],
            refusal: ("/decision", "deny"),
        },
        Shape {
            agent: "copilot",
            common: |desk| json!({ "sessionId": "k1", "timestamp": 1_771_588_800_000_u64, "cwd": desk.project() }),
            events: [
                ("session-start", |_| json!({ "source": "new", "initialPrompt": "" })),
                ("user-prompt-submitted", |_| json!({ "prompt": PROMPT })),
                (
                    "pre-tool-use",
                    |_| json!({ "toolName": "edit", "toolArgs": "{\"path\":\"src/token.rs\"}" }),
                ),
                ("post-tool-use", |_| {
                    json!({ "toolName": "bash", "toolArgs": { "command": "make migrate" },
                    "toolResult": { "resultType": "failure", "textResultForLlm": ERROR } })
                }),
                (
                    "agent-stop",
                    |_| json!({ "transcriptPath": "/nowhere/events.jsonl", "stopReason": "end_turn", "stop_hook_active": false }),
                ),
                ("pre-compact", |_| json!({ "trigger": "auto" })),
                ("session-end", |_| json!({ "reason": "complete" })),
            ],
            text: "/additionalContext",
            hears: [true, true, false, true],
            refusal: ("/permissionDecision", "deny"),
        },
        Shape {
            agent: "cursor",
            common: |desk| {
                json!({ "conversation_id": "u1", "generation_id": "g", "model": "m", "cursor_version": "3.20.17",
                    "workspace_roots": [desk.project()], "user_email": "a@example.org", "transcript_path": null })
            },
            events: [
                (
                    "session-start",
                    |_| json!({ "hook_event_name": "sessionStart", "session_id": "u1", "is_background_agent": false, "composer_mode": "agent" }),
                ),
                (
                    "before-submit-prompt",
                    |_| json!({ "hook_event_name": "beforeSubmitPrompt", "prompt": PROMPT, "attachments": [] }),
                ),
                (
                    "pre-tool-use",
                    |desk| json!({ "hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": { "file_path": path(desk, "src/token.rs") } }),
                ),
                ("post-tool-use-failure", |_| {
                    json!({ "hook_event_name": "postToolUseFailure", "tool_name": "Shell",
                    "tool_input": { "command": "make migrate" }, "error_message": ERROR })
                }),
                ("stop", |_| json!({ "hook_event_name": "stop", "status": "completed", "loop_count": 0 })),
                ("pre-compact", |_| json!({ "hook_event_name": "preCompact" })),
                (
                    "session-end",
                    |_| json!({ "hook_event_name": "sessionEnd", "session_id": "u1", "reason": "user_close", "duration_ms": 7, "final_status": "completed" }),
                ),
            ],
            text: "/additional_context",
            hears: [true; 4],
            refusal: ("/permission", "deny"),
        },
        ours("opencode"),
        ours("pi"),
        Shape {
            agent: "goose",
            common: |desk| json!({ "session_id": "20260220_1", "working_dir": desk.project() }),
            events: [
                ("session-start", |_| json!({ "event": "SessionStart" })),
                ("user-prompt-submit", |_| json!({ "event": "UserPromptSubmit" })),
                (
                    "pre-tool-use",
                    |_| json!({ "event": "PreToolUse", "tool_name": "developer__text_editor", "tool_input": { "path": "src/token.rs" } }),
                ),
                (
                    "post-tool-use-failure",
                    |_| json!({ "event": "PostToolUseFailure", "tool_name": "developer__shell", "tool_input": { "command": "make migrate" } }),
                ),
                ("stop", |_| json!({ "event": "Stop" })),
                ("stop", |_| json!({ "event": "AfterFileEdit" })),
                ("session-end", |_| json!({ "event": "SessionEnd" })),
            ],
            text: NESTED,
            hears: [false; 4],
            refusal: DENIED,
        },
    ]
}

/// What the plugins send that we install ourselves.
fn ours(agent: &'static str) -> Shape {
    Shape {
        agent,
        common: |desk| json!({ "session_id": "o1", "cwd": desk.project() }),
        events: [
            ("session-start", |_| json!({ "source": "startup" })),
            ("user-prompt-submit", |_| json!({ "prompt": PROMPT })),
            (
                "pre-tool-use",
                |_| json!({ "tool_name": "edit", "tool_input": { "filePath": "src/token.rs" } }),
            ),
            (
                "post-tool-use-failure",
                |_| json!({ "tool_name": "bash", "tool_input": { "command": "make migrate" }, "error": ERROR }),
            ),
            ("stop", |_| json!({})),
            ("pre-compact", |_| json!({})),
            ("session-end", |_| json!({})),
        ],
        text: NESTED,
        hears: [true, true, false, true],
        refusal: DENIED,
    }
}

const PROMPT: &str = "Are bookings kept in PostgreSQL?";

fn desk() -> Desk {
    let desk = Desk::with_base();
    let new = |title: &str, kind: &str, body: &str, files: &[&str]| {
        let mut words = vec!["new", title, "--type", kind, "--body", body];
        files.iter().for_each(|file| words.extend(["--file", file]));
        let run = desk.lore(&words);
        assert_eq!(run.code, 0, "{run}");
    };
    new("Never use floats for money", "preference", "Never use floating point for money.", &[]);
    new("Use PostgreSQL for bookings", "decision", "Bookings are kept in PostgreSQL.", &[]);
    new(
        "Tokens are checked once",
        "decision",
        "Tokens are checked here and nowhere else.",
        &["src/token.rs"],
    );
    let tunnel = "When the mail worker fails with `connection refused` on port 6390, the relay's tunnel is down: `make tunnel`.";
    new("The mail relay refuses connections when its tunnel is down", "resolution", tunnel, &[]);
    assert_eq!(desk.lore(&["work"]).code, 0);
    desk
}

fn send(desk: &Desk, shape: &Shape, at: usize) -> Value {
    let (event, own) = shape.events[at];
    let mut message = (shape.common)(desk);
    let own = own(desk);
    for (key, value) in own.as_object().expect("is an object") {
        message[key] = value.clone();
    }
    let run = desk.told(&message.to_string(), &["hook", shape.agent, event]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{} {event}: {run}", shape.agent);
    if run.out.is_empty() { Value::Null } else { serde_json::from_str(&run.out).expect("an answer is JSON") }
}

#[test]
fn each_agent_is_told_in_its_own_form_what_it_can_hear() {
    let wanted = ["floating point", "kept in PostgreSQL", "nowhere else", "make tunnel"];
    for shape in shapes() {
        let desk = desk();
        for (at, (event, _)) in shape.events.iter().enumerate() {
            let reply = send(&desk, &shape, at);
            let text = reply.pointer(shape.text).and_then(Value::as_str).unwrap_or_default();
            match (shape.hears.get(at), wanted.get(at)) {
                (Some(true), Some(wanted)) => {
                    assert!(text.contains(wanted), "{} {event}: {reply}", shape.agent);
                    assert!(text.starts_with("<lorekeep-context>"), "{text}");
                }
                _ => assert_eq!(reply, Value::Null, "{} {event}", shape.agent),
            }
        }
        let status = desk.lore(&["doctor", "--json"]);
        let found: Value = serde_json::from_str(&status.out).expect("is JSON");
        assert_eq!(
            (&found["base"]["running"], &found["base"]["waiting"]),
            (&json!(0), &json!(1)),
            "{}: {found}",
            shape.agent
        );
    }
}

#[test]
fn a_gate_refuses_in_each_agents_own_form() {
    for shape in shapes().into_iter().filter(|shape| shape.agent != "goose") {
        let desk = desk();
        let own = desk.home().join(".config/lore/config.toml");
        std::fs::create_dir_all(own.parent().expect("has a folder")).expect("can be made");
        std::fs::write(own, "[ground]\nmode = \"FULL\"\nenforce = \"as-table\"\n").expect("can be written");
        let (event, common) = (shape.events[1].0, (shape.common)(&desk));
        let mut message = common.clone();
        message["prompt"] = "Add a command that exports all bookings as CSV".into();
        assert_eq!(desk.told(&message.to_string(), &["hook", shape.agent, event]).code, 0);
        let reply = send(&desk, &shape, 2);
        let (place, word) = shape.refusal;
        assert_eq!(reply.pointer(place).and_then(Value::as_str), Some(word), "{}: {reply}", shape.agent);
    }
}
