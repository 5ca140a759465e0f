//! Which files a design will change: files, what happens to them, why, what they rest on, how risky
//! each is, and in which order to go about it.
//!
//! Many weak signals are added up with weights that are data ([`ImpactWeights`]): what the text names,
//! in whole or in part; words that text and file share; what git says changed before under such words,
//! and together; what imports, uses, tests or documents the likeliest files.

mod asked;
mod bm25;
mod copies;
mod design;
mod graph;
mod history;
mod languages;
mod links;
mod log;
mod lookup;
mod outline;
mod reasons;
mod report;
mod rests;
mod roles;
mod signals;
mod tree;
mod weights;
mod words;

pub use design::ChangeType;
pub use history::History;
pub use log::Log;
pub use lookup::look_up;
pub use report::{Impact, ImpactFile, Level, Reason, Risk};
pub use roles::Role;
pub use signals::{COUNT, NAMES, TIES};
pub use tree::Outlines;
pub use weights::ImpactWeights;

use std::ops::Deref;

use crate::freshness::Project;
use graph::Graph;
use signals::{Sight, Signals};
use tree::Tree;

/// What a scan looks at, and for how long.
pub struct ScanRequest<'r> {
    /// The repository.
    pub project: &'r Project,
    /// The design.
    pub text: &'r str,
    /// What git remembers; looked at last, so that it may be read while files are.
    pub history: &'r dyn Deref<Target = History>,
    /// How many files to list.
    pub limit: usize,
    /// The time, in nanoseconds since 1970.
    pub now: i64,
    /// Tells by its path and text whether a file is one that we wrote ourselves, and no part of the project.
    pub is_own: &'r (dyn Fn(&str, &str) -> bool + Sync),
    /// Says when to stop reading and answer with what there is.
    pub time_is_up: &'r dyn Fn() -> bool,
}

/// Scans a repository for what a design will change.
pub fn scan(request: &ScanRequest<'_>, known: &mut Outlines, weights: &ImpactWeights) -> Impact {
    let mut design = design::read(request.text);
    let tree = look(request, known, &mut design);
    let graph = Graph::of(&tree.files);
    let sight = Sight::new(&tree.files, &design, &graph, request.history);
    let signals = both(&sight, weights);
    report::report(&sight, &tree, &signals, weights, request)
}

/// Returns the signals of every file, for fitting the weights.
pub fn signals(
    request: &ScanRequest<'_>,
    known: &mut Outlines,
    weights: &ImpactWeights,
) -> Vec<(String, [f32; COUNT])> {
    let mut design = design::read(request.text);
    let tree = look(request, known, &mut design);
    let graph = Graph::of(&tree.files);
    let signals = both(&Sight::new(&tree.files, &design, &graph, request.history), weights);
    let files = tree.files.into_iter().map(|file| file.path).zip(signals).enumerate();
    files.filter(|(at, _)| !design.copies.contains(at)).map(|(_, file)| file).collect()
}

fn look(request: &ScanRequest<'_>, known: &mut Outlines, design: &mut design::Design) -> Tree {
    let named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        design.paths.keys().any(|mention| mention.ends_with(name))
    };
    let tree = tree::read(request, known, &named);
    design.copies = copies::find(&tree.files, request.text);
    tree
}

fn both(sight: &Sight<'_>, weights: &ImpactWeights) -> Vec<Signals> {
    let mut signals = sight.first();
    let mut sums: Vec<f64> = signals.iter().map(|one| weights::weigh(&weights.first, one)).collect();
    // What changes together with the design, or lies beside it, are its companions.
    sight.design.copies.iter().for_each(|at| sums[*at] = f64::NEG_INFINITY);
    sight.of_seeds(&sums, &mut signals);
    signals
}
