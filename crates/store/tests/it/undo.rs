//! Every run can be told and taken back.

use std::collections::BTreeMap;

use lore_core::{Entry, Kind, SessionId};
use lore_store::{CommitOptions, Curated, Fate, Lists, Owner, TakenBack, WhyNot};
use lore_testutils::{days_later, start};
use proptest::prelude::*;

use crate::{Base, entry, id};

impl Base {
    /// Takes back the run that happened last, or the one of that number.
    fn take_back(&self, number: Option<u64>) -> TakenBack {
        let sets = self.store.change_sets();
        let set = sets.iter().rev().find(|set| number.is_none_or(|number| set.number == number)).unwrap();
        let mut transaction = self.store.begin(&Owner::person("ana", "undo"), start()).unwrap();
        let taken = transaction.take_back(set);
        transaction.commit(&CommitOptions::default()).unwrap();
        taken
    }

    fn change(&self, title: &str, body: &str) {
        self.write(|transaction| {
            let stored = transaction.get(id(Kind::Fact, title).as_str()).unwrap();
            let entry = Entry { body: body.to_owned(), ..stored.entry };
            transaction.replace(entry, stored.version).unwrap();
        });
    }

    /// Reads every file but those that only ever grow.
    fn knowledge_files(&self) -> BTreeMap<String, String> {
        let mut files = self.files();
        files.retain(|path, _| !path.starts_with(".lore/ledger") && !path.starts_with(".lore/runs"));
        files
    }
}

#[test]
fn a_run_is_taken_back_to_the_byte() {
    let base = Base::new();
    base.write(|transaction| {
        for title in ["Changed", "Removed", "Kept"] {
            transaction.create(entry(Kind::Fact, title)).unwrap();
        }
    });
    let before = base.knowledge_files();
    base.write(|transaction| {
        transaction.create(entry(Kind::Decision, "New")).unwrap();
        transaction.remove(id(Kind::Fact, "Removed").as_str(), "wrong").unwrap();
        let stored = transaction.get(id(Kind::Fact, "Changed").as_str()).unwrap();
        let changed = Entry { body: "Otherwise.\n".into(), ..stored.entry };
        transaction.replace(changed, stored.version).unwrap();
        transaction.put_state("agents", ["a line".to_owned()]).unwrap();
    });
    let after = base.knowledge_files();
    let fates: Vec<(Fate, String)> =
        base.store.change_sets()[1].happened.iter().map(|one| (one.what, one.title.clone())).collect();
    assert_eq!(
        fates,
        [
            (Fate::Learned, "New".to_owned()),
            (Fate::Changed, "Changed".to_owned()),
            (Fate::Removed, "Removed".to_owned())
        ]
    );

    let taken = base.take_back(None);
    assert_eq!(taken.restored, ["project/changed.md", "project/removed.md"]);
    assert_eq!(taken.removed, [".lore/state/agents", "decisions/new.md"]);
    assert_eq!(taken.lifted, [id(Kind::Fact, "Removed")]);
    assert_eq!(base.knowledge_files(), before);
    // What is taken back was never deleted by anybody: it may be made again.
    assert_eq!(base.store.tombstones().iter().count(), 0);

    // Taking back is a run itself.
    assert_eq!(base.take_back(None).left, []);
    assert_eq!(base.knowledge_files(), after);
}

#[test]
fn what_changed_since_is_left_alone() {
    let base = Base::new();
    base.write(|transaction| {
        for title in ["By hand", "By a run", "Gone", "Again", "As left"] {
            transaction.create(entry(Kind::Fact, title)).unwrap();
        }
    });
    base.write(|transaction| {
        transaction.remove(id(Kind::Fact, "Again").as_str(), "wrong").unwrap();
    });
    let path = "knowledge/project/by-hand.md";
    base.repo.write(path, base.repo.read(path).replace("as was said", "as I say"));
    base.change("By a run", "Later.\n");
    base.repo.remove("knowledge/project/gone.md");
    base.repo.write("knowledge/project/again.md", "---\ntype: fact\n---\nMine.\n");
    let mine = base.repo.read("knowledge/project/again.md");

    let removed = base.take_back(Some(2));
    assert_eq!(removed.left.len(), 1);
    assert_eq!((removed.left[0].path.as_str(), removed.left[0].why), ("project/again.md", WhyNot::Again));
    assert_eq!(base.repo.read("knowledge/project/again.md"), mine);

    let taken = base.take_back(Some(1));
    let left: Vec<(&str, WhyNot)> = taken.left.iter().map(|one| (one.path.as_str(), one.why)).collect();
    assert_eq!(
        left,
        [
            ("project/again.md", WhyNot::Changed),
            ("project/by-a-run.md", WhyNot::Changed),
            ("project/by-hand.md", WhyNot::Changed),
            ("project/gone.md", WhyNot::Gone),
        ]
    );
    assert_eq!(taken.removed, ["project/as-left.md"]);
    assert!(base.repo.read(path).contains("as I say"));
}

#[test]
fn a_lifted_tombstone_returns() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "It rains"));
    base.write(|transaction| {
        transaction.remove(id(Kind::Fact, "It rains").as_str(), "it does not").unwrap();
    });
    let before = base.knowledge_files();
    base.write_as(&Owner::person("ana", "new"), |transaction| {
        transaction.create(entry(Kind::Fact, "It rains")).unwrap();
    });
    assert_eq!(base.store.tombstones().iter().count(), 0);
    let taken = base.take_back(None);
    assert_eq!(taken.buried, [id(Kind::Fact, "It rains")]);
    assert_eq!(base.knowledge_files(), before);
}

