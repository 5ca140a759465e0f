//! How much a word tells about what a text is about: little where everybody uses it every day.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use lore_core::words::{Commonness, Form, commonness};

use crate::semantic::StaticTable;
use crate::token;

/// Lengths of word vectors between which a word goes from common to rare.
const COMMON: f32 = 25.0;
const RARE: f32 = 65.0;

/// What is known of a word.
pub(crate) struct KnownWord {
    pub(crate) common: Commonness,
    /// How much it tells about what a text is about, from 0 to 1.
    pub(crate) tells: f64,
    pub(crate) vector: Vec<f32>,
}

/// The words that were looked up: the same come again and again.
pub(crate) struct Vocabulary {
    table: StaticTable,
    known: RefCell<HashMap<String, Rc<KnownWord>>>,
}

impl Default for Vocabulary {
    fn default() -> Vocabulary {
        Vocabulary { table: StaticTable::shipped(), known: RefCell::default() }
    }
}

impl Vocabulary {
    pub(crate) fn look_up(&self, word: &str) -> Rc<KnownWord> {
        if let Some(known) = self.known.borrow().get(word) {
            return known.clone();
        }
        let common = commonness(word);
        let (vector, length) = match common {
            Commonness::Chat => (Vec::new(), 0.0),
            _ => self.table.word(word).unwrap_or((Vec::new(), RARE)),
        };
        let rare = f64::from(((length - COMMON) / (RARE - COMMON)).clamp(0.1, 1.0));
        let tells = match common {
            Commonness::Chat => 0.0,
            Commonness::Prompt => 0.1,
            Commonness::Software => 0.4,
            Commonness::English => rare.min(0.5),
            Commonness::Rare => rare,
        };
        let vector = vector.into_iter().map(|v| v / length).collect();
        let known = Rc::new(KnownWord { common, tells, vector });
        self.known.borrow_mut().insert(word.to_owned(), known.clone());
        known
    }
}

/// Lists the words of a text with their stems; a compound is its parts.
pub(crate) fn spoken(text: &str) -> Vec<(String, String)> {
    let text = without_contractions(text);
    let parts = token::tokens(&text).into_iter().filter(|token| token.form != Form::Whole);
    parts.map(|token| (token.term, token.word)).collect()
}

/// Takes off `'d`, `'ll`, `'re`, `'ve`, `'m`: `we'd` is no wedding.
fn without_contractions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '’']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mark = after.chars().next().map_or(1, char::len_utf8);
        let end = after[mark..].find(|c: char| !c.is_alphabetic()).map_or(after.len(), |end| mark + end);
        let ending = after[mark..end].to_ascii_lowercase();
        if !matches!(ending.as_str(), "d" | "ll" | "re" | "ve" | "m") {
            out.push_str(&after[..end]);
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_are_grammar() {
        assert_eq!(
            without_contractions("we'd say it's Nate’s, they'll don't"),
            "we say it's Nate’s, they don't"
        );
    }
}
