//! The sets, as they are written.

use fancy_regex::Regex;
use serde::Deserialize;

use crate::context::Failure;

/// An entry that is there before anything is said.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Known {
    pub(super) kind: String,
    pub(super) title: String,
    pub(super) text: String,
}

/// Something that must be kept.
#[derive(Debug, Deserialize)]
pub(super) struct Kept {
    pub(super) id: String,
    pub(super) said: String,
    pub(super) keep: String,
    pub(super) kind: String,
    pub(super) must: Vec<String>,
    pub(super) form: String,
    pub(super) lang: String,
    pub(super) asked: Option<String>,
}

/// Something that must leave nothing.
#[derive(Debug, Deserialize)]
pub(super) struct Passing {
    pub(super) id: String,
    pub(super) said: String,
    pub(super) voice: String,
    pub(super) why: String,
    #[serde(default)]
    pub(super) weak: bool,
}

/// Something that was said, and then something else.
#[derive(Debug, Deserialize)]
pub(super) struct Reversal {
    pub(super) id: String,
    pub(super) old: Side,
    pub(super) between: Option<Side>,
    pub(super) new: Side,
    pub(super) expect: String,
    pub(super) question: String,
    pub(super) current: Vec<String>,
    pub(super) stale: Vec<String>,
}

/// One side of it.
#[derive(Debug, Deserialize)]
pub(super) struct Side {
    pub(super) said: String,
    pub(super) voice: String,
    #[serde(default)]
    pub(super) days_ago: i64,
}

/// A prompt of every day.
#[derive(Debug, Deserialize)]
pub(super) struct Prompt {
    pub(super) id: String,
    pub(super) prompt: String,
    pub(super) needs: Option<String>,
    #[serde(default)]
    pub(super) tolerate: Vec<String>,
    #[serde(default)]
    pub(super) hard: bool,
}

/// A text that wants to get in.
#[derive(Debug, Deserialize)]
pub(super) struct Poison {
    pub(super) id: String,
    #[serde(rename = "where")]
    pub(super) place: String,
    pub(super) trick: String,
    pub(super) text: String,
    pub(super) must_not: Vec<String>,
}

/// Tells whether every pattern stands in a text.
pub(super) fn all(patterns: &[String], text: &str) -> Result<bool, Failure> {
    for pattern in patterns {
        if !stands(pattern, text)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tells whether one of the patterns stands in a text.
pub(super) fn any(patterns: &[String], text: &str) -> Result<bool, Failure> {
    for pattern in patterns {
        if stands(pattern, text)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn stands(pattern: &str, text: &str) -> Result<bool, Failure> {
    Ok(Regex::new(&format!("(?im){pattern}"))?.is_match(text)?)
}
