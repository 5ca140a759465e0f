//! Prompts that a program or a habit sends again and again.
//!
//! What opens the same way in several sessions of a project was written once and sent many times:
//! no person decides anything in it. One session cannot show that, so each leaves a [`Sketch`] of
//! its prompts, and all of them together tell.

use std::collections::HashMap;

use lore_core::hash;
use lore_core::session::{Author, Channel, Session, Telltale, Turn};
use serde::{Deserialize, Serialize};

/// In how many sessions the same opening makes a template.
const SESSIONS: usize = 3;

/// Words of a turn that are compared.
const WORDS: usize = 16;

/// Fewest words that are compared: people say `commit this` in every session and mean it.
const FEWEST: usize = 8;

/// Letters that count as a word where a language puts no spaces between them.
const LETTERS: usize = 3;

/// How a prompt begins, in a form that can be kept and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sketch {
    /// The record the prompt begins at.
    pub line: u32,
    /// Hash of its first words.
    pub opening: u64,
    /// Hash of what tells this prompt from one that was sent again: a session that was resumed or
    /// forked repeats the records of the one before.
    pub record: u64,
}

/// Sketches what a person seems to have typed in a session; short prompts leave nothing.
pub fn sketches(session: &Session) -> Vec<Sketch> {
    let typed = session.turns.iter().filter(|turn| is_typed(turn));
    typed.filter_map(|turn| sketch(session, turn)).collect()
}

fn is_typed(turn: &Turn) -> bool {
    turn.author == Author::Person && matches!(turn.channel, Channel::Prompt | Channel::Queued)
}

fn sketch(session: &Session, turn: &Turn) -> Option<Sketch> {
    let opening = opening(&turn.blocks.first()?.text)?;
    let line = turn.line();
    let record = match (&turn.native_id, turn.at) {
        (Some(id), _) => hash::key(&[id.as_bytes()]),
        (None, Some(at)) => hash::key(&[&at.as_nanosecond().to_le_bytes()]),
        (None, None) => hash::key(&[session.id.as_str().as_bytes(), &line.to_le_bytes()]),
    };
    Some(Sketch { line, opening, record })
}

/// Hashes the first words of a text; numbers, paths and names with digits count as equal.
fn opening(text: &str) -> Option<u64> {
    let mut words: Vec<String> = Vec::new();
    let mut weight = 0;
    for word in text.split_whitespace() {
        let letters: String =
            word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        if letters.is_empty() {
            continue;
        }
        let dense = letters.chars().filter(|c| !c.is_ascii()).count() / LETTERS;
        weight += dense.max(1);
        let is_name = word.contains(['/', '\\']) || letters.bytes().any(|byte| byte.is_ascii_digit());
        words.push(if is_name { "#".to_owned() } else { letters });
        if weight >= WORDS {
            break;
        }
    }
    (weight >= FEWEST).then(|| hash::key(&[words.join(" ").as_bytes()]))
}

/// What the sessions of a project showed so far.
#[derive(Debug, Clone, Default)]
pub struct Templates {
    /// Opening → the first records that had it, each of another session.
    seen: HashMap<u64, Vec<u64>>,
}

impl Templates {
    /// Takes in the sketches of one session; the order of sessions does not matter.
    pub fn learn(&mut self, sketches: &[Sketch]) {
        for (at, sketch) in sketches.iter().enumerate() {
            // Said twice within one session it is still one session.
            if sketches[..at].iter().any(|earlier| earlier.opening == sketch.opening) {
                continue;
            }
            let records = self.seen.entry(sketch.opening).or_default();
            if records.len() < SESSIONS && !records.contains(&sketch.record) {
                records.push(sketch.record);
            }
        }
    }

    /// Tells whether a prompt is a template.
    pub fn knows(&self, sketch: &Sketch) -> bool {
        self.seen.get(&sketch.opening).is_some_and(|records| records.len() >= SESSIONS)
    }

