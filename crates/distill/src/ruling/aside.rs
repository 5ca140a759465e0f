//! Words beside the matter: what is put right by name, and where we all are.

use super::cues::{self, SpeechCue};
use super::language::Language;
use super::under_way::is_everyday_verb;
use super::words::{FINITE, Word};

/// "Not the brass key, the gate takes the iron one": what is meant instead stands behind it.
pub(super) fn corrects_by_name(body: &[Word]) -> bool {
    let Some(end) = body.iter().take(6).position(|word| word.ends_clause) else { return false };
    let states = |word: &Word| {
        word.text == "we" || FINITE.contains(&word.text.as_str()) || is_everyday_verb(&word.text)
    };
    body[0].text == "not" && body[end + 1..].iter().any(states)
}

/// "Letters are written in ink here": where all of us are, and no place in a file.
pub(super) fn only_here(language: Language, body: &[Word]) -> bool {
    let last = body.len().saturating_sub(1);
    let joins = |at: usize| {
        body.get(at + 1)
            .is_some_and(|next| matches!(next.text.as_str(), "so" | "and" | "because" | "but" | "since"))
    };
    // "Use brass here, not iron".
    let contrasts = |at: usize| body.get(at + 1).is_some_and(|next| next.text == "not");
    // "Use a nail here": one thing in one place.
    let one_thing = body.get(1).is_some_and(|word| matches!(word.text.as_str(), "a" | "an" | "the"));
    let here = |(at, word): (usize, &Word)| {
        word.text == "here"
            && (at > 3 || at == 3 && !one_thing || at == 2 && contrasts(at))
            && (word.ends_clause
                || at == last
                || joins(at)
                || matches!(body[at - 1].text.as_str(), "around" | "over"))
    };
    let rest: Vec<String> =
        body.iter().enumerate().filter(|word| !here(*word)).map(|(_, word)| word.text.clone()).collect();
    rest.len() < body.len() && cues::find(language, SpeechCue::Once, &rest).is_none()
}
