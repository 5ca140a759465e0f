//! One project's transcripts: what was said where, and the base that the product makes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use lore_capture::{Keep, ReadOptions, read_path};
use lore_core::Session;
use lore_engine::curate::{CurateOptions, CurateReport};
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};
use rayon::prelude::*;
use tempfile::TempDir;

use crate::context::Failure;
use crate::suites::files_below;

/// The transcripts of one project.
pub(crate) struct Corpus {
    pub(crate) name: String,
    folder: PathBuf,
    pub(crate) transcripts: Vec<Transcript>,
}

/// One file with what it holds.
pub(crate) struct Transcript {
    /// Its path below the project's folder, as the labels name it.
    pub(crate) file: String,
    pub(crate) path: PathBuf,
    sessions: Vec<Held>,
    /// What was said, by record.
    pub(crate) said: BTreeMap<u32, String>,
    latest: Option<Timestamp>,
}

/// A session that a file holds.
struct Held {
    id: String,
    parent: Option<String>,
    started: Option<Timestamp>,
}

/// A base in a folder that goes when it is dropped.
pub(crate) struct Bootstrapped {
    pub(crate) engine: Engine,
    pub(crate) report: CurateReport,
    _folder: TempDir,
}

impl Corpus {
    /// Reads every transcript below a folder.
    pub(crate) fn read(name: &str, folder: &Path) -> Result<Corpus, Failure> {
        let files = files_below(folder)?;
        let read = |path: &PathBuf| {
            let file = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
            let mut transcript = Transcript {
                file,
                path: path.clone(),
                sessions: Vec::new(),
                said: BTreeMap::new(),
                latest: None,
            };
            let options = ReadOptions { keep: Keep::Conversation, ..ReadOptions::default() };
            // A file that is no transcript holds no session.
            let _ = read_path(path, &options, &mut |session| transcript.hear(&session));
            transcript
        };
        let transcripts: Vec<Transcript> = files.par_iter().map(read).collect();
        let transcripts = transcripts.into_iter().filter(|one| !one.sessions.is_empty()).collect();
        Ok(Corpus { name: name.to_owned(), folder: folder.to_owned(), transcripts })
    }

    /// Counts the sessions that no other session started.
    pub(crate) fn sessions(&self) -> usize {
        self.transcripts.iter().map(Transcript::own_sessions).sum()
    }

    /// Returns the transcripts of the first sessions by time, with the helpers that these started.
    pub(crate) fn first(&self, count: usize) -> Vec<&Transcript> {
        let mut by_time: Vec<&Transcript> =
            self.transcripts.iter().filter(|one| one.own_sessions() > 0).collect();
        by_time.sort_by_key(|one| (one.started().unwrap_or(Timestamp::MAX), &one.file));
        let mut taken = Vec::new();
        let mut sessions = 0;
        for transcript in by_time {
            if sessions + transcript.own_sessions() > count {
                break;
            }
            sessions += transcript.own_sessions();
            taken.push(transcript);
        }
        let known: BTreeSet<&str> =
            taken.iter().flat_map(|one| one.sessions.iter().map(|held| held.id.as_str())).collect();
        let helpers = self.transcripts.iter().filter(|one| {
            one.own_sessions() == 0
                && one.sessions.iter().any(|held| held.parent.as_deref().is_some_and(|id| known.contains(id)))
        });
        taken.extend(helpers);
        taken
    }

    /// Lists the files in which a session stands.
    pub(crate) fn files_of<'c>(&'c self, session: &'c str) -> impl Iterator<Item = &'c str> {
        let holds = move |one: &&Transcript| one.sessions.iter().any(|held| held.id == session);
        self.transcripts.iter().filter(holds).map(|one| one.file.as_str())
    }

