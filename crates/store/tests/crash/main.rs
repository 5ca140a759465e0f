//! Processes that die while they write, and processes that write at once.
//!
//! This program starts itself again as the writer (`worker …`), because what is to be shown is
//! what a killed process leaves behind.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "this is a test without the usual harness")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lore_core::{Entry, EntryId, Kind};
use lore_store::{CommitOptions, Lists, Owner, Point, Scope, Store, Transaction};
use lore_testutils::{TestRepo, start};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["worker", "once", project, point] => {
            die_at(Path::new(project), point.parse().unwrap());
        }
        ["worker", "undo", project, point] => {
            undo_and_die_at(Path::new(project), point.parse().unwrap());
        }
        ["worker", "many", project, name, count] => {
            write_many(Path::new(project), name, count.parse().unwrap());
        }
        ["--list", ..] => {}
        filters => {
            let tests: [(&str, fn()); 5] = [
                ("a_death_between_any_two_steps_leaves_the_old_or_the_new", || any_two_steps(TestRepo::new)),
                ("a_death_in_a_repository_leaves_the_old_or_the_new", || any_two_steps(TestRepo::with_git)),
                ("a_death_while_a_run_is_taken_back_leaves_the_old_or_the_new", while_undoing),
                ("a_death_at_any_moment_loses_nothing", any_moment),
                ("processes_that_write_at_once_lose_nothing", at_once),
            ];
            let names: Vec<&&str> = filters.iter().filter(|word| !word.starts_with('-')).collect();
            for (name, test) in tests {
                if names.is_empty() || names.iter().any(|wanted| name.contains(**wanted)) {
                    test();
                    println!("test {name} ... ok");
                }
            }
        }
    }
}

/// Dies at every point of one transaction in turn.
fn any_two_steps(place: fn() -> TestRepo) {
    let prepared = || {
        let repo = place();
        let store = Store::init(&Scope::at(&repo.path())).unwrap();
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        for title in ["Changed", "Removed", "Kept"] {
            transaction.create(entry(title)).unwrap();
        }
        transaction.commit(&CommitOptions::default()).unwrap();
        repo
    };
    let files = |repo: &TestRepo| read_all(&repo.join("knowledge"));
    let finished = prepared();
    assert!(run(&["once", &text(&finished.path()), "1000000"]).wait().unwrap().success());
    let new = files(&finished);
    let (mut deaths, mut olds, mut news) = (0, 0, 0);
    for point in 0.. {
        let repo = prepared();
        let old = files(&repo);
        if run(&["once", &text(&repo.path()), &point.to_string()]).wait().unwrap().success() {
            assert_eq!(files(&repo), new);
            break;
        }
        deaths += 1;
        let store = Store::open(&Scope::at(&repo.path())).unwrap();
        let titles: Vec<String> = store.snapshot().unwrap().summaries().map(|s| s.title.clone()).collect();
        let now = files(&repo);
        assert!(now == old || now == new, "half of it after a death at point {point}");
        assert_eq!(titles.contains(&"New".to_owned()), now == new);
        news += usize::from(now == new);
        olds += usize::from(now == old);
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        transaction.create(entry("Afterwards")).unwrap();
        transaction.commit(&CommitOptions::default()).unwrap();
    }
    assert!(deaths > 20 && olds > 5 && news > 5, "{deaths} deaths, {olds} old, {news} new");
}

/// Dies at every point of taking a run back: the run stands or is taken back, and its record says which.
fn while_undoing() {
    let prepared = || {
        let repo = TestRepo::new();
        let store = Store::init(&Scope::at(&repo.path())).unwrap();
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        for title in ["Changed", "Removed", "Kept"] {
            transaction.create(entry(title)).unwrap();
        }
        transaction.commit(&CommitOptions::default()).unwrap();
        die_at(&repo.path(), usize::MAX);
        repo
    };
    let files = |repo: &TestRepo| read_all(&repo.join("knowledge"));
    let finished = prepared();
    assert!(run(&["undo", &text(&finished.path()), "1000000"]).wait().unwrap().success());
    let new = files(&finished);
    let (mut olds, mut news) = (0, 0);
    for point in 0.. {
        let repo = prepared();
        let old = files(&repo);
        let ended = run(&["undo", &text(&repo.path()), &point.to_string()]).wait().unwrap().success();
        let store = Store::open(&Scope::at(&repo.path())).unwrap();
        store.snapshot().unwrap();
        let now = files(&repo);
        assert!(now == old || now == new, "half of it after a death at point {point}");
        let sets = store.change_sets();
        let is_told = sets.last().is_some_and(|set| set.undoes.is_some());
        assert_eq!(is_told, now == new, "after a death at point {point} the record tells otherwise");
        assert_eq!(sets.len(), if now == new { 3 } else { 2 });
        news += usize::from(now == new);
        olds += usize::from(now == old);
        if ended {
            break;
        }
        // Whoever comes next can take back whatever stands.
        undo_and_die_at(&repo.path(), usize::MAX);
        assert_eq!(files(&repo) == old, now == new);
    }
    assert!(olds > 5 && news > 5, "{olds} old, {news} new");
}

