//! The telling words of a text, for comparing passages.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

pub(crate) use lore_core::words::number_word;

use crate::extract::sentence::words;

/// A telling word, reduced to a hash of its stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(u64);

static COMMON: LazyLock<std::collections::HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common.txt").split_whitespace().collect());

/// Tells whether a lower-case word says nothing about the subject.
pub(crate) fn is_common(word: &str) -> bool {
    word.chars().count() < 3 && !word.chars().any(|c| c.is_ascii_digit()) || COMMON.contains(word)
}

/// Collects the terms of a text, each once, in order of their hash.
pub(crate) fn terms(text: &str) -> BTreeSet<Term> {
    words(text).filter(|word| !is_common(word)).map(|word| term(&word)).collect()
}

/// Returns the share of the smaller set that both have.
pub(crate) fn overlap(one: &BTreeSet<Term>, other: &BTreeSet<Term>) -> f64 {
    let smaller = one.len().min(other.len());
    if smaller == 0 {
        return 0.0;
    }
    ratio(one.intersection(other).count(), smaller)
}

/// Divides two counts.
#[allow(clippy::cast_precision_loss, reason = "counts of words are far below the limit")]
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn term(word: &str) -> Term {
    let mut hasher = DefaultHasher::new();
    stem(word).hash(&mut hasher);
    Term(hasher.finish())
}

/// Takes the commonest endings off, so that `removed` and `removes` are one term.
pub(crate) fn stem(word: &str) -> &str {
    if !word.is_ascii() || word.len() < 5 || word.contains('_') {
        return word;
    }
    for ending in ["ings", "ing", "ies", "ied", "ed", "es", "s", "e"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 4
            && !stem.ends_with('s')
        {
            return stem;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_do_not_matter() {
        assert_eq!(terms("removed branches"), terms("removes branch"));
        assert!(terms("the and of").is_empty());
        assert!((overlap(&terms("store the session"), &terms("sessions stored here")) - 1.0).abs() < 1e-9);
    }
}
