//! Journals that somebody else made: whatever they say, nothing of it happens.
//!
//! A journal that came with a clone was carried out by whoever listed the entries: it wrote a file in
//! the home folder, put an executable into `.git/hooks` and deleted a file outside. The state lies
//! elsewhere now; a journal that is wrong in any of these ways is not believed there either.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use lore_core::{ContentHash, Kind};
use lore_store::{CommitOptions, Depth, Owner, Point, Scope, Store};
use lore_testutils::{TestRepo, start};
use serde_json::Value;

use crate::{entry, files};

/// A base in which a writer died after its promise, and something beside it that is not ours to touch.
struct Scene {
    repo: TestRepo,
    victim: TestRepo,
}

impl Scene {
    fn new(repo: TestRepo) -> Scene {
        let die = |point| if point == Point::Promised { Err(io::Error::other("died")) } else { Ok(()) };
        let store = Store::init(&Scope::at(&repo.path())).unwrap();
        let mut first = store.begin(&Owner::machine("test"), start()).unwrap();
        first.create(entry(Kind::Decision, "Kept")).unwrap();
        first.commit(&CommitOptions::default()).unwrap();
        let store = store.with_fault(Arc::new(die));
        let mut second = store.begin(&Owner::machine("test"), start()).unwrap();
        second.create(entry(Kind::Decision, "Promised")).unwrap();
        assert!(second.commit(&CommitOptions::default()).is_err());
        let victim = TestRepo::new();
        victim.write("secret.md", "theirs");
        Scene { repo, victim }
    }

    fn scope(&self) -> Scope {
        Scope::at(&self.repo.path())
    }

    /// Changes the promise of a new decision, with a checksum that fits.
    fn forge(&self, change: impl Fn(&mut Value)) {
        let path = self.scope().work.join("staging/journal");
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, json) = text.split_once('\n').unwrap();
        let mut journal: Value = serde_json::from_str(json).unwrap();
        let steps = journal["steps"].as_array_mut().unwrap();
        let step = steps.iter_mut().find(|step| step["path"] == "decisions/promised.md").unwrap();
        change(step);
        let json = journal.to_string();
        let head = head.rsplit_once(' ').unwrap().0;
        std::fs::write(path, format!("{head} {}\n{json}", ContentHash::of(json.as_bytes()))).unwrap();
    }

    /// Everything that must stay as it is: the base, the victim, and what git has.
    fn world(&self) -> BTreeMap<String, String> {
        let mut all = files(&self.victim.path());
        all.extend(
            files(&self.repo.path())
                .into_iter()
                .filter(|(path, _)| !path.contains("lore/knowledge/") && !path.starts_with(".lore/")),
        );
        all
    }
}

fn read_in_every_way(store: &Store) {
    let snapshot = store.snapshot().unwrap();
    assert!(snapshot.find("dec-2026-02-20-promised").is_none());
    let known = snapshot.find("dec-2026-02-20-kept").unwrap();
    // Where a link was put in its place the file is gone; that is an answer too.
    let _ = (snapshot.read(known), snapshot.read_all(), store.get("kept"));
    assert!(store.tombstones().iter().next().is_none() && store.ledger().iter().next().is_none());
    assert!(store.read_state("agents").is_empty());
    let mark = Store::mark(&snapshot);
    store.keep(store.before(), &snapshot);
    let _ = (store.look(&mark, Depth::Files), store.look_at(&mark, &["decisions/kept.md"]));
}

fn check(name: &str, deed: impl Fn(&Scene)) {
    for repo in [TestRepo::new(), TestRepo::with_git()] {
        let scene = Scene::new(repo);
        deed(&scene);
        let before = scene.world();
        let store = Store::open(&scene.scope()).unwrap();
        assert_eq!(store.oddities().len(), 1, "{name}: {:?}", store.oddities());
        for _ in 0..2 {
            read_in_every_way(&store);
            assert_eq!(scene.world(), before, "{name}: a reader acted on it");
        }
        assert!(!scene.scope().work.join("journal.refused-1").exists(), "{name}: a reader put it aside");
        drop(store.begin(&Owner::machine("test"), start()).unwrap());
        assert_eq!(scene.world(), before, "{name}: a writer acted on it");
        let odd = store.oddities();
        assert_eq!(odd.len(), 1, "{name}: {odd:?}");
        assert!(odd[0].place.file.ends_with("journal.refused-1"), "{name}: {odd:?}");
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        transaction.create(entry(Kind::Fact, "Later")).unwrap();
        transaction.commit(&CommitOptions::default()).unwrap();
        assert_eq!(scene.victim.read("secret.md"), "theirs", "{name}");
        assert_eq!(files(&scene.victim.path()).len(), 1, "{name}");
    }
}