/// One person removed it, another edited it: whoever decided between them decides again.
#[test]
fn a_tombstone_returns_beside_what_stood_against_it() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "It rains"));
    let file = base.knowledge("project/it-rains.md");
    let manifest = base.knowledge(".lore/manifest/2026-02");
    base.write_as(&Owner::person("bob", "reject"), |transaction| {
        transaction.remove("fac-2026-02-20-it-rains", "it does not").unwrap();
    });
    base.repo.write("knowledge/project/it-rains.md", file.replace("as was said", "but I say so"));
    base.repo.write("knowledge/.lore/manifest/2026-02", &manifest);
    base.create(entry(Kind::Fact, "Else"));
    let before = base.knowledge_files();
    base.write_as(&Owner::person("ana", "review"), |transaction| {
        let stored = transaction.get("fac-2026-02-20-it-rains").unwrap();
        let kept = Entry { body: "It rains, but I say so, and I kept it.\n".into(), ..stored.entry };
        transaction.lift(&kept.id);
        transaction.replace(kept, stored.version).unwrap();
    });
    assert_eq!(base.store.tombstones().iter().count(), 0);
    let taken = base.take_back(None);
    assert_eq!(
        (taken.restored, taken.buried),
        (vec!["project/it-rains.md".to_owned()], vec![id(Kind::Fact, "It rains")])
    );
    assert_eq!(base.knowledge_files(), before);
    assert!(base.again().get("it-rains").is_ok(), "it stands against its tombstone again");
}

#[test]
fn a_moved_entry_finds_its_way_back() {
    let base = Base::new();
    base.create(entry(Kind::Signal, "Noise"));
    let before = base.knowledge_files();
    base.write(|transaction| {
        transaction.archive(id(Kind::Signal, "Noise").as_str()).unwrap();
    });
    assert_eq!(base.store.change_sets()[1].happened[0].what, Fate::Moved);
    assert_eq!(base.take_back(None).left, []);
    assert_eq!(base.knowledge_files(), before);
}

/// What came in by git is somebody's work: it is compared by content and never overwritten.
#[test]
fn what_git_brought_in_stays() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "One"));
    base.repo.commit("one");
    base.repo.git(&["branch", "other"]);
    base.change("One", "Here.\n");
    base.repo.commit("here");
    base.repo.git(&["checkout", "-q", "other"]);
    let there = base.files();
    let taken = base.take_back(Some(2));
    assert_eq!(taken.left.len(), 1, "{taken:?}");
    assert!(taken.is_empty());
    assert_eq!(base.files(), there);
}

#[test]
fn reading_sessions_is_not_taken_back_and_lists_alone_are_no_run() {
    let base = Base::new();
    let read = Curated {
        agent: "claude".into(),
        session: SessionId::new("s-1"),
        lines: 4,
        hash: "h".into(),
        at: None,
        edited: None,
    };
    base.write(|transaction| {
        transaction.note_curated([read]);
        transaction.create(entry(Kind::Fact, "Heard")).unwrap();
    });
    assert!(base.store.change_sets()[0].read_sessions);
    base.take_back(None);
    assert_eq!(base.store.ledger().iter().count(), 1);
    base.repo.write("knowledge/index.md", "spoilt\n");
    let transaction = base.store.begin(&Owner::machine("check"), days_later(1)).unwrap();
    let options = CommitOptions { lists: Lists::All, ..CommitOptions::default() };
    let committed = transaction.commit(&options).unwrap();
    assert_eq!(committed.files, ["index.md"]);
    assert_eq!(committed.run, None);
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_what_was_said_before() {
    use std::os::unix::fs::PermissionsExt as _;
    let base = Base::new();
    base.create(entry(Kind::Fact, "The lamp is lit at dusk"));
    let forgotten = base.store.forget_in_change_sets(&|text| text.contains("dusk"), "…").unwrap();
    assert_eq!(forgotten, 1, "it is written anew");
    let state = base.store.work().folder().to_owned();
    let folder = state.join("changes");
    let sets = std::fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path());
    let mut private: Vec<std::path::PathBuf> = sets.collect();
    assert_eq!(private.len(), 1);
    private.extend([folder, state.join("staging"), state.join("staging/journal")]);
    for path in private {
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Taking back all runs in reverse gives the base as it was, whatever they did.
    #[test]
    fn all_runs_taken_back_leave_nothing(runs in prop::collection::vec(prop::collection::vec((0u8..3, 0u8..4), 1..4), 1..5)) {
        let base = Base::new();
        base.create(entry(Kind::Fact, "First"));
        let before = base.knowledge_files();
        let mut numbers = Vec::new();
        for steps in runs {
            let committed = base.write(|transaction| {
                for (what, which) in steps {
                    let title = format!("Entry {which}");
                    let name = id(Kind::Fact, &title);
                    match (what, transaction.get(name.as_str())) {
                        (0, Err(_)) => drop(transaction.create(entry(Kind::Fact, &title))),
                        (1, Ok(stored)) => {
                            let body = format!("{}More.\n", stored.entry.body);
                            let changed = Entry { body, ..stored.entry };
                            transaction.replace(changed, stored.version).unwrap();
                        }
                        (2, Ok(_)) => drop(transaction.remove(name.as_str(), "wrong")),
                        _ => {}
                    }
                }
            });
            if committed.run.is_some() {
                numbers.push(base.store.change_sets().last().unwrap().number);
            }
        }
        for number in numbers.into_iter().rev() {
            let taken = base.take_back(Some(number));
            prop_assert_eq!(taken.left, vec![]);
        }
        prop_assert_eq!(base.knowledge_files(), before);
    }
}
