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
/// No more than this from one message.
const MOST_PER_MESSAGE: usize = 5;

/// Returns the indices of the passages to keep, the likeliest first; `most` bounds how many are above the bar.
pub(crate) fn select(rated: &mut [Rated]) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..rated.len()).filter(|index| is_eligible(&rated[*index].passage)).collect();
    // On equal chances the later word counts: it is the one that stood.
    order.sort_by(|one, other| rated[*other].chance.total_cmp(&rated[*one].chance).then(other.cmp(one)));
    let mut kept: Vec<usize> = Vec::new();
    for index in order {
        let twin = kept.iter().copied().find(|known| same(&rated[*known].passage, &rated[index].passage));
        if let Some(twin) = twin {
            rated[twin].copies.push(index);
            continue;
        }
        let message = |passage: &Passage| (passage.view, passage.line);
        let own = message(&rated[index].passage);
        let beside = kept.iter().filter(|known| message(&rated[**known].passage) == own).count();
        if beside < MOST_PER_MESSAGE {
            kept.push(index);
        }
    }
    kept
}

fn is_eligible(passage: &Passage) -> bool {
    passage.option != Some(Fate::Passed) && passage.words() >= 2
}

fn same(one: &Passage, other: &Passage) -> bool {
    one.terms.len().min(other.terms.len()) >= 2 && overlap(&one.terms, &other.terms) >= SAME
}
