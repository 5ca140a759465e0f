use std::path::Path;

use lore_capture::readers;
use rusqlite::Connection;

use crate::support::{check, read, write_down};

#[test]
fn agent_transcripts_are_read() {
    check("cursor", "projects/home-mira-ferry/agent-transcripts/c0c0/c0c0.jsonl");
}

#[test]
fn subagents_name_their_parent() {
    check("cursor", "projects/home-mira-ferry/agent-transcripts/c0c0/subagents/d0d0.jsonl");
}

#[test]
fn damaged_transcripts_are_read() {
    check("cursor", "damaged.jsonl");
}

#[test]
fn transcripts_belong_to_the_folder_in_their_path() {
    let cursor = readers().iter().find(|reader| reader.agent() == "cursor").expect("is registered");
    let path = Path::new("/h/.cursor/projects/home-mira-ferry/agent-transcripts/x.jsonl");
    assert_eq!(cursor.belongs(path, &[Path::new("/home/mira/ferry")]), Some(true));
    assert_eq!(cursor.belongs(path, &[Path::new("/home/mira/other")]), Some(false));
    assert_eq!(cursor.belongs(Path::new("/h/state.vscdb"), &[]), None);
}

#[test]
fn the_editors_database_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.vscdb");
    let connection = Connection::open(&path).expect("a database");
    connection.execute_batch(include_str!("data/cursor/state.sql")).expect("fills it");
    drop(connection);
    let sessions = read("cursor", &path);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("cursor-state-vscdb", write_down(&sessions));
    });
}
