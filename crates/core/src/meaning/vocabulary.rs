//! How much a word tells about what a text is about: little where everybody uses it every day.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::StaticTable;
use crate::words::{Commonness, commonness};

/// Lengths of word vectors between which a word goes from common to rare.
const COMMON: f32 = 25.0;
const RARE: f32 = 65.0;

/// What is known of a word.
#[derive(Debug)]
pub struct KnownWord {
    /// How common it is, and where.
    pub common: Commonness,
    /// How much it tells about what a text is about, from 0 to 1.
    pub tells: f64,
    /// What it means, of length one; empty where nobody knows.
    pub vector: Vec<f32>,
}

/// The words that were looked up: the same come again and again.
pub struct Vocabulary {
    table: StaticTable,
    known: RefCell<HashMap<String, Rc<KnownWord>>>,
}

impl Default for Vocabulary {
    fn default() -> Vocabulary {
        Vocabulary { table: StaticTable::shipped(), known: RefCell::default() }
    }
}

impl Vocabulary {
    /// Returns what is known of a word.
    pub fn look_up(&self, word: &str) -> Rc<KnownWord> {
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
