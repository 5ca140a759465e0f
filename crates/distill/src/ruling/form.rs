//! Forms of sentences, whatever they are about: talk, values, what a program printed, what sort of
//! knowledge a ruling is.

use lore_core::Kind;

use super::cues::SpeechCue;
use super::habit::is_habit;
use super::heard::{Heard, Mood};
use super::words::is_plural;

/// Tells whether a sentence says in so many words that it is to last.
pub(super) fn is_set(heard: &Heard) -> bool {
    [SpeechCue::Firm, SpeechCue::Lasting, SpeechCue::Universal].into_iter().any(|cue| heard.has(cue))
}

/// "Letters in ink please", "write the labels in Latin": how things of a sort are to be.
pub(super) fn is_way_of_a_sort(body: &str) -> bool {
    let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: Vec<String> = body.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let plural = |word: &String| word.len() > 3 && is_plural(word);
    let way = |word: &String| matches!(word.as_str(), "in" | "as" | "with" | "without" | "on" | "by");
    let asks = lower.iter().any(|word| matches!(word.as_str(), "please" | "plz" | "pls"));
    let noun = lower.iter().take(3).position(plural);
    let short = asks && noun.is_some_and(|at| lower.get(at + 1).is_some_and(way) && lower.len() > at + 2);
    let from = usize::from(lower.first().is_some_and(|word| word == "please"));
    let written = lower.get(from).is_some_and(|word| word == "write")
        && lower.iter().skip(from + 1).take(3).any(plural)
        && words.windows(2).any(|two| {
            two[0] == "in" && (two[1].starts_with(char::is_uppercase) || TONGUES.contains(&two[1].as_str()))
        });
    short || written
}

/// What people write things in.
const TONGUES: [&str; 8] =
    ["english", "german", "french", "spanish", "italian", "markdown", "uppercase", "lowercase"];

/// "I want brass for the gates": what for a sort of things, by its name.
pub(super) fn wants_a_thing(body: &str) -> bool {
    let lower = body.to_lowercase();
    let named = body
        .split_whitespace()
        .skip(1)
        .any(|word| word.chars().next().is_some_and(char::is_uppercase) && word.chars().count() > 1);
    let mut words = lower.split_whitespace().skip(2);
    let sort = words.next().is_some_and(|word| word.len() > 3 && is_plural(word))
        && words.next().is_some_and(|word| matches!(word, "in" | "as" | "with" | "without" | "for" | "on"));
    lower.starts_with("i want ") && (named && lower.contains(" for ") || sort)
}

/// Tells whether a wish is for something to be done now: "I want to add …", "I need some advice".
pub(super) fn is_undertaking(body: &str) -> bool {
    let lower = body.to_lowercase();
    let rest = ["i want ", "i need ", "i would like ", "i'd like ", "we want ", "we need "]
        .iter()
        .find_map(|opening| lower.strip_prefix(opening));
    let next = |rest: &str| rest.split_whitespace().next().unwrap_or_default().to_owned();
    rest.is_some_and(|rest| matches!(next(rest).as_str(), "to" | "some" | "you" | "your" | "help" | "advice"))
}

/// "I'd like to add a second lamp": what somebody means to make, some day or at once.
pub(super) fn is_plan_of_ones_own(body: &str) -> bool {
    const MAKES: &str = "add build create implement make fix explore start begin try introduce rename \
                         move handle find figure change update refactor think improve";
    let lower = body.to_lowercase();
    let wishes =
        ["i want to ", "i would like to ", "i'd like to ", "we want to ", "i need to ", "we need to "];
    let behind = wishes.iter().find_map(|wish| lower.split_once(wish).map(|(_, rest)| rest));
    let verb = behind.and_then(|rest| rest.split_whitespace().next());
    verb.is_some_and(|verb| MAKES.split(' ').any(|makes| makes == verb))
}

/// Verbs of a clause that tells how something is.
const HEAD_VERBS: [&str; 17] = [
    " cannot ", " can't ", " must ", " is ", " are ", " live ", " lives ", " run ", " runs ", " go ",
    " goes ", " has ", " have ", " use ", " uses ", " sit ", " sits ",
];

