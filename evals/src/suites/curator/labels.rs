//! What the sessions of a project are known to say.

use fancy_regex::Regex;
use serde::Deserialize;

use crate::context::{Context, Failure};

#[derive(Debug, Deserialize)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) corpus: String,
    pub(super) file: String,
    pub(super) quote: String,
    pub(super) must: Vec<String>,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) confidence: String,
    #[serde(default)]
    pub(super) topic_key: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Noise {
    pub(super) corpus: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) quote: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Pair {
    pub(super) corpus: String,
    pub(super) old_item: String,
    pub(super) new_item: String,
    pub(super) relation: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Question {
    pub(super) corpus: String,
    pub(super) answer: Option<String>,
    pub(super) accept: Vec<String>,
    #[serde(default)]
    pub(super) reject: Vec<String>,
    #[serde(default)]
    pub(super) evidence: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Candidate {
    pub(super) corpus: String,
    #[serde(default)]
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) text: String,
    pub(super) keep: u8,
    #[serde(default)]
    pub(super) better: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Change {
    pub(super) corpus: String,
    pub(super) old: String,
    pub(super) new: String,
    #[serde(default)]
    pub(super) old_file: String,
    #[serde(default)]
    pub(super) new_file: String,
    pub(super) old_line: u32,
    pub(super) new_line: u32,
    pub(super) relation: String,
}

/// All labels.
pub(super) struct Labels {
    pub(super) items: Vec<(Item, Vec<Regex>)>,
    pub(super) noise: Vec<Noise>,
    pub(super) pairs: Vec<Pair>,
    pub(super) questions: Vec<Question>,
    pub(super) judged: Vec<Candidate>,
    pub(super) changes: Vec<Change>,
}

impl Labels {
    pub(super) fn read(context: &Context) -> Result<Labels, Failure> {
        let items: Vec<Item> = context.json_lines("gold/items.jsonl")?;
        let compiled = items.into_iter().map(|item| Ok((patterns(&item.must)?, item)));
        let compiled = compiled.collect::<Result<Vec<_>, Failure>>()?;
        Ok(Labels {
            items: compiled.into_iter().map(|(must, item)| (item, must)).collect(),
            noise: context.json_lines("gold/noise.jsonl")?,
            pairs: context.json_lines("gold/changes.jsonl")?,
            questions: context.json_lines("gold/qa.jsonl")?,
            judged: context.json_lines("judged/candidates.jsonl")?,
            changes: context.json_lines("judged/changes.jsonl")?,
        })
    }
}

pub(super) fn patterns(texts: &[String]) -> Result<Vec<Regex>, Failure> {
    texts.iter().map(|text| Ok(Regex::new(&format!("(?i){text}"))?)).collect()
}

pub(super) fn all(patterns: &[Regex], text: &str) -> bool {
    patterns.iter().all(|pattern| pattern.is_match(text).unwrap_or(false))
}
