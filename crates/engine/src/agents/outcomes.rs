//! Pieces of work as sessions show them: this machine's own, one line each, bounded.
//!
//! They say when somebody worked, with what, and how it went, so they stay beside the base and never in it.

use lore_distill::sense::Stretch;
use lore_distill::sense::history::{PastCommit, taken_back};
use lore_store::derived::Derived;
use serde::{Deserialize, Serialize};

use crate::Error;

const FILE: &str = "signals/outcomes.jsonl";
/// So many pieces of work are remembered, the newest.
const MOST: usize = 5000;

/// A piece of work and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkedPiece {
    pub(crate) agent: String,
    pub(crate) session: String,
    #[serde(flatten)]
    pub(crate) stretch: Stretch,
}

/// All pieces of work that are remembered.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    pub(crate) pieces: Vec<WorkedPiece>,
}

impl Outcomes {
    /// Reads them; a line that cannot be read is left out.
    pub(crate) fn load(derived: &Derived) -> Outcomes {
        let text = std::fs::read_to_string(derived.folder().join(FILE)).unwrap_or_default();
        Outcomes { pieces: text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect() }
    }

    pub(crate) fn save(&mut self, derived: &Derived) -> Result<(), Error> {
        self.pieces.sort_by(|a, b| {
            (a.stretch.at, &a.session, a.stretch.line).cmp(&(b.stretch.at, &b.session, b.stretch.line))
        });
        let surplus = self.pieces.len().saturating_sub(MOST);
        self.pieces.drain(..surplus);
        if self.pieces.is_empty() && !derived.folder().join(FILE).exists() {
            return Ok(());
        }
        let lines = self.pieces.iter().filter_map(|piece| serde_json::to_string(piece).ok());
        let text: String = lines.map(|line| line + "\n").collect();
        Ok(derived.write_text(FILE, &text)?)
    }

    /// Puts what a session shows now in place of what it showed before, so that nothing counts twice.
    pub(crate) fn replace(&mut self, agent: &str, session: &str, stretches: Vec<Stretch>) {
        let is_of = |piece: &WorkedPiece| piece.agent == agent && piece.session == session;
        let before: Vec<WorkedPiece> = self.pieces.extract_if(.., |piece| is_of(piece)).collect();
        let (agent, session) = (agent.to_owned(), session.to_owned());
        self.pieces.extend(stretches.into_iter().map(|mut stretch| {
            // What history took back stays taken back.
            stretch.reverted |=
                before.iter().any(|known| known.stretch.line == stretch.line && known.stretch.reverted);
            WorkedPiece { agent: agent.clone(), session: session.clone(), stretch }
        }));
    }

    /// Marks the pieces whose commits were taken back since.
    pub(crate) fn settle(&mut self, commits: &[PastCommit]) {
        let gone = taken_back(commits);
        let is_gone =
            |id: &String| gone.iter().any(|one| one.starts_with(id.as_str()) || id.starts_with(one.as_str()));
        for piece in self.pieces.iter_mut().filter(|piece| piece.stretch.commits.iter().any(is_gone)) {
            piece.stretch.reverted = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(line: u32, commit: &str) -> Stretch {
        Stretch { line, committed: true, commits: vec![commit.to_owned()], ..Stretch::default() }
    }

    #[test]
    fn a_session_that_grew_counts_once_and_what_was_taken_back_stays_so() {
        let mut outcomes = Outcomes::default();
        outcomes.replace("a", "s", vec![stretch(3, "1111111")]);
        outcomes.replace("a", "other", vec![stretch(3, "2222222")]);
        let revert = PastCommit {
            id: "f".to_owned(),
            at: None,
            subject: "Revert \"x\"\n\nThis reverts commit 1111111aaaa.".to_owned(),
            files: Vec::new(),
        };
        outcomes.settle(&[revert]);
        outcomes.replace("a", "s", vec![stretch(3, "1111111"), stretch(9, "3333333")]);
        let told: Vec<(&str, u32, bool)> = outcomes
            .pieces
            .iter()
            .map(|piece| (piece.session.as_str(), piece.stretch.line, piece.stretch.reverted))
            .collect();
        assert_eq!(told, [("other", 3, false), ("s", 3, true), ("s", 9, false)]);
    }
}
