//! One run of the `git` program, within a time limit.

use std::io::{Read, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{Git, GitError};

/// Variables by which a surrounding git would make us look at another repository.
const MISLEADING: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CEILING_DIRECTORIES",
    "GIT_EXTERNAL_DIFF",
];

/// So long git may take to tidy up when it is stopped.
const GRACE: Duration = Duration::from_secs(2);

impl Git {
    /// Runs git in this repository, whatever the surroundings say.
    pub(super) fn run(&self, arguments: &[&str], input: Option<&str>) -> Result<Output, GitError> {
        let name = arguments.first().copied().unwrap_or_default().to_owned();
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.top).args(["-c", "core.fsmonitor=false", "-c", "core.quotepath=off"]);
        // A folder of a clone that looks like a repository must not be taken for one.
        command.args(["-c", "safe.bareRepository=explicit"]);
        command.args(arguments);
        MISLEADING.iter().for_each(|variable| {
            command.env_remove(variable);
        });
        let fixed = [
            ("LC_ALL", "C"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_LITERAL_PATHSPECS", "1"),
            ("GIT_PAGER", "cat"),
        ];
        command.envs(fixed).envs(self.environment.iter().map(|(key, value)| (key, value)));
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let start = |source| GitError::Start { command: name.clone(), source };
        let mut child = command.spawn().map_err(start)?;
        // Written from a thread: git may answer before it has read everything.
        let feeder = child
            .stdin
            .take()
            .zip(input.map(str::to_owned))
            .map(|(mut pipe, text)| std::thread::spawn(move || pipe.write_all(text.as_bytes())));
        let (done, ended) = mpsc::channel();
        let out = drained(child.stdout.take(), done.clone());
        let err = drained(child.stderr.take(), done);
        if !both_end(&ended, self.limit) {
            stop(&mut child, &ended);
            return Err(GitError::TooLong { command: name, after: self.limit });
        }
        let status = child.wait().map_err(start)?;
        let taken = |reader: JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
        let output = Output { status, stdout: taken(out), stderr: taken(err) };
        if let Some(feeder) = feeder {
            // A pipe closed early shows in the exit code.
            let _ = feeder.join();
        }
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = if said.trim().is_empty() { String::from_utf8_lossy(&output.stdout) } else { said };
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
        Err(GitError::Failed { command: name, message: lines.join("; ") })
    }
}

/// Reads a pipe to its end and says when it has come there.
fn drained(pipe: Option<impl Read + Send + 'static>, done: Sender<()>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What cannot be read any more shows in the exit code.
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = done.send(());
        bytes
    })
}

/// Waits until both pipes have come to their end, but no longer than the limit.
fn both_end(ended: &Receiver<()>, limit: Duration) -> bool {
    let deadline = Instant::now() + limit;
    (0..2).all(|_| ended.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok())
}

/// Ends a run, with a moment to remove its lock files; what it started may outlive it.
fn stop(child: &mut Child, ended: &Receiver<()>) {
    if cfg!(unix) {
        let asked =
            Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
        if asked.is_ok() {
            both_end(ended, GRACE);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}