#[test]
fn a_promise_to_write_elsewhere_is_not_kept() {
    for path in [
        "../victim.md",
        "decisions/../../victim.md",
        ".git/hooks/post-checkout",
        ".bashrc",
        "a\\..\\b.md",
        "",
    ] {
        check(path, |scene| scene.forge(|step| step["path"] = path.into()));
    }
    check("absolute", |scene| {
        let target = scene.victim.join("secret.md").display().to_string();
        scene.forge(|step| step["path"] = target.clone().into());
    });
    check("removal", |scene| {
        let target = scene.victim.join("secret.md").display().to_string();
        scene.forge(|step| {
            step["path"] = target.clone().into();
            step["staged"] = Value::Null;
            step["after"] = Value::Null;
        });
    });
}

#[test]
fn a_promise_of_files_that_are_not_staged_is_not_kept() {
    for name in ["../../../secret", "/etc/passwd", "2-0/x", "journal", "..", ""] {
        check(name, |scene| scene.forge(|step| step["staged"] = name.into()));
    }
}

#[test]
fn a_damaged_or_foreign_journal_is_not_carried_out() {
    let change = |scene: &Scene, from: &str, to: &str| {
        let path = scene.scope().work.join("staging/journal");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from));
        std::fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    check("checksum", |scene| change(scene, "decisions/promised.md", "decisions/forged.md"));
    check("version", |scene| change(scene, "lore-journal 2", "lore-journal 9"));
    check("no version", |scene| change(scene, "lore-journal 2 ", ""));
    check("no head", |scene| change(scene, "lore-journal", "promise"));
    check("touched", |scene| {
        let path = scene.scope().work.join("staging/journal");
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, json) = text.split_once('\n').unwrap();
        let mut journal: Value = serde_json::from_str(json).unwrap();
        journal["recent"][0][1] = serde_json::json!(["../../secret.md"]);
        let json = journal.to_string();
        let head = head.rsplit_once(' ').unwrap().0;
        std::fs::write(path, format!("{head} {}\n{json}", ContentHash::of(json.as_bytes()))).unwrap();
    });
}

#[cfg(unix)]
#[test]
fn nothing_is_promised_read_or_emptied_through_a_link() {
    use std::os::unix::fs::symlink;
    check("a link on the way", |scene| {
        let folder = scene.repo.join("knowledge/decisions");
        std::fs::rename(&folder, scene.repo.join("knowledge/project")).unwrap();
        symlink(scene.victim.path(), folder).unwrap();
    });
    check("the staging folder", |scene| {
        let staging = scene.scope().work.join("staging");
        std::fs::remove_dir_all(&staging).unwrap();
        symlink(scene.victim.path(), staging).unwrap();
    });
    check("the journal", |scene| {
        let journal = scene.scope().work.join("staging/journal");
        std::fs::remove_file(&journal).unwrap();
        symlink(scene.victim.join("secret.md"), journal).unwrap();
    });
    check("a staged file", |scene| {
        let staging = scene.scope().work.join("staging");
        for item in std::fs::read_dir(&staging).unwrap().flatten() {
            if item.file_name().to_string_lossy().starts_with("2-") {
                std::fs::remove_file(item.path()).unwrap();
                symlink(scene.victim.join("secret.md"), item.path()).unwrap();
            }
        }
    });
}

#[cfg(unix)]
#[test]
fn the_tracked_state_is_not_read_through_a_link() {
    use std::os::unix::fs::symlink;
    let repo = TestRepo::new();
    let store = Store::init(&Scope::at(&repo.path())).unwrap();
    let elsewhere = repo.write("elsewhere", "dec-2026-02-20-kept\t2026-02-20\thuman\tKept\n");
    symlink(&elsewhere, repo.join("knowledge/.lore/tombstones")).unwrap();
    assert!(store.tombstones().iter().next().is_none());
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry(Kind::Decision, "Kept")).unwrap();
    transaction.remove("dec-2026-02-20-kept", "to be sure").unwrap();
    assert!(transaction.commit(&CommitOptions::default()).is_err());
    assert!(repo.read("elsewhere").starts_with("dec-2026-02-20-kept\t"));
}
