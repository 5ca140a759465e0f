//! The measure: what was said to have changed against what the labels say.

use std::collections::{BTreeMap, BTreeSet};

use super::super::curate::gold::{Change, Item};
use crate::cells::Cells;

/// What became of one statement when it arrived.
#[derive(Debug, Clone, Default)]
pub(super) struct Arrival {
    pub(super) item: String,
    pub(super) outcome: &'static str,
    /// What it was said to change.
    pub(super) marks: Vec<Mark>,
    /// Statements that stand in the nearest entries.
    pub(super) linked: Vec<String>,
    /// The closest earlier statement, if one is close.
    pub(super) nearest: Option<String>,
    /// Statements whose sentence is nowhere since.
    pub(super) lost: Vec<String>,
    pub(super) reason: String,
}

/// One claim that an arrival was said to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) outcome: &'static str,
    /// The statements that the claim stands for.
    pub(super) against: Vec<String>,
}

/// Tells whether an outcome puts something known in question, whichever way.
pub(super) fn is_mark(outcome: &str) -> bool {
    !matches!(outcome, "new" | "same" | "adds" | "refines" | "dropped")
}

/// Reduces a sentence to its words in their order.
pub(super) fn normal(text: &str) -> String {
    let runs = text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The labels, by pair.
pub(super) struct Labelled<'a> {
    items: BTreeMap<&'a str, &'a Item>,
    changed: BTreeSet<(&'a str, &'a str)>,
    related: BTreeSet<(&'a str, &'a str)>,
    doubles: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Labelled<'a> {
    pub(super) fn new(items: &'a BTreeMap<String, Item>, changes: &'a [Change<'a>]) -> Labelled<'a> {
        let pair = |change: &Change<'a>| {
            [
                (change.old.id.as_str(), change.new.id.as_str()),
                (change.new.id.as_str(), change.old.id.as_str()),
            ]
        };
        let pick = |wanted: &dyn Fn(&Change<'a>) -> bool| {
            changes.iter().filter(|change| wanted(change)).flat_map(&pair).collect()
        };
        Labelled {
            items: items.iter().map(|(id, item)| (id.as_str(), item)).collect(),
            changed: pick(&|change| change.is_conflict()),
            related: pick(&|_| true),
            doubles: pick(&|change| change.is_duplicate()),
        }
    }

    /// Tells whether one of two statements made the other untrue, or its double.
    fn changed(&self, one: &str, other: &str) -> bool {
        let same = |id: &str| -> Vec<&str> {
            let doubles = self.doubles.iter().filter(|(a, _)| *a == id).map(|(_, b)| *b);
            doubles.chain(self.items.get_key_value(id).map(|(id, _)| *id)).collect()
        };
        let others = same(other);
        same(one).iter().any(|a| others.iter().any(|b| self.changed.contains(&(*a, *b))))
    }

    /// Tells whether a mark is right: what it is against was made untrue by the arrival.
    pub(super) fn is_right(&self, item: &str, mark: &Mark) -> bool {
        mark.against.iter().any(|old| self.changed(item, old))
    }

    fn is_same_subject(&self, item: &str, mark: &Mark) -> bool {
        let topic = |id: &str| self.items.get(id).map(|item| item.topic_key.as_str()).unwrap_or_default();
        mark.against.iter().any(|old| {
            let shared = !topic(old).is_empty() && topic(old) == topic(item);
            shared || self.related.contains(&(item, old.as_str()))
        })
    }

    /// Tells whether a statement that stands nowhere was folded into one that says the same.
    fn was_folded(&self, item: &str, arrived: &BTreeSet<&str>) -> bool {
        self.doubles.iter().any(|(a, b)| *a == item && arrived.contains(b))
    }
}

/// Counts everything of one project.
pub(super) fn score(project: &str, arrivals: &[Arrival], labelled: &Labelled<'_>) -> Cells {
    let mut cells = Cells::default();
    let mut arrived: BTreeSet<&str> = BTreeSet::new();
    for arrival in arrivals {
        arrived.insert(&arrival.item);
        for mark in &arrival.marks {
            let right = labelled.is_right(&arrival.item, mark);
            cells.count("changed_precision", project, right);
            if mark.outcome == "supersedes" {
                cells.count("superseded_precision", project, right);
            }
            let same = right || labelled.is_same_subject(&arrival.item, mark);
            cells.count("other_subject", project, !same);
        }
        if let Some(nearest) = &arrival.nearest {
            let right = labelled.changed(&arrival.item, nearest);
            cells.count("baseline.changed_precision", project, right);
        }
    }
    let lost: Vec<&String> = arrivals.iter().flat_map(|arrival| &arrival.lost).collect();
    for arrival in arrivals {
        let is_lost = lost.contains(&&arrival.item) && !labelled.was_folded(&arrival.item, &arrived);
        cells.count("lost", project, is_lost);
    }
    let place: BTreeMap<&str, usize> =
        arrivals.iter().enumerate().map(|(at, arrival)| (arrival.item.as_str(), at)).collect();
    for (one, other) in labelled.changed.iter().filter(|(one, other)| one < other) {
        let (Some(a), Some(b)) = (place.get(one), place.get(other)) else { continue };
        let (older, newer) = (&arrivals[*a.min(b)], &arrivals[*a.max(b)]);
        // Whichever way round curation set them: what counts is that the two were set against each other.
        let against = |arrival: &Arrival, old: &str| {
            arrival.marks.iter().any(|mark| mark.against.iter().any(|item| item == old))
        };
        let noticed = against(newer, &older.item) || against(older, &newer.item);
        cells.count("changed_recall", project, noticed);
        cells.count(
            "unmarked",
            project,
            !noticed && !lost.contains(&&older.item) && !lost.contains(&&newer.item),
        );
        cells.count("link@5", project, newer.linked.contains(&older.item));
        cells.count("baseline.changed_recall", project, newer.nearest.as_ref() == Some(&older.item));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cell;

    fn items() -> BTreeMap<String, Item> {
        let item = |(id, topic): (&str, &str)| {
            let row = serde_json::json!({
                "id": id, "session": "s", "type": "decision", "statement": id, "topic_key": topic,
            });
            (id.to_owned(), serde_json::from_value::<Item>(row).expect("is an item"))
        };
        let topics =
            [("old", "kiln"), ("new", "kiln"), ("double", "kiln"), ("glaze", "glaze"), ("shelf", "kiln")];
        topics.into_iter().map(item).collect()
    }

    fn arrival(item: &str, marks: &[(&'static str, &str)]) -> Arrival {
        let mark = |(outcome, old): &(&'static str, &str)| Mark { outcome, against: vec![(*old).to_owned()] };
        Arrival { item: item.to_owned(), marks: marks.iter().map(mark).collect(), ..Arrival::default() }
    }

    #[track_caller]
    fn check(arrivals: &[Arrival], expected: &[(&str, usize, usize)]) {
        let items = items();
        let change = |old: &str, new: &str, relation: &str| Change {
            old: &items[old],
            new: &items[new],
            relation: relation.to_owned(),
        };
        let changes = [change("old", "new", "supersedes"), change("old", "double", "duplicate")];
        let labelled = Labelled::new(&items, &changes);
        let mut cells = score("p", arrivals, &labelled);
        for (figure, part, whole) in expected {
            assert_eq!(*cells.cell(figure, "p"), Cell { part: *part, whole: *whole }, "{figure}");
        }
    }

    #[test]
    fn a_change_that_is_marked_against_the_right_claim_counts_whatever_the_mark() {
        for outcome in ["supersedes", "disputed", "possibly-replaced"] {
            check(
                &[arrival("old", &[]), arrival("new", &[(outcome, "old")])],
                &[
                    ("changed_precision", 1, 1),
                    ("changed_recall", 1, 1),
                    ("unmarked", 0, 1),
                    ("other_subject", 0, 1),
                ],
            );
        }
        // The claim may stand for a double of what changed.
        check(
            &[arrival("double", &[]), arrival("new", &[("disputed", "double")])],
            &[("changed_precision", 1, 1)],
        );
    }

    #[test]
    fn a_mark_against_another_claim_is_wrong_and_may_be_about_another_subject() {
        check(
            &[arrival("old", &[]), arrival("glaze", &[]), arrival("new", &[("supersedes", "glaze")])],
            &[
                ("changed_precision", 0, 1),
                ("superseded_precision", 0, 1),
                ("changed_recall", 0, 1),
                ("unmarked", 1, 1),
                ("other_subject", 1, 1),
            ],
        );
        check(
            &[arrival("shelf", &[]), arrival("new", &[("disputed", "shelf")])],
            &[("changed_precision", 0, 1), ("other_subject", 0, 1), ("superseded_precision", 0, 0)],
        );
    }

    #[test]
    fn only_superseding_counts_for_its_own_precision() {
        check(
            &[arrival("old", &[]), arrival("new", &[("supersedes", "old")])],
            &[("superseded_precision", 1, 1)],
        );
        check(
            &[arrival("old", &[]), arrival("new", &[("disputed", "old")])],
            &[("superseded_precision", 0, 0)],
        );
    }

    #[test]
    fn what_is_nowhere_is_lost_unless_its_double_stands() {
        let gone = |item: &str| Arrival { lost: vec![item.to_owned()], ..arrival(item, &[]) };
        check(&[arrival("old", &[]), gone("double")], &[("lost", 0, 2)]);
        check(&[arrival("old", &[]), gone("glaze")], &[("lost", 1, 2)]);
        check(&[arrival("old", &[]), gone("new")], &[("lost", 1, 2), ("unmarked", 0, 1)]);
    }

    #[test]
    fn links_and_the_baseline_look_at_what_is_nearest() {
        let near = |old: &str| Arrival {
            linked: vec![old.to_owned()],
            nearest: Some(old.to_owned()),
            ..arrival("new", &[])
        };
        let figures = |part| {
            [
                ("link@5", part, 1),
                ("baseline.changed_precision", part, 1),
                ("baseline.changed_recall", part, 1),
            ]
        };
        check(&[arrival("old", &[]), near("old")], &figures(1));
        check(&[arrival("old", &[]), near("glaze")], &figures(0));
    }

    #[test]
    fn outcomes_that_put_nothing_in_question_are_no_marks() {
        for outcome in ["new", "same", "adds", "refines", "dropped"] {
            assert!(!is_mark(outcome));
        }
        assert!(is_mark("possibly-replaced"));
    }
}
