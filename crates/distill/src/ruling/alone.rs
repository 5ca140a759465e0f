//! Whether a sentence stands alone: whole, and clear to somebody who did not follow the talk.

use super::words::{Word, words_of};
use crate::extract::flaws::is_plain_verb;

/// Tells whether a sentence was torn out of something: a bracket or a mark of code without its pair,
/// or an end that announces more.
pub(crate) fn is_torn(body: &str) -> bool {
    let body = body.trim();
    let mut open = 0_i32;
    let mut torn = false;
    for word in body.split_whitespace() {
        // ":)" and "b)" are no brackets.
        if [":)", ";)", ":-)", ":(", ":-("].contains(&word) {
            continue;
        }
        let counts = word.len() > 2 && !word.starts_with("http");
        open += count(word, '(');
        open -= if counts { count(word, ')') } else { 0 };
        torn |= open < 0;
    }
    torn || open != 0
        || body.matches('`').count() % 2 == 1
        || body.trim_end_matches(['.', ' ']).ends_with([':', '(', ','])
        || ["e.g.", "i.e.", " ie.", " eg.", "etc. etc."].iter().any(|end| body.ends_with(end))
}

fn count(word: &str, mark: char) -> i32 {
    i32::try_from(word.matches(mark).count()).unwrap_or(i32::MAX)
}

/// Nouns with which "this" names where everybody is.
const HOME: [&str; 20] = [
    "repo",
    "repository",
    "project",
    "codebase",
    "package",
    "monorepo",
    "app",
    "application",
    "product",
    "service",
    "team",
    "company",
    "organisation",
    "organization",
    "week",
    "month",
    "sprint",
    "quarter",
    "year",
    "release",
];
/// Words behind which "that" stands for something said before.
const BEFORE_THAT: [&str; 32] = [
    "of", "in", "with", "for", "to", "from", "on", "at", "like", "do", "did", "use", "using", "fix", "keep",
    "than", "about", "by", "is", "was", "not", "and", "or", "after", "before", "into", "without", "if",
    "delete", "remove", "update", "give",
];
/// Verbs behind which "that" opens what is told.
const TELLING: [&str; 16] = [
    "ensure",
    "verify",
    "note",
    "mean",
    "say",
    "remember",
    "know",
    "assume",
    "require",
    "check",
    "see",
    "show",
    "guarantee",
    "mention",
    "think",
    "confirm",
];
/// Words that open a clause in which a pronoun may take up the one before.
const JOINS: [&str; 20] = [
    "so", "because", "and", "but", "since", "if", "when", "as", "that", "which", "until", "before", "after",
    "or", "while", "unless", "where", "whenever", "then", "than",
];
/// What one has in hand while working: named with an article, it is the one just worked on.
const IN_HAND: [&str; 17] = [
    "branch",
    "pr",
    "commit",
    "diff",
    "conversation",
    "chat",
    "screenshot",
    "stash",
    "comment",
    "comments",
    "findings",
    "todo",
    "todos",
    "plan",
    "ticket",
    "latter",
    "former",
];
/// Nouns that a number or letter behind them makes a reference to a list somewhere else.
const LISTED: [&str; 10] =
    ["option", "step", "point", "item", "number", "approach", "phase", "bug", "finding", "question"];

/// Tells whether a sentence refers to something that was said, shown or worked on before it.
pub(super) fn points_away(body: &str) -> bool {
    let words = words_of(body);
    (0..words.len()).any(|at| refers(&words, at)) || is_conditional_on_talk(&words)
}

