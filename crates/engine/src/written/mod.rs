//! What is already written: AGENTS.md and its like, rules of editors, decision records, agents' memories.
//!
//! Such a file is a source with a standing of its own, *file*: below a person's word until this user
//! confirms a line of it, or git says that this user wrote it. It is read where it lies, shown beside
//! entries with file and line, and never copied into the base. Our own marked blocks are not read back.

mod disagree;
mod places;
mod rules;
mod shelf;
mod statements;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lore_core::words::{is_stop_word, tokens};
use lore_core::{ContentHash, sentinel};
use lore_surface::Bearing;
use serde::Serialize;

pub use disagree::Disagreement;
pub use rules::RulesWritten;

use crate::{Engine, Error};
pub(crate) use shelf::Unasked;
use statements::Statement;

/// Lines that were confirmed, as hashes, in the state of the base.
const CONFIRMED: &str = "written/confirmed.json";
/// So many lines of files stand beside entries.
const SHOWN: usize = 3;
/// So many telling words have to be shared, where the question has as many.
const ENOUGH: usize = 2;

/// A statement of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The statement, on one line.
    pub text: String,
    /// The file, relative to the project, or absolute outside of it.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// The heading it stands under.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub heading: String,
    /// How far it can be relied on.
    pub standing: WrittenStanding,
}

/// How far a statement of a file can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WrittenStanding {
    /// It stands in a file; who wrote it is not known, or is somebody else.
    File,
    /// Git says that this user wrote it.
    Yours,
    /// This user confirmed it.
    Confirmed,
}

/// A file that is read, and what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenFile {
    /// The file, relative to the project, or absolute outside of it.
    pub file: String,
    /// What sort of file it is.
    pub about: &'static str,
    /// How many statements it has.
    pub statements: usize,
}

impl WrittenStanding {
    /// Returns the word for people.
    pub const fn word(self) -> &'static str {
        match self {
            WrittenStanding::File => "file",
            WrittenStanding::Yours => "file, yours",
            WrittenStanding::Confirmed => "file, confirmed",
        }
    }
}

impl Engine {
    /// Lists the files that are read.
    pub fn written_files(&self) -> Vec<WrittenFile> {
        let files = places::files(&self.world, self.project());
        let one = |(path, about): (PathBuf, &'static str)| WrittenFile {
            statements: self.statements_in(&path).len(),
            file: self.named(&path),
            about,
        };
        files.into_iter().map(one).collect()
    }

    /// Finds what files say about words: the same floor as for everything else.
    pub fn written_about(&self, words: &str) -> Vec<Written> {
        if words.trim().is_empty() {
            return Vec::new();
        }
        let bearing = Bearing::on(words);
        let wanted: BTreeSet<String> = telling_words(words);
        // One word in common says little: a long paragraph has a word of everything.
        let least = wanted.len().min(ENOUGH);
        let mut found: Vec<(usize, PathBuf, Statement)> = Vec::new();
        for (path, _) in places::files(&self.world, self.project()) {
            for statement in self.statements_in(&path) {
                let said = telling_words(&format!("{} {}", statement.heading, statement.text));
                let shared = said.intersection(&wanted).count();
                if shared >= least && bearing.has(&statement.text) {
                    found.push((shared, path.clone(), statement));
                }
            }
        }
        found.sort_by_key(|(shared, ..)| std::cmp::Reverse(*shared));
        let mut shown: Vec<Written> = Vec::new();
        for (_, path, statement) in found {
            // The same rule stands in several files where several agents are used.
            if shown.iter().all(|other| other.text != statement.text) {
                shown.push(self.written(&path, statement));
            }
            if shown.len() == SHOWN {
                break;
            }
        }
        shown
    }

