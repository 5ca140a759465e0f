//! A throw-away project with its own home, in which the program that users run is run.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::page::Page;
use super::rows::Known;
use crate::context::Failure;
use crate::suites::files_below;

/// A stage with a base that is already there.
pub(super) struct Stage {
    program: PathBuf,
    folder: TempDir,
    sessions: u32,
}

/// One record of a session that is made up.
pub(super) enum Record<'a> {
    Person(&'a str),
    Agent(&'a str),
    Call { tool: &'a str, input: Value },
    Output(&'a str),
}

impl Stage {
    /// Makes a stage whose base holds some entries; they are told to the product by its own command.
    pub(super) fn new(program: &Path, known: &[Known]) -> Result<Stage, Failure> {
        let folder = TempDir::with_prefix("lore-plain-")?;
        let stage = Stage { program: program.to_owned(), folder, sessions: 0 };
        std::fs::create_dir_all(stage.home())?;
        std::fs::create_dir_all(stage.template())?;
        stage.clean(Command::new("git").arg("init").arg("-q").arg(stage.template())).status()?;
        stage.at(&stage.template(), &["init"], None)?;
        for entry in known {
            let told = stage.at(
                &stage.template(),
                &["learn", &entry.title, "-t", &entry.kind, "--text", &entry.text, "--json"],
                None,
            )?;
            let told: Value = serde_json::from_str(&told).unwrap_or_default();
            if told["learned"].as_array().is_none_or(Vec::is_empty) {
                return Err(format!("`{}` could not be learned: {told}", entry.title).into());
            }
        }
        Ok(stage)
    }

    /// Puts the project back to the base that was there in the beginning; it keeps its path.
    pub(super) fn again(&self) -> Result<(), Failure> {
        for folder in [self.project(), self.transcripts()] {
            if folder.exists() {
                std::fs::remove_dir_all(folder)?;
            }
        }
        std::fs::create_dir_all(self.transcripts())?;
        copy(&self.template(), &self.project())
    }

    /// Leaves a session behind and returns its id.
    pub(super) fn session(&mut self, records: &[Record<'_>], at: Timestamp) -> Result<String, Failure> {
        self.sessions += 1;
        let short = format!("{:08x}", self.sessions.wrapping_mul(2_654_435_761));
        let id = format!("{short}-0000-4000-8000-000000000000");
        let mut file = std::fs::File::create(self.transcripts().join(format!("{id}.jsonl")))?;
        let mut parent: Option<String> = None;
        for (number, record) in records.iter().enumerate() {
            let own = format!("{short}-{number}");
            let at = at + SignedDuration::from_secs(20 * number as i64);
            let at = at.strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string();
            let mut line = json!({
                "uuid": own, "parentUuid": parent, "sessionId": id, "timestamp": at,
                "cwd": self.project().display().to_string(), "version": "2.0.0", "isSidechain": false,
                "userType": "external", "gitBranch": "main",
            });
            let (kind, message) = record.message(&own);
            line["type"] = json!(kind);
            line["message"] = message;
            if let Record::Output(text) = record {
                line["toolUseResult"] = json!({"stdout": text, "stderr": "", "interrupted": false});
            }
            writeln!(file, "{line}")?;
            parent = Some(own);
        }
        Ok(id)
    }

    /// Curates what lies there, and says why.
    pub(super) fn curate(&self) -> Result<Value, Failure> {
        let sessions = self.transcripts().display().to_string();
        self.json(&["curate", "--sessions", &sessions, "--all", "--explain"])
    }

    /// Lists what extraction finds in a session.
    pub(super) fn distill(&self, session: &str) -> Result<Value, Failure> {
        let sessions = self.transcripts().display().to_string();
        self.json(&["distill", &session[..8], "--sessions", &sessions])
    }

    /// Runs the program and reads what it prints as JSON; what is none is null.
    pub(super) fn json(&self, arguments: &[&str]) -> Result<Value, Failure> {
        let mut all = arguments.to_vec();
        all.push("--json");
        Ok(serde_json::from_str(&self.at(&self.project(), &all, None)?).unwrap_or_default())
    }

    /// Runs the program and returns all that it prints.
    pub(super) fn text(&self, arguments: &[&str], input: Option<&str>) -> Result<String, Failure> {
        self.at(&self.project(), arguments, input)
    }

    /// Reads the articles, by path.
    pub(super) fn pages(&self) -> Result<BTreeMap<String, Page>, Failure> {
        let root = self.project().join("knowledge");
        let mut out = BTreeMap::new();
        for file in files_below(&root)? {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.ends_with(".md") && !matches!(name, "index.md" | "log.md") {
                let path = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().into_owned();
                out.insert(path, Page::parse(&std::fs::read_to_string(&file)?));
            }
        }
        Ok(out)
    }

    pub(super) fn project(&self) -> PathBuf {
        self.folder.path().join("w")
    }

    fn template(&self) -> PathBuf {
        self.folder.path().join("template")
    }

    fn transcripts(&self) -> PathBuf {
        self.folder.path().join("s")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn at(&self, project: &Path, arguments: &[&str], input: Option<&str>) -> Result<String, Failure> {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(project).args(arguments);
        self.clean(&mut command).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        if let Some(mut pipe) = child.stdin.take() {
            // Whoever does not read closes the pipe.
            let _ = pipe.write_all(input.unwrap_or_default().as_bytes());
        }
        let done = child.wait_with_output()?;
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let json = arguments.contains(&"--json");
        Ok(if json { said(&done.stdout) } else { said(&done.stdout) + &said(&done.stderr) })
    }

    /// Lets nothing of the caller's surroundings in.
    fn clean<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env_clear();
        for name in ["PATH", "LANG", "TMPDIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let home = self.home();
        command
            .env("USER", "tester")
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_DATA_HOME", home.join(".local/share"))
            .env("XDG_CACHE_HOME", home.join(".cache"))
            .env("XDG_STATE_HOME", home.join(".local/state"))
            .env("HOME", home)
    }
}

impl Record<'_> {
    fn message(&self, id: &str) -> (&'static str, Value) {
        let said = |block: Value| json!({"id": format!("msg_{id}"), "role": "assistant", "model": "m", "content": [block]});
        match self {
            Record::Person(text) => ("user", json!({"role": "user", "content": text})),
            Record::Agent(text) => ("assistant", said(json!({"type": "text", "text": text}))),
            Record::Call { tool, input } => {
                ("assistant", said(json!({"type": "tool_use", "id": "t1", "name": tool, "input": input})))
            }
            Record::Output(text) => {
                let block =
                    json!({"type": "tool_result", "tool_use_id": "t1", "content": text, "is_error": false});
                ("user", json!({"role": "user", "content": [block]}))
            }
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
