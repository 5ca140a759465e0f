//! What was said and at once dismissed by whoever said it, or heard it: "that's Ada's idea, ignore it"; and what a person
//! put off or refused.

use std::collections::HashMap;

use lore_core::{SessionId, Voice};

use crate::passage::Passage;
use crate::reader::{SearchError, Snapshot};
use crate::snippet::sentences;
use crate::undecided::{defers, orders_about_a_text, refuses};

/// So many turns of people after something was said may dismiss it.
const TURNS: usize = 2;
/// Verbs of whoever wants something to count for nothing.
const DISMISSING: [&str; 11] = [
    "ignore",
    "disregard",
    "forget",
    "forget about",
    "scrap",
    "drop",
    "skip",
    "never mind",
    "nevermind",
    "vergiss",
    "ignorier",
];
/// What stands for what was just said.
const POINTING: [&str; 8] = ["it", "that", "this", "them", "all that", "all this", "das", "es"];
/// A sentence that answers its own question in the negative begins with one of these.
const DENYING: [&str; 6] = ["nah", "no", "nope", "nein", "nö", "non"];

/// Tells whether a text says that what it tells, or what was said right before it, is to count for nothing.
pub(crate) fn dismisses(text: &str) -> bool {
    let sentences = sentences(text);
    let denies = |at: usize| {
        at > 0 && sentences[at - 1].trim_end().ends_with('?') && {
            let first = sentences[at].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            DENYING.iter().any(|word| first.eq_ignore_ascii_case(word))
        }
    };
    (0..sentences.len()).any(|at| denies(at) || clauses(sentences[at]).any(|clause| is_dismissal(&clause)))
}

/// "Ignore it", "just forget that please": nothing but the verb and what stands for what was said.
fn is_dismissal(clause: &str) -> bool {
    let aside =
        ["please", "just", "so", "and", "better", "bitte", "einfach", "for", "now", "then", "you", "can"];
    let words: Vec<&str> = clause.split(' ').filter(|word| !aside.contains(word)).collect();
    let words = words.join(" ");
    let whole = |verb: &&str| {
        let rest = words.strip_prefix(*verb).map(str::trim);
        rest.is_some_and(|rest| POINTING.contains(&rest) || rest.is_empty() && verb.contains(['v', ' ']))
    };
    DISMISSING.iter().any(whole) && words.split(' ').count() > usize::from(!words.starts_with("never"))
}

/// Lists the clauses of a sentence in lower case, without marks.
fn clauses(sentence: &str) -> impl Iterator<Item = String> {
    let lower = sentence.to_lowercase().replace('’', "'");
    let parts: Vec<String> = lower
        .split([',', ';', ':', '–', '—', '.', '!'])
        .map(|part| {
            let words =
                part.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    parts.into_iter()
}

/// What people said in sessions, as it bears on what was said before, by session.
#[derive(Default)]
pub(crate) struct Dismissals {
    sessions: HashMap<String, Vec<Turn>>,
}

/// What a person said on a line.
struct Turn {
    line: u32,
    dismisses: bool,
    defers: bool,
    refuses: bool,
    /// Whether it opens with an order about a text that follows.
    shows: bool,
}

/// What a person made of what an agent said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Nothing, or something else.
    Open,
    /// It was put off.
    Deferred,
    /// It was refused.
    Refused,
}

impl Dismissals {
    /// Tells whether what was said on a line of a session was dismissed by one of the next turns of a person, or there.
    pub(crate) fn has(
        &mut self,
        snapshot: &Snapshot<'_>,
        session: &str,
        line: u32,
    ) -> Result<bool, SearchError> {
        let turns = self.turns(snapshot, session)?;
        let own = turns.iter().any(|turn| turn.line == line && turn.dismisses);
        Ok(own || turns.iter().filter(|turn| turn.line > line).take(TURNS).any(|turn| turn.dismisses))
    }

    /// Says what the next message of a person made of what an agent said on a line.
    pub(crate) fn reply(
        &mut self,
        snapshot: &Snapshot<'_>,
        session: &str,
        line: u32,
    ) -> Result<Reply, SearchError> {
        let next = self.turns(snapshot, session)?.iter().find(|turn| turn.line > line);
        Ok(match next {
            Some(turn) if turn.defers => Reply::Deferred,
            Some(turn) if turn.refuses => Reply::Refused,
            _ => Reply::Open,
        })
    }

    /// Tells whether the message of a person on a line opens with an order about a text: the rest may be that text.
    pub(crate) fn shows_a_text(
        &mut self,
        snapshot: &Snapshot<'_>,
        session: &str,
        line: u32,
    ) -> Result<bool, SearchError> {
        Ok(self.turns(snapshot, session)?.iter().any(|turn| turn.line == line && turn.shows))
    }

    fn turns(&mut self, snapshot: &Snapshot<'_>, session: &str) -> Result<&[Turn], SearchError> {
        if !self.sessions.contains_key(session) {
            let id = SessionId::new(session);
            let said = snapshot.said_in(session)?;
            let persons =
                said.iter().filter(|passage| passage.session == id && passage.voice == Voice::Person);
            self.sessions.insert(session.to_owned(), turns(persons));
        }
        Ok(self.sessions.get(session).map_or(&[][..], Vec::as_slice))
    }
}

fn turns<'p>(passages: impl Iterator<Item = &'p Passage>) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for passage in passages {
        let text = passage.text.as_str();
        match turns.last_mut().filter(|turn| turn.line == passage.line) {
            Some(turn) => turn.dismisses |= dismisses(text),
            // How a message begins says what the whole of it is.
            None => turns.push(Turn {
                line: passage.line,
                dismisses: dismisses(text),
                defers: defers(text),
                refuses: refuses(text),
                shows: orders_about_a_text(text),
            }),
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_count_for_nothing_is_told_from_what_names_its_object() {
        let check = |text: &str, expected: bool| assert_eq!(dismisses(text), expected, "{text}");
        check("The red sail is Ada's private idea, ignore it.", true);
        check("Hm, forget that please!", true);
        check("never mind", true);
        check("Also paint the hull from now on? nah, varnish is fine", true);
        check("Vergiss das bitte.", true);
        check("Ignore the barometer in fog.", false);
        check("Never mind the gap at the pier.", false);
        check("Forget the old chart, it shows the wrong depth.", false);
        check("Do we paint the hull? We varnish it.", false);
        check("Don't forget it is high tide.", false);
        check("No paint on the hull.", false);
    }
}
