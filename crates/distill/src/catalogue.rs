//! What is known, as a small catalogue that can be kept: which words and sessions each entry holds.
//!
//! Comparing a new statement with ten thousand entries must not mean reading ten thousand files.
//! The catalogue finds the few that matter, exactly as [`Base`](crate::curate::Base) would; only
//! those are read. It is derived: what changed is catalogued again, and one that is lost is made anew.

use std::collections::{BTreeSet, HashMap};

use lore_core::{Candidate, Entry, EntryId, SessionId};
use serde::{Deserialize, Serialize};

use crate::curate::known::{breadth, rarity, stems};
use crate::curate::reading::Reading;

/// Words and sessions by entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalogue {
    /// Every word and every session, once.
    names: Vec<String>,
    cards: Vec<Card>,
}

/// One entry in the catalogue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The entry.
    pub id: EntryId,
    /// Which text of it was catalogued.
    pub version: String,
    /// Its words and the sessions it cites, as places among the names.
    words: Vec<u32>,
    sessions: Vec<u32>,
}

impl Catalogue {
    /// Lists the cards in the order they were last put.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Makes the catalogue of these entries, in this order: cards that are there are kept, what is
    /// missing is fetched. Returns whether anything changed.
    pub fn follow<'a>(
        &mut self,
        wanted: impl IntoIterator<Item = (&'a EntryId, String)>,
        mut fetch: impl FnMut(&EntryId) -> Option<Entry>,
    ) -> bool {
        let old = std::mem::take(&mut self.cards);
        let order: Vec<(EntryId, String)> =
            old.iter().map(|card| (card.id.clone(), card.version.clone())).collect();
        let mut old: HashMap<EntryId, Card> = old.into_iter().map(|card| (card.id.clone(), card)).collect();
        let mut names: Option<HashMap<String, u32>> = None;
        for (id, version) in wanted {
            match old.remove(id) {
                Some(card) if card.version == version => self.cards.push(card),
                _ => {
                    let Some(entry) = fetch(id) else { continue };
                    let places = names.get_or_insert_with(|| {
                        self.names.iter().zip(0u32..).map(|(name, at)| (name.clone(), at)).collect()
                    });
                    let mut place = |name: &str| match places.get(name) {
                        Some(at) => *at,
                        None => {
                            let at = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
                            self.names.push(name.to_owned());
                            places.insert(name.to_owned(), at);
                            at
                        }
                    };
                    let words = stems(&entry).iter().map(|stem| place(stem)).collect();
                    let cited: BTreeSet<&str> = entry
                        .sources
                        .iter()
                        .filter_map(|source| Some(source.session.as_ref()?.as_str()))
                        .collect();
                    // A session may be called like a word; the mark keeps them apart.
                    let sessions = cited.iter().map(|session| place(&format!("\u{1}{session}"))).collect();
                    self.cards.push(Card { id: id.clone(), version, words, sessions });
                }
            }
        }
        names.is_some()
            || order.len() != self.cards.len()
            || order
                .iter()
                .zip(&self.cards)
                .any(|((id, version), card)| *id != card.id || *version != card.version)
    }

    /// Turns it round, from words to entries.
    pub fn open(&self) -> Finder<'_> {
        let mut by_name: Vec<Vec<u32>> = vec![Vec::new(); self.names.len()];
        for (at, card) in (0u32..).zip(&self.cards) {
            for name in card.words.iter().chain(&card.sessions) {
                if let Some(places) = by_name.get_mut(*name as usize) {
                    places.push(at);
                }
            }
        }
        let names = self.names.iter().zip(0u32..).map(|(name, at)| (name.as_str(), at)).collect();
        let entries = u32::try_from(self.cards.len()).unwrap_or(u32::MAX);
        let breadths = self.cards.iter().map(|card| breadth(card.words.len())).collect();
        Finder { names, by_name, breadths, entries }
    }
}

/// Finds places of cards by words and sessions.
#[derive(Debug)]
pub struct Finder<'c> {
    names: HashMap<&'c str, u32>,
    by_name: Vec<Vec<u32>>,
    breadths: Vec<f64>,
    entries: u32,
}

impl Finder<'_> {
    /// Returns the places of entries that may be about the same subject, best first.
    pub fn similar(&self, text: &str, limit: usize) -> Vec<usize> {
        let reading = Reading::of(text);
        let mut sums = vec![0.0_f64; self.entries as usize];
        for (stem, weight) in reading.weights() {
            let worth = weight * self.rarity(stem);
            for place in self.places(stem) {
                sums[*place as usize] += worth;
            }
        }
        let mut ranked: Vec<(usize, f64)> = sums
            .into_iter()
            .zip(&self.breadths)
            .map(|(sum, breadth)| sum / breadth)
            .enumerate()
            .filter(|(_, sum)| *sum > 0.0)
            .collect();
        let best_first = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if ranked.len() > limit && limit > 0 {
            ranked.select_nth_unstable_by(limit - 1, best_first);
        }
        ranked.truncate(limit);
        ranked.sort_by(best_first);
        ranked.into_iter().map(|(place, _)| place).collect()
    }

    /// Returns the places of entries that cite a session.
    pub fn citing(&self, session: &SessionId) -> Vec<usize> {
        self.places(&format!("\u{1}{session}")).iter().map(|place| *place as usize).collect()
    }

    /// Returns how much a word tells, from 0 (it is everywhere) to 1.
    pub fn rarity(&self, stem: &str) -> f64 {
        rarity(self.entries, u32::try_from(self.places(stem).len()).unwrap_or(u32::MAX))
    }

    fn places(&self, name: &str) -> &[u32] {
        self.names.get(name).and_then(|at| self.by_name.get(*at as usize)).map_or(&[], Vec::as_slice)
    }
}

