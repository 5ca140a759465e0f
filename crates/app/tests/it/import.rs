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
    assert!(desk.lore(&["import", "stray", "--dry-run"]).out.contains("would take 1 entry"));
    assert_eq!(desk.lore(&["import", "stray", "--yes"]).code, 0);
    assert_eq!(desk.lore(&["list", "--json"]).out.matches("\"id\"").count(), 1);
}

/// Whatever moment an import is killed at, nothing is half taken, and the next run takes the rest.
#[test]
fn an_import_that_is_killed_is_finished_by_the_next() {
    const PAGES: usize = 40;
    let prepared = || {
        let desk = Desk::with_base();
        for number in 0..PAGES {
            let (month, day) = (number / 20 + 1, number % 20 + 1);
            desk.write(
                &format!("old/signals/demo/2026-0{month}-{day:02}-slow.md"),
                &format!(
                    "---\nid: sig-2026-0{month}-{day:02}-slow\ntype: signal\nproject: demo\ntags: [tests]\n\
                     created: 2026-0{month}-{day:02}T10:00:00Z\nseverity: notable\nsignal_type: struggle\n\
                     lifecycle_state: detected\n---\n\n## What Happened\n\nTest {number} was slow.\n"
                ),
            );
        }
        desk
    };
    let listed = |desk: &Desk| {
        let run = desk.lore(&["list", "--type", "signal", "--json"]);
        run.out.matches("\"id\"").count()
    };
    let (mut none, mut all) = (0, 0);
    for round in 0..12 {
        let desk = prepared();
        let mut child = desk.started(&["import", "old", "--yes"]);
        // Not a pause but files: it is killed when so many have been staged or put in place.
        let goal = round * PAGES / 5;
        while written(&desk) < goal && child.try_wait().expect("can be asked").is_none() {}
        child.kill().expect("can be killed");
        child.wait().expect("is gone");
        let there = listed(&desk);
        assert!(there == 0 || there == PAGES, "half of it is there: {there}");
        none += usize::from(there == 0);
        all += usize::from(there == PAGES);
        let again = desk.lore(&["import", "old", "--yes"]);
        assert!(again.code <= 1, "{again}");
        assert_eq!(listed(&desk), PAGES, "{again}");
        assert_eq!(desk.lore(&["check"]).code, 0);
        assert_eq!(
            desk.lore(&["import", "old", "--yes"]).out.matches("took sig-").count(),
            0,
            "nothing is taken twice"
        );
    }
    assert!(none > 0 && all > 0, "{none} times nothing, {all} times everything");
}

/// Counts the files that a run has staged, and those of the base.
fn written(desk: &Desk) -> usize {
    let mut count = 0;
    let mut folders = vec![desk.project().join(".git/lore"), desk.project().join("knowledge")];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match item.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(item.path()),
                _ => count += 1,
            }
        }
    }
    count
}
