//! People edit freely and are never overwritten; what they delete stays deleted.

use lore_core::{Curator, Entry, Kind, Source, Voice};
use lore_store::{CommitOptions, Owner, Refused};
use lore_testutils::{TestRepo, git, start};

use crate::{Base, entry, open};

fn edited() -> Base {
    let base = Base::new();
    base.create(entry(Kind::Decision, "Use tabs"));
    let path = "knowledge/decisions/use-tabs.md";
    base.repo.write(path, base.repo.read(path).replace("as was said", "but only in Makefiles"));
    base
}

#[test]
fn an_edited_entry_only_gains_sources() {
    let base = edited();
    let summary = base.store.snapshot().unwrap().find("dec-2026-02-20-use-tabs").unwrap().clone();
    assert_eq!(summary.curated_by, Curator::Mixed);
    base.write(|transaction| {
        let stored = transaction.get("dec-2026-02-20-use-tabs").unwrap();
        let rewritten = Entry { body: "Rewritten.\n".into(), ..stored.entry.clone() };
        let refused = transaction.replace(rewritten, stored.version).unwrap_err();
        assert!(matches!(refused, Refused::Protected { curated_by: Curator::Mixed, .. }), "{refused}");
        assert!(matches!(transaction.remove("dec-2026-02-20-use-tabs", ""), Err(Refused::Protected { .. })));
        let source = Source::new("session://codex/s-2#L8", Voice::Person);
        transaction.add_sources("dec-2026-02-20-use-tabs", vec![source]).unwrap();
    });
    let text = base.knowledge("decisions/use-tabs.md");
    assert!(text.contains("but only in Makefiles") && text.contains("session://codex/s-2#L8"), "{text}");
    // Our own hash is right again, and still it is not ours to rewrite.
    base.write(|transaction| {
        let stored = transaction.get("dec-2026-02-20-use-tabs").unwrap();
        let rewritten = Entry { body: "Rewritten.\n".into(), ..stored.entry.clone() };
        assert!(matches!(transaction.replace(rewritten, stored.version), Err(Refused::Protected { .. })));
    });
}

#[test]
fn a_person_may_change_anything_through_us() {
    let base = edited();
    base.write_as(&Owner::person("ana", "edit"), |transaction| {
        let stored = transaction.get("dec-2026-02-20-use-tabs").unwrap();
        let text = stored.text().unwrap().replace("# a comment", "").replace("Use tabs", "Use spaces");
        let id = stored.entry.id.clone();
        let broken = text.replace("id: dec-2026", "id: dec-2025");
        assert!(matches!(
            transaction.replace_text(&id, &broken, stored.version),
            Err(Refused::Unreadable { .. })
        ));
        transaction.replace_text(&id, &text, stored.version).unwrap();
    });
    let stored = base.store.get("use-tabs").unwrap();
    assert_eq!((stored.entry.title.as_str(), stored.entry.curated_by), ("Use spaces", Curator::Mixed));
    base.write_as(&Owner::person("ana", "new"), |transaction| {
        transaction.create(entry(Kind::Fact, "By hand")).unwrap();
    });
    assert_eq!(base.store.get("by-hand").unwrap().entry.curated_by, Curator::Human);
}

#[test]
fn a_confirmation_does_not_make_it_a_persons_text() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Checked"));
    base.write_as(&Owner::person("ana", "verify"), |transaction| {
        let mut stored = transaction.get("fac-2026-02-20-checked").unwrap();
        stored.entry.verified.push(lore_core::Stamp { by: "human:ana".into(), at: None });
        transaction.replace(stored.entry, stored.version).unwrap();
    });
    let stored = base.store.get("checked").unwrap();
    assert!(stored.entry.is_verified_by_a_person());
    assert_eq!(stored.entry.curated_by, Curator::Auto);
}