/// Lists the words a candidate can be found by.
pub fn words_of(candidate: &Candidate) -> Vec<String> {
    let reading = Reading::of(&format!("{}. {}", candidate.title, candidate.text));
    reading.weights().into_keys().map(str::to_owned).collect()
}

/// Tells which of those that wait may rise because of what arrives: those that share many of their
/// telling words with one that arrives, the nearest few for each.
pub fn awakened(waiting: &[Vec<String>], arriving: &[Candidate], few: usize, share: f64) -> BTreeSet<usize> {
    let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, words) in waiting.iter().enumerate() {
        for word in words {
            by_word.entry(word).or_default().push(at);
        }
    }
    let total = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
    let mut awake = BTreeSet::new();
    for candidate in arriving {
        let reading = Reading::of(&format!("{}. {}", candidate.title, candidate.text));
        let (mut sums, mut whole) = (HashMap::<usize, f64>::new(), 0.0);
        for (word, weight) in reading.weights() {
            let places = by_word.get(word).map_or(&[][..], Vec::as_slice);
            let worth = weight * rarity(total, u32::try_from(places.len()).unwrap_or(u32::MAX));
            whole += worth;
            for place in places {
                *sums.entry(*place).or_default() += worth;
            }
        }
        let mut near: Vec<(usize, f64)> = sums.into_iter().filter(|(_, sum)| *sum >= whole * share).collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        awake.extend(near.into_iter().take(few).map(|(place, _)| place));
    }
    awake
}

#[cfg(test)]
mod tests {
    use lore_core::{Kind, Source, Voice};

    use super::*;
    use crate::curate::{Base, Known};

    fn entry(number: usize) -> Entry {
        let subjects = ["cache", "queue", "database", "retry policy", "log format", "release branch"];
        let verbs = ["is kept in", "is not used for", "moved to", "replaces"];
        let title = format!("The {} {number}", subjects[number % 6]);
        let id = EntryId::new(Kind::Fact, jiff::civil::date(2026, 1, 1), &title);
        let body = format!(
            "# {title}\n\nThe {} {} the {} since build {}.\n",
            subjects[number % 6],
            verbs[number % 4],
            subjects[(number * 7 + 3) % 6],
            number % 17
        );
        let session = SessionId::new(format!("s-{}", number % 9));
        let sources = vec![Source::session_line("pi", &session, 3, Voice::Person)];
        Entry { body, sources, ..Entry::new(id, Kind::Fact, title) }
    }

    fn catalogue(entries: &[Entry]) -> Catalogue {
        let mut catalogue = Catalogue::default();
        follow(&mut catalogue, entries);
        catalogue
    }

    fn follow(catalogue: &mut Catalogue, entries: &[Entry]) -> (bool, usize) {
        let mut fetched = 0;
        let wanted = entries.iter().map(|entry| (&entry.id, entry.body.clone()));
        let changed = catalogue.follow(wanted, |id| {
            fetched += 1;
            entries.iter().find(|entry| entry.id == *id).cloned()
        });
        (changed, fetched)
    }

    #[test]
    fn it_finds_what_the_whole_base_would_find() {
        let entries: Vec<Entry> = (0..120).map(entry).collect();
        let (base, catalogue) = (Base::new(entries.clone()), catalogue(&entries));
        let finder = catalogue.open();
        for number in 0..40 {
            let text = entry(number * 3 + 1).body;
            let expected: Vec<EntryId> = base.similar(&text, 12).into_iter().map(|entry| entry.id).collect();
            let found: Vec<EntryId> =
                finder.similar(&text, 12).into_iter().map(|at| entries[at].id.clone()).collect();
            assert_eq!(found, expected, "{text}");
        }
        let session = SessionId::new("s-4");
        let cited: Vec<EntryId> =
            finder.citing(&session).into_iter().map(|at| entries[at].id.clone()).collect();
        assert_eq!(cited, base.citing(&session).into_iter().map(|entry| entry.id).collect::<Vec<_>>());
        for word in ["cach", "queue", "nowhere"] {
            assert!((finder.rarity(word) - base.rarity(word)).abs() < 1e-12, "{word}");
        }
    }

    #[test]
    fn only_what_changed_is_read_again() {
        let mut entries: Vec<Entry> = (0..50).map(entry).collect();
        let mut catalogue = catalogue(&entries);
        assert_eq!(follow(&mut catalogue, &entries), (false, 0));
        entries.remove(7);
        entries[20].body.push_str("It also compresses.\n");
        entries.push(entry(77));
        assert_eq!(follow(&mut catalogue, &entries), (true, 2));
        let found = catalogue.open().similar("compresses", 3);
        assert_eq!(found, [20]);
        assert_eq!(
            catalogue.open().similar("build", 99),
            self::catalogue(&entries).open().similar("build", 99)
        );
    }
}
