//! The words of a text, as the labels compare them.

use std::collections::BTreeSet;

/// A set of lower-case words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words(BTreeSet<String>);

impl Words {
    /// Takes the runs of letters and digits.
    pub(crate) fn of(text: &str) -> Words {
        let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Words(runs.map(str::to_lowercase).collect())
    }

    /// Tells whether at least six of ten of these words stand in the other text.
    pub(crate) fn mostly_in(&self, other: &Words) -> bool {
        !self.0.is_empty() && self.shared(other) * 10 >= self.0.len() * 6
    }

    /// Returns how alike two texts are, from 0 to 1 (Dice's coefficient).
    #[allow(clippy::cast_precision_loss, reason = "texts have few words")]
    pub(crate) fn likeness(&self, other: &Words) -> f64 {
        let all = self.0.len() + other.0.len();
        if all == 0 { 0.0 } else { 2.0 * self.shared(other) as f64 / all as f64 }
    }

    fn shared(&self, other: &Words) -> usize {
        self.0.intersection(&other.0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_of_ten_words_are_enough_and_five_are_not() {
        let ten = Words::of("a b c d e f g h i j");
        assert!(ten.mostly_in(&Words::of("A, B; C-D e f, and more")));
        assert!(!ten.mostly_in(&Words::of("a b c d e")));
        assert!(!Words::of("…").mostly_in(&ten));
    }

    #[test]
    fn likeness_is_one_for_the_same_words_and_nothing_for_none() {
        assert_eq!(Words::of("Use tabs").likeness(&Words::of("tabs use")), 1.0);
        assert_eq!(Words::of("use tabs").likeness(&Words::of("write tests")), 0.0);
    }
}