/// Tells whether a sentence is talk between two who work together: of oneself, of the other, of how
/// it goes and how one likes it.
pub(super) fn is_chat(body: &str) -> bool {
    const TALK: [&str; 45] = [
        "i",
        "i'm",
        "i've",
        "ive",
        "i'll",
        "i'd",
        "my",
        "me",
        "mine",
        "you",
        "you're",
        "your",
        "yours",
        "you'll",
        "still",
        "just",
        "already",
        "looks",
        "seems",
        "man",
        "wow",
        "lol",
        "great",
        "good",
        "nice",
        "cool",
        "awesome",
        "perfect",
        "amazing",
        "interesting",
        "positive",
        "easier",
        "tighter",
        "legit",
        "trying",
        "tried",
        "were",
        "we're",
        "did",
        "worked",
        "feel",
        "guess",
        "hope",
        "totally",
        "basically",
    ];
    let lower = body
        .to_lowercase()
        .replace("looks after", "keeps")
        .replace("lets you", "allows to")
        .replace("allows you", "allows to")
        .replace("we're on the ", "it has the ")
        .replace("we're with ", "it has ")
        // "The lamps were replaced" tells what was done.
        .replace("were replaced", "got")
        .replace("were moved", "got")
        .replace("were removed", "got");
    // "You may merge small fixes": what the other is allowed.
    if ["you may ", "you must ", "you can only "].iter().any(|words| lower.starts_with(words)) {
        return false;
    }
    // "The host is so and so, and you need this port": talk behind what is told.
    let head = lower.split([',', ';']).next().unwrap_or(&lower).split(" and ").next().unwrap_or(&lower);
    let told = head.split_whitespace().count() > 3 && HEAD_VERBS.iter().any(|verb| head.contains(verb));
    let lower = if told { head } else { lower.as_str() };
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    body.trim_end().ends_with('!') || words.any(|word| TALK.contains(&word))
}

/// Tells whether an order says what to use for a sort of thing, and not for the thing at hand.
pub(super) fn is_standing_use(body: &str) -> bool {
    // Behind the first clause stands why.
    let lower = body.split([',', ';']).next().unwrap_or(body).to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).collect();
    let at_hand = [
        "i",
        "my",
        "it",
        "them",
        "this",
        "that",
        "these",
        "those",
        "above",
        "below",
        "following",
        "attached",
    ];
    matches!(words.first(), Some(&("use" | "prefer" | "keep" | "name" | "call")))
        && words.len() > 2
        && !words.iter().any(|word| at_hand.contains(word))
}

/// Tells whether a line was printed by a program.
pub(super) fn is_printed(text: &str) -> bool {
    let symbols = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && *c != '`').count();
    let letters = text.chars().count().max(1);
    symbols * 100 / letters > 18
        || text.starts_with(['{', '<', '|', '$', '>', '+', '@', '[', '→'])
        || text.starts_with('(') && text.ends_with(')')
        || text.contains("\\\"")
        // "Berth No.='11'": a record as a program shows it.
        || text.contains("='")
        || text.contains("==")
        || text.split_whitespace().any(is_quoted_value)
        || ["npm warn ", "npm err", "npm notice "]
            .iter()
            .any(|tool| text.to_ascii_lowercase().starts_with(tool))
        || is_diagnostic(text)
        || is_command_line(text)
        || text.contains("exit code 0x")
}

/// "'10.0.0.1'": how programs show a value in what they report.
fn is_quoted_value(word: &str) -> bool {
    let inner = word.strip_prefix('\'').and_then(|rest| rest.split('\'').next());
    inner.is_some_and(|inner| {
        inner.len() > 3
            && inner.contains(|c: char| c.is_ascii_digit())
            && inner.contains(['.', ':', '-', '@'])
    })
}

/// Tells whether nothing but a command was typed: a program and at once its option.
fn is_command_line(text: &str) -> bool {
    let mut words = text.split_whitespace().skip(1);
    words.next().is_some_and(|word| word.len() > 3 && word.starts_with("--"))
}

/// Tells whether a line is a compiler's or a tool's: a level, perhaps a code, a colon.
pub(super) fn is_diagnostic(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (level, rest) = (text[..end].to_ascii_lowercase(), &text[end..]);
    let told = rest.starts_with([':', '[', '(']);
    // "exception: the crane at quay 4 …" is said by somebody who makes one.
    let makes_one = level == "exception"
        && ["the ", "for ", "in ", "on ", "only ", "our ", "a ", "all "].iter().any(|word| {
            rest.strip_prefix(':').is_some_and(|rest| rest.trim_start().to_lowercase().starts_with(word))
        })
        && text.starts_with(char::is_lowercase);
    told && !makes_one
        && matches!(
            level.as_str(),
            "error" | "warning" | "fatal" | "panic" | "note" | "traceback" | "exception" | "hint"
        )
        && text.contains(':')
        && !text.contains(". ")
}

