//! On what occasion a sentence was said: told to be known, or in the middle of work.
//!
//! Who tells an agent something to keep is answered with a word. Who wants something done is answered
//! with work, with a question, or at length. What is said then describes the work at hand, however
//! much it sounds like a rule; only what says in so many words that it holds beyond it is kept without
//! an editor, who would have read the whole session.

use lore_core::session::{Author, Channel, Turn};

use super::alone::points_away;
use super::cues::SpeechCue;
use super::force::head_of;
use super::heard::Heard;
use super::ours::{is_our_way, is_plain_fact};
use super::outlives::outlives_work;
use super::words::{WORK, words_of};
use crate::extract::scene::{Scene, is_person};
use crate::extract::sentence::word_count;

/// An answer of more words is not an acknowledgement.
const ACKNOWLEDGEMENT: usize = 40;

/// The message that a sentence stands in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occasion {
    /// How many words the message has.
    pub(super) words: usize,
    /// Whether the agent went to work on it, asked back or answered at length.
    pub(super) at_work: bool,
    /// Whether the message also asks for something, or answers an offer.
    pub(super) asks: bool,
}

/// Tells of each turn whether it was taken for something to do or to talk about.
///
/// What people say before the agent has spoken belongs together and is answered together. All are told in
/// one pass: there are sessions of many thousand prompts.
pub(crate) fn worked_on(scene: &Scene<'_>) -> Vec<bool> {
    let mut told = Vec::with_capacity(scene.views.len());
    let mut unanswered = None;
    while let Some(rest) = scene.views.get(told.len()..).filter(|rest| !rest.is_empty()) {
        let mut reply = String::new();
        let (mut works, mut disturbed) = (false, false);
        let mut end = 0;
        for view in rest {
            match view.turn.author {
                Author::Person if works || !reply.is_empty() => break,
                Author::Person => {}
                Author::Agent => {
                    works |= !view.turn.tool_calls.is_empty();
                    reply.push_str(&view.turn.text());
                }
                Author::System | Author::Tool => disturbed |= view.turn.channel == Channel::Notice,
            }
            end += 1;
        }
        let at_work = match works || !reply.is_empty() {
            true => works || is_more_than_a_word(&reply),
            false => disturbed || *unanswered.get_or_insert_with(|| is_unanswered_work(scene)),
        };
        told.resize(told.len() + end, at_work);
    }
    told
}

/// Tells whether a reply does more than acknowledge: it asks, shows, announces or explains.
fn is_more_than_a_word(reply: &str) -> bool {
    !reply.contains(char::is_alphanumeric)
        || word_count(reply) > ACKNOWLEDGEMENT
        || ["?", "？", "```"].iter().any(|mark| reply.contains(mark))
        || announces_work(reply)
}

/// Tells whether words that nobody answered stand among work. Some agents keep what was typed and
/// nothing of what came of it: a row of such prompts is work too.
fn is_unanswered_work(scene: &Scene<'_>) -> bool {
    let prompts = scene.views.iter().filter(|view| is_person(view.turn)).count();
    let agent = || scene.views.iter().filter(|view| view.turn.author == Author::Agent);
    let works = |turn: &Turn| !turn.tool_calls.is_empty() || word_count(&turn.text()) > ACKNOWLEDGEMENT;
    agent().any(|view| works(view.turn)) || prompts > 1 && agent().next().is_none()
}

/// "I will look into it", "let me check": the answer to a task.
fn announces_work(reply: &str) -> bool {
    let words = words_of(reply);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    (0..words.len()).any(|at| {
        let verb = match (said(at), said(at + 1)) {
            ("i'll" | "i’ll", _) => at + 1,
            ("let's", _) => at + 1,
            ("i", "will") | ("let", "me") | ("going", "to") => at + 2,
            _ => return false,
        };
        let verb = if matches!(said(verb), "now" | "also" | "first") { said(verb + 1) } else { said(verb) };
        WORK.contains(&verb) && verb != "note"
    })
}

/// Tells whether a sentence belongs to the work it was said for.
pub(super) fn belongs_to_work(heard: &Heard, occasion: Occasion) -> bool {
    // What is announced or corrected beside a task was told to be known, where nothing says otherwise.
    let announced = heard.has(SpeechCue::Informing) || heard.has(SpeechCue::Correcting);
    let told = (announced || heard.under_way || is_plain_fact(heard) || is_our_way(heard))
        && !points_away(head_of(heard.body.trim()));
    (occasion.at_work || occasion.asks && !told) && !outlives_work(heard)
}

#[cfg(test)]
mod tests {
    use lore_core::Session;

    use super::*;

    #[track_caller]
    fn answered(turns: Vec<Turn>, expected: bool) {
        let session = Session { turns, ..Session::default() };
        let told = worked_on(&Scene::new(&session));
        assert_eq!((told.len(), told[0]), (session.turns.len(), expected), "{session:?}");
    }

    fn said(author: Author, channel: Channel, text: &str) -> Turn {
        Turn::prose(author, channel, 1, text)
    }

    #[test]
    fn a_word_acknowledges_and_anything_else_is_work() {
        let prompt = || said(Author::Person, Channel::Prompt, "The keys hang in the hall.");
        let reply = |text| said(Author::Agent, Channel::Reply, text);
        answered(vec![prompt()], false);
        answered(vec![prompt(), reply("Understood.")], false);
        answered(vec![prompt(), reply("Noted, I'll keep to that.")], false);
        answered(vec![prompt(), reply("I'll look into it.")], true);
        answered(vec![prompt(), reply("Let me check the hall.")], true);
        answered(vec![prompt(), reply("Which hall do you mean?")], true);
        answered(vec![prompt(), reply("---")], true);
        answered(vec![prompt(), prompt()], true);
        answered(vec![prompt(), said(Author::System, Channel::Notice, "Request cancelled.")], true);
        answered(vec![prompt(), prompt(), reply("Understood.")], false);
        answered(vec![prompt(), reply("Understood."), prompt(), reply("Let me check the hall.")], false);
    }

    #[test]
    fn each_message_has_its_own_answer() {
        let said = |author, channel, text: &str| Turn::prose(author, channel, 1, text);
        let turns = vec![
            said(Author::Person, Channel::Prompt, "Look at the lamp."),
            said(Author::Agent, Channel::Reply, "Let me check the hall."),
            said(Author::Person, Channel::Prompt, "The keys hang in the hall."),
            said(Author::Agent, Channel::Reply, "Understood."),
        ];
        let session = Session { turns, ..Session::default() };
        assert_eq!(worked_on(&Scene::new(&session)), [true, true, false, false]);
    }
}
