//! How each file is tied to the seeds, the files that the first look found likeliest.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Sight, Signal, Signals, fill, folder_and_name, number, raise};
use crate::scan::roles::Role;

/// How many files count as seeds, and which place counts half as much as the first.
const SEEDS: usize = 25;
const HALF_SEED: f64 = 6.0;
/// The same for whose tests are looked for: tests are many, and only those of the first files tell.
const TESTED: usize = 12;
const HALF_TESTED: f64 = 2.0;
/// A test called after a file and something more, beside one that is called after the file alone.
const LOOSELY: f64 = 0.6;

impl Sight<'_> {
    /// Looks at how each file is tied to the seeds.
    pub(in crate::scan) fn of_seeds(&self, sums: &[f64], found: &mut [Signals]) {
        let seeds = likeliest(sums, SEEDS, HALF_SEED);
        self.cochange(&seeds, found);
        self.imports(&seeds, found);
        self.neighbours(&seeds, found);
        self.tests(sums, found);
    }

    /// Tests of what is likely, or listed to change, and what likely tests test.
    ///
    /// A design that lists tests lists those it means; where it lists none, they are left to whoever follows it.
    fn tests(&self, sums: &[f64], found: &mut [Signals]) {
        let changed: Vec<(usize, f32)> = found
            .iter()
            .enumerate()
            .map(|(at, signals)| (at, signals[Signal::ToChange as usize]))
            .filter(|(_, says)| *says > 0.0)
            .collect();
        self.tests_of_all(sums, found);
        if changed.iter().any(|(at, _)| self.roles[*at] == Role::Test) {
            for (at, says) in changed.into_iter().filter(|(at, _)| self.roles[*at] == Role::Code) {
                self.twins(at, f64::from(says), Signal::TestBesideListed, found);
            }
            return;
        }
        for (at, says) in changed {
            self.twins(at, f64::from(says), Signal::TestOfNamed, found);
        }
        for (seed, weight) in likeliest(sums, TESTED, HALF_TESTED) {
            self.twins(seed, weight, Signal::TestOfSeed, found);
        }
    }

    /// A test is likely as what it tests is: the first files are few, and a design may mean more.
    fn tests_of_all(&self, sums: &[f64], found: &mut [Signals]) {
        // By every name that a test can be called after: `tax_rate` tests `tax` too, if less surely.
        let mut called: FxHashMap<&str, Vec<(usize, f64)>> = FxHashMap::default();
        for (at, stem) in self.stems.iter().enumerate().filter(|(at, _)| self.roles[*at] == Role::Test) {
            called.entry(stem).or_default().push((at, 1.0));
            for (end, _) in stem.match_indices(['_', '-']).filter(|(end, _)| *end > 2) {
                called.entry(&stem[..end]).or_default().push((at, LOOSELY));
            }
        }
        let most = sums.iter().copied().fold(0.0, f64::max);
        for (of, sum) in sums.iter().enumerate().filter(|(of, _)| self.roles[*of] == Role::Code) {
            let Some(tests) = called.get(self.stems[of].as_str()).filter(|_| *sum > 0.0) else { continue };
            let near = |(at, fit): &(usize, f64)| fit * nearness(&self.files[of].path, &self.files[*at].path);
            let best = tests.iter().map(near).fold(0.0, f64::max);
            for test in tests {
                let value = (sum / most * near(test) / best).powi(2);
                raise(found, number(test.0), Signal::TestOfLikely, value as f32);
            }
        }
    }

    /// What imports the seeds: of one that many import each says less.
    fn imports(&self, seeds: &[(usize, f64)], found: &mut [Signals]) {
        let mut asks = vec![0.0; self.files.len()];
        for (seed, weight) in seeds {
            let asked_by = &self.graph.asked_by[*seed];
            for from in asked_by {
                asks[*from as usize] += weight / (1.0 + asked_by.len() as f64).ln();
            }
        }
        fill(found, Signal::AsksSeed, &asks);
    }

    /// Files in the same folder, and files of the same name elsewhere.
    fn neighbours(&self, seeds: &[(usize, f64)], found: &mut [Signals]) {
        let mut folders: FxHashMap<&str, (f64, usize)> = FxHashMap::default();
        let mut names: FxHashMap<&str, (f64, usize)> = FxHashMap::default();
        for file in self.files {
            let (folder, name) = folder_and_name(&file.path);
            folders.entry(folder).or_default().1 += 1;
            names.entry(name).or_default().1 += 1;
        }
        let mut own = vec![0.0; self.files.len()];
        for (seed, weight) in seeds {
            own[*seed] = *weight;
            let (folder, name) = folder_and_name(&self.files[*seed].path);
            folders.entry(folder).or_default().0 += weight;
            names.entry(name).or_default().0 += weight;
        }
        let mut beside = vec![0.0; self.files.len()];
        for (at, file) in self.files.iter().enumerate() {
            let (folder, name) = folder_and_name(&file.path);
            let share = |(sum, count): (f64, usize)| (sum - own[at]) / (count - 1).max(1) as f64;
            beside[at] = folders[folder].0 - own[at];
            raise(found, number(at), Signal::FolderOfSeeds, share(folders[folder]) as f32);
            raise(found, number(at), Signal::Namesake, share(names[name]) as f32);
        }
        fill(found, Signal::BesideSeed, &beside);
    }

    /// The tests of a file, or what a test tests: those that lie nearest most.
    fn twins(&self, of: usize, weight: f64, signal: Signal, found: &mut [Signals]) {
        let stem = self.stems[of].as_str();
        let is_test = self.roles[of] == Role::Test;
        if stem.is_empty() || !matches!(self.roles[of], Role::Test | Role::Code) {
            return;
        }
        let fit = |at: usize| {
            let other = self.stems[at].as_str();
            let (test, tested) = if is_test { (stem, other) } else { (other, stem) };
            if test == tested {
                1.0
            } else if tested.len() > 2
                && test.strip_prefix(tested).is_some_and(|rest| rest.starts_with(['_', '-']))
            {
                LOOSELY
            } else {
                0.0
            }
        };
        let kind = if is_test { Role::Code } else { Role::Test };
        let twins: Vec<(usize, f64)> = (0..self.files.len())
            .filter(|at| *at != of && self.roles[*at] == kind)
            .map(|at| (at, fit(at)))
            .filter(|(_, fit)| *fit > 0.0)
            .map(|(at, fit)| (at, fit * nearness(&self.files[of].path, &self.files[at].path)))
            .collect();
        let best = twins.iter().map(|(_, near)| *near).fold(0.0, f64::max);
        for (at, near) in twins {
            raise(found, number(at), signal, (weight * (near / best).powi(2)) as f32);
        }
    }

    /// What changed together with the seeds.
    fn cochange(&self, seeds: &[(usize, f64)], found: &mut [Signals]) {
        let weight_of: FxHashMap<u32, f64> =
            seeds.iter().map(|(seed, weight)| (number(*seed), *weight)).collect();
        let mut times: FxHashMap<u32, f64> = FxHashMap::default();
        let mut together: FxHashMap<(u32, u32), f64> = FxHashMap::default();
        for commit in 0..self.history.commits.len() {
            let touched: Vec<u32> = self.touched(commit).collect();
            let share = 1.0 / (1.0 + (touched.len() as f64).ln()) / (1.0 + commit as f64 / 1500.0);
            for seed in touched.iter().filter(|at| weight_of.contains_key(at)) {
                *times.entry(*seed).or_default() += share;
                for other in touched.iter().filter(|other| *other != seed) {
                    *together.entry((*seed, *other)).or_default() += share;
                }
            }
        }
        let mut values = vec![0.0; self.files.len()];
        for ((seed, other), count) in together {
            let all = times.get(&seed).copied().unwrap_or(0.0);
            let weight = weight_of.get(&seed).copied().unwrap_or(0.0);
            values[other as usize] += weight * count / (all + 1.0);
            raise(found, other, Signal::CochangeSure, (weight * count / (all + 0.7)) as f32);
        }
        fill(found, Signal::Cochange, &values);
    }
}

/// Takes the likeliest files in order, each with a weight that falls to half at a place.
fn likeliest(sums: &[f64], most: usize, half: f64) -> Vec<(usize, f64)> {
    let mut order: Vec<usize> = (0..sums.len()).collect();
    order.sort_by(|a, b| sums[*b].total_cmp(&sums[*a]).then(a.cmp(b)));
    order.truncate(most);
    order.into_iter().enumerate().map(|(place, at)| (at, 1.0 / (1.0 + place as f64 / half))).collect()
}

/// Says how much of their folders two paths share, from .3 to 1.
fn nearness(one: &str, other: &str) -> f64 {
    fn parts(path: &str) -> FxHashSet<&str> {
        path.split('/').rev().skip(1).collect()
    }
    let (one, other) = (parts(one), parts(other));
    let shared = one.intersection(&other).count() as f64;
    let all = one.union(&other).count().max(1) as f64;
    0.3 + 0.7 * shared / all
}
