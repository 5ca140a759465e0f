//! One run of one command: in a group of its own, with a clean environment, within limits.

use std::io::{self, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::processes::{Family, MARK, Taken};
use super::shield::Shield;

/// What a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunLimits {
    pub(super) time: Duration,
    pub(super) memory: u64,
    pub(super) output: u64,
    pub(super) processes: u32,
}

/// Where and with what a command runs.
pub(super) struct Surroundings<'a> {
    pub(super) folder: &'a Path,
    pub(super) environment: &'a [(String, String)],
    /// Names the run, so that its processes are found.
    pub(super) mark: &'a str,
    /// What it may not write.
    pub(super) shield: &'a Shield,
}

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Ran {
    /// How it ended by itself.
    pub(super) code: Option<i32>,
    pub(super) wall: Duration,
    pub(super) cpu_ms: Option<f64>,
    pub(super) peak: u64,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// Why it was ended, where it was.
    pub(super) stopped: Option<String>,
    /// Processes that were still there when it had ended.
    pub(super) left: usize,
}

impl Ran {
    /// Says what went wrong, where something did.
    pub(super) fn failure(&self) -> Option<String> {
        let last = self.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let said = if last.is_empty() { String::new() } else { format!(": {}", last.trim()) };
        match (&self.stopped, self.code) {
            (Some(why), _) => Some(why.clone()),
            (None, Some(0)) => None,
            (None, Some(code)) => Some(format!("it ended with exit code {code}{said}")),
            (None, None) => Some(format!("a signal ended it{said}")),
        }
    }
}

/// So often the processes are looked at: first soon, because runs may be short, then rarely, because
/// looking takes time that is measured.
const FIRST_LOOK: Duration = Duration::from_millis(2);
const LATER_LOOK: Duration = Duration::from_millis(20);
/// So long the pipes may take to come to their end when every process is gone.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a script and waits for its end, or for a limit.
pub(super) fn run(script: &str, around: &Surroundings<'_>, limits: &RunLimits) -> io::Result<Ran> {
    let mut command = around.shield.command(script);
    command.current_dir(around.folder).env_clear();
    command.envs(around.environment.iter().map(|(name, value)| (name, value))).env(MARK, around.mark);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let begun = Instant::now();
    let mut child = command.spawn()?;
    let watchman = watchman(child.id());
    let printed = Arc::new(AtomicU64::new(0));
    let (drained, ends) = mpsc::channel();
    let out = drain(child.stdout.take(), limits.output, &printed, drained.clone());
    let err = drain(child.stderr.take(), limits.output, &printed, drained);
    let (say, ended) = mpsc::channel();
    let pid = Pid::from_child(&child);
    std::thread::spawn(move || {
        // It stays to be waited for, so that what it took can still be read.
        let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        let _ = say.send(Instant::now());
    });
    let mut family = Family::new(child.id());
    let mut ran = Ran::default();
    let mut pause = FIRST_LOOK;
    let at = loop {
        match ended.recv_timeout(pause) {
            Ok(at) => break at,
            Err(_) => pause = (pause * 2).min(LATER_LOOK),
        }
        let taken = family.look();
        ran.peak = ran.peak.max(taken.resident);
        if let Some(why) = exceeded(limits, begun.elapsed(), &taken, printed.load(Ordering::Relaxed)) {
            ran.stopped.get_or_insert(why);
            family.end(around.mark);
        }
    };
    ran.wall = at.saturating_duration_since(begun);
    ran.cpu_ms = family.cpu_ms();
    if ran.stopped.is_none() && printed.load(Ordering::Relaxed) > limits.output {
        ran.stopped = Some(too_much_output(limits));
    }
    ran.left = family.end(around.mark);
    let status = child.wait()?;
    ran.code = status.code();
    dismiss(watchman);
    let deadline = Instant::now() + GRACE;
    for _ in 0..2 {
        let _ = ends.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
    let text = |bytes: &Mutex<Vec<u8>>| {
        String::from_utf8_lossy(&bytes.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    };
    (ran.stdout, ran.stderr) = (text(&out), text(&err));
    Ok(ran)
}

fn exceeded(limits: &RunLimits, elapsed: Duration, taken: &Taken, printed: u64) -> Option<String> {
    if elapsed > limits.time {
        Some(format!("it was ended after {} s", limits.time.as_secs_f64()))
    } else if taken.resident > limits.memory {
        Some(format!("it was ended because it held more than {} MB", limits.memory >> 20))
    } else if taken.count > limits.processes as usize {
        Some(format!("it was ended because it had more than {} processes", limits.processes))
    } else if printed > limits.output {
        Some(too_much_output(limits))
    } else {
        None
    }
}

fn too_much_output(limits: &RunLimits) -> String {
    format!("it was ended because it printed more than {} MB", limits.output >> 20)
}

/// Reads a pipe to its end and keeps as much as is allowed.
fn drain(
    pipe: Option<impl Read + Send + 'static>,
    most: u64,
    printed: &Arc<AtomicU64>,
    done: mpsc::Sender<()>,
) -> Arc<Mutex<Vec<u8>>> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (into, printed) = (Arc::clone(&kept), Arc::clone(printed));
    std::thread::spawn(move || {
        let mut buffer = [0; 16 << 10];
        if let Some(mut pipe) = pipe {
            while let Ok(read @ 1..) = pipe.read(&mut buffer) {
                let before = printed.fetch_add(read as u64, Ordering::Relaxed);
                let room = usize::try_from(most.saturating_sub(before)).unwrap_or(usize::MAX).min(read);
                into.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..room]);
            }
        }
        let _ = done.send(());
    });
    kept
}

