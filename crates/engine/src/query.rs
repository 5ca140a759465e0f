//! Finding entries: by words, by issue, by file, from another entry; below them, what was said.

use lore_core::recall::{Hit, Query};
use lore_core::{Moment, Voice, one_line};
use lore_surface::{Graph, Index, Level, PassageHit, PassageQuery, Reach, SearchError};
use serde::Serialize;

use crate::entries::in_short;
use crate::exclude::Exclusion;
use crate::library::FEW;
use crate::others::PERSONAL;
use crate::written::Written;
use crate::{Engine, Error};

/// What a query found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// What was asked.
    pub query: String,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// What was said about it in past sessions, best first: uncurated.
    pub said: Vec<Said>,
    /// What files of the project and the user's own say about it: AGENTS.md, rules, decision records.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<Written>,
    /// What to say where there is no hit.
    pub nothing: Option<String>,
}

/// Something that was said in a past session and that nobody has curated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Said {
    /// The words that matter for the query.
    pub text: String,
    /// Session and line: `session://<agent>/<id>#L<line>`.
    pub source: String,
    /// Whose words they are.
    pub voice: Voice,
    /// When it was said.
    pub at: Option<Moment>,
    /// How alike it is to the query, from 0 to 1.
    pub score: f64,
}

/// Whose bases are asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Across {
    /// This one, and the user's own where the settings say so.
    #[default]
    Here,
    /// The base of a known project, by its name or the end of it.
    Project(String),
    /// Those of all known projects.
    All,
}

/// An entry and what is around it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Neighbourhood {
    /// Links followed both ways, and what shares tags, files or the domain.
    #[serde(flatten)]
    graph: Graph,
    /// Entries that are alike without being linked.
    pub similar: Vec<Hit>,
}

/// So many more are looked at, because hits bring others along.
const ALONG: usize = 5;
/// How many passages stand below the entries.
const SAID: usize = 3;
/// A session that was taken up again repeats what was said before; so many more are read.
const REPEATED: usize = 4;
/// A passage is shown as its best sentences, about this long.
const SAID_LENGTH: usize = 280;

impl Engine {
    /// Finds entries by words and filters.
    pub fn query(&self, query: &Query) -> Result<Found, Error> {
        self.query_across(query, &Across::Here)
    }

    /// Finds entries by words and filters, also in other projects' bases.
    pub fn query_across(&self, query: &Query, across: &Across) -> Result<Found, Error> {
        let limit = query.limit.unwrap_or(self.settings.query.limit);
        let asked = Query { limit: Some(limit), ..query.clone() };
        let mut hits = Vec::new();
        let mut said = Vec::new();
        if *across == Across::Here || *across == Across::All {
            (hits, said) = self.search(&asked)?;
            self.mark_hits(hits.iter_mut(), self)?;
        }
        for (name, other) in self.others(across)? {
            let (mut found, _) = other.search(&asked)?;
            if name == PERSONAL {
                let private = other.private_entries();
                found.retain(|hit| !private.contains(hit.id.as_str()));
            }
            // What is the user's own rests on nothing but the code that it is asked for.
            other.mark_hits(found.iter_mut(), if name == PERSONAL { self } else { &other })?;
            hits.extend(found.into_iter().map(|hit| Hit { project: Some(name.clone()), ..hit }));
        }
        // The sort is stable, so that what replaces a hit stays in front of it.
        if hits.iter().any(|hit| hit.project.is_some()) {
            hits.sort_by(|a, b| b.score.total_cmp(&a.score));
            hits.truncate(limit);
        }
        let nothing = if hits.is_empty() { Some(self.nothing(query)?) } else { None };
        let only_entries = !query.kinds.is_empty() || !query.tags.is_empty() || query.since.is_some();
        let written = if only_entries { Vec::new() } else { self.written_about(&query.text) };
        Ok(Found { query: query.text.clone(), hits, said, written, nothing })
    }

    fn search(&self, query: &Query) -> Result<(Vec<Hit>, Vec<Said>), Error> {
        let today = Moment::Instant(self.world.now);
        let excluded = self.exclusion()?;
        let work = |index: &Index| {
            let snapshot = index.snapshot();
            // What only came along with a hit must not take its place.
            let wide = Query { limit: query.limit.map(|limit| limit + ALONG), ..query.clone() };
            let mut hits = snapshot.above_the_floor(query, snapshot.about_issue(&wide, today)?)?;
            hits.truncate(query.limit.unwrap_or(usize::MAX));
            Ok((hits, said(index, query, &excluded, SAID)?, snapshot.count(Level::Entries)))
        };
        let (mut hits, mut said, entries) = self.with_library(work)?;
        // Where not every file was looked at, what is shown must still be what is there.
        if entries > FEW as u64 && self.look_again(&hits)? {
            (hits, said, _) = self.with_library(work)?;
        }
        Ok((hits, said))
    }

