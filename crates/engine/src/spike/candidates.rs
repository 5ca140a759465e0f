//! What could be measured: gaps that signals tell of, and entries whose sources contradict each other.

use lore_core::{Detail, Kind, LifecycleState, SignalType, Status};
use serde::Serialize;

use crate::{Engine, Error};

/// A question that something known asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpikeCandidate {
    /// The entry that asks for it.
    pub from: String,
    /// The question.
    pub question: String,
    /// Why it is one.
    pub why: String,
}

impl Engine {
    /// Lists questions that nobody has answered and something known asks for.
    pub fn spike_candidates(&self) -> Result<Vec<SpikeCandidate>, Error> {
        let snapshot = self.store.snapshot()?;
        let open = |one: &&lore_store::Summary| {
            one.kind == Kind::Signal
                && matches!(
                    one.lifecycle,
                    Some(LifecycleState::Detected | LifecycleState::Triaged | LifecycleState::Blocked)
                )
                && !one.archived
        };
        let signals = snapshot.read_some(snapshot.summaries().filter(open)).into_iter().flatten();
        let gaps = signals.filter(|stored| {
            matches!(&stored.entry.detail, Detail::Signal(signal) if signal.signal_type == Some(SignalType::EpistemicGap))
        });
        let mut found: Vec<SpikeCandidate> = gaps
            .map(|stored| SpikeCandidate {
                from: stored.entry.id.to_string(),
                question: stored.entry.description.clone().unwrap_or_else(|| stored.entry.title.clone()),
                why: "a signal says that nobody knew".to_owned(),
            })
            .collect();
        let disputed = snapshot.summaries().filter(|one| one.status == Status::Disputed && !one.archived);
        found.extend(disputed.map(|one| SpikeCandidate {
            from: one.id.to_string(),
            question: one.description.clone().unwrap_or_else(|| one.title.clone()),
            why: "its sources contradict each other; measuring may decide".to_owned(),
        }));
        let is_answered =
            |question: &str| matches!(self.answered(question), Ok(Some(answered)) if answered.is_whole());
        found.retain(|one| !is_answered(&one.question));
        Ok(found)
    }
}
