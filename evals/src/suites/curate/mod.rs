//! Whether curation tells what is new, the same, replaced or disputed.
//!
//! Each labelled pair goes through the product: the older item becomes an article of the base, the
//! newer one arrives as a candidate. `full.*` gives the same figures where the base also holds every
//! other item that was said before, so that the decision must find the right one among them;
//! `groups.*` says what articles become of all items, curated in one run.

mod fit;
pub(in crate::suites) mod gold;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use jiff::Timestamp;
use lore_core::{Candidate, Entry, EntryId, Proposal};
use lore_distill::curate::{Bars, Base, Curation, Known, Outcome, Setting, curate};
use serde::Serialize;

use self::gold::{Change, Item};
use crate::context::{Context, Failure};
use crate::report::Report;

pub(crate) use fit::run as run_fit;
pub(in crate::suites) use fit::statement;

#[derive(Serialize)]
struct Row {
    old_item: String,
    new_item: String,
    outcome: &'static str,
    reason: String,
    relation: String,
}

/// Runs the suite.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let items = gold::items(context)?;
    let changes = gold::changes(context, &items)?;
    let mut report = Report::default();
    report.set("pairs", changes.len());
    let started = Instant::now();
    let rows: Vec<Row> = changes.iter().map(decide).collect();
    report.set_number("ms_per_pair", started.elapsed().as_secs_f64() * 1000.0 / changes.len().max(1) as f64);
    figures("", &changes, &rows, &mut report);
    let full: Vec<Row> = changes.iter().map(|change| decide_among_all(change, &items)).collect();
    figures("full.", &changes, &full, &mut report);
    groups(&items, &mut report);
    context.dump(&rows)?;
    Ok(report)
}

/// Makes the article of one item by curating it into nothing.
fn created(candidate: &Candidate) -> Vec<Entry> {
    entries(ask(vec![candidate.clone()], &Base::default()))
}

fn entries(curation: Curation) -> Vec<Entry> {
    let entry = |proposal| match proposal {
        Proposal::Create { entry, .. } | Proposal::Replace { entry, .. } => Some(*entry),
        Proposal::AddSources { .. } => None,
    };
    curation.proposals.into_iter().filter_map(entry).collect()
}

fn ask(candidates: Vec<Candidate>, known: &dyn Known) -> Curation {
    let path = |entry: &Entry| format!("{}/{}.md", entry.kind.topic(), entry.id.slug());
    curate(candidates, &Setting { known, now: Timestamp::UNIX_EPOCH, path: &path, bars: &|_| Bars::OPEN })
}

fn decide(change: &Change<'_>) -> Row {
    let base = Base::new(created(&change.old.candidate()));
    let curation = ask(vec![change.new.candidate()], &base);
    row(change, &curation, |_| true)
}

/// Decides with every other item in the base that was said before the arriving one.
fn decide_among_all(change: &Change<'_>, items: &BTreeMap<String, Item>) -> Row {
    let before = |item: &&Item| {
        item.corpus == change.new.corpus && item.id != change.new.id && item.at() <= change.new.at()
            || item.id == change.old.id
    };
    let mut base = Base::default();
    let mut old = None;
    for item in items.values().filter(before) {
        for mut entry in created(&item.candidate()) {
            let mut number = 2;
            let plain = entry.id.clone();
            while base.contains(&entry.id) {
                entry.id = plain.numbered(number);
                number += 1;
            }
            if item.id == change.old.id {
                old = Some(entry.id.clone());
            }
            base.insert(entry);
        }
    }
    let curation = ask(vec![change.new.candidate()], &base);
    row(change, &curation, |entry| entry == old.as_ref())
}

fn row(change: &Change<'_>, curation: &Curation, about: impl Fn(Option<&EntryId>) -> bool) -> Row {
    let decision = curation.decisions.first();
    let outcome = decision.map_or(Outcome::Dropped, |decision| {
        if decision.outcome == Outcome::New || about(decision.entry.as_ref()) {
            decision.outcome
        } else {
            Outcome::New
        }
    });
    let reasons = decision.into_iter().flat_map(|decision| &decision.reasons);
    Row {
        old_item: change.old.id.clone(),
        new_item: change.new.id.clone(),
        outcome: outcome.word(),
        reason: reasons.map(|reason| reason.0.as_str()).collect::<Vec<_>>().join("; "),
        relation: change.relation.clone(),
    }
}

