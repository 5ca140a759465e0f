//! Taking in other tools' stores.

use crate::desk::Desk;

#[test]
fn a_store_is_taken_in_once() {
    let desk = Desk::with_base();
    desk.write(
        "old/signals/demo/2026-01-02-slow-tests.md",
        "---\nid: sig-2026-01-02-slow-tests\ntype: signal\nproject: demo\ntags: [tests]\ncreated: 2026-01-02T10:00:00Z\nseverity: notable\nsignal_type: struggle\nlifecycle_state: detected\n---\n\n## What Happened\n\nThe tests took ten minutes.\n",
    );
    desk.write(
        "old/signals/demo/2026-01-03-broken.md",
        "---\nid: sig-2026-01-03-broken\ntype: signal\nproject: demo\ntags: [yaml]\ncreated: 2026-01-03T10:00:00Z\nseverity: critical\nsignal_type: deviation\norigin: `make` was run\n---\n\n## What Happened\n\nIt broke.\n",
    );
    desk.write("old/index.md", "# Index\n");
    let rehearsal = desk.lore(&["import", "old", "--dry-run"]);
    assert!(rehearsal.out.contains("would take 2 entries"), "{rehearsal}");
    assert_eq!(desk.lore(&["list", "--json"]).out.matches("\"id\"").count(), 0);
    insta::assert_snapshot!("import", desk.lore(&["import", "old"]));
    insta::assert_snapshot!("import_again", desk.lore(&["import", "old"]));
    assert_eq!(desk.lore(&["list", "--type", "signal", "--json"]).out.matches("\"id\"").count(), 2);
}

#[test]
fn what_is_no_store_is_refused() {
    let desk = Desk::with_base();
    desk.write("empty/readme.txt", "nothing");
    insta::assert_snapshot!("import_refused", desk.lore(&["import", "empty"]));
}

/// `lore import /tmp` took whatever pages lay there.
#[test]
fn what_only_looks_like_a_store_is_not_taken_unasked() {
    let desk = Desk::with_base();
    desk.write("stray/notes/todo.md", "---\ntype: note\n---\n\nBuy milk.\n");
    desk.write("stray/other.txt", "nothing");
    let asked = desk.lore(&["import", "stray"]);
    insta::assert_snapshot!("import_guess", asked);
    assert_eq!(desk.lore(&["list", "--json"]).out.matches("\"id\"").count(), 0);
    assert!(desk.lore(&["import", "stray", "--dry-run"]).out.contains("would take 1 entries"));
    assert_eq!(desk.lore(&["import", "stray", "--yes"]).code, 0);
    assert_eq!(desk.lore(&["list", "--json"]).out.matches("\"id\"").count(), 1);
}
