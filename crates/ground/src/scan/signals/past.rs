//! What git remembers: what commits that speak alike touched, and what is touched often or never.

use rustc_hash::FxHashMap;

use super::{Sight, Signal, Signals, fill};
use crate::scan::bm25::Statistics;
use crate::scan::words::Term;

/// So many of the nearest commits count.
const NEAREST: usize = 40;
/// Touches that lie no further apart are one piece of work.
const BURST: usize = 15;
/// So many of the latest commits show what changes along with everything.
const LATEST: usize = 150;

/// When a file was touched, in commits before the newest.
#[derive(Clone, Copy, Default)]
struct Times {
    count: u32,
    first: usize,
    last: usize,
}

impl Sight<'_> {
    /// Looks at the log.
    pub(super) fn past(&self, found: &mut [Signals]) {
        let alike = self.alike(&self.design.words);
        self.fill_by_role(found, Signal::Past, &alike);
        self.habits(found);
    }

    /// What earlier commits that speak alike touched.
    fn alike(&self, words: &FxHashMap<Term, f64>) -> Vec<f64> {
        let commits = &self.history.commits;
        let statistics = Statistics::of(words, commits.iter().map(|commit| commit.said.as_slice()));
        let mut near: Vec<(f64, usize)> = commits
            .iter()
            .enumerate()
            .map(|(at, commit)| (statistics.score(words, &commit.said), at))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let best = near.first().map_or(1.0, |(score, _)| *score);
        let mut alike = vec![0.0; self.files.len()];
        for (score, commit) in near.into_iter().take(NEAREST) {
            let width = (1.0 + commits[commit].files.len() as f64).ln();
            for at in self.touched(commit) {
                alike[at as usize] += (score / best).powi(2) / width;
            }
        }
        alike
    }

    /// Counts the commits that touched a file, and all.
    pub(in crate::scan) fn touches(&self, file: u32) -> (usize, usize) {
        let commits = self.history.commits.len();
        ((0..commits).filter(|commit| self.touched(*commit).any(|at| at == file)).count(), commits)
    }

    /// What is touched often, with everything, or never.
    fn habits(&self, found: &mut [Signals]) {
        let commits = &self.history.commits;
        let mut often = vec![0.0; self.files.len()];
        let mut times: Vec<Times> = vec![Times::default(); self.files.len()];
        let mut along = vec![0_u32; self.files.len()];
        for commit in 0..commits.len() {
            for at in self.touched(commit) {
                let at = at as usize;
                often[at] += 1.0 / (1.0 + commit as f64 / 300.0);
                along[at] += u32::from(commit < LATEST);
                let times = &mut times[at];
                times.last = if times.count == 0 { commit } else { times.last };
                times.first = commit;
                times.count += 1;
            }
        }
        often.iter_mut().for_each(|count| *count = count.ln_1p());
        fill(found, Signal::Churn, &often);
        // What was made at once and never touched again seldom changes: plans, reports, samples.
        for (signals, times) in found.iter_mut().zip(&times).filter(|_| !commits.is_empty()) {
            let age = if times.count == 0 { commits.len() } else { times.last };
            let signal = match times.count {
                0 | 1 => Signal::Settled,
                _ if times.first - times.last < BURST => Signal::Recorded,
                _ => continue,
            };
            signals[signal as usize] = 1.0 - (-(age as f32) / 50.0).exp();
        }
        let seen = commits.len().clamp(20, LATEST) as f32;
        for (signals, along) in found.iter_mut().zip(&along) {
            signals[Signal::Rate as usize] = (*along as f32 / seen).sqrt();
        }
    }
}
