//! Which sessions were curated, and how far (C-08). Lines are only ever added.

use std::collections::BTreeMap;

use jiff::Timestamp;
use lore_core::{Moment, SessionId};

use crate::lines::{self, Lines};

/// The file of sessions that do not say when they were held.
const UNDATED: &str = "undated";

/// One session as far as it was curated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curated {
    /// The agent that held it.
    pub agent: String,
    /// Its id.
    pub session: SessionId,
    /// How many lines of its transcript were read.
    pub lines: u64,
    /// Hash of those lines, so that a rewritten transcript is noticed.
    pub hash: String,
    /// When its newest part was said; chooses the file of the line, which does not hold it.
    pub at: Option<Timestamp>,
}

/// All curated sessions of a base.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    sessions: BTreeMap<(String, SessionId), Curated>,
}

impl Ledger {
    /// Takes in one file; of a session that grew, the longest reading counts.
    pub(crate) fn add(&mut self, text: &str) {
        for curated in lines::parse(text).iter().filter_map(|line| parse(line)) {
            let key = (curated.agent.clone(), curated.session.clone());
            match self.sessions.get(&key) {
                Some(known) if known.lines >= curated.lines => {}
                _ => {
                    self.sessions.insert(key, curated);
                }
            }
        }
    }

    /// Finds a session.
    pub fn get(&self, agent: &str, session: &SessionId) -> Option<&Curated> {
        self.sessions.get(&(agent.to_owned(), session.clone()))
    }

    /// Lists all sessions.
    pub fn iter(&self) -> impl Iterator<Item = &Curated> {
        self.sessions.values()
    }
}

impl Curated {
    /// Returns the month whose file holds it: that of the session, not that of the run.
    pub(crate) fn month(&self) -> String {
        let month = |at| Moment::Instant(at).date().strftime("%Y-%m").to_string();
        self.at.map_or_else(|| UNDATED.to_owned(), month)
    }
}

/// Adds readings to the file of a month.
pub(crate) fn extend<'a>(text: &str, read: impl IntoIterator<Item = &'a Curated>) -> String {
    let mut lines: Lines = lines::parse(text);
    lines.extend(read.into_iter().map(line));
    lines::render(&lines)
}

fn line(curated: &Curated) -> String {
    // The count is padded so that readings of one session stand in their order.
    let count = format!("{:09}", curated.lines);
    lines::join([&curated.agent, curated.session.as_str(), &count, &curated.hash])
}

fn parse(line: &str) -> Option<Curated> {
    let mut fields = line.split('\t');
    let agent = fields.next().filter(|agent| !agent.is_empty())?.to_owned();
    let session = SessionId::new(fields.next()?);
    let lines = fields.next()?.parse().ok()?;
    Some(Curated { agent, session, lines, hash: fields.next().unwrap_or_default().to_owned(), at: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grown_session_counts_once_with_its_longest_reading() {
        let read = |lines| Curated {
            agent: "claude".to_owned(),
            session: SessionId::new("s-1"),
            lines,
            hash: format!("h{lines}"),
            at: None,
        };
        let text = extend(&extend("", &[read(40)]), &[read(7), read(40)]);
        assert_eq!(text.lines().count(), 2);
        let mut ledger = Ledger::default();
        ledger.add(&text);
        assert_eq!(ledger.get("claude", &SessionId::new("s-1")), Some(&read(40)));
        assert_eq!(ledger.iter().count(), 1);
        assert!(ledger.get("codex", &SessionId::new("s-1")).is_none());
    }
}
