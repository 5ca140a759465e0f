//! The states of a spike and the one table of legal moves.

use crate::{Spike, SpikeOutcome, SpikeState};

/// The table has no such move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a spike cannot go from `{from}` to `{to}`")]
pub struct IllegalSpikeMove {
    /// The state it is in.
    pub from: SpikeState,
    /// The state that was asked for.
    pub to: SpikeState,
}

/// So often a question is measured before it counts as not to be told by measuring.
pub const MOST_ROUNDS: u32 = 2;

impl SpikeState {
    /// Returns the states that can follow this one.
    ///
    /// A question can be concluded without an experiment, by reading; data cannot be skipped once an
    /// experiment runs. What was concluded is designed anew only for another round.
    pub const fn next(self) -> &'static [SpikeState] {
        use SpikeState::{Archived, Collected, Concluded, Designed, Hypothesis, Running};
        match self {
            Hypothesis => &[Designed, Concluded, Archived],
            Designed => &[Hypothesis, Running, Archived],
            Running => &[Collected, Designed],
            Collected => &[Concluded, Running, Designed, Archived],
            Concluded => &[Designed, Archived],
            Archived => &[],
        }
    }

    /// Moves to another state, or says that the table has no such move.
    pub fn go(self, to: SpikeState) -> Result<SpikeState, IllegalSpikeMove> {
        if self.next().contains(&to) { Ok(to) } else { Err(IllegalSpikeMove { from: self, to }) }
    }
}

impl Spike {
    /// Returns how far it is; what only says an outcome is concluded.
    pub fn stage(&self) -> SpikeState {
        match (self.state, self.outcome) {
            (Some(state), _) => state,
            (None, Some(_)) => SpikeState::Concluded,
            (None, None) => SpikeState::Hypothesis,
        }
    }

    /// Tells whether it has an answer that can be handed out.
    pub fn is_answered(&self) -> bool {
        self.stage() == SpikeState::Concluded
    }

    /// Tells whether another round may be measured: the last did not say, and it was not the last.
    pub fn may_repeat(&self) -> bool {
        self.outcome == Some(SpikeOutcome::Inconclusive) && self.rounds.unwrap_or(1) < MOST_ROUNDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_leaves_the_archive_and_nothing_stays_put() {
        for state in SpikeState::ALL {
            assert!(SpikeState::Archived.go(*state).is_err());
            assert!(state.go(*state).is_err());
        }
        let refused = SpikeState::Designed.go(SpikeState::Concluded).unwrap_err();
        assert_eq!(refused.to_string(), "a spike cannot go from `designed` to `concluded`");
    }

    #[test]
    fn what_has_an_outcome_is_concluded() {
        let old = Spike { outcome: Some(SpikeOutcome::Partial), ..Spike::default() };
        assert!(old.is_answered());
        let open = Spike { state: Some(SpikeState::Collected), ..old };
        assert!(!open.is_answered());
        assert!(!Spike::default().is_answered());
    }

    #[test]
    fn two_rounds_are_all() {
        let round = |rounds| Spike {
            outcome: Some(SpikeOutcome::Inconclusive),
            rounds: Some(rounds),
            ..Spike::default()
        };
        assert!(round(1).may_repeat());
        assert!(!round(2).may_repeat());
        assert!(!Spike { outcome: Some(SpikeOutcome::Rejected), ..round(1) }.may_repeat());
    }

    proptest! {
        /// However it is pushed around, what ran is concluded only with its data in.
        #[test]
        fn a_run_is_concluded_only_after_collecting(wishes in prop::collection::vec(0usize..6, 0..60)) {
            let mut state = SpikeState::Hypothesis;
            for wish in wishes {
                let to = SpikeState::ALL[wish];
                if let Ok(next) = state.go(to) {
                    if next == SpikeState::Concluded {
                        prop_assert!(matches!(state, SpikeState::Collected | SpikeState::Hypothesis));
                    }
                    if next == SpikeState::Collected {
                        prop_assert_eq!(state, SpikeState::Running);
                    }
                    state = next;
                }
            }
        }
    }
}
