//! What is known already, as curation needs to see it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lore_core::{Article, Entry, EntryId, SessionId};
use serde::{Deserialize, Serialize};

use super::reading::Reading;

/// Whoever can say what is known about a subject. Implemented by [`Base`] and, over a search
/// index, by the engine.
pub trait Known {
    /// Returns entries that may be about the same subject as the text, best first.
    fn similar(&self, text: &str, limit: usize) -> Vec<Entry>;

    /// Returns the entries that cite the session.
    fn citing(&self, session: &SessionId) -> Vec<Entry>;

    /// Returns every entry; asked for only where there are few.
    fn all(&self) -> Vec<Entry>;

    /// Counts the entries.
    fn size(&self) -> usize;

    /// Tells whether the id is in use.
    fn contains(&self, id: &EntryId) -> bool;

    /// Tells whether a person removed the entry; it must not come back.
    fn is_forgotten(&self, id: &EntryId) -> bool;

    /// Returns how much a word tells, from 0 (it is everywhere) to 1.
    fn rarity(&self, stem: &str) -> f64;
}

/// How often words occur among the entries; small enough to be kept beside an index.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rarity {
    entries: u32,
    counts: BTreeMap<String, u32>,
}

/// Below this many entries the counts say nothing.
const ENOUGH: u32 = 40;

impl Rarity {
    /// Counts the words of one entry.
    pub fn add(&mut self, entry: &Entry) {
        self.add_stems(&stems(entry));
    }

    /// Counts the words of one statement.
    pub(crate) fn add_text(&mut self, text: &str) {
        self.add_stems(&Reading::of(text).terms.into_iter().map(|term| term.stem).collect());
    }

    fn add_stems(&mut self, stems: &BTreeSet<String>) {
        self.entries += 1;
        for stem in stems {
            *self.counts.entry(stem.clone()).or_default() += 1;
        }
    }

    /// Returns how much a word tells, from 0 (it is everywhere) to 1.
    pub fn of(&self, stem: &str) -> f64 {
        rarity(self.entries, self.counts.get(stem).copied().unwrap_or(0))
    }
}

/// Returns how much a word tells that stands in `count` of `entries`.
pub(crate) fn rarity(entries: u32, count: u32) -> f64 {
    if entries < ENOUGH {
        return 1.0;
    }
    let (entries, count) = (f64::from(entries), f64::from(count));
    let share = (entries / (count + 1.0)).ln() / (entries / 2.0).ln();
    share.clamp(0.1, 1.0).powi(2)
}

/// An entry of so many words shares twice as many with anything as one of hardly any.
const BROAD: f64 = 30.0;

/// Returns what the words that an entry shares with a text are divided by: a long one shares some with anything.
pub(crate) fn breadth(words: usize) -> f64 {
    1.0 + words as f64 / BROAD
}

/// Everything that is known, held in memory with a small index of its own.
#[derive(Debug, Clone, Default)]
pub struct Base {
    entries: Vec<Entry>,
    by_id: HashMap<EntryId, usize>,
    breadths: Vec<f64>,
    by_stem: HashMap<String, Vec<u32>>,
    by_session: HashMap<SessionId, Vec<u32>>,
    rarity: Rarity,
    forgotten: HashSet<EntryId>,
}

impl Base {
    /// Holds the entries.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Base {
        let mut base = Base::default();
        for entry in entries {
            base.insert(entry);
        }
        base
    }

    /// Remembers that a person removed these.
    #[must_use]
    pub fn forgetting(mut self, ids: impl IntoIterator<Item = EntryId>) -> Base {
        self.forgotten.extend(ids);
        self
    }

    /// Adds an entry, or puts it in the place of the one with its id.
    pub fn insert(&mut self, entry: Entry) {
        let at = match self.by_id.get(&entry.id) {
            Some(at) => *at,
            None => {
                self.by_id.insert(entry.id.clone(), self.entries.len());
                self.entries.len()
            }
        };
        let place = u32::try_from(at).unwrap_or(u32::MAX);
        let stems = stems(&entry);
        for stem in &stems {
            let places = self.by_stem.entry(stem.clone()).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
        for session in entry.sources.iter().filter_map(|source| source.session.clone()) {
            let places = self.by_session.entry(session).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
        if at == self.entries.len() {
            self.rarity.add_stems(&stems);
            self.breadths.push(breadth(stems.len()));
            self.entries.push(entry);
        } else {
            self.breadths[at] = breadth(stems.len());
            self.entries[at] = entry;
        }
    }

    /// Lists the entries in the order they came.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

impl Known for Base {
    fn similar(&self, text: &str, limit: usize) -> Vec<Entry> {
        let reading = Reading::of(text);
        let mut sums: HashMap<u32, f64> = HashMap::new();
        for (stem, weight) in reading.weights() {
            let worth = weight * self.rarity.of(stem);
            for place in self.by_stem.get(stem).into_iter().flatten() {
                *sums.entry(*place).or_default() += worth;
            }
        }
        let fit = |(place, sum): (u32, f64)| (place, sum / self.breadths[place as usize]);
        let mut ranked: Vec<(u32, f64)> = sums.into_iter().map(fit).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(limit);
        ranked.into_iter().map(|(place, _)| self.entries[place as usize].clone()).collect()
    }

    fn citing(&self, session: &SessionId) -> Vec<Entry> {
        let places = self.by_session.get(session).into_iter().flatten();
        let cites = |entry: &&Entry| entry.sources.iter().any(|s| s.session.as_ref() == Some(session));
        places.map(|place| &self.entries[*place as usize]).filter(cites).cloned().collect()
    }

    fn all(&self) -> Vec<Entry> {
        self.entries.clone()
    }

    fn size(&self) -> usize {
        self.entries.len()
    }

    fn contains(&self, id: &EntryId) -> bool {
        self.by_id.contains_key(id)
    }

    fn is_forgotten(&self, id: &EntryId) -> bool {
        self.forgotten.contains(id)
    }

    fn rarity(&self, stem: &str) -> f64 {
        self.rarity.of(stem)
    }
}

/// Lists the words an entry can be found by.
pub(crate) fn stems(entry: &Entry) -> BTreeSet<String> {
    let mut text = entry.title.clone();
    for tag in &entry.tags {
        text.push_str(". ");
        text.push_str(tag);
    }
    for claim in Article::parse(&entry.body).claims() {
        text.push_str(". ");
        text.push_str(&claim.text);
    }
    Reading::of(&text).terms.into_iter().map(|term| term.stem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::Kind;

    fn entry(title: &str, body: &str) -> Entry {
        let id = EntryId::new(Kind::Fact, jiff::civil::date(2026, 1, 1), title);
        Entry { body: body.to_owned(), ..Entry::new(id, Kind::Fact, title) }
    }

    #[test]
    fn finds_entries_by_the_words_that_matter() {
        let base = Base::new([
            entry("Cache size", "The cache holds 40 items."),
            entry("Log format", "Logs are written as JSON lines."),
        ]);
        let found = base.similar("logs are no longer JSON", 5);
        assert_eq!(found.iter().map(|e| e.title.as_str()).collect::<Vec<_>>(), ["Log format"]);
        assert!(base.similar("unrelated", 5).is_empty());
    }

    #[test]
    fn a_word_that_is_everywhere_tells_little() {
        let many = (0..60).map(|n| entry(&format!("thing{n}"), "The server does it."));
        let base = Base::new(many);
        assert!(base.rarity("serv") < 0.1);
        assert!(base.rarity("thing7") > 0.9);
    }
}
