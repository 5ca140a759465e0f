//! Who wins a contradiction.

use jiff::Timestamp;
use lore_core::{Backing, Candidate, Confidence, Voice};

use super::judgement::Reach;
use super::statement::Statement;

/// Two people who say different things within this time, in different sessions, simply differ; who announces a change
/// knows of it.
const SAME_TIME_HOURS: i64 = 2;

/// Who wins a contradiction.
pub(super) enum Verdict {
    /// The candidate does.
    Replaces(&'static str),
    /// The candidate seems to; somebody has to confirm it.
    Doubts(&'static str),
    /// Nobody does yet.
    Open(&'static str),
}

/// Weighs who said what when; only words that leave no doubt replace anything by themselves.
pub(super) fn verdict(
    known: impl Iterator<Item = Statement>,
    candidate: &Candidate,
    (certain, reach, announced): (bool, Reach, bool),
) -> Verdict {
    let voice = candidate.voice();
    // Who changes a part does not say that the rest is over; an agent who does says otherwise all the same.
    let certain = certain && (reach.is_whole() || voice < Voice::Person);
    let mut strongest = Voice::Web;
    let mut latest: Option<Timestamp> = None;
    let mut places = Vec::new();
    for statement in known {
        strongest = strongest.max(statement.voice);
        latest = latest.max(statement.at);
        places.extend(statement.places.into_iter().map(|(session, _)| session));
    }
    let elsewhere = candidate.evidence.iter().all(|e| !places.iter().any(|s| s == e.session.as_str()));
    let apart = match (latest, candidate.said_at()) {
        (Some(a), Some(b)) => b.duration_since(a).as_hours().abs(),
        _ => i64::MAX,
    };
    match (strongest, voice, certain) {
        (Voice::Person, Voice::Person, true) if elsewhere && !announced && apart < SAME_TIME_HOURS => {
            Verdict::Open("two people said different things at the same time")
        }
        (_, Voice::Person, true) => Verdict::Replaces("a person's later word replaces it"),
        (_, Voice::Person, false) => Verdict::Doubts("a person's later word seems to replace it"),
        (Voice::Person, _, true) if !carried_out(candidate) => {
            Verdict::Open("an agent contradicts a person's word")
        }
        (Voice::Person, ..) => Verdict::Doubts("an agent says otherwise than a person did"),
        (_, _, true) if !elsewhere => Verdict::Replaces("the last word of a session counts"),
        (_, _, true) => Verdict::Open("two agents contradict each other"),
        _ => Verdict::Doubts("the later statement seems to replace the earlier one"),
    }
}

/// Tells whether the candidate speaks, without a doubt, of something that was done.
fn carried_out(candidate: &Candidate) -> bool {
    candidate.confidence == Confidence::High && candidate.backing != Backing::Words
}
