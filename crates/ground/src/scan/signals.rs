//! What speaks for a file being changed: one number per signal, between 0 and about 1.
//!
//! The first signals look at the design and one file; the later ones at the files that the first
//! ones found (the seeds) and how a file is tied to them.

use globset::GlobBuilder;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bm25::{Bag, Statistics, bag};
use super::design::Design;
use super::graph::Graph;
use super::history::History;
use super::roles::{Role, bare_stem};
use super::tree::TreeFile;
use super::words::{Cutter, Term, name_of};

/// How many signals there are.
pub const COUNT: usize = 32;

/// Their names, in the order of the numbers.
pub const NAMES: [&str; COUNT] = [
    "named",
    "named_often",
    "listed",
    "stem",
    "stem_word",
    "folder",
    "beside_new",
    "defines",
    "uses",
    "content",
    "title_content",
    "path",
    "title_path",
    "past",
    "churn",
    "recent",
    "is_test",
    "is_document",
    "is_settings",
    "is_made",
    "cochange",
    "asked_by_seed",
    "asks_seed",
    "uses_seed",
    "test_of_seed",
    "names_seed",
    "beside_seed",
    "named_by_name",
    "named_document",
    "referred",
    "settled",
    "content_rank",
];

/// The signals of one file.
pub(super) type Signals = [f32; COUNT];

/// How many files count as seeds.
const SEEDS: usize = 12;
/// So many of the nearest commits count.
const NEAREST: usize = 40;

/// Everything the signals look at.
pub(super) struct Sight<'s> {
    pub(super) files: &'s [TreeFile],
    pub(super) design: &'s Design,
    pub(super) graph: &'s Graph,
    pub(super) history: &'s History,
    /// Which file a path of the history is now.
    present: Vec<Option<u32>>,
    roles: Vec<Role>,
}

