//! Three-valued answers with their evidence.

use serde::{Deserialize, Serialize};

/// Whether a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// It does.
    Holds,
    /// It does not.
    Broken,
    /// Nothing here says so, either way.
    CannotTell,
}

/// An answer, why it is given, and which files it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The answer.
    pub truth: Truth,
    /// What was found where, one line each.
    pub evidence: Vec<String>,
    /// Files that were looked at, relative to the project; a change in one can change the answer.
    pub files: Vec<String>,
}

impl Verdict {
    /// Makes an answer out of one file.
    pub(crate) fn from_file(truth: Truth, file: &str, evidence: impl Into<String>) -> Verdict {
        Verdict { truth, evidence: vec![evidence.into()], files: vec![file.to_owned()] }
    }

    /// Makes an answer that rests on no file.
    pub(crate) fn plain(truth: Truth, evidence: impl Into<String>) -> Verdict {
        Verdict { truth, evidence: vec![evidence.into()], files: Vec::new() }
    }

    /// Turns the answer round.
    pub(crate) fn negated(mut self) -> Verdict {
        self.truth = match self.truth {
            Truth::Holds => Truth::Broken,
            Truth::Broken => Truth::Holds,
            Truth::CannotTell => Truth::CannotTell,
        };
        self
    }

    /// Joins answers that must all hold: one broken breaks all, one unknown leaves it open.
    pub(crate) fn all(parts: Vec<Verdict>) -> Verdict {
        Verdict::joined(&parts, Truth::Broken, Truth::Holds)
    }

    /// Joins answers of which one is enough.
    pub(crate) fn any(parts: Vec<Verdict>) -> Verdict {
        Verdict::joined(&parts, Truth::Holds, Truth::Broken)
    }

    fn joined(parts: &[Verdict], decides: Truth, otherwise: Truth) -> Verdict {
        let decided = parts.iter().any(|part| part.truth == decides);
        let open = parts.iter().any(|part| part.truth == Truth::CannotTell);
        let truth = match (decided, open) {
            (true, _) => decides,
            (false, true) => Truth::CannotTell,
            (false, false) => otherwise,
        };
        let mut files: Vec<String> = parts.iter().flat_map(|part| part.files.clone()).collect();
        files.sort();
        files.dedup();
        let telling = |part: &&Verdict| !decided || part.truth == decides;
        let evidence = parts.iter().filter(telling).flat_map(|part| part.evidence.clone()).collect();
        Verdict { truth, evidence, files }
    }
}
