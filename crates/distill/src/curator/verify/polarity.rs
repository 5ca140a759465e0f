//! V7: what is denied in the lines and affirmed in the edit, or the other way round.
//!
//! Code cannot tell for certain, so nothing is refused here; the edit is looked at a second time.

use std::collections::BTreeSet;

use super::{Galley, Noticed, Room};
use crate::curate::lexicon::{self, Class};
use crate::curator::words::content;
use crate::extract::sentence::sentences;

/// A sentence with so many telling words, of which so many stand in one cited sentence, repeats it.
const TELLING: usize = 4;
const REPEATED: f64 = 0.6;
/// A cited sentence that is this much longer says other things too.
const LONGER: f64 = 2.5;

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

/// V7: a denial that no line makes, or a “not” that got lost.
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
    let reason = galley.edit.reason.take();
    let doubted = reason.as_deref().is_some_and(|reason| suspicion(reason, &sources).is_some());
    galley.edit.reason = reason.filter(|_| !doubted);
    match suspicion(galley.edit.said(), &sources) {
        Some(said) => Noticed::Flag(said),
        None if doubted => {
            Noticed::Lower("the reason is left out: it may turn round what the lines say".to_owned())
        }
        None => Noticed::Fine,
    }
}

/// Says what may have been turned round in a text.
fn suspicion(text: &str, sources: &[Source<'_>]) -> Option<String> {
    for sentence in sentences(text) {
        if let Some(source) = lost(sentence, sources) {
            return Some(format!("it leaves out the denial of “{}”", crate::article::shorten(source, 80)));
        }
        if let Some(clause) = clauses(sentence).into_iter().find(|clause| is_foreign_denial(clause, sources))
        {
            let shown = crate::article::shorten(clause.trim(), 70);
            return Some(format!("“{shown}” denies what no cited line denies"));
        }
    }
    None
}

/// A cited sentence.
struct Source<'t> {
    text: &'t str,
    content: BTreeSet<String>,
    denies: bool,
    softly: bool,
}

impl<'t> Source<'t> {
    fn of(text: &'t str) -> Source<'t> {
        Source {
            text,
            content: content(text).into_iter().collect(),
            denies: denies(text),
            softly: denies_softly(text),
        }
    }
}

fn lost<'t>(sentence: &str, sources: &'t [Source<'_>]) -> Option<&'t str> {
    if denies(sentence) || denies_softly(sentence) {
        return None;
    }
    let said: BTreeSet<String> = content(sentence).into_iter().collect();
    let shared = |source: &Source<'_>| said.intersection(&source.content).count();
    let nearest = sources.iter().max_by_key(|source| shared(source))?;
    let share = shared(nearest) as f64 / said.len().max(1) as f64;
    let repeats = said.len() >= TELLING
        && share >= REPEATED
        && nearest.content.len() as f64 <= LONGER * said.len() as f64;
    (repeats && nearest.denies).then_some(nearest.text)
}

fn is_foreign_denial(clause: &str, sources: &[Source<'_>]) -> bool {
    let said: BTreeSet<String> = content(clause).into_iter().collect();
    if !denies(clause) || said.is_empty() {
        return false;
    }
    let enough = said.len().min(2);
    !sources.iter().any(|source| {
        (source.denies || source.softly) && said.intersection(&source.content).count() >= enough
    })
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
pub(super) fn denies(text: &str) -> bool {
    const SOFT_NEGATORS: [&str; 4] = ["avoid", "stop", "forbid", "forbidden"];
    words(text).any(|word| {
        lexicon::is(&word, Class::Negator) && !SOFT_NEGATORS.contains(&word.as_str())
            || matches!(word.as_str(), "wouldnt" | "aint" | "neednt" | "nobody" | "nowhere" | "noone")
    })
}

fn denies_softly(text: &str) -> bool {
    let gives_up = |word: &String| {
        let classes = Class::Remover as u16 | Class::Change as u16 | Class::Negator as u16;
        lexicon::classes_of(word) & classes != 0 || SOFT.contains(&word.as_str())
    };
    words(text).any(|word| gives_up(&word))
}

/// Cuts a sentence where a denial ends.
fn clauses(sentence: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, c) in sentence.char_indices() {
        let comma = c == ',' && sentence[at..].starts_with(", ");
        if comma || matches!(c, ';' | ':' | '—' | '–' | '(' | ')') {
            out.push(&sentence[from..at]);
            from = at + c.len_utf8();
        }
    }
    out.push(&sentence[from..]);
    out
}
