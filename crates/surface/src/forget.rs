//! Passages that are to be forgotten: written anew without them, so that no file still holds them.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::SessionId;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocSet as _, TantivyError};

use crate::index::Level;
use crate::passage::Passage;
use crate::reader::{SearchError, Snapshot};
use crate::schema::ANY;
use crate::writer::{WriteError, Writer};

/// What is left of a passage; nothing where it goes.
pub type Keep<'k> = &'k dyn Fn(&Passage) -> Option<Passage>;

/// What was found among the passages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Struck {
    /// How many passages were changed or removed.
    pub passages: usize,
    /// The transcripts they were read from.
    pub sources: BTreeSet<String>,
}

/// Passages by the source they were read from and the session they belong to.
type BySource = BTreeMap<(String, SessionId), Vec<Passage>>;

impl Snapshot<'_> {
    /// Counts the passages that would not stay as they are.
    pub fn struck(&self, keep: Keep<'_>) -> Result<Struck, SearchError> {
        Ok(strike(self.by_source()?, keep).1)
    }

    fn by_source(&self) -> Result<BySource, SearchError> {
        self.guard(Level::Passages, || {
            let field = self.index.passage_fields.source;
            let mut all = BySource::new();
            for (ord, segment) in self.passages.segment_readers().iter().enumerate() {
                let inverted = segment.inverted_index(field)?;
                let mut terms = inverted.terms().stream()?;
                while terms.advance() {
                    let source = String::from_utf8_lossy(terms.key()).into_owned();
                    if source == ANY {
                        continue;
                    }
                    let info = terms.value().clone();
                    let mut postings =
                        inverted.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
                    while postings.doc() != tantivy::TERMINATED {
                        let doc = postings.doc();
                        let address = DocAddress::new(ord as u32, doc);
                        if !segment.is_deleted(doc)
                            && let Some(passage) = self.passage_at(address)?
                        {
                            let key = (source.clone(), passage.session.clone());
                            all.entry(key).or_default().push(passage);
                        }
                        postings.advance();
                    }
                }
            }
            all.values_mut().for_each(|passages| passages.sort_by_key(|passage| passage.sequence));
            Ok::<_, TantivyError>(all)
        })
    }
}

impl Writer<'_> {
    /// Writes the passages anew as far as they are to be kept, and removes the files that held the rest.
    pub fn strike_passages(&mut self, keep: Keep<'_>) -> Result<Struck, WriteError> {
        let path = self.index().shelf(Level::Passages).path.clone();
        let damaged = |_| WriteError::Busy(path.clone());
        let all = self.index().snapshot().by_source().map_err(damaged)?;
        let (kept, struck) = strike(all, keep);
        if struck.passages == 0 {
            return Ok(struck);
        }
        let cursor = self.index().cursor(Level::Passages).unwrap_or_default();
        self.clear(Level::Passages)?;
        for ((source, _), passages) in &kept {
            self.add_passages(source, passages)?;
        }
        self.commit(Level::Passages, &cursor)?;
        self.sweep(Level::Passages)?;
        Ok(struck)
    }
}

fn strike(all: BySource, keep: Keep<'_>) -> (BySource, Struck) {
    let mut struck = Struck::default();
    let mut kept = BySource::new();
    for ((source, session), passages) in all {
        let mut left = Vec::with_capacity(passages.len());
        for passage in passages {
            let now = keep(&passage);
            if now.as_ref() != Some(&passage) {
                struck.passages += 1;
                struck.sources.insert(source.clone());
            }
            left.extend(now);
        }
        if !left.is_empty() {
            kept.insert((source, session), left);
        }
    }
    (kept, struck)
}
