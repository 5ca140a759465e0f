//! Two sentences that say one thing together: what is wrong, and what is right instead.

use lore_core::{Kind, Route};

use super::Utterance;
use super::alone::points_away;
use super::cues::SpeechCue;
use super::diagnosis::{names_the_cause, says_what_helps};
use super::force::head_of;
use super::heard::{Heard, Mood};
use super::hollow::is_hollow;
use super::outlives::begins_with_use;
use super::passing::is_in_passing;
use super::trouble::is_trouble;
use super::wording;
use super::words::words_of;
use crate::extract::sentence::word_count;
use crate::extract::wording::capital;

/// How one sentence goes with the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bond {
    /// "The old winch eats ropes. Use the new one instead."
    Instead,
    /// "When the winch sticks it's the salt. Rinse it and it turns."
    Remedy,
    /// "Not the brass key! Take the iron one."
    Correction,
    /// "You opened the gate to the east. Ours all go to the west."
    Reproach,
}

impl Bond {
    /// Finds how two sentences go together; most do not.
    pub(super) fn between(one: &Heard, next: &Heard) -> Option<Bond> {
        let talks = |heard: &Heard| matches!(heard.mood, Mood::Question | Mood::Courtesy);
        let passes = |heard: &Heard| {
            talks(heard)
                || is_in_passing(&heard.body)
                || heard.has(SpeechCue::Once)
                || heard.has(SpeechCue::Doubting)
                || heard.telling == 0
        };
        if talks(one) || passes(next) && !says_what_helps(&next.body) {
            return None;
        }
        match () {
            () if names_the_cause(&one.body) && says_what_helps(&next.body) => Some(Bond::Remedy),
            () if is_of_a_thing(one) && says_instead(&next.body) && !points_away(&next.body) => {
                Some(Bond::Instead)
            }
            () if refuses(one) && takes(next) => Some(Bond::Correction),
            () if reproached(&one.body).is_some() && speaks_of_it(next) => Some(Bond::Reproach),
            () => None,
        }
    }

    /// Tells whether a sentence that is kept takes the next along anyway.
    pub(super) const fn is_in_order(self) -> bool {
        matches!(self, Bond::Instead)
    }

    /// Makes one of the first two sentences.
    pub(super) fn utterance(self, heard: &[Heard], sentences: &[String]) -> Utterance {
        let (one, next) = (&heard[0], &heard[1]);
        Utterance {
            title: self.title(one, next),
            text: wording::text(&[one.body.as_str(), next.body.as_str()]),
            quote: sentences[..2].join(" "),
            kind: self.kind(),
            option: None,
            // What is behind a trouble is stated, the rest is laid down.
            route: if self == Bond::Remedy { Route::Remark } else { Route::Ruling },
            why: next.mood.word(),
        }
    }

    /// Returns what sort of knowledge the two are.
    const fn kind(self) -> Kind {
        match self {
            Bond::Instead | Bond::Remedy => Kind::Limitation,
            Bond::Correction => Kind::Preference,
            Bond::Reproach => Kind::Decision,
        }
    }

    /// Names the two by what holds.
    fn title(self, one: &Heard, next: &Heard) -> String {
        let one_said = one.body.trim_end_matches(['.', '!', ' ']);
        match self {
            Bond::Instead | Bond::Remedy => wording::title(one_said),
            Bond::Correction => {
                let both = format!("{}: {}", capital(one_said), next.body.trim());
                if word_count(&both) <= crate::article::TITLE_WORDS { both } else { wording::title(&both) }
            }
            Bond::Reproach => match reproached(&one.body) {
                Some(thing) => wording::title(&format!("{}: {}", capital(thing), next.body.trim())),
                None => wording::title(&next.body),
            },
        }
    }
}

/// "… Make a new one instead.": of what the sentence before forbids or ends.
pub(super) fn says_instead(body: &str) -> bool {
    const INSTEAD: [&str; 7] = [
        "instead",
        "stattdessen",
        "en su lugar",
        "à la place",
        "em vez disso",
        "invece",
        "in plaats daarvan",
    ];
    let lower = body.trim_end_matches(['.', '!', ' ']).to_lowercase();
    let says = |word: &&str| lower.ends_with(&format!(" {word}")) || lower.starts_with(&format!("{word} "));
    INSTEAD.iter().any(says) && word_count(body) <= SHORT_ORDER
}

/// An order of more words says itself what it is about.
const SHORT_ORDER: usize = 10;

/// Tells whether a sentence says what a thing does, and not how it goes with the work at hand.
fn is_of_a_thing(heard: &Heard) -> bool {
    let somebody = matches!(
        words_of(&heard.body).first().map_or("", |word| word.text.as_str()),
        "i" | "you" | "we" | "it" | "this" | "that" | "they" | "he" | "she"
    );
    let reports = heard.mood == Mood::Report && !heard.has(SpeechCue::Informing);
    heard.telling > 1 && !somebody && !reports && !is_trouble(&heard.body) && heard.mood != Mood::Task
}

