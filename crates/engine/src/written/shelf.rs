//! What files say, ready for hooks: a worker reads them, so that a prompt only has to look it up.
//!
//! An agent is not told again what it loads by itself: its own instructions stand in its context already.
//! Decision records, and what was written for other agents, may speak.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use lore_surface::Bearing;
use serde::{Deserialize, Serialize};

use super::statements::Statement;
use super::{places, telling_words};
use crate::base::Patience;
use crate::{Engine, Error};

const FILE: &str = "written/shelf.json";
/// Nobody asked, so more has to fit than where somebody did: so many telling words …
const SHARED: usize = 3;
/// … and this share of what the statement says.
const SHARE: f64 = 0.3;

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Shelved {
    file: String,
    about: String,
    /// Bytes and seconds, to tell whether it changed.
    look: (u64, u64),
    statements: Vec<Statement>,
}

/// A statement for an agent that did not ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unasked {
    pub(crate) text: String,
    /// `FILE:LINE`.
    pub(crate) place: String,
}

impl Unasked {
    /// Names it in the record of what a session was told.
    pub(crate) fn key(&self) -> String {
        format!("file://{}", self.place)
    }
}

impl Engine {
    /// Reads the files again and keeps what they say; nothing is written where nothing changed.
    pub(crate) fn shelve_written(&self) -> Result<(), Error> {
        let known = self.written_shelf();
        let mut shelf: Vec<Shelved> = Vec::new();
        for (path, about) in places::files(&self.world, self.project()) {
            let (file, look) = (self.named(&path), look(&path));
            let kept = known.iter().find(|shelved| shelved.file == file && shelved.look == look);
            let statements =
                kept.map_or_else(|| self.statements_in(&path), |shelved| shelved.statements.clone());
            shelf.push(Shelved { file, about: about.to_owned(), look, statements });
        }
        if shelf != known {
            self.store.work().write_json_clean(FILE, &shelf)?;
        }
        Ok(())
    }

    /// Finds the statement of a file that bears most on a prompt, which this agent has not loaded and
    /// this session has not heard.
    pub(crate) fn unasked(&self, agent: &str, prompt: &str, known: &BTreeSet<String>) -> Option<Unasked> {
        // A hook has no time to read files; whoever else asks has.
        if self.patience != Patience::Hook
            && let Err(error) = self.shelve_written()
        {
            tracing::debug!(%error, "what files say is not kept");
        }
        let shelf = self.written_shelf();
        let wanted = telling_words(prompt);
        if wanted.len() < SHARED || shelf.is_empty() {
            return None;
        }
        let has_claude = shelf.iter().any(|shelved| shelved.file == "CLAUDE.md");
        let is_loaded = |shelved: &&Shelved| loads(agent, &shelved.file, &shelved.about, has_claude);
        let loaded: BTreeSet<&str> = shelf
            .iter()
            .filter(is_loaded)
            .flat_map(|shelved| &shelved.statements)
            .map(|statement| statement.text.as_str())
            .collect();
        let bearing = Bearing::on(prompt);
        let mut best: Option<(f64, &Shelved, &Statement)> = None;
        for shelved in shelf.iter().filter(|shelved| !is_loaded(shelved)) {
            for statement in &shelved.statements {
                let said = telling_words(&statement.text);
                let shared = said.intersection(&wanted).count();
                let share = shared as f64 / said.len().max(1) as f64;
                if shared >= SHARED
                    && share >= SHARE
                    && best.is_none_or(|(best, ..)| shared as f64 * share > best)
                    && !loaded.contains(statement.text.as_str())
                    && bearing.has(&statement.text)
                    && !known.contains(&unasked(shelved, statement).key())
                {
                    best = Some((shared as f64 * share, shelved, statement));
                }
            }
        }
        let (_, shelved, statement) = best?;
        self.still_says(shelved, statement).then(|| unasked(shelved, statement))
    }

    /// Tells whether a file still says it, where it changed since it was read.
    fn still_says(&self, shelved: &Shelved, statement: &Statement) -> bool {
        let path = self.project().join(&shelved.file);
        look(&path) == shelved.look || self.statements_in(&path).contains(statement)
    }

    fn written_shelf(&self) -> Vec<Shelved> {
        let bytes = std::fs::read(self.store.work().folder().join(FILE)).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}

fn unasked(shelved: &Shelved, statement: &Statement) -> Unasked {
    Unasked {
        text: lore_core::sentinel::clean(&statement.text).into_owned(),
        place: format!("{}:{}", shelved.file, statement.line),
    }
}

fn look(path: &Path) -> (u64, u64) {
    let Ok(about) = path.metadata() else { return (0, 0) };
    let since = about.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    (about.len(), since.map_or(0, |since| since.as_secs()))
}

/// Tells whether an agent reads a file by itself, or should not hear of it: a user's instructions to
/// one agent are not meant for others.
fn loads(agent: &str, file: &str, about: &str, has_claude: bool) -> bool {
    if about == "your instructions" {
        return true;
    }
    let name = file.rsplit('/').next().unwrap_or(file);
    let own: &[&str] = match name {
        "AGENTS.md" | "AGENTS.override.md" => {
            if agent == "claude-code" {
                return !has_claude;
            }
            &["codex", "opencode", "pi", "copilot", "cursor", "goose"]
        }
        "CLAUDE.md" | "CLAUDE.local.md" => &["claude-code", "opencode", "copilot"],
        "GEMINI.md" => &["gemini", "copilot"],
        "copilot-instructions.md" => &["copilot"],
        ".cursorrules" => &["cursor"],
        ".goosehints" => &["goose"],
        _ if file.starts_with(".cursor/") => &["cursor"],
        _ if file.starts_with(".claude/") || about == "memory of claude-code" => &["claude-code"],
        _ if file.starts_with(".github/") => &["copilot"],
        _ => &[],
    };
    own.contains(&agent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_hears_nothing_that_it_loads_by_itself() {
        let check = |agent: &str, file: &str, about: &str, has_claude: bool, expected: bool| {
            assert_eq!(loads(agent, file, about, has_claude), expected, "{agent} {file}");
        };
        check("codex", "AGENTS.md", "instructions", true, true);
        check("codex", "web/AGENTS.md", "instructions", true, true);
        check("codex", "CLAUDE.md", "instructions", true, false);
        check("claude-code", "AGENTS.md", "instructions", true, false);
        check("claude-code", "AGENTS.md", "instructions", false, true);
        check("claude-code", ".claude/rules/style.md", "rules", true, true);
        check("gemini", "AGENTS.md", "instructions", false, false);
        check("cursor", ".cursor/rules/a.mdc", "rules", false, true);
        check("claude-code", ".cursor/rules/a.mdc", "rules", true, false);
        check("codex", "docs/adr/0003-queue.md", "decision record", true, false);
        check("gemini", "/home/ada/.claude/CLAUDE.md", "your instructions", true, true);
    }
}
