//! Candidates against what is known: new, the same, more, finer, replaced, or disputed.
//!
//! [`curate`] takes candidates in any order, sorts them by the time they were said, and compares
//! each with the claims of the nearest articles. Contradiction is looked for before merging, and
//! with a low bar for what counts as the same subject, so that a contradicting statement is never
//! merged in silence. Every decision keeps its reasons in words.

mod agreement;
mod alike;
mod answers;
mod aside;
mod change;
mod clause;
mod closing;
mod compare;
mod contradict;
mod denial;
mod desk;
mod difference;
mod exchange;
mod fetch;
mod foreign;
mod grounds;
mod japanese;
mod judge;
mod judgement;
mod kin;
pub(crate) mod known;
mod lasting;
pub(crate) mod lexicon;
mod measured;
mod meet;
pub(crate) mod merge;
mod merit;
mod near;
mod observed;
mod outgrown;
mod outline;
mod period;
mod phrase;
mod promote;
mod quantity;
pub(crate) mod reading;
mod remade;
mod remainder;
mod repeat;
mod scope;
mod sighted;
mod signs;
mod slot;
pub(crate) mod standing;
mod statement;
mod suspect;
pub(crate) mod token;
mod told;
mod turned;
mod value;
mod verdict;
mod way;
mod weights;
mod wish;
mod withdrawal;
mod withdrawn;
pub(crate) mod work;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use lore_core::meaning::Vocabulary;
use lore_core::{Candidate, Entry, EntryId, Kind, Proposal, Reason, Voice};
use serde::{Deserialize, Serialize};

pub use change::ChangeOdds;
pub use judgement::{Judgement, Plainness, Reach, Relation};
pub use kin::Kinship;
pub use known::{Base, Known, Rarity};
pub use meet::{Newcomer, meet};
pub use merit::{Merit, merit};
pub use promote::Bars;
pub use statement::Statement;
pub use suspect::{SuspectOdds, suspicion};
pub use told::tells_of_change;
pub use weights::Weights;
pub use wish::{Against, goes_against};
pub use withdrawal::Withdrawal;
pub(crate) use work::Work;

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing was known on the subject.
    New,
    /// It was known; the evidence was added.
    Same,
    /// It tells more about a subject that is known.
    Adds,
    /// It says something known more precisely.
    Refines,
    /// It seems to replace something known; both are shown until somebody confirms it.
    PossiblyReplaced,
    /// It replaces something known, which moves to the history.
    Supersedes,
    /// It contradicts something known, and who is right is open.
    Disputed,
    /// It is not kept, now or ever.
    Dropped,
}

impl Outcome {
    /// Returns the word for reports.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::New => "new",
            Outcome::Same => "same",
            Outcome::Adds => "adds",
            Outcome::Refines => "refines",
            Outcome::PossiblyReplaced => "possibly-replaced",
            Outcome::Supersedes => "supersedes",
            Outcome::Disputed => "disputed",
            Outcome::Dropped => "dropped",
        }
    }
}

/// What was decided about one candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Title of the candidate.
    pub title: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The entry it went to, where it went to one.
    pub entry: Option<EntryId>,
    /// The claim it was compared with, where there was one.
    pub against: Option<String>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// How much of that claim it speaks of.
    #[serde(default, skip_serializing_if = "Reach::is_whole")]
    pub reach: Reach,
    /// How plainly the words say that the claim no longer holds.
    #[serde(default, skip_serializing_if = "Plainness::is_doubtful")]
    pub plainness: Plainness,
    /// What else is known that it contradicts as plainly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Further>,
}

/// Something known that a candidate contradicts beside what it was compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Further {
    /// The entry it stands in.
    pub entry: EntryId,
    /// What it says.
    pub against: String,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Curation {
    /// One per candidate, in the order of time.
    pub decisions: Vec<Decision>,
    /// What is to be written, at most one per entry.
    pub proposals: Vec<Proposal>,
    /// Candidates that wait for more to speak for them; hand them in again with the next ones.
    pub queue: Vec<Candidate>,
}

