use rusqlite::Connection;

use crate::support::{check, read, write_down};

#[test]
fn exported_sessions_are_read() {
    check("opencode", "export.json");
}

#[test]
fn the_folders_of_old_are_read() {
    check("opencode", "storage/session/0a1b2c/ses_old.json");
}

#[test]
fn damaged_exports_are_read() {
    check("opencode", "torn.json");
    check("opencode", "odd.json");
}

/// Fills a database and reads it, while its writer still holds it open.
fn check_database(name: &str, sql: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("opencode.db");
    let writer = Connection::open(&path).expect("a database");
    writer.execute_batch("PRAGMA journal_mode = WAL;").expect("keeps a log");
    writer.execute_batch(sql).expect("fills it");
    let busy = write_down(&read("opencode", &path));
    drop(writer);
    assert_eq!(write_down(&read("opencode", &path)), busy, "the log beside the file is read too");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, busy);
    });
}

#[test]
fn the_first_model_of_the_database_is_read() {
    check_database("opencode-first-db", include_str!("data/opencode/first.sql"));
}

#[test]
fn the_second_model_of_the_database_is_read() {
    check_database("opencode-second-db", include_str!("data/opencode/second.sql"));
}
