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
    let run = desk.run(&["edit", "use-postgresql", "--json"], &[("EDITOR", "true")]);
    let done: serde_json::Value = serde_json::from_str(&run.out).expect("the report is JSON");
    assert_eq!((&done["schema"], &done["changed"]), (&"lore.done/1".into(), &false.into()), "{done}");
    assert_eq!(done["path"], "decisions/use-postgresql.md");
}

#[test]
fn an_editor_may_have_a_space_in_its_name() {
    let desk = desk_with_entries();
    desk.write("my tools/ed", "#!/bin/sh\nsed -i \"s/$1/Three/\" \"$2\"\n");
    let tool = desk.project().join("my tools/ed");
    let run = desk.run(&["edit", "use-postgresql"], &[("EDITOR", &format!("sh \"{}\" Two", tool.display()))]);
    assert_eq!(run.code, 0, "{run}");
    assert!(desk.read("knowledge/decisions/use-postgresql.md").contains("Three processes write"));
    for arguments in [&["edit", "use-postgresql"][..], &["open", "use-postgresql", "--editor"]] {
        let run = desk.run(arguments, &[("EDITOR", "\"no such\" -w")]);
        assert!(run.code == 3 && run.err.contains("hint: set EDITOR"), "{run}");
    }
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

/// A slip in the front matter, a refused secret, a change by somebody else, an editor that is killed:
/// what was typed was thrown away.
#[test]
fn what_was_typed_is_kept_whatever_goes_wrong() {
    let desk = desk_with_entries();
    let path = "knowledge/decisions/use-postgresql.md";
    let before = desk.read(path);
    let editor = |name: &str, script: &str| {
        let file = desk.home().join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a file can be written");
        format!("sh {}", file.display())
    };
    let add = r#"printf 'My long paragraph.\n' >> "$1""#;
    let kept = |run: &crate::desk::Run| {
        assert_ne!(run.code, 0, "{run}");
        assert!(run.err.contains("lore edit --resume"), "{run}");
        let at = run.err.find("kept in `").expect("the place is named") + "kept in `".len();
        let file = run.err[at..].split('`').next().expect("it ends").replace("[desk]", "");
        let file = desk.home().parent().expect("there is a folder").join(file.trim_start_matches('/'));
        let text = std::fs::read_to_string(&file).expect("the text is there");
        assert!(text.contains("My long paragraph."), "{text}");
    };
    let run = |arguments: &[&str], editor: &str| desk.run(arguments, &[("EDITOR", editor)]);

    let slip = editor("slip", &format!("{add}\nsed -i 's/^id: .*/id: [broken/' \"$1\""));
    kept(&run(&["edit", "use-postgresql"], &slip));
    assert_eq!(desk.read(path), before, "nothing half right is put in place");
    let again = run(&["edit", "use-postgresql"], "true");
    assert!(
        again.code == 2 && again.err.contains("--discard"),
        "an unfinished text is not overwritten: {again}"
    );
    let id = before.lines().find(|line| line.starts_with("id: ")).expect("there is an id");
    let mended = editor("mend", &format!("sed -i 's/^id: .*/{id}/' \"$1\""));
    let done = run(&["edit", "--resume"], &mended);
    assert_eq!(done.code, 0, "{done}");
    assert!(desk.read(path).contains("My long paragraph."));
    assert_eq!(run(&["edit", "--resume"], "true").code, 2, "nothing is left to go on with");

    let secret = editor("secret", &format!("{add}\nprintf 'AKIA{}' >> \"$1\"", "IOSFODNN7EXAMPLQ"));
    kept(&run(&["edit", "use-postgresql"], &secret));
    assert_eq!(run(&["edit", "--discard"], "true").code, 0);

    let killed = editor("killed", &format!("{add}\nkill -9 $$"));
    kept(&run(&["edit", "use-postgresql"], &killed));
    assert_eq!(run(&["edit", "--resume"], "true").code, 0);

    let file = desk.project().join(path).display().to_string();
    let meanwhile = editor("meanwhile", &format!("{add}\nprintf 'Somebody else.\\n' >> '{file}'"));
    kept(&run(&["edit", "use-postgresql"], &meanwhile));
    let resumed = run(&["edit", "--resume"], "true");
    assert!(resumed.code == 0 && resumed.err.contains("+ Somebody else."), "{resumed}");
}

/// `--since 7d` and `--since yesterday` were refused.
#[test]
fn a_time_is_taken_as_people_say_it() {
    let desk = desk_with_entries();
    let listed = |since: &str| {
        let run = desk.lore(&["list", "--since", since, "--json"]);
        assert_eq!(run.code, 0, "{run}");
        run.out.matches("\"handle\"").count()
    };
    assert_eq!((listed("2026-01-01"), listed("60d"), listed("2 weeks ago")), (3, 3, 3));
    for command in [
        &["query", "database", "--since", "yesterday"][..],
        &["curate", "--since", "last month", "--dry-run"],
        &["ask", "which database?", "--as-of", "yesterday", "--no-sessions"],
        &["export", "--since", "7d"],
    ] {
        assert!(desk.lore(command).code <= 1, "{command:?}: {}", desk.lore(command));
    }
    assert_eq!(desk.lore(&["list", "--since", "soon"]).code, 2);
}

#[test]
fn why_tells_whose_words_it_rests_on_and_which_runs_touched_it() {
    let desk = Desk::with_base();
    let new = ["new", "Use PostgreSQL", "--type", "decision", "--body", "Bookings live in PostgreSQL."];
    assert_eq!(desk.lore(&new).code, 0);
    insta::assert_snapshot!("why", desk.lore(&["why", "use-postgresql"]));
    let json: serde_json::Value =
        serde_json::from_str(&desk.lore(&["why", "use-postgresql", "--json"]).out).expect("is JSON");
    assert_eq!(json["runs"][0]["what"], "added", "{json}");
    assert_eq!(desk.lore(&["why", "no-such-entry"]).code, 2);
}

/// People type what other tools taught them.
#[test]
fn what_people_type_is_understood() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["add", "Use PostgreSQL", "--body", "Bookings live in PostgreSQL."]).code, 0);
    for words in [["search", "where do bookings live"], ["find", "bookings"], ["view", "use-postgresql"]] {
        assert_eq!(desk.lore(&words).code, 0, "{words:?}");
    }
    assert_eq!(desk.lore(&["confirm", "use-postgresql"]).code, 0);
    assert_eq!(desk.lore(&["remove", "use-postgresql", "--why", "a test"]).code, 0);
}

#[test]
fn every_command_has_a_manual_page() {
    let desk = Desk::new();
    let run = desk.lore(&["man", "--out", "pages"]);
    assert_eq!(run.code, 0, "{run}");
    let pages = std::fs::read_dir(desk.project().join("pages")).expect("is there").count();
    assert!(pages > 50, "{pages} pages");
    let page = desk.lore(&["man", "install"]);
    assert!(page.out.contains("dry\\-run"), "{page}");
    assert_eq!(desk.lore(&["man", "nothing"]).code, 2);
}

/// A public repository means a public base; nobody was told.
#[test]
fn whoever_shares_the_repository_is_told_that_the_base_goes_along() {
    let desk = Desk::new();
    desk.git(&["remote", "add", "origin", "https://github.com/example/ferry.git"]);
    let run = desk.lore(&["init"]);
    assert!(run.err.contains("github.com/example/ferry") && run.err.contains("sessions.exclude"), "{run}");
    assert!(!Desk::new().lore(&["init"]).err.contains("Mind:"));
}
