//! Commits of exactly what was touched, and what history can be asked.

use lore_core::Kind;
use lore_store::git::{Git, GitError};
use lore_store::{CommitOptions, Committed, Owner, Scope, Store};
use lore_testutils::{TestRepo, git_environment, start};

use crate::{Base, entry};

fn commit(base: &Base, title: &str) -> Committed {
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.create(entry(Kind::Fact, title)).unwrap();
    let options = CommitOptions { git: Some(format!("knowledge: {title}")), ..CommitOptions::default() };
    transaction.commit(&options).unwrap()
}

/// Has git run a script.
fn hook(base: &Base, name: &str, script: &str) {
    let hook = base.repo.write(&format!(".git/hooks/{name}"), format!("#!/bin/sh\n{script}"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    #[cfg(not(unix))]
    drop(hook);
}

#[test]
fn what_the_user_has_staged_stays_staged() {
    let base = Base::with_git();
    base.repo.write("staged.txt", "mine\n");
    base.repo.git(&["add", "staged.txt"]);
    base.repo.write("README.md", "# Changed\n");
    let committed = commit(&base, "First");
    let revision = committed.git.unwrap().unwrap();
    assert_eq!(base.repo.git(&["rev-parse", "HEAD"]).trim(), revision);
    let changed = base.repo.git(&["show", "--name-only", "--format=%s", "HEAD"]);
    insta::assert_snapshot!(changed, @"
    knowledge: First

    knowledge/.lore/manifest/2026-02
    knowledge/index.md
    knowledge/log.md
    knowledge/project/first.md
    knowledge/project/index.md
    ");
    let status =
        base.repo.git(&["status", "--porcelain", "--", "staged.txt", "README.md", "knowledge/project"]);
    assert_eq!(status, " M README.md\nA  staged.txt\n");
    base.write(|transaction| {
        transaction.remove("fac-2026-02-20-first", "wrong").unwrap();
    });
    assert!(commit(&base, "Second").git.unwrap().is_ok());
}

#[test]
fn a_refusing_git_is_reported_and_the_knowledge_is_kept() {
    let base = Base::with_git();
    hook(&base, "pre-commit", "echo no commits on Fridays >&2\nexit 1\n");
    let error = commit(&base, "Kept").git.unwrap().unwrap_err();
    assert!(error.to_string().contains("no commits on Fridays"), "{error}");
    assert!(base.store.get("kept").is_ok());
}

#[test]
fn what_a_refused_commit_announced_is_taken_back() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "Early"));
    base.repo.write("staged.txt", "mine\n");
    base.repo.git(&["add", "staged.txt"]);
    // Somebody announced this one themselves.
    base.repo.git(&["add", "--intent-to-add", "knowledge/log.md"]);
    let before = base.repo.git(&["ls-files", "--stage"]);
    hook(&base, "pre-commit", "exit 1\n");
    assert!(commit(&base, "Kept").git.unwrap().is_err());
    assert_eq!(base.repo.git(&["ls-files", "--stage"]), before);
}

#[test]
fn what_git_never_met_can_be_removed_in_a_commit() {
    let base = Base::with_git();
    base.create(entry(Kind::Fact, "Before"));
    base.create(entry(Kind::Decision, "Other"));
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.remove("fac-2026-02-20-before", "wrong").unwrap();
    let options = CommitOptions { git: Some("knowledge: removed".to_owned()), ..CommitOptions::default() };
    let revision = transaction.commit(&options).unwrap().git.unwrap().unwrap();
    assert_eq!(base.repo.git(&["rev-parse", "HEAD"]).trim(), revision);
    let changed = base.repo.git(&["show", "--name-only", "--format=", "HEAD"]);
    assert!(changed.contains("knowledge/log.md") && !changed.contains("before"), "{changed}");
}

#[cfg(unix)]
#[test]
fn what_a_hook_of_git_rewrites_is_read_again() {
    let base = Base::with_git();
    // The file is older than a tick of the clock when git has ended.
    let format = "sed -i.bak 's/^title: .*/title: Formatted/' knowledge/project/first.md\nsleep 0.03\n";
    hook(&base, "pre-commit", format);
    assert!(commit(&base, "First").git.unwrap().is_ok());
    for store in [&base.store, &base.again()] {
        let snapshot = store.snapshot().unwrap();
        let titles: Vec<&str> = snapshot.summaries().map(|summary| summary.title.as_str()).collect();
        assert_eq!(titles, ["Formatted"]);
    }
}

#[cfg(unix)]
#[test]
fn a_removal_is_committed_where_a_link_leads_to_the_project() {
    let repo = TestRepo::with_git();
    let link = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(repo.path(), link.path().join("way")).unwrap();
    let store = Store::init(&Scope::at(&link.path().join("way"))).unwrap();
    let git = store.git().cloned().map(|git| git.with_environment(git_environment()));
    let base = Base { repo, store: store.with_git(git) };
    assert!(commit(&base, "First").git.unwrap().is_ok());
    let mut transaction = base.store.begin(&Owner::machine("test"), start()).unwrap();
    transaction.remove("fac-2026-02-20-first", "wrong").unwrap();
    let options = CommitOptions { git: Some("knowledge: removed".to_owned()), ..CommitOptions::default() };
    assert!(transaction.commit(&options).unwrap().git.unwrap().is_ok());
    let changed = base.repo.git(&["show", "--name-status", "--format=", "HEAD"]);
    assert!(changed.contains("D\tknowledge/project/first.md"), "{changed}");
}

