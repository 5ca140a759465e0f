//! What earlier steps of a task found and concluded, so that nothing is looked up twice.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::ContentHash;
use lore_surface::Role;
use serde::{Deserialize, Serialize};

use crate::usage::Use;
use crate::{Engine, Error};

/// What a step made of what it was shown: its interpretation, not the entries themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    /// Who concluded it.
    pub by: String,
    /// The conclusion.
    pub text: String,
    /// The entries it rests on.
    pub entries: Vec<String>,
    /// When.
    pub at: Timestamp,
}

impl Conclusion {
    /// Writes it on one line, with its citations.
    pub(super) fn line(&self) -> String {
        let cites: String = self
            .entries
            .iter()
            .filter(|id| !self.text.contains(&format!("[{id}]")))
            .map(|id| format!(" [{id}]"))
            .collect();
        format!("- {}: {}{cites}\n", self.by, self.text)
    }
}

/// A task as its steps leave it behind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Chain {
    /// The task.
    pub(super) name: String,
    /// Entries that were shown.
    pub(super) ids: BTreeSet<String>,
    /// Conclusions, in their order.
    pub(super) conclusions: Vec<Conclusion>,
}

impl Engine {
    pub(super) fn chain(&self, name: Option<&str>) -> Chain {
        let Some(name) = name else { return Chain::default() };
        let bytes = std::fs::read(self.store.shared().folder().join(file(name))).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(super) fn save_chain(&self, name: &str, chain: &Chain) -> Result<(), Error> {
        let chain = Chain { name: name.to_owned(), ..chain.clone() };
        Ok(self.store.shared().write_json_clean(&file(name), &chain)?)
    }

    /// Hands a conclusion on to the later steps of a chain; entries it cites count as applied.
    pub fn conclude(&self, chain: &str, role: Role, text: &str) -> Result<Conclusion, Error> {
        let text = self.store.door().written(text).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err(Error::request("a conclusion needs words", "say what the step concluded"));
        }
        let mut link = self.chain(Some(chain));
        let snapshot = self.store.snapshot()?;
        let cited: BTreeSet<String> = cited(&text)
            .chain(link.ids.iter().filter(|id| text.contains(id.as_str())).cloned())
            .filter_map(|id| snapshot.find(&id).map(|entry| entry.id.to_string()))
            .collect();
        let conclusion = Conclusion {
            by: role.word().to_owned(),
            text,
            entries: cited.iter().cloned().collect(),
            at: self.world.now,
        };
        link.conclusions.push(conclusion.clone());
        link.ids.extend(cited.iter().cloned());
        self.save_chain(chain, &link)?;
        self.record_uses(&format!("chain/{chain}"), cited.into_iter().map(|id| (id, Use::Applied)))?;
        Ok(conclusion)
    }
}

/// Lists what stands in square brackets.
fn cited(text: &str) -> impl Iterator<Item = String> {
    text.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(id, _)| id.to_owned())
}

fn file(name: &str) -> String {
    format!("context/chains/{}.json", ContentHash::of(name.as_bytes()).short())
}
