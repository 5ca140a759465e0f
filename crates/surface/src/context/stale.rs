//! What was said and, as an entry tells, no longer holds.

use std::collections::HashSet;

use lore_core::article::{DOUBTED, HISTORY};
use lore_core::{Article, Entry, Status};

use super::rank::{Unit, What, overlap, terms};

/// A quotation that shares more of its words with a statement says the same.
const SAME: f64 = 0.5;

/// A statement that no longer holds, and where it was made.
struct Past {
    resource: String,
    terms: HashSet<String>,
}

/// Takes out quotations of what no longer holds; the entry that tells so takes their place.
pub(super) fn replace(units: Vec<Unit>) -> Vec<Unit> {
    let pasts: Vec<Vec<Past>> = units.iter().map(past).collect();
    if pasts.iter().all(Vec::is_empty) {
        return units;
    }
    let mut lifted: Vec<f64> = units.iter().map(|unit| unit.score).collect();
    let mut is_stale = vec![false; units.len()];
    for (at, unit) in units.iter().enumerate() {
        let What::Said { quote, terms } = &unit.what else { continue };
        let tells = |past: &Past| past.resource == quote.source && overlap(&past.terms, terms) > SAME;
        for (entry, _) in pasts.iter().enumerate().filter(|(_, pasts)| pasts.iter().any(tells)) {
            is_stale[at] = true;
            lifted[entry] = lifted[entry].max(unit.score);
        }
    }
    let kept = units.into_iter().zip(lifted).zip(is_stale).filter(|(_, is_stale)| !is_stale);
    kept.map(|((unit, score), _)| Unit { score, ..unit }).collect()
}

fn past(unit: &Unit) -> Vec<Past> {
    match &unit.what {
        What::Entry(card) => past_of(&card.entry),
        What::Said { .. } => Vec::new(),
    }
}

/// Lists what an entry says held once.
fn past_of(entry: &Entry) -> Vec<Past> {
    // What replaced the whole entry comes along with it.
    let has = |section: &str| entry.body.contains(&format!("## {section}"));
    if entry.status != Status::Current || !has(HISTORY) && !has(DOUBTED) {
        return Vec::new();
    }
    let article = Article::parse(&entry.body);
    let mut found = Vec::new();
    // What may have been replaced is told with what replaced it, and not by itself.
    for claim in article.history.iter().chain(&article.doubted) {
        for source in entry.sources_of(claim) {
            found.push(Past { resource: source.resource.clone(), terms: terms(&claim.text) });
        }
    }
    found
}