/// Kills a process that writes without end, again and again, in one base.
fn any_moment() {
    let repo = TestRepo::with_git();
    Store::init(&Scope::at(&repo.path())).unwrap();
    let mut promised = Vec::new();
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..25 {
        let mut worker = run(&["many", &text(&repo.path()), &format!("round-{round}"), "1000"]);
        let mut lines = BufReader::new(worker.stdout.take().unwrap()).lines();
        for _ in 0..round % 4 {
            promised.push(lines.next().unwrap().unwrap());
        }
        // Not a pause but a number: where the process is by then is left to chance.
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (0..chance >> 44).for_each(|number| {
            std::hint::black_box(number);
        });
        worker.kill().unwrap();
        worker.wait().unwrap();
        promised.extend(lines.map_while(Result::ok));
    }
    verify(&repo, &promised);
}

fn at_once() {
    let repo = TestRepo::new();
    Store::init(&Scope::at(&repo.path())).unwrap();
    let workers: Vec<Child> =
        (0..4).map(|number| run(&["many", &text(&repo.path()), &format!("p{number}"), "8"])).collect();
    let mut promised = Vec::new();
    for mut worker in workers {
        promised.extend(BufReader::new(worker.stdout.take().unwrap()).lines().map(Result::unwrap));
        assert!(worker.wait().unwrap().success());
    }
    assert_eq!(promised.len(), 32);
    verify(&repo, &promised);
}

/// Checks that everything promised is there, whole, and that the lists are right.
fn verify(repo: &TestRepo, promised: &[String]) {
    let store = Store::open(&Scope::at(&repo.path())).unwrap();
    let snapshot = store.snapshot().unwrap();
    for id in promised {
        assert!(snapshot.find(id).is_some(), "{id} is lost");
    }
    assert_eq!(snapshot.diagnostics(), []);
    for stored in snapshot.read_all() {
        assert_eq!(
            stored.entry.curated_by,
            lore_core::Curator::Auto,
            "{} does not fit its hash",
            stored.path
        );
    }
    let transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    let options = CommitOptions { lists: Lists::All, ..CommitOptions::default() };
    let committed = transaction.commit(&options).unwrap();
    assert_eq!(committed.files, Vec::<String>::new(), "lists were not right");
    assert_eq!(committed.deleted, []);
}

fn run(arguments: &[&str]) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.arg("worker").args(arguments).stdout(Stdio::piped()).stdin(Stdio::null());
    command.spawn().unwrap()
}

fn die_at(project: &Path, point: usize) {
    let count = AtomicUsize::new(0);
    let die = move |_: Point| {
        if count.fetch_add(1, Ordering::Relaxed) == point {
            std::process::abort();
        }
        Ok(())
    };
    let store = Store::open(&Scope::at(project)).unwrap().with_fault(Arc::new(die));
    let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry("New")).unwrap();
    transaction.remove(id("Removed").as_str(), "wrong").unwrap();
    change(&mut transaction, "Changed");
    transaction.commit(&CommitOptions::default()).unwrap();
}

fn undo_and_die_at(project: &Path, point: usize) {
    let count = AtomicUsize::new(0);
    let die = move |_: Point| {
        if count.fetch_add(1, Ordering::Relaxed) == point {
            std::process::abort();
        }
        Ok(())
    };
    let store = Store::open(&Scope::at(project)).unwrap().with_fault(Arc::new(die));
    let set = store.change_sets().pop().unwrap();
    let mut transaction = store.begin(&Owner::person("ana", "undo"), start()).unwrap();
    let taken = transaction.take_back(&set);
    assert_eq!(taken.left, []);
    transaction.commit(&CommitOptions::default()).unwrap();
}

fn write_many(project: &Path, name: &str, count: usize) {
    let store = Store::open(&Scope::at(project)).unwrap();
    for number in 0..count {
        let title = format!("{name} {number}");
        let mut transaction = store.begin(&Owner::machine("test"), start()).unwrap();
        transaction.create(entry(&title)).unwrap();
        if number > 0 {
            change(&mut transaction, &format!("{name} {}", number - 1));
        }
        transaction.commit(&CommitOptions::default()).unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", id(&title)).and_then(|()| out.flush()).unwrap();
    }
}

fn change(transaction: &mut Transaction<'_>, title: &str) {
    let stored = transaction.get(id(title).as_str()).unwrap();
    let entry = Entry { body: "It is otherwise.\n".to_owned(), ..stored.entry };
    transaction.replace(entry, stored.version).unwrap();
}

fn id(title: &str) -> EntryId {
    EntryId::new(Kind::Fact, jiff::civil::date(2026, 2, 20), title)
}

fn entry(title: &str) -> Entry {
    Entry { body: "It is so.\n".to_owned(), ..Entry::new(id(title), Kind::Fact, title) }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn read_all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            found.extend(read_all(&path));
        } else {
            found.insert(
                text(&path).split_once("knowledge").unwrap().1.to_owned(),
                std::fs::read(&path).unwrap(),
            );
        }
    }
    found
}
