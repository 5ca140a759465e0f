//! What hangs together with an entry.

use lore_core::recall::Query;
use lore_core::{Kind, LinkKind};
use lore_surface::Reach;

use crate::fixture::{base, card, filled, link, today};

#[test]
fn links_are_followed_both_ways_and_told_once() {
    let mut cards = base();
    let replacement = cards[0].clone();
    let old = cards[1].clone();
    // The replacement says so too; that is one edge, not two.
    link(&mut cards[0], LinkKind::Supersedes, &old);
    let mut note = card(Kind::Fact, "Ledger rows are never deleted", "Only reversed.");
    link(&mut note, LinkKind::DerivedFrom, &replacement);
    cards.push(note);
    let index = filled(&cards);
    let graph = index.snapshot().related(old.entry.id.as_str(), Reach::default()).unwrap().unwrap();
    let ties: Vec<(&str, &str, &str)> =
        graph.edges.iter().map(|edge| (edge.from.slug(), edge.tie.as_str(), edge.to.slug())).collect();
    assert_eq!(
        ties,
        [
            ("use-sqlite-for-the-ledger", "superseded_by", "use-postgresql-for-the-ledger"),
            ("ledger-rows-are-never-deleted", "derived_from", "use-postgresql-for-the-ledger"),
        ]
    );
    let distances: Vec<usize> = graph.nodes.iter().map(|node| node.distance).collect();
    assert_eq!(distances, [0, 1, 2]);
    assert!(graph.to_text().contains("superseded_by → dec-2026-01-10-use-postgresql-for-the-ledger"));
    assert!(graph.to_dot().contains("style=dashed") && graph.to_dot().ends_with("}\n"));
    assert!(
        graph.to_mermaid().starts_with("graph LR\n") && graph.to_mermaid().contains("-->|superseded_by|")
    );
}

#[test]
fn what_is_shared_ties_too_and_unknown_names_give_nothing() {
    let mut cards = base();
    let mut other = card(Kind::Pattern, "Migrate in two steps", "First add, then remove.");
    other.entry.tags = vec!["storage".to_owned()];
    other.entry.files = vec!["src/ledger/store.rs".to_owned()];
    cards.push(other);
    let index = filled(&cards);
    let snapshot = index.snapshot();
    let graph =
        snapshot.related(cards[0].entry.id.as_str(), Reach { depth: 0, similar: 5 }).unwrap().unwrap();
    assert_eq!(graph.edges.len(), 1);
    assert_eq!(graph.edges[0].shared, ["src/ledger/store.rs", "#storage"]);
    assert!(snapshot.related("dec-2026-01-01-nothing", Reach::default()).unwrap().is_none());
}

#[test]
fn an_issue_brings_its_own_then_its_files_then_what_is_alike() {
    let mut cards = base();
    let mut other = card(Kind::Pattern, "Migrate in two steps", "First add, then remove.");
    other.entry.files = vec!["src/ledger/store.rs".to_owned()];
    cards.push(other);
    let index = filled(&cards);
    let query = Query { issue: Some("42".to_owned()), limit: Some(4), ..Query::default() };
    let found: Vec<String> =
        index.snapshot().about_issue(&query, today()).unwrap().into_iter().map(|hit| hit.title).collect();
    assert_eq!(
        found[..3],
        ["Use PostgreSQL for the ledger", "Migrate in two steps", "Use SQLite for the ledger"]
    );
}
