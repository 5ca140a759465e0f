//! Which repositories' settings the user allowed, by the text of the file.
//!
//! It is kept in the user's own data folder, never in the repository, and says nothing about a file
//! whose text has changed by as much as a letter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lore_core::ContentHash;
use lore_store::derived::{Derived, DerivedError};
use serde::{Deserialize, Serialize};

const FILE: &str = "allowed-settings.json";

/// What the user said about the settings of repositories.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consent {
    projects: BTreeMap<String, Given>,
}

/// What was said about one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Given {
    /// Hashes of the files that were allowed.
    allowed: BTreeSet<ContentHash>,
    /// Hash of what the user was last told is ignored.
    told: Option<ContentHash>,
}

impl Consent {
    /// Reads what was said; a file that cannot be read allows nothing.
    pub fn load(data: &Path) -> Consent {
        let bytes = std::fs::read(data.join(FILE)).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Writes it down.
    pub fn save(&self, data: &Path) -> Result<PathBuf, DerivedError> {
        let derived = Derived::new(data);
        derived.write(FILE, derived.json_in_lines(FILE, self)?.as_bytes())?;
        Ok(data.join(FILE))
    }

    /// Tells whether a file with this text was allowed for a project.
    pub fn allows(&self, project: &str, text: &str) -> bool {
        let given = self.projects.get(project);
        given.is_some_and(|given| given.allowed.contains(&ContentHash::of(text.as_bytes())))
    }

    /// Allows a file with this text.
    pub fn allow(&mut self, project: &str, text: &str) {
        let given = self.projects.entry(project.to_owned()).or_default();
        given.allowed.insert(ContentHash::of(text.as_bytes()));
    }

    /// Takes back everything that was allowed for a project, and says whether there was anything.
    pub fn disallow(&mut self, project: &str) -> bool {
        self.projects.remove(project).is_some_and(|given| !given.allowed.is_empty())
    }

    /// Notes what the user is told is ignored, and says whether that is news.
    pub fn tell(&mut self, project: &str, what: &str) -> bool {
        let hash = Some(ContentHash::of(what.as_bytes()));
        let given = self.projects.entry(project.to_owned()).or_default();
        let is_news = given.told != hash;
        given.told = hash;
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_not_the_one_that_was_allowed() {
        let mut consent = Consent::default();
        consent.allow("p", "[curate]\ncommand = \"a\"\n");
        assert!(consent.allows("p", "[curate]\ncommand = \"a\"\n"));
        assert!(!consent.allows("p", "[curate]\ncommand = \"b\"\n"));
        assert!(!consent.allows("q", "[curate]\ncommand = \"a\"\n"));
        assert!(consent.disallow("p"));
        assert!(!consent.disallow("p"));
        assert!(!consent.allows("p", "[curate]\ncommand = \"a\"\n"));
    }

    #[test]
    fn the_same_is_told_once() {
        let mut consent = Consent::default();
        assert!(consent.tell("p", "curate.command"));
        assert!(!consent.tell("p", "curate.command"));
        assert!(consent.tell("p", "curate.command, sessions.paths"));
    }
}
