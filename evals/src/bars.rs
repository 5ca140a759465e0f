//! The bars: what each figure has to be, read from `evals/thresholds.toml`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use crate::context::Failure;
use crate::results::Outcome;

const SHIPPED: &str = include_str!("../thresholds.toml");

/// Every bar, in the order of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bars {
    pub(crate) bar: Vec<Bar>,
}

/// What one figure has to be.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bar {
    pub(crate) suite: String,
    pub(crate) figure: String,
    at_least: Option<f64>,
    at_most: Option<f64>,
    #[serde(default)]
    over: Over,
}

/// Which form of a figure is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Over {
    /// The figure as it is printed.
    #[default]
    Value,
    /// The mean over projects.
    Mean,
    /// The worst project with enough labels.
    Worst,
    /// All cases together.
    Pooled,
}

/// How a bar was met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Met {
    Yes(f64),
    No(f64),
    NotRun,
}

impl Bars {
    /// Reads the bars that belong to this program.
    pub(crate) fn shipped() -> Result<Bars, Failure> {
        Bars::parse(SHIPPED)
    }

    fn parse(text: &str) -> Result<Bars, Failure> {
        let bars: Bars = toml::from_str(text)?;
        for bar in &bars.bar {
            if bar.at_least.is_none() == bar.at_most.is_none() {
                return Err(format!("{} {}: give one of at_least and at_most", bar.suite, bar.figure).into());
            }
        }
        Ok(bars)
    }
}

impl Bar {
    /// Holds a result against it.
    pub(crate) fn met(&self, outcome: Option<&Outcome>) -> Met {
        let form = match self.over {
            Over::Value => self.figure.clone(),
            Over::Mean => format!("{}.mean", self.figure),
            Over::Worst => format!("{}.worst", self.figure),
            Over::Pooled => format!("{}.pooled", self.figure),
        };
        let Some(value) = outcome.and_then(|outcome| outcome.number(&form)) else { return Met::NotRun };
        let enough =
            self.at_least.is_none_or(|bar| value >= bar) && self.at_most.is_none_or(|bar| value <= bar);
        if enough { Met::Yes(value) } else { Met::No(value) }
    }

    /// Says the bar in words.
    pub(crate) fn words(&self) -> String {
        let over = match self.over {
            Over::Value => "",
            Over::Mean => " (mean)",
            Over::Worst => " (worst)",
            Over::Pooled => " (pooled)",
        };
        match (self.at_least, self.at_most) {
            (Some(bar), _) => format!("≥ {bar}{over}"),
            (None, Some(bar)) => format!("≤ {bar}{over}"),
            (None, None) => String::new(),
        }
    }
}

impl Met {
    pub(crate) fn words(self) -> (&'static str, String) {
        match self {
            Met::Yes(value) => ("met", shown(value)),
            Met::No(value) => ("not met", shown(value)),
            Met::NotRun => ("not run", "-".to_owned()),
        }
    }
}

fn shown(value: f64) -> String {
    format!("{}", (value * 10_000.0).round() / 10_000.0)
}

/// Holds results against bars: a table, and whether no bar that was measured is missed.
pub(crate) fn check(bars: &[&Bar], results: &BTreeMap<String, Outcome>) -> (String, bool) {
    let mut table = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for bar in bars {
        let (word, value) = bar.met(results.get(&bar.suite)).words();
        *counts.entry(word).or_default() += 1;
        let _ = writeln!(table, "{word:<8} {:<16} {:<34} {value:>9}  {}", bar.suite, bar.figure, bar.words());
    }
    let of = |word: &str| counts.get(word).copied().unwrap_or(0);
    let _ = writeln!(table, "{} met, {} not met, {} not run", of("met"), of("not met"), of("not run"));
    (table, of("not met") == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(suite: &str, figures: serde_json::Value) -> BTreeMap<String, Outcome> {
        let serde_json::Value::Object(figures) = figures else { unreachable!("is an object") };
        let empty = String::new;
        let outcome = Outcome {
            suite: suite.to_owned(),
            date: empty(),
            commit: empty(),
            machine: empty(),
            data: empty(),
            figures,
        };
        BTreeMap::from([(suite.to_owned(), outcome)])
    }

    #[test]
    fn a_bar_is_met_missed_or_not_run() {
        let text = "[[bar]]\nsuite = 'base'\nfigure = 'junk'\nat_most = 0.1\nover = 'mean'\n\
                    [[bar]]\nsuite = 'base'\nfigure = 'keep2'\nat_least = 0.5\nover = 'worst'\n";
        let bars = Bars::parse(text).expect("is right");
        let all: Vec<&Bar> = bars.bar.iter().collect();
        let check = |figures, met, fine| {
            let results = results("base", figures);
            let found: Vec<Met> = all.iter().map(|bar| bar.met(results.get("base"))).collect();
            assert_eq!((found, super::check(&all, &results).1), (met, fine));
        };
        check(
            serde_json::json!({"junk": 0.9, "junk.mean": 0.1, "keep2.worst": 0.5}),
            vec![Met::Yes(0.1), Met::Yes(0.5)],
            true,
        );
        check(
            serde_json::json!({"junk.mean": 0.11, "keep2.mean": 0.9}),
            vec![Met::No(0.11), Met::NotRun],
            false,
        );
        check(serde_json::json!({"keep2.worst": 0.49}), vec![Met::NotRun, Met::No(0.49)], false);
    }

    #[test]
    fn a_bar_without_a_side_is_refused() {
        let bar = |rest: &str| Bars::parse(&format!("[[bar]]\nsuite = 'a'\nfigure = 'b'\n{rest}"));
        assert!(bar("at_most = 1").is_ok());
        assert!(bar("").is_err());
        assert!(bar("at_least = 0\nat_most = 1").is_err());
        assert!(bar("at_mots = 1").is_err());
    }

    #[test]
    fn the_shipped_bars_can_be_read_and_no_bar_stands_twice() {
        let bars = Bars::shipped().expect("is right").bar;
        for (at, bar) in bars.iter().enumerate() {
            let twin = |other: &Bar| format!("{} {} {}", other.suite, other.figure, other.words());
            assert!(bars[..at].iter().all(|other| twin(other) != twin(bar)), "{bar:?}");
        }
    }
}
