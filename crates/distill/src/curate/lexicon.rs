//! The word lists of `lexicon.txt`, looked up by word.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::token::stem;

/// What a word is a sign of; a word may be of several classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Class {
    /// Carries no subject.
    Stop = 1,
    /// Stands on every page of a software project.
    Common = 1 << 1,
    /// Denies what follows.
    Negator = 1 << 2,
    /// Takes something away.
    Remover = 1 << 3,
    /// Says that something is no longer as it was.
    Change = 1 << 4,
    /// Hints at a change.
    Hint = 1 << 5,
    /// Opens the circumstances under which a statement holds.
    Circumstance = 1 << 6,
    /// Announces that a statement will not last.
    Provisional = 1 << 7,
    /// Opens a reason.
    Reason = 1 << 8,
    /// Limits when a statement holds.
    Condition = 1 << 9,
    /// Ends the subject of a sentence.
    Verb = 1 << 10,
    /// Opens an order.
    Order = 1 << 11,
    /// Makes the order of other words matter.
    Sequence = 1 << 12,
    /// Says where software runs or whom it serves.
    Place = 1 << 13,
    /// Takes something out of a rule.
    Exception = 1 << 14,
    /// Allows something.
    Permission = 1 << 17,
    /// Adds to what is known.
    Addition = 1 << 18,
    /// Gives a lower bound.
    Least = 1 << 15,
    /// Gives an upper bound.
    Most = 1 << 16,
}

const CLASSES: [(&str, Class); 19] = [
    ("stop", Class::Stop),
    ("common", Class::Common),
    ("negators", Class::Negator),
    ("removers", Class::Remover),
    ("changes", Class::Change),
    ("hints", Class::Hint),
    ("circumstances", Class::Circumstance),
    ("provisional", Class::Provisional),
    ("reasons", Class::Reason),
    ("conditions", Class::Condition),
    ("verbs", Class::Verb),
    ("orders", Class::Order),
    ("sequence", Class::Sequence),
    ("places", Class::Place),
    ("exceptions", Class::Exception),
    ("permissions", Class::Permission),
    ("additions", Class::Addition),
    ("least", Class::Least),
    ("most", Class::Most),
];

/// The lists, read once.
struct Lexicon {
    classes: HashMap<&'static str, u32>,
    stem_classes: HashMap<String, u32>,
    common_stems: HashSet<String>,
    opposites: HashSet<(String, String)>,
    /// The set of words each belongs to of which a statement gives one.
    sets: HashMap<String, usize>,
    frames: HashSet<String>,
    measures: HashSet<String>,
}

/// Tells whether a word is of a class.
pub(crate) fn is(word: &str, class: Class) -> bool {
    classes_of(word) & class as u32 != 0
}

/// Returns all classes of a word as bits.
pub(crate) fn classes_of(word: &str) -> u32 {
    lexicon().classes.get(word).copied().unwrap_or(0)
}

/// Tells whether a stem is that of a word of a class.
pub(crate) fn is_stem(stem: &str, class: Class) -> bool {
    lexicon().stem_classes.get(stem).is_some_and(|bits| bits & class as u32 != 0)
}

/// Tells whether a stem stands on every page of a software project.
pub(crate) fn is_common(stem: &str) -> bool {
    lexicon().common_stems.contains(stem)
}

/// Tells whether two stems are opposites.
pub(crate) fn is_opposite(a: &str, b: &str) -> bool {
    // Two lookups of borrowed text would need a copy; the pairs are few and mostly absent.
    lexicon().opposites.contains(&(a.to_owned(), b.to_owned()))
}

/// Tells whether two different stems are of a set of which a statement gives one.
pub(crate) fn is_of_one_set(a: &str, b: &str) -> bool {
    let set = |word: &str| lexicon().sets.get(word);
    a != b && set(a).is_some() && set(a) == set(b)
}

/// Tells whether a stem is of a set of which a statement gives one.
pub(crate) fn is_in_a_set(stem: &str) -> bool {
    lexicon().sets.contains_key(stem)
}

/// Tells whether a stem is that of a word by which something is laid down, whatever it is about.
pub(crate) fn is_frame(stem: &str) -> bool {
    lexicon().frames.contains(stem)
}

/// Tells whether a stem says which of the values of a thing is meant.
pub(crate) fn is_measure(stem: &str) -> bool {
    lexicon().measures.contains(stem)
}

/// Tells whether a stem has any opposite.
pub(crate) fn has_opposite(stem: &str) -> bool {
    static ANY: OnceLock<HashSet<String>> = OnceLock::new();
    ANY.get_or_init(|| lexicon().opposites.iter().map(|(a, _)| a.clone()).collect()).contains(stem)
}

/// Returns the plain form of an irregular one.
pub(crate) fn plain_form(word: &str) -> Option<&'static str> {
    irregular().get(word).copied()
}

fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let mut classes: HashMap<&'static str, u32> = HashMap::new();
        for (name, class) in CLASSES {
            for word in section(name) {
                *classes.entry(word).or_default() |= class as u32;
            }
        }
        let mut stem_classes: HashMap<String, u32> = HashMap::new();
        for (word, bits) in &classes {
            // A phrase is told without its hyphens.
            *stem_classes.entry(stem(&word.replace('-', ""))).or_default() |= bits;
        }
        let plain = |word: &str| stem(&word.replace('-', ""));
        let both = |(a, b): (&str, &str)| [(plain(a), plain(b)), (plain(b), plain(a))];
        Lexicon {
            classes,
            stem_classes,
            common_stems: section("common").map(stem).collect(),
            sets: section("sets")
                .enumerate()
                .flat_map(|(at, set)| set.split('/').map(move |word| (stem(word), at)))
                .collect(),
            frames: section("frames").map(plain).collect(),
            measures: section("measures").map(plain).collect(),
            opposites: section("opposites").filter_map(|pair| pair.split_once('/')).flat_map(both).collect(),
        }
    })
}

/// Kept apart, because stemming needs it while the rest is being read.
fn irregular() -> &'static HashMap<&'static str, &'static str> {
    static IRREGULAR: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    IRREGULAR.get_or_init(|| section("irregular").filter_map(|pair| pair.split_once('/')).collect())
}

/// Lists the words of a section.
fn section(name: &str) -> impl Iterator<Item = &'static str> {
    let text = include_str!("lexicon.txt");
    let mut inside = false;
    let lines = text.lines().filter(move |line| {
        if let Some(opened) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            inside = opened == name;
            return false;
        }
        inside && !line.starts_with('#')
    });
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_read() {
        for (name, _) in CLASSES {
            assert!(section(name).count() > 2, "{name}");
        }
        assert!(is("instead-of", Class::Negator) && is("instead-of", Class::Change));
        assert!(is_opposite(&stem("enabled"), &stem("disabling")));
        assert_eq!(plain_form("kept"), Some("keep"));
        assert!(!is("postgres", Class::Stop));
    }
}
