//! What is to be done whenever something of a sort is done, and not only this once.

use super::for_all::is_rule_for_all;
use super::words::{WORK, is_plural, plain_words};
use crate::extract::flaws::is_plain_verb;

/// Tells whether a sentence says what to do whenever something of a sort is done: "when you finish
/// something …". Without the indefinite word it speaks of the work at hand.
pub(super) fn is_habit(body: &str) -> bool {
    let lower = body.to_lowercase();
    // "Do you mean the bell when you say …": a question.
    if ["do you ", "did you ", "are you "].iter().any(|asks| lower.starts_with(asks)) {
        return false;
    }
    if is_rule_for_all(body)
        || asks_first(&lower)
        || does_before(&lower)
        || does_with_each(&lower)
        || does_while(&lower)
    {
        return true;
    }
    let mut words = lower.split_whitespace();
    let opens = matches!(words.next(), Some("when" | "whenever" | "before" | "after" | "once" | "if"));
    let indefinite = ["something", "anything", "any", "a", "an", "each", "every"];
    if !opens || words.next() != Some("you") || lower.split_whitespace().count() <= 7 {
        return false;
    }
    let does = words.next().unwrap_or_default();
    // "When you painted the boats, you left out one": once.
    if does.ends_with("ed") || ["did", "made", "wrote", "ran", "went", "built", "were", "had"].contains(&does)
    {
        return false;
    }
    let rest: Vec<&str> = words.take(3).collect();
    let bare = |word: &str| word.trim_end_matches(',').to_owned();
    // "When you write letters, …": of their sort. What one sees or gets is of the moment.
    let meets = ["see", "find", "get", "have", "are", "hit", "notice", "finish", "need"].contains(&does);
    let definite = ["the", "this", "that", "these", "those", "my", "your", "our"];
    let of_a_sort = || {
        let upto = rest.iter().position(|word| word.ends_with(',')).map_or(rest.len(), |at| at + 1);
        let object = &rest[..upto];
        !meets
            && !object.iter().any(|word| definite.contains(word))
            && object.iter().any(|word| is_plural(&bare(word)))
    };
    rest.iter().any(|word| indefinite.contains(&bare(word).as_str())) || of_a_sort()
}

/// Openings of a wish about what the other does.
const WISHES: [&str; 3] = ["i'd like you to ", "i want you to ", "i would like you to "];

/// "Ask me before you sell anything": whom to ask, and before what. "… before you go on" is for this once.
fn asks_first(lower: &str) -> bool {
    let lower = WISHES.iter().find_map(|wish| lower.strip_prefix(wish)).unwrap_or(lower);
    let words = plain_words(lower);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let asks = matches!(
        words.as_slice(),
        ["ask" | "consult" | "warn", ..]
            | ["check", "with", ..]
            | ["talk", "to", ..]
            | ["always", "ask" | "check", ..]
    );
    // "Ask the harbour master when a lamp is out".
    let whom = words.first() == Some(&"ask") && !matches!(words.get(1), Some(&("me" | "us" | "yourself")));
    let occasion = words.iter().take(5).any(|word| matches!(*word, "when" | "if" | "about" | "for"));
    if whom && occasion && words.len() > 4 {
        return !words.contains(&"whether");
    }
    let before = words.iter().take(5).position(|word| *word == "before");
    asks && before.is_some_and(|at| {
        let rest = &words[at + 1..];
        rest.len() > 1 && !rest.iter().take(2).any(|word| GOES_ON.contains(word))
    })
}

/// What somebody does who merely goes on with the work at hand.
const GOES_ON: [&str; 11] = [
    "continue",
    "continuing",
    "proceed",
    "proceeding",
    "go",
    "going",
    "start",
    "starting",
    "are",
    "have",
    "finish",
];

/// "Lock the shed before you open a gate", "I'd like you to ring whenever you …": what goes with each of a
/// sort of deeds.
fn does_before(lower: &str) -> bool {
    let told = WISHES.iter().any(|wish| lower.starts_with(wish));
    let words = plain_words(lower);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let orders = words.first().is_some_and(|word| is_plain_verb(word) && !WORK.contains(word));
    let at = words.windows(2).position(|two| matches!(two, ["before" | "whenever" | "when", "you"]));
    at.is_some_and(|at| {
        let rest = &words[at + 2..];
        let any = rest
            .iter()
            .any(|word| matches!(*word, "a" | "an" | "any" | "anything" | "something" | "each" | "every"));
        let sort = told || any || rest.last().is_some_and(|word| is_plural(word));
        // "Row round the pier before you say that something is done": of all that will ever be done.
        let claims = matches!(rest, ["tell" | "say" | "claim" | "call" | "report", ..]) && any;
        (told || orders || claims) && at > 1 && rest.len() > 1 && sort && !GOES_ON.contains(&rest[0])
    })
}

/// What is done once, and then it is done.
const UNDERTAKEN: [&str; 8] =
    ["fixing", "adding", "implementing", "moving", "renaming", "refactoring", "removing", "finishing"];

/// "When painting boats, wear gloves": what goes with a sort of work. "When painting this one, …" is for this once.
fn does_while(lower: &str) -> bool {
    let Some((work, order)) = lower.split_once(", ") else { return false };
    let words = plain_words(work);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let opens =
        matches!(words.as_slice(), ["when" | "whenever" | "before", doing, _, ..] if doing.ends_with("ing"));
    let once =
        |word: &&str| matches!(*word, "this" | "that" | "it" | "these" | "those" | "here" | "now" | "done");
    let orders = plain_words(order).first().is_some_and(|word| {
        is_plain_verb(word) || matches!(word.as_str(), "always" | "never" | "don't" | "set")
    });
    let undertakes = words.get(1).is_some_and(|doing| UNDERTAKEN.contains(doing));
    opens
        && orders
        && !undertakes
        && !words.iter().any(once)
        && !plain_words(order).iter().any(|word| once(&word.as_str()))
}

/// "Ring the bell after each tide": an order for every occasion of a sort.
fn does_with_each(lower: &str) -> bool {
    // "Build a tower with a lamp for each gate" is built once.
    let makes =
        |verb: &str| matches!(verb, "build" | "create" | "make" | "add" | "implement" | "design" | "draw");
    let verb = lower.split_whitespace().find(|word| *word != "please").unwrap_or_default();
    let orders = is_plain_verb(verb) && !makes(verb);
    let each = ["after", "before", "with"]
        .iter()
        .any(|when| lower.contains(&format!(" {when} each ")) || lower.contains(&format!(" {when} every ")));
    orders && each
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_habit_names_a_sort_of_thing_and_not_the_thing_at_hand() {
        let check = |body: &str, expected: bool| assert_eq!(is_habit(body), expected, "{body}");
        check("When you finish something just give me three bullet points", true);
        check("Before you open a pull request run the whole test suite", true);
        check("ask me before you sell anything from the chest", true);
        check("Ask the keeper before opening the gate", true);
        check("ask the harbour master when a lamp is out", true);
        check("I'd like you to ring the bell before you open any gate.", true);
        check("lock the shed before you open a gate", true);
        check("update the ledger by hand with each tide", true);
        check("after each tide we already have a ledger", false);
        check("ask me before you continue", false);
        check("ask me whether the gate is shut", false);
        check("When you are done push the branch and tell me", false);
        check("Once you read the file change the second line", false);
    }
}
