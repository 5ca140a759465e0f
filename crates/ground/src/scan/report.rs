//! The list itself: files in order of likelihood, with what speaks for each and what to look out for.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::ScanRequest;
use super::design::ChangeType;
use super::rests::Rests;
use super::roles::{Role, bare_stem};
use super::signals::{NAMES, SENTENCES, Sight, Signals};
use super::tree::Tree;
use super::weights::{ImpactWeights, weigh};

/// What a design will change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Impact {
    /// Files that are there, the likeliest first.
    pub files: Vec<ImpactFile>,
    /// Files that the design names and that are not there yet.
    pub new_files: Vec<String>,
    /// How many files the repository has.
    pub scanned: usize,
    /// How many of them had to be read; the others were known.
    pub read: usize,
    /// Whether the time was up before everything was read.
    pub partial: bool,
}

/// One file of the list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactFile {
    /// Its path.
    pub path: String,
    /// How much speaks for it; to compare within one list only.
    pub score: f64,
    /// What will happen to it.
    pub change: ChangeType,
    /// What it is for.
    pub role: Role,
    /// What speaks for it, the strongest first.
    pub why: Vec<Reason>,
    /// Files of the list that it imports, or needs without having to import them; the likeliest first.
    pub depends_on: Vec<String>,
    /// What to look out for.
    pub risk: Risk,
    /// When to go about it, from 1.
    pub order: usize,
}

/// One thing that speaks for a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The signal.
    pub signal: &'static str,
    /// How much it adds.
    pub weight: f64,
    /// The same in words.
    pub says: String,
}

/// How much can go wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Risk {
    /// All in all.
    pub level: Level,
    /// How many files import it, or need it without having to import it.
    pub dependents: usize,
    /// How many of the known commits touched it.
    pub commits: usize,
    /// Its tests, as far as names show them.
    pub tests: Vec<String>,
}

/// How risky a change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Little rests on it, or it is well tested.
    Low,
    /// Something to think of.
    Medium,
    /// Much rests on it, or it changes often, and nothing tests it.
    High,
}

/// Puts the list together.
pub(super) fn report(
    sight: &Sight<'_>,
    tree: &Tree,
    signals: &[Signals],
    weights: &ImpactWeights,
    request: &ScanRequest<'_>,
) -> Impact {
    let mut order: Vec<(f64, usize)> =
        signals.iter().enumerate().map(|(at, one)| (weigh(&weights.all, one), at)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.truncate(request.limit);
    let listed: Vec<usize> = order.iter().map(|(_, at)| *at).collect();
    let rests = Rests::of(sight.files, sight.graph, &|path| request.project.text(path));
    let links = Links::of(sight, &rests, &listed);
    let mut files: Vec<ImpactFile> = order
        .into_iter()
        .enumerate()
        .map(|(place, (score, at))| ImpactFile {
            path: sight.files[at].path.clone(),
            score: (score * 1000.0).round() / 1000.0,
            change: links.change(sight, at),
            role: sight.role(at),
            why: reasons(&signals[at], weights),
            depends_on: links.rests[place].iter().map(|on| sight.files[*on].path.clone()).collect(),
            risk: links.risk(sight, place, at),
            order: 0,
        })
        .collect();
    for (number, place) in links.sequence(&files).into_iter().enumerate() {
        files[place].order = number + 1;
    }
    let known: FxHashSet<&str> = sight.files.iter().map(|file| file.path.as_str()).collect();
    let new_files = sight.design.paths.iter().filter(|(path, named)| is_new(&known, path, named.change));
    Impact {
        files,
        new_files: new_files.map(|(path, _)| path.clone()).collect(),
        scanned: tree.listed,
        read: tree.fresh,
        partial: tree.partial,
    }
}

/// A file that is not there, in a folder or under words that say it shall be.
fn is_new(known: &FxHashSet<&str>, path: &str, change: Option<ChangeType>) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_file =
        name.contains('.') && !path.contains('*') && !path.starts_with('/') && !path.starts_with('~');
    let is_there = known.iter().any(|known| known.ends_with(path));
    let has_place = !folder.is_empty() && known.iter().any(|known| known.starts_with(&format!("{folder}/")));
    is_file && !is_there && (change == Some(ChangeType::Create) && !folder.is_empty() || has_place)
}

