//! What was odd about something we read: code, sentence, hint, place.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing; nothing has to be done.
    Note,
    /// Read, but not as its author meant it.
    Warning,
    /// Part of it could not be read.
    Error,
}

/// Where in which file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Place {
    /// Path as the reader was given it, with `/` between parts.
    pub file: String,
    /// Line, counted from one.
    pub line: Option<u32>,
}

/// One finding. Reading returns these beside what was readable; it never fails on content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Where it was found.
    pub place: Place,
    /// How much it matters.
    pub level: Level,
    /// Short stable name, such as `yaml-backtick`.
    pub code: String,
    /// What is the matter: lower case, no final period, values in backticks.
    pub message: String,
    /// A command or an edit that the reader can do now.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// Makes a finding without a line and without a hint.
    pub fn new(level: Level, code: &str, file: impl Into<String>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            place: Place { file: file.into(), line: None },
            level,
            code: code.to_owned(),
            message: message.into(),
            hint: None,
        }
    }

    /// Adds the line.
    #[must_use]
    pub fn at_line(mut self, line: u32) -> Diagnostic {
        self.place.line = Some(line);
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " (hint: {hint})"),
            None => Ok(()),
        }
    }
}
