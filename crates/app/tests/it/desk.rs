//! A throw-away project with a fixed clock and a home of its own, in which `lore` is run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A place to run `lore` in.
pub(crate) struct Desk {
    folder: TempDir,
    now: String,
}

/// What a run printed and how it ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Desk {
    /// Makes an empty git repository.
    pub(crate) fn new() -> Desk {
        let folder = TempDir::new().expect("a temporary folder can be made");
        std::fs::create_dir_all(folder.path().join("project")).expect("a folder can be made");
        std::fs::create_dir_all(folder.path().join("home")).expect("a folder can be made");
        let desk = Desk { folder, now: "2026-02-20T12:00:00Z".to_owned() };
        desk.git(&["init", "-q", "-b", "main"]);
        desk
    }

    /// Makes one with a base in it.
    pub(crate) fn with_base() -> Desk {
        let desk = Desk::new();
        assert_eq!(desk.lore(&["init"]).code, 0);
        desk
    }

    /// Moves the clock.
    pub(crate) fn at(&mut self, now: &str) {
        now.clone_into(&mut self.now);
    }

    /// Returns the project's folder.
    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Writes a file below the project.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let full = self.project().join(path);
        std::fs::create_dir_all(full.parent().expect("a file has a folder")).expect("a folder can be made");
        std::fs::write(full, text).expect("a file can be written");
    }

    /// Reads a file below the project.
    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.project().join(path)).expect("the file is there")
    }

    /// Runs `lore`.
    pub(crate) fn lore(&self, arguments: &[&str]) -> Run {
        self.run(arguments, &[])
    }

    /// Runs `lore` with further variables.
    pub(crate) fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        self.finish(self.command(arguments, variables).stdin(Stdio::null()).output())
    }

    /// Runs `lore` as somebody does who sits at a terminal.
    #[cfg(unix)]
    pub(crate) fn at_terminal(&self, arguments: &[&str]) -> Run {
        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        // It stays open until the run has ended, else there is nobody there.
        let seat = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal can be made");
        grantpt(&seat).and_then(|()| unlockpt(&seat)).expect("it can be opened");
        let name = ptsname(&seat, Vec::new()).expect("it has a name");
        let name = name.to_str().expect("its name is plain").to_owned();
        let end = || std::fs::File::options().read(true).write(true).open(&name).expect("it can be opened");
        let mut command = self.command(arguments, &[]);
        self.finish(command.stdin(end()).stderr(end()).stdout(Stdio::piped()).output())
    }

    /// Returns the home folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Makes the folder where Claude Code leaves the sessions of the project.
    pub(crate) fn past(&self) -> PathBuf {
        let named = self.project().display().to_string();
        let slug: String = named.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = self.home().join(".claude/projects").join(slug);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    }

    /// Runs `lore` with a text on its standard input.
    pub(crate) fn told(&self, text: &str, arguments: &[&str]) -> Run {
        self.told_with(text, arguments, &[])
    }

    /// The same, with further variables.
    pub(crate) fn told_with(&self, text: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
        use std::io::Write as _;
        let mut command = self.command(arguments, variables);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the binary can be run");
        let mut input = child.stdin.take().expect("the input is a pipe");
        input.write_all(text.as_bytes()).expect("the text can be handed over");
        drop(input);
        self.finish(child.wait_with_output())
    }

    /// Starts `lore` and leaves it running.
    pub(crate) fn started(&self, arguments: &[&str]) -> std::process::Child {
        let mut command = self.command(arguments, &[]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the binary can be run")
    }

    /// Starts `lore` with pipes to talk through.
    pub(crate) fn talking(&self, arguments: &[&str]) -> std::process::Child {
        let mut command = self.command(arguments, &[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().expect("the binary can be run")
    }

    pub(crate) fn command(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
        command
            .args(arguments)
            .current_dir(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path().join("home"))
            .env("LORE_NOW", &self.now)
            .env("LORE_USER", "ada")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(variables.iter().copied());
        command
    }

    /// Makes a shell ready that sees what `lore` sees.
    pub(crate) fn in_shell(&self, line: &str) -> Command {
        let plain = self.command(&[], &[]);
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.project()).env_clear();
        command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
    }

    /// Names the project's folder and the home as somebody would who sits there.
    pub(crate) fn homely(&self, text: &str) -> String {
        let text = self.redacted(text);
        text.replace("[desk]/project", "~/shop").replace("[desk]/home", "~")
    }

    fn finish(&self, output: std::io::Result<Output>) -> Run {
        let output = output.expect("the binary can be run");
        let clean = |bytes: &[u8]| self.redacted(&String::from_utf8_lossy(bytes));
        Run {
            code: output.status.code().unwrap_or(-1),
            out: clean(&output.stdout),
            err: clean(&output.stderr),
        }
    }

    /// Runs git without anybody's settings.
    pub(crate) fn git(&self, arguments: &[&str]) {
        self.git_says(arguments);
    }

    /// The same, and returns what it says.
    pub(crate) fn git_says(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.project())
            .env("HOME", self.folder.path().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git can be run");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {arguments:?}: {told}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for path in [self.folder.path().to_owned(), real(self.folder.path())] {
            text = text.replace(&path.display().to_string(), "[desk]");
        }
        text
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {}\n--- out\n{}--- err\n{}", self.code, self.out, self.err)
    }
}
