//! How well each piece of evidence answers the question.

use std::collections::HashMap;

use lore_core::Voice;

use crate::chatter::{is_chatter, tells_of_doing};
use crate::evidence::{Evidence, Piece};
use crate::index::Level;
use crate::sought::Sought;
use crate::wording::{Sort, asked, is_data, offers};

/// What each sign is worth. Data, so that a measurement can change it.
struct Worth {
    /// Words of the question in the piece itself, and in what it is part of.
    own: f64,
    whole: f64,
    /// Likeness of meaning of the piece, and of what it is part of.
    near: f64,
    whole_near: f64,
    /// It stands in a curated entry.
    curated: f64,
    /// It was said last of all; what was said first gets nothing of it.
    recent: f64,
    /// It offers what the question asks for.
    offered: f64,
    /// It belongs to a session with much that fits.
    session: f64,
    /// Against it: a person objected to it, an agent tells what it does, it is a question, it held once, it only says
    /// what comes next, it is data.
    refused: f64,
    doing: f64,
    question: f64,
    past: f64,
    chatter: f64,
    data: f64,
    /// Against it, for each hundred characters.
    length: f64,
}

const WORTH: Worth = Worth {
    own: 1.3,
    whole: 0.4,
    near: 1.2,
    whole_near: 0.35,
    curated: 0.05,
    recent: 0.15,
    offered: 0.1,
    session: 0.4,
    refused: 0.6,
    doing: 0.2,
    question: 0.6,
    past: 0.3,
    chatter: 0.2,
    data: 0.1,
    length: 0.1,
};

/// So many of a session's best pieces speak for it.
const SPEAKERS: usize = 4;
/// So many of the best pieces let sessions speak.
const HEARD: usize = 3000;

/// How well all pieces fit.
pub(crate) struct Weighed {
    /// By piece.
    pub(crate) scores: Vec<f64>,
    /// The pieces, best first.
    pub(crate) order: Vec<usize>,
}

/// Weighs every piece; where the question is about how things are, newer ones a little more.
pub(crate) fn weigh(
    evidence: &Evidence,
    sought: &[Sought],
    question: &str,
    vector: &[f32],
    present: bool,
) -> Weighed {
    let sorts = asked(question);
    let share = Share::new(sought);
    let wholes: Vec<(f64, f64)> = evidence
        .parents
        .iter()
        .map(|parent| (share.found(&parent.terms), dot(&parent.vector, vector)))
        .collect();
    let mut scores: Vec<f64> = Vec::with_capacity(evidence.pieces.len());
    for piece in &evidence.pieces {
        let (whole, whole_near) = wholes[piece.parent];
        let near = dot(&piece.vector, vector);
        let signs = WORTH.own * share.found(&piece.terms)
            + WORTH.whole * whole
            + WORTH.near * near
            + WORTH.whole_near * whole_near;
        scores.push(signs + manner(evidence, piece, &sorts));
    }
    let mut order = best_first(&scores);
    let heard = sessions(evidence, &scores, &order);
    for (score, piece) in scores.iter_mut().zip(&evidence.pieces) {
        let session = evidence.parents[piece.parent].session.as_str();
        *score += WORTH.session * heard.get(session).copied().unwrap_or(0.0);
    }
    if present {
        scores.iter_mut().zip(recency(evidence)).for_each(|(score, recent)| *score += WORTH.recent * recent);
    }
    order = best_first(&scores);
    Weighed { scores, order }
}

/// Says for each piece where between the first and the last it was said, from 0 to 1.
fn recency(evidence: &Evidence) -> Vec<f64> {
    let seconds: Vec<Option<i64>> = evidence.pieces.iter().map(Piece::second).collect();
    let known = || seconds.iter().flatten().copied();
    let (first, last) = (known().min().unwrap_or_default(), known().max().unwrap_or_default());
    let span = (last - first).max(1) as f64;
    seconds.into_iter().map(|second| second.map_or(0.0, |second| (second - first) as f64 / span)).collect()
}

/// Weighs what does not depend on the words of the question.
fn manner(evidence: &Evidence, piece: &Piece, sorts: &[Sort]) -> f64 {
    let text = piece.text.as_str();
    let mut sum = 0.0;
    if evidence.parents[piece.parent].level == Level::Entries {
        sum += WORTH.curated;
    }
    sum += WORTH.offered * sorts.iter().filter(|sort| offers(text, **sort)).count() as f64;
    let parent = &evidence.parents[piece.parent];
    let by_agent = parent.level == Level::Passages && parent.voice == Voice::Agent;
    let against = [
        (parent.refused, WORTH.refused),
        (by_agent && tells_of_doing(text), WORTH.doing),
        (text.ends_with('?'), WORTH.question),
        (matches!(piece.status, "superseded" | "outdated"), WORTH.past),
        (is_chatter(text), WORTH.chatter),
        (is_data(text), WORTH.data),
    ];
    sum -= against.iter().filter(|(holds, _)| *holds).map(|(_, worth)| worth).sum::<f64>();
    sum - WORTH.length * text.len() as f64 / 100.0
}

/// Says for each session how much better its best pieces are than those that are far down.
fn sessions<'e>(evidence: &'e Evidence, scores: &[f64], order: &[usize]) -> HashMap<&'e str, f64> {
    let heard = &order[..order.len().min(HEARD)];
    let least = heard.last().map_or(0.0, |last| scores[*last]);
    let mut best: HashMap<&str, Vec<f64>> = HashMap::new();
    for at in heard {
        let session = evidence.parents[evidence.pieces[*at].parent].session.as_str();
        let own = best.entry(session).or_default();
        if own.len() < SPEAKERS {
            own.push(scores[*at] - least);
        }
    }
    best.into_iter().map(|(session, own)| (session, own.iter().sum::<f64>() / SPEAKERS as f64)).collect()
}

/// Orders pieces by score; equals stay in the order in which they were found.
fn best_first(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order
}

/// How much of a question some words are.
struct Share<'s> {
    sought: &'s [Sought],
    found: f64,
}

impl<'s> Share<'s> {
    fn new(sought: &'s [Sought]) -> Share<'s> {
        let weight = |one: &Sought| f64::from(one.word.weight) * one.rarity;
        let found: f64 = sought.iter().filter(|one| one.found).map(weight).sum();
        Share { sought, found: found.max(f64::MIN_POSITIVE) }
    }

    /// Of what can be found at all.
    fn found(&self, terms: &std::collections::HashSet<String>) -> f64 {
        self.sum(terms, |one| one.found) / self.found
    }

    fn sum(&self, terms: &std::collections::HashSet<String>, wanted: impl Fn(&Sought) -> bool) -> f64 {
        let held = self.sought.iter().filter(|one| wanted(one) && terms.contains(&one.word.term));
        held.map(|one| f64::from(one.word.weight) * one.rarity).sum()
    }
}

/// Tells whether a word says what the question is about.
pub(crate) fn counts(sought: &Sought) -> bool {
    sought.word.content && !crate::wording::is_about_time(&sought.word.word)
}

/// Returns the cosine of two vectors of length one, and nothing below zero.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f64 {
    f64::from(a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>()).max(0.0)
}
