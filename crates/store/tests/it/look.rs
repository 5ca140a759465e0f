//! A look finds every change, by whatever hand, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use lore_core::{EntryId, Kind};
use lore_store::{Depth, Looked, Store, Version};
use proptest::prelude::*;

use super::{Base, entry};

/// Somebody who derives something from the base and follows it by looking.
#[derive(Default)]
struct Follower {
    known: BTreeMap<EntryId, Version>,
    mark: String,
}

/// What a look came to.
#[derive(Debug, PartialEq)]
enum Saw {
    Nothing,
    Some(usize),
    All,
}

impl Follower {
    fn look(&mut self, store: &Store, depth: Depth) -> Saw {
        let looked = store.look(&self.mark, depth);
        self.take_in(store, looked)
    }

    fn take_in(&mut self, store: &Store, looked: Looked) -> Saw {
        match looked {
            Looked::Same => Saw::Nothing,
            Looked::Changed(changes) => {
                for (id, _) in &changes.gone {
                    self.known.remove(id);
                }
                for stored in &changes.written {
                    self.known.insert(stored.entry.id.clone(), stored.version);
                }
                self.mark.clone_from(&changes.mark);
                store.keep_changes(&changes);
                Saw::Some(changes.written.len() + changes.gone.len())
            }
            Looked::Unknown(before) => {
                let snapshot = store.snapshot().unwrap();
                self.known = snapshot.versions();
                self.mark = Store::mark(&snapshot);
                store.keep(before, &snapshot);
                Saw::All
            }
        }
    }
}

fn path(base: &Base, folder: usize, number: usize) -> PathBuf {
    let folder = ["decisions", "project", "project/deep"][folder];
    base.repo.join("knowledge").join(folder).join(format!("note-{number}.md"))
}

fn text(number: usize, word: usize) -> String {
    // Always the same length, so that only the times can tell.
    format!("---\nid: fac-2026-01-01-note-{number}\ntype: fact\ntitle: Note {number}\n---\n\nIt is {word}.\n")
}

/// A base of three notes, and somebody who knows them.
fn three_notes() -> (Base, Follower) {
    let base = Base::new();
    for number in 0..3 {
        fs::create_dir_all(path(&base, 0, number).parent().unwrap()).unwrap();
        fs::write(path(&base, 0, number), text(number, 0)).unwrap();
    }
    let mut follower = Follower::default();
    follower.look(&base.store, Depth::Files);
    (base, follower)
}

#[test]
fn the_first_look_knows_nothing_and_the_next_sees_nothing() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Ports are odd"));
    let mut follower = Follower::default();
    assert_eq!(follower.look(&base.store, Depth::Files), Saw::All);
    // What is younger than a tick is read again, and is the same.
    assert!(matches!(follower.look(&base.store, Depth::Files), Saw::Nothing | Saw::Some(0)));
    assert_eq!(follower.known, base.again().snapshot().unwrap().versions());
}

#[test]
fn another_mark_or_a_damaged_memory_means_reading_everything() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Ports are odd"));
    let mut follower = Follower::default();
    follower.look(&base.store, Depth::Files);
    assert!(matches!(base.store.look("another", Depth::Files), Looked::Unknown(_)));
    for file in fs::read_dir(base.repo.join(".lore/cache/look")).unwrap() {
        fs::write(file.unwrap().path(), b"torn").unwrap();
    }
    assert_eq!(follower.look(&base.store, Depth::Files), Saw::All);
}

#[test]
fn two_files_with_one_id_are_left_to_whoever_reads_everything() {
    let base = Base::new();
    for folder in [0, 1] {
        fs::create_dir_all(path(&base, folder, 1).parent().unwrap()).unwrap();
        fs::write(path(&base, folder, 1), text(1, folder)).unwrap();
    }
    let mut follower = Follower::default();
    follower.look(&base.store, Depth::Files);
    fs::write(path(&base, 0, 1), text(1, 7)).unwrap();
    assert_eq!(follower.look(&base.store, Depth::Files), Saw::All);
}

#[test]
fn folders_alone_tell_what_is_made_replaced_and_removed() {
    let (base, mut follower) = three_notes();
    let draft = base.repo.join("draft");
    fs::write(&draft, text(1, 5)).unwrap();
    fs::rename(&draft, path(&base, 0, 1)).unwrap();
    fs::remove_file(path(&base, 0, 2)).unwrap();
    fs::create_dir_all(path(&base, 2, 4).parent().unwrap()).unwrap();
    fs::write(path(&base, 2, 4), text(4, 0)).unwrap();
    assert_eq!(follower.look(&base.store, Depth::FilesUpTo(0)), Saw::Some(3));
    assert_eq!(follower.known, base.again().snapshot().unwrap().versions());
}

#[test]
fn a_file_that_is_named_is_seen_though_its_folder_tells_nothing() {
    let (base, mut follower) = three_notes();
    fs::write(path(&base, 0, 1), text(1, 5)).unwrap();
    let looked = base.store.look_at(&follower.mark, &["decisions/note-1.md"]);
    assert_eq!(follower.take_in(&base.store, looked), Saw::Some(1));
    assert_eq!(follower.known, base.again().snapshot().unwrap().versions());
    let looked = base.store.look_at(&follower.mark, &["decisions/note-1.md", "decisions/note-2.md"]);
    assert_eq!(follower.take_in(&base.store, looked), Saw::Nothing);
    fs::remove_file(path(&base, 0, 2)).unwrap();
    let looked = base.store.look_at(&follower.mark, &["decisions/note-2.md"]);
    assert_eq!(follower.take_in(&base.store, looked), Saw::Some(1));
    // What was named is known; everything else is still to be found.
    fs::write(path(&base, 0, 0), text(0, 8)).unwrap();
    assert_eq!(follower.look(&base.store, Depth::Files), Saw::Some(1));
    assert_eq!(follower.known, base.again().snapshot().unwrap().versions());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn following_by_looks_is_reading_everything(
        steps in prop::collection::vec((0usize..6, 0usize..5, 0usize..3, 0usize..9), 1..30),
    ) {
        let base = Base::new();
        let mut follower = Follower::default();
        let mut place: BTreeMap<usize, usize> = BTreeMap::new();
        for (doing, number, folder, word) in steps {
            let here = *place.entry(number).or_insert(folder);
            let file = path(&base, here, number);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            match doing {
                0 => fs::write(&file, text(number, word)).unwrap(),
                1 => {
                    fs::write(base.repo.join("draft"), text(number, word)).unwrap();
                    fs::rename(base.repo.join("draft"), &file).unwrap();
                }
                2 => drop(fs::remove_file(&file)),
                3 => {
                    let there = path(&base, folder, number);
                    fs::create_dir_all(there.parent().unwrap()).unwrap();
                    if fs::rename(&file, &there).is_ok() {
                        place.insert(number, folder);
                    }
                }
                4 => fs::write(&file, "no front matter at all").unwrap(),
                _ => {
                    let title = format!("Written by us {number} {word}");
                    base.write(|transaction| drop(transaction.create(entry(Kind::Fact, &title))));
                }
            }
            follower.look(&base.store, Depth::Files);
            let snapshot = base.again().snapshot().unwrap();
            prop_assert_eq!(&follower.known, &snapshot.versions());
            prop_assert_eq!(&follower.mark, &Store::mark(&snapshot));
        }
    }
}
