//! What replaced what, as small graphs: statements and entries, and the arrows between them.

use std::collections::{BTreeMap, HashMap, HashSet};

use lore_core::Status;
use serde::Serialize;

use super::ViewEntry;

/// Statements and entries of which some replaced or contradict others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewGraph {
    /// The entry it is about, by its place: the one that changed last, of those that hold where some do.
    pub entry: usize,
    /// The statements and entries, the oldest first.
    pub nodes: Vec<ViewNode>,
    /// The arrows.
    pub edges: Vec<ViewEdge>,
}

/// A statement, or an entry as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewNode {
    /// The entry it stands in.
    pub entry: usize,
    /// What it says.
    pub text: String,
    /// `holds`, `disputed`, `possibly-replaced` or `past`.
    pub standing: &'static str,
    /// The day it was first said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
}

/// An arrow from what was to what came after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ViewEdge {
    /// The older one, by its place among the nodes.
    pub from: usize,
    /// The newer one.
    pub to: usize,
    /// `replaced`, `possibly` or `against`.
    pub how: &'static str,
}

/// Names a node: its entry, and its statement where it is not the entry as a whole.
type Name = (usize, Option<usize>);

#[derive(Default)]
struct Drawing {
    places: HashMap<Name, usize>,
    nodes: Vec<ViewNode>,
    edges: Vec<ViewEdge>,
    /// Pairs that have an arrow.
    tied: HashSet<(usize, usize)>,
}

/// Draws what replaced or contradicts what, one graph for everything that hangs together.
pub(super) fn graphs(entries: &[ViewEntry]) -> Vec<ViewGraph> {
    let mut drawing = Drawing::default();
    for (at, entry) in entries.iter().enumerate() {
        drawing.statements(entries, at, entry);
        for link in &entry.links {
            match link.how {
                "replaces" => drawing.arrow(entries, (link.entry, None), (at, None), "replaced"),
                // Both sides say it; one arrow is enough.
                "contradicts" if at < link.entry => {
                    drawing.arrow(entries, (at, None), (link.entry, None), "against");
                }
                _ => {}
            }
        }
    }
    drawing.parts()
}

impl Drawing {
    /// Draws the statements of one entry that were replaced, are doubted or disputed.
    fn statements(&mut self, entries: &[ViewEntry], at: usize, entry: &ViewEntry) {
        for (place, claim) in entry.claims.iter().enumerate() {
            let how = match claim.standing {
                "past" => "replaced",
                "possibly-replaced" => "possibly",
                _ => continue,
            };
            // What holds now is shown as the entry itself; what was replaced in its turn as a statement.
            let instead = claim.instead.as_ref();
            let later = entry.claims.iter().position(|other| Some(&other.text) == instead);
            let later = later.filter(|later| *later != place && entry.claims[*later].standing != "holds");
            self.arrow(entries, (at, Some(place)), (at, later), how);
        }
        let disputed = entry.claims.iter().enumerate().filter(|(_, claim)| claim.standing == "disputed");
        let sides: Vec<usize> = disputed.map(|(place, _)| place).collect();
        for pair in sides.windows(2) {
            if let [one, other] = pair {
                self.arrow(entries, (at, Some(*one)), (at, Some(*other)), "against");
            }
        }
    }

    fn arrow(&mut self, entries: &[ViewEntry], from: Name, to: Name, how: &'static str) {
        let edge = ViewEdge { from: self.node(entries, from), to: self.node(entries, to), how };
        if edge.from != edge.to && self.tied.insert((edge.from, edge.to)) {
            self.edges.push(edge);
        }
    }

    fn node(&mut self, entries: &[ViewEntry], name: Name) -> usize {
        if let Some(known) = self.places.get(&name) {
            return *known;
        }
        let (at, place) = name;
        let entry = &entries[at];
        let node = match place.map(|place| &entry.claims[place]) {
            Some(claim) => {
                let days = claim.sources.iter().filter_map(|place| entry.sources.get(*place)?.at.clone());
                ViewNode { entry: at, text: claim.text.clone(), standing: claim.standing, day: days.min() }
            }
            None => {
                ViewNode { entry: at, text: title(entry), standing: standing(entry), day: holds_since(entry) }
            }
        };
        self.nodes.push(node);
        self.places.insert(name, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Takes the drawing apart into what hangs together, the newest first.
    fn parts(self) -> Vec<ViewGraph> {
        let mut part: Vec<usize> = (0..self.nodes.len()).collect();
        for edge in &self.edges {
            let (one, other) = (root(&part, edge.from), root(&part, edge.to));
            part[one.max(other)] = one.min(other);
        }
        let mut members: BTreeMap<usize, (Vec<usize>, Vec<ViewEdge>)> = BTreeMap::new();
        for node in 0..self.nodes.len() {
            members.entry(root(&part, node)).or_default().0.push(node);
        }
        for edge in &self.edges {
            members.entry(root(&part, edge.from)).or_default().1.push(*edge);
        }
        let mut graphs: Vec<ViewGraph> = members
            .into_values()
            .map(|(mut own, edges)| {
                own.sort_by(|a, b| self.nodes[*a].day.cmp(&self.nodes[*b].day).then(a.cmp(b)));
                let place = |node: usize| own.iter().position(|known| *known == node);
                let edges = edges.iter().filter_map(|edge| {
                    Some(ViewEdge { from: place(edge.from)?, to: place(edge.to)?, how: edge.how })
                });
                let nodes: Vec<ViewNode> = own.iter().map(|node| self.nodes[*node].clone()).collect();
                // Entries stand with the newest first; what still holds says best what it is about.
                let newest = |holds: bool| {
                    let fits = |node: &&ViewNode| !holds || node.standing == "holds";
                    nodes.iter().filter(fits).map(|node| node.entry).min()
                };
                let entry = newest(true).or_else(|| newest(false)).unwrap_or_default();
                ViewGraph { entry, edges: edges.collect(), nodes }
            })
            .collect();
        graphs.sort_by_key(|graph| graph.entry);
        graphs
    }
}

fn root(part: &[usize], mut node: usize) -> usize {
    while part[node] != node {
        node = part[node];
    }
    node
}

/// Returns what an entry as a whole says: the statement that holds, else its title.
fn title(entry: &ViewEntry) -> String {
    let holds = entry.claims.iter().find(|claim| claim.part == "lead" && claim.standing == "holds");
    holds.map_or_else(|| entry.title.clone(), |claim| claim.text.clone())
}

fn standing(entry: &ViewEntry) -> &'static str {
    match entry.status {
        Status::Current => "holds",
        Status::Disputed => "disputed",
        Status::Superseded | Status::Outdated => "past",
    }
}

/// Returns since when the first statement of an entry was heard.
fn holds_since(entry: &ViewEntry) -> Option<String> {
    let lead = entry.claims.iter().find(|claim| claim.part == "lead")?;
    let days = lead.sources.iter().filter_map(|place| entry.sources.get(*place)?.at.clone());
    days.min().or_else(|| entry.created.clone())
}
