//! Plain arithmetic on given times: decay, occurrence, and the sum that ranks.

use serde::{Deserialize, Serialize};

use crate::{Entry, Kind};

/// Decay never goes below this.
const DECAY_FLOOR: f64 = 0.3;
/// What a day takes away.
const DECAY_PER_DAY: f64 = 0.01;
/// Tags that keep an entry fresh.
const EVERGREEN: [&str; 4] = ["architecture", "security", "core", "breaking"];

/// The parts of a score, each between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Parts {
    /// How alike the query and the entry are.
    pub similarity: f64,
    /// How recent the entry is.
    pub decay: f64,
    /// Whether it is of the domain asked for.
    pub domain: f64,
    /// How often it was seen.
    pub occurrence: f64,
}

impl Parts {
    /// Weighs the parts: 0.6, 0.2, 0.1, 0.1.
    pub fn total(self) -> f64 {
        0.6 * self.similarity + 0.2 * self.decay + 0.1 * self.domain + 0.1 * self.occurrence
    }
}

/// Returns how fresh something is that does not keep: 1 on its day, less by 0.01 a day, never below 0.3.
pub fn decay_after(days: u32) -> f64 {
    (1.0 - f64::from(days) * DECAY_PER_DAY).max(DECAY_FLOOR)
}

/// Tells whether something has decayed as far as it can.
pub fn is_at_the_floor(decay: f64) -> bool {
    decay <= DECAY_FLOOR
}

/// Tells whether an entry keeps for ever: architecture, and what is tagged so.
pub fn is_evergreen(entry: &Entry) -> bool {
    entry.kind == Kind::Architecture
        || entry.tags.iter().any(|tag| {
            let top = tag.split('/').next().unwrap_or(tag);
            EVERGREEN.contains(&top)
        })
}

/// Returns the weight of having been seen often: n/10 up to 1 for patterns, 0.5 otherwise.
pub fn occurrence(kind: Kind, times: Option<u32>) -> f64 {
    match (kind, times) {
        (Kind::Pattern, Some(n)) => (f64::from(n) / 10.0).min(1.0),
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntryId;

    #[test]
    fn decays_to_the_floor_and_no_further() {
        assert!((decay_after(10) - 0.9).abs() < 1e-9);
        assert!(is_at_the_floor(decay_after(3000)) && !is_at_the_floor(decay_after(69)));
        let id = EntryId::new(Kind::Fact, jiff::civil::date(2026, 1, 1), "x");
        let mut entry = Entry::new(id, Kind::Fact, "x");
        assert!(!is_evergreen(&entry));
        entry.tags.push("security/jwt".to_owned());
        assert!(is_evergreen(&entry));
    }

    #[test]
    fn patterns_gain_by_occurrence() {
        assert!((occurrence(Kind::Pattern, Some(25)) - 1.0).abs() < 1e-9);
        assert!((occurrence(Kind::Pattern, Some(3)) - 0.3).abs() < 1e-9);
        assert!((occurrence(Kind::Fact, Some(3)) - 0.5).abs() < 1e-9);
    }
}