fn figures(prefix: &str, changes: &[Change<'_>], rows: &[Row], report: &mut Report) {
    let conflict = |row: &Row| matches!(row.outcome, "supersedes" | "disputed");
    let marked = |row: &Row| conflict(row) || row.outcome == "possibly-replaced";
    let merged = |row: &Row| matches!(row.outcome, "same" | "adds" | "refines");
    let count = |wanted: &dyn Fn(&Change<'_>, &Row) -> bool| {
        changes.iter().zip(rows).filter(|(change, row)| wanted(change, row)).count() as f64
    };
    let truth = count(&|change, _| change.is_conflict());
    let compatible = |change: &Change<'_>| !change.is_conflict() && !change.is_duplicate();
    let mut set = |name: &str, value: f64| report.set_number(&format!("{prefix}{name}"), value);
    let later = |change: &Change<'_>| change.new.at() > change.old.at();
    // What is merely marked counts in the second, and whoever calls everything later a conflict is the third.
    let ways: [(&str, &dyn Fn(&Change<'_>, &Row) -> bool); 3] = [
        ("conflict", &|_, row| conflict(row)),
        ("marked.conflict", &|_, row| marked(row)),
        ("conflict_if_later", &|change, _| later(change)),
    ];
    for (name, said) in ways {
        let found = count(&|change, row| change.is_conflict() && said(change, row));
        let (precision, recall) = (share(found, count(&said)), share(found, truth));
        set(&format!("{name}_precision"), precision);
        set(&format!("{name}_recall"), recall);
        set(&format!("{name}_f1"), share(2.0 * precision * recall, precision + recall));
    }
    let duplicates = count(&|change, _| change.is_duplicate());
    set("duplicate_recall", share(count(&|change, row| change.is_duplicate() && merged(row)), duplicates));
    let disputed = count(&|change, row| compatible(change) && conflict(row));
    set("false_dispute_rate", share(disputed, count(&|change, _| compatible(change))));
    let became = |outcomes: [&str; 2]| {
        share(count(&|change, row| change.is_conflict() && outcomes.contains(&row.outcome)), truth)
    };
    set("lost", became(["same", "refines"]));
    set("unmarked", became(["adds", "new"]));
}

/// Curates all items of each corpus in the order of time, and compares the articles with the topics.
fn groups(items: &BTreeMap<String, Item>, report: &mut Report) {
    let mut articles: BTreeMap<(String, EntryId), Vec<&Item>> = BTreeMap::new();
    let mut disputes = 0;
    let mut replaced = 0;
    let mut same_topic = 0;
    for corpus in items.values().map(|item| item.corpus.clone()).collect::<BTreeSet<_>>() {
        let own: Vec<&Item> = items.values().filter(|item| item.corpus == corpus).collect();
        let first = ask(own.iter().map(|item| item.candidate()).collect(), &Base::default());
        disputes += first.decisions.iter().filter(|d| d.outcome == Outcome::Disputed).count();
        replaced += first.decisions.iter().filter(|d| d.outcome == Outcome::Supersedes).count();
        let topic = |text: &str| own.iter().find(|item| item.statement == text).map(|item| &item.topic_key);
        for decision in
            first.decisions.iter().filter(|d| matches!(d.outcome, Outcome::Disputed | Outcome::Supersedes))
        {
            let mine =
                own.iter().find(|item| item.candidate().title == decision.title).map(|item| &item.topic_key);
            let theirs = decision.against.as_deref().and_then(topic);
            same_topic += usize::from(mine.is_some() && mine == theirs);
        }
        for entry in entries(first) {
            for item in &own {
                let cites = entry.sources.iter().any(|source| {
                    source.session.as_ref().is_some_and(|s| s.as_str() == item.session)
                        && source.lines.contains(&item.line)
                });
                if cites && entry.body.contains(&item.statement) {
                    articles.entry((corpus.clone(), entry.id.clone())).or_default().push(item);
                }
            }
        }
    }
    let (mut together, mut rightly, mut belong) = (0.0, 0.0, 0.0);
    for group in articles.values() {
        for (at, a) in group.iter().enumerate() {
            for b in &group[at + 1..] {
                together += 1.0;
                rightly += f64::from(u8::from(a.topic_key == b.topic_key));
            }
        }
    }
    let mut topics: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for item in items.values() {
        *topics.entry((&item.corpus, &item.topic_key)).or_default() += 1.0;
    }
    topics.values().for_each(|n| belong += n * (n - 1.0) / 2.0);
    report.set("groups.items", items.len());
    report.set("groups.topics", topics.len());
    report.set("groups.articles", articles.len());
    report.set("groups.disputed", disputes);
    report.set("groups.superseded", replaced);
    report.set("groups.conflicts_on_one_topic", same_topic);
    let largest = articles.values().map(Vec::len).max().unwrap_or(0);
    report.set("groups.largest", largest);
    report.set_number("groups.pair_precision", share(rightly, together));
    report.set_number("groups.pair_recall", share(rightly, belong));
}

pub(crate) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_what_became_of_them() {
        let item = |id: &str, minute: u32| -> Item {
            let row = serde_json::json!({
                "id": id, "session": "s", "type": "decision", "statement": id,
                "ts": format!("2026-03-01T10:{minute:02}:00Z"),
            });
            serde_json::from_value(row).expect("is an item")
        };
        let (old, new) = (item("old", 10), item("new", 20));
        let check = |relation: &str, outcome: &'static str, expected: &[(&str, f64)]| {
            let changes = [Change { old: &old, new: &new, relation: relation.to_owned() }];
            let rows = [Row {
                old_item: String::new(),
                new_item: String::new(),
                outcome,
                reason: String::new(),
                relation: relation.to_owned(),
            }];
            let mut report = Report::default();
            figures("", &changes, &rows, &mut report);
            for (figure, value) in expected {
                let found = report.figures().get(*figure).and_then(serde_json::Value::as_f64);
                assert_eq!(found, Some(*value), "{relation} {outcome} {figure}");
            }
        };
        check(
            "supersedes",
            "disputed",
            &[("conflict_recall", 1.0), ("conflict_precision", 1.0), ("lost", 0.0)],
        );
        check(
            "supersedes",
            "possibly-replaced",
            &[("conflict_recall", 0.0), ("marked.conflict_recall", 1.0)],
        );
        check("supersedes", "same", &[("conflict_f1", 0.0), ("lost", 1.0), ("unmarked", 0.0)]);
        check("contradicts", "adds", &[("lost", 0.0), ("unmarked", 1.0), ("conflict_if_later_recall", 1.0)]);
        check("compatible", "supersedes", &[("conflict_precision", 0.0), ("false_dispute_rate", 1.0)]);
        check("compatible", "new", &[("false_dispute_rate", 0.0), ("conflict_if_later_precision", 0.0)]);
        check("duplicate", "same", &[("duplicate_recall", 1.0)]);
        check("duplicate", "new", &[("duplicate_recall", 0.0)]);
    }
}
