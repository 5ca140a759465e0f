use rusqlite::Connection;

use crate::support::{check, read, write_down};

#[test]
fn exported_sessions_are_read() {
    check("goose", "export.json");
}

#[test]
fn old_logs_are_read() {
    check("goose", "20250601_080000.jsonl");
}

#[test]
fn damaged_sessions_are_read() {
    check("goose", "damaged.jsonl");
}

#[test]
fn the_database_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("goose").join("sessions.db");
    std::fs::create_dir(folder.path().join("goose")).expect("a folder");
    let connection = Connection::open(&path).expect("a database");
    connection.execute_batch(include_str!("data/goose/sessions.sql")).expect("fills it");
    drop(connection);
    let sessions = read("goose", &path);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("goose-sessions-db", write_down(&sessions));
    });
}