fn refers(words: &[Word], at: usize) -> bool {
    let text = words[at].text.as_str();
    let next = words.get(at + 1).map_or("", |word| word.text.as_str());
    let before = at.checked_sub(1).map_or("", |at| words[at].text.as_str());
    let last = next.is_empty() || words[at].ends_clause;
    match text {
        "this" | "these" => !HOME.contains(&next),
        "those" => !matches!(next, "who" | "that" | "which" | "with" | "of" | "without" | "in" | "from"),
        "that" => {
            let begins = at == 0 && !words.get(at + 2).is_some_and(|_| is_clause_of_its_own(words));
            let object = is_plain_verb(before) && !TELLING.contains(&before);
            begins || last || object || BEFORE_THAT.contains(&before) || matches!(next, "one" | "is" | "way")
        }
        "that's" | "thats" => at == 0,
        "it" | "it's" | "its" | "them" | "they" | "they're" => !has_antecedent(words, at),
        "both" => last || matches!(next, "then" | "of" | "a"),
        "one" | "ones" => matches!(before, "other" | "first" | "second" | "last" | "new" | "old" | "right"),
        "same" => last,
        "there" => matches!(before, "in" | "over" | "out" | "from" | "up" | "down"),
        "esto" | "eso" | "isto" | "isso" | "ceci" | "cela" | "ça" | "ciò" => true,
        "else" => matches!(before, "anywhere" | "anything" | "everything" | "everywhere"),
        "following" | "aforementioned" => before == "the",
        _ if LISTED.contains(&text) => next.len() == 1 && next != "a" || next.parse::<u32>().is_ok(),
        _ => {
            IN_HAND.contains(&text) && matches!(before, "the" | "current" | "our" | "my" | "your" | "parent")
        }
    }
}

/// "That the gate is shut at night is law": "that" opens a clause here.
fn is_clause_of_its_own(words: &[Word]) -> bool {
    words.iter().filter(|word| matches!(word.text.as_str(), "is" | "are" | "was" | "were")).count() > 1
}

/// Tells whether something before a pronoun in its own sentence can be what it stands for.
fn has_antecedent(words: &[Word], at: usize) -> bool {
    // "Anything with brass in it".
    let any =
        |word: &Word| matches!(word.text.as_str(), "anything" | "everything" | "something" | "whatever");
    if words[..at].iter().any(any) {
        return true;
    }
    let joined = |word: &Word| word.ends_clause || JOINS.contains(&word.text.as_str());
    let clause = words[..at].iter().rposition(joined);
    // A conjunction at the very beginning joins to nothing in the sentence.
    clause.is_some_and(|join| join >= 2)
}

/// "If so", "if needed", "if you …": a condition of the talk and not of the matter.
fn is_conditional_on_talk(words: &[Word]) -> bool {
    let mut words = words.iter().map(|word| word.text.as_str());
    words.next() == Some("if")
        && matches!(words.next(), Some("so" | "not" | "needed" | "possible" | "you" | "necessary"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_torn_out_is_seen() {
        let check = |body: &str, expected: bool| assert_eq!(is_torn(body), expected, "{body}");
        check("the keeper should have the last word).", true);
        check("we can configure the bells in the tower itself (e.g.", true);
        check("the list` should have options", true);
        check("the gates we follow the next pattern:", true);
        check("use brass keys (the small ones) for the gates", false);
        check("a) brass keys b) steel keys", false);
        check("brass keys please :)", false);
    }

    #[test]
    fn what_refers_to_the_talk_is_seen() {
        let check = |body: &str, expected: bool| assert_eq!(points_away(body), expected, "{body}");
        check("let's extract this path to a common drawer", true);
        check("delete that drawer", true);
        check("lets clean that drawer", true);
        check("ensure that keys are oiled", false);
        check("we don't need those keys", true);
        check("it should ring twice", true);
        check("let's go with option 1", true);
        check("let's make both a constant", true);
        check("from our parent branch", true);
        check("if so we can use the east gate", true);
        check("use the other one", true);
        check("we use brass keys in this project", false);
        check("the gate must be shut so that it does not rust", false);
        check("keep all keys in the hall and hang them by number", false);
        check("keys that are bent go to the smith", false);
        check("those who row must swim", false);
        check("the full register is never changed, it is a snapshot", false);
        check("if we see a new boat with an old number, we should call the office", false);
    }
}
