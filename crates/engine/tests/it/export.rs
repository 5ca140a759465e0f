//! Folders that other programs read: kept in step, harmless, and never at somebody's cost.

use std::path::Path;

use lore_engine::Error;
use lore_engine::entries::{Filter, NewEntry};
use lore_engine::export::{ExportForm, ExportOptions, FolderForm, FolderOptions, FolderWritten};
use lore_engine::review::Ruling;

use crate::stage::Stage;

const FORMS: [FolderForm; 3] = [FolderForm::Adr, FolderForm::Mdbook, FolderForm::Obsidian];

fn add(stage: &Stage, title: &str, supersedes: &[&str]) -> String {
    let new = NewEntry {
        kind: Some(lore_core::Kind::Decision),
        title: title.to_owned(),
        body: format!("{title}, because it is simple."),
        tags: vec!["storage".to_owned()],
        supersedes: supersedes.iter().map(|name| (*name).to_owned()).collect(),
        ..NewEntry::default()
    };
    stage.engine().add(new, false).expect("can be added").id.to_string()
}

fn export(stage: &Stage, form: FolderForm, options: &FolderOptions) -> FolderWritten {
    stage.engine().export_folder(form, Path::new("out"), options).expect("can be exported")
}

fn plain(stage: &Stage, form: FolderForm) -> FolderWritten {
    export(stage, form, &FolderOptions::default())
}

/// Lists the files of the folder, with their texts.
fn files(stage: &Stage) -> std::collections::BTreeMap<String, String> {
    let mut found = std::collections::BTreeMap::new();
    let root = stage.project().join("out");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if item.path().is_dir() {
                folders.push(item.path());
            } else {
                let name = item.path().strip_prefix(&root).expect("is below").display().to_string();
                found.insert(name, std::fs::read_to_string(item.path()).expect("is text"));
            }
        }
    }
    found
}

/// Takes the name of the throw-away project out of a page, and the mark that depends on it.
fn unnamed(stage: &Stage, page: &str) -> String {
    let name = stage.project().file_name().expect("has a name").to_string_lossy().into_owned();
    let (text, _) = page.trim_end().rsplit_once('\n').expect("has a mark");
    text.replace(&name, "[project]")
}

#[test]
fn a_record_of_ours_is_not_read_back_as_somebodys_word() {
    let stage = Stage::new();
    add(&stage, "Keep bookings in SQLite", &[]);
    let folder = Path::new("docs/decisions");
    stage.engine().export_folder(FolderForm::Adr, folder, &FolderOptions::default()).expect("works");
    assert_eq!(stage.engine().everything_written(), [], "it only says what the base says");
    let path = "docs/decisions/0001-keep-bookings-in-sqlite.md";
    let edited = stage.repo.read(path).replace("because it is simple", "because nobody runs a server here");
    stage.repo.write(path, edited);
    let told = stage.engine().everything_written();
    assert!(told.iter().any(|one| one.text.contains("nobody runs a server")), "{told:?}");
}

#[test]
fn a_record_says_nothing_twice() {
    let stage = Stage::new();
    stage
        .engine()
        .remember("We decided to moor at the east pier.", Some(lore_core::Kind::Decision), false)
        .expect("is kept");
    plain(&stage, FolderForm::Adr);
    let record = files(&stage).into_values().next().expect("one is written");
    assert_eq!(record.matches("moor at the east pier").count(), 2, "as title and as decision: {record}");
    assert!(!record.contains("## Context") && !record.contains("[^s1]:"), "{record}");
    assert!(record.contains("## Sources\n\n- A person"), "{record}");
}

#[test]
fn each_form_is_the_same_the_second_time() {
    for form in FORMS {
        let stage = Stage::new();
        let old = add(&stage, "Keep bookings in SQLite", &[]);
        add(&stage, "Keep bookings in PostgreSQL", &[&old]);
        let dry = export(&stage, form, &FolderOptions { dry_run: true, ..FolderOptions::default() });
        assert!(files(&stage).is_empty(), "a rehearsal writes nothing");
        let first = plain(&stage, form);
        assert_eq!((&dry.written, first.entries), (&first.written, 2));
        assert_eq!(files(&stage).len(), first.written.len());
        let before = files(&stage);
        let second = plain(&stage, form);
        assert_eq!(
            (second.written.len(), second.unchanged, second.removed.len()),
            (0, first.written.len(), 0)
        );
        assert_eq!(files(&stage), before);
    }
}

