//! Turns observations into a weight: a linear model whose numbers are data, in `weights.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lore_core::Kind;
use serde::{Deserialize, Serialize};

use crate::extract::features::Features;

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    Model::from_json(include_str!("weights.json")).expect("a test reads the built-in weights")
});

/// Weights by name of the observation.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Model {
    /// What speaks for keeping a passage.
    pub keep: Linear,
    /// What speaks for each kind of entry.
    pub kinds: BTreeMap<Kind, Linear>,
    /// The chance of being worth keeping from which a passage becomes an entry.
    pub bar: f64,
    /// How many entries a session may yield whatever its length.
    pub base: f64,
    /// And how many more for each request of a person.
    pub per_task: f64,
}

/// A weighted sum with an offset.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Linear {
    /// The sum before anything is observed.
    pub offset: f64,
    /// What each observation adds.
    pub weights: BTreeMap<String, f64>,
}

impl Model {
    /// Returns the model that is built in.
    pub fn built_in() -> &'static Model {
        &MODEL
    }

    /// Reads a model.
    pub fn from_json(text: &str) -> Result<Model, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Returns the chance that a passage is worth keeping.
    pub fn chance(&self, features: &Features) -> f64 {
        logistic(self.keep.sum(features))
    }

    /// Returns how many entries a session with so many requests may yield.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small count, never below zero"
    )]
    pub fn allowance(&self, tasks: u32) -> usize {
        (self.base + self.per_task * f64::from(tasks)).clamp(0.0, 100.0).round() as usize
    }

    /// Returns the likeliest kind.
    pub fn kind(&self, features: &Features) -> Kind {
        let best =
            self.kinds.iter().max_by(|one, other| one.1.sum(features).total_cmp(&other.1.sum(features)));
        best.map_or(Kind::Fact, |(kind, _)| *kind)
    }

    /// Lists what each observation added, the strongest first.
    pub fn explain(&self, features: &Features) -> Vec<(String, f64)> {
        let mut shares: Vec<(String, f64)> = features
            .iter()
            .filter_map(|(name, value)| Some(((*name).to_owned(), self.keep.weights.get(*name)? * value)))
            .collect();
        shares.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()).then_with(|| one.0.cmp(&other.0)));
        shares
    }
}

impl Linear {
    /// Adds up what was observed.
    pub fn sum(&self, features: &Features) -> f64 {
        let known = features.iter().filter_map(|(name, value)| Some(self.weights.get(*name)? * value));
        self.offset + known.sum::<f64>()
    }
}

/// Maps a sum to a chance between 0 and 1.
pub fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_weights_can_be_read() {
        let model = Model::built_in();
        assert!(model.bar > 0.0 && model.bar < 1.0);
        assert_eq!(model.kinds.len(), 6);
        assert!(model.allowance(1) >= 1);
    }

    #[test]
    fn what_was_observed_adds_up() {
        let weights = [("a".to_owned(), 2.0), ("b".to_owned(), -1.0)].into();
        let model = Model { keep: Linear { offset: 0.5, weights }, ..Model::default() };
        let features: Features = vec![("b", 2.0), ("a", 0.5), ("unknown", 9.0)];
        assert!((model.chance(&features) - logistic(-0.5)).abs() < 1e-12);
        let names: Vec<String> = model.explain(&features).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["b", "a"]);
    }
}
