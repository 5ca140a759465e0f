//! A throw-away project with sessions of our own, a base, and a clock that stands still.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lore_engine::curate::{CurateOptions, CurateReport};
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};
use lore_testutils::{TestRepo, start};

/// A project with a folder of sessions.
pub(crate) struct Stage {
    pub(crate) repo: TestRepo,
    /// How many days have gone by.
    pub(crate) day: i64,
}

impl Stage {
    /// Makes a project without git.
    pub(crate) fn new() -> Stage {
        Stage::in_repo(TestRepo::new())
    }

    /// Makes a project in a git repository.
    pub(crate) fn with_git() -> Stage {
        Stage::in_repo(TestRepo::with_git())
    }

    fn in_repo(repo: TestRepo) -> Stage {
        let stage = Stage { repo, day: 0 };
        Engine::init(
            &stage.world(),
            &InitOptions { project: Some(stage.project()), ..InitOptions::default() },
        )
        .expect("a base can be made");
        stage
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.repo.path()
    }

    /// Returns the folder of what is not knowledge.
    pub(crate) fn state(&self) -> PathBuf {
        lore_store::Scope::at(&self.project()).shared
    }

    pub(crate) fn world(&self) -> World {
        let home = self.project().join("home").display().to_string();
        World {
            now: lore_testutils::days_later(self.day),
            directory: self.project(),
            variables: BTreeMap::from([
                ("HOME".to_owned(), home),
                ("LORE_USER".to_owned(), "ada".to_owned()),
            ]),
        }
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::open(self.world()).expect("the base can be opened")
    }

    /// Curates the folder of sessions.
    pub(crate) fn curate(&self) -> CurateReport {
        self.curate_with(CurateOptions::default())
    }

    /// Reads all sessions again.
    pub(crate) fn bootstrap(&self) -> CurateReport {
        self.curate_with(CurateOptions { bootstrap: true, ..CurateOptions::default() })
    }

    /// Curates the folder of sessions in a certain way.
    pub(crate) fn curate_with(&self, options: CurateOptions) -> CurateReport {
        let filter = SessionFilter { path: Some(PathBuf::from("sessions")), ..SessionFilter::default() };
        let report = self.engine().curate(&CurateOptions { filter, ..options }, &|_, _| {});
        let report = report.expect("curation works");
        assert_eq!(report.problems, Vec::<String>::new());
        report
    }

    /// Writes a session: who says what, one record each.
    pub(crate) fn session(&self, id: &str, day: i64, turns: &[(&str, &str)]) {
        self.session_at(&format!("sessions/{id}.jsonl"), id, day, turns);
    }

    /// Writes a session to a file of its own.
    pub(crate) fn session_at(&self, path: &str, id: &str, day: i64, turns: &[(&str, &str)]) {
        let mut text = String::new();
        for (number, (role, words)) in turns.iter().enumerate() {
            let at = lore_testutils::days_later(day)
                .checked_add(jiff::SignedDuration::from_mins(number as i64))
                .expect("tests stay within a few years");
            let record = serde_json::json!({
                "parentUuid": number.checked_sub(1).map(|before| format!("{id}-{before}")),
                "uuid": format!("{id}-{number}"), "sessionId": id, "isSidechain": false,
                "cwd": self.project(), "version": "2.0.0", "timestamp": at.to_string(), "type": role,
                "message": match *role {
                    "user" => serde_json::json!({"role": "user", "content": words}),
                    _ => serde_json::json!({
                        "role": "assistant", "id": format!("m-{id}-{number}"), "model": "m",
                        "content": [{"type": "text", "text": words}],
                    }),
                },
            });
            text.push_str(&format!("{record}\n"));
        }
        self.repo.write(path, text);
    }

    /// Copies the project with everything in it.
    pub(crate) fn copied(&self) -> Stage {
        let copy = Stage { repo: TestRepo::new(), day: self.day };
        let mut folders = vec![self.project()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("the folder can be listed").flatten() {
                let path = entry.path();
                let target = copy.project().join(path.strip_prefix(self.project()).unwrap_or(&path));
                if path.is_dir() {
                    fs::create_dir_all(&target).expect("a folder can be made");
                    folders.push(path);
                } else {
                    fs::copy(&path, &target).expect("a file can be copied");
                }
            }
        }
        copy
    }

    /// Returns where something of the untracked state lies.
    pub(crate) fn engine_state(&self, name: &str) -> PathBuf {
        self.project().join(".lore").join(name)
    }

    /// Reads every file of the base.
    pub(crate) fn base(&self) -> BTreeMap<String, String> {
        let root = self.project().join("knowledge");
        let mut files = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("the folder can be listed").flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path();
                    let name = path.strip_prefix(&root).unwrap_or(Path::new("")).display().to_string();
                    files.insert(name, fs::read_to_string(path).expect("the file is text"));
                }
            }
        }
        files
    }

    /// Lists the articles: path and text, without the generated lists.
    pub(crate) fn articles(&self) -> BTreeMap<String, String> {
        let is_list = |path: &str| {
            path.starts_with('.')
                || path.ends_with("index.md")
                || path == "log.md"
                || path == "history/timeline.md"
        };
        self.base().into_iter().filter(|(path, _)| !is_list(path)).collect()
    }

    /// Returns the one article whose title or description has these words.
    pub(crate) fn article_with(&self, words: &str) -> (String, String) {
        let articles = self.articles();
        let says = |text: &str| {
            text.lines()
                .filter(|line| line.starts_with("title:") || line.starts_with("description:"))
                .any(|line| line.contains(words))
        };
        let found: Vec<_> = articles.iter().filter(|(_, text)| says(text)).collect();
        assert_eq!(found.len(), 1, "“{words}” in {:?}", articles.keys().collect::<Vec<_>>());
        (found[0].0.clone(), found[0].1.clone())
    }
}

/// Three sessions with things people would want kept.
pub(crate) fn usual() -> Stage {
    fill(Stage::new())
}

/// Puts the usual sessions into a project.
pub(crate) fn fill(stage: Stage) -> Stage {
    stage.session("s-money", 1, MONEY);
    stage.session("s-mail", 2, MAIL);
    stage.session("s-logs", 3, LOGS);
    let _ = start();
    stage
}

pub(crate) const MONEY: &[(&str, &str)] = &[
    ("user", "Never use floating point for money. All amounts are integer cents, everywhere in the code."),
    (
        "assistant",
        "Understood. I changed `price.rs` so that all amounts are integer cents and ran the tests; they pass.",
    ),
];
pub(crate) const MAIL: &[(&str, &str)] = &[
    ("user", "Where should the mails be sent from?"),
    ("assistant", "I suggest Redis with a worker for the mails."),
    (
        "user",
        "No, we do not want Redis. Use the existing PostgreSQL queue table for sending confirmation mails.",
    ),
    ("assistant", "Done: confirmation mails are now sent by the worker from the PostgreSQL queue table."),
];
pub(crate) const LOGS: &[(&str, &str)] = &[
    (
        "user",
        "From now on always write log lines as JSON, one object per line. That is a rule for the whole project.",
    ),
    ("assistant", "Agreed. The logger writes one JSON object per line now."),
];
