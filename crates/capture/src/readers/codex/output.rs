//! What Codex's tools give back, in the forms it has had over time.

use lore_core::session::Outcome;
use serde_json::Value;

use crate::json::output_of;

/// Beginnings of results of calls that failed without an exit code.
const FAILURES: &[&str] = &[
    "apply_patch verification failed",
    "failed to parse function arguments",
    "failed to ",
    "execution error",
    "exec_command failed",
    "unsupported call",
    "err:",
    "error:",
];

/// Reads the words and how it ended.
pub(super) fn read_output(output: &Value) -> (String, Outcome) {
    if let Some(text) = output.as_str()
        && let Ok(inner @ Value::Object(_)) = serde_json::from_str::<Value>(text)
        && let Some(words) = inner.get("output").and_then(Value::as_str)
    {
        let code = inner["metadata"].get("exit_code").and_then(Value::as_i64);
        return (words.to_owned(), outcome_of_code(code));
    }
    let text = output_of(output);
    let told = output.get("success").and_then(Value::as_bool);
    let outcome = match (told, exit_code(&text)) {
        (Some(false), _) => Outcome::Failed,
        (_, Some(code)) => outcome_of_code(Some(code)),
        _ if text.contains("Process running with session ID") => Outcome::Unknown,
        _ => {
            let head = text.trim_start().chars().take(60).collect::<String>().to_ascii_lowercase();
            let failed = FAILURES.iter().any(|opening| head.starts_with(opening));
            if failed { Outcome::Failed } else { Outcome::Done }
        }
    };
    (text, outcome)
}

/// Says how a command with this exit code ended.
pub(super) fn outcome_of_code(code: Option<i64>) -> Outcome {
    match code {
        Some(0) => Outcome::Done,
        Some(_) => Outcome::Failed,
        None => Outcome::Unknown,
    }
}

/// Finds the exit code among the lines that Codex puts before a command's output.
fn exit_code(text: &str) -> Option<i64> {
    let before = text.lines().take(8).take_while(|line| line.trim() != "Output:");
    before.into_iter().find_map(|line| {
        let code =
            line.strip_prefix("Exit code: ").or_else(|| line.strip_prefix("Process exited with code "))?;
        code.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn outputs_of_every_era_are_read() {
        let check = |value: Value, text: &str, outcome: Outcome| {
            assert_eq!(read_output(&value), (text.to_owned(), outcome), "{value}");
        };
        check(json!(r#"{"output":"ok\n","metadata":{"exit_code":0}}"#), "ok\n", Outcome::Done);
        check(json!(r#"{"output":"no","metadata":{"exit_code":2}}"#), "no", Outcome::Failed);
        let old = "Exit code: 1\nWall time: 0.2 seconds\nOutput:\nfatal: no";
        check(json!(old), old, Outcome::Failed);
        let new = "Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nExit code: 7";
        check(json!(new), new, Outcome::Done);
        check(json!([{"type": "input_text", "text": "seen"}]), "seen", Outcome::Done);
        check(json!({"content": "no", "success": false}), "no", Outcome::Failed);
        check(
            json!("apply_patch verification failed: x"),
            "apply_patch verification failed: x",
            Outcome::Failed,
        );
        check(json!(null), "", Outcome::Done);
    }
}