#[test]
fn a_deleted_file_stays_deleted_also_in_another_clone() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "Wrong"));
    base.create(entry(Kind::Fact, "Right"));
    base.repo.commit("knowledge");
    base.repo.remove("knowledge/project/wrong.md");
    base.repo.commit("this was wrong");
    let clone = TestRepo::new();
    git(&clone.path(), &["clone", "--quiet", &base.repo.path().to_string_lossy(), "clone"]);
    // The clone has no cache and no tombstone yet; it finds out by itself.
    let store = open(&clone.join("clone"));
    let transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    let committed = transaction.commit(&CommitOptions::default()).unwrap();
    assert_eq!(
        committed.deleted.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["fac-2026-02-20-wrong"]
    );
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    match transaction.create(entry(Kind::Fact, "Wrong")) {
        Err(Refused::Removed(stone)) => assert_eq!(stone.title, "Wrong"),
        other => panic!("{other:?}"),
    }
    let again = Entry { id: "fac-2027-01-01-other".parse().unwrap(), ..entry(Kind::Fact, "wrong!") };
    assert!(matches!(transaction.create(again), Err(Refused::Removed(_))));
    drop(transaction);
    let mut transaction = store.begin(&Owner::person("ana", "new"), start()).unwrap();
    transaction.create(entry(Kind::Fact, "Wrong")).unwrap();
    transaction.commit(&CommitOptions::default()).unwrap();
    assert_eq!(store.tombstones().iter().count(), 0);
}

#[test]
fn moving_damaging_or_switching_branches_is_no_deletion() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "Moved"));
    base.create(entry(Kind::Fact, "Damaged"));
    base.create(entry(Kind::Fact, "Nameless"));
    base.repo.commit("knowledge");
    base.repo.git(&["checkout", "--quiet", "-b", "side"]);
    base.create(entry(Kind::Fact, "On a branch"));
    base.repo.commit("more knowledge");
    base.repo.git(&["checkout", "--quiet", "main"]);
    base.repo.rename("knowledge/project/moved.md", "knowledge/notes/deep/renamed.md");
    base.repo.write("knowledge/project/damaged.md", [0u8; 0]);
    let nameless = base.knowledge("project/nameless.md").replace("id: fac-2026-02-20-nameless\n", "");
    base.repo.write("knowledge/project/nameless.md", nameless.replace("created: ", "createt: "));
    let committed = base.write(|transaction| {
        transaction.create(entry(Kind::Fact, "Next")).unwrap();
    });
    assert_eq!(committed.deleted, []);
    assert_eq!(base.store.get("fac-2026-02-20-moved").unwrap().path, "notes/deep/renamed.md");
    assert!(base.knowledge("notes/deep/index.md").contains("[Moved](renamed.md)"));
    base.repo.commit("main goes on");
    base.repo.git(&["merge", "--quiet", "-m", "merge", "side"]);
    let committed = base.write(|_| {});
    assert_eq!(committed.deleted, []);
    let snapshot = base.store.snapshot().unwrap();
    assert!(
        snapshot.find("fac-2026-02-20-on-a-branch").is_some()
            && snapshot.find("fac-2026-02-20-next").is_some()
    );
}

#[test]
fn what_is_brought_back_by_hand_loses_its_tombstone() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "Back again"));
    base.repo.commit("knowledge");
    base.write(|transaction| {
        transaction.remove("fac-2026-02-20-back-again", "a mistake").unwrap();
    });
    assert!(base.knowledge("log.md").contains("**Removal**: Back again"));
    assert_eq!(base.store.tombstones().iter().count(), 1);
    base.repo.git(&["checkout", "--quiet", "--", "knowledge/project/back-again.md"]);
    base.write(|_| {});
    assert_eq!(base.store.tombstones().iter().count(), 0);
    assert!(base.store.get("back-again").is_ok());
}