#[test]
fn without_a_repository_there_is_no_commit_and_no_error() {
    assert!(commit(&Base::new(), "Plain").git.is_none());
}

#[test]
fn what_travels_is_tracked_where_projects_ignore_our_folders() {
    let base = Base::with_git();
    base.repo.write(".gitignore", ".lore/\n");
    assert!(commit(&base, "One").git.unwrap().is_ok());
    base.repo.write(".gitignore", "");
    base.repo.git(&["add", "--all"]);
    let tracked = base.repo.git(&["ls-files"]);
    assert!(!tracked.lines().any(|path| path.starts_with(".lore/")), "{tracked}");
    assert!(tracked.contains("knowledge/.lore/manifest/2026-02"), "{tracked}");
}

#[test]
fn history_remotes_and_worktrees_are_read() {
    let repo = TestRepo::with_git();
    repo.write("a ü.md", "one\n");
    repo.commit("first\twith a tab");
    repo.write("a ü.md", "two\n");
    repo.commit("second");
    repo.git(&["remote", "add", "upstream", "https://example.org/up.git"]);
    repo.git(&["remote", "add", "origin", "https://example.org/own.git"]);
    repo.git(&["worktree", "add", "--quiet", "side", "-b", "side"]);
    let git = Git::discover(&repo.join("side")).unwrap().with_environment(git_environment());
    assert_eq!(git.top(), repo.join("side"));
    assert_eq!(git.common(), repo.join(".git"));
    assert_eq!(git.main_worktree(), Some(repo.path().as_path()));
    assert_eq!(git.worktrees().unwrap(), [repo.path(), repo.join("side")]);
    assert_eq!(git.remote().as_deref(), Some("https://example.org/own.git"));
    let history = git.history(&repo.join("side/a ü.md")).unwrap();
    let subjects: Vec<&str> = history.iter().map(|commit| commit.subject.as_str()).collect();
    assert_eq!(subjects, ["second", "first\twith a tab"]);
    assert_eq!(history[0].at, start());
    assert_eq!(git.root_commit().unwrap(), repo.git(&["rev-list", "--max-parents=0", "HEAD"]).trim());
    let first = &history[1].id;
    let here = Git::discover(&repo.path()).unwrap().with_environment(git_environment());
    repo.write("fresh.md", "new\n");
    assert_eq!(here.changed_since(first, &repo.path()).unwrap(), ["a ü.md", "fresh.md", "side/"]);
    assert!(here.history(&repo.join("no such file")).unwrap().is_empty());
}

/// A commit that we made in the middle of a rebase became part of somebody's history.
#[test]
fn no_commit_gets_into_what_git_is_in_the_middle_of() {
    let signs = [
        "MERGE_HEAD",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
        "BISECT_LOG",
        "rebase-merge/done",
        "rebase-apply/next",
    ];
    for sign in signs {
        let base = Base::with_git();
        base.repo.write(&format!(".git/{sign}"), "");
        let before = base.repo.git(&["rev-parse", "HEAD"]);
        let error = commit(&base, "Kept").git.unwrap().unwrap_err();
        assert!(matches!(error, GitError::UnderWay { .. }), "{sign}: {error}");
        assert_eq!(base.repo.git(&["rev-parse", "HEAD"]), before, "{sign}");
        assert!(base.store.get("kept").is_ok(), "{sign}");
    }
    let base = Base::with_git();
    base.repo.write("README.md", "one");
    base.repo.commit("one");
    base.repo.git(&["bisect", "start"]);
    assert!(matches!(commit(&base, "Kept").git, Some(Err(GitError::UnderWay { what: "bisect" }))));
}

#[cfg(unix)]
#[test]
fn a_git_that_does_not_end_is_stopped_and_leaves_no_lock() {
    let base = Base::with_git();
    hook(&base, "pre-commit", "exec tail -f /dev/null\n");
    let git = base.store.git().unwrap().clone().with_limit(std::time::Duration::from_millis(300));
    let file = base.repo.write("new.md", "new\n");
    let error = git.commit(&[file], "never").unwrap_err();
    assert!(matches!(error, GitError::TooLong { .. }), "{error}");
    assert!(!base.repo.join(".git/index.lock").exists());
}

#[cfg(unix)]
#[test]
fn what_a_hook_leaves_running_is_not_waited_for() {
    let base = Base::with_git();
    hook(&base, "post-commit", "tail -f /dev/null &\necho $! > daemon\n");
    let git = base.store.git().unwrap().clone().with_limit(std::time::Duration::from_secs(5));
    let file = base.repo.write("new.md", "new\n");
    let committed = git.commit(&[file], "once");
    let daemon = base.repo.read("daemon");
    std::process::Command::new("kill").arg(daemon.trim()).status().unwrap();
    assert_eq!(base.repo.git(&["rev-parse", "HEAD"]).trim(), committed.unwrap());
}

/// A folder of a clone that looks like a bare repository could name programs for git to run.
#[test]
fn a_bare_repository_in_the_work_tree_is_not_taken_for_ours() {
    let repo = TestRepo::new();
    lore_testutils::git(&repo.path(), &["init", "--quiet", "--bare", "planted"]);
    std::fs::create_dir_all(repo.join("planted/knowledge")).unwrap();
    assert!(Git::discover(&repo.join("planted/knowledge")).is_none());
}
