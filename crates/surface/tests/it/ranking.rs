//! What comes first, and why.

use std::sync::Arc;

use lore_core::meaning::StaticTable;
use lore_core::recall::Query;
use lore_core::{Kind, Status};
use lore_surface::{Index, Location, LookUp, arithmetic};

use crate::fixture::{ask, base, card, fill, filled, titles};

fn check(query: &str, expected: &str) {
    let index = filled(&base());
    let found = titles(&index, &Query::text(query));
    assert_eq!(found.first().map(String::as_str), Some(expected), "{query}: {found:?}");
}

#[test]
fn words_in_any_form_find_their_entry() {
    check("why transactions?", "Use PostgreSQL for the ledger");
    check("parse_http_header", "Header parser dropped folded lines");
    check("reentry", "Header parser dropped folded lines");
    check("gr-005", "Header parser dropped folded lines");
    check("what was fixed in v1.2.3", "Header parser dropped folded lines");
    check("RETRYING", "Retry with jitter");
    check("転置索引", "検索エンジンの選択");
    check("header.rs", "Header parser dropped folded lines");
    check("\"small commit\" AND (", "Prefers small commits");
}

#[test]
fn odd_queries_never_fail() {
    let index = filled(&base());
    for text in
        ["", "?", "C++ && ||", "a:b", "\\", "* ~2 ^3", "🦀🦀", "NOT", "\u{0}\u{202e}", &"x ".repeat(5000)]
    {
        let _ = ask(&index, &Query::text(text));
    }
    assert!(ask(&index, &Query::text("zebra quantum")).is_empty());
}

#[test]
fn the_replaced_stands_below_its_replacement_and_says_so() {
    let index = filled(&base());
    let hits = ask(&index, &Query::text("SQLite ledger one file"));
    let place = |title: &str| hits.iter().position(|hit| hit.title == title).unwrap();
    assert!(place("Use PostgreSQL for the ledger") < place("Use SQLite for the ledger"), "{hits:#?}");
    let old = &hits[place("Use SQLite for the ledger")];
    assert_eq!(old.status, Status::Superseded);
    assert_eq!(old.replaced_by, ["dec-2026-01-10-use-postgresql-for-the-ledger"]);
    assert!(old.why.iter().any(|why| why.contains("superseded")));
}

#[test]
fn both_sides_of_a_dispute_come_together() {
    let index = filled(&base());
    let found = titles(&index, &Query { limit: Some(2), ..Query::text("five minutes") });
    assert_eq!(found, ["Cache lives for five minutes", "Cache lives for one hour"]);
}

#[test]
fn filters_and_direct_hits() {
    let index = filled(&base());
    let check = |query: Query, expected: &[&str]| assert_eq!(titles(&index, &query), expected, "{query:?}");
    check(Query { kinds: vec![Kind::Pattern], ..Query::default() }, &["Retry with jitter"]);
    check(Query { tags: vec!["storage".to_owned()], ..Query::default() }, &["Use PostgreSQL for the ledger"]);
    let files = Query { files: vec!["/home/me/app/src/http/header.rs".to_owned()], ..Query::text("ledger") };
    assert_eq!(titles(&index, &files)[0], "Header parser dropped folded lines");
    let issue = Query { issue: Some("#42".to_owned()), ..Query::text("retry") };
    assert_eq!(titles(&index, &issue)[0], "Use PostgreSQL for the ledger");
    let unknown = Query { issue: Some("999".to_owned()), ..Query::text("retry") };
    assert_eq!(titles(&index, &unknown)[0], "Retry with jitter");
    check(Query { since: Some("2026-01-11".parse().unwrap()), ..Query::text("ledger") }, &[]);
    check(Query { projects: vec!["other".to_owned()], ..Query::text("ledger") }, &[]);
}

#[test]
fn the_parts_add_up_and_can_be_shown() {
    let index = filled(&base());
    let query = Query { domain: Some("network".to_owned()), ..Query::text("folded header lines") };
    let hit = &ask(&index, &query)[0];
    assert!((hit.parts.domain - 1.0).abs() < 1e-9 && (hit.parts.decay - 0.9).abs() < 1e-9, "{hit:?}");
    assert!((hit.score - hit.parts.total()).abs() < 1e-9);
    assert!(hit.matched.coverage > 0.9 && hit.matched.terms.contains(&"folded".to_owned()), "{hit:?}");
    assert!(arithmetic(hit).contains("0.6 ×"));
    assert!(hit.snippet.contains("fold"), "{}", hit.snippet);
}

#[test]
fn look_ups_are_exact() {
    let index = filled(&base());
    let snapshot = index.snapshot();
    let count = |look_up: LookUp| snapshot.find(&[look_up]).unwrap().len();
    assert_eq!(count(LookUp::Tag("storage".to_owned())), 1);
    assert_eq!(count(LookUp::Tag("storage/sql".to_owned())), 1);
    assert_eq!(count(LookUp::Tag("sql".to_owned())), 0);
    assert_eq!(count(LookUp::Domain("network".to_owned())), 1);
    assert_eq!(count(LookUp::Issue("#42".to_owned())), 1);
    assert_eq!(count(LookUp::File("src/ledger/".to_owned())), 1);
    assert_eq!(count(LookUp::File("store.rs".to_owned())), 1);
    assert_eq!(count(LookUp::Kind(Kind::Fact)), 3);
    assert_eq!(count(LookUp::Status(Status::Disputed)), 2);
    assert!(snapshot.card("pat-2026-01-10-retry-with-jitter").unwrap().is_some());
    assert!(snapshot.card("nothing").unwrap().is_none());
}

#[test]
fn among_many_the_nearest_in_meaning_is_found_without_its_words() {
    let words = ["lorry", "harbour", "spindle", "meadow", "copper", "violin", "glacier", "almond"];
    let mut cards: Vec<_> = (0..1500usize)
        .map(|number| {
            let word = |shift: usize| words[number / 8usize.pow(shift as u32) % 8];
            let title = format!("Note {number} on {} and {}", word(0), word(1));
            card(Kind::Fact, &title, &format!("The {} is beside the {}.", word(2), word(3)))
        })
        .collect();
    cards.push(card(Kind::Fact, "Customers get their money back", "Whoever returns goods is refunded."));
    let mut index = Index::open(&Location::Memory, Some(Arc::new(StaticTable::shipped()))).unwrap();
    fill(&mut index, &cards);
    let found = titles(&index, &Query::text("reimbursement of buyers"));
    assert_eq!(found.first().map(String::as_str), Some("Customers get their money back"), "{found:?}");
}
