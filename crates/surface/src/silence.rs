//! What must not be quoted any more: words that an entry, or the removal of one, speaks against.
//!
//! A passage is known by its record, as evidence names it (`session#line`). A record that what was
//! removed rested on is not quoted at all; one that only statements rested on which no longer hold
//! is not quoted as if it held. Where a statement that stands rests on the same record, only the
//! passage that says what was removed is silent.

use std::collections::{HashMap, HashSet};

use lore_core::{Article, Claim, Entry, SessionId, Source, Standing, Status};
use tantivy::{TantivyError, Term};

use crate::filter::holders;
use crate::passage::Passage;
use crate::reader::Snapshot;
use crate::token;

/// A passage that has this share of the words of what was removed says it.
const SAYS_IT: f64 = 0.5;

/// What was removed for good, by the records it rested on.
#[derive(Debug, Clone, Default)]
pub struct Silence {
    gone: HashMap<String, Vec<HashSet<String>>>,
}

/// Whether a passage may be quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hearing {
    /// It may.
    Open,
    /// Only as something that no longer holds.
    Past,
    /// It may not.
    Closed,
}

impl Silence {
    /// Takes what was removed: what it was called and the records it rested on, as `session#line`.
    pub fn of<'s>(removed: impl IntoIterator<Item = (&'s str, &'s [String])>) -> Silence {
        let mut gone: HashMap<String, Vec<HashSet<String>>> = HashMap::new();
        for (title, records) in removed {
            for record in records {
                gone.entry(record.clone()).or_default().push(terms(title));
            }
        }
        Silence { gone }
    }

    fn silences(&self, record: &str, text: &str, lives: bool) -> bool {
        let Some(titles) = self.gone.get(record) else { return false };
        if !lives {
            return true;
        }
        let said = terms(text);
        let share = |title: &HashSet<String>| {
            title.intersection(&said).count() as f64 / title.len().max(1) as f64 >= SAYS_IT
        };
        titles.iter().any(share)
    }
}

/// The records an entry rests on: those of what holds, and those of what no longer does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Records {
    pub(crate) rests: Vec<String>,
    pub(crate) past: Vec<String>,
}

impl Records {
    pub(crate) fn of(entry: &Entry) -> Records {
        let mut records = Records::default();
        let article = Article::parse(&entry.body);
        let is_past = |claim: &Claim| {
            entry.status == Status::Superseded || matches!(claim.standing, Standing::Past { .. })
        };
        let mut cited = HashSet::new();
        for claim in article.claims() {
            for source in entry.sources_of(claim) {
                cited.insert(source.id.as_deref());
                let list = if is_past(claim) { &mut records.past } else { &mut records.rests };
                list.extend(keys(source));
            }
        }
        // What no statement names in particular, all of them rest on.
        for source in entry.sources.iter().filter(|source| !cited.contains(&source.id.as_deref())) {
            let list =
                if entry.status == Status::Superseded { &mut records.past } else { &mut records.rests };
            list.extend(keys(source));
        }
        records
    }
}

impl Snapshot<'_> {
    /// Tells whether a passage may be quoted.
    pub(crate) fn hearing(&self, passage: &Passage) -> Result<Hearing, TantivyError> {
        let record = record_key(&passage.session, passage.line);
        let fields = &self.index.entry_fields;
        let lives = self.some_entry(Term::from_field_text(fields.rests, &record))?;
        if self.index.silence.silences(&record, &passage.text, lives) {
            return Ok(Hearing::Closed);
        }
        let past = !lives && self.some_entry(Term::from_field_text(fields.past, &record))?;
        Ok(if past { Hearing::Past } else { Hearing::Open })
    }

    fn some_entry(&self, term: Term) -> Result<bool, TantivyError> {
        let terms = [term];
        for segment in self.entries.segment_readers() {
            if !holders(segment, &terms)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Names a line of a session as entries are filed under it.
pub(crate) fn record_key(session: &SessionId, line: u32) -> String {
    format!("{session}#{line}")
}

fn keys(source: &Source) -> impl Iterator<Item = String> {
    let session = source.session.clone();
    source.lines.iter().filter_map(move |line| Some(record_key(session.as_ref()?, *line)))
}

fn terms(text: &str) -> HashSet<String> {
    token::tokens(text).into_iter().map(|token| token.term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::{EntryId, Kind, SessionId, Voice};

    #[test]
    fn a_record_is_silent_unless_something_else_stands_on_it() {
        let records = ["s-1#7".to_owned()];
        let silence = Silence::of([("The sky is green", records.as_slice())]);
        let check = |record: &str, text: &str, lives: bool, expected: bool| {
            assert_eq!(silence.silences(record, text, lives), expected, "{record} {text} {lives}");
        };
        check("s-1#7", "Anything at all.", false, true);
        check("s-1#8", "The sky is green.", false, false);
        check("s-1#7", "The sky is green, they say.", true, true);
        check("s-1#7", "Deploy on Fridays.", true, false);
    }

    #[test]
    fn records_follow_the_statements() {
        let session = SessionId::new("s-1");
        let source = |id: &str, line| Source {
            id: Some(id.to_owned()),
            ..Source::session_line("claude-code", &session, line, Voice::Person)
        };
        let mut entry = Entry::new(
            EntryId::new(Kind::Decision, jiff::civil::date(2026, 2, 20), "Queue"),
            Kind::Decision,
            "Queue",
        );
        entry.sources = vec![source("s1", 3), source("s2", 9), source("s3", 11)];
        let mut article = Article::default();
        article.lead.push(Claim::new("Redis is the queue.", vec!["s2".to_owned()]));
        let past = Standing::Past { until: None, replaced_by: None, reason: None };
        let old = Claim::new("RabbitMQ is the queue.", vec!["s1".to_owned()]);
        article.history.push(Claim { standing: past, ..old });
        entry.body = article.render();
        let records = Records::of(&entry);
        assert_eq!(records.past, ["s-1#3"]);
        assert_eq!(records.rests, ["s-1#9", "s-1#11"]);
        entry.status = Status::Superseded;
        assert_eq!(Records::of(&entry).rests, Vec::<String>::new());
    }
}
