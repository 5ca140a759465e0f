//! Hooks in an agent's settings: our entries put in and taken out, everybody else's left alone.

use serde_json::{Map, Value, json};

use super::agents::Agent;
use super::json_text::Text;

/// When an agent shall call: its name of the event, our word for it, seconds we may take, and the tools it is about.
pub(super) type Moment = (&'static str, &'static str, u32, Option<&'static str>);

/// Tools that read, edit, plan or run, as Claude Code names them.
const CLAUDE_TOOLS: &str = "Read|Edit|Write|MultiEdit|NotebookEdit|ExitPlanMode|Bash";
const CODEX_TOOLS: &str = "Bash|shell|local_shell|exec_command|apply_patch|Edit|Write|update_plan";

pub(super) const CLAUDE: &[Moment] = &[
    ("SessionStart", "session-start", 10, None),
    ("UserPromptSubmit", "user-prompt-submit", 5, None),
    ("PreToolUse", "pre-tool-use", 5, Some(CLAUDE_TOOLS)),
    ("PostToolUse", "post-tool-use", 5, Some("ExitPlanMode")),
    ("PostToolUseFailure", "post-tool-use-failure", 5, Some("Bash")),
    ("Stop", "stop", 5, None),
    ("PreCompact", "pre-compact", 5, None),
    // Without a limit of its own the end of a session leaves us 1.5 s in all.
    ("SessionEnd", "session-end", 5, None),
];
pub(super) const CODEX: &[Moment] = &[
    ("SessionStart", "session-start", 10, None),
    ("UserPromptSubmit", "user-prompt-submit", 5, None),
    ("PreToolUse", "pre-tool-use", 5, Some(CODEX_TOOLS)),
    ("PostToolUse", "post-tool-use", 5, Some("Bash|shell|local_shell|exec_command|update_plan")),
    ("Stop", "stop", 5, None),
    ("PreCompact", "pre-compact", 5, None),
    // No more than this is granted.
    ("SessionEnd", "session-end", 3, None),
];
pub(super) const GEMINI: &[Moment] = &[
    ("SessionStart", "session-start", 10, None),
    ("BeforeAgent", "before-agent", 5, None),
    ("BeforeTool", "before-tool", 5, Some("read_file|write_file|replace|run_shell_command|exit_plan_mode")),
    ("AfterTool", "after-tool", 5, Some("run_shell_command|exit_plan_mode")),
    ("AfterAgent", "after-agent", 5, None),
    ("PreCompress", "pre-compress", 5, None),
    ("SessionEnd", "session-end", 5, None),
];
pub(super) const COPILOT: &[Moment] = &[
    ("sessionStart", "session-start", 10, None),
    ("userPromptSubmitted", "user-prompt-submitted", 5, None),
    ("preToolUse", "pre-tool-use", 5, None),
    ("postToolUse", "post-tool-use", 5, None),
    ("preCompact", "pre-compact", 5, None),
    ("agentStop", "agent-stop", 5, None),
    ("sessionEnd", "session-end", 5, None),
];
pub(super) const CURSOR: &[Moment] = &[
    ("sessionStart", "session-start", 10, None),
    ("beforeSubmitPrompt", "before-submit-prompt", 5, None),
    ("preToolUse", "pre-tool-use", 5, None),
    ("postToolUseFailure", "post-tool-use-failure", 5, None),
    ("preCompact", "pre-compact", 5, None),
    ("stop", "stop", 5, None),
    ("sessionEnd", "session-end", 5, None),
];
pub(super) const GOOSE: &[Moment] = &[
    ("SessionStart", "session-start", 10, None),
    ("PreToolUse", "pre-tool-use", 5, None),
    ("Stop", "stop", 5, None),
    ("SessionEnd", "session-end", 5, None),
];

/// How an agent writes hooks down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookShape {
    /// Groups of hooks with a matcher, as Claude Code has them.
    Nested {
        /// In what time is counted: 1 for seconds, 1000 for thousandths.
        per_second: u32,
        /// The name of a hook, where it has one.
        name: Option<&'static str>,
    },
    /// A list of hooks with a version at the top and a command for each sort of shell.
    Copilot,
    /// A list of commands with a version at the top.
    Cursor,
}

/// Returns a command that does nothing where we are not installed, and never fails: some agents take a
/// failing hook for a refusal.
pub(super) fn guarded(program: &str, agent: &str, event: &str) -> String {
    let program = quoted(program);
    format!("command -v {program} >/dev/null 2>&1 && {program} hook {agent} {event} || true")
}

/// Puts our hooks into a settings file; older ones of ours are replaced.
pub(super) fn add(agent: &Agent, text: Option<&str>, program: &str) -> Result<String, String> {
    let Some((shape, moments)) = agent.hooks else { return Ok(text.unwrap_or_default().to_owned()) };
    let is_in = |now: &str| -> Result<bool, String> {
        let now = Text::new(now)?;
        Ok(moments
            .iter()
            .all(|moment| groups(&now, moment.0).contains(&wanted(agent, shape, moment, program))))
    };
    if let Some(now) = text
        && is_in(now)?
    {
        return Ok(now.to_owned());
    }
    let before = text.map(|text| take_out(agent, text)).transpose()?;
    let mut text = Text::new(before.as_deref().unwrap_or("{}\n"))?;
    if shape.has_version() {
        text.insert_if_missing(&[], "version", &json!(1))?;
    }
    for moment in moments {
        text.append(&["hooks", moment.0], &wanted(agent, shape, moment, program))?;
    }
    Ok(text.into_string())
}

