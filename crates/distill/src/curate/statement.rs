//! One claim as it was said, and taken apart for comparing.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::redact::MARK;
use lore_core::{Kind, Voice};

use super::compare::Side;
use super::foreign;
use super::measured::Measured;
use super::outline::Outline;
use super::reading::Reading;
use super::remainder::Parts;
use super::slot::plain_words;
use crate::extract::phrases::ANSWERING;
use crate::fitted;
use crate::ruling::own_words;

/// One claim with what is known about its origin, ready to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The claim itself.
    pub text: String,
    /// The words it was said in; empty where they are not known.
    pub quote: String,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// Whose words it rests on.
    pub voice: Voice,
    /// When it was said.
    pub at: Option<Timestamp>,
    /// Sessions and lines it stands in.
    pub places: BTreeSet<(String, u32)>,
}

impl Statement {
    /// Makes a statement of unknown origin.
    pub fn plain(text: impl Into<String>, kind: Kind) -> Statement {
        Statement {
            text: text.into(),
            quote: String::new(),
            kind,
            voice: Voice::Agent,
            at: None,
            places: BTreeSet::new(),
        }
    }

    /// Takes it apart, weighing words by how rare they are in the base.
    pub(crate) fn side_with(&self, rarity: &dyn Fn(&str) -> f64) -> Side {
        // What was taken out says nothing, and two of them are not the same.
        let text = self.text.replace(MARK, "…");
        // "The consultant wrote “you deploy with Flux”, which is wrong": what is reported is nobody's claim here.
        let own = own_words(&text);
        let text = if own.contains(char::is_alphanumeric) { own.trim() } else { text.as_str() };
        let mut side = Side {
            // Every answer says that it is one.
            reading: Reading::of(&text.replace(ANSWERING, " (")),
            words: fitted::words::tokens(text),
            said: plain_words(text),
            measured: Measured::of(text),
            lent: foreign::lent(text),
            outline: Outline::of(text),
            parts: Parts::of(text),
            quote: Reading::of(&self.quote),
            kind: self.kind,
            voice: self.voice,
            at: self.at,
            places: self.places.clone(),
        };
        side.reading.weigh(rarity);
        side.quote.weigh(rarity);
        side
    }
}