#[test]
fn records_keep_their_numbers_and_name_what_replaced_them() {
    let mut stage = Stage::new();
    let old = add(&stage, "Keep bookings in SQLite", &[]);
    stage.day = 1;
    add(&stage, "Send mails from a queue", &[]);
    plain(&stage, FolderForm::Adr);
    let names: Vec<String> = files(&stage).into_keys().collect();
    assert_eq!(names, ["0001-keep-bookings-in-sqlite.md", "0002-send-mails-from-a-queue.md"]);
    // Somebody else's record takes a number too, and what came later never moves what was there.
    stage.repo.write("out/0007-by-hand.md", "# 7. By hand\n");
    stage.day = 2;
    add(&stage, "Keep bookings in PostgreSQL", &[&old]);
    let done = plain(&stage, FolderForm::Adr);
    assert_eq!(done.written, ["0001-keep-bookings-in-sqlite.md", "0008-keep-bookings-in-postgresql.md"]);
    let all = files(&stage);
    let first = &all["0001-keep-bookings-in-sqlite.md"];
    assert!(
        first.contains(
            "## Status\n\nSuperseded\n\nSuperseded by [8. Keep bookings in PostgreSQL](0008-keep-bookings-in-postgresql.md)"
        ),
        "{first}"
    );
    let last = &all["0008-keep-bookings-in-postgresql.md"];
    assert!(
        last.starts_with("# 8. Keep bookings in PostgreSQL\n\nDate: 2026-02-22\n\n## Status\n\nAccepted\n"),
        "{last}"
    );
    assert!(
        last.contains("Supersedes [1. Keep bookings in SQLite](0001-keep-bookings-in-sqlite.md)"),
        "{last}"
    );
    assert_eq!(all["0007-by-hand.md"], "# 7. By hand\n");
}

#[test]
fn what_no_longer_applies_goes_and_what_is_somebodys_stays() {
    for form in FORMS {
        let stage = Stage::new();
        let gone = add(&stage, "Keep bookings in SQLite", &[]);
        let edited = add(&stage, "Send mails from a queue", &[]);
        plain(&stage, form);
        let path_of = |id: &str| {
            let all = files(&stage);
            let mark = format!(" {id} ");
            all.into_iter().find(|(_, text)| text.contains(&mark)).expect("it has a page").0
        };
        let (gone_path, edited_path) = (path_of(&gone), path_of(&edited));
        let theirs = files(&stage)[&edited_path].replace("because it is simple", "because I say so");
        stage.repo.write(&format!("out/{edited_path}"), &theirs);
        stage.repo.write("out/notes.md", "mine");
        stage.repo.write("out/.hidden/notes.md", "mine");
        stage.engine().review(&gone, Ruling::Reject { why: "wrong".to_owned() }, false).expect("works");
        let done = plain(&stage, form);
        assert_eq!(done.removed, [gone_path.as_str()], "{form:?}");
        assert!(done.theirs.contains(&edited_path), "{done:?}");
        let all = files(&stage);
        assert!(!all.contains_key(&gone_path));
        assert_eq!((&all[&edited_path], all["notes.md"].as_str()), (&theirs, "mine"));
        // Also when its entry is gone, what somebody changed is theirs, until they say otherwise.
        stage.engine().review(&edited, Ruling::Reject { why: "wrong".to_owned() }, false).expect("works");
        assert!(plain(&stage, form).theirs.contains(&edited_path));
        let replaced = export(&stage, form, &FolderOptions { replace: true, ..FolderOptions::default() });
        assert!(replaced.removed.contains(&edited_path), "{replaced:?}");
        assert_eq!(files(&stage)["notes.md"], "mine");
    }
}

