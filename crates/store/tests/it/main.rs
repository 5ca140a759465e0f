//! The store through its public face: what it promises to people and to the crates above.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests play the people who change files")]

mod bad_input;
mod format;
mod git;
mod hostile;
mod import;
mod index;
mod look;
mod merging;
mod migrate;
mod okf;
mod people;
mod scope;
mod survive;
mod takeover;
mod transaction;
mod undo;

use std::collections::BTreeMap;
use std::path::Path;

use lore_core::{Detail, Entry, EntryId, Kind, Lesson, Source, Voice};
use lore_store::git::Git;
use lore_store::{CommitOptions, Committed, Owner, Scope, Store, Transaction, Written};
use lore_testutils::{TestRepo, git_environment, start};

/// A base in a throw-away folder.
struct Base {
    repo: TestRepo,
    store: Store,
}

impl Base {
    fn new() -> Base {
        Base::over(TestRepo::new())
    }

    fn with_git() -> Base {
        Base::over(TestRepo::with_git())
    }

    fn over(repo: TestRepo) -> Base {
        let store = open(&repo.path());
        Base { repo, store }
    }

    /// Opens the base as another process would.
    fn again(&self) -> Store {
        open(&self.repo.path())
    }

    fn write(&self, change: impl FnOnce(&mut Transaction<'_>)) -> Committed {
        self.write_as(&Owner::machine("test"), change)
    }

    fn write_as(&self, owner: &Owner, change: impl FnOnce(&mut Transaction<'_>)) -> Committed {
        let mut transaction = self.store.begin(owner, start()).unwrap();
        change(&mut transaction);
        transaction.commit(&CommitOptions::default()).unwrap()
    }

    fn create(&self, entry: Entry) -> Written {
        let mut written = None;
        self.write(|transaction| written = Some(transaction.create(entry).unwrap()));
        written.unwrap()
    }

    /// Reads every file of the base.
    fn files(&self) -> BTreeMap<String, String> {
        files(&self.repo.join("knowledge"))
    }

    fn knowledge(&self, path: &str) -> String {
        self.repo.read(&format!("knowledge/{path}"))
    }
}

fn open(project: &Path) -> Store {
    let store = Store::init(&Scope::at(project)).unwrap();
    let git = Git::discover(store.root()).map(|git| git.with_environment(git_environment()));
    store.with_git(git)
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for item in std::fs::read_dir(next).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned());
            }
        }
    }
    found
}

fn id(kind: Kind, title: &str) -> EntryId {
    EntryId::new(kind, jiff::civil::date(2026, 2, 20), title)
}

fn entry(kind: Kind, title: &str) -> Entry {
    Entry {
        body: format!("{title}, as was said.\n"),
        description: Some(format!("About: {title}.")),
        sources: vec![Source::new("session://claude/s-1#L4", Voice::Person)],
        ..Entry::new(id(kind, title), kind, title)
    }
}

/// One entry of every kind.
fn one_of_each() -> Vec<Entry> {
    Kind::ALL
        .into_iter()
        .map(|kind| {
            let mut entry = entry(kind, &format!("A {kind} of note"));
            if kind == Kind::Lesson {
                let category = Some("tooling".to_owned());
                entry.detail = Detail::Lesson(Lesson { category, ..Lesson::default() });
            }
            entry
        })
        .collect()
}
