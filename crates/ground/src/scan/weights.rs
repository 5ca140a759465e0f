//! How much each signal counts, as data.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::signals::{COUNT, NAMES, Signals};

/// Weights of the two looks, in the order of the signals.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpactWeights {
    /// For finding the seeds.
    pub first: [f64; COUNT],
    /// For the list.
    pub all: [f64; COUNT],
}

#[derive(Deserialize)]
struct Written {
    first: BTreeMap<String, f64>,
    all: BTreeMap<String, f64>,
}

impl ImpactWeights {
    /// Returns the weights of the program.
    pub fn shipped() -> &'static ImpactWeights {
        static SHIPPED: LazyLock<ImpactWeights> = LazyLock::new(|| {
            let written: Written = toml::from_str(include_str!("weights.toml"))
                .expect("the weights are data of ours; a test reads them");
            let row =
                |written: &BTreeMap<String, f64>| NAMES.map(|name| written.get(name).copied().unwrap_or(0.0));
            ImpactWeights { first: row(&written.first), all: row(&written.all) }
        });
        &SHIPPED
    }
}

/// Adds up what speaks for a file.
pub(super) fn weigh(weights: &[f64; COUNT], signals: &Signals) -> f64 {
    weights.iter().zip(signals).map(|(weight, signal)| weight * f64::from(*signal)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_belongs_to_a_signal() {
        let written: Written = toml::from_str(include_str!("weights.toml")).unwrap();
        for name in written.first.keys().chain(written.all.keys()) {
            assert!(NAMES.contains(&name.as_str()), "{name}");
        }
    }
}
