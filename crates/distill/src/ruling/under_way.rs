//! What people tell as going on: "we're using brass", "switched the lamps over to oil".

use std::collections::HashSet;
use std::sync::LazyLock;

use super::ours::HABITS;

/// Changes that people tell without saying who made them: "switched the harbour over to steam".
const CHANGED: [&str; 12] = [
    "switched",
    "moved",
    "migrated",
    "replaced",
    "dropped",
    "renamed",
    "upgraded",
    "downgraded",
    "raised",
    "lowered",
    "swapped",
    "bumped",
];

/// Tells whether a sentence without a subject, or of "I'm changing", says what is otherwise from now on.
pub(super) fn tells_a_change(texts: &[String]) -> bool {
    let goes = |word: &String| matches!(word.as_str(), "to" | "from" | "with" | "by" | "over" | "for");
    let rest = match texts {
        [first, rest @ ..] if CHANGED.contains(&first.as_str()) => rest,
        [me, verb, rest @ ..]
            if matches!(me.as_str(), "i'm" | "im" | "we're") && CHANGING.contains(&verb.as_str()) =>
        {
            rest
        }
        _ => return false,
    };
    rest.len() > 2 && rest.iter().any(goes)
}

/// "We're using brass for the gates", "we're going with brass", "I settled on brass".
pub(super) fn is_ongoing_habit(texts: &[String]) -> bool {
    if intends(texts) || all_agreed(texts) {
        return true;
    }
    let verb = match texts {
        [we, verb, _, ..] if we == "we're" => verb,
        [we, are, verb, _, ..] if we == "we" && are == "are" => verb,
        [who, chose, _, ..] if matches!(who.as_str(), "we" | "i") => return CHOSE.contains(&chose.as_str()),
        [who, have, chose, ..] if matches!(who.as_str(), "we've" | "i've") => {
            return CHOSE.contains(&have.as_str()) || CHOSE.contains(&chose.as_str());
        }
        _ => return false,
    };
    let sticks = matches!(verb.as_str(), "sticking" | "staying")
        && texts
            .iter()
            .skip(2)
            .take(2)
            .any(|word| matches!(word.as_str(), "with" | "for" | "to" | "on" | "back"));
    let habit = verb.strip_suffix("ing").is_some_and(|stem| {
        let doubled = stem.get(..stem.len().saturating_sub(1)).unwrap_or_default();
        HABITS
            .iter()
            .any(|habit| *habit == stem || habit.strip_suffix('e') == Some(stem) || *habit == doubled)
    });
    sticks || habit
}

/// "The pilots agreed to use brass", "yesterday the board decided …".
fn all_agreed(texts: &[String]) -> bool {
    let who = ["the", "our", "everybody", "everyone", "management", "yesterday", "today"];
    let chose = |word: &String| matches!(word.as_str(), "agreed" | "decided" | "voted" | "chose");
    texts.first().is_some_and(|first| who.contains(&first.as_str()))
        && texts.len() > 4
        && texts.iter().take(5).any(chose)
}

/// "We'll keep the old winch", "we're going to drop tar": what is meant to be, near the beginning.
fn intends(texts: &[String]) -> bool {
    const MEANT: [&str; 12] = [
        "keep", "use", "drop", "take", "switch", "move", "replace", "stay", "adopt", "stick", "go", "support",
    ];
    let said = |at: usize| texts.get(at).map_or("", String::as_str);
    (0..texts.len().min(7)).any(|at| {
        let verb = match (said(at), said(at + 1), said(at + 2)) {
            ("we'll", ..) => at + 1,
            ("we", "will", _) | ("we're", "gonna", _) => at + 2,
            ("we're", "going", "with" | "for") => return texts.len() > at + 3,
            ("we", "are", "going") if matches!(said(at + 3), "with" | "for") => return texts.len() > at + 4,
            ("we're", "going", "to") => at + 3,
            _ => return false,
        };
        let goes = said(verb) != "go" || matches!(said(verb + 1), "with" | "for" | "back");
        MEANT.contains(&said(verb))
            && goes
            && texts.len() > verb + 2
            && !matches!(said(verb + 1), "it" | "this" | "that" | "on")
    })
}

/// What one says of a choice that was made.
const CHOSE: [&str; 10] = [
    "chose",
    "decided",
    "picked",
    "settled",
    "agreed",
    "opted",
    "voted",
    "chosen",
    "standardized",
    "standardised",
];

/// What one says while changing a rule.
const CHANGING: [&str; 12] = [
    "switching",
    "moving",
    "migrating",
    "replacing",
    "dropping",
    "renaming",
    "raising",
    "lowering",
    "changing",
    "swapping",
    "setting",
    "increasing",
];

/// Tells whether a word is the plain form of a verb of everyday speech.
pub(super) fn is_everyday_deed(word: &str) -> bool {
    VERBS.contains(word)
}

static VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("everyday-verbs.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Tells whether a word is a verb of everyday speech as in "it speaks".
pub(super) fn is_everyday_verb(word: &str) -> bool {
    let stem = |end: &str| word.strip_suffix(end);
    stem("ies").is_some_and(|stem| VERBS.contains(format!("{stem}y").as_str()))
        || stem("es").is_some_and(|stem| VERBS.contains(stem))
        || stem("s").is_some_and(|stem| VERBS.contains(stem))
}
