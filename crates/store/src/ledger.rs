//! Which sessions were curated, and how far. Lines are only ever added.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Who edited it and for which packet; nothing where rules alone read it.
    pub edited: Option<EditedBy>,
}

/// An editor that went through a part of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedBy {
    /// `model NAME` or `agent NAME`.
    pub by: String,
    /// The packet that was answered.
    pub packet: String,
}

/// All curated sessions of a base.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Every reading of a session, the longest first.
    sessions: BTreeMap<(String, SessionId), Vec<Curated>>,
    /// The longest reading of an editor.
    edited: BTreeMap<(String, SessionId), Curated>,
    /// Packets that were answered.
    packets: BTreeSet<String>,
}

impl Ledger {
    /// Takes in one file. Which reading of a session is the newest no line says, so that all are kept.
    pub(crate) fn add(&mut self, text: &str) {
        for curated in lines::parse(text).iter().filter_map(|line| parse(line)) {
            if let Some(edited) = &curated.edited {
                self.packets.insert(edited.packet.clone());
                keep_longest(&mut self.edited, curated.clone());
            }
            let key = (curated.agent.clone(), curated.session.clone());
            let readings = self.sessions.entry(key).or_default();
            let at = readings.partition_point(|known| known.lines >= curated.lines);
            readings.insert(at, curated);
        }
    }

    /// Finds how far an editor went through a session.
    pub fn edited(&self, agent: &str, session: &SessionId) -> Option<&Curated> {
        self.edited.get(&(agent.to_owned(), session.clone()))
    }

    /// Finds how far an editor went through a session by packets that count.
    pub fn edited_by(
        &self,
        agent: &str,
        session: &SessionId,
        counts: impl Fn(&str) -> bool,
    ) -> Option<&Curated> {
        let counts = |one: &&Curated| one.edited.as_ref().is_some_and(|edited| counts(&edited.packet));
        self.readings(agent, session).iter().find(counts)
    }

    /// Counts the sessions that an editor went through.
    pub fn edited_sessions(&self) -> usize {
        self.edited.len()
    }

    /// Tells whether a packet was answered.
    pub fn has_packet(&self, packet: &str) -> bool {
        self.packets.contains(packet)
    }

    /// Finds the longest reading of a session.
    pub fn get(&self, agent: &str, session: &SessionId) -> Option<&Curated> {
        self.readings(agent, session).first()
    }

    /// Lists the readings of a session, the longest first: of a transcript that was rewritten, only some fit.
    pub fn readings(&self, agent: &str, session: &SessionId) -> &[Curated] {
        self.sessions.get(&(agent.to_owned(), session.clone())).map_or(&[], Vec::as_slice)
    }

    /// Lists all sessions, each with its longest reading.
    pub fn iter(&self) -> impl Iterator<Item = &Curated> {
        self.sessions.values().filter_map(|readings| readings.first())
    }
}

fn keep_longest(readings: &mut BTreeMap<(String, SessionId), Curated>, curated: Curated) {
    let key = (curated.agent.clone(), curated.session.clone());
    match readings.get(&key) {
        Some(known) if known.lines >= curated.lines => {}
        _ => {
            readings.insert(key, curated);
        }
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
    let read = [&curated.agent, curated.session.as_str(), &count, &curated.hash];
    match &curated.edited {
        None => lines::join(read),
        Some(edited) => lines::join(read.into_iter().chain([edited.by.as_str(), edited.packet.as_str()])),
    }
}

fn parse(line: &str) -> Option<Curated> {
    let mut fields = line.split('\t');
    let agent = fields.next().filter(|agent| !agent.is_empty())?.to_owned();
    let session = SessionId::new(fields.next()?);
    let lines = fields.next()?.parse().ok()?;
    let hash = fields.next().unwrap_or_default().to_owned();
    let by = fields.next().filter(|by| !by.is_empty()).map(str::to_owned);
    let packet = fields.next().unwrap_or_default().to_owned();
    let edited = by.map(|by| EditedBy { by, packet });
    Some(Curated { agent, session, lines, hash, at: None, edited })
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
            edited: None,
        };
        let text = extend(&extend("", &[read(40)]), &[read(7), read(40)]);
        assert_eq!(text.lines().count(), 2);
        let mut ledger = Ledger::default();
        ledger.add(&text);
        assert_eq!(ledger.get("claude", &SessionId::new("s-1")), Some(&read(40)));
        assert_eq!(ledger.iter().count(), 1);
        assert!(ledger.get("codex", &SessionId::new("s-1")).is_none());
    }

    #[test]
    fn every_reading_is_kept_in_whatever_order_files_come() {
        let files =
            ["claude\ts-1\t000000100\told\n", "claude\ts-1\t000000040\tnew\nclaude\ts-1\t000000100\tother\n"];
        for order in [[0, 1], [1, 0]] {
            let mut ledger = Ledger::default();
            order.into_iter().for_each(|at| ledger.add(files[at]));
            let readings = ledger.readings("claude", &SessionId::new("s-1"));
            let mut told: Vec<(u64, &str)> =
                readings.iter().map(|one| (one.lines, one.hash.as_str())).collect();
            assert!(told.is_sorted_by_key(|(lines, _)| std::cmp::Reverse(*lines)));
            told.sort_unstable();
            assert_eq!(told, [(40, "new"), (100, "old"), (100, "other")]);
        }
    }

    #[test]
    fn what_an_editor_read_is_told_from_what_rules_read() {
        let session = SessionId::new("s-1");
        let read = |lines, edited| Curated {
            agent: "claude".to_owned(),
            session: session.clone(),
            lines,
            hash: "h".to_owned(),
            at: None,
            edited,
        };
        let by = EditedBy { by: "model small".to_owned(), packet: "p-1".to_owned() };
        let text = extend("", &[read(40, None), read(25, Some(by.clone()))]);
        let mut ledger = Ledger::default();
        ledger.add(&text);
        assert_eq!(ledger.get("claude", &session), Some(&read(40, None)));
        assert_eq!(ledger.edited("claude", &session), Some(&read(25, Some(by))));
        assert!(ledger.has_packet("p-1") && !ledger.has_packet("p-2"));
    }
}
