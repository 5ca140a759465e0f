//! Test helpers: throw-away repositories, a fixed clock, snapshot filters.
//!
//! [`TestRepo`] is a folder that vanishes with the test, with a git that knows no user, no machine
//! and no time but the fixed one. Nothing here reads the real home, clock or environment.
#![allow(clippy::disallowed_methods, reason = "tests write files")]

pub mod picture;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::{Timestamp, ToSpan as _};
use tempfile::TempDir;

/// The instant at which every test begins.
pub const START: &str = "2026-02-20T12:00:00Z";

/// Returns the instant at which every test begins.
pub fn start() -> Timestamp {
    START.parse().expect("the constant is a timestamp")
}

/// Returns an instant some days after the beginning.
pub fn days_later(days: i64) -> Timestamp {
    start().checked_add((days * 24).hours()).expect("tests stay within a few years")
}

/// Replacements that make output the same on every machine: pairs of pattern and text.
pub const FILTERS: &[(&str, &str)] = &[
    (r"(/private)?(/var/folders|/tmp)/[^\s`']*?\.tmp[A-Za-z0-9]+", "[temp]"),
    (r"\b[0-9a-f]{40}\b", "[commit]"),
    (r"\b[0-9a-f]{64}\b", "[hash]"),
    (r"\b\d+(\.\d+)? ?(ms|µs)\b", "[time]"),
];

/// A folder that vanishes with the test, with or without a repository in it.
#[derive(Debug)]
pub struct TestRepo {
    temp: TempDir,
}

impl Default for TestRepo {
    fn default() -> TestRepo {
        TestRepo::new()
    }
}

impl TestRepo {
    /// Makes an empty folder without git.
    pub fn new() -> TestRepo {
        TestRepo { temp: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    /// Makes a repository with one commit.
    pub fn with_git() -> TestRepo {
        let repo = TestRepo::new();
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo.write("README.md", "# A project\n");
        repo.commit("start");
        repo
    }

    /// Returns the folder, without symbolic links on the way.
    pub fn path(&self) -> PathBuf {
        fs::canonicalize(self.temp.path()).expect("the folder is there")
    }

    /// Returns a path in the folder.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file and the folders on its way.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("the path has a folder")).expect("folders can be made");
        fs::write(&path, text).expect("the file can be written");
        path
    }

    /// Reads a file as text.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.join(name)).unwrap_or_else(|e| panic!("cannot read {name}: {e}"))
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.join(name)).expect("the file can be removed");
    }

    /// Renames a file and makes the folders on its way.
    pub fn rename(&self, from: &str, to: &str) {
        let target = self.join(to);
        fs::create_dir_all(target.parent().expect("the path has a folder")).expect("folders can be made");
        fs::rename(self.join(from), target).expect("the file can be renamed");
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    /// Runs git in the folder and returns what it printed.
    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.path(), arguments)
    }
}

/// Runs a hermetic git in a folder and returns what it printed; fails the test if git does.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).envs(git_environment());
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command.output().expect("git can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?} failed: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the variables that make git the same on every machine.
pub fn git_environment() -> Vec<(String, String)> {
    let pairs = [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Test"),
        ("GIT_AUTHOR_EMAIL", "test@example.org"),
        ("GIT_AUTHOR_DATE", START),
        ("GIT_COMMITTER_NAME", "Test"),
        ("GIT_COMMITTER_EMAIL", "test@example.org"),
        ("GIT_COMMITTER_DATE", START),
        ("LC_ALL", "C"),
    ];
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec()
}

/// Answers the packet of a number, or fails as a model does.
type Answering = dyn Fn(usize, &str) -> Result<String, String> + Send + Sync;

/// A language model that follows a script: it answers by function and remembers what it was asked.
pub struct ScriptedModel {
    answer: Box<Answering>,
    asked: std::sync::Mutex<Vec<String>>,
}

impl ScriptedModel {
    /// Answers each text, counted from 0, by this function; an error is one of the line.
    pub fn new(
        answer: impl Fn(usize, &str) -> Result<String, String> + Send + Sync + 'static,
    ) -> ScriptedModel {
        ScriptedModel { answer: Box::new(answer), asked: std::sync::Mutex::default() }
    }

    /// Answers every text alike.
    pub fn always(answer: impl Into<String>) -> ScriptedModel {
        let answer = answer.into();
        ScriptedModel::new(move |_, _| Ok(answer.clone()))
    }

    /// Answers a text.
    pub fn answer(&self, text: &str) -> Result<String, String> {
        let mut asked = self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let number = asked.len();
        asked.push(text.to_owned());
        drop(asked);
        (self.answer)(number, text)
    }

    /// Lists what it was asked.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Returns the name of the packet that a text is about.
    pub fn packet_in(text: &str) -> String {
        let after = text.split("Packet ").nth(1).unwrap_or_default();
        after.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
    }

    /// Returns the number of the line of a packet that holds these words.
    pub fn line_with(text: &str, words: &str) -> Option<u32> {
        // A request for better words shows some lines without the record around them.
        let record = text.split("\nRECORD ").nth(1).unwrap_or(text);
        let mut number = None;
        for line in record.lines() {
            let opened = line
                .strip_prefix('[')
                .and_then(|rest| rest.split_once(']'))
                .and_then(|(n, _)| n.parse().ok());
            number = opened.or(number);
            if line.contains(words) {
                return number;
            }
        }
        None
    }
}
