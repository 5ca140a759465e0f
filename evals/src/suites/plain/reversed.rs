//! Something is said, then something else: is the change noticed, and what is answered afterwards.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::page::{Page, changed};
use super::rows::{Reversal, all, any};
use super::stage::{Record, Stage};
use super::tally::Tally;
use crate::context::Failure;

/// Statuses under which a passage is not given as something that holds.
const PAST: [&str; 3] = ["superseded", "outdated", "possibly-replaced"];

/// Says the one, then the other, then asks.
pub(super) fn reversal(
    stage: &mut Stage,
    row: &Reversal,
    now: Timestamp,
    tally: &mut Tally,
) -> Result<(), Failure> {
    stage.again()?;
    let before = stage.pages()?;
    let mut after_old = BTreeMap::new();
    let mut curated = Value::Null;
    for (at, side) in [Some(&row.old), row.between.as_ref(), Some(&row.new)].into_iter().enumerate() {
        let Some(side) = side else { continue };
        let records = match side.voice.as_str() {
            "person" => vec![Record::Person(&side.said)],
            _ => vec![Record::Person("go on"), Record::Agent(&side.said)],
        };
        let said = now - SignedDuration::from_hours(24 * side.days_ago + 1);
        stage.session(&records, said)?;
        curated = stage.curate()?;
        if at == 0 {
            after_old = stage.pages()?;
        }
    }
    let end = stage.pages()?;
    let outcomes: BTreeSet<&str> = curated["decisions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|decision| decision["outcome"].as_str())
        .collect();
    let got = became(&before, &after_old, &end, &outcomes);
    tally.note("confusion", format!("{} -> {got}", row.expect));
    count_verdict(&row.expect, &got, tally);
    let answer = stage.json(&["ask", &row.question])?;
    count_answer(row, &answer, tally)?;
    tally.dump(json!({
        "set": "reversals", "id": row.id, "expect": row.expect, "got": got,
        "decisions": curated["decisions"], "known": answer["known"], "passages": answer["passages"],
    }));
    Ok(())
}

/// Says what became of the older statement.
fn became(
    before: &BTreeMap<String, Page>,
    after_old: &BTreeMap<String, Page>,
    end: &BTreeMap<String, Page>,
    outcomes: &BTreeSet<&str>,
) -> String {
    let old: BTreeSet<&str> = changed(before, after_old).into_keys().collect();
    if old.is_empty() {
        return "old lost".to_owned();
    }
    let new: BTreeMap<&str, &Page> = end
        .iter()
        .filter(|(path, page)| !before.contains_key(*path) && page.kind != "timeline")
        .map(|(path, page)| (path.as_str(), page))
        .collect();
    let statuses: BTreeSet<&str> =
        old.iter().filter_map(|path| Some(new.get(path)?.status.as_str())).collect();
    if statuses.contains("disputed") {
        return "disputed".to_owned();
    }
    if statuses.contains("superseded") || statuses.contains("outdated") {
        return "supersedes".to_owned();
    }
    let apart = new.keys().any(|path| !old.contains(path));
    let merged = old.iter().any(|path| {
        new.get(path).zip(after_old.get(*path)).is_some_and(|(now, then)| now.own() != then.own())
    });
    if !apart && !merged {
        return "new lost".to_owned();
    }
    // A replacement may also happen inside one article.
    if outcomes.contains("supersedes") || outcomes.contains("superseded") {
        return "supersedes".to_owned();
    }
    if outcomes.contains("disputed") {
        return "disputed".to_owned();
    }
    if outcomes.contains("possibly-replaced") {
        return "marked".to_owned();
    }
    if apart {
        return "both-hold".to_owned();
    }
    let named: Vec<&str> = outcomes.iter().copied().filter(|outcome| *outcome != "dropped").collect();
    format!("merged ({})", named.join(", "))
}

fn count_verdict(expect: &str, got: &str, tally: &mut Tally) {
    let is_change = |word: &str| matches!(word, "supersedes" | "disputed");
    if is_change(expect) {
        tally.count("noticed_changes", is_change(got) || got == "marked");
    } else {
        tally.count("false_alarms_on_lookalikes", is_change(got));
        tally.count("marked_lookalikes", got == "marked");
    }
}

fn count_answer(row: &Reversal, answer: &Value, tally: &mut Tally) -> Result<(), Failure> {
    let passages: Vec<(&str, &str)> = answer["passages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| (one["text"].as_str().unwrap_or_default(), one["status"].as_str().unwrap_or_default()))
        .collect();
    let without = |left_out: &[&str]| {
        let kept = passages.iter().filter(|(_, status)| !left_out.contains(status));
        kept.map(|(text, _)| *text).collect::<Vec<_>>().join("\n")
    };
    let current = without(&PAST);
    tally.count("answered_with_current", all(&row.current, &current)?);
    tally.count("ask_says_known", answer["known"].as_bool().unwrap_or(false));
    if !row.stale.is_empty() {
        let entries = without(&[PAST[0], PAST[1], PAST[2], "disputed", "uncurated"]);
        let first = passages.first().map(|(text, _)| *text).unwrap_or_default();
        tally.count("stale_not_marked_as_superseded", any(&row.stale, &current)?);
        tally.count("stale_in_a_current_entry", any(&row.stale, &entries)?);
        tally.count("stale_comes_first", any(&row.stale, first)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cell;

    fn pages(rows: &[(&str, &str, &str)]) -> BTreeMap<String, Page> {
        let page = |(path, status, text): &(&str, &str, &str)| {
            let whole = format!("---\ntitle: x\ntype: decision\nstatus: {status}\n---\n{text}\n");
            ((*path).to_owned(), Page::parse(&whole))
        };
        rows.iter().map(page).collect()
    }

    #[test]
    fn what_became_of_a_pair_is_read_from_pages_and_outcomes() {
        let old = [("a", "current", "on Fridays")];
        let check =
            |after: &[(&str, &str, &str)], end: &[(&str, &str, &str)], said: &[&str], expected: &str| {
                let outcomes = said.iter().copied().collect();
                assert_eq!(became(&pages(&[]), &pages(after), &pages(end), &outcomes), expected);
            };
        let both = [("a", "current", "on Fridays"), ("b", "current", "on Mondays")];
        check(&[], &both, &[], "old lost");
        check(&old, &old, &["dropped"], "new lost");
        check(&old, &[("a", "superseded", "on Fridays"), both[1]], &[], "supersedes");
        check(&old, &[("a", "disputed", "on Fridays or Mondays")], &[], "disputed");
        check(&old, &both, &["new"], "both-hold");
        check(&old, &both, &["possibly-replaced"], "marked");
        check(&old, &[("a", "current", "on Mondays")], &["supersedes"], "supersedes");
        check(&old, &[("a", "current", "on Mondays")], &["refines"], "merged (refines)");
    }

    #[test]
    fn changes_and_lookalikes_are_counted_apart() {
        let check = |expect: &str, got: &str, figure: &str, part: usize| {
            let mut tally = Tally::default();
            count_verdict(expect, got, &mut tally);
            assert_eq!(tally.cell(figure), Cell { part, whole: 1 }, "{expect} {got}");
        };
        check("supersedes", "marked", "noticed_changes", 1);
        check("disputed", "supersedes", "noticed_changes", 1);
        check("supersedes", "both-hold", "noticed_changes", 0);
        check("both-hold", "supersedes", "false_alarms_on_lookalikes", 1);
        check("same", "marked", "false_alarms_on_lookalikes", 0);
        check("same", "marked", "marked_lookalikes", 1);
    }

    #[test]
    fn an_answer_is_stale_where_an_entry_that_holds_says_so() {
        let row: Reversal = serde_json::from_value(json!({
            "id": "x", "old": {"said": "", "voice": "person"}, "new": {"said": "", "voice": "person"},
            "expect": "supersedes", "question": "", "current": ["monday"], "stale": ["friday"],
        }))
        .expect("is a row");
        let check = |passages: &[(&str, &str)], expected: [(&str, usize); 4]| {
            let given: Vec<Value> =
                passages.iter().map(|(text, status)| json!({"text": text, "status": status})).collect();
            let mut tally = Tally::default();
            count_answer(&row, &json!({"known": true, "passages": given}), &mut tally).expect("counts");
            for (figure, part) in expected {
                assert_eq!(tally.cell(figure), Cell { part, whole: 1 }, "{figure}: {passages:?}");
            }
        };
        let expected = |right, entry, first, unmarked| {
            [
                ("answered_with_current", right),
                ("stale_in_a_current_entry", entry),
                ("stale_comes_first", first),
                ("stale_not_marked_as_superseded", unmarked),
            ]
        };
        check(&[("on Mondays", "current"), ("on Fridays", "superseded")], expected(1, 0, 0, 0));
        check(&[("on Fridays", "current"), ("on Mondays", "current")], expected(1, 1, 1, 1));
        check(&[("on Mondays", "current"), ("on Fridays", "uncurated")], expected(1, 0, 0, 1));
        check(&[("on Mondays", "superseded")], expected(0, 0, 0, 0));
    }
}
