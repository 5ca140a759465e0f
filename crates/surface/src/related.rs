//! What hangs together with an entry: its links both ways, and what it shares with others.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::recall::Query;
use lore_core::{Entry, EntryId, Hit, Kind, LinkKind, Moment, Status};
use serde::Serialize;

use crate::document::levels;
use crate::filter::LookUp;
use crate::index::Card;
use crate::reader::{SearchError, Snapshot};

/// How far and how wide to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// How many links in a row are followed.
    pub depth: usize,
    /// How many entries may stand beside it that only share something with it.
    pub similar: usize,
}

impl Default for Reach {
    fn default() -> Reach {
        Reach { depth: 2, similar: 8 }
    }
}

/// Entries and what ties them together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graph {
    /// The entry it is about.
    pub root: EntryId,
    /// The root first, then by distance and id.
    pub nodes: Vec<Node>,
    /// In the order of their nodes.
    pub edges: Vec<Edge>,
}

/// An entry in a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its id.
    pub id: EntryId,
    /// Its kind.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: Status,
    /// How many edges it is away from the root.
    pub distance: usize,
}

/// What ties two entries together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Edge {
    /// The entry that says it.
    pub from: EntryId,
    /// The entry it is said of.
    pub to: EntryId,
    /// A key of front matter, or `shares`.
    pub tie: String,
    /// What is shared, where something is.
    pub shared: Vec<String>,
    /// 1 for links, less for what is only shared.
    pub strength: f64,
}

impl Snapshot<'_> {
    /// Draws the surroundings of an entry; nothing where no entry has that id or alias.
    pub fn related(&self, name: &str, reach: Reach) -> Result<Option<Graph>, SearchError> {
        let Some(root) = self.card(name)? else { return Ok(None) };
        let mut seen: BTreeMap<EntryId, (usize, Card)> = BTreeMap::new();
        let mut edges: Vec<Edge> = Vec::new();
        let id = root.entry.id.clone();
        seen.insert(id.clone(), (0, root.clone()));
        let mut ring = vec![root.clone()];
        for distance in 1..=reach.depth {
            let mut next = Vec::new();
            for card in &ring {
                for (edge, other) in self.linked(card)? {
                    if !edges.iter().any(|known| same_edge(known, &edge)) {
                        edges.push(edge);
                    }
                    if !seen.contains_key(&other.entry.id) {
                        seen.insert(other.entry.id.clone(), (distance, other.clone()));
                        next.push(other);
                    }
                }
            }
            ring = next;
        }
        let mut similar = self.sharing(&root)?;
        similar.retain(|(_, other)| !seen.contains_key(&other.entry.id));
        for (edge, other) in similar.into_iter().take(reach.similar) {
            edges.push(edge);
            seen.insert(other.entry.id.clone(), (1, other));
        }
        let mut nodes: Vec<Node> =
            seen.into_values().map(|(distance, card)| node(&card.entry, distance)).collect();
        nodes.sort_by(|a, b| a.distance.cmp(&b.distance).then_with(|| a.id.cmp(&b.id)));
        Ok(Some(Graph { root: id, nodes, edges }))
    }

    /// Finds what belongs to an issue: its own entries first, then the same files and domain, then likeness.
    pub fn about_issue(&self, query: &Query, today: Moment) -> Result<Vec<Hit>, SearchError> {
        let Some(issue) = &query.issue else { return self.search(query, today) };
        let own = self.find(&[LookUp::Issue(issue.clone())])?;
        let mut wider = query.clone();
        for card in &own {
            wider.files.extend(card.entry.files.iter().cloned());
            wider.domain = wider.domain.or_else(|| card.entry.domain.clone());
            if query.text.trim().is_empty() {
                wider.text.push_str(&card.entry.title);
                wider.text.push('\n');
            }
        }
        self.search(&wider, today)
    }

    /// Lists links from and to an entry.
    fn linked(&self, card: &Card) -> Result<Vec<(Edge, Card)>, SearchError> {
        let mut out = Vec::new();
        for link in &card.entry.links {
            if let Some(other) = self.card(&link.target)? {
                out.push((link_edge(&card.entry, link.kind, &other.entry), other));
            }
        }
        let names =
            std::iter::once(card.entry.id.as_str()).chain(card.entry.aliases.iter().map(String::as_str));
        for name in names {
            for other in self.find(&[LookUp::LinksTo(name.to_owned())])? {
                for link in other.entry.links.iter().filter(|link| link.target == name) {
                    out.push((link_edge(&other.entry, link.kind, &card.entry), other.clone()));
                }
            }
        }
        Ok(out)
    }

    /// Lists entries that share tags, files or the domain with one, most first.
    fn sharing(&self, card: &Card) -> Result<Vec<(Edge, Card)>, SearchError> {
        let entry = &card.entry;
        let mut shared: BTreeMap<EntryId, (f64, Vec<String>, Card)> = BTreeMap::new();
        let mut look_ups: Vec<(LookUp, String, f64)> = Vec::new();
        for file in &entry.files {
            look_ups.push((LookUp::File(file.clone()), file.clone(), 0.3));
        }
        let tags: BTreeSet<String> = entry.tags.iter().flat_map(|tag| levels(tag)).collect();
        look_ups.extend(tags.into_iter().map(|tag| (LookUp::Tag(tag.clone()), format!("#{tag}"), 0.2)));
        let domain = entry.domain.iter();
        look_ups.extend(domain.map(|domain| (LookUp::Domain(domain.clone()), domain.clone(), 0.1)));
        for (look_up, name, weight) in look_ups {
            for other in self.find(&[look_up])? {
                if other.entry.id != entry.id {
                    let slot = shared
                        .entry(other.entry.id.clone())
                        .or_insert_with(|| (0.0, Vec::new(), other.clone()));
                    slot.0 += weight;
                    slot.1.push(name.clone());
                }
            }
        }
        let mut out: Vec<(Edge, Card)> = shared
            .into_values()
            .map(|(strength, shared, other)| {
                let (from, to) = (entry.id.clone(), other.entry.id.clone());
                let strength = f64::min(strength, 0.9);
                (Edge { from, to, tie: "shares".to_owned(), shared, strength }, other)
            })
            .collect();
        out.sort_by(|a, b| b.0.strength.total_cmp(&a.0.strength).then_with(|| a.0.to.cmp(&b.0.to)));
        Ok(out)
    }
}