/// Starts what ends the group should we be killed: it waits for a line that never comes then.
fn watchman(leader: u32) -> Option<Child> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "read -r _ || kill -s KILL -- \"-$1\"", "lore-watchman", &leader.to_string()]);
    command.env_clear().stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command.spawn().ok()
}

fn dismiss(watchman: Option<Child>) {
    if let Some(mut watchman) = watchman {
        if let Some(mut pipe) = watchman.stdin.take() {
            let _ = pipe.write_all(b"done\n");
        }
        let _ = watchman.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: RunLimits =
        RunLimits { time: Duration::from_secs(20), memory: 512 << 20, output: 1 << 20, processes: 32 };

    fn ran(script: &str, limits: &RunLimits) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        let environment = [("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())];
        let mark = format!("test-{}-{:p}", std::process::id(), &folder);
        let around = Surroundings {
            folder: folder.path(),
            environment: &environment,
            mark: &mark,
            shield: &Shield::default(),
        };
        run(script, &around, limits).unwrap()
    }

    #[test]
    fn a_run_tells_what_it_printed_and_how_it_ended() {
        let good = ran("echo out=1; echo words >&2", &LIMITS);
        assert_eq!(
            (good.stdout.as_str(), good.stderr.as_str(), good.failure()),
            ("out=1\n", "words\n", None)
        );
        let bad = ran("echo no >&2; exit 3", &LIMITS);
        assert_eq!(bad.failure().as_deref(), Some("it ended with exit code 3: no"));
        assert!(ran("false; echo on", &LIMITS).stdout.is_empty(), "what fails ends the script");
    }

    #[test]
    fn the_environment_is_clean() {
        let seen = ran("env | cut -d= -f1 | sort | tr '\\n' ' '", &LIMITS);
        assert_eq!(seen.stdout.trim(), "LORE_SPIKE_RUN OLDPWD PATH PWD".replace("OLDPWD ", ""));
    }

    #[test]
    fn what_never_ends_is_ended() {
        let limits = RunLimits { time: Duration::from_millis(200), ..LIMITS };
        let stuck = ran("trap '' TERM INT HUP; while :; do :; done", &limits);
        assert!(stuck.failure().is_some_and(|why| why.contains("ended after 0.2 s")), "{stuck:?}");
        assert!(stuck.wall < Duration::from_secs(10));
    }

    #[test]
    fn who_prints_without_end_is_ended() {
        let loud = ran("yes", &LIMITS);
        assert!(
            loud.failure().is_some_and(|why| why.contains("printed more than 1 MB")),
            "{:?}",
            loud.stopped
        );
        assert!(loud.stdout.len() <= 1 << 20);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_eats_memory_is_ended() {
        let limits = RunLimits { memory: 64 << 20, ..LIMITS };
        // The shell itself doubles a text until it is ended.
        let greedy = ran("a=xxxxxxxxxxxxxxxx; while :; do a=$a$a; done", &limits);
        assert!(
            greedy.failure().is_some_and(|why| why.contains("held more than 64 MB")),
            "{:?}",
            greedy.failure()
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_forks_without_end_is_ended_with_all_its_children() {
        // On a busy machine so many are there at the first look that they hold more than the others may.
        let limits = RunLimits { processes: 10, memory: 1 << 40, ..LIMITS };
        let forks = ran("while :; do sleep 60 & done", &limits);
        assert!(
            forks.failure().is_some_and(|why| why.contains("more than 10 processes")),
            "{:?}",
            forks.failure()
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_left_behind_not_even_what_left_the_group() {
        // In a session of its own it is out of the reach of a signal to the group.
        let sly = ran("setsid sleep 300 >/dev/null 2>&1 & sleep 0.1; echo done=1", &LIMITS);
        assert_eq!(sly.failure(), None);
        assert!(sly.left > 0, "{sly:?}");
        assert!(sly.wall < Duration::from_secs(10));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn time_on_the_processor_is_told() {
        let busy = ran("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", &LIMITS);
        assert!(busy.cpu_ms.is_some_and(|spent| spent > 10.0), "{busy:?}");
    }
}