fn reasons(signals: &Signals, weights: &ImpactWeights) -> Vec<Reason> {
    let mut found: Vec<Reason> = NAMES
        .iter()
        .enumerate()
        .map(|(at, name)| Reason {
            signal: name,
            weight: (weights.all[at] * f64::from(signals[at]) * 1000.0).round() / 1000.0,
            says: SENTENCES[at].to_owned(),
        })
        .filter(|reason| reason.weight > 0.05)
        .collect();
    found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    found.truncate(4);
    found
}

/// How the listed files hang together.
struct Links {
    /// Per place: the listed files it rests on.
    rests: Vec<Vec<usize>>,
    /// Per place: how many files of the repository rest on it.
    dependents: Vec<usize>,
    commits: FxHashMap<u32, usize>,
    tests: BTreeMap<String, Vec<usize>>,
}

impl Links {
    fn of(sight: &Sight<'_>, rests: &Rests, listed: &[usize]) -> Links {
        let place_of: FxHashMap<usize, usize> =
            listed.iter().enumerate().map(|(place, at)| (*at, place)).collect();
        let on_listed = |at: &usize| {
            let on = rests.on[*at].iter().map(|on| *on as usize).filter(|on| place_of.contains_key(on));
            let mut on: Vec<usize> = on.collect();
            on.sort_by_key(|on| place_of[on]);
            on
        };
        let dependents = listed.iter().map(|at| rests.by[*at].len()).collect();
        let rests = listed.iter().map(on_listed).collect();
        let mut commits: FxHashMap<u32, usize> = FxHashMap::default();
        for commit in 0..sight.history.commits.len() {
            for at in sight.touched(commit) {
                *commits.entry(at).or_default() += 1;
            }
        }
        let mut tests: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, file) in sight.files.iter().enumerate().filter(|(at, _)| sight.role(*at) == Role::Test) {
            tests.entry(bare_stem(&file.path)).or_default().push(at);
        }
        Links { rests, dependents, commits, tests }
    }

    fn change(&self, sight: &Sight<'_>, at: usize) -> ChangeType {
        let path = &sight.files[at].path;
        let named = sight.design.paths.iter().find(|(mention, _)| path.ends_with(mention.as_str()));
        match named.and_then(|(_, named)| named.change) {
            Some(change @ (ChangeType::Delete | ChangeType::Rename)) => change,
            _ => ChangeType::Modify,
        }
    }

    fn risk(&self, sight: &Sight<'_>, place: usize, at: usize) -> Risk {
        let path = &sight.files[at].path;
        let dependents = self.dependents[place];
        let commits = self.commits.get(&u32::try_from(at).unwrap_or(u32::MAX)).copied().unwrap_or(0);
        let is_code = sight.role(at) == Role::Code;
        let own = self.tests.get(&bare_stem(path)).filter(|_| is_code);
        let tests: Vec<String> =
            own.into_iter().flatten().take(3).map(|test| sight.files[*test].path.clone()).collect();
        let points = usize::from(dependents >= 5)
            + usize::from(dependents >= 20)
            + usize::from(commits >= 20)
            + usize::from(tests.is_empty());
        let level = match (is_code, points) {
            (false, _) | (true, 0..=1) => Level::Low,
            (true, 2) => Level::Medium,
            (true, _) => Level::High,
        };
        Risk { level, dependents, commits, tests }
    }

    /// Orders places: what others rest on first, then code, tests, settings and documents.
    fn sequence(&self, files: &[ImpactFile]) -> Vec<usize> {
        let place_of: FxHashMap<&str, usize> =
            files.iter().enumerate().map(|(place, file)| (file.path.as_str(), place)).collect();
        let group = |place: usize| match files[place].role {
            Role::Code | Role::Other => 0,
            Role::Settings => 1,
            Role::Test => 2,
            Role::Made => 3,
            Role::Document => 4,
        };
        let mut left: Vec<usize> = (0..files.len()).collect();
        let mut done = Vec::with_capacity(files.len());
        while !left.is_empty() {
            let waits = |place: usize| {
                let on = files[place].depends_on.iter().filter_map(|path| place_of.get(path.as_str()));
                on.filter(|on| left.contains(on) && group(**on) <= group(place)).count()
            };
            // In a circle the one that waits for least goes first.
            let next = left.iter().copied().min_by_key(|place| (group(*place), waits(*place), *place));
            let Some(next) = next else { break };
            left.retain(|place| *place != next);
            done.push(next);
        }
        done
    }
}
