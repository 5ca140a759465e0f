//! What the root `index.md` tells a newcomer beside the folders: subjects, what is disputed, what is new.
//!
//! What is new follows from the entries alone, not from a clock: the latest by the day they were first known.

use std::collections::BTreeMap;

use lore_core::words::subjects;
use lore_core::{Kind, Moment, Status};

use crate::index::{link, told};
use crate::{Summary, layout};

/// A word that fewer entries share is no subject.
const SHARED: usize = 2;
/// So many subjects are listed, each with so many of its entries.
const SUBJECTS: usize = 12;
const NAMED: usize = 3;
/// So many disputed entries are named; the rest is counted.
const DISPUTED: usize = 20;
/// So many entries are new.
const NEWEST: usize = 7;

/// Writes the sections that a newcomer reads, each with its title and its lines.
pub(crate) fn sections(all: &[&Summary]) -> [(&'static str, Vec<String>); 3] {
    // Raw signals are shown to those who ask for them, and what lies in the archive to nobody else either.
    let mut shown: Vec<&Summary> =
        all.iter().copied().filter(|summary| summary.kind != Kind::Signal && !summary.archived).collect();
    shown.sort_by(|a, b| first_known(b).cmp(&first_known(a)).then_with(|| a.path.cmp(&b.path)));
    [("Subjects", by_subject(&shown)), ("Disputed", disputed(&shown)), ("News", newest(&shown))]
}

fn first_known(summary: &Summary) -> Option<Moment> {
    summary.created.or(summary.updated)
}

/// Lists what many entries are about, the largest first, with those a person confirmed named before others.
fn by_subject(shown: &[&Summary]) -> Vec<String> {
    let mut found: BTreeMap<String, Vec<&Summary>> = BTreeMap::new();
    for summary in shown.iter().filter(|one| matches!(one.status, Status::Current | Status::Disputed)) {
        for subject in subjects(&summary.tags) {
            found.entry(subject).or_default().push(summary);
        }
    }
    let mut groups: Vec<(String, Vec<&Summary>)> =
        found.into_iter().filter(|(_, entries)| entries.len() >= SHARED).collect();
    groups.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let line = |(subject, mut entries): (String, Vec<&Summary>)| {
        entries.sort_by_key(|summary| !summary.verified);
        let named: Vec<String> = entries.iter().take(NAMED).map(|summary| link("", summary)).collect();
        let more = match entries.len().saturating_sub(NAMED) {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        format!("* **{}** - {}{more}", plain(&subject), named.join(", "))
    };
    groups.into_iter().take(SUBJECTS).map(line).collect()
}

fn disputed(shown: &[&Summary]) -> Vec<String> {
    let all: Vec<&Summary> =
        shown.iter().copied().filter(|summary| summary.status == Status::Disputed).collect();
    let lines =
        all.iter().take(DISPUTED).map(|summary| format!("* {} -{}", link("", summary), told(summary)));
    let rest = all.len().checked_sub(DISPUTED).filter(|count| *count > 0);
    let rest = rest.map(|count| format!("* {count} more: `lore list --status disputed`"));
    lines.chain(rest).collect()
}

fn newest(shown: &[&Summary]) -> Vec<String> {
    let line = |summary: &&Summary| {
        let day = first_known(summary)?.date();
        Some(format!("* {} - {day}:{}", link("", summary), told(summary)))
    };
    let current = shown.iter().filter(|summary| summary.status == Status::Current);
    let log = format!("* [Log]({}) - What happened, newest first.", layout::LOG);
    current.filter_map(line).take(NEWEST).chain([log]).collect()
}

/// Takes out of a tag what Markdown would read.
fn plain(subject: &str) -> String {
    subject
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | ' ' | '+'))
        .collect()
}

#[cfg(test)]
mod tests {
    use lore_core::{Curator, Entry, EntryId};

    use super::*;

    fn summary(day: i8, title: &str, tags: &[&str]) -> Summary {
        let date = jiff::civil::date(2026, 2, day);
        let mut entry = Entry::new(EntryId::new(Kind::Decision, date, title), Kind::Decision, title);
        entry.created = Some(Moment::Day(date));
        entry.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        Summary { path: format!("decisions/{day}.md"), ..Summary::of(&entry, Curator::Auto) }
    }

    #[test]
    fn a_newcomer_is_told_subjects_disputes_and_news() {
        let mut all: Vec<Summary> =
            (1..=9).map(|day| summary(day, &format!("Choice {day}"), &["storage"])).collect();
        all.push(summary(10, "Tabs", &["style"]));
        all[0].verified = true;
        all[8].status = Status::Disputed;
        all[7].status = Status::Superseded;
        let mut signal = summary(11, "It failed", &["storage"]);
        signal.kind = Kind::Signal;
        all.push(signal);
        let sections = sections(&all.iter().collect::<Vec<_>>());
        let [(_, subjects), (_, disputed), (_, news)] = &sections;
        assert_eq!(
            subjects,
            &[
                "* **storage** - [Choice 1](decisions/1.md), [Choice 9](decisions/9.md), [Choice 7](decisions/7.md) and 5 more"
            ]
        );
        assert_eq!(disputed.len(), 1);
        assert!(disputed[0].starts_with("* [Choice 9](decisions/9.md) - _disputed_ `dec-"), "{disputed:?}");
        assert_eq!(news.len(), NEWEST + 1);
        assert!(news[0].starts_with("* [Tabs](decisions/10.md) - 2026-02-10: `dec-"), "{news:?}");
        assert!(news[1].starts_with("* [Choice 7]"), "neither disputed nor replaced: {news:?}");
    }

    #[test]
    fn many_disputes_are_counted() {
        let mut all: Vec<Summary> = (1..=22).map(|day| summary(day, &format!("Choice {day}"), &[])).collect();
        all.iter_mut().for_each(|one| one.status = Status::Disputed);
        let [_, (_, disputed), _] = sections(&all.iter().collect::<Vec<_>>());
        assert_eq!(disputed.len(), DISPUTED + 1);
        assert_eq!(disputed.last().map(String::as_str), Some("* 2 more: `lore list --status disputed`"));
    }
}
