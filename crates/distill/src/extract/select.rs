//! Chooses among the passages of a session: near copies become one, the rest has to earn its place.

use crate::extract::choice::Fate;
use crate::extract::passage::Passage;
use crate::extract::terms::overlap;

/// A passage with its chance of being worth keeping.
#[derive(Debug, Clone)]
pub(crate) struct Rated {
    pub(crate) passage: Passage,
    pub(crate) chance: f64,
    /// Indices of passages that say the same.
    pub(crate) copies: Vec<usize>,
}

/// Two passages that share this much say the same.
const SAME: f64 = 0.6;
/// Two that share this much are copies, so that each is evidence for the other.
const COPY: f64 = 0.85;
/// A queue longer than this is read by nobody.
const MOST: usize = 40;
/// Every further entry from one message has to be that much better.
const CROWDING: f64 = 0.93;

/// Returns the passages to keep as index and chance, the likeliest first.
pub(crate) fn select(rated: &mut [Rated]) -> Vec<(usize, f64)> {
    let mut open: Vec<(usize, f64)> = (0..rated.len())
        .filter(|index| is_eligible(&rated[*index].passage))
        .map(|index| (index, rated[index].chance))
        .collect();
    let mut kept: Vec<(usize, f64)> = Vec::new();
    while let Some(best) = best(&open).filter(|_| kept.len() < MOST) {
        let (index, chance) = open.swap_remove(best);
        kept.push((index, chance));
        let line = rated[index].passage.line;
        let mut copies = Vec::new();
        open.retain_mut(|(other, chance)| {
            let passage = &rated[*other].passage;
            let shared = likeness(&rated[index].passage, passage);
            if shared >= COPY {
                copies.push(*other);
            }
            if passage.line == line {
                *chance *= CROWDING;
            }
            shared < SAME
        });
        copies.sort_unstable();
        rated[index].copies = copies;
    }
    kept
}

/// Finds the likeliest; on equal chances the later word counts, for it is the one that stood.
fn best(open: &[(usize, f64)]) -> Option<usize> {
    let order =
        |one: &(usize, f64), other: &(usize, f64)| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0));
    (0..open.len()).max_by(|one, other| order(&open[*one], &open[*other]))
}

fn is_eligible(passage: &Passage) -> bool {
    matches!(passage.option, None | Some(Fate::Chosen)) && passage.words() >= 2
}

fn likeness(one: &Passage, other: &Passage) -> f64 {
    if one.terms.len().min(other.terms.len()) < 2 {
        return 0.0;
    }
    overlap(&one.terms, &other.terms)
}
