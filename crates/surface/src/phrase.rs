//! Words that stand side by side: "make clean" names something, however everyday each of its words is.

use lore_core::words::{Commonness, commonness};

use crate::inquiry::is_measure;
use crate::token::is_stop_word;

/// What joins two words to one thing: "push to main", "deploy on Friday".
const JOINING: [&str; 13] =
    ["at", "before", "by", "during", "for", "from", "in", "into", "of", "on", "to", "under", "with"];
/// Shorter words are none that others are put together of.
const SHORTEST: usize = 3;

/// The pairs of neighbouring words of a text, by their terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Phrases {
    pairs: Vec<(String, String)>,
    /// Those with what joins them between.
    joined: Vec<(String, String, String)>,
}

impl Phrases {
    /// Finds them in the words of a text, each as term and word, in order.
    pub(crate) fn of(spoken: &[(String, String)]) -> Phrases {
        let pairs = spoken.windows(2).filter(|pair| {
            let (first, second) = (pair[0].1.as_str(), pair[1].1.as_str());
            names(first) && names(second) && !is_amount(first, second)
        });
        let told = |word: &str| names(word) && commonness(word) != Commonness::Chat && !is_measure(word);
        let joined = spoken
            .windows(3)
            .filter(|three| told(&three[0].1) && JOINING.contains(&three[1].1.as_str()) && told(&three[2].1));
        Phrases {
            pairs: pairs.map(|pair| (pair[0].0.clone(), pair[1].0.clone())).collect(),
            joined: joined
                .map(|three| (three[0].0.clone(), three[1].0.clone(), three[2].0.clone()))
                .collect(),
        }
    }

    /// Returns those that another text has too.
    pub(crate) fn shared<'p>(
        &'p self,
        spoken: &'p [(String, String)],
    ) -> impl Iterator<Item = (&'p str, &'p str)> {
        // "The default voice" is also "the default Orpheus voice": a name may stand between the two.
        let stands = |(first, second): &&(String, String)| {
            spoken.windows(2).any(|pair| pair[0].0 == *first && pair[1].0 == *second)
                || spoken.windows(3).any(|three| {
                    three[0].0 == *first
                        && three[2].0 == *second
                        && names(&three[1].1)
                        && commonness(&three[1].1) == Commonness::Rare
                })
        };
        let stand_joined = |(first, by, second): &&(String, String, String)| {
            spoken.windows(3).any(|three| three[0].0 == *first && three[1].0 == *by && three[2].0 == *second)
        };
        let pairs = self.pairs.iter().filter(stands).map(|(first, second)| (first.as_str(), second.as_str()));
        let joined = self.joined.iter().filter(stand_joined);
        pairs.chain(joined.map(|(first, _, second)| (first.as_str(), second.as_str())))
    }

    /// Tells whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.joined.is_empty()
    }

    /// Tells whether a term is part of one.
    pub(crate) fn has(&self, term: &str) -> bool {
        self.pairs.iter().any(|(first, second)| first == term || second == term)
            || self.joined.iter().any(|(first, _, second)| first == term || second == term)
    }
}

/// "Two hours", "last week": how much or how long, which names nothing.
fn is_amount(first: &str, second: &str) -> bool {
    let says_little = |word: &str| is_measure(word) || commonness(word) == Commonness::Chat;
    (is_measure(first) && says_little(second)) || (is_measure(second) && says_little(first))
}

/// Tells whether a word that is written as one stands in a text as two: `timeout` in “it times out”.
pub(crate) fn is_in_two(term: &str, spoken: &[(String, String)]) -> bool {
    term.len() >= 2 * SHORTEST && spoken.windows(2).any(|pair| is_of(term, &pair[0], &pair[1]))
}

/// Tells whether a text has as one word what stands here as two: “it times out” in `timeout`.
pub(crate) fn is_in_one(
    first: &(String, String),
    second: &(String, String),
    spoken: &[(String, String)],
) -> bool {
    spoken.iter().any(|(term, _)| term.len() >= 2 * SHORTEST && is_of(term, first, second))
}

fn is_of(term: &str, first: &(String, String), second: &(String, String)) -> bool {
    // A stem may have lost the `e` at its end.
    let bare = |word: &str| word.strip_suffix('e').unwrap_or(word).len();
    first.0.len() >= SHORTEST
        && !is_stop_word(&first.1)
        && [&first.0, &first.1].into_iter().any(|start| {
            let rest = term.strip_prefix(start.as_str()).unwrap_or_default();
            rest.len() > 1 && (rest[..bare(rest)] == second.0[..bare(&second.0)] || rest == second.1)
        })
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
        assert_eq!(shared("the east Kharybda gate is shut"), 1, "a name may stand between");
        assert_eq!(shared("the east side gate is shut"), 0);
    }

    #[test]
    fn what_joins_two_words_belongs_to_them() {
        let asked = Phrases::of(&spoken("merge into trunk and harvest on friday"));
        let shared = |text: &str| asked.shared(&spoken(text)).count();
        assert_eq!(shared("never merge into trunk"), 1);
        assert_eq!(shared("we harvest on friday"), 1);
        assert_eq!(shared("we harvest before friday"), 0);
    }

    #[test]
    fn amounts_name_nothing() {
        assert!(Phrases::of(&spoken("two hours")).is_empty() && Phrases::of(&spoken("last week")).is_empty());
        assert!(!Phrases::of(&spoken("office hours")).is_empty());
    }

    #[test]
    fn one_word_may_be_written_as_two() {
        let text = crate::spoken::spoken("The orders service times out; file names are kept.");
        assert!(is_in_two("timeout", &text) && is_in_two("filenam", &text));
        assert!(!is_in_two("outfil", &text) && !is_in_two("service", &text));
        let asked = crate::spoken::spoken("when does it time out");
        let two = &asked[asked.len() - 2..];
        assert!(is_in_one(&two[0], &two[1], &crate::spoken::spoken("The timeout is long.")));
    }
}
