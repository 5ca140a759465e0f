//! What is ours and what we do: facts told beside a task, habits, how somebody wants things.

use super::cues::SpeechCue;
use super::heard::{Heard, Mood};
use super::words::{FINITE, Word, words_of};

/// What a team does as a habit, behind "we".
pub(super) const HABITS: [&str; 30] = [
    "use", "deploy", "run", "store", "keep", "write", "ship", "target", "support", "test", "review",
    "release", "version", "tag", "sign", "squash", "merge", "host", "build", "log", "name", "decided",
    "agreed", "chose", "settled", "switched", "require", "follow", "prefer", "format",
];

/// "We deploy on Tuesdays", "we don't ship the tools", "we decided to drop it": what we do, or what was
/// decided.
pub(super) fn is_habit_of_ours(body: &str) -> bool {
    let words = words_of(body);
    let mut rest = words.iter().map(|word| word.text.as_str());
    let between = ["only", "don't", "dont", "do", "not", "just"];
    // "We run into so many leaks here".
    let suffers = |word: &Word| {
        matches!(
            word.text.as_str(),
            "issue" | "issues" | "problem" | "problems" | "error" | "errors" | "trouble"
        )
    };
    rest.next() == Some("we")
        && rest.find(|word| !between.contains(word)).is_some_and(|verb| HABITS.contains(&verb))
        && words.len() > SHORTEST_HABIT
        && !words.iter().any(suffers)
}

/// "We test it": a habit of so few words says nothing.
const SHORTEST_HABIT: usize = 4;

/// Verbs by which a fact is told: how something is, where, when and how much.
const TELLS: [&str; 19] = [
    "is", "are", "has", "have", "runs", "run", "lives", "live", "uses", "use", "belongs", "belong", "costs",
    "cost", "starts", "start", "ends", "sits", "stores",
];

/// Words of somebody who is not content.
const COMPLAINS: [&str; 22] = [
    "off", "wrong", "too", "only", "still", "but", "not", "empty", "missing", "slow", "broken", "instead",
    "again", "anymore", "now", "weird", "strange", "no", "stuck", "failing", "red", "down",
];

/// "The harbour office has 4 doors. Can you …?": a fact told beside a task, with its name or measure.
pub(super) fn is_plain_fact(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let verb = words
        .iter()
        .skip(1)
        .take(8)
        .find(|word| FINITE.contains(&word.text.as_str()) || TELLS.contains(&word.text.as_str()));
    let content = |word: &Word| COMPLAINS.contains(&word.text.as_str()) || word.text.ends_with("n't");
    matches!(heard.mood, Mood::Statement | Mood::Practice)
        && verb.is_some_and(|verb| TELLS.contains(&verb.text.as_str()))
        && heard.body.contains(|c: char| c.is_ascii_digit())
        && heard.telling > 3
        && !words.iter().any(content)
}

/// "I do not want to see rust on the gates", "we only lend keys to pilots": how somebody wants things or does
/// them, told beside a task.
pub(super) fn is_our_way(heard: &Heard) -> bool {
    let words = words_of(&heard.body);
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let refuses = said(0) == "i"
        && (matches!(said(1), "don't" | "dont" | "never") && said(2) == "want"
            || said(1) == "do" && said(3) == "want");
    let wishes = heard.mood == Mood::Wish && refuses && heard.telling > 3 && !heard.has(SpeechCue::Once);
    let does = heard.mood == Mood::Practice && is_habit_of_ours(&heard.body) && heard.telling > 2;
    let foreign = heard.mood == Mood::Practice && !heard.english && heard.telling > 3;
    let content = |word: &Word| !COMPLAINS.contains(&word.text.as_str());
    let limits = heard.mood == Mood::Statement && !heard.english && heard.has(SpeechCue::Limit);
    wishes || foreign || limits || does && words.iter().all(content)
}