/// Tells whether a sentence says in so many words how the other is to work.
pub(super) fn is_how_to_work(heard: &Heard) -> bool {
    let directive = matches!(heard.mood, Mood::Prohibition | Mood::Order | Mood::Wish);
    directive && (heard.has(SpeechCue::Lasting) || heard.everlasting) || is_habit(&heard.body)
}

/// Tells what sort of knowledge a ruling is: a rule for how to work, a choice, a limit, a fact, an event.
pub(super) fn kind(heard: &Heard) -> Kind {
    let limits = heard.has(SpeechCue::Limit);
    let built = is_built(&heard.body);
    let opening = heard.body.split_whitespace().next().unwrap_or_default().to_lowercase();
    match heard.mood {
        _ if matches!(opening.as_str(), "always" | "never") || is_habit(&heard.body) => Kind::Preference,
        _ if tells_you_how(&heard.body) => Kind::Preference,
        Mood::Prohibition | Mood::Order | Mood::Wish | Mood::Fragment => Kind::Preference,
        Mood::Resolve => Kind::Decision,
        Mood::Practice if is_decided(&heard.body) => Kind::Decision,
        Mood::Practice if heard.under_way && !heard.has(SpeechCue::When) => Kind::Decision,
        Mood::Practice if heard.has(SpeechCue::When) => Kind::Event,
        Mood::Practice if limits => Kind::Limitation,
        Mood::Practice if built => Kind::Architecture,
        Mood::Practice => Kind::Decision,
        Mood::Duty if limits && !heard.has(SpeechCue::Universal) => Kind::Limitation,
        Mood::Duty if heard.has(SpeechCue::Universal) => Kind::Preference,
        Mood::Duty => Kind::Decision,
        _ if heard.has(SpeechCue::When) && heard.has(SpeechCue::Past) => Kind::Event,
        _ if heard.has(SpeechCue::Lasting) => Kind::Preference,
        _ if built => Kind::Architecture,
        _ if limits => Kind::Limitation,
        // Who corrects says how it is.
        _ if heard.contrasts && !heard.has(SpeechCue::Correcting) => Kind::Decision,
        _ => Kind::Fact,
    }
}

/// "When you write letters, use the blue ink": how the other is to work.
fn tells_you_how(body: &str) -> bool {
    let lower = body.to_lowercase();
    ["when you ", "whenever you ", "before you ", "after you ", "if you "]
        .iter()
        .any(|opening| lower.starts_with(opening))
}

/// "We decided on Monday": the decision counts and not the day.
fn is_decided(body: &str) -> bool {
    let lower = body.to_lowercase();
    ["we decided", "we've decided", "we have decided", "we agreed", "we've agreed", "we have agreed"]
        .iter()
        .any(|opening| lower.starts_with(opening))
}

/// Tells whether a statement says where a part is or how parts go together.
pub(super) fn is_built(body: &str) -> bool {
    const PARTS: [&str; 18] = [
        " lives in ",
        " live in ",
        " comes from ",
        " come from ",
        " goes over ",
        " go over ",
        " goes through ",
        " go through ",
        " runs in ",
        " run in ",
        " is done by ",
        " are done by ",
        " in front of ",
        " sits ",
        " stored in ",
        " behind the ",
        " on top of ",
        " talks to ",
    ];
    let lower = body.to_lowercase();
    PARTS.iter().any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_means_to_make_and_what_a_program_shows_is_seen() {
        assert!(is_plan_of_ones_own("In the future I'd like to add a second lamp to each pier"));
        assert!(!is_plan_of_ones_own("I'd like to see every plan before the work begins"));
        assert!(is_printed("Boat with the mark 'A-1.20' is not allowed to enter the harbour."));
        assert!(is_printed("Fields and values: Berth No.='11'"));
        assert!(!is_printed("The keeper's lamp 'old Tom' burns all night"));
    }

    #[test]
    fn what_is_to_be_done_now_is_no_rule() {
        assert!(is_undertaking("I want to add a date to each chapter, not to the series."));
        assert!(!is_undertaking("I want plain tables, not cards."));
    }
}
