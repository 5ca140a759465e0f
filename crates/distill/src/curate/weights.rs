//! The numbers behind the judgement, as data.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::compare::Features;

/// What each measured feature counts, in log-odds of a conflict.
///
/// The shipped numbers are in `weights.json`, made by `lore-evals curate-fit`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// What speaks for a conflict before anything is measured.
    pub bias: f64,
    /// Log-odds per feature.
    pub conflict: BTreeMap<String, f64>,
    /// From this sum on, two claims cannot both hold, whatever their words say.
    pub threshold: f64,
    /// Up to this sum, words that read as if they did not both hold do so by chance.
    pub gate: f64,
}

impl Weights {
    /// Returns the shipped numbers.
    pub fn shipped() -> &'static Weights {
        static SHIPPED: OnceLock<Weights> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            serde_json::from_str(include_str!("weights.json"))
                .expect("the shipped weights are valid, a test reads them")
        })
    }

    /// Sums up what speaks for a conflict.
    pub(crate) fn conflict(&self, features: &Features) -> f64 {
        let part = |(name, weight): (&String, &f64)| weight * features.get(name.as_str()).unwrap_or(&0.0);
        self.bias + self.conflict.iter().map(part).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_name_features_that_exist() {
        let nothing = super::super::statement::Statement::plain("nothing", lore_core::Kind::Fact);
        let features =
            super::super::compare::features(&nothing.side_with(&|_| 1.0), &nothing.side_with(&|_| 1.0));
        let weights = Weights::shipped();
        assert!(!weights.conflict.is_empty());
        for name in weights.conflict.keys() {
            assert!(features.contains_key(name.as_str()), "{name}");
        }
    }
}