impl<'s> Sight<'s> {
    pub(super) fn new(
        files: &'s [TreeFile],
        design: &'s Design,
        graph: &'s Graph,
        history: &'s History,
    ) -> Sight<'s> {
        let by_path: FxHashMap<&str, u32> = files
            .iter()
            .enumerate()
            .map(|(at, file)| (file.path.as_str(), u32::try_from(at).unwrap_or(u32::MAX)))
            .collect();
        let present = history.paths.iter().map(|path| by_path.get(path.as_str()).copied()).collect();
        let roles = files.iter().map(|file| Role::of(&file.path)).collect();
        Sight { files, design, graph, history, present, roles }
    }

    pub(super) fn role(&self, file: usize) -> Role {
        self.roles[file]
    }

    /// Lists the files of a commit that are still there.
    pub(super) fn touched(&self, commit: usize) -> impl Iterator<Item = u32> {
        self.history.commits[commit].files.iter().filter_map(|path| self.present[*path as usize])
    }

    /// Looks at the design and each file.
    pub(super) fn first(&self) -> Vec<Signals> {
        let mut found = vec![[0.0; COUNT]; self.files.len()];
        self.mentions(&mut found);
        self.names(&mut found);
        self.words(&mut found);
        self.past(&mut found);
        for (at, signals) in found.iter_mut().enumerate() {
            match self.roles[at] {
                Role::Test => signals[16] = 1.0,
                Role::Document => signals[17] = 1.0,
                Role::Settings => signals[18] = 1.0,
                Role::Made => signals[19] = 1.0,
                Role::Code | Role::Other => {}
            }
        }
        found
    }

    /// Paths and file names that the text gives, whole or by their end.
    fn mentions(&self, found: &mut [Signals]) {
        let mut by_name: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        let mut in_folder: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (at, file) in self.files.iter().enumerate() {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            by_name.entry(name).or_default().push(at);
            in_folder.entry(folder).or_default().push(at);
        }
        for (mention, named) in &self.design.paths {
            let mention = mention.trim_matches('/');
            let last = mention.rsplit('/').next().unwrap_or(mention);
            let meant: Vec<u32> = if mention.contains('*') || mention.contains('{') {
                self.matching(mention)
            } else {
                let candidates = by_name.get(last).map_or(&[][..], Vec::as_slice);
                let fits = |at: &&u32| {
                    let path = self.files[**at as usize].path.as_str();
                    is_end(path, mention) || is_end(mention, path)
                };
                candidates.iter().filter(fits).copied().collect()
            };
            let share = 1.0 / meant.len().max(1) as f32;
            for at in &meant {
                let is_document = self.roles[*at as usize] == Role::Document;
                let signals = &mut found[*at as usize];
                // What is only to be read is not what changes; a name without a folder may mean another.
                let signal = match (named.referred, is_document, mention.contains('/')) {
                    (true, ..) => 29,
                    (_, true, _) => 28,
                    (_, _, false) => 27,
                    _ => 0,
                };
                signals[signal] = signals[signal].max(share);
                // A bare name that several files bear says little about any of them.
                let is_exact = mention.contains('/') || meant.len() == 1;
                if !named.referred && is_exact {
                    signals[1] = signals[1].max(share * ((1 + named.times) as f32).ln() / 2.0);
                }
                if named.listed && !named.referred && is_exact {
                    signals[2] = signals[2].max(share);
                }
            }
            if !meant.is_empty() {
                continue;
            }
            // A folder, or a file that is not there yet: what lies beside it.
            let (above, _) = mention.rsplit_once('/').unwrap_or(("", mention));
            for (folder, inside) in &in_folder {
                let share = 1.0 / (inside.len() as f32).sqrt();
                if !folder.is_empty() && is_end(folder, mention) {
                    inside.iter().for_each(|at| found[*at as usize][5] = found[*at as usize][5].max(share));
                } else if !above.is_empty() && is_end(folder, above) && last.contains('.') {
                    inside.iter().for_each(|at| found[*at as usize][6] = found[*at as usize][6].max(share));
                }
            }
        }
    }

    fn matching(&self, pattern: &str) -> Vec<u32> {
        let pattern = if pattern.starts_with("**") { pattern.to_owned() } else { format!("**/{pattern}") };
        let Ok(glob) = GlobBuilder::new(&pattern).literal_separator(true).build() else { return Vec::new() };
        let matcher = glob.compile_matcher();
        let fits = self.files.iter().enumerate().filter(|(_, file)| matcher.is_match(&file.path));
        fits.map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX)).collect()
    }

    /// File names without their ending, names that are defined, names that are used.
    fn names(&self, found: &mut [Signals]) {
        let mut stems: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, file) in self.files.iter().enumerate() {
            stems.entry(bare_stem(&file.path)).or_default().push(at);
        }
        for (stem, files) in &stems {
            if stem.len() < 3 {
                continue;
            }
            let share = 1.0 / (files.len() as f32).sqrt();
            let is_name = self.design.names.keys().any(|name| name.eq_ignore_ascii_case(stem));
            let squeezed = stem.replace(['-', '.'], "_");
            let is_word = self.design.whole.contains(stem)
                || squeezed.split('_').all(|part| self.design.whole.contains(part));
            for at in files {
                found[*at][3] = if is_name { share } else { 0.0 };
                found[*at][4] = if is_word { share } else { 0.0 };
            }
        }
        let asked = self.design.name_terms();
        let mut in_files: FxHashMap<Term, u32> = FxHashMap::default();
        for file in self.files {
            for name in asked.keys().filter(|name| file.outline.speaks_of(**name)) {
                *in_files.entry(*name).or_default() += 1;
            }
        }
        let all = self.files.len() as f64;
        let mut used = vec![0.0; self.files.len()];
        for (at, file) in self.files.iter().enumerate() {
            let own: FxHashSet<Term> = file.outline.defined.iter().map(|one| name_of(&one.name)).collect();
            let mut defines = 0.0;
            for (name, weight) in &asked {
                let definers = self.graph.definers.get(name).copied().unwrap_or(0);
                if definers > 0 && own.contains(name) {
                    defines += weight / f64::from(definers).sqrt();
                }
                if file.outline.speaks_of(*name) {
                    let rare = (all / f64::from(in_files.get(name).copied().unwrap_or(1))).ln_1p();
                    used[at] += weight * rare;
                }
            }
            found[at][7] = (1.0 - (-defines).exp()) as f32;
        }
        self.fill_by_role(found, 8, &used);
    }

    /// What the text and a file, or a path, say in the same words.
    fn words(&self, found: &mut [Signals]) {
        let contents: Vec<&[(Term, u16)]> =
            self.files.iter().map(|file| file.outline.words.as_slice()).collect();
        let mut cutter = Cutter::default();
        let paths: Vec<Bag> = self
            .files
            .iter()
            .map(|file| {
                let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
                cutter.cut(&file.path, |term| *counts.entry(term).or_default() += 1);
                bag(counts)
            })
            .collect();
        let paths: Vec<&[(Term, u16)]> = paths.iter().map(Vec::as_slice).collect();
        for (signal, asked, bags) in [
            (9, &self.design.words, &contents),
            (10, &self.design.title, &contents),
            (11, &self.design.words, &paths),
            (12, &self.design.title, &paths),
        ] {
            let statistics = Statistics::of(asked, bags.iter().copied());
            let scores: Vec<f64> = bags.iter().map(|bag| statistics.score(asked, bag)).collect();
            self.fill_by_role(found, signal, &scores);
            if signal == 9 {
                self.fill_ranks(found, 31, &scores);
            }
        }
    }

    /// What earlier commits that speak alike touched, and what is touched often or lately.
    fn past(&self, found: &mut [Signals]) {
        let commits = &self.history.commits;
        let statistics =
            Statistics::of(&self.design.words, commits.iter().map(|commit| commit.said.as_slice()));
        let mut near: Vec<(f64, usize)> = commits
            .iter()
            .enumerate()
            .map(|(at, commit)| (statistics.score(&self.design.words, &commit.said), at))
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
        let (mut often, mut lately) = (vec![0.0; self.files.len()], vec![0.0; self.files.len()]);
        let mut times: Vec<(u32, usize)> = vec![(0, 0); self.files.len()];
        for commit in 0..commits.len() {
            let age = commit as f64;
            for at in self.touched(commit) {
                often[at as usize] += 1.0 / (1.0 + age / 300.0);
                lately[at as usize] += (-age / 12.0).exp();
                let (count, last) = times[at as usize];
                times[at as usize] = (count + 1, if count == 0 { commit } else { last });
            }
        }
        often.iter_mut().for_each(|count| *count = count.ln_1p());
        lately.iter_mut().for_each(|count| *count = 1.0 - (-*count).exp());
        self.fill_by_role(found, 13, &alike);
        // What was made once and never touched again seldom changes.
        for (signals, (count, last)) in found.iter_mut().zip(&times) {
            if *count <= 1 && !commits.is_empty() {
                let age = if *count == 0 { commits.len() } else { *last };
                signals[30] = 1.0 - (-(age as f32) / 50.0).exp();
            }
        }
        fill(found, 14, &often);
        for (signals, value) in found.iter_mut().zip(&lately) {
            signals[15] = *value as f32;
        }
    }

    /// Puts values in place as shares of the largest among documents, or among the others.
    ///
    /// Old plans speak of everything a new plan speaks of; beside them no code would count.
    fn fill_by_role(&self, found: &mut [Signals], signal: usize, values: &[f64]) {
        for wanted in [true, false] {
            let is_of = |at: &usize| (self.roles[*at] == Role::Document) == wanted;
            let best = (0..values.len()).filter(is_of).map(|at| values[at]).fold(0.0, f64::max);
            if best > 0.0 {
                for at in (0..values.len()).filter(is_of) {
                    found[at][signal] = (values[at] / best) as f32;
                }
            }
        }
    }

    /// Puts places in line in place: the first counts most, the tenth half as much.
    fn fill_ranks(&self, found: &mut [Signals], signal: usize, values: &[f64]) {
        for wanted in [true, false] {
            let mut order: Vec<usize> = (0..values.len())
                .filter(|at| (self.roles[*at] == Role::Document) == wanted && values[*at] > 0.0)
                .collect();
            order.sort_by(|a, b| values[*b].total_cmp(&values[*a]).then(a.cmp(b)));
            for (place, at) in order.into_iter().enumerate() {
                found[at][signal] = 1.0 / (1.0 + place as f32 / 10.0);
            }
        }
    }

    /// Looks at how each file is tied to the seeds, which the first signals found.
    pub(super) fn of_seeds(&self, chances: &[f64], found: &mut [Signals]) {
        let seeds = seeds(chances);
        self.cochange(&seeds, found);
        let (mut asked, mut asks, mut uses) = (zeros(chances), zeros(chances), zeros(chances));
        let (mut tests, mut names, mut beside) = (zeros(chances), zeros(chances), zeros(chances));
        let mut own: FxHashMap<Term, Vec<(usize, f64)>> = FxHashMap::default();
        for (seed, weight) in &seeds {
            let file = &self.files[*seed];
            for to in &self.graph.asks[*seed] {
                asked[*to as usize] += weight;
            }
            for from in &self.graph.asked_by[*seed] {
                asks[*from as usize] += weight / (1.0 + self.graph.asked_by[*seed].len() as f64).ln();
            }
            for (name, share) in self.graph.own_names(file) {
                own.entry(name).or_default().push((*seed, weight * share));
            }
            // Documents and settings name a file by its name.
            let stem =
                file.path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
            if stem.len() > 4 {
                own.entry(name_of(stem)).or_default().push((*seed, 0.0));
            }
            let (folder, _) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let bare = bare_stem(&file.path);
            let is_test = self.roles[*seed] == Role::Test;
            for (at, other) in self.files.iter().enumerate() {
                if at == *seed {
                    continue;
                }
                if other.path.rsplit_once('/').map_or("", |(folder, _)| folder) == folder {
                    beside[at] += weight;
                }
                if (self.roles[at] == Role::Test) != is_test && bare_stem(&other.path) == bare {
                    tests[at] += weight * nearness(&file.path, &other.path);
                }
            }
        }
        for (at, file) in self.files.iter().enumerate() {
            let is_prose = matches!(self.roles[at], Role::Document | Role::Settings);
            for name in &file.outline.names {
                for (seed, weight) in own.get(name).into_iter().flatten().filter(|(seed, _)| *seed != at) {
                    uses[at] += weight;
                    if is_prose {
                        names[at] += chances[*seed];
                    }
                }
            }
            uses[at] = uses[at].ln_1p();
        }
        for (signal, values) in [(21, asked), (22, asks), (23, uses), (24, tests), (25, names), (26, beside)]
        {
            fill(found, signal, &values);
        }
    }

    /// What changed together with the seeds.
    fn cochange(&self, seeds: &[(usize, f64)], found: &mut [Signals]) {
        let weight_of: FxHashMap<u32, f64> =
            seeds.iter().map(|(seed, weight)| (u32::try_from(*seed).unwrap_or(u32::MAX), *weight)).collect();
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
            values[other as usize] += weight_of.get(&seed).copied().unwrap_or(0.0) * count / (all + 1.0);
        }
        fill(found, 20, &values);
    }
}

