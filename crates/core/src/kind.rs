//! The twelve kinds of entries, and everything that depends on the kind alone.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What sort of knowledge an entry holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A choice that was made, with its reasons.
    Decision,
    /// Something that is so.
    Fact,
    /// How a person wants things done.
    Preference,
    /// How parts of the system fit together.
    Architecture,
    /// What does not work or is not supported.
    Limitation,
    /// Something that happened on a day.
    Event,
    /// How an issue was solved.
    Resolution,
    /// A way of doing things that proved good or bad.
    Pattern,
    /// A finding of a review.
    Feedback,
    /// One observation of friction.
    Signal,
    /// A question answered by an experiment.
    Spike,
    /// What several signals taught.
    Lesson,
}

impl Kind {
    /// Lists all kinds in the order in which people are shown them.
    pub const ALL: [Kind; 12] = [
        Kind::Decision,
        Kind::Fact,
        Kind::Preference,
        Kind::Architecture,
        Kind::Limitation,
        Kind::Event,
        Kind::Resolution,
        Kind::Pattern,
        Kind::Feedback,
        Kind::Lesson,
        Kind::Spike,
        Kind::Signal,
    ];

    /// Returns what entries of the kind are called above a list of them.
    pub const fn heading(self) -> &'static str {
        match self {
            Kind::Decision => "Decisions",
            Kind::Fact => "Facts",
            Kind::Preference => "Preferences",
            Kind::Architecture => "Architecture",
            Kind::Limitation => "Limitations",
            Kind::Event => "Events",
            Kind::Resolution => "Resolutions",
            Kind::Pattern => "Patterns",
            Kind::Feedback => "Feedback",
            Kind::Signal => "Signals",
            Kind::Spike => "Spikes",
            Kind::Lesson => "Lessons",
        }
    }

    /// Names one entry of the kind within a sentence.
    pub const fn one(self) -> &'static str {
        match self {
            Kind::Decision => "a decision",
            Kind::Fact => "a fact",
            Kind::Preference => "a preference",
            Kind::Architecture => "architecture",
            Kind::Limitation => "a limitation",
            Kind::Event => "an event",
            Kind::Resolution => "a resolution",
            Kind::Pattern => "a pattern",
            Kind::Feedback => "feedback",
            Kind::Signal => "a signal",
            Kind::Spike => "a spike",
            Kind::Lesson => "a lesson",
        }
    }

    /// Returns the word used in front matter and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Decision => "decision",
            Kind::Fact => "fact",
            Kind::Preference => "preference",
            Kind::Architecture => "architecture",
            Kind::Limitation => "limitation",
            Kind::Event => "event",
            Kind::Resolution => "resolution",
            Kind::Pattern => "pattern",
            Kind::Feedback => "feedback",
            Kind::Signal => "signal",
            Kind::Spike => "spike",
            Kind::Lesson => "lesson",
        }
    }

    /// Returns the three letters that open an id of this kind.
    pub const fn prefix(self) -> &'static str {
        match self {
            Kind::Decision => "dec",
            Kind::Fact => "fac",
            Kind::Preference => "prf",
            Kind::Architecture => "arc",
            Kind::Limitation => "lim",
            Kind::Event => "evt",
            Kind::Resolution => "res",
            Kind::Pattern => "pat",
            Kind::Feedback => "fbk",
            Kind::Signal => "sig",
            Kind::Spike => "spk",
            Kind::Lesson => "les",
        }
    }

    /// Returns the topic, which is also the name of the top folder.
    pub const fn topic(self) -> &'static str {
        match self {
            Kind::Decision => "decisions",
            Kind::Fact | Kind::Limitation => "project",
            Kind::Preference => "preferences",
            Kind::Architecture => "architecture",
            Kind::Event => "history",
            Kind::Resolution => "resolutions",
            Kind::Pattern => "patterns",
            Kind::Feedback => "feedback",
            Kind::Signal => "signals",
            Kind::Spike => "spikes",
            Kind::Lesson => "lessons",
        }
    }

    /// Finds the kind whose ids start with these three letters.
    pub fn from_prefix(prefix: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.prefix() == prefix)
    }
}

/// The word is none of the twelve kinds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a kind of entry")]
pub struct UnknownKind(pub String);

impl FromStr for Kind {
    type Err = UnknownKind;

    /// Accepts the word in any case, its plural, the id prefix, and the names other tools use.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        let found = Kind::ALL.into_iter().find(|kind| {
            lower == kind.word() || lower == kind.prefix() || lower.strip_suffix('s') == Some(kind.word())
        });
        found
            .or(match lower.as_str() {
                "anti-pattern" | "antipattern" => Some(Kind::Pattern),
                "adr" => Some(Kind::Decision),
                "constraint" | "known-issue" => Some(Kind::Limitation),
                _ => None,
            })
            .ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_prefixes_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.word().parse(), Ok(kind));
            assert_eq!(kind.prefix().parse(), Ok(kind));
            assert_eq!(Kind::from_prefix(kind.prefix()), Some(kind));
        }
        assert_eq!("Decisions".parse(), Ok(Kind::Decision));
        assert!("thing".parse::<Kind>().is_err());
    }
}