    /// Says why there is nothing, and what to do about it.
    fn nothing(&self, query: &Query) -> Result<String, Error> {
        Ok(if self.store.snapshot()?.is_empty() {
            "The knowledge base is empty. `lore new` writes an entry, `lore curate` reads past sessions."
                .to_owned()
        } else if query.text.trim().is_empty() {
            "No entries match these filters. Leave one of them out, or `lore list`.".to_owned()
        } else {
            // Whoever hands in a page knows what stands on it.
            let asked = in_short(&one_line(&query.text));
            format!("No relevant entries found for \"{asked}\". Try other words, or `lore list`.")
        })
    }

    /// Finds what is linked to an entry, both ways, and what is alike.
    pub fn related(&self, name: &str, limit: usize) -> Result<Neighbourhood, Error> {
        let id = self.store.snapshot()?.resolve(name)?.id.clone();
        let today = Moment::Instant(self.world.now);
        let reach = Reach { similar: limit, ..Reach::default() };
        let found = self.with_library(|index| {
            let snapshot = index.snapshot();
            let (Some(graph), Some(card)) =
                (snapshot.related(id.as_str(), reach)?, snapshot.card(id.as_str())?)
            else {
                return Ok(None);
            };
            let entry = card.entry;
            let text = format!("{} {}", entry.title, entry.description.unwrap_or_default());
            let query =
                Query { limit: Some(limit + graph.nodes.len()), domain: entry.domain, ..Query::text(text) };
            let mut similar = snapshot.search(&query, today)?;
            similar.retain(|hit| !graph.nodes.iter().any(|node| node.id == hit.id));
            similar.truncate(limit);
            Ok(Some(Neighbourhood { graph, similar }))
        })?;
        // The store knows the entry; only an index that somebody else is writing can lack it.
        found.ok_or_else(|| Error::request(format!("`{id}` is not indexed yet"), "run the command again"))
    }
}

/// Finds what was said about a query; filters that only entries know leave nothing.
pub(crate) fn said(
    index: &Index,
    query: &Query,
    excluded: &Exclusion,
    limit: usize,
) -> Result<Vec<Said>, SearchError> {
    let only_entries =
        !query.kinds.is_empty() || !query.tags.is_empty() || query.issue.is_some() || query.fresh;
    if only_entries || query.text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let asked = PassageQuery {
        since: query.since,
        files: query.files.clone(),
        limit: Some(limit * REPEATED),
        ..PassageQuery::text(&query.text)
    };
    let hits = index.snapshot().said(&asked)?;
    let bears = lore_surface::Bearing::on(&query.text);
    let mut said: Vec<Said> = Vec::new();
    let fits = |hit: &&PassageHit| {
        let text = &hit.passage.text;
        !hit.superseded && bears.has(text) && !excluded.is_off_limits(text)
    };
    for hit in hits.iter().filter(fits) {
        let one = Said::of(hit, &query.text);
        if said.len() < limit && said.iter().all(|other| other.text != one.text) {
            said.push(one);
        }
    }
    Ok(said)
}

impl Said {
    fn of(hit: &PassageHit, query: &str) -> Said {
        Said {
            text: lore_surface::excerpt(&hit.passage.text, query, SAID_LENGTH),
            source: hit.passage.source(),
            voice: hit.passage.voice,
            at: hit.passage.at.map(Moment::Instant),
            score: hit.score,
        }
    }
}

impl Neighbourhood {
    /// Prints the graph for people.
    pub fn to_text(&self) -> String {
        self.graph.to_text()
    }

    /// Draws the graph in Graphviz's language.
    pub fn to_dot(&self) -> String {
        self.graph.to_dot()
    }

    /// Draws the graph for Markdown pages.
    pub fn to_mermaid(&self) -> String {
        self.graph.to_mermaid()
    }
}

/// Prints the parts of a hit's score on one line.
pub fn arithmetic(hit: &Hit) -> String {
    lore_surface::arithmetic(hit)
}
