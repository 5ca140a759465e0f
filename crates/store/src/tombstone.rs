//! What was removed and must not come back, also in another clone (C-07).

use std::collections::BTreeMap;

use jiff::civil::Date;
use lore_core::{Entry, EntryId, Kind, slug};

use crate::lines::{self, Lines};

/// One entry that is gone for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// Its id.
    pub id: EntryId,
    /// When its absence was noted.
    pub on: Date,
    /// Who removed it, as far as is known.
    pub by: String,
    /// What it was called.
    pub title: String,
    /// Ids it had elsewhere.
    pub aliases: Vec<String>,
    /// Why.
    pub why: String,
}

impl Tombstone {
    fn line(&self) -> String {
        let on = self.on.to_string();
        lines::join([self.id.as_str(), &on, &self.by, &self.title, &self.aliases.join(","), &self.why])
    }

    fn parse(line: &str) -> Option<Tombstone> {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let id = next().parse().ok()?;
        let on = next().parse().unwrap_or(Date::ZERO);
        let (by, title) = (next().to_owned(), next().to_owned());
        let aliases = next().split(',').filter(|alias| !alias.is_empty()).map(str::to_owned).collect();
        Some(Tombstone { id, on, by, title, aliases, why: next().to_owned() })
    }
}

/// All tombstones of a base.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tombstones {
    by_id: BTreeMap<EntryId, Tombstone>,
}

impl Tombstones {
    pub(crate) fn parse(text: &str) -> Tombstones {
        let all = lines::parse(text).iter().filter_map(|line| Tombstone::parse(line)).collect::<Vec<_>>();
        Tombstones { by_id: all.into_iter().map(|stone| (stone.id.clone(), stone)).collect() }
    }

    pub(crate) fn render(&self) -> String {
        lines::render(&self.by_id.values().map(Tombstone::line).collect::<Lines>())
    }

    /// Lists them by id.
    pub fn iter(&self) -> impl Iterator<Item = &Tombstone> {
        self.by_id.values()
    }

    /// Finds the tombstone that forbids an entry: same id, an alias, or the same kind and title.
    pub fn forbidding(&self, entry: &Entry) -> Option<&Tombstone> {
        let title = slug(&entry.title);
        let named = |name: &str| name == entry.id.as_str() || entry.aliases.iter().any(|alias| alias == name);
        let same_subject = |stone: &Tombstone| {
            stone.id.kind() == Some(entry.kind) && entry.kind != Kind::Signal && slug(&stone.title) == title
        };
        let forbids = |stone: &&Tombstone| {
            named(stone.id.as_str()) || stone.aliases.iter().any(|alias| named(alias)) || same_subject(stone)
        };
        self.by_id.values().find(forbids)
    }

    pub(crate) fn contains(&self, id: &EntryId) -> bool {
        self.by_id.contains_key(id)
    }

    pub(crate) fn add(&mut self, stone: Tombstone) {
        self.by_id.insert(stone.id.clone(), stone);
    }

    pub(crate) fn lift(&mut self, id: &EntryId) {
        self.by_id.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stone() -> Tombstone {
        Tombstone {
            id: "fac-2026-01-01-the-sky-is-green".parse().unwrap(),
            on: jiff::civil::date(2026, 2, 3),
            by: "human:ana".to_owned(),
            title: "The sky is green".to_owned(),
            aliases: vec!["kb-0007".to_owned()],
            why: "it is not".to_owned(),
        }
    }

    #[test]
    fn forbids_by_id_alias_and_title() {
        let mut stones = Tombstones::default();
        stones.add(stone());
        let stones = Tombstones::parse(&stones.render());
        assert_eq!(stones.iter().cloned().collect::<Vec<_>>(), [stone()]);
        let entry = |kind, title: &str| {
            Entry::new(EntryId::new(kind, jiff::civil::date(2026, 5, 5), title), kind, title)
        };
        let check = |entry: Entry, expected: bool| assert_eq!(stones.forbidding(&entry).is_some(), expected);
        check(entry(Kind::Fact, "The sky is GREEN!"), true);
        check(entry(Kind::Preference, "The sky is green"), false);
        check(entry(Kind::Fact, "The sky is blue"), false);
        check(Entry { aliases: vec!["kb-0007".to_owned()], ..entry(Kind::Event, "Other") }, true);
    }
}
