//! V7: what is denied in the lines and affirmed in the edit, or the other way round.
//!
//! Code cannot tell for certain, so nothing is refused here; the edit is looked at a second time. That
//! is cheap beside writing down the opposite of what was said, so the signs are taken broadly.

use std::collections::BTreeSet;

use super::{Galley, Noticed, Room};
use crate::curate::lexicon::{self, Class};
use crate::curate::reading::Reading;
use crate::curator::words::content;
use crate::extract::sentence::sentences;

/// A cited sentence is near with so many telling words, nearly as many as the nearest one has.
const NEAR: usize = 2;
/// This much of a sentence must stand in a near one for it to be said again.
const REPEATED: f64 = 0.5;

/// Words that take something back without a “not”.
const SOFT: [&str; 26] = [
    "only",
    "missing",
    "lacks",
    "lack",
    "fails",
    "failed",
    "fail",
    "skip",
    "skips",
    "skipped",
    "hide",
    "hidden",
    "hides",
    "later",
    "absent",
    "unable",
    "wrong",
    "silently",
    "redundant",
    "unsupported",
    "bypass",
    "bypasses",
    "unreliable",
    "overengineering",
    "too",
    "stopped",
];

/// V7: a word that is denied here and affirmed there, or a “not” that got lost.
pub(super) fn polarity(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let mut texts: Vec<String> = galley.cited(room).iter().map(|line| line.text.clone()).collect();
    if let Some(target) = galley.target {
        texts.push(target.title.clone());
        texts.extend(lore_core::Article::parse(&target.body).claims().map(|claim| claim.text.clone()));
    }
    let sources: Vec<Source<'_>> = texts.iter().flat_map(|text| sentences(text)).map(Source::of).collect();
    let reason = galley.edit.reason.as_deref().unwrap_or_default();
    for sentence in sentences(galley.edit.said()).into_iter().chain(sentences(reason)) {
        if let Some(word) = turned(sentence, &sources) {
            return Noticed::Flag(format!(
                "`{word}` is denied here and not in the cited lines, or the other way round"
            ));
        }
        if let Some(source) = lost(sentence, &sources) {
            return Noticed::Flag(format!(
                "it leaves out the denial of “{}”",
                crate::article::shorten(source, 80)
            ));
        }
    }
    Noticed::Fine
}

/// A cited sentence.
struct Source<'t> {
    text: &'t str,
    content: BTreeSet<String>,
    reading: Reading,
    denies: bool,
}

impl<'t> Source<'t> {
    fn of(text: &'t str) -> Source<'t> {
        let content = content(text).into_iter().collect();
        Source { text, content, reading: Reading::of(text), denies: denies(text) }
    }
}

/// Finds a word that stands in the lines with the opposite yes or no only.
fn turned(sentence: &str, sources: &[Source<'_>]) -> Option<String> {
    let stands = |stem: &str, denied: bool| {
        let mut terms = sources.iter().flat_map(|source| &source.reading.terms);
        terms.any(|term| term.stem == stem && term.denied == denied)
    };
    let terms = Reading::of(sentence).terms.into_iter().filter(|term| !term.part);
    let mut turned =
        terms.filter(|term| stands(&term.stem, !term.denied) && !stands(&term.stem, term.denied));
    turned.next().map(|term| term.stem)
}

/// Finds the near sentence that denies something, where this one denies nothing.
fn lost<'t>(sentence: &str, sources: &[Source<'t>]) -> Option<&'t str> {
    if denies(sentence) || denies_softly(sentence) {
        return None;
    }
    let said: BTreeSet<String> = content(sentence).into_iter().collect();
    let shared = |source: &Source<'_>| said.intersection(&source.content).count();
    let best = sources.iter().map(shared).max().unwrap_or(0);
    let is_near = |source: &&Source<'_>| shared(source) >= NEAR && shared(source) + 1 >= best;
    if (best as f64) < REPEATED * said.len() as f64 {
        return None;
    }
    sources.iter().filter(is_near).find(|source| source.denies).map(|source| source.text)
}

/// Ways of saying “not” that deny nothing.
const HOLLOW: [&str; 6] = ["dont forget", "do not forget", "not only", "no matter", "why not", "no problem"];

fn words(text: &str) -> impl Iterator<Item = String> {
    let mut text = text.replace(['\'', '’'], "").to_lowercase();
    for hollow in HOLLOW {
        text = text.replace(hollow, " ");
    }
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

/// Tells whether a text says “not”.
pub(in crate::curator) fn denies(text: &str) -> bool {
    const SOFT_NEGATORS: [&str; 4] = ["avoid", "stop", "forbid", "forbidden"];
    words(text).any(|word| {
        lexicon::is(&word, Class::Negator) && !SOFT_NEGATORS.contains(&word.as_str())
            || matches!(word.as_str(), "wouldnt" | "aint" | "neednt" | "nobody" | "nowhere" | "noone")
    })
}

fn denies_softly(text: &str) -> bool {
    let gives_up = |word: &String| {
        let classes = Class::Remover as u32 | Class::Change as u32 | Class::Negator as u32;
        lexicon::classes_of(word) & classes != 0 || SOFT.contains(&word.as_str())
    };
    words(text).any(|word| gives_up(&word))
}
