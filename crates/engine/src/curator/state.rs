//! How editing goes, in a few figures and one sentence.

use lore_core::text::counted;
use serde::Serialize;

use super::desk::Pause;
use crate::{Engine, Error};

/// From so many sessions on, a session that begins is told that they wait.
const ENOUGH: usize = 5;

/// How editing goes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Editing {
    /// Sessions that wait for an editor, as far as is known without opening any.
    pub waiting: usize,
    /// What they would cost, in tokens.
    pub tokens: usize,
    /// Sessions that an editor went through.
    pub edited: usize,
    /// Sessions whose packets could not be answered; rules alone read them.
    pub given_up: usize,
    /// Questions that wait for a person.
    pub questions: usize,
    /// Tokens that were spent today.
    pub spent_today: usize,
    /// Why nobody is asked for now.
    pub pause: Option<Pause>,
    /// The model that was found unfit.
    pub unfit: Option<String>,
}

impl Editing {
    /// Says what waits and what to do about it; nothing where nothing waits.
    pub fn line(&self) -> Option<String> {
        (self.waiting > 0).then(|| {
            format!(
                "{} for an editor, about {} tokens: `lore curate --with claude`, or /curate in your agent",
                counted(self.waiting, "session waits", "sessions wait"),
                grouped(self.tokens)
            )
        })
    }
}

impl Engine {
    /// Tells how editing goes, without opening a session.
    pub fn editing(&self) -> Editing {
        let (backlog, desk, now) = (self.known_backlog(), self.desk(), self.world.now);
        Editing {
            waiting: backlog.sessions.len(),
            tokens: backlog.cost().sent,
            edited: self.store.ledger().edited_sessions(),
            given_up: backlog.given_up,
            questions: self.edit_questions().len(),
            spent_today: desk.spent_on(now),
            pause: desk.paused(now).cloned(),
            unfit: desk.unfit().map(str::to_owned),
        }
    }

    /// Returns the line that a session is told at its beginning, at most once a day, where enough waits.
    pub(crate) fn tell_waiting(&self) -> Result<Option<String>, Error> {
        let desk = self.desk();
        if !desk.may_tell(self.world.now) {
            return Ok(None);
        }
        let backlog = self.known_backlog();
        if backlog.sessions.len() < ENOUGH {
            return Ok(None);
        }
        self.at_desk(|desk| desk.told(self.world.now))?;
        let wait = counted(backlog.sessions.len(), "session waits", "sessions wait");
        let tokens = grouped(backlog.cost().sent);
        Ok(Some(format!("{wait} to be curated (about {tokens} tokens): /curate")))
    }
}

/// Writes a number of tokens so that it can be read: rounded, with a gap between thousands.
pub fn grouped(tokens: usize) -> String {
    let rounded = if tokens >= 1_000 { tokens.div_ceil(500) * 500 } else { tokens };
    let (thousands, rest) = (rounded / 1_000, rounded % 1_000);
    if thousands == 0 { rest.to_string() } else { format!("{thousands} {rest:03}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_said_in_one_line() {
        let editing = Editing { waiting: 12, tokens: 23_800, ..Editing::default() };
        let line = editing.line().unwrap_or_default();
        assert!(line.starts_with("12 sessions wait for an editor, about 24 000 tokens: "), "{line}");
        assert_eq!(Editing::default().line(), None);
        assert_eq!(
            [grouped(0), grouped(420), grouped(1_001), grouped(150_000)],
            ["0", "420", "1 500", "150 000"]
        );
    }
}
