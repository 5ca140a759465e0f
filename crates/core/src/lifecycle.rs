//! The states of a signal and the one table of legal moves.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a signal stands on its way from being seen to being settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LifecycleState {
    /// It was seen.
    #[default]
    Detected,
    /// Someone decided what to do about it.
    Triaged,
    /// It cannot go on until something else happens.
    Blocked,
    /// A remedy is in place.
    Remediated,
    /// It did not come back.
    Verified,
    /// It was never a problem. There is no way back.
    Invalidated,
}

/// Whether a signal may be remediated without having been triaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// Every signal is triaged first.
    Strict,
    /// A fix may come before the paperwork.
    #[default]
    Flexible,
}

/// The table has no such move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a signal cannot go from `{from}` to `{to}`")]
pub struct IllegalMove {
    /// The state it is in.
    pub from: LifecycleState,
    /// The state that was asked for.
    pub to: LifecycleState,
}

impl LifecycleState {
    /// Lists all states.
    pub const ALL: [LifecycleState; 6] = [
        LifecycleState::Detected,
        LifecycleState::Triaged,
        LifecycleState::Blocked,
        LifecycleState::Remediated,
        LifecycleState::Verified,
        LifecycleState::Invalidated,
    ];

    /// Returns the word used in front matter.
    pub const fn word(self) -> &'static str {
        match self {
            LifecycleState::Detected => "detected",
            LifecycleState::Triaged => "triaged",
            LifecycleState::Blocked => "blocked",
            LifecycleState::Remediated => "remediated",
            LifecycleState::Verified => "verified",
            LifecycleState::Invalidated => "invalidated",
        }
    }

    /// Reads the word used in front matter.
    pub fn from_word(word: &str) -> Option<LifecycleState> {
        LifecycleState::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Returns the states that can follow this one.
    pub const fn next(self, strictness: Strictness) -> &'static [LifecycleState] {
        use LifecycleState::{Blocked, Detected, Invalidated, Remediated, Triaged, Verified};
        match (self, strictness) {
            (Detected, Strictness::Strict) => &[Triaged, Blocked, Invalidated],
            (Detected, Strictness::Flexible) => &[Triaged, Blocked, Invalidated, Remediated],
            (Triaged, _) => &[Blocked, Remediated, Invalidated, Detected],
            (Blocked, _) => &[Triaged, Remediated, Invalidated],
            (Remediated, _) => &[Verified, Detected, Invalidated],
            (Verified, _) => &[Detected, Invalidated],
            (Invalidated, _) => &[],
        }
    }

    /// Moves to another state, or says that the table has no such move.
    pub fn go(self, to: LifecycleState, strictness: Strictness) -> Result<LifecycleState, IllegalMove> {
        if self.next(strictness).contains(&to) { Ok(to) } else { Err(IllegalMove { from: self, to }) }
    }
}

impl fmt::Display for LifecycleState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_leaves_invalidated_and_nothing_stays_put() {
        for from in LifecycleState::ALL {
            assert!(LifecycleState::Invalidated.go(from, Strictness::Flexible).is_err());
            assert!(from.go(from, Strictness::Flexible).is_err());
        }
    }

    #[test]
    fn strict_is_a_subset_of_flexible() {
        for from in LifecycleState::ALL {
            for to in from.next(Strictness::Strict) {
                assert!(from.next(Strictness::Flexible).contains(to));
            }
        }
        let detected = LifecycleState::Detected;
        assert!(detected.go(LifecycleState::Remediated, Strictness::Flexible).is_ok());
        assert!(detected.go(LifecycleState::Remediated, Strictness::Strict).is_err());
    }

    proptest! {
        /// However it is pushed around, a signal is verified only right after being remediated.
        #[test]
        fn verified_comes_only_after_remediated(wishes in prop::collection::vec(0usize..6, 0..60)) {
            let mut state = LifecycleState::Detected;
            for wish in wishes {
                let to = LifecycleState::ALL[wish];
                if let Ok(next) = state.go(to, Strictness::Strict) {
                    if next == LifecycleState::Verified {
                        prop_assert_eq!(state, LifecycleState::Remediated);
                    }
                    if next == LifecycleState::Remediated {
                        prop_assert_ne!(state, LifecycleState::Detected);
                    }
                    state = next;
                }
            }
        }
    }
}
