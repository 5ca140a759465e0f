//! Writing, reading and removing entries.

use crate::desk::Desk;

fn desk_with_entries() -> Desk {
    let mut desk = Desk::with_base();
    let body = "SQLite is the database of the booking service. One process writes.";
    let run = desk.lore(&["new", "Use SQLite", "--type", "decision", "--body", body, "--tag", "storage/sql"]);
    assert_eq!(run.code, 0, "{run}");
    desk.at("2026-03-01T09:00:00Z");
    let body = "PostgreSQL is the database of the booking service. Two processes write.";
    let run =
        desk.lore(&["new", "Use PostgreSQL", "-t", "decision", "--body", body, "--supersedes", "use-sqlite"]);
    assert_eq!(run.code, 0, "{run}");
    let run = desk.lore(&[
        "new",
        "Short answers",
        "-t",
        "preference",
        "--body",
        "Ada wants short answers.",
        "--file",
        "src/a.rs",
    ]);
    assert_eq!(run.code, 0, "{run}");
    desk
}

#[test]
fn a_new_base_says_what_to_do_next() {
    let desk = Desk::new();
    insta::assert_snapshot!("welcome_without_base", desk.lore(&[]));
    insta::assert_snapshot!("init", desk.lore(&["init"]));
    insta::assert_snapshot!("welcome_empty", desk.lore(&[]));
    insta::assert_snapshot!("list_empty", desk.lore(&["list"]));
}

#[test]
fn entries_are_listed_and_shown() {
    let desk = desk_with_entries();
    insta::assert_snapshot!("list", desk.lore(&["list"]));
    insta::assert_snapshot!("list_json", desk.lore(&["list", "--type", "preference", "--json"]));
    insta::assert_snapshot!("show", desk.lore(&["show", "use-postgresql"]));
    insta::assert_snapshot!("show_superseded", desk.lore(&["show", "use-sqlite"]));
    insta::assert_snapshot!("status", desk.lore(&["status"]));
    insta::assert_snapshot!("export", desk.lore(&["export", "--status", "current"]));
    assert_eq!(desk.lore(&["list", "--file", "src", "--quiet"]).out.lines().count(), 2);
}

#[test]
fn the_file_on_disk_is_a_readable_page() {
    let desk = desk_with_entries();
    insta::assert_snapshot!("file", desk.read("knowledge/decisions/use-postgresql.md"));
    insta::assert_snapshot!("index", desk.read("knowledge/index.md"));
    insta::assert_snapshot!("folder_index", desk.read("knowledge/decisions/index.md"));
    insta::assert_snapshot!("log", desk.read("knowledge/log.md"));
}

#[test]
fn a_removed_entry_is_gone_for_good() {
    let desk = desk_with_entries();
    let rehearsal = desk.lore(&["rm", "short-answers", "--dry-run"]);
    assert!(rehearsal.out.starts_with("would remove"), "{rehearsal}");
    assert_eq!(desk.lore(&["show", "short-answers"]).code, 0);
    insta::assert_snapshot!("rm", desk.lore(&["rm", "short-answers", "--why", "no longer wanted"]));
    assert_eq!(desk.lore(&["show", "short-answers"]).code, 2);
    assert!(desk.read("knowledge/.lore/tombstones").contains("short-answers"));
}

#[test]
fn an_edit_is_checked_and_kept() {
    let desk = desk_with_entries();
    let editor = "sed -i s/Two/Three/";
    let run = desk.run(&["edit", "use-postgresql"], &[("EDITOR", editor)]);
    assert_eq!(run.code, 0, "{run}");
    assert!(desk.read("knowledge/decisions/use-postgresql.md").contains("Three processes write"));
    let run = desk.run(&["edit", "use-postgresql"], &[("EDITOR", "true")]);
    assert!(run.err.contains("Nothing was changed"), "{run}");
}

#[test]
fn verifying_names_the_person() {
    let desk = desk_with_entries();
    let run = desk.run(&["verify", "use-postgresql", "--json"], &[("LORE_USER", "grace")]);
    assert_eq!(run.code, 0, "{run}");
    assert!(desk.read("knowledge/decisions/use-postgresql.md").contains("human:grace"));
}

#[test]
fn a_commit_is_made_when_the_settings_say_so() {
    let desk = desk_with_entries();
    desk.git(&["add", "-A"]);
    desk.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "start"]);
    desk.git(&["config", "user.name", "Ada"]);
    desk.git(&["config", "user.email", "ada@example.org"]);
    assert_eq!(desk.lore(&["config", "set", "git.commit", "true", "--whose", "checkout"]).code, 0);
    let run = desk.lore(&["new", "Third", "--body", "A third entry."]);
    assert_eq!(run.code, 0, "{run}");
    desk.git(&["diff", "--quiet", "HEAD", "--", "knowledge/project"]);
}

#[test]
fn a_worktree_and_a_subfolder_find_the_base() {
    let desk = desk_with_entries();
    desk.write("src/deep/file.rs", "");
    let run = desk.lore(&["-C", "src/deep", "list", "--json"]);
    assert!(run.out.contains("Use PostgreSQL"), "{run}");
}
