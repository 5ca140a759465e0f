//! Whether friction is getting more or less: the recent part of the signals against the earlier one.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::Friction;

/// The last so many days are recent.
const RECENT: i64 = 30;
/// So many before them are compared with.
const EARLIER: i64 = 90;
/// From this change on something drifts, and from the second on it is a concern.
const DRIFTS: f64 = 0.2;
const CONCERNS: f64 = 0.5;
/// Fewer signals say nothing about a rate.
const FEWEST: usize = 4;

/// How often something happens now and did before.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Drift {
    /// The sort of signal, or `all`.
    pub what: String,
    /// Signals per thirty days lately.
    pub recent: f64,
    /// Signals per thirty days before.
    pub earlier: f64,
    /// `steady`, `drifting` or `concerning`; `better` where it became less.
    pub verdict: &'static str,
}

/// Compares the last thirty days with the ninety before.
pub fn drift(signals: &[Friction], now: Timestamp) -> Vec<Drift> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for signal in signals.iter().filter(|signal| !signal.positive) {
        let Some(at) = signal.at else { continue };
        let days = (now.as_second() - at.as_second()) / 86_400;
        let sort = signal.signal_type.map_or("custom", |sort| sort.word()).to_owned();
        for what in [sort, "all".to_owned()] {
            let count = counts.entry(what).or_default();
            match days {
                0..RECENT => count.0 += 1,
                RECENT.. if days < RECENT + EARLIER => count.1 += 1,
                _ => {}
            }
        }
    }
    let mut found: Vec<Drift> = counts
        .into_iter()
        .filter(|(_, (recent, earlier))| recent + earlier >= FEWEST)
        .map(|(what, (recent, earlier))| {
            let (recent, earlier) = (rate(recent, RECENT), rate(earlier, EARLIER));
            let change = if earlier > 0.0 { recent / earlier - 1.0 } else { 1.0 };
            let verdict = match change {
                change if change >= CONCERNS => "concerning",
                change if change >= DRIFTS => "drifting",
                change if change <= -DRIFTS => "better",
                _ => "steady",
            };
            Drift { what, recent, earlier, verdict }
        })
        .collect();
    found.sort_by(|a, b| (a.what != "all").cmp(&(b.what != "all")).then(b.recent.total_cmp(&a.recent)));
    found
}

#[allow(clippy::cast_precision_loss, reason = "counts of signals are small")]
fn rate(count: usize, days: i64) -> f64 {
    count as f64 * 30.0 / days as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_before_is_told() {
        let now = Timestamp::from_second(1_700_000_000 + 200 * 86_400).expect("a time of ours");
        let at = |day: usize| super::super::tests::friction(day, "t", "p");
        let mut signals: Vec<Friction> = (185..195).map(at).collect();
        signals.extend((100..103).map(at));
        let found = drift(&signals, now);
        assert_eq!((found[0].what.as_str(), found[0].verdict), ("all", "concerning"));
        assert!((found[0].recent - 10.0).abs() < 0.01 && (found[0].earlier - 1.0).abs() < 0.01, "{found:?}");
        assert_eq!(drift(&signals[..2], now), []);
    }
}