    /// Returns when somebody last spoke.
    pub(crate) fn latest(&self) -> Timestamp {
        self.transcripts.iter().filter_map(|one| one.latest).max().unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Lets the product make a base of all transcripts, or of some, as its own command does.
    pub(crate) fn bootstrapped(&self, only: Option<&[&Transcript]>) -> Result<Bootstrapped, Failure> {
        let folder = TempDir::with_prefix("lore-base-")?;
        let project = folder.path().join("project");
        let home = folder.path().join("home");
        std::fs::create_dir_all(&project)?;
        std::fs::create_dir_all(&home)?;
        Command::new("git").arg("init").arg("-q").arg(&project).env("HOME", &home).status()?;
        let home = home.to_string_lossy().into_owned();
        let variables = BTreeMap::from([("HOME".to_owned(), home)]);
        let world = World { now: self.latest(), directory: project.clone(), variables };
        Engine::init(&world, &InitOptions { project: Some(project), ..InitOptions::default() })?;
        let engine = Engine::open(world)?;
        let paths = only.unwrap_or_default().iter().map(|one| one.path.clone()).collect();
        let filter = SessionFilter { path: Some(self.folder.clone()), paths, ..SessionFilter::default() };
        let options = CurateOptions { filter, bootstrap: true, ..CurateOptions::default() };
        let report = engine.curate(&options, &|_, _| {})?;
        Ok(Bootstrapped { engine, report, _folder: folder })
    }
}

impl Transcript {
    fn hear(&mut self, session: &Session) {
        self.sessions.push(Held {
            id: session.id.to_string(),
            parent: session.parent.as_ref().map(ToString::to_string),
            started: session.started,
        });
        for turn in &session.turns {
            self.latest = self.latest.max(turn.at);
            for block in &turn.blocks {
                let said = self.said.entry(block.line).or_default();
                said.push_str(&block.text);
                said.push('\n');
            }
        }
    }

    fn own_sessions(&self) -> usize {
        self.sessions.iter().filter(|held| held.parent.is_none()).count()
    }

    fn started(&self) -> Option<Timestamp> {
        self.sessions.iter().filter_map(|held| held.started).min()
    }
}

#[cfg(test)]
impl Transcript {
    pub(crate) fn made_up(file: &str, path: &Path) -> Transcript {
        let said = BTreeMap::new();
        Transcript { file: file.to_owned(), path: path.to_owned(), sessions: Vec::new(), said, latest: None }
    }
}

#[cfg(test)]
impl Corpus {
    pub(crate) fn made_up(transcripts: Vec<Transcript>) -> Corpus {
        Corpus { name: "pottery".to_owned(), folder: PathBuf::new(), transcripts }
    }
}

#[cfg(test)]
pub(crate) mod made_up {
    use super::*;

    /// Writes a session in which a person says some things, one record each.
    pub(crate) fn session(folder: &Path, id: &str, day: &str, said: &[&str]) {
        let lines = said.iter().enumerate().map(|(at, text)| {
            let record = serde_json::json!({
                "uuid": format!("{id}-{at}"), "sessionId": id, "timestamp": format!("{day}T10:{at:02}:00.000Z"),
                "cwd": "/pottery", "version": "2.0.0", "isSidechain": false, "userType": "external",
                "type": "user", "message": {"role": "user", "content": text},
            });
            format!("{record}\n")
        });
        std::fs::write(folder.join(format!("{id}.jsonl")), lines.collect::<String>())
            .expect("can be written");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sessions_are_the_earliest_and_make_a_base_of_their_own() {
        let folder = tempfile::tempdir().expect("there is a place for it");
        let (late, early) = ("aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002");
        made_up::session(folder.path(), late, "2026-03-02", &["From now on glazes are never mixed by hand."]);
        made_up::session(
            folder.path(),
            early,
            "2026-03-01",
            &["From now on never fire the kiln on Sundays."],
        );
        let corpus = Corpus::read("pottery", folder.path()).expect("can be read");
        assert_eq!(corpus.sessions(), 2);
        let first = corpus.first(1);
        assert_eq!(first.iter().map(|one| one.file.as_str()).collect::<Vec<_>>(), [format!("{early}.jsonl")]);
        assert_eq!(corpus.files_of(late).collect::<Vec<_>>(), [format!("{late}.jsonl")]);
        assert!(first[0].said[&1].contains("kiln"));
        let titles = |only: Option<&[&Transcript]>| {
            let made = corpus.bootstrapped(only).expect("can be made");
            let listed = made.engine.list(&lore_engine::entries::Filter::default()).expect("can be listed");
            listed.into_iter().map(|item| item.title).collect::<Vec<_>>()
        };
        assert_eq!(titles(None).len(), 2);
        let young = titles(Some(&first));
        assert!(young.len() == 1 && young[0].contains("kiln"), "{young:?}");
    }
}
