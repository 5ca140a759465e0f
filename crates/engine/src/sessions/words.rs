//! What was said in past sessions: where a word stands, and all of it to be read.

use std::path::Path;

use lore_capture::Keep;
use lore_core::session::{Author, Branch, Outcome, Session, Turn};
use lore_core::{SessionId, text};
use serde::Serialize;

use super::{Archive, OnProgress, SessionFilter};
use crate::Error;

/// A place in a session where the words stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quote {
    /// The session.
    pub session: SessionId,
    /// The agent.
    pub agent: String,
    /// The record.
    pub line: u32,
    /// Whose words.
    pub author: Author,
    /// The line of text with the words.
    pub text: String,
}

impl Archive {
    /// Finds words in what people and agents said, ignoring case.
    pub fn search(
        &self,
        filter: &SessionFilter,
        words: &str,
        progress: OnProgress<'_>,
    ) -> Result<Vec<Quote>, Error> {
        let wanted = words.to_lowercase();
        let found = |mut session: Session, _: &Path| {
            self.excluded.strip(&mut session);
            let quotes =
                session.turns.iter().flat_map(|turn| quotes(&session, turn, &wanted)).collect::<Vec<_>>();
            (!quotes.is_empty()).then_some((session.started, quotes))
        };
        let (mut found, _) = self.each(filter, Keep::Conversation, progress, found)?;
        found.sort_by_key(|(started, _)| std::cmp::Reverse(*started));
        Ok(found.into_iter().flat_map(|(_, quotes)| quotes).collect())
    }
}

fn quotes(session: &Session, turn: &Turn, wanted: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    for block in &turn.blocks {
        let lines = block.text.lines().filter(|line| line.to_lowercase().contains(wanted));
        quotes.extend(lines.map(|line| Quote {
            session: session.id.clone(),
            agent: session.agent.clone(),
            line: block.line,
            author: turn.author,
            text: line.trim().to_owned(),
        }));
    }
    quotes
}

/// Of a command so many signs are shown.
const COMMAND: usize = 60;

/// Returns the beginning of a command, with a mark where it goes on.
fn in_a_line(command: &str) -> String {
    let whole = command.trim();
    let line = whole.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(COMMAND).collect();
    if shown.len() < whole.len() {
        shown.push('…');
    }
    shown
}

/// Renders a session as a readable conversation.
pub fn transcript(session: &Session) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for turn in &session.turns {
        let who = match turn.author {
            Author::Person => "person",
            Author::Agent => "agent",
            Author::Tool => "tool",
            Author::System => "system",
        };
        let at = turn.at.map(|at| format!("  {}", at.strftime("%Y-%m-%d %H:%M"))).unwrap_or_default();
        let given_up = if turn.branch == Branch::Abandoned { "  (given up)" } else { "" };
        let channel =
            serde_json::to_value(turn.channel).ok().and_then(|value| value.as_str().map(str::to_owned));
        let _ =
            writeln!(out, "── {who}, {}{at}  line {}{given_up}", channel.unwrap_or_default(), turn.line());
        for block in &turn.blocks {
            let _ = writeln!(out, "{}", text::clean(&block.text).trim_end());
        }
        for call in &turn.tool_calls {
            let what = call.command.clone().or_else(|| call.files.first().map(|touch| touch.path.clone()));
            let what = in_a_line(&what.unwrap_or_default());
            let outcome = match call.outcome {
                Outcome::Done => "",
                Outcome::Failed => "  failed",
                Outcome::Rejected => "  refused",
                Outcome::Interrupted => "  stopped",
                Outcome::Unknown => "  (no result)",
            };
            let _ = writeln!(out, "  · {} {what}{outcome}", call.name);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_goes_on_is_marked() {
        let check = |command: &str, expected: &str| assert_eq!(in_a_line(command), expected);
        check("ls pier", "ls pier");
        check("ls pier\n", "ls pier");
        check("cd pier\nls", "cd pier…");
        check(&"a".repeat(60), &"a".repeat(60));
        check(&"a".repeat(61), &format!("{}…", "a".repeat(60)));
        check("", "");
    }
}
