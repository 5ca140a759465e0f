//! Why this hit, in words a person can check.

use lore_core::recall::{Matched, Query};
use lore_core::score::Parts;
use lore_core::{Entry, Hit, LinkKind, Status};
use tantivy::DocId;

use crate::document::{path_keys, plain_issue};
use crate::filter::file_forms;
use crate::lexical::Found;
use crate::query::Word;

/// Says which words a document has, rarest first, and what share of the query's weight they carry.
pub(crate) fn coverage(segment: usize, doc: DocId, words: &[Word], found: &[Found]) -> (Vec<String>, f64) {
    let mut there: Vec<(&Word, f32)> = Vec::new();
    let mut all = 0.0;
    for (word, found) in words.iter().zip(found).filter(|(word, _)| word.content) {
        let weight = word.weight * found.rarity;
        all += weight;
        if found.is_in(segment, doc) {
            there.push((word, weight));
        }
    }
    there.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share: f32 = there.iter().map(|(_, weight)| weight).sum();
    let words = there.into_iter().map(|(word, _)| word.word.clone()).collect();
    (words, if all > 0.0 { f64::from(share / all) } else { 0.0 })
}

/// Gives the reasons for a hit.
pub(crate) fn why(entry: &Entry, query: &Query, parts: &Parts, matched: &Matched) -> Vec<String> {
    let mut why = Vec::new();
    if let Some(issue) = &query.issue
        && entry.issues.iter().any(|own| plain_issue(own) == plain_issue(issue))
    {
        why.push(format!("belongs to issue #{}", plain_issue(issue)));
    }
    for file in &query.files {
        let forms = file_forms(file);
        if entry.files.iter().flat_map(|own| path_keys(own)).any(|own| forms.contains(&own)) {
            why.push(format!("is about `{file}`"));
        }
    }
    if !matched.terms.is_empty() {
        let shown: Vec<&str> = matched.terms.iter().take(6).map(String::as_str).collect();
        why.push(format!("has the words {}", shown.join(", ")));
    }
    if matched.semantic >= 0.5 && matched.coverage < 0.5 {
        why.push(format!("is near in meaning ({:.2})", matched.semantic));
    }
    if parts.domain > 0.5 {
        why.push(format!("is of the domain `{}`", query.domain.as_deref().unwrap_or_default()));
    }
    match entry.status {
        Status::Current => {}
        Status::Outdated => why.push("is outdated, so it ranks lower".to_owned()),
        Status::Superseded => why.push("was superseded, so it ranks below what replaced it".to_owned()),
        Status::Disputed => why.push("is disputed: see the other side".to_owned()),
    }
    why
}

/// Says why an entry stands beside a hit that it was not found by.
pub(crate) fn beside(kind: LinkKind, hit: &Hit) -> String {
    match kind {
        LinkKind::SupersededBy => format!("replaces `{}`", hit.id),
        LinkKind::QualifiedBy => format!("qualifies `{}`", hit.id),
        _ => format!("contradicts `{}`", hit.id),
    }
}

/// Prints the parts of a score on one line.
pub fn arithmetic(hit: &Hit) -> String {
    let Parts { similarity, decay, domain, occurrence } = hit.parts;
    let sum = hit.parts.total();
    let mut line = format!(
        "0.6 × {similarity:.2} similarity + 0.2 × {decay:.2} decay + 0.1 × {domain:.2} domain + 0.1 × {occurrence:.2} occurrence = {sum:.3}"
    );
    if (hit.score - sum).abs() > 1e-9 && sum > 0.0 {
        line.push_str(&format!(", × {:.2} for being {} = {:.3}", hit.score / sum, hit.status, hit.score));
    }
    let Matched { lexical, semantic, coverage, .. } = &hit.matched;
    line.push_str(&format!(
        "; similarity from words {lexical:.2} and meaning {semantic:.2}, covering {:.0} % of the query",
        coverage * 100.0
    ));
    line
}
