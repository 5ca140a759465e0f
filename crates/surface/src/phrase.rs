//! Words that stand side by side: "make clean" names something, however everyday each of its words is.

use crate::token::is_stop_word;

/// The pairs of neighbouring words of a text, by their terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Phrases(Vec<(String, String)>);

impl Phrases {
    /// Finds them in the words of a text, each as term and word, in order.
    pub(crate) fn of(spoken: &[(String, String)]) -> Phrases {
        let pairs = spoken.windows(2).filter(|pair| pair.iter().all(|(_, word)| names(word)));
        Phrases(pairs.map(|pair| (pair[0].0.clone(), pair[1].0.clone())).collect())
    }

    /// Returns those that another text has too.
    pub(crate) fn shared<'p>(
        &'p self,
        spoken: &'p [(String, String)],
    ) -> impl Iterator<Item = (&'p str, &'p str)> {
        let stands = |(first, second): &&(String, String)| {
            spoken.windows(2).any(|pair| pair[0].0 == *first && pair[1].0 == *second)
        };
        self.0.iter().filter(stands).map(|(first, second)| (first.as_str(), second.as_str()))
    }

    /// Tells whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells whether a term is part of one.
    pub(crate) fn has(&self, term: &str) -> bool {
        self.0.iter().any(|(first, second)| first == term || second == term)
    }
}

/// A word that can be part of a name: no grammar, and no number alone. Where words are written without blanks, what
/// stands side by side are syllables.
fn names(word: &str) -> bool {
    let has_blanks = |c: char| c < '\u{2e80}';
    word.len() > 1
        && !is_stop_word(word)
        && word.contains(char::is_alphabetic)
        && word.chars().all(has_blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str) -> Vec<(String, String)> {
        text.split(' ').map(|word| (word.to_lowercase(), word.to_lowercase())).collect()
    }

    #[test]
    fn only_words_side_by_side_are_a_phrase() {
        let asked = Phrases::of(&spoken("run make clean and build the east gate"));
        let shared = |text: &str| asked.shared(&spoken(text)).count();
        assert_eq!(shared("Make clean also deletes the charts"), 1);
        assert_eq!(shared("the east gate is shut"), 1);
        assert_eq!(shared("clean what you make"), 0);
        assert_eq!(shared("build the wall"), 0, "an article names nothing");
    }
}