impl Graph {
    /// Prints the graph for people.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for node in &self.nodes {
            let mark =
                if node.status == Status::Current { String::new() } else { format!(" ({})", node.status) };
            out.push_str(&format!(
                "{}{} [{}]{mark}\n",
                "  ".repeat(node.distance),
                node.title,
                node.id.handle()
            ));
            for edge in self.edges.iter().filter(|edge| edge.from == node.id) {
                let what = if edge.shared.is_empty() {
                    String::new()
                } else {
                    format!(" {}", edge.shared.join(", "))
                };
                out.push_str(&format!(
                    "{}- {}{what} → {}\n",
                    "  ".repeat(node.distance + 1),
                    edge.tie,
                    edge.to
                ));
            }
        }
        out
    }

    /// Prints the graph for Graphviz.
    pub fn to_dot(&self) -> String {
        let mut out = String::from("digraph knowledge {\n  rankdir=LR;\n  node [shape=box];\n");
        for node in &self.nodes {
            let style = if node.status == Status::Current { "" } else { ", style=dashed" };
            out.push_str(&format!("  \"{}\" [label=\"{}\"{style}];\n", node.id, quoted(&node.title)));
        }
        for edge in &self.edges {
            out.push_str(&format!("  \"{}\" -> \"{}\" [label=\"{}\"];\n", edge.from, edge.to, edge.tie));
        }
        out.push_str("}\n");
        out
    }

    /// Prints the graph for Mermaid.
    pub fn to_mermaid(&self) -> String {
        let mut out = String::from("graph LR\n");
        let number = |id: &EntryId| self.nodes.iter().position(|node| node.id == *id).unwrap_or(0);
        for (at, node) in self.nodes.iter().enumerate() {
            out.push_str(&format!("  n{at}[\"{}\"]\n", node.title.replace('"', "#quot;").replace('\n', " ")));
        }
        for edge in &self.edges {
            out.push_str(&format!("  n{} -->|{}| n{}\n", number(&edge.from), edge.tie, number(&edge.to)));
        }
        out
    }
}

fn node(entry: &Entry, distance: usize) -> Node {
    Node {
        id: entry.id.clone(),
        kind: entry.kind,
        title: entry.title.clone(),
        status: entry.status,
        distance,
    }
}

fn link_edge(from: &Entry, kind: LinkKind, to: &Entry) -> Edge {
    let (from, to) = (from.id.clone(), to.id.clone());
    Edge { from, to, tie: kind.key().to_owned(), shared: Vec::new(), strength: 1.0 }
}

/// Tells whether an edge says again what another says, seen from either end.
fn same_edge(known: &Edge, edge: &Edge) -> bool {
    let inverse = LinkKind::ALL
        .into_iter()
        .find(|kind| kind.key() == edge.tie)
        .and_then(LinkKind::inverse)
        .map(LinkKind::key);
    (known.from == edge.from && known.to == edge.to && known.tie == edge.tie)
        || (known.from == edge.to && known.to == edge.from && Some(known.tie.as_str()) == inverse)
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
