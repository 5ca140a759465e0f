//! How sources looked when they were last curated, so that what did not change is not opened.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use lore_capture::Found;
use lore_core::SessionId;
use lore_store::Ledger;
use lore_store::derived::{Derived, DerivedError};
use serde::{Deserialize, Serialize};

use crate::Engine;
use crate::sessions::Archive;

const FILE: &str = "cache/sources.json";

/// What is remembered of every source. It is derived: the ledger in the base is the truth, and a
/// source counts as curated only as long as the ledger agrees.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// The folders that decided which sessions belong to the project.
    #[serde(with = "crate::path_text::list")]
    folders: Vec<PathBuf>,
    /// The mark of the patterns that left sessions out.
    #[serde(default)]
    excluded: String,
    #[serde(with = "crate::path_text::keys")]
    sources: BTreeMap<PathBuf, Look>,
}

/// One source as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    bytes: u64,
    modified: Option<Timestamp>,
    /// Whether sessions of other projects were taken as well.
    everything: bool,
    /// Which of its sessions were curated: agent, id and how far.
    sessions: Vec<(String, SessionId, u64)>,
}

impl Seen {
    /// Reads what is remembered; other folders or patterns make it worthless.
    pub(super) fn load(derived: &Derived, archive: &Archive) -> Seen {
        let (folders, excluded) = (archive.folders().to_vec(), archive.exclusion().mark());
        let seen = Seen::any(derived);
        let holds = seen.folders == folders && seen.excluded == excluded;
        if holds { seen } else { Seen { folders, excluded, ..Seen::default() } }
    }

    /// Tells whether nothing can be new in a source.
    pub(super) fn knows(&self, found: &Found, everything: bool, ledger: &Ledger) -> bool {
        let Some(look) = self.sources.get(&found.path).filter(|_| found.whole) else { return false };
        let curated = |(agent, id, lines): &(String, SessionId, u64)| {
            ledger.get(agent, id).is_some_and(|curated| curated.lines >= *lines)
        };
        look.bytes == found.bytes
            && (look.everything || !everything)
            && look.modified == found.modified
            && found.modified.is_some()
            && look.sessions.iter().all(curated)
    }

    /// Lists the sources that hold a session whose id begins like this.
    pub(super) fn holding(&self, id: &str) -> Vec<PathBuf> {
        let holds = |look: &Look| look.sessions.iter().any(|(_, own, _)| own.as_str().starts_with(id));
        self.sources.iter().filter(|(_, look)| holds(look)).map(|(path, _)| path.clone()).collect()
    }

    /// Reads what is remembered, whatever decided which sessions belong to the project.
    pub(super) fn any(derived: &Derived) -> Seen {
        let bytes = derived.path(FILE).ok().and_then(|path| std::fs::read(path).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Remembers a source that was read to its end.
    pub(super) fn note(&mut self, found: &Found, everything: bool, sessions: Vec<(String, SessionId, u64)>) {
        if found.whole {
            let look = Look { bytes: found.bytes, modified: found.modified, everything, sessions };
            self.sources.insert(found.path.clone(), look);
        }
    }

    /// Keeps it for the next run.
    pub(super) fn save(&self, derived: &Derived) -> Result<(), DerivedError> {
        derived.write_json(FILE, self)
    }
}

impl Engine {
    /// Lists the files from which sessions were curated whose id begins like this, as far as they are there.
    pub(crate) fn curated_from(&self, id: &str) -> Vec<PathBuf> {
        let mut paths = Seen::any(self.store.shared()).holding(id);
        paths.retain(|path| path.exists());
        paths
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    /// One such transcript emptied the file at every run.
    #[test]
    fn a_source_whose_name_is_no_text_is_remembered_with_the_others() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path());
        let odd = PathBuf::from(OsString::from_vec(b"/caf\xe9/a.jsonl".to_vec()));
        let look = Look { bytes: 1, modified: None, everything: false, sessions: Vec::new() };
        let sources = [(odd.clone(), look.clone()), (PathBuf::from("/b.jsonl"), look)].into();
        let seen = Seen { folders: vec![odd], excluded: String::new(), sources };
        seen.save(&derived).unwrap();
        assert_eq!(Seen::any(&derived), seen);
    }
}
