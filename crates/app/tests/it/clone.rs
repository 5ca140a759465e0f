//! Reading in a fresh clone leaves no trace, and reading works where nothing can be written.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::desk::{Desk, Run};

/// Every way to read; each with what it is for where it needs something.
const READING: &[&[&str]] = &[
    &[],
    &["list"],
    &["list", "--json"],
    &["show", "use-postgresql"],
    &["status"],
    &["check"],
    &["query", "database of the booking service"],
    &["ask", "which database does the booking service use?"],
    &["brief", "the booking service writes to the database"],
    &["context", "--prompt", "which database does the booking service use?"],
    &["surface", "--role", "planner", "--task", "write bookings to the database"],
    &["related", "use-postgresql"],
    &["export"],
    &["fresh"],
    &["fresh", "--suggest"],
    &["review"],
    &["sessions", "--sessions", "."],
    &["candidates", "--sessions", "."],
    &["curate", "--dry-run", "--sessions", "."],
    &["usage"],
    &["agents"],
    &["config", "list"],
    &["schedule"],
    &["model"],
    &["install", "claude-code", "--dry-run"],
];

fn desk() -> Desk {
    let desk = Desk::with_base();
    let new = |title: &str, kind: &str, body: &str| {
        let run = desk.lore(&["new", title, "--type", kind, "--body", body]);
        assert_eq!(run.code, 0, "{run}");
    };
    new("Use PostgreSQL", "decision", "PostgreSQL is the database of the booking service.");
    new("Never use floating point for money", "preference", "Never use floating point for money; use cents.");
    desk.git(&["add", "--all"]);
    desk.git(&["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "knowledge"]);
    desk
}

fn clone(desk: &Desk) -> PathBuf {
    let target = desk.home().with_file_name("clone");
    desk.git(&["clone", "-q", ".", &target.display().to_string()]);
    target
}

fn read(desk: &Desk, folder: &Path, arguments: &[&str]) -> Run {
    let folder = folder.display().to_string();
    desk.lore(&[&["-C", &folder], arguments].concat())
}

fn hook(desk: &Desk, folder: &Path, event: &str, mut message: serde_json::Value) -> Run {
    message["session_id"] = "7ed57110-1d7d-5b88-bddd-7e2ab3274e37".into();
    message["hook_event_name"] = event.into();
    message["cwd"] = folder.display().to_string().into();
    desk.told(&message.to_string(), &["hook", "claude-code", event])
}

fn seen_by_git(folder: &Path) -> String {
    let arguments = ["status", "--porcelain", "--ignored", "--untracked-files=all"];
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().expect("git can be run");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// After any command that reads, `.lore/` stood in `git status`, and `git add --all` took what sessions
/// had said.
#[test]
fn reading_leaves_nothing_that_git_sees() {
    let desk = desk();
    let clone = clone(&desk);
    for arguments in READING {
        let run = read(&desk, &clone, arguments);
        assert!(run.code <= 1, "{arguments:?}: {run}");
        assert_eq!(seen_by_git(&clone), "", "after {arguments:?}");
    }
    let start = hook(&desk, &clone, "SessionStart", json!({ "source": "startup" }));
    assert!(start.code == 0 && start.out.contains("floating point"), "{start}");
    let prompt = json!({ "prompt": "Which database does the booking service use?" });
    assert!(hook(&desk, &clone, "UserPromptSubmit", prompt).out.contains("PostgreSQL"));
    assert_eq!(hook(&desk, &clone, "SessionEnd", json!({ "reason": "clear" })).code, 0);
    assert_eq!(seen_by_git(&clone), "", "after the hooks");
    assert!(clone.join(".git/lore/knowledge").is_dir());
}

/// A hook has a few milliseconds; where the state lies is found without starting git.
#[cfg(unix)]
#[test]
fn a_hook_starts_no_git() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = desk();
    let git = desk.home().join("bin/git");
    std::fs::create_dir_all(desk.home().join("bin")).expect("a folder can be made");
    std::fs::write(&git, "#!/bin/sh\necho \"$@\" >> \"$HOME/asked\"\nexit 1\n").expect("can be written");
    std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).expect("can be made runnable");
    let path = desk.home().join("bin").display().to_string();
    let project = desk.project().display().to_string();
    let told = |event: &str, mut message: serde_json::Value| {
        message["session_id"] = "7ed57110-1d7d-5b88-bddd-7e2ab3274e37".into();
        message["hook_event_name"] = event.into();
        message["cwd"] = project.clone().into();
        desk.told_with(&message.to_string(), &["hook", "claude-code", event], &[("PATH", &path)])
    };
    let prompt = json!({ "prompt": "Which database does the booking service use?" });
    // The index is there, so that no worker is started to make it.
    answers(&desk, &desk.project(), "before");
    for _ in 0..2 {
        assert_eq!(told("SessionStart", json!({ "source": "startup" })).code, 0);
        assert_eq!(told("UserPromptSubmit", prompt.clone()).code, 0);
    }
    let asked = std::fs::read_to_string(desk.home().join("asked")).unwrap_or_default();
    assert_eq!(asked, "", "git was started");
}

/// What must be answered whether or not anything can be remembered, and a word of the answer.
const ANSWERS: &[(&[&str], &str)] = &[
    (&["list"], "Use PostgreSQL"),
    (&["show", "use-postgresql"], "PostgreSQL is the database"),
    (&["query", "database of the booking service"], "Use PostgreSQL"),
    (&["ask", "which database does the booking service use?"], "PostgreSQL"),
    (&["brief", "the booking service writes to the database"], "PostgreSQL"),
    (&["context", "--prompt", "which database does the booking service use?"], "PostgreSQL"),
];

fn answers(desk: &Desk, folder: &Path, how: &str) {
    for (arguments, word) in ANSWERS {
        let run = read(desk, folder, arguments);
        assert!(
            run.code == 0 && run.out.contains(word) && !run.err.contains("cannot"),
            "{how}, {arguments:?}: {run}"
        );
    }
    // A hook answers from the index that is there, and never fails.
    let start = hook(desk, folder, "SessionStart", json!({ "source": "startup" }));
    assert!(start.code == 0 && start.err.is_empty(), "{how}: {start}");
    let is_ready = folder.join(".git/lore/knowledge/cache/index").is_dir();
    assert!(!is_ready || start.out.contains("floating point"), "{how}: {start}");
}

/// Where the folder of state could not be written, `query`, `ask` and `context` failed, and gave the
/// index as the reason. A file in its place cannot be written by anybody, not even by root.
#[test]
fn reading_works_where_no_state_can_be_kept() {
    let desk = desk();
    let clone = clone(&desk);
    std::fs::write(clone.join(".git/lore"), "not a folder").expect("a file can be written");
    answers(&desk, &clone, "a file for a folder");
    let refused = read(&desk, &clone, &["new", "A title", "--body", "Some text."]);
    assert!(refused.code == 3 && refused.err.contains("is not a folder"), "{refused}");
    assert!(read(&desk, &clone, &["check"]).out.contains("is not a folder"));
    assert_eq!(seen_by_git(&clone), "");
}

/// The same where the state belongs to another user: it is read and not written.
#[cfg(unix)]
#[test]
fn the_state_of_another_user_is_read_and_not_written() {
    let desk = desk();
    let clone = clone(&desk);
    answers(&desk, &clone, "as ourselves");
    let state = clone.join(".git/lore/knowledge");
    if std::os::unix::fs::chown(&state, Some(12_345), None).is_err() {
        // Only root can give a folder away; for others the test above has to do.
        return;
    }
    let before = listing(&state);
    answers(&desk, &clone, "another's");
    assert_eq!(listing(&state), before);
    let refused = read(&desk, &clone, &["new", "A title", "--body", "Some text."]);
    assert!(refused.code == 3 && refused.err.contains("another user"), "{refused}");
    assert!(refused.err.contains("hint: you may not write there"), "{refused}");
    // What changed since is found all the same.
    let file = clone.join("knowledge/decisions/use-postgresql.md");
    let text = std::fs::read_to_string(&file).expect("is there").replace("database", "zeppelin");
    std::fs::write(&file, text).expect("can be written");
    let run = read(&desk, &clone, &["query", "zeppelin"]);
    assert!(run.code == 0 && run.out.contains("Use PostgreSQL"), "{run}");
    assert_eq!(listing(&state), before);
}

/// A fresh index was refused because the lock of the search engine could not be made. Folders in the
/// place of its lock files are what no user can write.
#[test]
fn a_fresh_index_serves_where_it_cannot_be_locked() {
    let desk = desk();
    let clone = clone(&desk);
    answers(&desk, &clone, "before");
    for shelf in ["entries", "passages"] {
        for lock in [".tantivy-meta.lock", ".tantivy-writer.lock", ".lore-writer.lock"] {
            let path = clone.join(".git/lore/knowledge/cache/index").join(shelf).join(lock);
            let _ = std::fs::remove_file(&path);
            std::fs::create_dir(&path).expect("a folder can be made");
        }
    }
    answers(&desk, &clone, "without locks");
    let file = clone.join("knowledge/decisions/use-postgresql.md");
    let text = std::fs::read_to_string(&file).expect("is there").replace("database", "zeppelin");
    std::fs::write(&file, text).expect("can be written");
    let run = read(&desk, &clone, &["query", "zeppelin"]);
    assert!(run.code == 0 && run.out.contains("Use PostgreSQL"), "{run}");
}

/// Lists every file below a folder with its size.
fn listing(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for item in std::fs::read_dir(next).expect("can be listed").flatten() {
            let meta = item.path().symlink_metadata().expect("is there");
            if meta.is_dir() {
                open.push(item.path());
            }
            found.push((item.path(), if meta.is_dir() { 0 } else { meta.len() }));
        }
    }
    found.sort();
    found
}