fn zeros(of: &[f64]) -> Vec<f64> {
    vec![0.0; of.len()]
}

/// Takes the likeliest files, each with its share of the likelihood.
fn seeds(chances: &[f64]) -> Vec<(usize, f64)> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|a, b| chances[*b].total_cmp(&chances[*a]).then(a.cmp(b)));
    order.truncate(SEEDS);
    let best = order.first().map_or(1.0, |at| chances[*at]).max(f64::MIN_POSITIVE);
    order.into_iter().map(|at| (at, (chances[at] / best).sqrt())).collect()
}

/// Puts values in place as shares of the largest.
fn fill(found: &mut [Signals], signal: usize, values: &[f64]) {
    let best = values.iter().copied().fold(0.0, f64::max);
    if best > 0.0 {
        for (signals, value) in found.iter_mut().zip(values) {
            signals[signal] = (value / best) as f32;
        }
    }
}

/// Tells whether a path ends with another, at a slash.
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Says how much of their folders two paths share, from .3 to 1.
fn nearness(one: &str, other: &str) -> f64 {
    let parts =
        |path: &str| -> FxHashSet<String> { path.split('/').rev().skip(1).map(str::to_owned).collect() };
    let (one, other) = (parts(one), parts(other));
    let shared = one.intersection(&other).count() as f64;
    let all = one.union(&other).count().max(1) as f64;
    0.3 + 0.7 * shared / all
}
