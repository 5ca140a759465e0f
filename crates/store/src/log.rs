//! The generated lists in the order of time: `log.md` and `history/timeline.md`.
//!
//! Both follow from the entries, the tombstones and what runs said, so that they can be thrown
//! away and made again. The log shows the newest days only: it is for finding out what happened,
//! not for keeping it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jiff::civil::Date;
use lore_core::Kind;

use crate::index::{link, one_line};
use crate::lines::Lines;
use crate::{Summary, Tombstones};

/// How many days the log shows.
const DAYS: usize = 30;
/// The words of a longer title may not all be in the id that was made of it.
const UNCUT: usize = 38;
/// How many lines of one sort it shows for one day.
const PER_DAY: usize = 50;

/// What can be said about a day, in the order in which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Run,
    Creation,
    Update,
    Removal,
}

impl Sort {
    const fn word(self) -> &'static str {
        match self {
            Sort::Run => "Run",
            Sort::Creation => "Creation",
            Sort::Update => "Update",
            Sort::Removal => "Removal",
        }
    }
}

enum What<'a> {
    Entry(&'a Summary),
    Text(String),
}

#[derive(Default)]
struct Day<'a> {
    said: BTreeMap<Sort, Vec<What<'a>>>,
    signals: usize,
}

/// Writes the log.
pub(crate) fn render<'a>(
    summaries: impl Iterator<Item = &'a Summary>,
    stones: &Tombstones,
    runs: &Lines,
) -> String {
    let dated: Vec<(&Summary, Option<Date>, Option<Date>)> = summaries
        .map(|summary| {
            let (created, updated) = dates(summary);
            (summary, created, updated.filter(|_| summary.kind != Kind::Signal))
        })
        .collect();
    let shown =
        newest_days(dated.iter().flat_map(|(_, created, updated)| [*created, *updated]), stones, runs);
    let mut days: BTreeMap<Date, Day<'_>> = shown.into_iter().map(|date| (date, Day::default())).collect();
    for (summary, created, updated) in dated {
        if let Some(day) = created.and_then(|date| days.get_mut(&date)) {
            let what = match first_title(summary).filter(|_| updated.is_some()) {
                Some(title) => What::Text(link("", &Summary { title, ..summary.clone() })),
                None => What::Entry(summary),
            };
            match summary.kind {
                Kind::Signal => day.signals += 1,
                _ => day.said.entry(Sort::Creation).or_default().push(what),
            }
        }
        if let Some(day) = updated.and_then(|date| days.get_mut(&date)) {
            day.said.entry(Sort::Update).or_default().push(What::Entry(summary));
        }
    }
    for stone in stones.iter() {
        if let Some(day) = days.get_mut(&stone.on) {
            let text = format!("{} (`{}`)", one_line(&stone.title), stone.id);
            day.said.entry(Sort::Removal).or_default().push(What::Text(text));
        }
    }
    for (date, text) in runs.iter().filter_map(|line| run(line)) {
        if let Some(day) = days.get_mut(&date) {
            day.said.entry(Sort::Run).or_default().push(What::Text(one_line(text)));
        }
    }
    let mut out = String::from("# Log\n");
    for (date, day) in days.into_iter().rev() {
        write_day(&mut out, date, day);
    }
    out
}

fn write_day(out: &mut String, date: Date, day: Day<'_>) {
    let _ = write!(out, "\n## {date}\n\n");
    for (sort, said) in day.said {
        let hidden = said.len().saturating_sub(PER_DAY);
        for what in said.iter().take(PER_DAY) {
            let text = match what {
                What::Entry(summary) => link("", summary),
                What::Text(text) => text.clone(),
            };
            let _ = writeln!(out, "* **{}**: {text}", sort.word());
        }
        if hidden > 0 {
            let _ = writeln!(out, "* **{}**: {hidden} more", sort.word());
        }
    }
    if day.signals > 0 {
        let _ = writeln!(out, "* **Signals**: {}", day.signals);
    }
}

fn newest_days(
    of_entries: impl Iterator<Item = Option<Date>>,
    stones: &Tombstones,
    runs: &Lines,
) -> BTreeSet<Date> {
    let of_stones = stones.iter().map(|stone| stone.on);
    let of_runs = runs.iter().filter_map(|line| run(line)).map(|(date, _)| date);
    let mut newest = BTreeSet::new();
    for date in of_entries.flatten().chain(of_stones).chain(of_runs) {
        if newest.len() < DAYS || newest.first().is_some_and(|oldest| date > *oldest) {
            newest.insert(date);
            if newest.len() > DAYS {
                newest.pop_first();
            }
        }
    }
    newest
}

/// Returns the day it was made and, if that was another one, the day it last changed.
fn dates(summary: &Summary) -> (Option<Date>, Option<Date>) {
    let created = summary.created.map(|moment| moment.date()).or_else(|| summary.id.date());
    let updated = summary.updated.map(|moment| moment.date()).filter(|date| Some(*date) != created);
    (created, updated)
}

