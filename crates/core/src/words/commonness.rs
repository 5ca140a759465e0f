//! How common a word is in general: a coarse table that ships, so that what a word tells does not depend
//! on how many documents happen to lie in a base (where inverse document frequency misleads).

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use super::token::fold;

/// The lists, most common first; how they were made stands at their top.
const LISTS: &str = include_str!("commonness.txt");

/// Where a word is common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Commonness {
    /// Anybody says it to anybody.
    Chat,
    /// Everybody says it to a coding agent.
    Prompt,
    /// It is common in writing about software.
    Software,
    /// It is common in English.
    English,
    /// It is in none of the lists: a name, a term, a word of another language.
    Rare,
}

impl Commonness {
    fn of_list(name: &str) -> Option<Commonness> {
        match name {
            "chat" => Some(Commonness::Chat),
            "prompt" => Some(Commonness::Prompt),
            "software" => Some(Commonness::Software),
            "english" => Some(Commonness::English),
            _ => None,
        }
    }
}

/// A hash (FNV-1a) that is quick for words: every process that answers one prompt fills the table anew, and
/// nobody chooses its words who could make them collide.
struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> WordHasher {
        WordHasher(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

type Table = HashMap<Cow<'static, str>, Commonness, BuildHasherDefault<WordHasher>>;

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::with_capacity_and_hasher(5000, BuildHasherDefault::default());
    let mut list = None;
    for line in LISTS.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("= ") {
            Some(name) => list = Commonness::of_list(name),
            None => {
                let Some(list) = list else { continue };
                for word in line.split(' ').filter(|word| !word.is_empty()) {
                    table.entry(word.into()).or_insert(list);
                    // Words of a text come without their accents.
                    if !word.is_ascii() {
                        table.entry(fold(word).into()).or_insert(list);
                    }
                }
            }
        }
    }
    table
});

/// Endings that a form of a word may have, with what its plain form has instead.
const ENDINGS: [(&str, &str); 19] = [
    ("ies", "y"),
    ("ied", "y"),
    ("s", ""),
    ("es", ""),
    ("es", "e"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("ings", ""),
    ("er", ""),
    ("er", "e"),
    ("ers", ""),
    ("ers", "e"),
    ("ly", ""),
    ("est", ""),
    ("ment", ""),
    ("ation", "e"),
    ("able", ""),
];

/// Says how common a word is; it is lower case, without punctuation.
pub fn commonness(word: &str) -> Commonness {
    let mut letters = word.chars();
    // A single sign names nothing, a number is a value, and hiragana is the grammar of Japanese.
    let first = letters.next();
    if letters.next().is_none() && first.is_none_or(|c| c.is_ascii())
        || word.bytes().all(|byte| byte.is_ascii_digit())
        || word.chars().all(|c| matches!(c, '\u{3040}'..='\u{309f}'))
    {
        return Commonness::Chat;
    }
    if let Some(known) = TABLE.get(word) {
        return *known;
    }
    for (ending, instead) in ENDINGS {
        let Some(rest) = word.strip_suffix(ending).filter(|rest| rest.len() > 2) else { continue };
        let known = if instead.is_empty() {
            TABLE.get(rest).or_else(|| TABLE.get(undoubled(rest)))
        } else {
            TABLE.get(format!("{rest}{instead}").as_str())
        };
        if let Some(known) = known {
            return *known;
        }
    }
    Commonness::Rare
}

/// Takes the second of two equal letters off the end: `stopp` is `stop`.
fn undoubled(word: &str) -> &str {
    let bytes = word.as_bytes();
    match bytes {
        [.., a, b] if a == b && b.is_ascii_alphabetic() => &word[..word.len() - 1],
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_as_common_as_their_word() {
        let check = |word: &str, expected: Commonness| assert_eq!(commonness(word), expected, "{word}");
        check("the", Commonness::Chat);
        check("42", Commonness::Chat);
        check("b", Commonness::Chat);
        check("ください", Commonness::Chat);
        check("für", Commonness::Chat);
        check("fur", Commonness::Chat);
        check("anderen", Commonness::Chat);
        check("failing", Commonness::Prompt);
        check("tests", Commonness::Prompt);
        check("stopped", Commonness::Chat);
        check("queries", Commonness::Prompt);
        check("migrated", Commonness::Software);
        check("rivers", Commonness::English);
        check("glacier", Commonness::Rare);
        check("索引", Commonness::Rare);
    }

    #[test]
    fn the_lists_are_whole() {
        let names: Vec<&str> = LISTS.lines().filter_map(|line| line.strip_prefix("= ")).collect();
        assert_eq!(names, ["chat", "prompt", "software", "english"]);
        assert!(TABLE.len() > 3000, "{} words", TABLE.len());
        let odd: Vec<&Cow<'_, str>> =
            TABLE.keys().filter(|word| word.chars().any(|c| c.is_uppercase() || c.is_whitespace())).collect();
        assert!(odd.is_empty(), "{odd:?}");
    }
}
