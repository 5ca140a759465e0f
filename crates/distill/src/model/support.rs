//! Whether a wording rests on the words that are cited.

use std::collections::HashSet;

use lore_core::{Article, Candidate, one_line};

use crate::curate::reading::Reading;
use crate::curate::token::{Form, parts, stem};

/// Most words of a title.
const TITLE_WORDS: usize = 10;
/// Longest statement, in characters, and most sentences.
const TEXT_LENGTH: usize = 600;
const SENTENCES: usize = 3;
/// Share of the words that matter which must stand in the evidence.
const SUPPORT: f64 = 0.6;

/// Checks the form of a title.
pub(super) fn title(title: &str) -> Result<String, String> {
    let title = one_line(title);
    match title.split(' ').count() {
        _ if title.is_empty() => Err("the title is empty".to_owned()),
        1..=TITLE_WORDS => Ok(title),
        words => Err(format!("the title has {words} words")),
    }
}

/// Checks the form of a statement.
pub(super) fn text(text: &str) -> Result<String, String> {
    let text = one_line(text);
    let sentences = Article::parse(&text).lead.len();
    if text.is_empty() {
        Err("the statement is empty".to_owned())
    } else if sentences > SENTENCES || text.chars().count() > TEXT_LENGTH {
        Err("the statement is longer than three sentences".to_owned())
    } else {
        Ok(text)
    }
}

/// Checks that a refined wording says nothing that the evidence does not.
pub(super) fn supported(candidate: &Candidate, refined: &Candidate) -> Result<(), String> {
    let evidence = evidence(candidate);
    let known: HashSet<&str> = evidence.terms.iter().map(|term| term.stem.as_str()).collect();
    let said = Reading::of(&format!("{}. {}", refined.title, refined.text));
    let foreign = said.terms.iter().find(|term| {
        term.form != Form::Word
            && !term.part
            && !known.contains(term.stem.as_str())
            && !is_spelled_out(&term.stem, &known)
    });
    if let Some(term) = foreign {
        return Err(format!("`{}` does not stand in the words it rests on", term.stem));
    }
    let (mut all, mut there) = (0.0, 0.0);
    for term in said.terms.iter().filter(|term| !term.part) {
        all += term.weight;
        if known.contains(term.stem.as_str()) {
            there += term.weight;
        }
    }
    if all > 0.0 && there / all < SUPPORT {
        return Err("most of its words do not stand in the words it rests on".to_owned());
    }
    reversed(candidate, refined)
        .map_or(Ok(()), |word| Err(format!("it turns round what is said about `{word}`")))
}

/// A capitalised word or name is supported where all of its parts are.
fn is_spelled_out(stem: &str, known: &HashSet<&str>) -> bool {
    let plain = self::stem(stem);
    let parts = parts(stem);
    known.contains(plain.as_str())
        || !parts.is_empty() && parts.iter().all(|part| known.contains(self::stem(part).as_str()))
}

/// Keeps the keywords that stand in the evidence.
pub(super) fn keywords(candidate: &Candidate, keywords: &[String]) -> Vec<String> {
    let evidence = evidence(candidate);
    let known: HashSet<&str> = evidence.terms.iter().map(|term| term.stem.as_str()).collect();
    let stands = |keyword: &&String| {
        let terms = Reading::of(keyword).terms;
        !terms.is_empty()
            && terms.iter().filter(|term| !term.part).all(|term| known.contains(term.stem.as_str()))
    };
    let mut out: Vec<String> =
        keywords.iter().filter(stands).map(|keyword| keyword.trim().to_lowercase()).collect();
    out.dedup();
    if out.is_empty() { candidate.keywords.clone() } else { out }
}

/// Finds a word that our wording affirms and the refined one denies, or the other way round.
fn reversed(candidate: &Candidate, refined: &Candidate) -> Option<String> {
    let (ours, theirs) = (Reading::of(&candidate.text), Reading::of(&refined.text));
    let quotes = evidence(candidate);
    let stands = |reading: &Reading, stem: &str, denied: bool| {
        reading.terms.iter().any(|term| term.stem == stem && term.denied == denied)
    };
    let flipped = theirs.terms.iter().filter(|term| term.weight >= 1.0 && !term.part).find(|term| {
        let opposite = stands(&ours, &term.stem, !term.denied) && !stands(&ours, &term.stem, term.denied);
        opposite && !stands(&theirs, &term.stem, !term.denied) && !stands(&quotes, &term.stem, term.denied)
    });
    flipped.map(|term| term.stem.clone())
}

/// Reads everything a candidate rests on, its own wording included: that was made from the session.
fn evidence(candidate: &Candidate) -> Reading {
    let mut text = format!("{}. {}. {}", candidate.title, candidate.text, candidate.keywords.join(". "));
    for evidence in &candidate.evidence {
        text.push_str(". ");
        text.push_str(&evidence.quote);
    }
    Reading::of(&text)
}
