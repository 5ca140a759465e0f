//! One statement that may be worth keeping, with what speaks for it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Confidence, Kind, Moment, SessionId, Source, Voice};

/// The weight from which a candidate becomes an entry; lighter ones wait in the queue.
pub const ENTRY_BAR: f64 = 0.5;

/// A statement found in a session, before anything is decided about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// A title as a person would write it, at most ten words.
    pub title: String,
    /// One to three sentences that can be understood on their own.
    pub text: String,
    /// How explicitly it was said.
    pub confidence: Confidence,
    /// Subject words.
    pub keywords: Vec<String>,
    /// Files of the repository it is about.
    pub files: Vec<String>,
    /// The issue it belongs to, without `#`.
    pub issue: Option<String>,
    /// The words it rests on; the first is the one it was found in.
    pub evidence: Vec<Evidence>,
    /// How much speaks for keeping it, between 0 and 1; see [`ENTRY_BAR`].
    pub weight: f64,
    /// What the weight is made of, for explaining.
    pub features: Vec<(String, f64)>,
    /// When it was said.
    pub at: Option<Timestamp>,
    /// By which route it was found.
    #[serde(default)]
    pub route: Route,
    /// What shows that it was carried out.
    #[serde(default)]
    pub backing: Backing,
}

/// What shows that a statement was carried out, and not only said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backing {
    /// Nothing.
    #[default]
    Words,
    /// It was told after the work was done, a commit followed, or a person agreed.
    Work,
    /// It stands in a commit message.
    Commit,
}

/// By which route a candidate was found, which decides what it has to show for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    /// It was judged worth keeping among much else.
    #[default]
    Statement,
    /// A person laid it down; it is kept in their words.
    Ruling,
    /// A person said it in passing; it is kept in their words while the base is young.
    Remark,
    /// An agent tells that it chose it.
    Choice,
    /// A person said it for the work at hand; it counts only where it plainly ends what is known.
    Order,
}

/// A passage of a session, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Evidence {
    /// The session it stands in.
    pub session: SessionId,
    /// The agent the session belongs to.
    pub agent: String,
    /// 1-based record of the transcript.
    pub line: u32,
    /// The words as they stand there, redacted.
    pub quote: String,
    /// Whose words they are.
    pub voice: Voice,
    /// When they were said.
    pub at: Option<Timestamp>,
}

impl Candidate {
    /// Makes the candidate that says no more and no less than the words it rests on.
    pub fn resting_on(evidence: Evidence, kind: Kind) -> Candidate {
        Candidate {
            kind,
            title: evidence.quote.clone(),
            text: evidence.quote.clone(),
            confidence: Confidence::Medium,
            keywords: Vec::new(),
            files: Vec::new(),
            issue: None,
            at: evidence.at,
            evidence: vec![evidence],
            weight: 1.0,
            features: Vec::new(),
            route: Route::Statement,
            backing: Backing::Words,
        }
    }

    /// Tells whether it weighs enough to become an entry.
    pub fn is_entry(&self) -> bool {
        self.weight >= ENTRY_BAR
    }

    /// Returns the most trusted voice among the evidence; an agent's where there is none.
    pub fn voice(&self) -> Voice {
        self.evidence.iter().map(|evidence| evidence.voice).max().unwrap_or(Voice::Agent)
    }

    /// Returns when it was said: its own time, else the earliest of its evidence.
    pub fn said_at(&self) -> Option<Timestamp> {
        self.at.or_else(|| self.evidence.iter().filter_map(|evidence| evidence.at).min())
    }
}

impl Evidence {
    /// Makes the source that an entry cites for this passage.
    pub fn source(&self, issue: Option<&str>) -> Source {
        Source {
            issue: issue.map(str::to_owned),
            at: self.at.map(Moment::Instant),
            ..Source::session_line(&self.agent, &self.session, self.line, self.voice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(voice: Voice, at: &str) -> Evidence {
        Evidence {
            session: SessionId::new("s-1"),
            agent: "agent".to_owned(),
            line: 7,
            quote: "keep it".to_owned(),
            voice,
            at: at.parse().ok(),
        }
    }

    #[test]
    fn a_source_points_at_the_record() {
        let source = evidence(Voice::Person, "2026-01-02T03:04:05Z").source(Some("12"));
        assert_eq!(source.resource, "session://agent/s-1#L7");
        assert_eq!(source.issue.as_deref(), Some("12"));
        assert_eq!(source.at.map(|at| at.to_string()).as_deref(), Some("2026-01-02T03:04:05Z"));
    }

    #[test]
    fn the_most_trusted_voice_and_the_earliest_time_count() {
        let candidate = Candidate {
            kind: Kind::Fact,
            title: String::new(),
            text: String::new(),
            confidence: Confidence::Low,
            keywords: Vec::new(),
            files: Vec::new(),
            issue: None,
            evidence: vec![
                evidence(Voice::Agent, "2026-01-03T00:00:00Z"),
                evidence(Voice::Person, "2026-01-02T00:00:00Z"),
            ],
            weight: 0.5,
            features: Vec::new(),
            at: None,
            route: Route::Statement,
            backing: Backing::Words,
        };
        assert_eq!(candidate.voice(), Voice::Person);
        assert_eq!(candidate.said_at(), "2026-01-02T00:00:00Z".parse().ok());
    }
}
