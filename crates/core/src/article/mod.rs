//! An article: what is known on one subject, as claims in plain Markdown.
//!
//! Nothing is kept beside the text. What a person reads and edits is parsed back into claims, so
//! there is no hidden copy that could disagree with it.

mod parse;
mod render;

use serde::{Deserialize, Serialize};

use crate::{Claim, Standing};

pub use render::{CONFLICT, CONTEXT, DOUBTED, FACTS, HISTORY, RELATED, UNSETTLED, WHY};

/// The body of an entry, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Article {
    /// The statement, and what belongs right beside it.
    pub lead: Vec<Claim>,
    /// Reasons.
    pub why: Vec<Claim>,
    /// Further things known on the subject.
    pub facts: Vec<Claim>,
    /// Both sides of what is not settled.
    pub conflict: Vec<Claim>,
    /// What a later claim seems to have replaced, newest doubt first.
    pub doubted: Vec<Claim>,
    /// The words it rests on.
    pub context: Vec<Quote>,
    /// Sections that are not ours, as they stand.
    pub other: Vec<Section>,
    /// What held once, newest first.
    pub history: Vec<Claim>,
    /// Neighbours.
    pub related: Vec<Related>,
    /// Footnotes.
    pub notes: Vec<Note>,
}

/// Words somebody said, with the footnote that tells where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Who said it and when, in words.
    pub said: String,
    /// The words on one line.
    pub words: String,
    /// Footnote key.
    pub source: String,
}

/// A section that is not ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its heading without the marks.
    pub heading: String,
    /// Its text as it stands, without blank lines around it.
    pub body: String,
}

/// A link to a neighbour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// What to call it.
    pub title: String,
    /// Path relative to this article.
    pub path: String,
}

/// A footnote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its key, which is the id of one of the entry's sources.
    pub id: String,
    /// Where the source is, on one line.
    pub text: String,
}

impl Article {
    /// Reads the Markdown below an entry's front matter; any text at all makes an article.
    pub fn parse(body: &str) -> Article {
        parse::article(body)
    }

    /// Writes the Markdown.
    pub fn render(&self) -> String {
        render::article(self)
    }

    /// Lists every claim, the current ones first.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        let standing = self.lead.iter().chain(&self.why).chain(&self.facts);
        standing.chain(&self.conflict).chain(&self.doubted).chain(&self.history)
    }

    /// Lists the claims that are presented as holding.
    pub fn current(&self) -> impl Iterator<Item = &Claim> {
        self.lead.iter().chain(&self.why).chain(&self.facts)
    }

    /// Tells whether two claims of it cannot both hold.
    pub fn is_disputed(&self) -> bool {
        self.conflict.iter().any(|claim| matches!(claim.standing, Standing::Disputed { .. }))
    }

    /// Returns the words behind a footnote.
    pub fn quote(&self, source: &str) -> Option<&Quote> {
        self.context.iter().find(|quote| quote.source == source)
    }
}
