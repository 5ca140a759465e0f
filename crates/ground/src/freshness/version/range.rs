//! Sets of versions, so that a manifest's range can be held against a condition.

use std::cmp::Ordering;

use super::order::{compare, numbers};
use super::{Comparator, Operator, Scheme};

/// A set of versions: intervals, each with or without its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Versions {
    scheme: Scheme,
    intervals: Vec<Interval>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Interval {
    low: Option<Bound>,
    high: Option<Bound>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Bound {
    version: String,
    included: bool,
}

/// How one set lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// All of it is inside.
    Inside,
    /// None of it is.
    Outside,
    /// Some is, some is not.
    Partly,
}

impl Versions {
    /// Holds one version.
    pub(crate) fn exactly(scheme: Scheme, version: &str) -> Versions {
        let bound = Some(Bound { version: version.to_owned(), included: true });
        Versions { scheme, intervals: vec![Interval { low: bound.clone(), high: bound }] }
    }

    /// Holds all versions.
    pub(crate) fn all(scheme: Scheme) -> Versions {
        Versions { scheme, intervals: vec![Interval::default()] }
    }

    /// Holds the versions that satisfy all comparisons.
    pub(crate) fn satisfying(scheme: Scheme, comparators: &[Comparator]) -> Versions {
        let mut versions = Versions::all(scheme);
        for comparator in comparators {
            versions = versions.and(&intervals(comparator));
        }
        versions
    }

    /// Joins two sets.
    pub(crate) fn or(mut self, other: Versions) -> Versions {
        self.intervals.extend(other.intervals);
        self
    }

    /// Tells how this set lies to another.
    pub(crate) fn within(&self, other: &Versions) -> Overlap {
        let inside = |interval: &Interval| other.intervals.iter().any(|outer| self.contains(outer, interval));
        if !self.intervals.is_empty() && self.intervals.iter().all(inside) {
            return Overlap::Inside;
        }
        let touches = self.clone().and(&other.intervals).intervals.is_empty();
        if touches { Overlap::Outside } else { Overlap::Partly }
    }

    fn and(self, others: &[Interval]) -> Versions {
        let mut kept = Vec::new();
        for own in &self.intervals {
            for other in others {
                let low = self.tighter(own.low.as_ref(), other.low.as_ref(), Ordering::Greater);
                let high = self.tighter(own.high.as_ref(), other.high.as_ref(), Ordering::Less);
                if self.is_possible(low.as_ref(), high.as_ref()) {
                    kept.push(Interval { low, high });
                }
            }
        }
        Versions { scheme: self.scheme, intervals: kept }
    }

    fn tighter(&self, a: Option<&Bound>, b: Option<&Bound>, wanted: Ordering) -> Option<Bound> {
        let (Some(a), Some(b)) = (a, b) else { return a.or(b).cloned() };
        let order = compare(self.scheme, &a.version, &b.version);
        if order == Ordering::Equal {
            return Some(Bound { version: a.version.clone(), included: a.included && b.included });
        }
        Some(if order == wanted { a.clone() } else { b.clone() })
    }

    fn is_possible(&self, low: Option<&Bound>, high: Option<&Bound>) -> bool {
        let (Some(low), Some(high)) = (low, high) else { return true };
        match compare(self.scheme, &low.version, &high.version) {
            Ordering::Less => true,
            Ordering::Equal => low.included && high.included,
            Ordering::Greater => false,
        }
    }

    fn contains(&self, outer: &Interval, inner: &Interval) -> bool {
        let covers = |outer: Option<&Bound>, inner: Option<&Bound>, beyond: Ordering| match (outer, inner) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(outer), Some(inner)) => {
                let order = compare(self.scheme, &inner.version, &outer.version);
                order == beyond || (order == Ordering::Equal && (outer.included || !inner.included))
            }
        };
        covers(outer.low.as_ref(), inner.low.as_ref(), Ordering::Greater)
            && covers(outer.high.as_ref(), inner.high.as_ref(), Ordering::Less)
    }
}

