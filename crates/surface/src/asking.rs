//! What only asks: it has the words of its answer, and does not say it.

use lore_core::Voice;

use crate::snippet::sentences;

/// Marks that may stand behind the end of a question.
const BEHIND: [char; 10] = ['"', '\'', '”', '’', '»', ')', ']', '*', '_', ' '];
/// With these a person asks somebody to do something, …
const WISHES: [&str; 6] = ["can you", "could you", "will you", "would you", "please", "let's"];
/// … unless it is to tell something.
const WANTS_TO_KNOW: [&str; 9] = ["what", "which", "who", "whose", "where", "when", "why", "how", "whether"];

/// Tells whether a text asks and says nothing beside it. A person's wish is no question, whatever its form.
pub(crate) fn only_asks(text: &str, voice: Voice) -> bool {
    let sentences = sentences(text);
    let asks = |sentence: &&str| sentence.trim_end_matches(BEHIND).ends_with(['?', '？', '؟']);
    !sentences.is_empty() && sentences.iter().all(asks) && !(voice == Voice::Person && is_wish(text))
}

/// Returns what a text says beside questions that nothing in it answers.
pub(crate) fn stated(text: &str) -> String {
    let sentences = sentences(text);
    let asks = |sentence: &str| only_asks(sentence, Voice::Person);
    let says = |at: &usize| {
        let next = sentences.get(at + 1);
        !asks(sentences[*at]) || next.is_some_and(|next| !asks(next) && may_answer(next))
    };
    (0..sentences.len()).filter(says).map(|at| sentences[at]).collect::<Vec<_>>().join("\n")
}

/// Tells whether a statement that follows a question may answer it. Who goes on about "I" and "you" still waits for the
/// answer.
pub(crate) fn may_answer(statement: &str) -> bool {
    let pointing = ["i", "i'll", "i'd", "i've", "i'm", "me", "my", "you", "you'd", "your", "let"];
    let lower = statement.to_lowercase().replace('’', "'");
    !words(&lower).any(|word| pointing.contains(&word))
}

fn is_wish(text: &str) -> bool {
    let lower = text.to_lowercase();
    WISHES.iter().any(|wish| lower.starts_with(wish))
        && !words(&lower).any(|word| WANTS_TO_KNOW.contains(&word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_statements() {
        let check = |text: &str, voice: Voice, expected: bool| {
            assert_eq!(only_asks(text, voice), expected, "{text}");
        };
        check("Where do the keys hang?", Voice::Agent, true);
        check("**Where do the keys hang?**", Voice::Agent, true);
        check("In the hall? Or (as before) in the shed?", Voice::Person, true);
        check("The keys hang in the hall. Right?", Voice::Agent, false);
        check("Where do the keys hang? → In the hall", Voice::Person, false);
        check("Could you hang the keys in the hall?", Voice::Person, false);
        check("Could you hang the keys in the hall?", Voice::Agent, true);
        check("Can you tell me where the keys hang?", Voice::Person, true);
        check("", Voice::Person, false);
    }

    #[test]
    fn open_questions_are_left_out_of_what_is_stated() {
        let check = |text: &str, expected: &str| assert_eq!(stated(text), expected);
        check("The shed is painted. Where do the keys hang?", "The shed is painted.");
        check("Where do the keys hang?\n→ In the hall", "Where do the keys hang?\n→ In the hall");
    }

    #[test]
    fn who_still_waits_for_an_answer_gives_none() {
        assert!(may_answer("In the hall, beside the oars."));
        assert!(!may_answer("I’ll hang them there."));
        assert!(!may_answer("Tell me once you know."));
    }
}
