//! A session at a glance, for lists.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::SessionId;
use lore_core::session::{Author, Branch, Channel, FileAction, Outcome, Session};
use serde::Serialize;

/// Longest title made out of a prompt, in characters.
const TITLE: usize = 80;

/// What a list of sessions shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The agent's own id for it.
    pub id: SessionId,
    /// Short name of the agent.
    pub agent: String,
    /// Its title, else the beginning of the first prompt.
    pub title: String,
    /// The folder it worked in.
    pub directory: Option<String>,
    /// The git branch when it began.
    pub branch: Option<String>,
    /// The issue it belongs to.
    pub issue: Option<String>,
    /// The session that started it.
    pub parent: Option<SessionId>,
    /// When it began.
    pub started: Option<Timestamp>,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// Models that wrote in it.
    pub models: Vec<String>,
    /// Messages of people, wherever they stand.
    pub person_turns: usize,
    /// Messages of the agent.
    pub agent_turns: usize,
    /// Uses of tools.
    pub tool_calls: usize,
    /// Uses of tools that failed.
    pub failed_calls: usize,
    /// Uses of tools that a person refused.
    pub rejected_calls: usize,
    /// Turns of branches that were given up.
    pub abandoned_turns: usize,
    /// Files that were written, changed or removed.
    pub changed_files: Vec<String>,
    /// Values that were redacted.
    pub redactions: u32,
    /// How many oddities the file has.
    pub diagnostics: usize,
}

/// Sums up a session.
pub fn summarise(session: &Session) -> Summary {
    let turns = || session.turns.iter();
    let calls = || turns().flat_map(|turn| &turn.tool_calls);
    let ended = |outcome: Outcome| calls().filter(|call| call.outcome == outcome).count();
    let models: BTreeSet<&String> = turns().filter_map(|turn| turn.model.as_ref()).collect();
    let touched = calls().flat_map(|call| &call.files).filter(|touch| touch.action != FileAction::Read);
    let changed: BTreeSet<&String> = touched.map(|touch| &touch.path).collect();
    Summary {
        id: session.id.clone(),
        agent: session.agent.clone(),
        title: session.title.clone().unwrap_or_else(|| title_of(session)),
        directory: session.directory.clone(),
        branch: session.branch.clone(),
        issue: session.issue.clone(),
        parent: session.parent.clone(),
        started: session.started,
        ended: session.ended,
        models: models.into_iter().cloned().collect(),
        person_turns: turns().filter(|turn| turn.author == Author::Person).count(),
        agent_turns: turns().filter(|turn| turn.author == Author::Agent).count(),
        tool_calls: calls().count(),
        failed_calls: ended(Outcome::Failed),
        rejected_calls: ended(Outcome::Rejected),
        abandoned_turns: turns().filter(|turn| turn.branch == Branch::Abandoned).count(),
        changed_files: changed.into_iter().cloned().collect(),
        redactions: session.redactions,
        diagnostics: session.diagnostics.len(),
    }
}

/// Takes the first prompt of a person, else the first thing said.
fn title_of(session: &Session) -> String {
    let asked = session.turns.iter().find(|turn| {
        turn.author == Author::Person
            && (turn.channel.is_persons_words()
                || matches!(turn.channel, Channel::PastedPlan | Channel::Pasted))
    });
    let first = asked.or_else(|| session.turns.iter().find(|turn| !turn.blocks.is_empty()));
    let text = first.and_then(|turn| turn.blocks.first()).map_or("", |block| block.text.as_str());
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    if line.chars().count() <= TITLE {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE - 1).collect();
    format!("{}…", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use lore_core::session::Turn;

    use super::*;

    #[test]
    fn a_title_is_made_of_the_first_prompt() {
        let check = |turns: Vec<Turn>, expected: &str| {
            let session = Session { turns, ..Session::default() };
            assert_eq!(summarise(&session).title, expected);
        };
        check(Vec::new(), "");
        let injected = Turn::prose(Author::System, Channel::Injected, 1, "be kind");
        let prompt = Turn::prose(Author::Person, Channel::Prompt, 2, "\nmove the pier\nby a metre");
        check(vec![injected.clone()], "be kind");
        check(vec![injected, prompt], "move the pier");
        let long = Turn::prose(Author::Person, Channel::Prompt, 1, "word ".repeat(40));
        let session = Session { turns: vec![long], ..Session::default() };
        assert_eq!(summarise(&session).title.chars().count(), TITLE);
    }
}
