//! Paths as people type them: from where they stand, upwards too.

use crate::desk::Desk;

#[test]
fn a_way_upwards_leaves_the_project() {
    let desk = Desk::with_base();
    let run = desk.lore(&["-C", "../home", "remember", "Coffee is free on Mondays."]);
    assert!(run.code == 2 && run.err.contains("no knowledge base"), "{run}");
    assert!(desk.lore(&["list"]).out.is_empty());
    let base = desk.project().join("knowledge").display().to_string();
    let run = desk.run(&["-C", "..", "list"], &[("LORE_BASE", "project/../home/knowledge")]);
    assert!(run.err.contains("[desk]/home/knowledge"), "{run}");
    assert_eq!(desk.run(&["-C", "..", "list"], &[("LORE_BASE", &base)]).code, 0);
}

#[test]
fn a_base_is_made_and_a_tour_kept_beside_the_project() {
    let desk = Desk::new();
    let run = desk.lore(&["init", "../beside"]);
    assert!(run.code == 0 && run.out.contains("[desk]/beside/knowledge"), "{run}");
    let run = desk.lore(&["demo", "--keep", "../tour"]);
    assert_eq!(run.code, 0, "{run}");
    assert!(!desk.project().join("knowledge").exists());
}
