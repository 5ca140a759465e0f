//! What agents were given, byte for byte, so that a person can see it.
//!
//! Every answer to an agent adds one line to the file of the day: nothing is read and nothing waited
//! for, so that a hook stays as fast as it was. Lines of long ago go when a new day begins.

use jiff::Timestamp;
use lore_core::handle::Handle;
use lore_core::{EntryId, Moment};
use serde::{Deserialize, Serialize};

use crate::asker::Asker;
use crate::context::Context;
use crate::{Engine, Error};

/// Folder of the records, one file a day.
const FOLDER: &str = "told";
/// Records of so many days are kept …
const DAYS: i64 = 90;
/// … as long as they take no more than this.
const LONGEST: u64 = 20 << 20;

/// What an agent was given at one moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Telling {
    /// When.
    pub at: Timestamp,
    /// The session, as `agent/id`, or the program that asked.
    pub session: String,
    /// What it was an answer to: `session-start`, `prompt`, `grounding`, `context`, `mcp:ask`, a command such as `ask`.
    pub event: String,
    /// What was asked, where something was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub asked: String,
    /// The text, as it was given.
    pub text: String,
    /// What it rests on, and why.
    pub because: Vec<Because>,
}

/// One entry or passage in what was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Because {
    /// The id of an entry, or `session://<agent>/<id>#L<line>`.
    pub source: String,
    /// Why it was chosen, in a word.
    pub why: String,
    /// How well it fitted, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

impl Engine {
    /// Writes down what an agent is given. What cannot be written down is given all the same.
    pub fn tell(&self, telling: &Telling) {
        if telling.text.is_empty() {
            return;
        }
        let door = self.store.door();
        let mut telling = telling.clone();
        telling.text = door.written(&telling.text).into_owned();
        telling.asked = door.written(&telling.asked).into_owned();
        let Ok(mut line) = serde_json::to_string(&telling) else { return };
        line.push('\n');
        let name = format!("{FOLDER}/{}.jsonl", Moment::Instant(telling.at).date());
        let folder = self.lasting();
        let is_new = folder.path(&name).is_ok_and(|path| !path.exists());
        let _ = folder.append_text(&name, &line);
        if is_new {
            self.drop_old_tellings();
        }
    }

    /// Writes down a context that an agent is given.
    pub fn tell_context(&self, session: &str, event: &str, asked: &str, context: &Context) {
        self.tell(&Telling {
            at: self.world.now,
            session: session.to_owned(),
            event: event.to_owned(),
            asked: asked.to_owned(),
            text: context.text.clone(),
            because: context.because(),
        });
    }

    /// Writes down what checks of a change found, where an agent is given that.
    pub(crate) fn tell_found(&self, session: &str, text: &str) {
        self.tell(&Telling {
            at: self.world.now,
            session: session.to_owned(),
            event: "grounding".to_owned(),
            asked: String::new(),
            text: text.to_owned(),
            because: self.named_in(text),
        });
    }

    /// Writes down what a command printed in an agent's shell; what a person reads is nobody's business.
    pub fn tell_printed(&self, command: &str, asked: &str, text: &str) {
        let Asker::Agent { name, session } = self.asker() else { return };
        let session = session.as_ref().map_or_else(|| name.clone(), |session| format!("{name}/{session}"));
        self.tell(&Telling {
            at: self.world.now,
            session,
            event: command.to_owned(),
            asked: asked.to_owned(),
            text: text.to_owned(),
            because: self.named_in(text),
        });
    }

    /// Lists the entries that a text names, by their ids or the short form of them.
    fn named_in(&self, text: &str) -> Vec<Because> {
        let Ok(snapshot) = self.store.snapshot() else { return Vec::new() };
        let mut found: Vec<Because> = Vec::new();
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
            if word.parse::<Handle>().is_err() && word.parse::<EntryId>().is_err() {
                continue;
            }
            let Ok(summary) = snapshot.resolve(word) else { continue };
            if found.iter().all(|one| one.source != summary.id.as_str()) {
                let (source, why) = (summary.id.to_string(), "match".to_owned());
                found.push(Because { source, why, score: None });
            }
        }
        found
    }

    /// Lists what agents were given, oldest first; of one session where one is named.
    pub fn told(&self, session: Option<&str>, since: Option<Moment>) -> Result<Vec<Telling>, Error> {
        let fits = |telling: &Telling| {
            let wanted = session.is_none_or(|wanted| {
                let id = telling.session.rsplit('/').next().unwrap_or_default();
                telling.session == wanted || id.starts_with(wanted)
            });
            wanted && since.is_none_or(|since| Moment::Instant(telling.at) >= since)
        };
        let mut all = Vec::new();
        for (_, path) in self.told_files() {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            // A line that was cut short says nothing any more.
            let lines = text.lines().filter_map(|line| serde_json::from_str::<Telling>(line).ok());
            all.extend(lines.filter(|telling| fits(telling)));
        }
        all.sort_by_key(|telling| telling.at);
        if let (true, Some(session)) = (all.is_empty(), session) {
            let hint = "`lore told` lists every session that was told something";
            return Err(Error::request(format!("nothing is known of a session `{session}`"), hint));
        }
        Ok(all)
    }

    /// Lets go of what is too old or too much.
    fn drop_old_tellings(&self) {
        let today = Moment::Instant(self.world.now);
        let mut bytes = 0;
        for (day, path) in self.told_files().into_iter().rev() {
            bytes += path.metadata().map_or(0, |about| about.len());
            let is_old = i64::from(day.days_until(today)) > DAYS;
            if (is_old || bytes > LONGEST)
                && let Some(name) = path.file_name().and_then(|name| name.to_str())
            {
                let _ = self.lasting().remove(&format!("{FOLDER}/{name}"));
            }
        }
    }

    fn told_files(&self) -> Vec<(Moment, std::path::PathBuf)> {
        let folder = self.lasting().folder().join(FOLDER);
        let listing = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<(Moment, std::path::PathBuf)> = listing
            .filter_map(|file| {
                let name = file.file_name().into_string().ok()?;
                Some((name.strip_suffix(".jsonl")?.parse().ok()?, file.path()))
            })
            .collect();
        files.sort();
        files
    }

    /// Returns the folder for what must last and is not knowledge.
    pub(crate) fn lasting(&self) -> &lore_store::derived::Derived {
        self.store.shared()
    }
}
