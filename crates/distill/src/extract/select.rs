//! Chooses among the passages of a session: near copies become one, the rest has to earn its place.

use crate::extract::choice::Fate;
use crate::extract::passage::{Origin, Passage};
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
            if shared >= COPY && says_it(passage, &rated[index].passage) {
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

/// Tells whether a copy is evidence for what it resembles. "Look into the leak" has all of its words in what an agent
/// then finds, and says none of it: what a person asked for must not make an agent's word theirs.
fn says_it(copy: &Passage, of: &Passage) -> bool {
    let shared = copy.terms.intersection(&of.terms).count();
    copy.origin != Origin::Person
        || of.origin == Origin::Person
        || shared as f64 >= SAME * of.terms.len() as f64
}

fn likeness(one: &Passage, other: &Passage) -> f64 {
    if one.terms.len().min(other.terms.len()) < 2 {
        return 0.0;
    }
    overlap(&one.terms, &other.terms)
}

#[cfg(test)]
mod tests {
    use lore_core::session::{Author, Channel, Turn};
    use lore_core::{Session, Voice};

    /// A finding of an agent was told as a person's word where its words held those of the task.
    #[test]
    fn what_a_person_asked_for_is_no_evidence_for_what_an_agent_found() {
        let found = "Root cause of the rope wear: the third post is never greased.";
        let voices = |said: &str| -> Vec<Voice> {
            let turns = vec![
                Turn::prose(Author::Person, Channel::Prompt, 1, said),
                Turn::prose(Author::Agent, Channel::Reply, 2, found),
            ];
            let told = crate::extract::extract(&Session { turns, ..Session::default() });
            let of_agent = told.into_iter().filter(|one| one.evidence[0].voice == Voice::Agent);
            of_agent.flat_map(|one| one.evidence).map(|evidence| evidence.voice).collect()
        };
        assert_eq!(voices("please look into the rope wear"), [Voice::Agent]);
        assert!(
            voices("i think the root cause of the rope wear is that the third post is never greased")
                .contains(&Voice::Person)
        );
    }
}
