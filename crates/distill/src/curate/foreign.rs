//! Cues of other languages, told as the English words that do the same work.
//!
//! Comparing looks at what is denied, replaced and limited. The grammar for that is written once; a
//! sentence in another language keeps its own words for what it is about and lends its function
//! words to it.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::ruling::Language;

/// Returns the English word that does the same work, `-` where the word carries no subject.
pub(super) fn english(language: Language, word: &str) -> Option<&'static str> {
    static TABLE: OnceLock<HashMap<(Language, &'static str), &'static str>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let lines = include_str!("foreign.txt").lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once(": ")).flat_map(|(code, words)| {
            let language = Language::from_code(code);
            words.split_whitespace().filter_map(move |pair| Some((language?, pair.split_once('/')?)))
        });
        pairs.map(|(language, (word, english))| ((language, word), english)).collect()
    });
    // The table's keys live as long as the program; a borrowed word can still be looked up.
    table.get(&(language, word)).copied()
}

/// What the endings of a language without blanks say about the clause before them.
pub(super) fn denies_clause(word: &str) -> bool {
    word.contains("ません") || word.ends_with("ない") || word.contains("ない。") || word.ends_with("ず")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_words_lend_themselves_to_the_grammar() {
        assert_eq!(english(Language::German, "nicht"), Some("not"));
        assert_eq!(english(Language::Portuguese, "no"), Some("in"));
        assert_eq!(english(Language::Spanish, "no"), Some("not"));
        assert_eq!(english(Language::French, "facture"), None);
        assert!(denies_clause("いません") && !denies_clause("ています"));
    }
}
