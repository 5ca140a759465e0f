//! The hand labels, read and compiled.

use std::collections::{BTreeMap, BTreeSet};

use fancy_regex::Regex;
use serde::Deserialize;

use crate::context::{Context, Failure};

/// How thoroughly a session was read by the annotator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Read {
    Exhaustive,
    Full,
    Partial,
}

/// A labelled session.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Labelled {
    #[serde(default)]
    pub(crate) corpus: String,
    pub(crate) file: String,
    pub(crate) read: Read,
    #[serde(default)]
    pub(crate) cut_lines: Vec<u32>,
}

#[derive(Debug, Deserialize)]
struct RawItem {
    file: String,
    quote: String,
    #[serde(default)]
    statement: String,
    #[serde(rename = "type")]
    kind: String,
    must: Vec<String>,
    #[serde(default)]
    ctx: Vec<String>,
    confidence: String,
    #[serde(default)]
    topic_key: Option<String>,
    #[serde(default)]
    also_in: Vec<serde_json::Value>,
}

/// One piece of knowledge that should be found.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) file: String,
    pub(crate) quote: String,
    pub(crate) statement: String,
    pub(crate) kind: String,
    pub(crate) confidence: String,
    must: Vec<Regex>,
    ctx: Vec<Regex>,
    topic: Option<String>,
    siblings: Vec<String>,
}

/// A passage that must not become an entry.
#[derive(Debug, Deserialize)]
pub(crate) struct Noise {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) quote: String,
}

/// All labels of the extraction suite.
pub(crate) struct Gold {
    pub(crate) sessions: Vec<Labelled>,
    pub(crate) items: Vec<Item>,
    pub(crate) noise: Vec<Noise>,
    by_file: BTreeMap<String, Vec<usize>>,
}

impl Item {
    /// Tells whether a text is a faithful extraction.
    pub(crate) fn matches(&self, text: &str) -> bool {
        all(&self.must, text)
    }

    /// Tells whether a faithful extraction also names its subject.
    pub(crate) fn is_self_contained(&self, text: &str) -> bool {
        all(&self.must, text) && all(&self.ctx, text)
    }

    /// Tells whether recall is measured on it.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.confidence.as_str(), "high" | "medium")
    }
}

impl Gold {
    pub(crate) fn read(context: &Context) -> Result<Gold, Failure> {
        let sessions: Vec<Labelled> = context.json_lines("gold/sessions.jsonl")?;
        let raw: Vec<RawItem> = context.json_lines("gold/items.jsonl")?;
        let items = raw.into_iter().map(compile).collect::<Result<Vec<Item>, Failure>>()?;
        let noise: Vec<Noise> = context.json_lines("gold/noise.jsonl")?;
        let mut by_file: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for session in &sessions {
            let own = |item: &&(usize, &Item)| {
                item.1.file == session.file || item.1.siblings.contains(&session.file)
            };
            let numbered: Vec<(usize, &Item)> = items.iter().enumerate().collect();
            let here: Vec<&(usize, &Item)> = numbered.iter().filter(own).collect();
            let topics: BTreeSet<&str> = here.iter().filter_map(|(_, item)| item.topic.as_deref()).collect();
            let related = numbered
                .iter()
                .filter(|(_, item)| item.topic.as_deref().is_some_and(|topic| topics.contains(topic)));
            let mut right: Vec<usize> =
                here.iter().map(|(index, _)| *index).chain(related.map(|(index, _)| *index)).collect();
            right.sort_unstable();
            right.dedup();
            by_file.insert(session.file.clone(), right);
        }
        Ok(Gold { sessions, items, noise, by_file })
    }

    /// Lists the items that an entry of this session may rightly express.
    pub(crate) fn right(&self, file: &str) -> impl Iterator<Item = &Item> {
        let indices = self.by_file.get(file).map(Vec::as_slice).unwrap_or_default();
        indices.iter().map(|index| &self.items[*index])
    }
}

fn compile(raw: RawItem) -> Result<Item, Failure> {
    let compile_all = |patterns: &[String]| {
        patterns.iter().map(|pattern| Regex::new(&format!("(?i){pattern}"))).collect::<Result<Vec<_>, _>>()
    };
    let sibling = |value: &serde_json::Value| {
        value.as_str().or_else(|| value.get("file").and_then(|file| file.as_str())).map(str::to_owned)
    };
    Ok(Item {
        must: compile_all(&raw.must)?,
        ctx: compile_all(&raw.ctx)?,
        siblings: raw.also_in.iter().filter_map(sibling).collect(),
        file: raw.file,
        quote: raw.quote,
        statement: raw.statement,
        kind: raw.kind,
        confidence: raw.confidence,
        topic: raw.topic_key,
    })
}

fn all(patterns: &[Regex], text: &str) -> bool {
    patterns.iter().all(|pattern| pattern.is_match(text).unwrap_or(false))
}
