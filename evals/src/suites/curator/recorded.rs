//! An answer that was recorded, with what its packet showed.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::{EntryId, Packet};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What stands beside a packet that was written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sidecar {
    /// The part of the record.
    pub(super) key: String,
    pub(super) packet: String,
    /// The entries by their short names.
    pub(super) entries: BTreeMap<String, EntryId>,
}

/// An answer that was recorded, with what its packet showed.
pub(super) struct Recorded {
    pub(super) text: String,
    pub(super) edits: Vec<Value>,
    /// What was said again, each for one of the edits.
    pub(super) again: Vec<Value>,
    pub(super) sessions: Vec<String>,
    pub(super) entries: BTreeMap<String, EntryId>,
    /// What the entries said, by their short names, without their titles and with them.
    pub(super) leads: BTreeMap<String, String>,
    pub(super) shown: BTreeMap<String, String>,
    /// What the lines said, by their numbers.
    pub(super) lines: BTreeMap<u64, String>,
    /// The lines that an earlier packet held.
    pub(super) old: BTreeSet<u64>,
}

impl Recorded {
    /// Tells whether it speaks of a session that a packet shows.
    pub(super) fn is_of(&self, packet: &Packet) -> bool {
        packet.sessions.iter().any(|part| self.sessions.iter().any(|one| *one == part.session.as_str()))
    }

    pub(super) fn of(sidecar: Sidecar, shown: &str, text: String, again: &str) -> Recorded {
        let (entries, record) = shown.split_once("\nRECORD ").unwrap_or((shown, ""));
        let (mut leads, mut lines) = (BTreeMap::new(), BTreeMap::new());
        let mut last = String::new();
        for line in entries.lines() {
            match line.strip_prefix("    ") {
                Some(lead) => {
                    leads.insert(last.clone(), lead.to_owned());
                }
                None => last = line.split_whitespace().next().unwrap_or_default().to_owned(),
            }
        }
        let mut number = 0;
        let mut old = BTreeSet::new();
        for line in record.lines() {
            let opens = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
            let opens =
                opens.and_then(|(number, rest)| Some((number.parse().ok()?, rest.split_once(": ")?.1)));
            match opens {
                Some((own, first)) => {
                    number = own;
                    let is_old = line.split_once("] ").is_some_and(|(_, rest)| rest.starts_with("old "));
                    old.extend(is_old.then_some(own));
                    lines.insert(own, first.to_owned());
                }
                None if line.starts_with("    ") => lines.entry(number).or_default().push_str(line),
                None => {}
            }
        }
        let edits = |text: &str| {
            let answer = object(text).unwrap_or_default();
            answer.get("edits").and_then(Value::as_array).cloned().unwrap_or_default()
        };
        Recorded {
            shown: shown_entries(entries),
            edits: edits(&text),
            again: edits(again),
            sessions: sidecar
                .key
                .split(' ')
                .filter_map(|part| part.rsplit_once(':'))
                .map(|(id, _)| id.to_owned())
                .collect(),
            entries: sidecar.entries,
            text,
            leads,
            lines,
            old,
        }
    }
}

/// Where the lines of a recorded packet stand in the packet of now.
pub(super) struct Places(BTreeMap<u64, u32>);

impl Places {
    pub(super) fn of(recorded: &Recorded, packet: &Packet) -> Places {
        // What is cut or marked differently begins alike all the same.
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(60).collect()
        };
        let mut now: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for line in packet.lines.iter().rev() {
            now.entry(plain(&line.text)).or_default().push(line.number);
        }
        let mut places = BTreeMap::new();
        for (number, text) in &recorded.lines {
            let Some(found) = now.get_mut(&plain(text)) else { continue };
            // The same words may stand there several times; each is taken once, in order.
            let place = if found.len() > 1 { found.pop() } else { found.first().copied() };
            places.extend(place.map(|place| (*number, place)));
        }
        Places(places)
    }

    pub(super) fn numbers(&self, lines: &Value) -> Vec<u32> {
        let lines = lines.as_array().into_iter().flatten().filter_map(Value::as_u64);
        lines.filter_map(|line| self.0.get(&line).copied()).collect()
    }
}

/// Reads what a packet says of its entries, titles included, by their short names.
pub(super) fn shown_entries(text: &str) -> BTreeMap<String, String> {
    let mut out: BTreeMap<String, String> = BTreeMap::new();
    let mut last = String::new();
    let text = text.split_once("\nNEAREST ENTRIES\n").map_or("", |(_, entries)| entries);
    for line in text.lines() {
        if let Some(lead) = line.strip_prefix("    ") {
            out.entry(last.clone()).or_default().push_str(lead);
        } else if let Some((short, heading)) = line.split_once("  ").filter(|(short, _)| is_short(short)) {
            last = short.to_owned();
            out.insert(last.clone(), format!("{heading}\n"));
        }
    }
    out
}

fn is_short(name: &str) -> bool {
    name.strip_prefix('e').is_some_and(|number| number.parse::<usize>().is_ok())
}

fn object(text: &str) -> Option<Value> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    serde_json::from_str(text.get(start..=end)?).ok()
}