#[test]
fn history_remembers_a_hand_that_the_file_no_longer_shows() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "Touched"));
    base.create(entry(Kind::Fact, "Untouched"));
    base.repo.commit("ours");
    let path = "knowledge/project/touched.md";
    let ours = base.repo.read(path);
    base.repo.write(path, ours.replace("as was said", "as I say"));
    base.repo.commit("a person's words");
    // Another tool hashes the text anew and says it was all ours.
    let hashed = lore_store::format::with_hash(&base.repo.read(path));
    base.repo.write(path, hashed);
    base.repo.commit("hashed anew");
    base.write(|transaction| {
        let mut change = |name: &str| {
            let stored = transaction.get(name).unwrap();
            transaction.replace(Entry { body: "Rewritten.\n".into(), ..stored.entry }, stored.version)
        };
        assert!(matches!(change("fac-2026-02-20-touched"), Err(Refused::Protected { .. })));
        assert!(change("fac-2026-02-20-untouched").is_ok());
    });
    assert!(base.repo.read(path).contains("as I say"));
}

#[test]
fn a_hand_written_file_without_front_matter_is_an_entry_and_is_left_alone() {
    let base = Base::new();
    base.repo.write("knowledge/preferences/style.md", "# Short sentences\n\nPlease.\n");
    let stored = base.store.get("preferences/style").unwrap();
    assert_eq!((stored.entry.title.as_str(), stored.entry.curated_by), ("Short sentences", Curator::Human));
    base.create(entry(Kind::Fact, "Else"));
    assert_eq!(base.knowledge("preferences/style.md"), "# Short sentences\n\nPlease.\n");
    assert!(base.knowledge("preferences/index.md").contains("[Short sentences](style.md)"));
}

/// With a sparse checkout one new entry gave every entry that was not checked out a tombstone.
#[test]
fn what_git_was_told_not_to_check_out_is_not_deleted() {
    let base = Base::with_git();
    for kind in [Kind::Decision, Kind::Fact, Kind::Preference] {
        base.create(entry(kind, &format!("A {kind}")));
        base.create(entry(kind, &format!("Another {kind}")));
    }
    base.repo.commit("knowledge");
    let before = base.files();
    base.repo.git(&[
        "sparse-checkout",
        "set",
        "--no-cone",
        "/*",
        "!/knowledge/decisions",
        "!/knowledge/project/a-fact.md",
    ]);
    base.repo.git(&["update-index", "--skip-worktree", "knowledge/preferences/a-preference.md"]);
    base.repo.remove("knowledge/preferences/a-preference.md");
    assert!(!base.repo.join("knowledge/decisions").exists());
    let store = base.again();
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    assert!(transaction.notice_deletions().unwrap().is_empty());
    transaction.create(entry(Kind::Fact, "Something new")).unwrap();
    let committed = transaction.commit(&CommitOptions::default()).unwrap();
    assert!(committed.deleted.is_empty(), "{:?}", committed.deleted);
    assert!(store.tombstones().iter().next().is_none());
    let month = ".lore/manifest/2026-02";
    let after = base.files();
    let missing: Vec<&str> = before[month].lines().filter(|line| !after[month].contains(line)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(after["index.md"], before["index.md"], "a list would lose what is not checked out");
    // What a person deletes is still a deletion.
    base.repo.remove("knowledge/project/another-fact.md");
    let transaction = base.again();
    let transaction = transaction.begin(&Owner::machine("test"), start()).unwrap();
    let committed = transaction.commit(&CommitOptions::default()).unwrap();
    assert_eq!(committed.deleted.len(), 1, "{:?}", committed.deleted);
    // Once everything is checked out again, all of it is there and listed.
    base.repo.git(&["update-index", "--no-skip-worktree", "knowledge/preferences/a-preference.md"]);
    base.repo.git(&["sparse-checkout", "disable"]);
    base.repo.git(&["checkout", "--quiet", "--", "knowledge/preferences/a-preference.md"]);
    let whole = base.again();
    let transaction = whole.begin(&Owner::machine("test"), start()).unwrap();
    assert!(transaction.commit(&CommitOptions::default()).unwrap().deleted.is_empty());
    assert_eq!(whole.snapshot().unwrap().len(), 6);
    assert!(base.knowledge("index.md").contains("* [Decisions](decisions/index.md) - 2 entries"));
}
