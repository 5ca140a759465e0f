//! Turns of long conversations as documents, found by questions asked later.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use lore_core::SessionId;
use lore_core::meaning::StaticTable;
use lore_core::session::{Author, Channel, Session, Turn};
use lore_surface::{Bert, Embedder, Index, Level, Location, PassageQuery, passages};
use serde::{Deserialize, Serialize};

use crate::context::{Context, Failure};
use crate::report::Report;

/// How many documents are asked for and dumped.
const DEPTH: usize = 50;
/// How many passages are asked for, because a long turn may come as several.
const PASSAGES: usize = 400;

#[derive(Debug, Deserialize)]
struct Collection {
    collection: String,
    docs: Vec<Document>,
    queries: Vec<Question>,
}

#[derive(Debug, Deserialize)]
struct Document {
    id: String,
    group: String,
    role: Option<String>,
    text: String,
}

#[derive(Debug, Deserialize)]
struct Question {
    id: String,
    text: String,
    gold: Vec<String>,
    category: String,
}

#[derive(Debug, Serialize)]
struct Dumped {
    variant: &'static str,
    collection: String,
    query: String,
    ids: Vec<String>,
}

/// Runs every variant for which there are vectors.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let collections: Vec<Collection> = context.json_lines("retrieval/dev.jsonl.gz")?;
    let mut variants: Vec<(&'static str, Option<Arc<dyn Embedder>>)> =
        vec![("lexical", None), ("static", Some(Arc::new(StaticTable::shipped())))];
    if let Some(folder) = &context.model {
        variants.push(("minilm", Some(Arc::new(Bert::load(folder)?))));
    }
    let mut report = Report::default();
    report.set("collections", collections.len());
    let mut dumped = Vec::new();
    for (variant, embedder) in variants {
        let mut figures: BTreeMap<String, Figures> = BTreeMap::new();
        for collection in &collections {
            measure(collection, variant, embedder.clone(), &mut figures, &mut dumped)?;
        }
        for (name, figures) in figures {
            figures.report(&format!("{variant}.{name}"), &mut report);
        }
    }
    context.dump(&dumped)?;
    Ok(report)
}

fn measure(
    collection: &Collection,
    variant: &'static str,
    embedder: Option<Arc<dyn Embedder>>,
    figures: &mut BTreeMap<String, Figures>,
    dumped: &mut Vec<Dumped>,
) -> Result<(), Failure> {
    let index = indexed(collection, embedder)?;
    let snapshot = index.snapshot();
    let family = collection.collection.split('-').next().unwrap_or_default();
    let groups: HashMap<&str, &str> =
        collection.docs.iter().map(|doc| (doc.id.as_str(), doc.group.as_str())).collect();
    for question in &collection.queries {
        let query = PassageQuery { limit: Some(PASSAGES), ..PassageQuery::text(&question.text) };
        let mut ids: Vec<&str> = Vec::new();
        for hit in snapshot.said(&query)? {
            // The record of a turn is its place in the collection.
            let id = collection.docs[hit.passage.line as usize - 1].id.as_str();
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids.truncate(DEPTH);
        let gold: BTreeSet<&str> = question.gold.iter().map(String::as_str).collect();
        if !gold.is_empty() {
            let mut found_groups: Vec<&str> = Vec::new();
            for group in ids.iter().filter_map(|id| groups.get(id)) {
                if !found_groups.contains(group) {
                    found_groups.push(group);
                }
            }
            let gold_groups = gold.iter().filter_map(|id| groups.get(id).copied()).collect();
            for name in names(family, &question.category) {
                let figures = figures.entry(name).or_default();
                figures.turn.add(&ids, &gold);
                figures.group.add(&found_groups, &gold_groups);
            }
        }
        dumped.push(Dumped {
            variant,
            collection: collection.collection.clone(),
            query: question.id.clone(),
            ids: ids.into_iter().map(str::to_owned).collect(),
        });
    }
    Ok(())
}

/// Says which figures a question counts for; adversarial ones only for themselves.
fn names(family: &str, category: &str) -> Vec<String> {
    let own = format!("{family}.{category}");
    if category == "adversarial" { vec![own] } else { vec![format!("{family}.all"), own] }
}

/// Files every turn as the product files the turns of a session.
fn indexed(collection: &Collection, embedder: Option<Arc<dyn Embedder>>) -> Result<Index, Failure> {
    let mut sessions: BTreeMap<&str, Session> = BTreeMap::new();
    for (number, document) in collection.docs.iter().enumerate() {
        let session = sessions.entry(&document.group).or_default();
        session.id = SessionId::new(document.group.clone());
        let (author, channel) = match document.role.as_deref() {
            Some("assistant") => (Author::Agent, Channel::Reply),
            _ => (Author::Person, Channel::Prompt),
        };
        session.turns.push(Turn::prose(author, channel, u32::try_from(number + 1)?, &document.text));
    }
    let mut index = Index::open(&Location::Memory, embedder)?;
    let mut writer = index.writer()?;
    writer.clear(Level::Passages)?;
    for session in sessions.values() {
        writer.put_passages(session.id.as_str(), &passages(session, None))?;
    }
    writer.commit(Level::Passages, "")?;
    writer.finish()?;
    Ok(index)
}

/// Sums over questions, by turn and by group.
#[derive(Default)]
struct Figures {
    turn: Sums,
    group: Sums,
}

#[derive(Default)]
struct Sums {
    questions: f64,
    recall: [f64; 3],
    reciprocal: f64,
    gain: f64,
}

impl Sums {
    fn add(&mut self, found: &[&str], gold: &BTreeSet<&str>) {
        self.questions += 1.0;
        let right = |id: &&&str| gold.contains(**id);
        for (slot, depth) in self.recall.iter_mut().zip([1, 5, 10]) {
            *slot += found.iter().take(depth).filter(right).count() as f64 / gold.len() as f64;
        }
        if let Some(place) = found.iter().position(|id| gold.contains(id)) {
            self.reciprocal += 1.0 / (place as f64 + 1.0);
        }
        let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..gold.len().min(10)).map(discount).sum();
        let got: f64 = (0..found.len().min(10)).filter(|at| gold.contains(found[*at])).map(discount).sum();
        self.gain += got / ideal;
    }
}

impl Figures {
    fn report(&self, name: &str, report: &mut Report) {
        for (level, sums) in [("turn", &self.turn), ("group", &self.group)] {
            let mut set = |what: &str, value: f64| {
                report.set_number(&format!("{name}.{level}.{what}"), value / sums.questions.max(1.0));
            };
            for (value, what) in sums.recall.iter().zip(["R@1", "R@5", "R@10"]) {
                set(what, *value);
            }
            set("MRR", sums.reciprocal);
            set("nDCG@10", sums.gain);
        }
        report.set(&format!("{name}.questions"), self.turn.questions as u64);
    }
}