/// Takes our hooks out of a settings file.
pub(super) fn take_out(agent: &Agent, text: &str) -> Result<String, String> {
    let mut text = Text::new(text)?;
    // Of all events, also those that an earlier version of us asked for.
    let events =
        text.value().get("hooks").and_then(Value::as_object).map(|hooks| hooks.keys().cloned().collect());
    let events: Vec<String> = events.unwrap_or_default();
    for event in &events {
        let ours = |text: &Text| groups(text, event).iter().position(|group| is_ours(group, agent.name));
        let mut touched = false;
        while let Some(at) = ours(&text) {
            text.remove_element(&["hooks", event], at)?;
            touched = true;
        }
        if touched {
            text.remove_if_empty(&["hooks", event])?;
        }
    }
    if !events.is_empty() {
        text.remove_if_empty(&["hooks"])?;
    }
    Ok(text.into_string())
}

/// Lists our word for every event whose hook is in a settings file.
pub(super) fn present(agent: &Agent, text: &str) -> Vec<&'static str> {
    let Some((_, moments)) = agent.hooks else { return Vec::new() };
    let Ok(text) = Text::new(text) else { return Vec::new() };
    let has = |moment: &&Moment| groups(&text, moment.0).iter().any(|group| is_ours(group, agent.name));
    moments.iter().filter(has).map(|moment| moment.1).collect()
}

impl HookShape {
    const fn has_version(self) -> bool {
        matches!(self, HookShape::Copilot | HookShape::Cursor)
    }
}

fn wanted(agent: &Agent, shape: HookShape, moment: &Moment, program: &str) -> Value {
    let (_, word, seconds, matcher) = moment;
    let command = guarded(program, agent.name, word);
    match shape {
        HookShape::Nested { per_second, name } => {
            let mut hook = Map::new();
            hook.insert("type".to_owned(), json!("command"));
            hook.insert("command".to_owned(), json!(command));
            if let Some(name) = name {
                hook.insert("name".to_owned(), json!(name));
            }
            hook.insert("timeout".to_owned(), json!(seconds * per_second));
            match matcher {
                Some(matcher) => json!({ "matcher": matcher, "hooks": [hook] }),
                None => json!({ "hooks": [hook] }),
            }
        }
        HookShape::Copilot => {
            let name = program.replace('\'', "''");
            let windows = format!(
                "if (Get-Command '{name}' -ErrorAction SilentlyContinue) {{ & '{name}' hook {} {word} }}; exit 0",
                agent.name
            );
            json!({ "type": "command", "bash": command, "powershell": windows, "timeoutSec": seconds })
        }
        HookShape::Cursor => json!({ "command": command, "timeout": seconds }),
    }
}

fn groups(text: &Text, event: &str) -> Vec<Value> {
    let hooks = text.value().get("hooks").and_then(|hooks| hooks.get(event));
    hooks.and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Tells whether every command of a group is ours; a group that somebody added to is theirs.
fn is_ours(group: &Value, agent: &str) -> bool {
    let mark = format!(" hook {agent} ");
    let command = |hook: &Value| {
        ["command", "bash"]
            .iter()
            .any(|key| hook.get(*key).and_then(Value::as_str).is_some_and(|c| c.contains(&mark)))
    };
    match group.get("hooks").and_then(Value::as_array) {
        Some(hooks) => !hooks.is_empty() && hooks.iter().all(command),
        None => command(group),
    }
}

fn quoted(program: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-~".contains(c);
    if program.chars().all(plain) {
        program.to_owned()
    } else {
        format!("'{}'", program.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::agents::AGENTS;
    use super::*;

    const FOREIGN: &str = "{\n    \"model\": \"x\",   \"hooks\": {\n        \"SessionEnd\": [ {\"hooks\":[{\"type\":\"command\",\"command\":\"bye\"}]} ], // mine\n        \"sessionEnd\": [ { \"command\": \"bye\" } ]\n    }\n}";

    #[test]
    fn what_was_there_stays_and_what_is_ours_goes() {
        for agent in AGENTS.iter().filter(|agent| agent.hooks.is_some()) {
            for original in ["{}", "{\n}\n", "{\"a\":1}", "{ \"a\" : [1, 2] }\n", "{ // c\n}", FOREIGN] {
                let with = add(agent, Some(original), "lore").unwrap();
                let (_, moments) = agent.hooks.unwrap();
                assert_eq!(present(agent, &with).len(), moments.len(), "{}: {with}", agent.name);
                assert_eq!(add(agent, Some(&with), "lore").unwrap(), with, "twice is once");
                let moved = add(agent, Some(&with), "/opt/a b/lore").unwrap();
                assert_eq!(present(agent, &moved).len(), moments.len());
                assert!(!moved.contains("-v lore "), "an older command is replaced: {moved}");
                let out = take_out(agent, &with).unwrap();
                if !original.contains("// c") && !agent.hooks.unwrap().0.has_version() {
                    let value = |text: &str| Text::new(text).unwrap().value().clone();
                    assert_eq!(value(&out), value(original), "{}: {original}", agent.name);
                }
                assert!(original.contains("//") == out.contains("//"), "{out}");
            }
        }
    }

    #[test]
    fn a_command_is_guarded_and_never_fails() {
        let command = guarded("/opt/a b/lore", "codex", "stop");
        assert_eq!(
            command,
            "command -v '/opt/a b/lore' >/dev/null 2>&1 && '/opt/a b/lore' hook codex stop || true"
        );
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        for text in ["[]", "{\"hooks\": 3}", "{ \"a\": }"] {
            assert!(add(&AGENTS[0], Some(text), "lore").is_err(), "{text}");
        }
    }
}
