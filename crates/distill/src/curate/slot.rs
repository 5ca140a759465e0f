//! The place where two sentences differ that begin and end alike.
//!
//! Who says a sentence again with other words in one place gives another answer to the same question, whatever these
//! words are: a day, a tool, “off” for “on”. What comes first is what the sentence is about, and another beginning is
//! another subject.

use super::lexicon::{self, Class};
use super::quantity;
use super::way;
use crate::extract::terms::number_word;

/// A place of more words is not one answer.
const WORDS: usize = 4;
/// So much of the longer sentence has to be alike.
const ALIKE: f64 = 0.6;
/// Behind so many words stands what is said of a subject.
const BEHIND: usize = 4;
/// Articles say nothing about where a sentence begins.
const ARTICLES: [&str; 12] = ["the", "a", "an", "our", "die", "der", "das", "le", "la", "les", "el", "o"];

/// What stands between the words with which two sentences begin and those with which they end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot<'w> {
    before: usize,
    after: usize,
    /// Whether more than articles stands before it.
    begun: bool,
    old: &'w [String],
    new: &'w [String],
}

/// Returns the words of a sentence in small letters, without the marks around them.
pub(crate) fn plain_words(text: &str) -> Vec<String> {
    let plain = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.to_lowercase().replace('’', "'")
    };
    text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect()
}

impl<'w> Slot<'w> {
    /// Finds the place where two sentences differ.
    pub(crate) fn between(known: &'w [String], arriving: &'w [String]) -> Slot<'w> {
        let before = known.iter().zip(arriving).take_while(|(a, b)| a == b).count();
        let (old, new) = (&known[before..], &arriving[before..]);
        let after = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let begun = known[..before].iter().any(|word| !ARTICLES.contains(&word.as_str()));
        let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
        Slot { before, after, begun, old, new }
    }

    /// Tells whether the sentences are one but for a place of few words.
    fn is_narrow(&self) -> bool {
        let longer = self.before + self.after + self.old.len().max(self.new.len());
        let alike = (self.before + self.after) as f64 / longer.max(1) as f64;
        self.old.len().max(self.new.len()) <= WORDS && alike >= ALIKE
    }

    /// Tells whether sentences that begin alike for most of their length end in something else.
    pub(crate) fn is_another_end(&self) -> bool {
        let tells = |words: &[String]| words.iter().any(|word| word.chars().count() > 2);
        let size = self.old.len().max(self.new.len());
        self.before > BEHIND
            && self.after == 0
            && size <= self.before + 1
            && tells(self.old)
            && tells(self.new)
    }

    /// Tells whether one of two sentences that are otherwise one says the opposite of the other by a small word.
    pub(crate) fn turns(&self) -> bool {
        let denies =
            |words: &[String]| words.iter().any(|word| lexicon::is(&word.replace('\'', ""), Class::Negator));
        let is_opposite = || match (self.old, self.new) {
            ([old], [new]) => way::are_opposite(old, new),
            _ => false,
        };
        self.is_narrow() && (denies(self.old) != denies(self.new) || is_opposite())
    }

    /// Tells whether another quantity of the same sort stands there: "12 hours" for "30 minutes", "24" for "60".
    pub(crate) fn renumbers(&self) -> bool {
        let is_number = |word: &String| {
            word.starts_with(|c: char| c.is_ascii_digit()) || word == "one" || number_word(word).is_some()
        };
        self.begun
            && self.is_narrow()
            && match (self.old, self.new) {
                ([old], [new]) => is_number(old) && is_number(new),
                ([old, of], [new, other]) => {
                    is_number(old) && is_number(new) && quantity::are_alike(of, other)
                }
                _ => false,
            }
    }

    /// Tells whether one word stands there for another, well behind the beginning.
    pub(crate) fn exchanges_a_word(&self) -> bool {
        self.is_narrow() && self.before >= BEHIND && self.old.len() == 1 && self.new.len() == 1
    }

    /// Lists what is seen of it.
    pub(crate) fn seen(&self) -> Vec<String> {
        if self.old.is_empty() && self.new.is_empty() {
            return Vec::new();
        }
        let place = match (self.begun, self.after) {
            (false, _) => "first",
            (true, 0) => "last",
            (true, _) => "amid",
        };
        let size = format!("{}for{}", self.old.len().min(WORDS), self.new.len().min(WORDS));
        let mut out = vec![format!("slot {place}")];
        if self.is_narrow() {
            out.push(format!("narrow {place}"));
            out.push(format!("narrow {place} {size}"));
            out.extend(self.turns().then(|| "narrow turns".to_owned()));
            let (old, new) =
                (self.old.first().map_or("", String::as_str), self.new.first().map_or("", String::as_str));
            let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
            out.push(format!(
                "narrow {place} {}",
                if number(old) && number(new) { "numbers" } else { "words" }
            ));
            out.extend(self.before.checked_sub(1).map(|_| format!("narrow before {}", self.before.min(5))));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_word_turns_a_sentence() {
        let turns = |old, new| Slot::between(&plain_words(old), &plain_words(new)).turns();
        assert!(turns("In winter the heating is always on.", "In winter the heating is always off."));
        assert!(turns("Guests may swim in the lake.", "Guests can not swim in the lake."));
        assert!(turns("The bell rings before lunch.", "the bell rings after lunch"));
        assert!(!turns("Guests may swim in the lake.", "Guests can swim in the lake."));
        assert!(!turns("The bell rings at noon.", "Nobody knows when the boat is not late."));
        assert!(!turns("The bell is on the boat.", "The boat is off."));
    }

    #[test]
    fn another_quantity_of_the_same_sort_takes_its_place() {
        let renumbers = |old, new| Slot::between(&plain_words(old), &plain_words(new)).renumbers();
        assert!(renumbers("A pass holds for 12 hours.", "A pass holds for 30 minutes."));
        assert!(renumbers("The crane lifts 500 bags per turn.", "The crane lifts 200 bags per turn."));
        assert!(!renumbers("8 boats lie at the pier.", "9 boats lie at the pier."));
        assert!(!renumbers("A pass holds for 12 hours.", "A pass holds for 30 people."));
        assert!(!renumbers("A pass holds for 12 hours.", "A pass holds long."));
    }

    #[test]
    fn another_beginning_is_another_subject() {
        let seen = |old: &str, new: &str| Slot::between(&plain_words(old), &plain_words(new)).seen();
        let place = |old: &str, new: &str| seen(old, new).first().cloned().unwrap_or_default();
        assert_eq!(place("The boat sails on May 9.", "The boat sails on June 21."), "slot last");
        assert_eq!(place("The boat sails at noon.", "The ferry sails at noon."), "slot first");
        assert_eq!(place("The boat sails at noon daily.", "The boat sails at ten daily."), "slot amid");
        assert_eq!(seen("The boat sails.", "the boat sails"), Vec::<String>::new());
    }
}