    /// Confirms a line of a file, named `FILE:LINE`; nothing where that is no file of this sort.
    pub fn confirm_written(&self, name: &str, dry_run: bool) -> Result<Option<Written>, Error> {
        let Some((file, line)) = name.rsplit_once(':') else { return Ok(None) };
        let Ok(line) = line.parse::<u32>() else { return Ok(None) };
        let wanted = self.project().join(file);
        let known = places::files(&self.world, self.project());
        let Some((path, _)) = known.into_iter().find(|(path, _)| *path == wanted || path.ends_with(file))
        else {
            return Ok(None);
        };
        let statements = self.statements_in(&path);
        let found = statements.into_iter().find(|statement| statement.line <= line && line <= statement.end);
        let Some(statement) = found else {
            return Err(Error::request(
                format!("line {line} of `{file}` says nothing that could be confirmed"),
                "`lore written --all` lists what is read, with lines",
            ));
        };
        if !dry_run {
            let mut confirmed = self.confirmed_lines();
            confirmed.insert(statement.key());
            self.store.shared().write_json(CONFIRMED, &confirmed)?;
        }
        let mut written = self.written(&path, statement);
        written.standing = WrittenStanding::Confirmed;
        Ok(Some(written))
    }

    /// Lists everything that files say, file by file.
    pub fn everything_written(&self) -> Vec<Written> {
        let confirmed = self.confirmed_lines();
        let mut all = Vec::new();
        for (path, _) in places::files(&self.world, self.project()) {
            let file = self.named(&path);
            for statement in self.statements_in(&path) {
                let is_confirmed = confirmed.contains(&statement.key());
                let standing = if is_confirmed { WrittenStanding::Confirmed } else { WrittenStanding::File };
                all.push(shown(statement, file.clone(), standing));
            }
        }
        all
    }

    fn statements_in(&self, path: &Path) -> Vec<Statement> {
        let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
        if bytes.len() > places::LONGEST {
            return Vec::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        statements::read(&self.store.door().written(&text))
    }

    fn written(&self, path: &Path, statement: Statement) -> Written {
        let standing = if self.confirmed_lines().contains(&statement.key()) {
            WrittenStanding::Confirmed
        } else if self.is_own_line(path, statement.line) {
            WrittenStanding::Yours
        } else {
            WrittenStanding::File
        };
        shown(statement, self.named(path), standing)
    }

    /// Names a file as people do.
    fn named(&self, path: &Path) -> String {
        path.strip_prefix(self.project()).unwrap_or(path).display().to_string()
    }

    fn confirmed_lines(&self) -> BTreeSet<String> {
        let path = self.store.shared().folder().join(CONFIRMED);
        std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Asks git whether this user wrote a line.
    fn is_own_line(&self, path: &Path, line: u32) -> bool {
        let Some(git) = self.store.git().filter(|git| path.starts_with(git.top())) else { return false };
        let ask = |arguments: &[&str]| {
            let output = Command::new("git")
                .args(["-c", "safe.bareRepository=explicit"])
                .args(arguments)
                .current_dir(git.top())
                .stdin(Stdio::null())
                .output()
                .ok()
                .filter(|output| output.status.success())?;
            Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let Some(own) = ask(&["config", "user.email"]).filter(|own| !own.is_empty()) else { return false };
        let range = format!("{line},{line}");
        let path = path.display().to_string();
        let blame = ask(&["blame", "--porcelain", "-L", &range, "--", &path]).unwrap_or_default();
        let author = blame.lines().find_map(|line| line.strip_prefix("author-mail "));
        author.is_some_and(|author| author.trim_matches(['<', '>']).eq_ignore_ascii_case(&own))
    }
}

fn shown(statement: Statement, file: String, standing: WrittenStanding) -> Written {
    // What a file says is quoted: it must not speak for anybody else.
    let clean = |text: &str| sentinel::clean(text).into_owned();
    Written {
        text: clean(&statement.text),
        heading: clean(&statement.heading),
        line: statement.line,
        file,
        standing,
    }
}

impl Statement {
    fn key(&self) -> String {
        ContentHash::of(self.text.as_bytes()).short().to_owned()
    }
}

fn telling_words(text: &str) -> BTreeSet<String> {
    tokens(text).into_iter().filter(|token| !is_stop_word(&token.word)).map(|token| token.term).collect()
}