/// `git.commit` was set and git refused: the command ended with 0 and said nothing.
#[test]
fn a_commit_that_git_refuses_is_said() {
    let desk = desk();
    assert_eq!(desk.lore(&["config", "set", "git.commit", "true", "--whose", "checkout"]).code, 0);
    let refused = |why: &str| {
        let run = desk.lore(&["new", &format!("About {}", why.len()), "--body", "A text of its own."]);
        assert!(run.code == 1 && run.err.contains(why), "{why}: {run}");
        assert!(run.err.contains("the knowledge is written"), "{run}");
        let shown = desk.lore(&["show", &format!("about-{}", why.len())]);
        assert_eq!(shown.code, 0, "{shown}");
    };
    // Nobody has said who the author is.
    desk.git(&["config", "user.useConfigOnly", "true"]);
    refused("git commit");
    desk.git(&["config", "user.name", "a"]);
    desk.git(&["config", "user.email", "a@example.org"]);
    desk.write(".git/MERGE_HEAD", "");
    refused("a merge is under way");
    std::fs::remove_file(desk.project().join(".git/MERGE_HEAD")).expect("is there");
    desk.write(".git/index.lock", "");
    refused("index.lock");
    std::fs::remove_file(desk.project().join(".git/index.lock")).expect("is there");
    assert_eq!(desk.lore(&["new", "Again", "--body", "This is committed."]).code, 0);
}

/// A tracked journal was carried out by `lore list` and by the hooks: it wrote where it liked.
#[test]
fn a_folder_of_state_in_a_clone_is_not_read() {
    let desk = desk();
    desk.write(".lore/config.toml", "[query]\nlimit = 1\n");
    desk.write(".lore/staging/journal", "whatever");
    desk.git(&["add", "--force", "--all"]);
    desk.git(&["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a trap"]);
    let clone = clone(&desk);
    answers(&desk, &clone, "with a trap");
    let run = read(&desk, &clone, &["config", "get", "query.limit"]);
    assert!(run.code == 0 && !run.out.contains("= 1\n"), "{run}");
    let check = read(&desk, &clone, &["check"]);
    assert!(check.code == 1 && check.out.contains("git tracks it"), "{check}");
    assert_eq!(seen_by_git(&clone), "");
}
