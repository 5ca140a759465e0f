//! On what occasion a sentence was said: told to be known, or in the middle of work.
//!
//! Who tells an agent something to keep is answered with a word. Who wants something done is answered
//! with work, with a question, or at length. What is said then describes the work at hand, however
//! much it sounds like a rule; only what says in so many words that it holds beyond it is kept without
//! an editor, who would have read the whole session.

use lore_core::session::{Author, Channel, Turn};

use super::alone::points_away;
use super::cues::SpeechCue;
use super::mood::{Heard, Mood, begins_with_verb};
use super::words::{WORK, Word, words_of};
use crate::extract::flaws::is_plain_verb;
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

fn outlives_work(heard: &Heard) -> bool {
    let body = heard.body.trim();
    // "Use the old ledger, I don't want cards for this": what is to be used stands in the first clause.
    let says_how = heard.mood == Mood::Order && begins_with_use(body);
    let clause = if says_how { body.split([',', ';']).next().unwrap_or(body) } else { body };
    if names_code(body) || points_away(clause) || trails_off(body) || turns_to_work(body) {
        return false;
    }
    let lasting = heard.has(SpeechCue::Lasting);
    let for_all = heard.everlasting || is_for_each(body);
    let set_against = sets_against(body) && (heard.has(SpeechCue::Reason) || names_a_thing(body));
    match heard.mood {
        Mood::Prohibition => {
            // "Stop the pumps" ends what is going on, "stop oiling the locks" a habit.
            let words = words_of(body);
            let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
            let ends = matches!(said(0), "stop" | "quit");
            let habit = ends && said(1).ends_with("ing") && heard.telling > 2;
            let reasoned = heard.telling > 1 && heard.has(SpeechCue::Reason);
            lasting || heard.everlasting || habit || !ends && (for_all || reasoned && !forbids_work(body))
        }
        Mood::Order => !serves_work(body) && begins_with_use(body) && (lasting || for_all || set_against),
        Mood::Resolve => lasting || set_against || chooses(body),
        Mood::Practice | Mood::Duty | Mood::Wish => {
            !begins_with_work(body)
                && !supposes(body)
                && !asks_a_favour(body)
                && (lasting || for_all || set_against || demands_of_a_thing(heard))
        }
        // "The old lamp no longer works for us": what we are done with.
        Mood::Statement if heard.has(SpeechCue::Ours) => heard.everlasting && !supposes(body),
        Mood::Statement | Mood::Fragment => lasting && !begins_with_work(body) && !supposes(body),
        _ => false,
    }
}

/// "Boats over 5 tons must take a pilot": a demand on things of a sort, with its measure or its name.
/// What we, you or it must do is work.
fn demands_of_a_thing(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let doer = words.iter().take_while(|word| !matches!(word.text.as_str(), "must" | "has" | "have"));
    let somebody = ["we", "you", "i", "it", "they", "this", "that", "there"];
    heard.mood == Mood::Duty
        && heard.has(SpeechCue::Firm)
        && words.len() >= WHOLE_DEMAND
        && names_a_thing(&heard.body)
        && !doer.into_iter().any(|word| somebody.contains(&word.text.as_str()))
}

/// A demand of fewer words does not say what for.
const WHOLE_DEMAND: usize = 7;

/// "Brass instead of iron", "brass, not iron": what was chosen, and over what.
fn sets_against(body: &str) -> bool {
    const AGAINST: [&str; 17] = [
        " i don't want ",
        " i dont want ",
        " we don't want ",
        " instead of ",
        " rather than ",
        ", not ",
        " and not ",
        " not to ",
        " statt ",
        " anstatt ",
        " au lieu d",
        " plutôt qu",
        " en lugar de ",
        " en vez de ",
        " em vez de ",
        " ao invés d",
        "ではなく",
    ];
    let lower = format!(" {} ", body.to_lowercase());
    AGAINST.iter().any(|words| lower.contains(words))
}

