//! The list itself: files in order of likelihood, with what speaks for each and what to look out for.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::ScanRequest;
use super::design::ChangeType;
use super::links::Links;
use super::reasons::Reasons;
use super::rests::Rests;
use super::roles::Role;
use super::signals::{Sight, Signal, Signals};
use super::tree::Tree;
use super::weights::{ImpactWeights, weigh};

/// Below this share of the first file's score hardly any file changed: 3 of 206, where of the others one in
/// six did (ten commits of five projects, 50 files each).
const UNLIKELY: f64 = 0.4;
/// Said where a design could be one of any repository.
const A_GUESS: &str = "nothing in the design is particular to this repository; the list is a guess";
/// Among so many of the first files is looked for what a file changes together with.
const LIKELIEST: usize = 25;

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
    /// What to know before the list is trusted.
    pub warnings: Vec<String>,
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
    /// How many of the known commits touched it, also under names that are gone.
    pub commits: usize,
    /// Its tests, as far as names show them; what a test needs is none.
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
    order.retain(|(_, at)| !sight.design.copies.contains(at));
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let likeliest: Vec<usize> = order.iter().take(LIKELIEST).map(|(_, at)| *at).collect();
    let listed: Vec<usize> = order.iter().take(request.limit).map(|(_, at)| *at).collect();
    let rests = Rests::of(sight.files, sight.graph, &|path| request.project.text(path));
    let paths = sight.files.iter().map(|file| file.path.as_str());
    let past = sight.history.touched_now(&paths.zip(0..).collect());
    let links = Links::of(sight, &rests, &past, &listed);
    let reasons = Reasons::of(sight, request.text, &past, &likeliest);
    let is_particular = reasons.is_particular(signals);
    let least = order.first().map_or(0.0, |(first, _)| (first * UNLIKELY).max(0.0));
    let mut files: Vec<ImpactFile> = order
        .into_iter()
        .take(request.limit)
        .enumerate()
        .map(|(place, (score, at))| ImpactFile {
            path: sight.files[at].path.clone(),
            score: (score * 1000.0).round() / 1000.0,
            change: if is_particular && (score >= least || is_named(&signals[at])) {
                links.change(sight, at)
            } else {
                ChangeType::Check
            },
            role: sight.role(at),
            why: reasons.why(at, &signals[at], weights),
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
        warnings: if is_particular { Vec::new() } else { vec![A_GUESS.to_owned()] },
    }
}

/// Tells whether the design names a file by its path; what only has to be read is not meant.
fn is_named(signals: &Signals) -> bool {
    let ways = [Signal::Named, Signal::NamedByName, Signal::NamedDocument, Signal::Listed, Signal::ToChange];
    ways.iter().any(|way| signals[*way as usize] > 0.0)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    use super::*;
    use crate::freshness::Project;
    use crate::scan::{History, Outlines, scan};

    /// Scans a shop for a design.
    fn scanned(text: &str) -> Impact {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("tax.rs", "pub fn round_tax() {} // rounding of every tax to cents"),
            ("bill.rs", "pub fn bill() {}"),
            ("syntax.rs", "pub fn read() {}"),
            ("yarn.lock", "cents"),
        ] {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        // The design lies in the repository, as it often does, and is not what changes.
        std::fs::write(folder.path().join("design.md"), text).unwrap();
        let request = ScanRequest {
            project: &Project::new(folder.path()),
            text,
            history: &Box::new(History::default()),
            limit: 10,
            now: 0,
            is_own: &|_, _| false,
            time_is_up: &|| false,
        };
        scan(&request, &mut Outlines::default(), ImpactWeights::shipped())
    }

    fn changes(impact: &Impact) -> Vec<(&str, ChangeType)> {
        let mut found: Vec<(&str, ChangeType)> =
            impact.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn what_is_unlikely_is_not_said_to_change() {
        use ChangeType::{Check, Delete, Modify};
        let impact = scanned("Rounding of `round_tax` to cents");
        let expected = [("bill.rs", Check), ("syntax.rs", Check), ("tax.rs", Modify), ("yarn.lock", Check)];
        assert_eq!(changes(&impact), expected);
        let impact = scanned("Rounding of `round_tax` to cents\n\nIn `bill.rs` too.\nDelete `tax.rs`.");
        let expected = [("bill.rs", Modify), ("syntax.rs", Check), ("tax.rs", Delete), ("yarn.lock", Check)];
        assert_eq!(changes(&impact), expected);
    }

    #[test]
    fn a_guess_says_so() {
        assert_eq!(scanned("Add a `KubernetesOperator`").warnings, [A_GUESS]);
        let impact = scanned("Fix the bug");
        assert_eq!(impact.warnings, [A_GUESS]);
        assert!(impact.files.iter().all(|file| file.change == ChangeType::Check), "{:?}", changes(&impact));
        assert!(scanned("Rounding of `round_tax`").warnings.is_empty());
    }
}
