//! What was said in a session, so that nothing is said twice in it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

use super::Occasion;
use crate::{Engine, Error};

const FOLDER: &str = "context/sessions";
/// Records of sessions nobody heard of for so many seconds are thrown away.
const FORGOTTEN: i64 = 60 * 24 * 3600;

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Seen {
    /// The session, in full.
    pub(super) session: String,
    /// Entries and places in past sessions.
    pub(super) ids: BTreeSet<String>,
    /// How often something was said about a prompt.
    pub(super) prompts: usize,
    /// Whether the session began before there was anything to answer from; its start is said with a prompt.
    pub(super) owed: bool,
}

impl Seen {
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Lists what need not be said again: who begins anew hears all, who asks for everything once more has it.
    pub(super) fn told(&self, occasion: &Occasion) -> BTreeSet<String> {
        if matches!(occasion, Occasion::Whole(_)) { self.ids.clone() } else { BTreeSet::new() }
    }

    pub(super) fn clear(&mut self) {
        *self = Seen::default();
    }
}

impl Engine {
    /// Reads the record of a session; a damaged one is an empty one.
    pub(super) fn seen(&self, session: Option<&str>) -> Seen {
        let Some(session) = session else { return Seen::default() };
        let path = self.store.shared().folder().join(file(session));
        let bytes = std::fs::read(path).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(super) fn save_seen(&self, session: &str, seen: &Seen) -> Result<(), Error> {
        let seen = Seen { session: session.to_owned(), ..seen.clone() };
        Ok(self.store.shared().write_json_clean(&file(session), &seen)?)
    }

    /// Remembers that a session was told nothing at its start, because nothing was built yet.
    pub(crate) fn owe_start(&self, session: &str) -> Result<(), Error> {
        let seen = self.seen(Some(session));
        self.save_seen(session, &Seen { owed: true, ..seen })
    }

    /// Lists the entries that were shown in a session.
    pub(crate) fn shown_in(&self, session: &str) -> BTreeSet<String> {
        let mut ids = self.seen(Some(session)).ids;
        ids.retain(|id| !id.contains("://"));
        ids
    }

    /// Throws records of long forgotten sessions away.
    pub(crate) fn forget_old_sessions(&self) -> Result<(), Error> {
        let folder = self.store.shared().folder().join(FOLDER);
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let at = file.metadata().and_then(|about| about.modified()).ok();
            let at = at.and_then(|at| Timestamp::try_from(at).ok());
            if at.is_some_and(|at| self.world.now.as_second() - at.as_second() > FORGOTTEN)
                && let Ok(name) = file.file_name().into_string()
            {
                self.store.shared().remove(&format!("{FOLDER}/{name}"))?;
            }
        }
        Ok(())
    }
}

fn file(session: &str) -> String {
    format!("{FOLDER}/{}.json", ContentHash::of(session.as_bytes()).short())
}
