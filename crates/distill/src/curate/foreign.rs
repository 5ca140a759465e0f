//! Cues of other languages, told as the English words that do the same work.
//!
//! Comparing looks at what is denied, replaced and limited. The grammar for that is written once; a
//! sentence in another language keeps its own words for what it is about and lends its function
//! words to it.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::slot::plain_words;
use crate::ruling::Language;

/// Returns the English word that does the same work, `-` where the word carries no subject.
pub(super) fn english(language: Language, word: &str) -> Option<&'static str> {
    let table = table();
    // The table's keys live as long as the program; a borrowed word can still be looked up.
    table.get(&(language, word)).copied()
}

/// The lines of `foreign.txt`, by language and word.
fn table() -> &'static HashMap<(Language, &'static str), &'static str> {
    static TABLE: OnceLock<HashMap<(Language, &'static str), &'static str>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let lines = include_str!("foreign.txt").lines().filter(|line| !line.starts_with('#'));
        let pairs = lines.filter_map(|line| line.split_once(": ")).flat_map(|(code, words)| {
            let language = Language::from_code(code);
            words.split_whitespace().filter_map(move |pair| Some((language?, pair.split_once('/')?)))
        });
        pairs.map(|(language, (word, english))| ((language, word), english)).collect()
    })
}

/// The longest fixed phrase has so many words.
const PHRASE: usize = 4;

/// Returns the cue that a fixed phrase of several words stands for, and how many these are: `in plaats van`.
pub(super) fn phrase(language: Language, words: &[&str]) -> Option<(usize, &'static str)> {
    static FIRST: OnceLock<HashSet<(Language, &'static str)>> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        let opens = |((language, word), _): (&(Language, &'static str), _)| {
            Some((*language, word.split_once('-')?.0))
        };
        table().iter().filter_map(opens).collect()
    });
    let opens = words.first()?.to_lowercase();
    // The table's words live as long as the program; a borrowed one can still be looked up.
    if !first.contains(&(language, opens.as_str())) {
        return None;
    }
    (2..=PHRASE.min(words.len())).rev().find_map(|length| {
        let (last, inner) = words[..length].split_last()?;
        // A mark in between ends the phrase; what follows the last word is the clause's.
        let is_whole = inner.iter().all(|word| word.chars().all(char::is_alphabetic));
        let last = last.trim_end_matches(|c: char| !c.is_alphabetic());
        let joined = || format!("{}-{last}", inner.join("-")).to_lowercase();
        let english = is_whole.then(joined).and_then(|joined| english(language, &joined))?;
        Some((length, english))
    })
}

/// Returns the words of a text in small letters with the small words of English in the place of its own; nothing where it is
/// in English, or in a language without blanks.
pub(super) fn lent(text: &str) -> Option<Vec<String>> {
    let language = Language::of(text);
    if matches!(language, Language::English | Language::Japanese) {
        return None;
    }
    let own = plain_words(text);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let (mut out, mut at) = (Vec::with_capacity(own.len()), 0);
    while let Some(word) = own.get(at) {
        match phrase(language, &own[at..]).or_else(|| Some((1, english(language, word)?))) {
            Some((length, "-")) => {
                out.push("the".to_owned());
                at += length;
            }
            Some((length, english)) => {
                // "instead-of" is two words.
                out.extend(english.split('-').map(str::to_owned));
                at += length;
            }
            None => {
                out.push((*word).to_owned());
                at += 1;
            }
        }
    }
    Some(out)
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
        let words: Vec<&str> = "in plaats van een lamp".split(' ').collect();
        assert_eq!(phrase(Language::Dutch, &words), Some((3, "instead-of")));
        assert_eq!(phrase(Language::German, &words), None);
        let told = lent("Da oggi usiamo lo specchio al posto del faro.").unwrap_or_default();
        assert_eq!(told.join(" "), "from today use the specchio instead of faro");
        assert_eq!(lent("we use the mirror"), None);
        assert!(denies_clause("いません") && !denies_clause("ています"));
    }
}
