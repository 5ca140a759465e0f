//! Where an error becomes a sentence, hints and an exit code.

use std::fmt;
use std::process::ExitCode;

use lore_engine::{Blame, Engine, Error};

use crate::ui::Ui;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Done.
    Done,
    /// The honest answer is "no".
    No,
    /// Wrong use or configuration.
    Usage,
    /// The environment failed.
    Environment,
    /// Our bug.
    Bug,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> ExitCode {
        ExitCode::from(match code {
            Code::Done => 0,
            Code::No => 1,
            Code::Usage => 2,
            Code::Environment => 3,
            Code::Bug => 101,
        })
    }
}

/// A command that could not be carried out.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    sentence: String,
    causes: Vec<String>,
    hints: Vec<String>,
    /// The name under which no entry is known here.
    unknown: Option<String>,
}

impl Failure {
    /// Makes a failure of wrong use, with what would be right.
    pub(crate) fn usage(sentence: impl Into<String>, hint: impl Into<String>) -> Failure {
        let (sentence, hints) = (sentence.into(), vec![hint.into()]);
        Failure { code: Code::Usage, sentence, causes: Vec::new(), hints, unknown: None }
    }

    /// Makes a failure of something outside.
    pub(crate) fn environment(sentence: impl Into<String>, source: &dyn std::error::Error) -> Failure {
        let mut causes = vec![source.to_string()];
        causes.extend(chain(source));
        let hints = Vec::new();
        Failure { code: Code::Environment, sentence: sentence.into(), causes, hints, unknown: None }
    }

    /// Adds something the reader can do now.
    #[must_use]
    pub(crate) fn and_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hints.push(hint.into());
        self
    }

    /// Says where an entry is that is not known here: ids that a question brought up may be of the user's own base, or of
    /// another project.
    #[must_use]
    pub(crate) fn or_elsewhere(mut self, open: &dyn Fn() -> Result<Engine, Failure>) -> Failure {
        let found = |name: &str| open().ok()?.held_elsewhere(name);
        if let Some(hint) = self.unknown.as_deref().and_then(found) {
            self.hints = vec![hint];
        }
        self
    }

    /// Returns how the program ends by it.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// Returns it as `lore.error/1`.
    pub(crate) fn as_json(&self) -> serde_json::Value {
        let error =
            serde_json::json!({ "message": self.sentence, "causes": self.causes, "hints": self.hints });
        serde_json::json!({ "schema": "lore.error/1", "error": error })
    }

    /// Tells the user and returns the exit code.
    pub(crate) fn report(&self, ui: &Ui) -> Code {
        ui.error(&self.sentence, &self.causes, &self.hints);
        self.code
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let code = match error.blame() {
            // What was asked for is done; that it is committed too is not so.
            _ if matches!(error, Error::NotCommitted(_)) => Code::No,
            Blame::User => Code::Usage,
            Blame::Environment => Code::Environment,
            Blame::Bug => Code::Bug,
        };
        let unknown = error.unknown_entry().map(str::to_owned);
        Failure { code, sentence: error.to_string(), causes: chain(&error), hints: error.hints(), unknown }
    }
}

fn chain(error: &dyn std::error::Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes
}
