//! Passages of past sessions: the level of memory below curated entries.

use jiff::Timestamp;
use lore_core::session::{Author, Channel, Session, Turn};
use lore_core::{SessionId, Voice};
use serde::{Deserialize, Serialize};

/// A few sentences that somebody said in a session: uncurated, redacted, with their place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The session it was said in.
    pub session: SessionId,
    /// The agent whose session it was.
    pub agent: String,
    /// The project, where it is known.
    pub project: Option<String>,
    /// 1-based record of the transcript.
    pub line: u32,
    /// Counts the passages of the session from 0, in the order they were said.
    pub sequence: u32,
    /// Whose words they are.
    pub voice: Voice,
    /// When it was said.
    pub at: Option<Timestamp>,
    /// Files that were touched beside it.
    pub files: Vec<String>,
    /// The words.
    pub text: String,
}

impl Passage {
    /// Says where it stands, in the form in which entries cite it.
    pub fn source(&self) -> String {
        format!("session://{}/{}#L{}", self.agent, self.session, self.line)
    }
}

/// A passage grows up to about this many characters, if its paragraphs let it.
const WANTED: usize = 600;
/// So many passages before and after one belong to its surroundings.
const AROUND: usize = 2;
/// So many words of each.
const OPENING: usize = 40;
/// Nothing longer stays in one piece.
const LONGEST: usize = 1500;

/// Splits the prose of people and agents in a session into passages.
pub fn passages(session: &Session, project: Option<&str>) -> Vec<Passage> {
    let mut out = Vec::new();
    for turn in session.turns.iter().filter(|turn| is_prose(turn)) {
        let files: Vec<String> =
            turn.tool_calls.iter().flat_map(|call| &call.files).map(|touch| touch.path.clone()).collect();
        // What a person only pasted is somebody else's, whoever that was.
        let voice = if turn.channel == Channel::Pasted { Voice::Tool } else { turn.voice() };
        for block in &turn.blocks {
            for text in split(&block.text) {
                out.push(Passage {
                    session: session.id.clone(),
                    agent: session.agent.clone(),
                    project: project.map(str::to_owned),
                    line: block.line,
                    sequence: u32::try_from(out.len()).unwrap_or(u32::MAX),
                    voice,
                    at: turn.at,
                    files: files.clone(),
                    text,
                });
            }
        }
    }
    out
}

/// Returns how the passages before and after one begin: an answer is found by its question.
pub(crate) fn surroundings(passages: &[Passage], at: usize) -> String {
    let first = at.saturating_sub(AROUND);
    let last = (at + AROUND).min(passages.len().saturating_sub(1));
    let mut out = String::new();
    for passage in (first..=last).filter(|other| *other != at).map(|other| &passages[other]) {
        for word in passage.text.split_whitespace().take(OPENING) {
            out.push_str(word);
            out.push(' ');
        }
        out.push('\n');
    }
    out
}

/// Tells whether somebody said it, rather than a tool or the harness.
fn is_prose(turn: &Turn) -> bool {
    matches!(turn.author, Author::Person | Author::Agent)
        && !matches!(
            turn.channel,
            Channel::Injected
                | Channel::CommandEcho
                | Channel::Notice
                | Channel::ToolOutput
                | Channel::Summary
        )
}

/// Splits a text at empty lines and joins short paragraphs again; what introduces a list stays with it.
fn split(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut current = String::new();
    for paragraph in paragraphs(text) {
        let opens = current.ends_with(':') || is_heading(current.rsplit('\n').next().unwrap_or_default());
        let fits = current.len() + paragraph.len() <= WANTED || (opens && paragraph.len() <= LONGEST);
        if !current.is_empty() && !fits {
            out.push(std::mem::take(&mut current));
        }
        if !current.is_empty() {
            current.push_str("\n\n");
        }
        current.push_str(paragraph);
    }
    if !current.is_empty() {
        out.push(current);
    }
    out
}

/// Yields paragraphs, none of them longer than the limit.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
        let mut rest = paragraph;
        while rest.len() > LONGEST {
            let mut limit = LONGEST;
            while !rest.is_char_boundary(limit) {
                limit -= 1;
            }
            let head = &rest[..limit];
            let cut = head
                .rfind('\n')
                .or_else(|| head.rfind(". ").map(|at| at + 1))
                .or_else(|| head.rfind(' '))
                .filter(|at| *at > LONGEST / 4)
                .unwrap_or(limit);
            out.push(rest[..cut].trim_end());
            rest = rest[cut..].trim_start();
        }
        if !rest.is_empty() {
            out.push(rest);
        }
    }
    out
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') || (line.starts_with("**") && line.ends_with("**"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_paragraphs_join_and_long_ones_part() {
        let long = "word ".repeat(700);
        assert_eq!(split("One.\n\nTwo.").len(), 1);
        assert!(split(&long).iter().all(|passage| passage.len() <= LONGEST));
        let list = format!("{}\n\nWe chose these:\n\n- one\n- two", "x".repeat(590));
        assert_eq!(split(&list)[1], "We chose these:\n\n- one\n- two");
    }

    #[test]
    fn only_people_and_agents_are_heard() {
        let session = Session {
            id: SessionId::new("s"),
            turns: vec![
                Turn::prose(Author::Person, Channel::Prompt, 1, "Use tabs."),
                Turn::prose(Author::System, Channel::Injected, 2, "Reminder."),
                Turn::prose(Author::Agent, Channel::Reply, 3, "Done."),
                Turn::prose(Author::Tool, Channel::ToolOutput, 4, "ok"),
            ],
            ..Session::default()
        };
        let found: Vec<(u32, u32, Voice)> =
            passages(&session, None).iter().map(|p| (p.sequence, p.line, p.voice)).collect();
        assert_eq!(found, [(0, 1, Voice::Person), (1, 3, Voice::Agent)]);
    }

    proptest! {
        #[test]
        fn no_word_is_lost(text in "[a-zé:\\-# .\n]{0,4000}") {
            let joined: String = split(&text).join(" ").split_whitespace().collect();
            let words: String = text.split_whitespace().collect();
            prop_assert_eq!(joined, words);
        }
    }
}
