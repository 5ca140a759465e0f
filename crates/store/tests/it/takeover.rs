//! State that lies where earlier versions kept it, or where a clone put it.

use lore_core::Kind;
use lore_store::{CommitOptions, Owner, Scope, Store};
use lore_testutils::{TestRepo, start};

use crate::{entry, files};

/// Leaves what an earlier version kept in the work tree.
fn old_state(repo: &TestRepo) {
    drop(Store::init(&Scope::at(&repo.path())).unwrap());
    for (path, text) in [
        (".gitignore", "*\n"),
        ("config.toml", "[git]\ncommit = true\n"),
        ("queue.jsonl", "{}\n"),
        ("usage/2026-02.tsv", "old\n"),
        ("context/sessions/1.json", "{}"),
        ("index/passages/meta.json", "{}"),
        ("staging/journal", "a promise of another version"),
        ("staging/3-0", "a text on its way"),
        ("cache/entries", "a cache"),
        ("lock", ""),
    ] {
        repo.write(&format!(".lore/{path}"), text);
    }
}

#[test]
fn old_state_is_taken_over_once() {
    let repo = TestRepo::with_git();
    old_state(&repo);
    repo.write(".git/lore/knowledge/usage/2026-02.tsv", "new\n");
    let store = Store::open(&Scope::at(&repo.path())).unwrap();
    // Settings would be believed where state lies, and whoever put the folder there may have put them.
    assert_eq!(files(&repo.join(".lore")).keys().collect::<Vec<_>>(), ["config.toml"]);
    let state = |path: &str| repo.read(&format!(".git/lore/knowledge/{path}"));
    assert_eq!((state("queue.jsonl"), state("usage/2026-02.tsv")), ("{}\n".into(), "old\nnew\n".into()));
    assert_eq!(state("cache/index/passages/meta.json"), "{}");
    assert_eq!(state("rescued/staging-1/3-0"), "a text on its way");
    let codes = |store: &Store| store.oddities().into_iter().map(|found| found.code).collect::<Vec<_>>();
    assert_eq!(codes(&store), ["old-settings"]);
    assert_eq!(codes(&Store::open(&Scope::at(&repo.path())).unwrap()), ["old-settings"]);
    std::fs::remove_file(repo.join(".lore/config.toml")).unwrap();
    assert!(codes(&Store::open(&Scope::at(&repo.path())).unwrap()).is_empty());
    assert!(store.snapshot().unwrap().is_empty());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for path in ["queue.jsonl", "usage/2026-02.tsv", "context/sessions/1.json"] {
            let meta = std::fs::metadata(repo.join(".git/lore/knowledge").join(path)).unwrap();
            assert_eq!(meta.permissions().mode() & 0o777, 0o600, "{path}");
        }
    }
}

#[test]
fn what_is_not_ours_in_the_old_folder_stays() {
    let repo = TestRepo::with_git();
    old_state(&repo);
    repo.write(".lore/notes.txt", "a person's");
    drop(Store::open(&Scope::at(&repo.path())).unwrap());
    assert_eq!(files(&repo.join(".lore")).keys().collect::<Vec<_>>(), ["config.toml", "notes.txt"]);
}

/// A clone brought a folder of state, and whoever listed its entries acted on what lay there.
#[test]
fn state_that_came_with_a_clone_is_left_alone() {
    let repo = TestRepo::with_git();
    old_state(&repo);
    repo.git(&["add", "--force", "--all"]);
    repo.git(&["commit", "--quiet", "-m", "a trap"]);
    let before = files(&repo.join(".lore"));
    for _ in 0..2 {
        let store = Store::open(&Scope::at(&repo.path())).unwrap();
        store.snapshot().unwrap();
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        let title = format!("Entry {}", store.snapshot().unwrap().len());
        transaction.create(entry(Kind::Fact, &title)).unwrap();
        transaction.commit(&CommitOptions::default()).unwrap();
        let odd = store.oddities();
        assert_eq!(odd.len(), 1, "{odd:?}");
        assert!(odd[0].code == "old-state" && odd[0].message.contains("git tracks it"), "{odd:?}");
        assert_eq!(files(&repo.join(".lore")), before);
        assert!(!repo.join(".git/lore/knowledge/queue.jsonl").exists());
    }
}

#[cfg(unix)]
#[test]
fn an_old_folder_behind_a_link_is_left_alone() {
    let elsewhere = TestRepo::with_git();
    old_state(&elsewhere);
    let before = files(&elsewhere.join(".lore"));
    let repo = TestRepo::with_git();
    std::os::unix::fs::symlink(elsewhere.join(".lore"), repo.join(".lore")).unwrap();
    let store = Store::init(&Scope::at(&repo.path())).unwrap();
    drop(store.begin(&Owner::machine("test"), start()).unwrap());
    assert!(store.oddities()[0].message.contains("symbolic link"));
    assert_eq!(files(&elsewhere.join(".lore")), before);
}
