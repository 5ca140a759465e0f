//! On what occasion a sentence was said: told to be known, or in the middle of work.
//!
//! Who tells an agent something to keep is answered with a word. Who wants something done is
//! answered with work, or at length; in such a message most sentences describe the work at hand, and
//! only what is plainly laid down outlives it.

use super::alone::points_away;
use super::cues::SpeechCue;
use super::form::{is_set, is_standing_use};
use super::mood::{Heard, Mood, begins_with_verb};
use super::words::{WORK, Word, words_of};
use crate::extract::flaws::is_plain_verb;
use crate::extract::scene::{Scene, is_person};
use crate::extract::sentence::word_count;

/// An answer of more words is not an acknowledgement.
const ACKNOWLEDGEMENT: usize = 60;
/// A message of more words tells more than one thing.
const ONE_THING: usize = 25;

/// The message that a sentence stands in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occasion {
    /// How many words the message has.
    pub(super) words: usize,
    /// Whether all of it tells something: no task, no question, no report in it.
    tells: bool,
    /// Whether the agent went to work on it or answered at length.
    at_work: bool,
}

impl Occasion {
    pub(super) fn new<'a>(
        words: usize,
        mut sentences: impl Iterator<Item = &'a Heard>,
        at_work: bool,
    ) -> Occasion {
        let tells = sentences.all(|heard| {
            !matches!(
                heard.mood,
                Mood::Task | Mood::Question | Mood::Report | Mood::Courtesy | Mood::Fragment
            )
        });
        Occasion { words, tells, at_work }
    }
}

/// Tells whether the agent went to work on what a person said, or answered at length.
pub(crate) fn is_worked_on(scene: &Scene<'_>, at: usize) -> bool {
    let mut words = 0;
    for view in scene.views[at + 1..].iter().take_while(|view| !is_person(view.turn)) {
        if !view.turn.tool_calls.is_empty() {
            return true;
        }
        words += word_count(&view.turn.text());
    }
    words > ACKNOWLEDGEMENT
}

/// Tells whether a sentence belongs to the work it was said for.
pub(super) fn belongs_to_work(heard: &Heard, occasion: Occasion) -> bool {
    if !occasion.at_work {
        return false;
    }
    let body = heard.body.trim();
    if names_code(body) && heard.mood != Mood::Prohibition {
        return true;
    }
    if heard.has(SpeechCue::Lasting) {
        return false;
    }
    // "Use the old ledger, I don't want cards for this": what is to be used stands in the first clause.
    let says_how = heard.mood == Mood::Order && begins_with_use(body);
    let clause = if says_how { body.split([',', ';']).next().unwrap_or(body) } else { body };
    if points_away(clause) || trails_off(body) {
        return true;
    }
    // Whoever wants a thing known for good says so, or says what it is set against, or why.
    let for_all = is_for_each(body) || heard.has(SpeechCue::Firm);
    let reasoned = heard.contrasts && (heard.has(SpeechCue::Reason) || names_a_thing(body));
    match heard.mood {
        Mood::Fragment => true,
        Mood::Statement => {
            !occasion.tells
                || occasion.words > ONE_THING
                || begins_with_work(body)
                || turns_to_work(body)
                || asks_a_favour(body)
        }
        Mood::Practice => {
            begins_with_work(body)
                || tells_of_late(body)
                || asks_a_favour(body)
                || turns_to_work(body)
                || !says_what_is_done(body)
                || !reasoned && !is_set(heard) && (finds_itself(body) || !occasion.tells)
        }
        Mood::Duty => {
            begins_with_work(body)
                || asks_a_favour(body)
                || turns_to_work(body)
                || is_work_to_be_done(body)
                || !for_all && !reasoned && !occasion.tells
        }
        // "Use the other one": what to use for a sort of thing is said without pointing at it.
        Mood::Order => {
            let lasts = heard.has(SpeechCue::Universal) || heard.has(SpeechCue::Standing);
            let denies = words_of(body).iter().any(|word| word.text.ends_with("n't") || word.text == "dont");
            let chosen =
                begins_with_use(body) && (heard.contrasts || heard.has(SpeechCue::Reason) || denies || lasts);
            let corrected = heard.has(SpeechCue::Correcting) && heard.contrasts;
            let standing = is_for_each(body) || chosen || corrected;
            serves_work(body) || !standing && (!is_standing_use(body) || points_at_one(body))
        }
        Mood::Resolve => turns_to_work(body) || !for_all && !reasoned && !chooses(body),
        Mood::Wish => !for_all && !reasoned && !occasion.tells,
        Mood::Prohibition => {
            heard.telling < 2
                || !begins_with_never(body) && !occasion.tells && !for_all && !heard.has(SpeechCue::Reason)
        }
        _ => false,
    }
}

