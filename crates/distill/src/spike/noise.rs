//! Numbers that scatter: the median, and how far it can be trusted.
//!
//! The interval of a median comes from order statistics (the sign test turned round): it supposes nothing
//! of how the numbers scatter, which is never normal for times.

use std::collections::BTreeMap;

/// All measurements of a spike: alternative, then metric, then one number per repetition.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// Alternatives in the order of the plan.
    pub alternatives: Vec<String>,
    /// Numbers by alternative and metric; nothing where a repetition has none.
    pub numbers: BTreeMap<(String, String), Vec<Option<f64>>>,
    /// Alternatives of which a run failed, with how.
    pub failed: BTreeMap<String, String>,
}

impl Measured {
    /// Tells whether a run of every alternative failed.
    pub fn is_none_left(&self) -> bool {
        self.alternatives.iter().all(|name| self.failed.contains_key(name))
    }

    /// Returns the numbers of one metric of one alternative.
    pub fn of(&self, alternative: &str, metric: &str) -> &[Option<f64>] {
        self.numbers.get(&(alternative.to_owned(), metric.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// Lists the metrics, each once.
    pub fn metrics(&self) -> Vec<&str> {
        let mut metrics: Vec<&str> = self.numbers.keys().map(|(_, metric)| metric.as_str()).collect();
        metrics.sort_unstable();
        metrics.dedup();
        metrics
    }

    /// Returns how the numbers of one metric of one alternative lie.
    pub fn spread(&self, alternative: &str, metric: &str) -> Option<Spread> {
        Spread::of(self.of(alternative, metric).iter().flatten().copied())
    }

    /// Returns how many times one alternative has what the other has, repetition by repetition: what
    /// both met in the same minute falls out.
    pub fn ratio(&self, metric: &str, of: &str, to: &str) -> Option<Spread> {
        let pairs = self.of(of, metric).iter().zip(self.of(to, metric));
        let ratios = pairs.filter_map(|(a, b)| Some((*a)? / (*b).filter(|b| *b != 0.0)?));
        Spread::of(ratios)
    }
}

/// How some numbers lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// The middle one.
    pub median: f64,
    /// The median lies between this …
    pub low: f64,
    /// … and this, as often as [`Spread::coverage`] says; all numbers lie there where they are fewer than six.
    pub high: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// Orders numbers; nothing where there are none.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut sorted: Vec<f64> = numbers.into_iter().filter(|number| number.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = count / 2;
        let median =
            if count % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) };
        let cut = cut(count);
        Some(Spread { count, median, low: sorted[cut], high: sorted[count - 1 - cut], min, max })
    }
}

/// So many numbers are needed for an interval that holds the median nineteen times out of twenty.
pub const ENOUGH: usize = 6;

impl Spread {
    /// Returns how often an interval made like this one holds the true median.
    pub fn coverage(&self) -> f64 {
        coverage(self.count)
    }
}

/// Returns how often the interval that so many numbers give holds the true median.
pub fn coverage(count: usize) -> f64 {
    let mut tail = 0.5f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let mut outside = 0.0;
    for below in 0..=cut(count) {
        outside += tail;
        tail *= (count - below) as f64 / (below + 1) as f64;
    }
    (1.0 - 2.0 * outside).max(0.0)
}

/// Says how often the interval that so many numbers give holds the true median.
pub fn how_often(count: usize) -> &'static str {
    match count {
        0 | 1 => "nobody can say how often, from one number",
        2 => "one time out of two",
        3 => "three times out of four",
        4 => "seven times out of eight",
        5 => "fifteen times out of sixteen",
        _ => "nineteen times out of twenty",
    }
}

/// Returns how many numbers may be cut off at each end so that the median stays inside, at 95 %.
fn cut(count: usize) -> usize {
    // Each number is above the median or not, as a coin falls.
    let mut tail = 0.5f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let (mut sum, mut cut) = (0.0, 0);
    for below in 0..count / 2 {
        sum += tail;
        if 2.0 * sum > 0.05 {
            break;
        }
        cut = below;
        tail *= (count - below) as f64 / (below + 1) as f64;
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_tables() {
        // Values of the sign test: with 6 numbers all of them, with 10 the second to the ninth.
        for (count, expected) in [(1, 0), (5, 0), (6, 0), (9, 1), (10, 1), (12, 2), (15, 3), (20, 5), (30, 9)]
        {
            assert_eq!(cut(count), expected, "{count}");
        }
        let spread = Spread::of((1..=10).map(f64::from)).unwrap();
        assert_eq!((spread.median, spread.low, spread.high), (5.5, 2.0, 9.0));
        assert_eq!(Spread::of([]), None);
        assert_eq!(Spread::of([f64::NAN]), None);
    }

    /// Three numbers were said to hold the median nineteen times out of twenty.
    #[test]
    fn the_interval_says_how_often_it_is_right() {
        for (count, expected) in [(1, 0.0), (2, 0.5), (3, 0.75), (4, 0.875), (5, 0.9375), (6, 0.96875)] {
            assert!((coverage(count) - expected).abs() < 1e-9, "{count}: {}", coverage(count));
        }
        assert!((ENOUGH..200).all(|count| coverage(count) >= 0.95));
        assert_eq!((how_often(3), how_often(6)), ("three times out of four", "nineteen times out of twenty"));
    }

    #[test]
    fn what_both_met_falls_out_of_a_ratio() {
        let mut measured = Measured::default();
        let put = |measured: &mut Measured, name: &str, numbers: [f64; 4]| {
            let key = (name.to_owned(), "wall_ms".to_owned());
            measured.numbers.insert(key, numbers.map(Some).to_vec());
        };
        // The machine became three times as slow half-way; one is a tenth faster all the time.
        put(&mut measured, "a", [9.0, 9.0, 27.0, 27.0]);
        put(&mut measured, "b", [10.0, 10.0, 30.0, 30.0]);
        let ratio = measured.ratio("wall_ms", "a", "b").unwrap();
        assert!((ratio.low - 0.9).abs() < 1e-9 && (ratio.high - 0.9).abs() < 1e-9, "{ratio:?}");
        assert_eq!(measured.ratio("wall_ms", "a", "c"), None);
    }
}
