//! What was asked: words with weights.

use crate::token::{self, Form};

/// One word of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    /// As the index has it.
    pub(crate) term: String,
    /// As it was written, lower case.
    pub(crate) word: String,
    /// How much it counts.
    pub(crate) weight: f32,
    /// Whether it carries meaning.
    pub(crate) content: bool,
}

/// What a word that carries only grammar counts beside others.
const GRAMMAR: f32 = 0.15;
/// What a part counts beside its whole.
const PART: f32 = 0.6;
/// More words than this are a document, not a question; the rarest of them decide anyway.
const MOST: usize = 256;

/// Reads the words of a query; a word that comes twice counts a little more.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    for token in token::tokens(text) {
        let content = !token::is_stop_word(&token.word);
        let weight = match (content, token.form) {
            (false, _) => GRAMMAR,
            (true, Form::Part) => PART,
            (true, _) => 1.0,
        };
        if let Some(word) = out.iter_mut().find(|word| word.term == token.term) {
            word.weight = word.weight.max(weight) + weight * 0.25;
        } else if out.len() < MOST {
            out.push(Word { term: token.term, word: token.word, weight, content });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammar_counts_less_than_meaning() {
        let found = words("Why is the lock held?");
        let weight = |term: &str| found.iter().find(|word| word.term == term).unwrap().weight;
        assert!(weight("whi") < weight("lock"));
        assert!(found.iter().any(|word| word.term == "held" && word.content));
    }

    #[test]
    fn nothing_breaks_on_odd_characters() {
        for text in ["", "   ", "\"(*^~\\", "C++ AND NOT (", "a:b:c +-!", "🦀", "\u{0}"] {
            let _ = words(text);
        }
        assert!(words("C++").iter().any(|word| word.term == "c++"));
    }
}