/// Returns the intervals of one comparison.
fn intervals(comparator: &Comparator) -> Vec<Interval> {
    let version = comparator.version.trim().trim_start_matches('v');
    if let Some(stem) = wildcard(version) {
        return wildcard_intervals(comparator.operator, stem);
    }
    let bound = |included| Some(Bound { version: version.to_owned(), included });
    let parts = numbers(version);
    let below = |parts: Vec<u64>| Some(Bound { version: first_of(&parts), included: false });
    let one = |low, high| vec![Interval { low, high }];
    match comparator.operator {
        Operator::AtLeast => one(bound(true), None),
        Operator::Above => one(bound(false), None),
        Operator::AtMost => one(None, bound(true)),
        Operator::Below => one(None, bound(false)),
        Operator::Equal => one(bound(true), bound(true)),
        Operator::NotEqual => {
            vec![Interval { low: None, high: bound(false) }, Interval { low: bound(false), high: None }]
        }
        Operator::Caret => one(bound(true), below(next_breaking(&parts))),
        Operator::Tilde => one(bound(true), below(raised(&parts, usize::from(parts.len() > 1)))),
        Operator::Pessimistic => one(bound(true), below(raised(&parts, parts.len().saturating_sub(2)))),
    }
}

/// `1.2.*`, `1.x` and `*` name all versions that begin so.
fn wildcard(version: &str) -> Option<&str> {
    let stem = version.trim_end_matches(['*', 'x', 'X']);
    let is_wild = stem.len() < version.len() && (stem.is_empty() || stem.ends_with('.'));
    is_wild.then(|| stem.trim_end_matches(".x").trim_end_matches(".*").trim_end_matches('.'))
}

fn wildcard_intervals(operator: Operator, stem: &str) -> Vec<Interval> {
    if stem.is_empty() {
        return vec![Interval::default()];
    }
    let parts = numbers(stem);
    let low = Bound { version: stem.to_owned(), included: true };
    let high = Bound { version: first_of(&raised(&parts, parts.len().saturating_sub(1))), included: false };
    match operator {
        Operator::NotEqual => vec![
            Interval { low: None, high: Some(Bound { included: false, ..low }) },
            Interval { low: Some(Bound { included: true, ..high }), high: None },
        ],
        _ => vec![Interval { low: Some(low), high: Some(high) }],
    }
}

/// Raises one part and drops what follows it.
fn raised(parts: &[u64], index: usize) -> Vec<u64> {
    let mut raised: Vec<u64> = parts.iter().copied().take(index + 1).collect();
    if let Some(last) = raised.last_mut() {
        *last = last.saturating_add(1);
    }
    raised
}

/// The first part that is not zero decides what breaks.
fn next_breaking(parts: &[u64]) -> Vec<u64> {
    let index = parts.iter().position(|part| *part > 0).unwrap_or(parts.len().saturating_sub(1));
    raised(parts, index)
}

/// Pre-releases of the excluded version are excluded too, so the bound lies before them.
fn first_of(parts: &[u64]) -> String {
    let shown: Vec<String> = parts.iter().map(u64::to_string).collect();
    format!("{}-0", shown.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Versions {
        let form = regex::Regex::new(r"(>=|<=|==|!=|~>|>|<|=|\^|~)\s*([^\s,]+)").unwrap();
        let comparators: Vec<Comparator> = form
            .captures_iter(text)
            .map(|c| Comparator { operator: Operator::from_sign(&c[1]).unwrap(), version: c[2].to_owned() })
            .collect();
        Versions::satisfying(Scheme::Semver, &comparators)
    }

    #[test]
    fn ranges_lie_inside_outside_or_across() {
        let check = |range: &str, condition: &str, expected: Overlap| {
            assert_eq!(set(range).within(&set(condition)), expected, "{range} within {condition}");
        };
        check("^5.1.0", ">=4.0", Overlap::Inside);
        check("^3.1.0", ">=4.0", Overlap::Outside);
        check(">=3.1.0", ">=4.0", Overlap::Partly);
        check("~1.2.3", "^1.2", Overlap::Inside);
        check("=1.2.3", "~1.2", Overlap::Inside);
        check("=2.0.0-rc.1", "^1.2", Overlap::Outside);
        check("^0.2.3", "<0.3", Overlap::Inside);
        check("~>1.4", "<2", Overlap::Inside);
        check("=1.4.7", "=1.4.*", Overlap::Inside);
        check("=1.5.0", "!=1.4.*", Overlap::Inside);
        check("=1.4.0", "!=1.4.*", Overlap::Outside);
        check("^1", ">=1,<3", Overlap::Inside);
    }
}