/// "Not the brass key": what was done and is not wanted.
fn refuses(heard: &Heard) -> bool {
    let opens = words_of(&heard.body).first().map(|word| word.text.clone()).unwrap_or_default();
    heard.has(SpeechCue::Correcting)
        && matches!(
            opens.as_str(),
            "not" | "no" | "nicht" | "kein" | "keine" | "keinen" | "pas" | "não" | "non"
        )
        && word_count(&heard.body) <= REFUSAL
        && heard.telling > 0
        && !points_away(&heard.body)
}

/// A refusal of more words says itself what is wanted.
const REFUSAL: usize = 8;

/// "Take the iron one", "use the file of the pier".
fn takes(heard: &Heard) -> bool {
    const TAKES: [&str; 14] = [
        "take ",
        "go with ",
        "stick to ",
        "stick with ",
        "nimm ",
        "nehmt ",
        "benutze ",
        "verwende ",
        "prends ",
        "utilise ",
        "toma ",
        "usa ",
        "prendi ",
        "pega ",
    ];
    let lower = heard.body.to_lowercase();
    let named = begins_with_use(&heard.body) || TAKES.iter().any(|takes| lower.starts_with(takes));
    let here =
        [" now", " here", " this time"].iter().any(|words| lower.trim_end_matches('.').ends_with(words));
    named && heard.telling > 0 && !here && !points_away(head_of(&heard.body))
}

/// Returns what somebody did something with that is found fault with: "sorry but no: you opened the gate to the east".
fn reproached(body: &str) -> Option<&str> {
    let told = body.rsplit(": ").next().unwrap_or(body).trim();
    let rest =
        told.get(..4).filter(|opens| opens.eq_ignore_ascii_case("you ")).and_then(|_| told.get(4..))?;
    is_hollow(told).then_some(())?;
    let (_, behind) = rest.split_once(' ')?;
    let words = words_of(behind);
    let end = words
        .iter()
        .position(|word| PLACES.contains(&word.text.as_str()))
        .map_or(behind.len(), |at| words[at].at);
    let thing = behind.get(..end)?.trim_end_matches([' ', '.', ',', '!']);
    let thing = ["the ", "a ", "an ", "my ", "our "]
        .iter()
        .find_map(|word| thing.strip_prefix(word))
        .unwrap_or(thing);
    (!thing.is_empty() && word_count(thing) <= NAMED && !points_away(thing)).then_some(thing)
}

/// Words behind which stands where to, or with what.
const PLACES: [&str; 12] =
    ["against", "to", "into", "in", "on", "from", "with", "for", "as", "at", "under", "onto"];
/// A thing is named in so many words.
const NAMED: usize = 4;

/// "Ours all go to the west": it needs the sentence before to say what ours are.
fn speaks_of_it(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let opens = words.first().map_or("", |word| word.text.as_str());
    let leans = matches!(opens, "ours" | "theirs" | "those" | "these" | "they" | "it" | "unsere")
        || matches!(opens, "all" | "each" | "both") && words.get(1).is_some_and(|word| word.text == "of");
    leans && matches!(heard.mood, Mood::Statement | Mood::Practice | Mood::Duty) && heard.telling > 0
}

#[cfg(test)]
mod tests {
    use super::super::{Language, mood::hear};
    use super::*;

    #[test]
    fn two_sentences_say_one_thing() {
        let check = |one: &str, next: &str, expected: Option<Bond>| {
            let (one, next) = (hear(one, Language::English), hear(next, Language::English));
            assert_eq!(Bond::between(&one, &next), expected, "{one:?} {next:?}");
        };
        check(
            "Beware: the old winch eats the ropes as well.",
            "Use the `north` winch instead.",
            Some(Bond::Instead),
        );
        check("The old winch is stuck again since your fix.", "Use the north winch instead.", None);
        check("I used the old winch.", "Use the north winch instead.", None);
        check(
            "when the winch sticks its the salt in the hinge.",
            "rinse it and it turns",
            Some(Bond::Remedy),
        );
        check("when the winch sticks its the salt in the hinge.", "look at it", None);
        check("no, not brass on the gates!", "take the iron of the smithy", Some(Bond::Correction));
        check("no, not that one.", "take the second file", None);
        check(
            "sorry but no: you opened the lock to the east.",
            "Ours all go to the west.",
            Some(Bond::Reproach),
        );
        check("you opened the lock to the east.", "Close it.", None);
        check("Which winch?", "Use the north winch instead.", None);
    }

    #[test]
    fn they_are_named_by_what_holds() {
        let title = |one: &str, next: &str| {
            let (one, next) = (hear(one, Language::English), hear(next, Language::English));
            Bond::between(&one, &next).map(|bond| bond.title(&one, &next)).unwrap_or_default()
        };
        assert_eq!(
            title("no, not brass on the gates!", "take the iron of the smithy"),
            "Not brass on the gates: take the iron of the smithy"
        );
        assert_eq!(
            title("no: you opened the lock to the east.", "Ours all go to the west."),
            "Lock: Ours all go to the west"
        );
    }
}