/// Records in a folder below, and those of another base, were removed.
#[test]
fn other_exports_are_left() {
    let stage = Stage::new();
    add(&stage, "Rows are stored in one file", &[]);
    let into = |stage: &Stage, folder: &str| {
        stage.engine().export_folder(FolderForm::Adr, Path::new(folder), &FolderOptions::default())
    };
    assert_eq!(into(&stage, "out/decisions").expect("can be exported").written.len(), 1);
    assert_eq!(into(&stage, "out").expect("can be exported").removed, Vec::<String>::new());
    let other = Stage::new();
    add(&other, "Lamps are lit by hand", &[]);
    let there = stage.project().join("out");
    let written = into(&other, &there.display().to_string()).expect("can be exported");
    assert_eq!((written.removed.len(), written.theirs.len()), (0, 1), "{written:?}");
}

#[test]
fn a_file_that_stands_in_the_way_is_left() {
    let stage = Stage::new();
    add(&stage, "Keep bookings in SQLite", &[]);
    stage.repo.write("out/book.toml", "[book]\ntitle = \"mine\"\n");
    let replace = FolderOptions { replace: true, ..FolderOptions::default() };
    let done = export(&stage, FolderForm::Mdbook, &replace);
    assert_eq!(done.theirs, ["book.toml"]);
    assert_eq!(files(&stage)["book.toml"], "[book]\ntitle = \"mine\"\n");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let stage = Stage::new();
    add(&stage, "Keep bookings in SQLite", &[]);
    stage.repo.write("elsewhere/keep.md", "mine");
    std::fs::create_dir_all(stage.project().join("out")).expect("works");
    std::os::unix::fs::symlink(stage.project().join("elsewhere"), stage.project().join("out/src"))
        .expect("works");
    let done = stage.engine().export_folder(FolderForm::Mdbook, Path::new("out"), &FolderOptions::default());
    assert!(done.is_err(), "{done:?}");
    let there: Vec<_> = std::fs::read_dir(stage.project().join("elsewhere")).expect("is there").collect();
    assert_eq!(there.len(), 1, "{there:?}");
}

#[test]
fn the_base_itself_is_no_folder_for_pages() {
    let stage = Stage::new();
    let refused = stage.engine().export_folder(
        FolderForm::Obsidian,
        Path::new("knowledge/out"),
        &FolderOptions::default(),
    );
    assert!(matches!(refused, Err(Error::Request { .. })), "{refused:?}");
}

/// What was tagged as private left the base with the plain forms, and its title with links to it.
#[test]
fn what_is_private_is_in_no_form_unless_it_is_asked_for() {
    const SALARY: &str = "---\nid: dec-2026-02-01-the-salary-is-low\ntype: decision\ntitle: The salary is low\nstatus: current\n\
        tags:\n  - Private\ncurated_by: human\n---\n\n# The salary is low\n\nNobody else knows.\n";
    const QUEUE: &str = "---\nid: dec-2026-02-02-mails-go-through-a-queue\ntype: decision\ntitle: Mails go through a queue\nstatus: current\n\
        related:\n  - dec-2026-02-01-the-salary-is-low\ncurated_by: auto\n---\n\n# Mails go through a queue\n\nSo they are never lost.\n\n\
        ## Related\n\n- [The salary is low](salary.md)\n";
    let stage = Stage::new();
    stage.repo.write("knowledge/decisions/salary.md", SALARY);
    stage.repo.write("knowledge/decisions/queue.md", QUEUE);
    let told =
        |text: &str| (text.contains("ails go through a queue"), text.to_lowercase().contains("salary"));
    for private in [false, true] {
        for form in [ExportForm::Markdown, ExportForm::Json] {
            let options = ExportOptions { private, ..ExportOptions::default() };
            let done = stage.engine().export(form, &options).expect("works");
            assert_eq!(told(&done.text), (true, private), "{form:?}: {}", done.text);
            assert_eq!(done.left_out, usize::from(!private));
        }
    }
    for form in FORMS {
        let stage = stage.copied();
        for private in [false, true] {
            let done = export(&stage, form, &FolderOptions { private, ..FolderOptions::default() });
            let all: String = files(&stage).into_values().collect();
            assert_eq!(told(&all), (true, private), "{form:?}: {all}");
            assert_eq!((done.entries, done.left_out), if private { (2, 0) } else { (1, 1) });
        }
    }
}

