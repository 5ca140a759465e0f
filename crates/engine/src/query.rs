//! Finding entries: by words, by issue, by file, from another entry.

use lore_core::recall::{Hit, Query};
use lore_core::{Link, LinkKind, Moment};
use serde::Serialize;

use crate::{Engine, Error};

/// What a query found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// What was asked.
    pub query: String,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// What to say where there is none.
    pub nothing: Option<String>,
}

/// One edge of the graph around an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// Where it starts.
    pub from: String,
    /// What it says.
    pub kind: LinkKind,
    /// Where it leads.
    pub to: String,
}

/// An entry and what is around it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Neighbourhood {
    /// The entry in the middle.
    pub entry: String,
    /// Its title.
    pub title: String,
    /// Edges, followed both ways.
    pub edges: Vec<Edge>,
    /// Titles of the entries the edges lead to.
    pub titles: std::collections::BTreeMap<String, String>,
    /// Entries that are alike without being linked.
    pub similar: Vec<Hit>,
}

impl Engine {
    /// Finds entries by words and filters.
    pub fn query(&self, query: &Query) -> Result<Found, Error> {
        let mut asked = query.clone();
        asked.limit = Some(query.limit.unwrap_or(self.settings.query.limit));
        let today = Moment::Instant(self.world.now);
        let hits = self.with_library(|index| index.snapshot().search(&asked, today))?;
        let nothing = if !hits.is_empty() {
            None
        } else if self.store.snapshot()?.is_empty() {
            Some(
                "The knowledge base is empty. `lore new` writes an entry, `lore curate` reads past sessions."
                    .to_owned(),
            )
        } else {
            Some(format!(
                "No relevant entries found for \"{}\". Try other words, or `lore list`.",
                query.text
            ))
        };
        Ok(Found { query: query.text.clone(), hits, nothing })
    }

    /// Finds what is linked to an entry, both ways, and what is alike.
    pub fn related(&self, name: &str, limit: usize) -> Result<Neighbourhood, Error> {
        let snapshot = self.store.snapshot()?;
        let middle = snapshot.resolve(name)?;
        let is_middle = |target: &str| snapshot.find(target).is_some_and(|found| found.id == middle.id);
        let mut edges: Vec<Edge> = Vec::new();
        let edge = |from: &str, link: &Link| Edge {
            from: from.to_owned(),
            kind: link.kind,
            to: link.target.clone(),
        };
        edges.extend(middle.links.iter().map(|link| edge(middle.id.as_str(), link)));
        for other in snapshot.summaries().filter(|other| other.id != middle.id) {
            edges.extend(
                other
                    .links
                    .iter()
                    .filter(|link| is_middle(&link.target))
                    .map(|link| edge(other.id.as_str(), link)),
            );
        }
        let ends = edges.iter().flat_map(|edge| [edge.from.clone(), edge.to.clone()]);
        let titles = ends.filter_map(|end| Some((end.clone(), snapshot.find(&end)?.title.clone()))).collect();
        let text = format!(
            "{} {} {}",
            middle.title,
            middle.description.as_deref().unwrap_or_default(),
            middle.tags.join(" ")
        );
        let query = Query {
            files: middle.files.clone(),
            domain: middle.domain.clone(),
            limit: Some(limit + 1 + edges.len()),
            ..Query::text(text)
        };
        let linked =
            |hit: &Hit| edges.iter().any(|edge| edge.to == hit.id.as_str() || edge.from == hit.id.as_str());
        let mut similar = self.query(&query)?.hits;
        similar.retain(|hit| hit.id != middle.id && !linked(hit));
        similar.truncate(limit);
        Ok(Neighbourhood {
            entry: middle.id.to_string(),
            title: middle.title.clone(),
            edges,
            titles,
            similar,
        })
    }
}

impl Neighbourhood {
    /// Draws the graph in Graphviz's language.
    pub fn to_dot(&self) -> String {
        use std::fmt::Write as _;
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut out = String::from("digraph lore {\n  rankdir=LR;\n  node [shape=box];\n");
        let _ = writeln!(out, "  {} [label={}, style=bold];", quoted(&self.entry), quoted(&self.title));
        for (id, title) in self.titles.iter().filter(|(id, _)| **id != self.entry) {
            let _ = writeln!(out, "  {} [label={}];", quoted(id), quoted(title));
        }
        for edge in &self.edges {
            let _ = writeln!(
                out,
                "  {} -> {} [label={}];",
                quoted(&edge.from),
                quoted(&edge.to),
                quoted(edge.kind.key())
            );
        }
        out.push_str("}\n");
        out
    }

    /// Draws the graph for Markdown pages.
    pub fn to_mermaid(&self) -> String {
        use std::fmt::Write as _;
        let mut names: Vec<&str> =
            self.edges.iter().flat_map(|edge| [edge.from.as_str(), edge.to.as_str()]).collect();
        names.push(&self.entry);
        names.sort_unstable();
        names.dedup();
        let number = |name: &str| names.binary_search(&name).unwrap_or(0);
        let mut out = String::from("graph LR\n");
        for name in &names {
            let title = self
                .titles
                .get(*name)
                .map_or(if *name == self.entry { &self.title } else { *name }, |title| title);
            let _ = writeln!(out, "  n{}[\"{}\"]", number(name), title.replace('"', "'"));
        }
        for edge in &self.edges {
            let _ = writeln!(out, "  n{} -->|{}| n{}", number(&edge.from), edge.kind.key(), number(&edge.to));
        }
        out
    }
}
