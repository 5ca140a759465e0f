//! Every format that was ever released can still be read; a later one is refused.

use std::path::Path;

use lore_core::{Kind, LinkKind, Status};
use lore_store::{CommitOptions, FORMAT_VERSION, Lists, MigrateError, OpenError, Owner, Scope, Store};
use lore_testutils::{TestRepo, start};

use crate::{Base, files};

/// Copies frozen data of a format to where it can be opened.
fn frozen(version: u32) -> TestRepo {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/v{version}"));
    let repo = TestRepo::new();
    for (path, text) in files(&data) {
        repo.write(&format!("knowledge/{path}"), text);
    }
    repo
}

#[test]
fn version_1_reads_as_it_always_did() {
    let repo = frozen(1);
    let store = Store::open(&Scope::at(&repo.path())).unwrap();
    let snapshot = store.snapshot().unwrap();
    assert_eq!(snapshot.diagnostics(), []);
    assert_eq!(snapshot.len(), 12);
    assert!(Kind::ALL.into_iter().all(|kind| snapshot.summaries().any(|summary| summary.kind == kind)));
    let decision = store.get("dec-2026-02-20-a-decision-of-note").unwrap();
    assert_eq!(
        decision.entry.linked(LinkKind::Related).collect::<Vec<_>>(),
        ["fac-2026-02-20-a-fact-of-note"]
    );
    assert_eq!(store.get("kb-0001").unwrap().entry.status, Status::Disputed);
    assert_eq!(store.tombstones().iter().count(), 1);
    assert_eq!(store.ledger().iter().count(), 1);
}

#[test]
fn version_1_is_what_we_write() {
    let repo = frozen(1);
    let before = files(&repo.join("knowledge"));
    let store = Store::open(&Scope::at(&repo.path())).unwrap();
    let transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    let committed =
        transaction.commit(&CommitOptions { lists: Lists::All, ..CommitOptions::default() }).unwrap();
    // Lists are generated, so a later build may write more into them; nothing else may change.
    let is_list = |path: &str| path.ends_with("index.md");
    assert!(committed.files.iter().all(|path| is_list(path)), "{:?}", committed.files);
    let kept = |files: &std::collections::BTreeMap<String, String>| {
        files.clone().into_iter().filter(|(path, _)| !is_list(path)).collect::<Vec<_>>()
    };
    let after = files(&repo.join("knowledge"));
    assert_eq!(kept(&after), kept(&before));
    let transaction = store.begin(&Owner::machine("test"), start()).unwrap();
    let again = transaction.commit(&CommitOptions { lists: Lists::All, ..CommitOptions::default() }).unwrap();
    assert_eq!(again.files, Vec::<String>::new());
}

#[test]
fn a_later_or_unknown_format_is_refused_untouched() {
    let base = Base::new();
    let check = |text: &str, expected: &str| {
        base.repo.write("knowledge/.lore/format", text);
        let before = base.files();
        let Err(error) = Store::open(&Scope::at(&base.repo.path())) else { panic!("{text} was opened") };
        assert!(matches!(
            error,
            OpenError::Migrate(MigrateError::Newer { .. } | MigrateError::Unknown { .. })
        ));
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(base.files(), before);
    };
    check(&format!("{}\n", FORMAT_VERSION + 1), "has format 2, this build reads up to 1");
    check("0\n", "`0`");
    check("<<<<<<< ours\n1\n", "does not hold a format number");
}