/// "We have a leak now …": a thought that is left to the other.
fn trails_off(body: &str) -> bool {
    body.ends_with("...") || body.ends_with('…')
}

/// "…, please take a look".
fn asks_a_favour(body: &str) -> bool {
    words_of(body).iter().skip(1).any(|word| word.text == "please")
}

/// "We have conflicts", "we can swap them", "we are looking at it": where somebody is, not what they do.
fn finds_itself(body: &str) -> bool {
    let words = words_of(body);
    words.windows(3).any(|three| {
        let rest = if three[1].text == "also" { &three[2].text } else { &three[1].text };
        let being =
            matches!(rest.as_str(), "have" | "can" | "could" | "didn't" | "had" | "were" | "was" | "got")
                || rest == "are" && three[2].text.ends_with("ing") && three[2].text != "going";
        matches!(three[0].text.as_str(), "we" | "we've") && being
    })
}

fn begins_with_never(body: &str) -> bool {
    words_of(body).first().is_some_and(|word| word.text == "never")
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

/// "Let's use brass for the gates", "let's go with brass": a choice, and of what.
fn chooses(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let opens = words.iter().position(|word| matches!(word.text.as_str(), "let's" | "lets"));
    let Some(at) = opens.map(|at| at + 1) else { return false };
    let goes = said(at) == "go" && matches!(said(at + 1), "with" | "for" | "back");
    let sticks = matches!(said(at), "stick" | "stay");
    (goes || sticks || MANNER.contains(&said(at))) && words.len() > at + 3
}

/// Tells whether an order says what to use or how to keep something.
pub(super) fn begins_with_use(body: &str) -> bool {
    words_of(body).first().is_some_and(|word| MANNER.contains(&word.text.as_str()))
}

/// An order for each of a sort holds whenever there is one.
fn is_for_each(body: &str) -> bool {
    words_of(body)
        .iter()
        .any(|word| matches!(word.text.as_str(), "each" | "every" | "always" | "never" | "whenever"))
}

/// "Use the session repo", "use it": one thing that both know.
fn points_at_one(body: &str) -> bool {
    let words = words_of(body);
    words.len() < 4 || words.get(1).is_some_and(|word| matches!(word.text.as_str(), "the" | "your" | "my"))
}

/// Tells whether a sentence names something by how it is written: in marks, as code, as a value.
fn names_a_thing(body: &str) -> bool {
    let is_name = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-');
        let inner = word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        inner || word.contains('_') || word.starts_with("--") || word.chars().any(|c| c.is_ascii_digit())
    };
    body.contains(['`', '"', '“']) || body.split_whitespace().any(is_name)
}

/// "We recently made changes to …": news of the day.
fn tells_of_late(body: &str) -> bool {
    words_of(body).iter().any(|word| matches!(word.text.as_str(), "recently" | "just" | "caught" | "earlier"))
}

