//! Lists follow from entries: made step by step or all at once, they are the same bytes.

use std::collections::BTreeMap;

use lore_core::{Confidence, Entry, Kind, Status};
use lore_store::{CommitOptions, Lists, Owner, Store};
use lore_testutils::{days_later, start};
use proptest::prelude::*;

use crate::{Base, entry};

fn generated(base: &Base) -> BTreeMap<String, String> {
    let mut files = base.files();
    files.retain(|path, _| {
        path.ends_with("index.md")
            || path.ends_with("log.md")
            || path.ends_with("timeline.md")
            || path.starts_with(".lore/manifest")
    });
    files
}

fn regenerate(store: &Store) {
    let transaction = store.begin(&Owner::machine("regenerate"), start()).unwrap();
    transaction.commit(&CommitOptions { lists: Lists::All, ..CommitOptions::default() }).unwrap();
}

/// Throws everything derived away and makes it again.
fn from_scratch(base: &Base) -> BTreeMap<String, String> {
    for path in generated(base).keys() {
        base.repo.remove(&format!("knowledge/{path}"));
    }
    std::fs::remove_dir_all(base.store.work().folder()).unwrap();
    regenerate(&base.again());
    generated(base)
}

#[derive(Debug, Clone)]
enum Deed {
    Create(usize, usize),
    Rename(usize),
    Remove(usize),
    Archive(usize),
    DropByHand(usize),
    EditByHand(usize),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0usize..12, 0usize..30).prop_map(|(kind, name)| Deed::Create(kind, name)),
        2 => (0usize..20).prop_map(Deed::Rename),
        1 => (0usize..20).prop_map(Deed::Remove),
        1 => (0usize..20).prop_map(Deed::Archive),
        1 => (0usize..20).prop_map(Deed::DropByHand),
        1 => (0usize..20).prop_map(Deed::EditByHand),
    ]
}

fn perform(base: &Base, number: usize, deed: &Deed) {
    let snapshot = base.store.snapshot().unwrap();
    let pick = |at: usize| snapshot.summaries().nth(at % snapshot.len().max(1)).cloned();
    let day = i64::try_from(number).unwrap();
    let mut transaction = base.store.begin(&Owner::person("ana", "test"), days_later(day)).unwrap();
    match deed {
        Deed::Create(kind, name) => {
            let kind = Kind::ALL[*kind];
            let mut new = entry(kind, &format!("thing [{name}]"));
            new.id = transaction.free_id(&new.id);
            new.confidence = Confidence::ALL.get(name % 4).copied();
            transaction.create(new).unwrap();
        }
        Deed::Rename(at) => {
            // What a signal observed stays as it was observed, its title too.
            if let Some(summary) = pick(*at).filter(|summary| summary.kind != Kind::Signal) {
                let stored = transaction.get(summary.id.as_str()).unwrap();
                let new =
                    Entry { title: format!("renamed {number}"), status: Status::Disputed, ..stored.entry };
                transaction.replace(new, stored.version).unwrap();
            }
        }
        Deed::Remove(at) => {
            if let Some(summary) = pick(*at) {
                transaction.remove(summary.id.as_str(), "no more").unwrap();
            }
        }
        Deed::Archive(at) => {
            if let Some(summary) = pick(*at) {
                transaction.archive(summary.id.as_str()).unwrap();
            }
        }
        Deed::DropByHand(at) => {
            if let Some(summary) = pick(*at) {
                base.repo.remove(&format!("knowledge/{}", summary.path));
            }
            return;
        }
        Deed::EditByHand(at) => {
            if let Some(summary) = pick(*at) {
                let path = format!("knowledge/{}", summary.path);
                base.repo.write(&path, base.repo.read(&path).replace("description: ", "description: Now "));
            }
            return;
        }
    }
    transaction.commit(&CommitOptions::default()).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn step_by_step_is_the_same_as_all_at_once(deeds in prop::collection::vec(deed(), 1..14)) {
        let base = Base::new();
        for (number, deed) in deeds.iter().enumerate() {
            perform(&base, number, deed);
        }
        // Edits by hand are taken up by the next write.
        base.store.begin(&Owner::machine("test"), start()).unwrap().commit(&CommitOptions::default()).unwrap();
        let step_by_step = generated(&base);
        let tombstones = base.store.tombstones();
        prop_assert_eq!(&from_scratch(&base), &step_by_step);
        prop_assert_eq!(base.again().tombstones(), tombstones);
    }
}

#[test]
fn a_new_base_has_its_lists_already() {
    let base = Base::new();
    let fresh = generated(&base);
    assert_eq!(fresh.keys().collect::<Vec<_>>(), ["index.md", "log.md"]);
    assert_eq!(base.write(|_| {}).files, Vec::<String>::new());
}

#[test]
fn a_write_touches_only_the_lists_on_its_way() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "One"));
    base.create(entry(Kind::Decision, "Two"));
    let committed = base.write(|transaction| {
        transaction.create(entry(Kind::Decision, "Three")).unwrap();
    });
    let expected =
        [".lore/manifest/2026-02", "decisions/index.md", "decisions/three.md", "index.md", "log.md"];
    let mut files = committed.files;
    files.sort();
    assert_eq!(files, expected);
}

#[test]
fn a_damaged_or_merged_list_is_put_right_by_the_next_write() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "One"));
    let right = generated(&base);
    base.repo.write("knowledge/project/index.md", "* union\n* of two\n* branches\n");
    base.repo.remove("knowledge/log.md");
    base.write(|_| {});
    assert_eq!(generated(&base), right);
    let committed = base.write(|_| {});
    assert_eq!(committed.files, Vec::<String>::new());
}

#[test]
fn two_branches_merge_without_conflict_and_the_next_write_sorts_it_out() {
    let base = Base::with_git();
    base.create(entry(Kind::Decision, "Common"));
    base.repo.commit("common");
    base.repo.git(&["checkout", "--quiet", "-b", "side"]);
    base.create(entry(Kind::Decision, "Alpha"));
    base.repo.commit("alpha");
    base.repo.git(&["checkout", "--quiet", "main"]);
    base.create(entry(Kind::Decision, "Beta"));
    base.repo.commit("beta");
    base.repo.git(&["merge", "--quiet", "-m", "merge", "side"]);
    base.write(|_| {});
    let merged = generated(&base);
    assert_eq!(from_scratch(&base), merged);
    insta::assert_snapshot!(base.knowledge("decisions/index.md"), @"
    # Decisions

    * [Alpha](alpha.md) - About: Alpha. `dec-ctwf10`
    * [Beta](beta.md) - About: Beta. `dec-xd9xnq`
    * [Common](common.md) - About: Common. `dec-zjyr1r`
    ");
    assert!(base.knowledge("index.md").contains("* [Decisions](decisions/index.md) - 3 entries\n"));
}
