//! The program that users run, started in a project of our own.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::context::{Context, Failure};

/// Finds the program: the one that is named, or the one that was built beside this.
pub(super) fn program(context: &Context) -> Result<PathBuf, Failure> {
    let beside = || Some(std::env::current_exe().ok()?.with_file_name("lore"));
    let program = context.setting_text("lore").map(PathBuf::from).or_else(beside).unwrap_or_default();
    if program.is_file() {
        Ok(program)
    } else {
        Err(format!(
            "there is no `{}`; build it with `cargo build -p lorekeep`, or name one with --set lore=PATH",
            program.display()
        )
        .into())
    }
}

/// Runs `lore` in a project.
#[derive(Debug, Clone)]
pub(super) struct Lore {
    pub(super) program: PathBuf,
    pub(super) project: PathBuf,
    home: PathBuf,
}

/// What a run left.
pub(super) struct Ran {
    pub(super) status: ExitStatus,
    pub(super) out: String,
    pub(super) err: String,
    /// How long it lived, in milliseconds.
    pub(super) life: f64,
}

/// What a run took.
pub(super) struct Took {
    /// How long it lived, in milliseconds.
    pub(super) life: f64,
    /// The most memory it held, in megabytes; 0 where the system does not tell.
    pub(super) peak_mb: f64,
}

/// How often a running program is looked at, in milliseconds.
const GLANCE: u64 = 5;

impl Lore {
    /// Takes the program as [`program`] finds it, with a home in the project.
    pub(super) fn found(context: &Context, project: &Path) -> Result<Lore, Failure> {
        let program = program(context)?.canonicalize()?;
        Ok(Lore { program, project: project.to_owned(), home: project.join(".home") })
    }

    /// The same program in another project, with another home.
    pub(super) fn at(&self, project: &Path, home: &Path) -> Lore {
        Lore { program: self.program.clone(), project: project.to_owned(), home: home.to_owned() }
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.project).env_clear();
        command.env("HOME", &self.home).env("LORE_DATA_DIR", self.home.join("data"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    /// Runs it with a text on its standard input and returns its life in milliseconds.
    pub(super) fn time(&self, arguments: &[&str], input: &str) -> Result<f64, Failure> {
        let start = Instant::now();
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read its input may be gone already.
            let _ = stdin.write_all(input.as_bytes());
        }
        let status = child.wait()?;
        let life = start.elapsed().as_secs_f64() * 1000.0;
        if status.code().is_none_or(|code| code > 1) {
            return Err(format!("`lore {}` failed with {status}", arguments.join(" ")).into());
        }
        Ok(life)
    }

    /// Runs it to its end and watches how much memory it holds.
    pub(super) fn watch(&self, arguments: &[&str]) -> Result<Took, Failure> {
        let start = Instant::now();
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let file = format!("/proc/{}/status", child.id());
        let mut peak_mb: f64 = 0.0;
        let status = loop {
            // The system keeps the most it ever held: only what came within the last glance is missed.
            let told = std::fs::read_to_string(&file).unwrap_or_default();
            let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
            peak_mb = peak_mb.max(kilobytes.unwrap_or_default() / 1024.0);
            match child.try_wait()? {
                Some(status) => break status,
                None => std::thread::sleep(Duration::from_millis(GLANCE)),
            }
        };
        let life = start.elapsed().as_secs_f64() * 1000.0;
        if status.success() {
            Ok(Took { life, peak_mb })
        } else {
            Err(format!("`lore {}` failed with {status}", arguments.join(" ")).into())
        }
    }

    /// Runs it as an agent does: a text in, whatever it prints back, and its life.
    pub(super) fn ask(&self, mut command: Command, input: &str) -> Result<Ran, Failure> {
        let start = Instant::now();
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(input.as_bytes());
        }
        let (mut out, mut err) = (Vec::new(), Vec::new());
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_end(&mut out)?;
        }
        if let Some(mut stderr) = child.stderr.take() {
            stderr.read_to_end(&mut err)?;
        }
        let status = child.wait()?;
        let life = start.elapsed().as_secs_f64() * 1000.0;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Ran { status, out: text(out), err: text(err), life })
    }
}
