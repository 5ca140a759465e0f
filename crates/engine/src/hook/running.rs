//! Sessions that are under way, so that one whose end nobody told of is noticed.
//!
//! A killed agent, a crash, a closed lid: none of them calls a hook. Every session that we hear of has
//! a small record; the end of it takes the record away. Whatever is left, and has been quiet for
//! long, counts as ended when the next session begins.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_capture::hook::HookEvent;
use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

use super::inbox::Note;
use crate::{Engine, Error};

pub(super) const FOLDER: &str = "running";
/// The last that was heard of each agent.
pub(super) const HEARD: &str = "heard";
/// A session that was quiet for so many seconds is over, or will be noted again when it goes on.
const QUIET: i64 = 3600;

/// A session that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The agent.
    pub agent: String,
    /// The session.
    pub session: String,
    /// Where the agent writes it down, if it said so.
    #[serde(default, with = "crate::path_text::maybe")]
    pub transcript: Option<PathBuf>,
    /// When it was last heard of.
    pub at: Timestamp,
    /// The event by which it was.
    #[serde(default)]
    pub event: String,
}

impl Engine {
    /// Lists the sessions that are under way, the one heard of last first.
    pub fn running(&self) -> Vec<Running> {
        let folder = self.store.shared().folder().join(FOLDER);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let read =
            |path: PathBuf| -> Option<Running> { serde_json::from_slice(&std::fs::read(path).ok()?).ok() };
        let mut found: Vec<Running> = files.filter_map(|file| read(file.path())).collect();
        found.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.session.cmp(&b.session)));
        found
    }

    /// Remembers that a session was heard of.
    pub(super) fn hear_of(&self, event: &HookEvent) -> Result<(), Error> {
        let running = Running {
            agent: event.agent.to_owned(),
            session: self.store.door().written(event.session.as_str()).into_owned(),
            transcript: self.transcript_of(event),
            at: self.world.now,
            event: event.name.chars().take(40).collect(),
        };
        self.store.shared().write_json(&format!("{HEARD}/{}.json", running.agent), &running)?;
        Ok(self.store.shared().write_json(&file(&running.agent, &running.session), &running)?)
    }

    /// Returns where a session is written down: not every event of an agent says so.
    pub(super) fn transcript_of(&self, event: &HookEvent) -> Option<PathBuf> {
        event.transcript.clone().or_else(|| {
            let session = self.store.door().written(event.session.as_str());
            let path = self.store.shared().folder().join(file(event.agent, &session));
            serde_json::from_slice::<Running>(&std::fs::read(path).ok()?).ok()?.transcript
        })
    }

    /// Returns the last that was heard of an agent.
    pub fn last_heard(&self, agent: &str) -> Option<Running> {
        let path = self.store.shared().folder().join(HEARD).join(format!("{agent}.json"));
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Forgets a session that has ended.
    pub(super) fn hear_no_more(&self, agent: &str, session: &str) -> Result<(), Error> {
        let session = self.store.door().written(session).into_owned();
        Ok(self.store.shared().remove(&file(agent, &session))?)
    }

    /// Notes sessions as ended that went quiet without a word; says how many.
    pub(super) fn sweep_quiet(&self) -> Result<usize, Error> {
        let mut swept = 0;
        for running in self.running() {
            let since = |at: Timestamp| self.world.now.as_second() - at.as_second();
            let written = running.transcript.as_deref().and_then(modified);
            // A file of the future, by whatever clock, says nothing about being quiet.
            let is_warm = written.is_some_and(|at| (0..QUIET).contains(&since(at)));
            if since(running.at) < QUIET || is_warm {
                continue;
            }
            self.leave(&Note {
                agent: running.agent.clone(),
                session: running.session.clone(),
                transcript: running.transcript.clone(),
                at: self.world.now,
            })?;
            self.hear_no_more(&running.agent, &running.session)?;
            swept += 1;
        }
        Ok(swept)
    }
}

fn modified(path: &Path) -> Option<Timestamp> {
    Timestamp::try_from(path.metadata().ok()?.modified().ok()?).ok()
}

fn file(agent: &str, session: &str) -> String {
    format!("{FOLDER}/{}.json", ContentHash::of(format!("{agent}/{session}").as_bytes()).short())
}
