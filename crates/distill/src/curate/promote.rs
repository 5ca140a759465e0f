//! What is worth an article, and what waits.

use std::collections::BTreeSet;

use lore_core::{Candidate, Confidence, ENTRY_BAR, Voice};

/// How much must speak for a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bars {
    /// For a new article.
    pub article: f64,
    /// For one more claim in an article that is there.
    pub claim: f64,
    /// For putting something known in question.
    pub conflict: f64,
}

impl Default for Bars {
    fn default() -> Bars {
        Bars { article: ENTRY_BAR + 0.05, claim: ENTRY_BAR - 0.1, conflict: ENTRY_BAR }
    }
}

/// What another session that says the same adds.
const AGAIN: f64 = 0.12;
/// What a person's own word adds.
const PERSON: f64 = 0.08;
/// What an explicit statement adds, and what a guess takes away.
const EXPLICIT: f64 = 0.04;

/// Returns how much speaks for keeping one candidate, between 0 and 1.
pub fn worth(candidate: &Candidate) -> f64 {
    let person = if candidate.voice() == Voice::Person { PERSON } else { 0.0 };
    let sure = match candidate.confidence {
        Confidence::High => EXPLICIT,
        Confidence::Medium => 0.0,
        Confidence::Low => -EXPLICIT,
    };
    let again = sessions([candidate]).len().saturating_sub(1) as f64 * AGAIN;
    (candidate.weight + person + sure + again).clamp(0.0, 1.0)
}

/// Returns how much speaks for a subject that several candidates tell about.
pub(crate) fn worth_together<'a>(candidates: impl IntoIterator<Item = &'a Candidate> + Clone) -> f64 {
    let best = candidates.clone().into_iter().map(worth).fold(0.0, f64::max);
    let again = sessions(candidates).len().saturating_sub(1) as f64 * AGAIN;
    (best + again).min(1.0)
}

fn sessions<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> BTreeSet<&'a str> {
    candidates.into_iter().flat_map(|c| &c.evidence).map(|evidence| evidence.session.as_str()).collect()
}
