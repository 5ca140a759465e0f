//! How well entries, and passages of past sessions, fit what was asked.

use lore_core::{Article, Entry};

use super::{Asked, Sureness};
use crate::asking::stated;
use crate::snippet;
use crate::spoken::spoken;

/// A passage that somebody looks for has to fit at least so well.
const LOOKED_FOR: f64 = 0.4;
/// So many statements of an entry are measured.
const CLAIMS: usize = 8;

/// Measures an entry by its title with the statement that fits best; only what fits at least so well
/// matters.
pub(crate) fn entry_fit(asked: &Asked, entry: &Entry, least: f64) -> f64 {
    let article = Article::parse(&entry.body);
    // What may have been replaced is shown beside what replaced it, so it says what the page is about, too.
    let open = article.conflict.iter().chain(&article.doubted);
    let claims = article.current().chain(open).map(|claim| claim.text.as_str());
    let sections = article.other.iter().map(|section| section.body.as_str());
    let texts: Vec<&str> = claims.chain(sections).take(CLAIMS).collect();
    let described = entry.description.as_deref().unwrap_or_default();
    // A description mostly is the first statement once more.
    let described = (!texts.contains(&described)).then_some(described);
    let title = spoken(&entry.title);
    let with_title = |text: &str| {
        let words = title.iter().cloned().chain(spoken(text)).collect();
        asked.fit_of_words(words, least).value
    };
    texts.into_iter().chain(described).map(with_title).fold(0.0, f64::max)
}

/// Returns the one telling word that ties an entry to a prompt of several.
pub(crate) fn only_word_of<'a>(asked: &'a Asked, entry: &Entry) -> Option<&'a str> {
    asked.only_word(&current_words(entry))
}

/// Tells whether an entry says a word.
pub(crate) fn has_word(entry: &Entry, term: &str) -> bool {
    spoken(&current_words(entry)).iter().any(|(other, _)| other == term)
}

pub(crate) fn current_words(entry: &Entry) -> String {
    let article = Article::parse(&entry.body);
    let claims = article.current().chain(&article.conflict).map(|claim| claim.text.as_str());
    std::iter::once(entry.title.as_str()).chain(claims).collect::<Vec<_>>().join(". ")
}

/// Measures a passage by the two sentences that fit best.
pub(crate) fn passage_fit(asked: &Asked, text: &str) -> f64 {
    let sentences = snippet::sentences(text);
    let least = Sureness::Said.floor();
    let pairs = (0..sentences.len()).map(|at| match sentences.get(at + 1) {
        Some(next) => asked.fit_among_many(&format!("{} {next}", sentences[at]), least).value,
        None => asked.fit_among_many(sentences[at], least).value,
    });
    pairs.fold(0.0, f64::max)
}

/// Tells what was said about something that is looked for from what was not.
pub struct Bearing(Asked);

impl Bearing {
    /// Looks for some words.
    pub fn on(text: &str) -> Bearing {
        Bearing(Asked::search(text))
    }

    /// Tells whether a passage is about them.
    pub fn has(&self, passage: &str) -> bool {
        passage_fit(&self.0, passage) >= LOOKED_FOR
    }
}

/// Measures how well texts answer a question, by what both say and not by what else a base holds.
pub struct Answering(Asked);

impl Answering {
    /// Reads a question; what the project is called tells nothing.
    pub fn of(question: &str, own_names: &[String]) -> Answering {
        Answering(Asked::question(question).without(own_names))
    }

    /// Tells whether a text answers it.
    pub fn answered_by(&self, text: &str) -> bool {
        passage_fit(&self.0, &stated(text)) >= Asked::ANSWERS
    }

    /// Says how well a text fits it, from 0 to 1.
    pub fn fit(&self, text: &str) -> f64 {
        passage_fit(&self.0, &stated(text)).min(1.0)
    }
}