    /// Says of the prompts of a session that are templates what they are.
    pub fn mark(&self, session: &mut Session) {
        let found: Vec<u32> =
            sketches(session).iter().filter(|sketch| self.knows(sketch)).map(|sketch| sketch.line).collect();
        for turn in session.turns.iter_mut().filter(|turn| is_typed(turn)) {
            if found.contains(&turn.line()) {
                turn.channel = Channel::Pasted;
                turn.telltale = Some(Telltale::Template);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lore_core::SessionId;
    use lore_core::session::Branch;
    use proptest::prelude::*;

    use super::*;

    fn session(id: &str, prompts: &[&str]) -> Session {
        let turns = prompts.iter().zip(1..).map(|(text, line)| Turn {
            native_id: Some(format!("{id}-{line}")),
            branch: Branch::Live,
            ..Turn::prose(Author::Person, Channel::Prompt, line, *text)
        });
        Session { id: SessionId::new(id), turns: turns.collect(), ..Session::default() }
    }

    fn channels(sessions: &[Session]) -> Vec<Vec<Channel>> {
        let mut templates = Templates::default();
        sessions.iter().for_each(|session| templates.learn(&sketches(session)));
        let mark = |session: &Session| {
            let mut session = session.clone();
            templates.mark(&mut session);
            session.turns.iter().map(|turn| turn.channel).collect()
        };
        sessions.iter().map(mark).collect()
    }

    const ROUND: &str = "Walk round the harbour, look at every lamp, and write down which are out, pier";

    #[test]
    fn what_opens_three_sessions_alike_is_a_template() {
        use Channel::{Pasted, Prompt};
        let sent: Vec<Session> = (1..=3)
            .map(|n| {
                session(
                    &format!("s{n}"),
                    &[&format!("{ROUND} {n}."), "commit this", "no, only the north pier"],
                )
            })
            .collect();
        assert_eq!(channels(&sent), vec![vec![Pasted, Prompt, Prompt]; 3]);
        assert_eq!(channels(&sent[..2]), vec![vec![Prompt; 3]; 2], "two may be chance");
    }

    #[test]
    fn one_session_is_one_however_often_it_is_said_or_copied() {
        let repeated = session("s1", &[ROUND, ROUND, ROUND]);
        assert_eq!(channels(&[repeated]), vec![vec![Channel::Prompt; 3]]);
        // A session that goes on in another file repeats its records.
        let copied: Vec<Session> = ["a", "b", "c"]
            .into_iter()
            .map(|id| Session { id: SessionId::new(id), ..session("s1", &[ROUND]) })
            .collect();
        assert_eq!(channels(&copied), vec![vec![Channel::Prompt]; 3]);
    }

    #[test]
    fn short_words_are_nobodys_template() {
        let short: Vec<Session> =
            (0..9).map(|n| session(&format!("s{n}"), &["commit", "yes", "go on please", "続けて"])).collect();
        assert_eq!(channels(&short), vec![vec![Channel::Prompt; 4]; 9]);
    }

    #[test]
    fn languages_without_spaces_have_openings_too() {
        let text = "港をひと回りして、すべての灯りを確かめ、消えているものを書き留めてください。";
        assert!(opening(text).is_some());
        assert_ne!(
            opening(text),
            opening("桟橋を一メートル北へ動かして、係留柱も新しいものに取り替えてください。")
        );
    }

    proptest! {
        #[test]
        fn the_order_of_sessions_does_not_matter(order in Just((0..6).collect::<Vec<usize>>()).prop_shuffle()) {
            let sessions: Vec<Session> = (0..6)
                .map(|n| session(&format!("s{n}"), &[if n % 2 == 0 { ROUND } else { "something else that nobody said before today, really" }]))
                .collect();
            let whole = |order: &[usize]| {
                let mut templates = Templates::default();
                order.iter().for_each(|at| templates.learn(&sketches(&sessions[*at])));
                sessions.iter().map(|session| sketches(session).iter().all(|sketch| templates.knows(sketch))).collect::<Vec<_>>()
            };
            prop_assert_eq!(whole(&order), whole(&[0, 1, 2, 3, 4, 5]));
        }
    }
}
