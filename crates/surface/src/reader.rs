//! Searches a snapshot: many readers at once, none waits for a writer.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lore_core::recall::Query;
use lore_core::{Hit, LinkKind, Moment};
use tantivy::schema::Value as _;
use tantivy::{DocAddress, Searcher, TantivyDocument, TantivyError, Term};

use crate::filter::{LookUp, holders};
use crate::fit::{Asked, Sureness, entry_fit};
use crate::fuse::Tuning;
use crate::index::{Card, Index, Level};
use crate::passage::Passage;
use crate::query::Word;
use crate::said::{self, PassageHit, PassageQuery};
use crate::score::{self, Scored};

/// A snapshot could not be searched.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The level is damaged; [`Index::discard`] it and fill it again.
    #[error("the index is damaged: {1}")]
    Damaged(Level, String),
}

/// A view of the index that does not change while it is searched.
pub struct Snapshot<'i> {
    pub(crate) index: &'i Index,
    pub(crate) entries: Searcher,
    pub(crate) passages: Searcher,
    pub(crate) tuning: Tuning,
}

impl<'i> Snapshot<'i> {
    pub(crate) fn new(index: &'i Index) -> Snapshot<'i> {
        Snapshot {
            index,
            entries: index.entries.reader.searcher(),
            passages: index.passages.reader.searcher(),
            tuning: Tuning::default(),
        }
    }

    /// Counts what is on a level.
    pub fn count(&self, level: Level) -> u64 {
        match level {
            Level::Entries => self.entries.num_docs(),
            Level::Passages => self.passages.num_docs(),
        }
    }

    /// Finds an entry by its id or an alias.
    pub fn card(&self, name: &str) -> Result<Option<Card>, SearchError> {
        Ok(self.find(&[LookUp::Name(name.to_owned())])?.into_iter().next())
    }

    /// Lists the entries that are filed under all of these, newest change first.
    pub fn find(&self, look_ups: &[LookUp]) -> Result<Vec<Card>, SearchError> {
        self.guard(Level::Entries, || {
            let mut cards = Vec::new();
            for address in self.addresses(look_ups)? {
                cards.extend(self.card_at(address)?);
            }
            let changed = |card: &Card| card.entry.updated.or(card.entry.created);
            cards.sort_by(|a, b| changed(b).cmp(&changed(a)).then_with(|| a.entry.id.cmp(&b.entry.id)));
            Ok(cards)
        })
    }

    /// Lists what is indexed, as id → stamp, so that a caller can see what has changed.
    pub fn stamps(&self) -> Result<BTreeMap<String, String>, SearchError> {
        self.guard(Level::Entries, || {
            let mut stamps = BTreeMap::new();
            for segment in self.entries.segment_readers() {
                let columns = segment.fast_fields();
                let (Some(ids), Some(marks)) = (columns.str("id")?, columns.str("stamp")?) else { continue };
                let text = |column: &tantivy::columnar::StrColumn, doc| -> Result<String, TantivyError> {
                    let mut text = String::new();
                    if let Some(ord) = column.term_ords(doc).next() {
                        column.ord_to_str(ord, &mut text)?;
                    }
                    Ok(text)
                };
                for doc in segment.doc_ids_alive() {
                    stamps.insert(text(&ids, doc)?, text(&marks, doc)?);
                }
            }
            Ok(stamps)
        })
    }

    /// Returns the best entries for a query as of a day, best first.
    pub fn search(&self, query: &Query, today: Moment) -> Result<Vec<Hit>, SearchError> {
        self.guard(Level::Entries, || score::search(self, query, today))
    }

    /// Returns the best entries for a query as of a day, best first, without company and without words.
    pub(crate) fn best(
        &self,
        query: &Query,
        words: &[Word],
        today: Moment,
    ) -> Result<Vec<Scored>, SearchError> {
        self.guard(Level::Entries, || score::best(self, query, words, today))
    }

    /// Leaves out hits that have nothing to do with the words, by the floor that everything shares; what is
    /// tied to the issue or the files that were asked for stays.
    pub fn above_the_floor(&self, query: &Query, hits: Vec<Hit>) -> Result<Vec<Hit>, SearchError> {
        if query.text.trim().is_empty() || query.issue.is_some() || !query.files.is_empty() {
            return Ok(hits);
        }
        let asked = Asked::search(&query.text);
        let floor = Sureness::Confirmed.floor();
        let mut cards: Vec<(Hit, Card, bool)> = Vec::with_capacity(hits.len());
        for hit in hits {
            let Some(card) = self.card(hit.id.as_str())? else { continue };
            let fits = entry_fit(&asked, &card.entry, floor) >= floor
                || asked.fit_above(&card.entry.tags.join(" "), floor).value >= floor
                || card.entry.id.as_str().contains(query.text.trim());
            cards.push((hit, card, fits));
        }
        // What replaces, limits or contradicts a hit comes with it.
        let leads_to = |from: &Card, to: &Card| {
            let target = to.entry.id.as_str();
            from.entry.links.iter().any(|link| link.kind != LinkKind::Related && link.target == target)
        };
        let kept = |(_, card, fits): &(Hit, Card, bool)| {
            let tied = |(_, other, fits): &(Hit, Card, bool)| {
                *fits && (leads_to(card, other) || leads_to(other, card))
            };
            *fits || cards.iter().any(tied)
        };
        let kept: Vec<bool> = cards.iter().map(kept).collect();
        Ok(cards.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|((hit, ..), _)| hit).collect())
    }