/// "If the tide is right, the boat never touches", "because the boat always touches": how it comes out.
fn supposes(body: &str) -> bool {
    let words = words_of(body);
    words.first().is_some_and(|word| {
        matches!(word.text.as_str(), "if" | "because" | "coz" | "cuz" | "cause" | "since" | "so" | "as")
    })
}

/// "Don't fix anything", "do not push": how far to go this time.
fn forbids_work(body: &str) -> bool {
    words_of(body).iter().take(4).any(|word| WORK.contains(&word.text.as_str()) && word.text != "do")
}

/// "We have a leak now …": a thought that is left to the other.
fn trails_off(body: &str) -> bool {
    body.ends_with("...") || body.ends_with('…')
}

/// "…, please take a look".
fn asks_a_favour(body: &str) -> bool {
    words_of(body).iter().skip(1).any(|word| word.text == "please")
}

/// "Use the long ladder to look for the leak": for one piece of work.
fn serves_work(body: &str) -> bool {
    let words = words_of(body);
    words.windows(2).any(|pair| pair[0].text == "to" && WORK.contains(&pair[1].text.as_str()))
}

/// Verbs that say how something is kept or done whenever it is.
const MANNER: [&str; 22] = [
    "use",
    "prefer",
    "keep",
    "name",
    "call",
    "store",
    "save",
    "show",
    "display",
    "format",
    "treat",
    "round",
    "escape",
    "return",
    "sort",
    "quote",
    "indent",
    "sign",
    "tag",
    "prefix",
    "encode",
    "represent",
];

/// "Let's use brass for the gates", "let's go with brass for them all": a choice, and for what.
fn chooses(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let opens = words.iter().position(|word| matches!(word.text.as_str(), "let's" | "lets"));
    let Some(at) = opens.map(|at| at + 1) else { return false };
    let goes = said(at) == "go" && matches!(said(at + 1), "with" | "for" | "back");
    let sticks = matches!(said(at), "stick" | "stay");
    let purpose = words.iter().skip(at + 2).any(|word| word.text == "for");
    (goes || sticks || MANNER.contains(&said(at))) && (purpose || names_a_thing(body))
}

/// Tells whether an order says what to use or how to keep something.
pub(super) fn begins_with_use(body: &str) -> bool {
    let words = words_of(body);
    let verb = words.iter().find(|word| !matches!(word.text.as_str(), "always" | "only" | "please"));
    verb.is_some_and(|word| MANNER.contains(&word.text.as_str()))
}

