//! Who said it, where and when.

use serde::{Deserialize, Serialize};

use crate::{Moment, SessionId};

/// Whose words a statement rests on. These stay distinguishable for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// A page from the web.
    Web,
    /// The output of a tool.
    Tool,
    /// A coding agent.
    Agent,
    /// A person.
    Person,
}

impl Voice {
    /// Returns the word used in front matter.
    pub const fn word(self) -> &'static str {
        match self {
            Voice::Web => "web",
            Voice::Tool => "tool",
            Voice::Agent => "agent",
            Voice::Person => "person",
        }
    }

    /// Reads the word used in front matter.
    pub fn from_word(word: &str) -> Option<Voice> {
        [Voice::Web, Voice::Tool, Voice::Agent, Voice::Person].into_iter().find(|voice| voice.word() == word)
    }
}

/// How far an entry can be relied on: the least trusted voice among its sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trust(pub Voice);

impl Trust {
    /// Returns the lowest trust among the sources, or nothing where there are none.
    pub fn of(sources: &[Source]) -> Option<Trust> {
        sources.iter().map(|source| source.voice).min().map(Trust)
    }
}

/// One piece of evidence for an entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// Footnote key inside the entry, such as `s1`.
    pub id: Option<String>,
    /// Where it can be found: `session://<agent>/<id>#L<line>`, a URL, or a path in the repository.
    pub resource: String,
    /// Whose words they were.
    pub voice: Voice,
    /// What to call it when it is shown.
    pub title: Option<String>,
    /// The session it was said in.
    pub session: Option<SessionId>,
    /// Line numbers (1-based records) in the session's transcript.
    pub lines: Vec<u32>,
    /// The issue it belongs to.
    pub issue: Option<String>,
    /// The commit that carried it out.
    pub commit: Option<String>,
    /// When it was said.
    pub at: Option<Moment>,
}

impl Source {
    /// Makes a source with only a place and a voice.
    pub fn new(resource: impl Into<String>, voice: Voice) -> Source {
        Source {
            id: None,
            resource: resource.into(),
            voice,
            title: None,
            session: None,
            lines: Vec::new(),
            issue: None,
            commit: None,
            at: None,
        }
    }

    /// Makes the source for one line of a session.
    pub fn session_line(agent: &str, session: &SessionId, line: u32, voice: Voice) -> Source {
        Source {
            session: Some(session.clone()),
            lines: vec![line],
            ..Source::new(format!("session://{agent}/{session}#L{line}"), voice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_the_lowest_of_the_sources() {
        let source = |voice| Source::new("x", voice);
        assert_eq!(Trust::of(&[]), None);
        let mixed = [source(Voice::Person), source(Voice::Tool), source(Voice::Agent)];
        assert_eq!(Trust::of(&mixed), Some(Trust(Voice::Tool)));
    }
}