    /// Returns what was said in past sessions about a query, best first: uncurated.
    pub fn said(&self, query: &PassageQuery) -> Result<Vec<PassageHit>, SearchError> {
        self.guard(Level::Passages, || said::search(self, query))
    }

    /// Lists what was said in the sessions whose id begins like this, in the order it was said.
    pub fn said_in(&self, session: &str) -> Result<Vec<Passage>, SearchError> {
        let field = self.index.passage_fields.session;
        self.guard(Level::Passages, || {
            let mut passages = Vec::new();
            for (ord, segment) in self.passages.segment_readers().iter().enumerate() {
                let inverted = segment.inverted_index(field)?;
                let mut names = inverted.terms().range().ge(session.as_bytes()).into_stream()?;
                let mut terms = Vec::new();
                while names.advance() && names.key().starts_with(session.as_bytes()) {
                    terms.push(Term::from_field_text(field, &String::from_utf8_lossy(names.key())));
                }
                for doc in holders(segment, &terms)? {
                    passages.extend(self.passage_at(DocAddress::new(ord as u32, doc))?);
                }
            }
            passages.sort_by(|a, b| (&a.session, a.sequence).cmp(&(&b.session, b.sequence)));
            Ok(passages)
        })
    }

    pub(crate) fn addresses(&self, look_ups: &[LookUp]) -> Result<Vec<DocAddress>, TantivyError> {
        let mut out = Vec::new();
        for (ord, segment) in self.entries.segment_readers().iter().enumerate() {
            let mut docs: Option<Vec<u32>> = None;
            for look_up in look_ups {
                let found = holders(segment, &look_up.terms(&self.index.entry_fields))?;
                docs = Some(match docs {
                    None => found,
                    Some(docs) => docs.into_iter().filter(|doc| found.binary_search(doc).is_ok()).collect(),
                });
            }
            let docs = docs.unwrap_or_else(|| segment.doc_ids_alive().collect());
            out.extend(docs.into_iter().map(|doc| DocAddress::new(ord as u32, doc)));
        }
        Ok(out)
    }

    pub(crate) fn card_at(&self, address: DocAddress) -> Result<Option<Card>, TantivyError> {
        let document: TantivyDocument = self.entries.doc(address)?;
        let record = document.get_first(self.index.entry_fields.record).and_then(|value| value.as_bytes());
        Ok(record.and_then(|bytes| serde_json::from_slice(bytes).ok()))
    }

    pub(crate) fn passage_at(&self, address: DocAddress) -> Result<Option<Passage>, TantivyError> {
        let document: TantivyDocument = self.passages.doc(address)?;
        let record = document.get_first(self.index.passage_fields.record).and_then(|value| value.as_bytes());
        Ok(record.and_then(|bytes| serde_json::from_slice(bytes).ok()))
    }

    /// Turns a failure of the engine, or its panic on torn bytes, into a damaged level.
    pub(crate) fn guard<T>(
        &self,
        level: Level,
        work: impl FnOnce() -> Result<T, TantivyError>,
    ) -> Result<T, SearchError> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(SearchError::Damaged(level, error.to_string())),
            Err(_) => Err(SearchError::Damaged(level, "a file is torn".to_owned())),
        }
    }
}
