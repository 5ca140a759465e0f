//! Dirty bases: every oddity is named, nothing is lost, nothing is written elsewhere.

use lore_core::{Entry, Kind};
use lore_store::{CommitOptions, Owner, Refused};
use lore_testutils::{TestRepo, start};

use crate::{Base, entry, files};

fn codes(base: &Base) -> Vec<(String, String)> {
    let found = base.again().snapshot().unwrap().diagnostics();
    found.into_iter().map(|found| (found.place.file, found.code)).collect()
}

#[test]
fn odd_files_are_named_and_the_rest_is_read() {
    let base = Base::new();
    base.create(entry(Kind::Fact, "Good"));
    base.repo.write("knowledge/project/latin.md", b"---\ntype: fact\ntitle: caf\xe9\n---\n\nA caf\xe9.\n");
    base.repo.write("knowledge/project/huge.md", vec![b'x'; 50 * 1024 * 1024]);
    base.repo.write("knowledge/project/empty.md", "");
    base.repo.write("knowledge/project/folder.md/inside.md", "# Inside\n");
    base.repo.write("knowledge/project/copy.md", base.knowledge("project/good.md"));
    let codes = codes(&base);
    let has = |file: &str, code: &str| codes.iter().any(|(f, c)| f.ends_with(file) && c == code);
    assert!(has("latin.md", "not-utf-8"), "{codes:?}");
    assert!(has("huge.md", "file-too-large"), "{codes:?}");
    assert!(has("empty.md", "empty-file"), "{codes:?}");
    assert!(has("folder.md", "folder-named-md"), "{codes:?}");
    assert!(has("good.md", "duplicate-id"), "{codes:?}");
    let before = base.files();
    base.create(entry(Kind::Fact, "Next"));
    let after = base.files();
    for (path, text) in
        before.iter().filter(|(path, _)| path.starts_with("project/") && !path.ends_with("index.md"))
    {
        assert!(after.get(path) == Some(text), "{path} changed");
    }
    let snapshot = base.store.snapshot().unwrap();
    assert!(snapshot.summaries().any(|summary| summary.path == "project/folder.md/inside.md"));
    let latin = snapshot.resolve("project/latin").unwrap().clone();
    base.write(|transaction| {
        let refused = transaction
            .add_sources(latin.id.as_str(), vec![lore_core::Source::new("x", lore_core::Voice::Web)]);
        assert!(matches!(refused, Err(Refused::NotText(_))), "{refused:?}");
    });
}

#[cfg(unix)]
#[test]
fn links_out_of_the_base_are_neither_read_nor_written_through() {
    use std::os::unix::fs::symlink;
    let outside = TestRepo::new();
    outside.write("secret.md", "# Not yours\n");
    let base = Base::new();
    base.create(entry(Kind::Fact, "Good"));
    symlink(outside.join("secret.md"), base.repo.join("knowledge/project/link.md")).unwrap();
    symlink(outside.path(), base.repo.join("knowledge/decisions")).unwrap();
    let before = files(&outside.path());
    let names: Vec<String> =
        codes(&base).into_iter().filter(|(_, code)| code == "symlink").map(|(file, _)| file).collect();
    assert_eq!(names, ["decisions", "project/link.md"]);
    assert_eq!(base.store.snapshot().unwrap().len(), 1);
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    assert!(matches!(transaction.create(entry(Kind::Decision, "Escape")), Err(Refused::Outside(_))));
    let link = transaction.create(entry(Kind::Fact, "Link")).unwrap();
    assert_eq!(link.path, "project/fac-2026-02-20-link.md", "the name is taken by the link");
    transaction.commit(&CommitOptions::default()).unwrap();
    assert_eq!(files(&outside.path()), before);
}

#[cfg(unix)]
#[test]
fn a_machine_folder_that_is_a_link_is_refused_and_nothing_is_written() {
    use std::os::unix::fs::symlink;
    let outside = TestRepo::new();
    let base = Base::new();
    symlink(outside.path(), base.repo.join("knowledge/.lore/manifest")).unwrap();
    let before = base.files();
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry(Kind::Fact, "Good")).unwrap();
    let error = transaction.commit(&CommitOptions::default()).unwrap_err();
    assert!(error.to_string().contains("nothing was changed"), "{error}");
    assert_eq!(base.files(), before);
    assert_eq!(files(&outside.path()).len(), 0);
}

#[test]
fn strange_titles_stay_inside() {
    let base = Base::new();
    for title in
        ["../../etc/passwd", "a/b\\c:d", "CON", "index", "  .hidden  ", "決定", "x".repeat(500).as_str()]
    {
        base.create(Entry { body: "Text.\n".into(), ..entry(Kind::Fact, title) });
    }
    let snapshot = base.again().snapshot().unwrap();
    assert_eq!(snapshot.len(), 7);
    for summary in snapshot.summaries() {
        assert_eq!(summary.path.matches('/').count(), 1, "{}", summary.path);
        assert!(summary.path.starts_with("project/") && summary.path.len() < 90, "{}", summary.path);
    }
}

#[test]
fn files_of_a_person_with_other_case_are_not_overwritten() {
    let base = Base::new();
    base.repo.write("knowledge/project/Use-Tabs.md", "# Mine\n");
    let written = base.create(entry(Kind::Fact, "Use tabs"));
    assert_eq!(written.path, "project/fac-2026-02-20-use-tabs.md");
}
