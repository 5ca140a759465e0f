//! The hand labels: items, and how pairs of them stand to each other.

use std::collections::BTreeMap;

use jiff::Timestamp;
use lore_core::{Backing, Candidate, Confidence, Evidence, Kind, Route, SessionId, Voice};
use serde::Deserialize;

use crate::context::{Context, Failure};

/// Projects that nobody looks at while building, so that the last grading says something.
pub(crate) const KEPT_FOR_GRADING: [&str; 5] = ["contact", "hk", "orpheus", "tij", "m-gemini"];

/// One piece of knowledge, labelled by hand.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Item {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) corpus: String,
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) line: u32,
    #[serde(default)]
    role: String,
    #[serde(default)]
    pub(crate) quote: String,
    #[serde(rename = "type")]
    kind: String,
    pub(crate) statement: String,
    #[serde(default)]
    confidence: String,
    #[serde(default)]
    pub(crate) topic_key: String,
    #[serde(default)]
    ts: String,
    #[serde(default)]
    date: String,
}

#[derive(Debug, Deserialize)]
struct Pair {
    old_item: String,
    new_item: String,
    relation: String,
}

/// A labelled pair.
pub(crate) struct Change<'a> {
    pub(crate) old: &'a Item,
    pub(crate) new: &'a Item,
    pub(crate) relation: String,
}

impl Change<'_> {
    /// Tells whether the two cannot both hold.
    pub(crate) fn is_conflict(&self) -> bool {
        matches!(self.relation.as_str(), "supersedes" | "contradicts")
    }

    pub(crate) fn is_duplicate(&self) -> bool {
        self.relation == "duplicate"
    }
}

impl Item {
    pub(crate) fn at(&self) -> Option<Timestamp> {
        let day = || format!("{}T00:00:00Z", self.date);
        self.ts.parse().ok().or_else(|| day().parse().ok())
    }

    pub(crate) fn voice(&self) -> Voice {
        if self.role == "user" { Voice::Person } else { Voice::Agent }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind.parse().unwrap_or(Kind::Fact)
    }

    /// Makes the candidate that extraction would hand over.
    pub(crate) fn candidate(&self) -> Candidate {
        let evidence = Evidence {
            session: SessionId::new(&self.session),
            agent: "agent".to_owned(),
            line: self.line,
            quote: self.quote.clone(),
            voice: self.voice(),
            at: self.at(),
        };
        Candidate {
            kind: self.kind(),
            title: self.statement.split_whitespace().take(10).collect::<Vec<_>>().join(" "),
            text: self.statement.clone(),
            confidence: Confidence::from_word(&self.confidence).unwrap_or(Confidence::Medium),
            keywords: Vec::new(),
            files: Vec::new(),
            issue: None,
            evidence: vec![evidence],
            weight: 1.0,
            features: Vec::new(),
            at: self.at(),
            route: if self.voice() == Voice::Person { Route::Ruling } else { Route::Statement },
            backing: Backing::Words,
        }
    }
}

/// Reads the items.
pub(crate) fn items(context: &Context) -> Result<BTreeMap<String, Item>, Failure> {
    let items: Vec<Item> = context.json_lines("gold/items.jsonl")?;
    Ok(items.into_iter().map(|item| (item.id.clone(), item)).collect())
}

/// Reads the pairs whose items are both there.
pub(crate) fn changes<'a>(
    context: &Context,
    items: &'a BTreeMap<String, Item>,
) -> Result<Vec<Change<'a>>, Failure> {
    let pairs: Vec<Pair> = context.json_lines("gold/changes.jsonl")?;
    let change = |pair: Pair| {
        let (old, new) = (items.get(&pair.old_item)?, items.get(&pair.new_item)?);
        Some(Change { old, new, relation: pair.relation })
    };
    Ok(pairs.into_iter().filter_map(change).collect())
}
