//! What was shown, opened, applied or contradicted, so that useful entries can be told from ballast.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use lore_core::{Kind, Status};
use serde::Serialize;

use crate::{Engine, Error};

const FOLDER: &str = "usage";

/// What happened to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Use {
    /// It was put before an agent.
    Surfaced,
    /// Somebody opened it.
    Opened,
    /// An agent cited it, or somebody says it helped.
    Applied,
    /// A session spoke against it.
    Contradicted,
}

impl Use {
    /// Every use.
    pub const ALL: [Use; 4] = [Use::Surfaced, Use::Opened, Use::Applied, Use::Contradicted];

    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            Use::Surfaced => "surfaced",
            Use::Opened => "opened",
            Use::Applied => "applied",
            Use::Contradicted => "contradicted",
        }
    }
}

impl FromStr for Use {
    type Err = Error;

    fn from_str(text: &str) -> Result<Use, Error> {
        Use::ALL.into_iter().find(|one| one.word() == text).ok_or_else(|| {
            let words: Vec<&str> = Use::ALL.iter().map(|one| one.word()).collect();
            Error::request(format!("`{text}` is not a use"), format!("say one of {}", words.join(", ")))
        })
    }
}

/// How an entry was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UsageItem {
    /// The entry.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its kind.
    pub kind: Kind,
    /// Its status.
    pub status: Status,
    /// In how many sessions it was shown.
    pub surfaced: usize,
    /// How often it was opened.
    pub opened: usize,
    /// In how many sessions it was applied.
    pub applied: usize,
    /// In how many sessions it was contradicted.
    pub contradicted: usize,
}

/// How the base is used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct UsageReport {
    /// Entries that were used, the most useful first.
    pub used: Vec<UsageItem>,
    /// How many current entries were never shown nor opened.
    pub never: usize,
    /// Entries that were shown in several sessions and never applied.
    pub ballast: Vec<String>,
    /// In how many sessions anything was shown.
    pub sessions: usize,
}

/// Shown in this many sessions without ever being applied, an entry is ballast.
const BALLAST: usize = 5;

impl Engine {
    /// Remembers what happened to entries in a session.
    pub fn record_uses(
        &self,
        session: &str,
        uses: impl IntoIterator<Item = (String, Use)>,
    ) -> Result<(), Error> {
        use std::fmt::Write as _;
        let now = self.world.now;
        let mut lines = String::new();
        for (id, what) in uses {
            let session = session.replace(['\t', '\n'], " ");
            let _ = writeln!(lines, "{now}\t{session}\t{}\t{id}", what.word());
        }
        if lines.is_empty() {
            return Ok(());
        }
        let name = format!("{FOLDER}/{}.tsv", now.strftime("%Y-%m"));
        Ok(self.store.shared().append_text(&name, &lines)?)
    }

    /// Remembers what a person or an agent says about an entry.
    pub fn mark(&self, name: &str, what: Use, session: Option<&str>) -> Result<String, Error> {
        let snapshot = self.store.snapshot()?;
        let id = snapshot.resolve(name)?.id.to_string();
        self.record_uses(session.unwrap_or("by-hand"), [(id.clone(), what)])?;
        Ok(id)
    }

    /// Counts how entries were used, on this machine.
    pub fn usage(&self) -> Result<UsageReport, Error> {
        let mut counts: BTreeMap<String, BTreeMap<Use, BTreeSet<String>>> = BTreeMap::new();
        let mut opened: BTreeMap<String, usize> = BTreeMap::new();
        let mut sessions = BTreeSet::new();
        for (session, what, id) in self.records() {
            match what {
                Use::Opened => *opened.entry(id.clone()).or_insert(0) += 1,
                Use::Surfaced => {
                    sessions.insert(session.clone());
                }
                _ => {}
            }
            counts.entry(id).or_default().entry(what).or_default().insert(session);
        }
        let snapshot = self.store.snapshot()?;
        let mut used = Vec::new();
        for (id, by_use) in &counts {
            let Some(entry) = snapshot.find(id) else { continue };
            let count = |what: Use| by_use.get(&what).map_or(0, BTreeSet::len);
            used.push(UsageItem {
                id: id.clone(),
                title: entry.title.clone(),
                kind: entry.kind,
                status: entry.status,
                surfaced: count(Use::Surfaced),
                opened: opened.get(id).copied().unwrap_or(0),
                applied: count(Use::Applied),
                contradicted: count(Use::Contradicted),
            });
        }
        used.sort_by(|a, b| {
            let rank = |item: &UsageItem| (item.applied, item.opened, item.surfaced);
            rank(b).cmp(&rank(a)).then_with(|| a.id.cmp(&b.id))
        });
        let ballast = used
            .iter()
            .filter(|item| item.surfaced >= BALLAST && item.applied == 0 && item.opened == 0)
            .map(|item| item.id.clone())
            .collect();
        let never = snapshot
            .summaries()
            .filter(|entry| !entry.archived && entry.status == Status::Current)
            .filter(|entry| !counts.contains_key(entry.id.as_str()))
            .count();
        Ok(UsageReport { used, never, ballast, sessions: sessions.len() })
    }

    /// Reads the records; a line that makes no sense is left out.
    fn records(&self) -> Vec<(String, Use, String)> {
        let folder = self.store.shared().folder().join(FOLDER);
        let mut files: Vec<_> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect();
        files.sort();
        let mut records = Vec::new();
        for text in files.iter().filter_map(|path| std::fs::read_to_string(path).ok()) {
            for line in text.lines() {
                let fields: Vec<&str> = line.split('\t').collect();
                if let [_, session, what, id] = fields.as_slice()
                    && let Ok(what) = what.parse()
                {
                    records.push(((*session).to_owned(), what, (*id).to_owned()));
                }
            }
        }
        records
    }
}