/// Returns what an entry was called at first, as its id tells it; nothing where it is still called so.
fn first_title(summary: &Summary) -> Option<String> {
    let slug = summary.id.slug();
    let numberless = slug.rsplit_once('-').filter(|(_, end)| end.chars().all(|c| c.is_ascii_digit()));
    let now = lore_core::slug(&summary.title);
    if now == slug || numberless.is_some_and(|(rest, _)| rest == now) {
        return None;
    }
    // An id that somebody else made need not come from a title.
    let telling = slug.split('-').filter(|word| word.chars().filter(char::is_ascii_alphabetic).count() > 2);
    let words = slug.replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().filter(|_| telling.count() > 1)?;
    let cut = if slug.len() > UNCUT { "…" } else { "" };
    Some(format!("{}{}{cut}", first.to_ascii_uppercase(), letters.as_str()))
}

/// Splits what a run said into its day and its words.
fn run(line: &str) -> Option<(Date, &str)> {
    let (at, text) = line.split_once('\t')?;
    Some((at.get(..10)?.parse().ok()?, text))
}

/// Writes the timeline, or nothing where there are no events.
pub(crate) fn timeline<'a>(summaries: impl Iterator<Item = &'a Summary>) -> Option<String> {
    let mut events: Vec<(Date, &Summary)> = summaries
        .filter(|summary| summary.kind == Kind::Event)
        .map(|summary| (dates(summary).0.unwrap_or(Date::ZERO), summary))
        .collect();
    if events.is_empty() {
        return None;
    }
    events.sort_by(|a, b| (a.0, &a.1.path).cmp(&(b.0, &b.1.path)));
    let mut out = String::from(
        "---\ntype: timeline\ntitle: Timeline\ndescription: Events in the order in which they happened.\n\
         generated:\n  by: lorekeep\n---\n\n# Timeline\n\n",
    );
    for (date, event) in events {
        let _ = write!(out, "* {date} {}", link("history", event));
        if let Some(text) = event.description.as_deref().map(one_line).filter(|text| !text.is_empty()) {
            let _ = write!(out, " - {text}");
        }
        out.push('\n');
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::{Curator, Entry, EntryId, Moment};

    fn summary(kind: Kind, day: &str, title: &str, updated: &str) -> Summary {
        let entry = Entry::new(EntryId::new(kind, day.parse().unwrap(), title), kind, title);
        let updated = updated.parse::<Moment>().ok();
        let path = format!("history/{}.md", lore_core::slug(title));
        Summary { path, updated, ..Summary::of(&entry, Curator::Auto) }
    }

    #[test]
    fn the_newest_day_comes_first() {
        let all = [
            summary(Kind::Event, "2026-02-01", "Moved in", "2026-02-01"),
            summary(Kind::Fact, "2026-02-02", "Walls are thin", "2026-02-03T10:00:00Z"),
            summary(Kind::Signal, "2026-02-03", "Noise", ""),
        ];
        let runs = Lines::from(["2026-02-03T11:00:00Z\tread 2 sessions".to_owned()]);
        assert_eq!(
            render(all.iter(), &Tombstones::default(), &runs),
            "# Log\n\n## 2026-02-03\n\n* **Run**: read 2 sessions\n\
             * **Update**: [Walls are thin](history/walls-are-thin.md)\n* **Signals**: 1\n\n\
             ## 2026-02-02\n\n* **Creation**: [Walls are thin](history/walls-are-thin.md)\n\n\
             ## 2026-02-01\n\n* **Creation**: [Moved in](history/moved-in.md)\n"
        );
        assert_eq!(timeline(all[1..].iter()), None);
        let text = timeline(all.iter()).unwrap();
        assert!(text.ends_with("# Timeline\n\n* 2026-02-01 [Moved in](moved-in.md)\n"), "{text}");
    }

    /// The first day told the title that the entry was given weeks later.
    #[test]
    fn an_entry_is_called_what_it_was_called_on_its_first_day() {
        let check = |first: &str, now: &str, updated: &str, expected: &str| {
            let one = Summary { title: now.to_owned(), ..summary(Kind::Fact, "2026-02-02", first, updated) };
            let text = render([one].iter(), &Tombstones::default(), &Lines::new());
            let line = text.lines().find(|line| line.contains("Creation")).unwrap_or_default();
            assert!(line.starts_with(&format!("* **Creation**: [{expected}](")), "{line}");
            assert!(updated.is_empty() || text.contains(&format!("* **Update**: [{now}](")), "{text}");
        };
        check("Mails are sent at night", "Mails are sent at noon", "2026-02-09", "Mails are sent at night");
        check(
            "Mails are sent at night",
            "Mails are sent at NIGHT!",
            "2026-02-09",
            "Mails are sent at NIGHT!",
        );
        check("KB-0007", "Mails are sent at noon", "2026-02-09", "Mails are sent at noon");
        check("Mails are sent at night", "Mails are sent at noon", "", "Mails are sent at noon");
    }

    #[test]
    fn a_long_history_is_cut() {
        let day =
            |n: i32| jiff::civil::date(2026, 1, 1).saturating_add(jiff::Span::new().days(n)).to_string();
        let mut all: Vec<Summary> =
            (0..60).map(|n| summary(Kind::Fact, &day(n), &format!("fact {n}"), "")).collect();
        all.extend((0..150).map(|n| summary(Kind::Fact, &day(59), &format!("more {n}"), "")));
        let text = render(all.iter(), &Tombstones::default(), &Lines::new());
        assert_eq!(text.matches("\n## ").count(), DAYS);
        assert!(text.contains("* **Creation**: 101 more\n"));
    }
}
