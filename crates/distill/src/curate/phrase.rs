//! Small phrases of a statement: what goes on, what stands in a slot, what is typed as a command.

use super::lexicon::{self, Class};
use super::token::Token;

/// Lists what stands in backticks and reads like `tool command sub-command`.
pub(super) fn commands(text: &str) -> Vec<String> {
    let word = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let typed = |span: &&str| span.contains(' ') && span.split(' ').all(word);
    text.split('`').skip(1).step_by(2).filter(typed).map(str::to_owned).collect()
}

/// "…, on Wednesdays": a phrase without a verb belongs to what stands before it.
pub(super) fn is_tail(word: &str, rest: &[Token]) -> bool {
    let placed = matches!(word, "on" | "in" | "at" | "from" | "with" | "for" | "by" | "to");
    let clause = rest.iter().take_while(|token| !matches!(token, Token::Break));
    placed
        && !clause
            .into_iter()
            .any(|token| matches!(token, Token::Mark { word, .. } if lexicon::is(word, Class::Verb)))
}

pub(super) fn next_word(rest: &[Token]) -> Option<&str> {
    match rest.first() {
        Some(Token::Mark { word, .. }) => Some(word),
        _ => None,
    }
}

pub(super) fn ends_phrase(word: &str) -> bool {
    lexicon::is(word, Class::Verb)
        || matches!(word, "and" | "in" | "to" | "with" | "by" | "at" | "on" | "from")
}

pub(super) fn is_slot(word: &str) -> bool {
    matches!(
        word,
        "in" | "at"
            | "to"
            | "from"
            | "with"
            | "by"
            | "as"
            | "through"
            | "under"
            | "on"
            | "into"
            | "for"
            | "named"
            | "called"
            | "is"
            | "are"
            | "uses"
            | "use"
            | "per"
            | "via"
            | "before"
            | "after"
    )
}

/// Without a comma, the circumstances end where the sentence proper must have begun.
pub(super) fn ends_preamble(token: &Token, at: usize) -> bool {
    at > 2 && matches!(token, Token::Mark { word, .. } if lexicon::is(word, Class::Verb) || word == "the")
}

/// Returns how much a stem tells about the subject.
pub(super) fn weight_of(stem: &str) -> f64 {
    if lexicon::is_common(stem) { 0.35 } else { 1.0 }
}

pub(super) fn is_cue(word: &str) -> bool {
    lexicon::is(word, Class::Negator)
        || matches!(
            word,
            "for-now" | "so-that" | "back-to" | "used-to" | "thinking-again" | "arrow" | "instead"
        )
}

/// Tells whether what follows in the clause is a name or a number.
pub(super) fn gives_a_value(rest: &[Token]) -> bool {
    let clause = rest.iter().take_while(|token| !matches!(token, Token::Break));
    clause.into_iter().any(|token| matches!(token, Token::Mark { word, name } if *name || word.contains(|c: char| c.is_ascii_digit())))
}
