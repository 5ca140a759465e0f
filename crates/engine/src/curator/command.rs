//! A command the user already has as a model: packet in, answer out.
//!
//! It is started in an empty folder, without our own variables and without those that make an agent
//! take itself for one that runs inside another, so that it sees nothing but what it is asked.

use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::command_line::words;

use super::model::{Model, ModelError, ModelReply, ModelRequest};

/// Longest answer that is read.
const LIMIT: u64 = 8 << 20;

/// Agents that can be asked without a conversation, and how: tools off, nothing kept, packet on standard
/// input. A user's own line for a name goes before ours.
pub const HEADLESS: &[(&str, &str)] = &[
    ("claude", "claude -p --output-format text --tools \"\" --strict-mcp-config"),
    ("codex", "codex exec --ephemeral --sandbox read-only --skip-git-repo-check -"),
    ("gemini", "gemini --output-format text -p \"Answer what stands above with the one JSON object.\""),
    ("opencode", "opencode run --agent plan"),
    ("llm", "llm --no-stream"),
];

/// Variables by which an agent takes itself for one that runs inside another; they are not passed on.
const NESTED: [&str; 6] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "CODEX_THREAD_ID",
    "AI_AGENT",
];

/// Asks a program, such as `claude -p` or `llm`.
pub(crate) struct Program {
    words: Vec<String>,
    name: String,
    folder: PathBuf,
    patience: Duration,
}

impl Program {
    /// Takes a command line, which will run in this folder.
    pub(crate) fn new(name: &str, line: &str, folder: PathBuf, patience: Duration) -> Program {
        Program { words: words(line), name: name.trim().to_owned(), folder, patience }
    }

    fn unreachable(&self, error: impl ToString) -> ModelError {
        ModelError::Unreachable(self.name.clone(), error.to_string())
    }
}

impl Model for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        self.answer(request.text).map(ModelReply::of)
    }
}

impl Program {
    /// Hands a text over and returns what it prints.
    pub(crate) fn answer(&self, prompt: &str) -> Result<String, ModelError> {
        let (program, arguments) = self.words.split_first().ok_or_else(|| self.unreachable("it is empty"))?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder);
        let ours = crate::env::all_variables().map(|variable| variable.name);
        for name in ours.filter(|name| name.starts_with("LORE_")).chain(NESTED) {
            command.env_remove(name);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| self.unreachable(error))?;
        let complaint = child.stderr.take().map(last_line);
        let answer = self.talk(&mut child, prompt);
        if answer.is_err() {
            // It may still be at it, and what it started; nobody waits for it any more.
            #[cfg(unix)]
            crate::spike::end_descendants(child.id());
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| self.unreachable(error))?;
        let answer = answer?;
        if status.success() {
            return Ok(answer);
        }
        let said = complaint.and_then(|said| said.recv_timeout(COMPLAINING).ok()).unwrap_or_default();
        let said = if said.is_empty() { said } else { format!(": {said}") };
        Err(self.unreachable(format!("it ended with {status}{said}")))
    }

    fn talk(&self, child: &mut Child, prompt: &str) -> Result<String, ModelError> {
        if let Some(mut pipe) = child.stdin.take() {
            let prompt = prompt.to_owned();
            // On its own, because a program may answer before it has read everything.
            thread::spawn(move || drop(pipe.write_all(prompt.as_bytes())));
        }
        let out = child.stdout.take().ok_or_else(|| self.unreachable("it has no output"))?;
        let (done, answer) = mpsc::channel();
        thread::spawn(move || {
            let mut text = String::new();
            let read = out.take(LIMIT).read_to_string(&mut text);
            let _ = done.send(read.map(|_| text));
        });
        match answer.recv_timeout(self.patience) {
            Ok(read) => read.map_err(|error| self.unreachable(error)),
            Err(_) => Err(ModelError::TimedOut(self.name.clone(), self.patience.as_secs())),
        }
    }
}

/// Reads on the side what a program complains about; the last line of it says why it failed.
fn last_line(mut from: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (done, said) = mpsc::channel();
    thread::spawn(move || {
        let mut kept: Vec<u8> = Vec::new();
        let mut chunk = [0_u8; 4096];
        while let Ok(read @ 1..) = from.read(&mut chunk) {
            kept.extend_from_slice(&chunk[..read]);
            let from = kept.len().saturating_sub(COMPLAINT);
            kept.drain(..from);
        }
        let text = String::from_utf8_lossy(&kept);
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let _ = done.send(last.chars().take(200).collect());
    });
    said
}

/// So much of what is complained about is kept, and so long it is waited for.
const COMPLAINT: usize = 4096;
const COMPLAINING: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_program_answers_fails_or_is_stopped() {
        let here = tempfile::tempdir().unwrap();
        let ask = |line: &str, seconds: u64| {
            Program::new(line, line, here.path().to_owned(), Duration::from_secs(seconds)).answer("hello")
        };
        assert_eq!(ask("ls -A", 20).as_deref(), Ok(""), "it sees an empty folder");
        assert_eq!(ask("cat", 20).as_deref(), Ok("hello"));
        assert!(
            matches!(ask("false", 20), Err(ModelError::Unreachable(_, why)) if why.contains("exit status"))
        );
        assert!(matches!(ask("no-such-program-anywhere", 20), Err(ModelError::Unreachable(..))));
        assert!(matches!(ask("sleep 60", 0), Err(ModelError::TimedOut(..))));
        assert!(matches!(ask("", 20), Err(ModelError::Unreachable(..))));
        let complains = ask("sh -c 'echo no key >&2; exit 3'", 20);
        assert!(
            matches!(&complains, Err(ModelError::Unreachable(_, why)) if why.contains("no key")),
            "{complains:?}"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_program_that_hangs_has_started_goes_with_it() {
        let here = tempfile::tempdir().unwrap();
        let line = "sh -c 'sh -c \"echo $$ > child; sleep 60\" & sleep 60'";
        let program = Program::new("hangs", line, here.path().to_owned(), Duration::from_secs(1));
        assert!(matches!(program.answer("hello"), Err(ModelError::TimedOut(..))));
        let child = std::fs::read_to_string(here.path().join("child")).unwrap();
        let alive = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        assert!(alive.is_err() || alive.is_ok_and(|stat| stat.contains(") Z ")), "{child}");
    }
}
