//! One run of the `git` program, within a time limit.

use std::io::{self, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
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
/// So long the pipes may take to come to their end when git has ended: what a hook left running holds them open.
const PIPES: Duration = Duration::from_millis(500);
/// So often it is asked whether git has ended while its pipes are open.
const LOOK: Duration = Duration::from_millis(10);

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
        let (open, pipes) = mpsc::channel();
        let out = drained(child.stdout.take(), open.clone());
        let err = drained(child.stderr.take(), open);
        let Some(status) = ended(&mut child, &pipes, self.limit).map_err(start)? else {
            stop(&mut child, &pipes);
            return Err(GitError::TooLong { command: name, after: self.limit });
        };
        let output = Output { status, stdout: taken(&out), stderr: taken(&err) };
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

/// What came out of a pipe so far.
type Drained = Arc<Mutex<Vec<u8>>>;

/// Reads a pipe to its end, and holds the sender until it has come there.
fn drained(pipe: Option<impl Read + Send + 'static>, open: Sender<()>) -> Drained {
    let said = Drained::default();
    let all = Arc::clone(&said);
    std::thread::spawn(move || {
        let _open = open;
        let Some(mut pipe) = pipe else { return };
        let mut bytes = vec![0; 64 * 1024];
        loop {
            match pipe.read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // What cannot be read any more shows in the exit code.
                Ok(0) | Err(_) => return,
                Ok(count) => {
                    all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&bytes[..count]);
                }
            }
        }
    });
    said
}

fn taken(said: &Drained) -> Vec<u8> {
    std::mem::take(&mut said.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Waits until a run has ended, but no longer than the limit. What it left running is not waited for.
fn ended(child: &mut Child, pipes: &Receiver<()>, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if let Err(RecvTimeoutError::Disconnected) = pipes.recv_timeout(LOOK.min(left)) {
            return child.wait().map(Some);
        }
        if let Some(status) = child.try_wait()? {
            // What it said itself is in the pipes already.
            let _ = pipes.recv_timeout(PIPES);
            return Ok(Some(status));
        }
        if left.is_zero() {
            return Ok(None);
        }
    }
}

/// Ends a run, with a moment to remove its lock files; what it started may outlive it.
fn stop(child: &mut Child, pipes: &Receiver<()>) {
    if cfg!(unix) {
        let asked =
            Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
        if asked.is_ok() {
            let _ = ended(child, pipes, GRACE);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}
