//! Words: how text is taken apart, and how much a word says whatever a base holds.
//!
//! One place for what every stage needs: tokens and stems, words that carry only grammar, and how
//! common a word is in general.

mod commonness;
mod number;
mod subject;
mod token;

pub use commonness::{Commonness, commonness};
pub use number::{is_number_word, number_word};
pub use subject::subjects;
pub use token::{Form, Token, is_stop_word, tokens, tokens_stemmed};
