//! "When the winch sticks it's the salt in the hinge. Rinse it": a trouble that comes again, what is behind it, and what helps.

use super::words::{Word, words_of};
use crate::extract::flaws::is_plain_verb;

/// Words that open what happens whenever something is so.
const WHENEVER: [&str; 12] =
    ["when", "whenever", "if", "wenn", "falls", "sobald", "si", "quand", "cuando", "se", "quando", "als"];
/// How the cause is named, behind the trouble.
const IS: [&[&str]; 16] = [
    &["it's"],
    &["its"],
    &["that's"],
    &["thats"],
    &["it", "is"],
    &["that", "is"],
    &["ist", "es"],
    &["ist", "das"],
    &["liegt", "es"],
    &["liegt", "das"],
    &["c'est"],
    &["es", "por"],
    &["suele", "ser"],
    &["é", "por"],
    &["è", "per"],
    &["ligt", "het"],
];
/// How often it is so.
const MOSTLY: [&str; 14] = [
    "usually",
    "mostly",
    "always",
    "normally",
    "often",
    "generally",
    "meistens",
    "meist",
    "immer",
    "souvent",
    "siempre",
    "casi",
    "sempre",
    "quasi",
];
/// What opens the name of a cause.
const CAUSE: [&str; 22] = [
    "the", "a", "an", "because", "due", "almost", "nearly", "just", "only", "der", "die", "das", "ein",
    "eine", "am", "an", "le", "la", "un", "une", "el", "il",
];
/// Errands that help nobody the next time.
const ERRANDS: [&str; 22] = [
    "look",
    "check",
    "fix",
    "see",
    "find",
    "investigate",
    "debug",
    "explain",
    "tell",
    "show",
    "help",
    "revert",
    "undo",
    "please",
    "repair",
    "correct",
    "try",
    "think",
    "can",
    "could",
    "handle",
    "solve",
];
/// The trouble is told in so many words at least.
const TROUBLE: usize = 3;

/// Tells whether a sentence names the cause of a trouble that comes again.
pub(super) fn names_the_cause(body: &str) -> bool {
    cause_at(&words_of(body)).is_some()
}

/// Tells whether a sentence does so and says what helps, or how often it is so.
pub(super) fn is_diagnosis(body: &str) -> bool {
    let words = words_of(body);
    let Some(at) = cause_at(&words) else { return false };
    let rest = &words[at..];
    let helps = (1..rest.len()).any(|at| {
        let opens = rest[at - 1].ends_clause && is_remedy(&rest[at..]);
        opens || rest[at].text == "so" && is_remedy(&rest[at + 1..])
    });
    helps || rest.iter().take(3).any(|word| MOSTLY.contains(&word.text.as_str()))
}

/// "Rinse it and it turns": what helps the next time too.
pub(super) fn says_what_helps(body: &str) -> bool {
    let words = words_of(body);
    let named = words.iter().skip(1).any(|word| matches!(word.text.as_str(), "it" | "them" | "then" | "and"));
    is_remedy(&words) && named && words.len() > 2
}

fn is_remedy(words: &[Word]) -> bool {
    let Some(first) =
        words.iter().find(|word| !matches!(word.text.as_str(), "just" | "then" | "simply" | "and"))
    else {
        return false;
    };
    // "Rinse it": whatever is done to it.
    let to_it = words.get(1).is_some_and(|word| matches!(word.text.as_str(), "it" | "them"));
    words.len() > 1 && (is_plain_verb(&first.text) || to_it) && !ERRANDS.contains(&first.text.as_str())
}

/// Finds where the cause is named behind the trouble; who walks through what they saw names none.
fn cause_at(words: &[Word]) -> Option<usize> {
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    if !WHENEVER.contains(&said(0))
        || matches!(said(1), "i" | "you" | "it" | "this" | "that" | "ich" | "so" | "not")
    {
        return None;
    }
    let was = |word: &Word| {
        matches!(word.text.as_str(), "was" | "were" | "had" | "did" | "your" | "deine" | "today")
    };
    if words.iter().any(was) {
        return None;
    }
    (TROUBLE..words.len()).find_map(|at| {
        let named =
            IS.iter().find(|is| is.iter().enumerate().all(|(next, word)| said(at + next) == *word))?;
        let behind = at + named.len();
        let opens = MOSTLY.contains(&said(behind)) || CAUSE.contains(&said(behind)) || named[0] == "liegt";
        (opens && words.len() > behind + 1).then_some(behind)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_with_what_helps_is_a_diagnosis() {
        let check = |body: &str, expected: bool| assert_eq!(is_diagnosis(body), expected, "{body}");
        check("if the gate hums at night it's the wind in the bolt, put a cork under it", true);
        check("when the bell is late it is usually the rope", true);
        check("wenn die Lampe flackert ist es meistens der Docht", true);
        check("when the bell is late it is the rope", false);
        check("when the bell is late it's the rope, please look at it", false);
        check("if the gate sticks its your oil, take it off", false);
        check("when I rang the bell it was the wrong one", false);
        check("if it is late it is the rope, pull it", false);
        check("when the keeper rings the bell the gate opens", false);
        assert!(names_the_cause("when the winch sticks after a storm its the salt in the hinge"));
        assert!(says_what_helps("rinse it and it turns again"));
        assert!(!says_what_helps("look at it and tell me"));
        assert!(!says_what_helps("fix it and push"));
    }
}
