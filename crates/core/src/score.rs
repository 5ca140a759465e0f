//! Plain arithmetic on given times: decay, occurrence, and the sum that ranks (Q-02 … Q-04).

use serde::{Deserialize, Serialize};

use crate::{Entry, Kind, Moment};

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

/// Returns how fresh an entry is: 1 on its day, less by 0.01 a day, never below 0.3.
pub fn decay(entry: &Entry, today: Moment) -> f64 {
    match entry.updated.or(entry.created).filter(|_| !is_evergreen(entry)) {
        Some(since) => decay_after(since.days_until(today)),
        None => 1.0,
    }
}

/// Returns how fresh something is that does not keep, after so many days.
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
pub fn occurrence(entry: &Entry) -> f64 {
    match (entry.kind, entry.occurrences) {
        (Kind::Pattern, Some(n)) => (f64::from(n) / 10.0).min(1.0),
        _ => 0.5,
    }
}

/// Returns 1 when the entry is of the domain asked for, 0.5 otherwise or when none was.
pub fn domain_match(entry: &Entry, wanted: Option<&str>) -> f64 {
    let matches = wanted.is_some_and(|wanted| {
        let same = |text: &str| {
            text == wanted || text.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'))
        };
        entry.domain.as_deref().is_some_and(same)
            || entry.tags.iter().any(|tag| same(tag) || tag.strip_prefix("domain:") == Some(wanted))
    });
    if matches { 1.0 } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EntryId;

    fn entry(kind: Kind, updated: &str) -> Entry {
        let id = EntryId::new(kind, jiff::civil::date(2026, 1, 1), "x");
        Entry { updated: Some(updated.parse().unwrap()), ..Entry::new(id, kind, "x") }
    }

    #[test]
    fn decays_to_the_floor_and_no_further() {
        let today: Moment = "2026-03-01".parse().unwrap();
        assert!((decay(&entry(Kind::Fact, "2026-02-19"), today) - 0.9).abs() < 1e-9);
        assert!((decay(&entry(Kind::Fact, "2020-01-01"), today) - DECAY_FLOOR).abs() < 1e-9);
        let mut evergreen = entry(Kind::Fact, "2020-01-01");
        evergreen.tags.push("security/jwt".to_owned());
        assert!((decay(&evergreen, today) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn patterns_gain_by_occurrence() {
        let mut pattern = entry(Kind::Pattern, "2026-01-01");
        pattern.occurrences = Some(25);
        assert!((occurrence(&pattern) - 1.0).abs() < 1e-9);
        pattern.occurrences = Some(3);
        assert!((occurrence(&pattern) - 0.3).abs() < 1e-9);
        assert!((occurrence(&entry(Kind::Fact, "2026-01-01")) - 0.5).abs() < 1e-9);
    }
}
