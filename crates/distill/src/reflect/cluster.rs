//! Brings signals together while they stay alike on average (agglomerative clustering, average linkage).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Friction;
use super::likeness::Likeness;

/// Groups are joined while their signals are at least this alike on average.
///
/// Looked at on one store of 321 signals written by agents, where .12 gave 41 groups with strangers in
/// them, .16 33, .20 29 and .25 25; the groups at .20 were read one by one.
const ALIKE: f64 = 0.2;
/// No group is larger: a larger one is a heap, not a lesson.
const LARGEST: usize = 16;

/// Two groups that may be joined.
struct Pair {
    alike: f64,
    one: usize,
    other: usize,
    /// How often each had grown when this was reckoned.
    ages: (u32, u32),
}

impl PartialEq for Pair {
    fn eq(&self, other: &Pair) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Pair) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Pair) -> Ordering {
        self.alike.total_cmp(&other.alike).then_with(|| (other.one, other.other).cmp(&(self.one, self.other)))
    }
}

/// Groups signals; those that went well and those that did not are never mixed.
pub(super) fn groups(signals: &[Friction], likeness: &Likeness) -> Vec<Vec<usize>> {
    let count = signals.len();
    let mut groups: Vec<Option<Vec<usize>>> = (0..count).map(|at| Some(vec![at])).collect();
    let mut ages = vec![0_u32; count];
    let mut alike: Vec<Vec<f64>> = (0..count)
        .map(|one| {
            let between = |other: usize| {
                let same = signals[one].positive == signals[other].positive;
                if same { likeness.between(one, other) } else { 0.0 }
            };
            (0..count).map(between).collect()
        })
        .collect();
    let mut pairs: BinaryHeap<Pair> = BinaryHeap::new();
    for (one, row) in alike.iter().enumerate() {
        for (other, alike) in row[..one].iter().enumerate().filter(|(_, alike)| **alike >= ALIKE) {
            pairs.push(Pair { alike: *alike, one, other, ages: (0, 0) });
        }
    }
    while let Some(Pair { one, other, ages: then, .. }) = pairs.pop() {
        if (ages[one], ages[other]) != then || groups[one].is_none() || groups[other].is_none() {
            continue;
        }
        let (size, more) = (size_of(&groups, one), size_of(&groups, other));
        if size + more > LARGEST {
            continue;
        }
        let joined = groups[other].take().unwrap_or_default();
        if let Some(group) = &mut groups[one] {
            group.extend(joined);
        }
        ages[one] += 1;
        for third in (0..count).filter(|third| *third != one) {
            if groups[third].is_none() {
                continue;
            }
            let both = alike[one][third] * number(size) + alike[other][third] * number(more);
            let mean = both / number(size + more);
            alike[one][third] = mean;
            alike[third][one] = mean;
            if mean >= ALIKE {
                let (first, second) = (one.max(third), one.min(third));
                pairs.push(Pair {
                    alike: mean,
                    one: first,
                    other: second,
                    ages: (ages[first], ages[second]),
                });
            }
        }
    }
    let mut out: Vec<Vec<usize>> = groups.into_iter().flatten().collect();
    for group in &mut out {
        group.sort_unstable();
    }
    out.sort();
    out
}

fn size_of(groups: &[Option<Vec<usize>>], at: usize) -> usize {
    groups[at].as_ref().map_or(0, Vec::len)
}

#[allow(clippy::cast_precision_loss, reason = "groups are small")]
fn number(count: usize) -> f64 {
    count as f64
}