/// "The review should be updated with it", "something should appear", "we should have a look": a
/// piece of work in the form of a duty.
fn is_work_to_be_done(body: &str) -> bool {
    let words = words_of(body);
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let nobody = matches!(
        texts.first(),
        Some(&("something" | "you" | "someone" | "somebody" | "there" | "they" | "it" | "i" | "whether"))
    );
    let done = |word: &str| {
        let stem = word.strip_suffix("ed").or_else(|| word.strip_suffix('d')).unwrap_or(word);
        WORK.contains(&stem)
            || WORK.contains(&word.strip_suffix("ed").map_or(word, |stem| stem.trim_end_matches('t')))
    };
    let passive = texts.windows(3).any(|three| {
        matches!(three[0], "should" | "must" | "needs" | "need")
            && matches!(three[1], "be" | "to")
            && done(three[2])
    });
    nobody || passive
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

/// Verbs behind "we" that tell how it goes and not what is done.
const GOES: [&str; 12] =
    ["seem", "fail", "get", "got", "getting", "wait", "wait,", "missed", "see", "look", "looked", "ran"];
/// Words behind which "we" begins a clause; behind a noun it says which one.
const BEFORE_US: [&str; 24] = [
    "so",
    "and",
    "but",
    "since",
    "because",
    "as",
    "then",
    "now",
    "that",
    "think",
    "also",
    "if",
    "or",
    "here",
    "why",
    "once",
    "until",
    "recently",
    "repo",
    "project",
    "general",
    "currently",
    "context",
    "shouldn't",
];

/// Tells whether "we" is who acts in a clause of its own, and what follows is done or to be done.
fn says_what_is_done(body: &str) -> bool {
    let words = words_of(body);
    let is_ours = |word: &Word| matches!(word.text.as_str(), "we" | "we're" | "we've" | "we'll");
    let Some(at) = words.iter().position(is_ours) else { return true };
    let begins = at == 0 || words[at - 1].ends_clause || BEFORE_US.contains(&words[at - 1].text.as_str());
    let rest: Vec<&str> = words[at + 1..].iter().map(|word| word.text.as_str()).collect();
    let obliges = matches!(rest.first(), Some(&("should" | "must" | "need")));
    let goes = rest.iter().take(2).any(|word| GOES.contains(word));
    let verb = rest.iter().skip(1).find(|word| !matches!(**word, "to" | "also" | "probably" | "first"));
    let works = obliges && verb.is_some_and(|verb| WORK.contains(verb));
    let has = matches!(
        rest.get(usize::from(obliges)..).unwrap_or_default(),
        ["have" | "do", "a" | "an" | "two" | "three" | "some" | "have" | "the", ..]
    );
    (begins || obliges) && !goes && !has && !works
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
    let call = plain.contains("()") || lower.starts_with("//");
    line || place || call
}

#[cfg(test)]
mod tests {
    use super::super::{Language, mood::hear};
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: bool) {
        let heard: Vec<Heard> =
            message.split(" / ").map(|sentence| hear(sentence, Language::English)).collect();
        let words = word_count(message);
        let belongs = |at_work| belongs_to_work(&heard[0], Occasion::new(words, heard.iter(), at_work));
        assert_eq!(belongs(true), expected, "{message}: {heard:?}");
        assert!(!belongs(false), "{message}");
    }

    #[test]
    fn what_describes_the_work_at_hand_belongs_to_it() {
        check("The lamp in the hall is very dark. / please look at it", true);
        check("We have a small leak in the roof.", true);
        check("Open the drawers which the porter has left and count the keys", true);
        check("The keeper should call close_gate() before the bell", true);
        check("while closing the gates we follow the next pattern:", true);
        check("the gates we look at have rust", true);
        check("We need to investigate the noise in the cellar", true);
        check("Use the small ladder", true);
        check("Let's cut a new key first", true);
        check("The bell of the east tower is loose, fix it.", true);
    }

    #[test]
    fn what_is_laid_down_outlives_it() {
        check("The harbour office takes no cash.", false);
        check("Ines keeps the harbour plans. / Ask her before anybody moves a buoy.", false);
        check("We moved the archive to the second floor.", false);
        check("so we use brass keys for the gates", false);
        check("we need to keep the gates shut in winter", false);
        check("From now on the keys hang in the hall.", false);
        check("never lend the brass key", false);
        check("Keep all keys in the hall and hang them by number.", false);
        check("Use the old ledger, I don't want cards for this.", false);
        check("Let's use brass for the gates, it does not rust.", false);
        check("Store all keys in the hall and show them by number, the porters are here.", false);
    }
}