/// What a run needs to know.
pub struct Setting<'a> {
    /// What is known.
    pub known: &'a dyn Known,
    /// The moment of what does not say when it was said; never the clock's, or no two machines agree.
    pub now: Timestamp,
    /// Gives the path of an entry inside the base, for links.
    pub path: &'a dyn Fn(&Entry) -> String,
    /// Gives how much must speak for a candidate in a project of so many sessions or articles.
    pub bars: &'a dyn Fn(usize) -> Bars,
}

/// Decides about every candidate and says what is to be written.
pub fn curate(candidates: Vec<Candidate>, setting: &Setting<'_>) -> Curation {
    let candidates = in_order(candidates);
    let first = pass(&candidates, setting);
    if setting.known.size() == 0 { repeat::settled(first, &candidates, setting) } else { first }
}

fn pass(candidates: &[Candidate], setting: &Setting<'_>) -> Curation {
    let mut desk = desk::Desk::new(setting, candidates);
    let mut decisions = Vec::new();
    for candidate in candidates {
        decisions.push(desk.take(candidate.clone()));
    }
    let finished = desk.finish();
    for entry in decisions.iter_mut().filter_map(|decision: &mut Decision| decision.entry.as_mut()) {
        if let Some(now) = finished.renamed.get(entry) {
            *entry = now.clone();
        }
    }
    Curation { decisions, proposals: finished.proposals, queue: finished.queue }
}

/// Judges one statement against another as if there were nothing else to be close to, with the
/// rarity of words that the base gives.
pub fn compare(known: &Statement, arriving: &Statement, base: &dyn Known, weights: &Weights) -> Judgement {
    let rarity = |stem: &str| base.rarity(stem);
    let distance = near::Distance::among(0);
    judge::judge(&known.side_with(&rarity), &arriving.side_with(&rarity), weights, distance)
}

/// Returns what is seen of a pair, for fitting the [`ChangeOdds`].
pub fn seen_of_pair(known: &Statement, arriving: &Statement) -> Vec<String> {
    let (known, arriving) = (known.side_with(&|_| 1.0), arriving.side_with(&|_| 1.0));
    change::seen_of(&known, &arriving)
}

/// Returns how near the meanings of two texts are, for fitting the [`SuspectOdds`].
pub fn kinship(known: &str, arriving: &str, vocabulary: &Vocabulary) -> Kinship {
    let meaning = |text: &str| kin::Meaning::of(&slot::plain_words(text), vocabulary);
    Kinship::between(&meaning(known), &meaning(arriving))
}

/// Sorts by the time of saying, so that the order of arrival does not matter, and folds copies:
/// sibling files of one session hold the same words said at the same instant.
fn in_order(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| order_key(a).cmp(&order_key(b)));
    let mut out: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match out.iter_mut().rev().take(8).find(|kept| is_copy(kept, &candidate)) {
            Some(kept) => kept.weight = kept.weight.max(candidate.weight),
            None => out.push(candidate),
        }
    }
    out
}

type OrderKey<'a> = (Option<Timestamp>, Option<(&'a str, u32)>, &'a str, &'a str, (Voice, Kind, u64));

fn order_key(candidate: &Candidate) -> OrderKey<'_> {
    let first = candidate.evidence.first().map(|evidence| (evidence.session.as_str(), evidence.line));
    let rest = (candidate.voice(), candidate.kind, candidate.weight.to_bits());
    (candidate.said_at(), first, &candidate.text, &candidate.title, rest)
}

fn is_copy(a: &Candidate, b: &Candidate) -> bool {
    let words = |c: &Candidate| c.evidence.first().map(|e| (e.at, e.quote.clone()));
    a.text == b.text && a.said_at() == b.said_at() && a.voice() == b.voice() && words(a) == words(b)
}