#[test]
fn a_private_rule_is_not_written_into_the_rules_of_the_project() {
    let stage = Stage::new();
    let page = |name: &str, rule: &str, tag: &str| {
        let text = format!(
            "---\nid: pref-2026-02-01-{name}\ntype: preference\ntitle: {rule}\nstatus: current\ntags:\n  - {tag}\n\
             curated_by: human\n---\n\n# {rule}\n\n{rule}.\n"
        );
        stage.repo.write(&format!("knowledge/preferences/{name}.md"), text);
        format!("pref-2026-02-01-{name}")
    };
    let names = [
        page("mornings", "Never call me before noon", "private/habits"),
        page("tabs", "Always use tabs", "style"),
    ];
    stage.engine().verify(&names, false).expect("works");
    let text = stage.engine().write_rules(false, true).expect("works").text;
    assert!(text.contains("tabs") && !text.contains("noon"), "{text}");
}

#[test]
fn hostile_words_are_harmless_in_every_form() {
    const HOSTILE: &str = "---\nid: dec-2026-02-01-hostile\ntype: decision\ntitle: \"<script>alert(1)</script> ]] [x](javascript:alert(2)) {{#include /etc/passwd}}\"\n\
        status: current\ntags:\n  - \"a: b\\n- c\"\ncurated_by: auto\n---\n\n<img src=x onerror=alert(3)> and `Vec<u8>` and ![x](http://spy.example/p.png).\n\n\
        ## Notes\n\n{{#include ../../secret}}\n\n```dataviewjs\ndv.view()\n```\n\n- ```\n<script>alert(4)</script>\n\n[y]: javascript:alert(5)\n";
    for form in FORMS {
        let stage = Stage::new();
        stage.repo.write("knowledge/decisions/hostile.md", HOSTILE);
        plain(&stage, form);
        let all: String = files(&stage).into_values().collect::<Vec<_>>().join("\n");
        assert!(all.contains("alert(1)") && all.contains("Vec"), "it can still be read: {all}");
        for raw in ["<script", "<img", "](javascript:", "![x](", "[y]: "] {
            assert!(!all.contains(raw), "{form:?}: {raw} in {all}");
        }
        if form == FolderForm::Mdbook {
            assert_eq!(all.matches("{{#").count(), all.matches("\\{{#").count(), "{all}");
        }
        if form == FolderForm::Obsidian {
            assert!(!all.contains("dataviewjs"), "{all}");
        }
    }
}

#[test]
fn notes_and_books_are_what_their_programs_read() {
    let stage = Stage::new();
    let old = add(&stage, "Keep bookings in SQLite", &[]);
    add(&stage, "Keep bookings in PostgreSQL", &[&old]);
    plain(&stage, FolderForm::Obsidian);
    let all = files(&stage);
    insta::assert_snapshot!("note", all["Decisions/Keep bookings in PostgreSQL.md"]);
    insta::assert_snapshot!("notes", unnamed(&stage, &all["Knowledge.md"]));
    let stage = Stage::new();
    let old = add(&stage, "Keep bookings in SQLite", &[]);
    add(&stage, "Keep bookings in PostgreSQL", &[&old]);
    plain(&stage, FolderForm::Mdbook);
    let all = files(&stage);
    insta::assert_snapshot!("summary", unnamed(&stage, &all["src/SUMMARY.md"]));
    insta::assert_snapshot!("page", all["src/decisions/keep-bookings-in-postgresql.md"]);
    assert!(all["book.toml"].parse::<toml::Table>().is_ok(), "{}", all["book.toml"]);
    let signals = Filter { kinds: vec![lore_core::Kind::Signal], ..Filter::default() };
    let none =
        export(&stage, FolderForm::Mdbook, &FolderOptions { filter: signals, ..FolderOptions::default() });
    assert_eq!(none.removed.len(), 2, "what the filter leaves out no longer applies: {none:?}");
}
