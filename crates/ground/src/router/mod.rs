//! Which source a question is put to first, and which after it.
//!
//! The form of a question says much ([`mod@signs`]): who asks "what did we decide" means the past, who asks
//! "where is it implemented" means the code. What it names says the rest, where that can be looked up
//! ([`Named`]). Both are added up with weights that are data; the answer says what decided.

mod signs;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

pub use signs::{SIGN_NAMES, SIGNS, signs};

/// Where an answer can come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// The code of this repository.
    Repo,
    /// A search outside, as the user configured it.
    Web,
    /// The knowledge base, past sessions, the log of git.
    History,
}

impl SourceKind {
    /// Every source, in the order in which ties are broken.
    pub const ALL: [SourceKind; 3] = [SourceKind::Repo, SourceKind::Web, SourceKind::History];

    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            SourceKind::Repo => "repo",
            SourceKind::Web => "web",
            SourceKind::History => "history",
        }
    }
}

/// Where the names in a question are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Named {
    /// The repository defines one, or has a file of that name.
    pub in_repository: bool,
    /// The base has something on one.
    pub in_base: bool,
    /// The manifests name one.
    pub in_manifests: bool,
    /// There are names, and none is known.
    pub nowhere: bool,
}

/// In which order sources are asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Route {
    /// The sources, the likeliest first.
    pub order: Vec<SourceKind>,
    /// How likely each is, in that order; together one.
    pub likely: Vec<f64>,
    /// What decided, in words.
    pub because: Vec<String>,
}

/// How much each sign counts for each source.
#[derive(Debug, Clone, PartialEq)]
pub struct RouterWeights {
    /// For each source in the order of [`SourceKind::ALL`], each sign.
    pub signs: [[f64; SIGNS]; 3],
}

#[derive(Deserialize)]
struct Written {
    prior: BTreeMap<String, BTreeMap<String, f64>>,
    fitted: BTreeMap<String, BTreeMap<String, f64>>,
    named: BTreeMap<String, BTreeMap<String, f64>>,
}

fn written() -> &'static Written {
    static WRITTEN: LazyLock<Written> = LazyLock::new(|| {
        toml::from_str(include_str!("weights.toml")).expect("the weights are data of ours; a test reads them")
    });
    &WRITTEN
}

impl RouterWeights {
    /// Returns the weights of the program.
    pub fn shipped() -> RouterWeights {
        RouterWeights { signs: rows(&written().fitted) }
    }

    /// Returns the weights before anything was fitted.
    pub fn prior() -> RouterWeights {
        RouterWeights { signs: rows(&written().prior) }
    }
}

fn rows(table: &BTreeMap<String, BTreeMap<String, f64>>) -> [[f64; SIGNS]; 3] {
    SourceKind::ALL.map(|source| {
        let row = table.get(source.word());
        SIGN_NAMES.map(|sign| row.and_then(|row| row.get(sign)).copied().unwrap_or(0.0))
    })
}

/// Lists the names in a question that can be looked up.
pub fn names_in(question: &str) -> Vec<String> {
    signs::named_code(question)
}

/// What one sign adds, and what it saw.
type Part = (f64, String);

/// Decides in which order sources are asked.
pub fn route(question: &str, named: Named, weights: &RouterWeights) -> Route {
    let signs = signs(question);
    let mut sums: Vec<(f64, SourceKind, Vec<Part>)> = SourceKind::ALL
        .iter()
        .zip(&weights.signs)
        .map(|(source, row)| {
            let mut parts: Vec<Part> = SIGN_NAMES
                .iter()
                .zip(row)
                .zip(&signs)
                .filter(|((name, _), _)| **name != "bias")
                .map(|((name, weight), sign)| (weight * sign, explained(name).to_owned()))
                .collect();
            let bias = row[SIGNS - 1];
            parts.extend(of_names(*source, named));
            (bias + parts.iter().map(|(part, _)| part).sum::<f64>(), *source, parts)
        })
        .collect();
    sums.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let best = sums[0].0;
    let all: f64 = sums.iter().map(|(sum, ..)| (sum - best).exp()).sum();
    let likely = sums.iter().map(|(sum, ..)| ((sum - best).exp() / all * 1000.0).round() / 1000.0).collect();
    let mut parts = sums[0].2.clone();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut because: Vec<String> = Vec::new();
    for (part, says) in parts {
        if part > 0.2 && because.len() < 3 && !because.contains(&says) {
            because.push(says);
        }
    }
    if because.is_empty() {
        because.push("nothing in it points elsewhere".to_owned());
    }
    Route { order: sums.iter().map(|(_, source, _)| *source).collect(), likely, because }
}

fn of_names(source: SourceKind, named: Named) -> Vec<Part> {
    let row = written().named.get(source.word());
    [
        ("in_repository", named.in_repository, "the repository knows what it names"),
        ("in_base", named.in_base, "the base knows what it names"),
        ("in_manifests", named.in_manifests, "it names a package of the manifests"),
        ("nowhere", named.nowhere, "nothing here knows what it names"),
    ]
    .into_iter()
    .filter(|(_, is_so, _)| *is_so)
    .filter_map(|(name, _, says)| Some((*row?.get(name)?, says.to_owned())))
    .collect()
}

/// Says what a sign saw.
fn explained(sign: &str) -> &'static str {
    match sign {
        "we_our" => "it speaks of us",
        "past" | "when_back" => "it asks about the past",
        "memory" | "asked_to_tell" => "it asks what was decided, said or found",
        "person" => "it asks about a person",
        "state" => "it asks how things stand",
        "project_noun" => "it speaks of a project as known",
        "place" => "it asks for a place in code",
        "code_nouns" => "it speaks of parts of code",
        "mechanism" => "it asks how something works inside",
        "named_code" => "it names code",
        "long" => "it is long and exact",
        "short" => "it is short",
        "no_mark" | "title" => "it reads like a heading, not a question",
        "how_to" => "it asks how something is done in general",
        "trouble" => "it tells of trouble",
        "indefinite" => "it means any of a kind",
        "definite" => "it means a certain thing",
        "version" => "it names a version",
        "product" => "it names a product",
        "first_person" => "it asks for the one who asks",
        "latest_outside" => "it asks about the state of the world",
        _ => "its form",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_belongs_to_a_sign() {
        let written = written();
        for table in [&written.prior, &written.fitted] {
            for (source, row) in table {
                assert!(SourceKind::ALL.iter().any(|kind| kind.word() == source), "{source}");
                for name in row.keys() {
                    assert!(SIGN_NAMES.contains(&name.as_str()), "{name}");
                }
            }
        }
    }

    #[test]
    fn what_a_question_names_moves_it() {
        let ask = |named| route("What is RetryBudget?", named, &RouterWeights::shipped());
        let known = ask(Named { in_repository: true, ..Named::default() });
        assert_eq!(known.order[0], SourceKind::Repo);
        assert!(known.because.iter().any(|why| why.contains("repository knows")), "{known:?}");
        let likely = |route: &Route, kind| {
            let at = route.order.iter().position(|one| *one == kind).unwrap();
            route.likely[at]
        };
        let unknown = ask(Named { nowhere: true, ..Named::default() });
        assert!(likely(&unknown, SourceKind::Web) > likely(&known, SourceKind::Web));
    }
}
