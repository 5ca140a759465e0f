//! What is new and what is disputed since somebody last looked, in one line.
//!
//! When a person last looked, and when an agent last began a session, is kept beside the base, for
//! each user. All looks within a few hours are one: whoever looks twice sees the same twice.

use std::collections::BTreeMap;

use lore_core::{Moment, Status};
use lore_store::{Snapshot, Summary};
use serde::{Deserialize, Serialize};

use crate::{Engine, Error};

const FILE: &str = "news.json";
/// Looks that lie no further apart than this are one, in seconds.
const SITTING: i64 = 8 * 3600;
/// More than so many are not counted apart.
const COUNTED: usize = 1000;

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person, at a terminal.
    Person,
    /// An agent, at the start of a session.
    Agent,
}

/// What is new.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct News {
    /// Entries that the machine made since then and nobody has confirmed.
    pub new: usize,
    /// Entries that are disputed since then.
    pub disputed: usize,
    /// Since when; nothing where nobody looked before.
    pub since: Option<Moment>,
}

/// When entries came and when they became disputed, newest first, in seconds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Recent {
    made: Vec<i64>,
    disputed: Vec<i64>,
}

/// When somebody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Look {
    /// When they had looked before this sitting.
    since: Option<i64>,
    /// When they looked last.
    seen: i64,
}

impl Recent {
    pub(crate) fn of(snapshot: &Snapshot) -> Recent {
        let second = |summary: &Summary, at: Option<Moment>| {
            at.or(summary.updated).map_or(0, |at| at.instant().as_second())
        };
        let live = || snapshot.summaries().filter(|summary| !summary.archived);
        let made =
            live().filter(|summary| summary.is_unreviewed()).map(|summary| second(summary, summary.created));
        let disputed = live().filter(|summary| summary.status == Status::Disputed);
        let newest = |mut all: Vec<i64>| {
            all.sort_unstable_by(|a, b| b.cmp(a));
            all.truncate(COUNTED);
            all
        };
        Recent {
            made: newest(made.collect()),
            disputed: newest(disputed.map(|summary| second(summary, summary.updated)).collect()),
        }
    }
}

impl News {
    /// Says it in one line; nothing where nothing is new.
    pub fn line(&self, now: jiff::Timestamp) -> Option<String> {
        let mut parts = Vec::new();
        if self.new > 0 {
            parts.push(format!("{} {}", self.new, if self.since.is_some() { "new" } else { "unreviewed" }));
        }
        if self.disputed > 0 {
            parts.push(format!("{} disputed", self.disputed));
        }
        if parts.is_empty() {
            return None;
        }
        let Some(since) = self.since else { return Some(format!("{}: lore review", parts.join(", "))) };
        let days = since.days_until(Moment::Instant(now));
        let when = match days {
            0 => "today".to_owned(),
            1 => "yesterday".to_owned(),
            2..7 => weekday(since.date().weekday()).to_owned(),
            _ => since.date().to_string(),
        };
        Some(format!("{} since {when}: lore log --since {}d, lore review", parts.join(", "), days.max(1)))
    }
}

impl Engine {
    /// Tells what is new since this reader last looked, and remembers that they did.
    pub fn news(&self, reader: Reader) -> Result<News, Error> {
        Ok(self.news_of(&Recent::of(&*self.store.snapshot()?), reader))
    }

    pub(crate) fn news_of(&self, recent: &Recent, reader: Reader) -> News {
        let since = self.looked(reader);
        // What was written in the very second of a look may have come after it.
        let count = |all: &[i64]| all.iter().filter(|at| since.is_none_or(|since| **at >= since)).count();
        let at = since.and_then(|since| jiff::Timestamp::from_second(since).ok());
        News { new: count(&recent.made), disputed: count(&recent.disputed), since: at.map(Moment::Instant) }
    }

    /// Returns when this reader had looked before this sitting, and notes that they look now.
    fn looked(&self, reader: Reader) -> Option<i64> {
        let shared = self.store.shared();
        let bytes = std::fs::read(shared.folder().join(FILE)).unwrap_or_default();
        let mut looks: BTreeMap<String, Look> = serde_json::from_slice(&bytes).unwrap_or_default();
        let who = match reader {
            Reader::Person => "person",
            Reader::Agent => "agent",
        };
        let key = format!("{who} {}", self.world.person());
        let now = self.world.now.as_second();
        let look = match looks.get(&key) {
            Some(look) if now - look.seen < SITTING => Look { seen: now, ..*look },
            Some(look) => Look { since: Some(look.seen), seen: now },
            None => Look { since: None, seen: now },
        };
        if looks.get(&key).is_none_or(|known| now - known.seen >= SITTING / 8) {
            looks.insert(key, look);
            // Where nothing can be written, everything stays new.
            let _ = serde_json::to_vec(&looks).map(|bytes| shared.write(FILE, &bytes));
        }
        look.since
    }
}

fn weekday(day: jiff::civil::Weekday) -> &'static str {
    use jiff::civil::Weekday;
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_one_line_or_none() {
        // A Friday.
        let now: jiff::Timestamp = "2026-02-20T12:00:00Z".parse().unwrap();
        let check = |new, disputed, since: Option<&str>, expected: Option<&str>| {
            let since = since.map(|text| text.parse().unwrap());
            assert_eq!(News { new, disputed, since }.line(now).as_deref(), expected);
        };
        check(0, 0, None, None);
        check(0, 0, Some("2026-02-19"), None);
        check(12, 1, None, Some("12 unreviewed, 1 disputed: lore review"));
        let monday = "3 new, 1 disputed since Monday: lore log --since 4d, lore review";
        check(3, 1, Some("2026-02-16T09:00:00Z"), Some(monday));
        check(
            0,
            2,
            Some("2026-02-20T09:00:00Z"),
            Some("2 disputed since today: lore log --since 1d, lore review"),
        );
        check(1, 0, Some("2026-01-02"), Some("1 new since 2026-01-02: lore log --since 49d, lore review"));
    }
}