/// Tells whether what comes first is each of a sort, and not each of the moments of one thing.
fn is_for_each(body: &str) -> bool {
    let words = words_of(body);
    let first =
        words.iter().take(3).position(|word| matches!(word.text.as_str(), "each" | "every" | "all" | "any"));
    first.is_some_and(|at| {
        words.get(at + 1).is_some_and(|next| {
            let these =
                matches!(next.text.as_str(), "the" | "these" | "those" | "our" | "my" | "your" | "of");
            !these && !next.text.starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Tells whether a sentence names something by how it is written: in marks, as code, as a value.
fn names_a_thing(body: &str) -> bool {
    let is_name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
        let inner = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        inner || word.contains('_') || word.starts_with("--") || word.chars().any(|c| c.is_ascii_digit())
    };
    let proper = |word: &str| word.len() > 2 && word.starts_with(char::is_uppercase);
    body.contains(['`', '"', '“'])
        || body.split_whitespace().any(is_name)
        || body.split_whitespace().skip(1).any(proper)
}

/// Tells whether a later clause of a sentence says what to do about it.
fn turns_to_work(body: &str) -> bool {
    let words = words_of(body);
    words
        .windows(2)
        .any(|pair| (pair[0].ends_clause || pair[0].text == "then") && WORK.contains(&pair[1].text.as_str()))
}

/// Tells whether a sentence begins with something to do, whatever stands in its first clause.
fn begins_with_work(body: &str) -> bool {
    let first = words_of(body).into_iter().map(|word| word.text).find(|word| word != "please");
    begins_with_verb(body) || first.is_some_and(|word| WORK.contains(&word.as_str()) || is_plain_verb(&word))
}

/// "We should investigate the noise": what somebody means to do, on whatever occasion.
pub(super) fn is_plan_of_work(body: &str) -> bool {
    let words = words_of(body);
    let obliges = |word: &Word| matches!(word.text.as_str(), "should" | "need" | "must");
    words.windows(3).any(|three| {
        let verb = if three[2].text == "to" { return false } else { &three[2].text };
        three[0].text == "we" && obliges(&three[1]) && WORK.contains(&verb.as_str())
    })
}

/// Tells whether a sentence speaks of a place in the code, as reviewers do: a call, a line.
fn names_code(body: &str) -> bool {
    let plain: String = body.split('`').step_by(2).collect();
    let lower = plain.to_lowercase();
    let line = ["at line ", " line "]
        .iter()
        .any(|word| lower.split(word).skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit())));
    let place = plain.split_whitespace().any(|word| {
        word.rsplit_once(':').is_some_and(|(file, number)| {
            file.contains('.') && number.starts_with(|c: char| c.is_ascii_digit())
        })
    });
    let call = plain.contains("()") || lower.starts_with("//") || plain.split_whitespace().any(is_call);
    // "@src/gate.rs": a file handed over with the message.
    let handed =
        plain.split_whitespace().any(|word| word.starts_with('@') && word.contains(['.', '/', '\\']));
    line || place || call || handed
}

/// "gate.open(key)", and not "gate(s)".
fn is_call(word: &str) -> bool {
    word.split_once('(').is_some_and(|(name, rest)| {
        name.contains(['.', '_', ':']) && !name.starts_with("http") && rest.contains(')')
    })
}

#[cfg(test)]
mod tests {
    use lore_core::Session;

    use super::super::{Language, mood::hear};
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: bool) {
        let heard = hear(sentence, Language::English);
        let belongs =
            |at_work| belongs_to_work(&heard, Occasion { words: word_count(sentence), at_work, asks: false });
        assert_eq!(belongs(true), expected, "{heard:?}");
        assert!(!belongs(false), "{sentence}");
    }

    #[test]
    fn what_describes_the_work_at_hand_belongs_to_it() {
        check("The lamp in the hall is very dark.", true);
        check("We have a small leak in the roof.", true);
        check("The keeper should always call gate.close(key) before the bell", true);
        check("We need to investigate the noise in the cellar", true);
        check("Use the small ladder", true);
        check("Let's cut a new key first", true);
        check("Let's go with a date on every line", true);
        check("Keep all the lamps that we hung", true);
        check("Stop all the pumps", true);
        check("Stop sharing", true);
        check("We must take 2 pilots to the boat that came in", true);
        check("Don't fix anything because the keeper is away", true);
        check("If the tide is right, the boat should never touch the ground", true);
        check("The harbour office takes no cash.", true);
        check("Every 5 minutes we ring the bell of the east tower", true);
        check("We don't always have the key of the archive", true);
    }

    #[test]
    fn what_says_that_it_holds_outlives_it() {
        check("From now on the keys hang in the hall.", false);
        check("never lend the brass key", false);
        check("Always use brass for the gates", false);
        check("Each boat must carry two lamps", false);
        check("Boats over 5 tons must take a pilot in the channel", false);
        check("use the old ledger in Lisbon, I don't want cards for this", false);
        check("The harbour ledger should not be copied ever", false);
        check("Keep all keys in the hall and hang them by number.", false);
        check("Stop oiling the locks of the gates", false);
        check("Use `brass` instead of iron", false);
        check("The old lamp no longer works for us", false);
        check("Don't lend the brass key, because the keeper has no other", false);
        check("Let's use brass for the gates, it does not rust.", false);
    }

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
