//! What is found out about a pair of claims.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How two claims stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They are about different things.
    Apart,
    /// They are about the same subject and both hold.
    Neighbours,
    /// What arrives says the same and more.
    Refines,
    /// What arrives says the same.
    Same,
    /// They cannot both hold.
    Conflict,
}

/// How much of a statement another one speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// All of it.
    #[default]
    Whole,
    /// A part; the rest may still hold.
    Part,
    /// Perhaps of another thing, or another place.
    Elsewhere,
}

/// How plainly words say that another statement no longer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Plainness {
    /// They may say it.
    #[default]
    Doubtful,
    /// Taken together, nearly everything that is seen of them says so.
    Likely,
    /// They leave no doubt.
    Certain,
}

impl Plainness {
    pub(crate) fn is_doubtful(&self) -> bool {
        *self == Plainness::Doubtful
    }
}

impl Reach {
    pub(crate) fn is_whole(&self) -> bool {
        *self == Reach::Whole
    }
}

/// What was found out about a pair, with the reasons.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// How the two stand to each other.
    pub relation: Relation,
    /// Whether the words alone leave no doubt that they cannot both hold.
    pub certain: bool,
    /// Whether, taken together, nearly everything that is seen of the words says that the known one is over.
    pub ends: bool,
    /// How plainly the known one is over.
    pub plainness: Plainness,
    /// Whether the known one, which was said later, plainly says otherwise.
    pub overtaken: bool,
    /// How close their subjects are, between 0 and 1.
    pub closeness: f64,
    /// Whether they are one sentence but for the value that it gives.
    pub restated: bool,
    /// Whether the known one holds for a part of what the other speaks of.
    pub of_a_part: bool,
    /// How much of the known one what arrives speaks of.
    pub reach: Reach,
    /// Log-odds that they cannot both hold.
    pub conflict: f64,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// What was measured.
    pub features: BTreeMap<&'static str, f64>,
}
