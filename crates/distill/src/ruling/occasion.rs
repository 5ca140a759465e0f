//! On what occasion a sentence was said: told to be known, or in the middle of work.
//!
//! Who tells an agent something to keep is answered with a word. Who wants something done is answered
//! with work, with a question, or at length. What is said then describes the work at hand, however
//! much it sounds like a rule; only what says in so many words that it holds beyond it is kept without
//! an editor, who would have read the whole session.

use lore_core::session::{Author, Channel, Turn};

use super::alone::points_away;
use super::cues::SpeechCue;
use super::mood::Heard;
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

/// Tells whether what a person said was taken for something to do or to talk about.
pub(crate) fn is_worked_on(scene: &Scene<'_>, at: usize) -> bool {
    let mut reply = String::new();
    let mut disturbed = false;
    for view in &scene.views[at + 1..] {
        let turn = view.turn;
        // What is said before the agent has spoken belongs to the same message.
        match turn.author {
            Author::Person if reply.is_empty() => {}
            Author::Person => break,
            Author::Agent if !turn.tool_calls.is_empty() => return true,
            Author::Agent => reply.push_str(&turn.text()),
            Author::System | Author::Tool => disturbed |= turn.channel == Channel::Notice,
        }
    }
    if reply.is_empty() {
        return disturbed || is_unanswered_work(scene);
    }
    let wordless = !reply.contains(char::is_alphanumeric);
    wordless
        || word_count(&reply) > ACKNOWLEDGEMENT
        || ["?", "？", "```"].iter().any(|mark| reply.contains(mark))
        || announces_work(&reply)
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
    let told = (heard.has(SpeechCue::Informing) || heard.has(SpeechCue::Correcting))
        && !points_away(heard.body.trim());
    (occasion.at_work || occasion.asks && !told) && !outlives_work(heard)
}

#[cfg(test)]
mod tests {
    use lore_core::Session;

    use super::*;

    #[track_caller]
    fn answered(turns: Vec<Turn>, expected: bool) {
        let session = Session { turns, ..Session::default() };
        assert_eq!(is_worked_on(&Scene::new(&session), 0), expected, "{session:?}");
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
    }
}
