//! What may be kept amid work because the numbers are sure of it and nothing ties it to the work.
//!
//! Numbers alone keep errands there: they were fitted on how people tell things, and not on how they talk while something
//! is being made. Forms alone let too little through: most of what is laid down amid work is a correction, a limit or a
//! fact, and does not say "always".

use super::alone::points_away;
use super::cues::SpeechCue;
use super::force::{head_of, obeys_the_forms};
use super::mood::{Heard, Mood};
use super::occasion::Occasion;
use super::outlives::{names_code, names_identifier, trails_off};
use super::words::{is_finite, words_of};
use crate::extract::sentence::word_count;

/// From these log-odds on a sentence that says why it holds is taken at its word amid work: where its form says so too, and
/// where it has none.
const SURE: [f64; 2] = [2.0, 2.5];

/// In a message of more words the rest of it says what is meant.
const A_FEW: usize = 45;
/// A sentence of fewer words says too little to be found later.
const SHORTEST: usize = 5;

/// Tells whether a sentence of a short message that was worked on lays something down all the same.
pub(super) fn lasts_amid_work(heard: &Heard, occasion: Occasion, lasting: f64) -> bool {
    if occasion.words > A_FEW {
        return false;
    }
    let told = Occasion { at_work: false, ..occasion };
    let in_form = obeys_the_forms(heard, told);
    let bar = if in_form { SURE[0] } else { SURE[1] };
    lasting >= bar && says_why_it_holds(heard, in_form) && !belongs_to_the_talk(heard)
}

/// It corrects, says "only ever" or "never", or has the form of a fact and gives its measure. A reason, a demand or a firm word
/// are not enough: amid work people give them for the work itself.
fn says_why_it_holds(heard: &Heard, in_form: bool) -> bool {
    let measures = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let states = matches!(heard.mood, Mood::Statement | Mood::Practice) && names_its_subject(&heard.body);
    heard.everlasting
        || heard.has(SpeechCue::Correcting)
        || in_form && states && heard.body.split_whitespace().any(measures)
}

/// "The crane takes 12 tons", "pier4 is 12 feet deep"; "getting 500 lamps lit" tells what goes on.
fn names_its_subject(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    matches!(said(0), "the" | "our" | "a" | "an" | "each" | "every" | "all" | "my") || is_finite(said(1))
}

/// Tells whether a sentence needs what was said around it, or was said of the code at hand.
fn belongs_to_the_talk(heard: &Heard) -> bool {
    let body = heard.body.trim();
    // What a reviewer wrote of the code, and somebody pasted.
    let of_code = names_code(body) || heard.mood == Mood::Statement && names_identifier(body);
    matches!(heard.mood, Mood::Courtesy | Mood::Question | Mood::Task | Mood::Resolve)
        || word_count(body) < SHORTEST
        || asks_behind(body)
        || of_code
        || joins_on(body)
        || points_away(head_of(body))
        || trails_off(body)
        || body.contains("...")
        || body.ends_with(':')
        || body.contains("http")
}

/// "But the lamp …", "I can't see …", "we need to …", "if the gate …": a thought within a talk.
fn joins_on(body: &str) -> bool {
    const OPENINGS: [&str; 37] = [
        "also",
        "and",
        "apparently",
        "as",
        "because",
        "but",
        "consider",
        "ensure",
        "i",
        "i'd",
        "i'm",
        "i've",
        "if",
        "it",
        "like",
        "maybe",
        "mention",
        "note",
        "ok",
        "okay",
        "once",
        "or",
        "perhaps",
        "really",
        "seems",
        "so",
        "that",
        "that's",
        "then",
        "these",
        "they",
        "this",
        "those",
        "well",
        "what",
        "when",
        "while",
    ];
    const OF_US: [&str; 14] = [
        "are",
        "can",
        "could",
        "did",
        "do",
        "had",
        "have",
        "need",
        "previously",
        "recently",
        "should",
        "still",
        "want",
        "were",
    ];
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    OPENINGS.contains(&said(0))
        || said(0) == "we" && OF_US.contains(&said(1))
        || said(0) == "the" && matches!(said(1), "issue" | "problem")
        || said(0) == "for" && said(1) == "example"
}

/// "We have two idle lamps, can we put them out": a question without its mark.
fn asks_behind(body: &str) -> bool {
    let lower = body.to_lowercase();
    [
        " can we ",
        " can you ",
        " could we ",
        " could you ",
        " should we ",
        " why did ",
        " why do ",
        " why is ",
        " do we ",
    ]
    .iter()
    .any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::super::{Language, mood::hear};
    use super::*;

    #[track_caller]
    fn check(sentence: &str, lasting: f64, expected: bool) {
        let heard = hear(sentence, Language::of(sentence));
        let occasion = Occasion { words: 20, at_work: true, asks: false };
        assert_eq!(lasts_amid_work(&heard, occasion, lasting), expected, "{sentence}: {heard:?}");
    }

    #[test]
    fn what_says_why_it_holds_is_taken_at_its_word() {
        check("depths are only ever told in fathoms, the pilots read nothing else", 2.6, true);
        check("the crane takes 12 tons, above that the pier gives way", 3.6, true);
        check("the crane takes 12 tons, above that the pier gives way", 0.5, false);
        check("nope, the berths are numbered from the sea, the chart has them so", 2.6, true);
    }

    #[test]
    fn what_belongs_to_the_talk_is_not() {
        for said in [
            "i can't see any lamp that is only lit at night",
            "the getBerth helper only reads the first 5 rows",
            "this must never happen",
            "we need to only light 2 lamps",
            "2 lamps are only lit by day, can we put them out",
            "getting 500 lamps lit on every pier",
            "seems like only 2 lamps are lit",
            "see https://harbour.example, only 2 lamps are lit there",
        ] {
            check(said, 9.0, false);
        }
    }
}
