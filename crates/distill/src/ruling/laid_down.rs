//! Whether words carry a rule, however they were meant.

use super::cues::{self, SpeechCue};
use super::force::is_directive;
use super::heard::{Heard, Mood};
use super::language::Language;
use super::words::words_of;
use crate::extract::sentence::{sentences, word_count};

/// Signs of something that outlives the moment: it forbids, obliges, or holds from here on.
const SIGNS: [SpeechCue; 5] =
    [SpeechCue::Forbidding, SpeechCue::Standing, SpeechCue::Firm, SpeechCue::Lasting, SpeechCue::Obliging];
/// Fewer words lay nothing down: “stop” ends a piece of work.
const FEWEST: usize = 3;

/// Tells whether a sentence of a text has a sign of something that is laid down.
pub(crate) fn carries_a_rule(text: &str) -> bool {
    let language = Language::of(text);
    sentences(text).into_iter().any(|sentence| {
        let words: Vec<String> = words_of(sentence).into_iter().map(|word| word.text).collect();
        let by_words = |sign: &SpeechCue| cues::find(language, *sign, &words).is_some();
        let by_letters = |sign: &SpeechCue| cues::is_written(language, *sign, sentence);
        words.len() >= FEWEST && SIGNS.iter().any(by_words) || SIGNS.iter().any(by_letters)
    })
}

/// "That's a general thing with me", "this goes for every boat": nothing of its own, and what stood before it is meant to last.
pub(super) fn is_seal(body: &str) -> bool {
    const SEALS: [&str; 16] = [
        "that's a general",
        "thats a general",
        "this is a general",
        "that's a rule",
        "thats a rule",
        "this is a rule",
        "that goes for",
        "this goes for",
        "same goes for",
        "that applies to",
        "this applies to",
        "applies to all",
        "applies everywhere",
        "remember that for",
        "das gilt",
        "eso vale para",
    ];
    let lower = body.trim().to_lowercase().replace('’', "'");
    let alone = lower.trim_end_matches(['.', '!', ' ']);
    FOR_GOOD.contains(&alone)
        || word_count(&lower) <= SEALED && SEALS.iter().any(|seal| lower.starts_with(seal))
}

/// "You have to wind the clock before you leave, always": what is done so is done so each time.
pub(super) fn ends_for_good(heard: &Heard) -> bool {
    let lower = heard.body.trim_end_matches(['.', '!', ' ']).to_lowercase();
    let ends = lower
        .rsplit_once([',', '–', '—', '-'])
        .is_some_and(|(before, end)| word_count(before) >= FEWEST && FOR_GOOD.contains(&end.trim()));
    ends && is_directed(heard.mood)
}

/// Tells whether a sentence tells somebody what to do, or how it is done.
fn is_directed(mood: Mood) -> bool {
    is_directive(mood) || mood == Mood::Task
}

/// What says by itself that something holds each time.
const FOR_GOOD: [&str; 15] = [
    "always",
    "every time",
    "every single time",
    "each time",
    "without exception",
    "no exceptions",
    "immer",
    "jedes mal",
    "ohne ausnahme",
    "siempre",
    "sin excepción",
    "toujours",
    "sans exception",
    "sempre",
    "altijd",
];

/// A seal has at most so many words.
const SEALED: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_errands() {
        let check = |text: &str, expected: bool| assert_eq!(carries_a_rule(text), expected, "{text}");
        check("Push all this up and lets get it merged", false);
        check("The release notes with the recent changes.", false);
        check("It's fine, let's mark the ticket ready", false);
        check("Stop", false);
        check("Never push to the harbour branch.", true);
        check("From now on tickets are printed twice.", true);
        check("Tickets must be checked at the gate.", true);
        check("Don't sell tickets on board.", true);
        check("We use cards instead of coins.", true);
        check("Ab jetzt werden Karten immer geprüft.", true);
    }
}
