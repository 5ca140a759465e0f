use rusqlite::Connection;

use crate::support::{check, fixture, read, write_down};

#[test]
fn the_first_version_is_a_list() {
    check("pi", "2025-12-01T08-00-00-000Z_11111111-aaaa.jsonl");
}

#[test]
fn later_versions_are_trees() {
    check("pi", "2026-05-01T08-00-00-000Z_33333333-cccc.jsonl");
}

#[test]
fn gitclaw_sessions_belong_to_issues() {
    check("pi", "state/sessions/2026-02-11T08-00-00-000Z_22222222-bbbb.jsonl");
}

#[test]
fn damaged_sessions_are_read() {
    check("pi", "damaged.jsonl");
}

#[test]
fn openclaw_keeps_the_same_entries_in_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("openclaw-agent.sqlite");
    let connection = Connection::open(&path).expect("a database");
    connection
        .execute_batch(
            "CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB);",
        )
        .expect("a table");
    let text = std::fs::read_to_string(fixture("pi/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl"))
        .expect("a fixture");
    for (seq, line) in text.lines().enumerate() {
        let packed = zstd::encode_all(line.as_bytes(), 3).expect("packs");
        let insert = "INSERT INTO transcript_events VALUES ('33333333-cccc', ?1, ?2, ?3)";
        let plain = (seq % 2 == 0).then_some(line);
        let packed = (seq % 2 == 1).then_some(packed);
        connection.execute(insert, (seq as i64, plain, packed)).expect("inserts");
    }
    let insert = "INSERT INTO transcript_events VALUES ('other', 0, '{broken', NULL)";
    connection.execute(insert, ()).expect("inserts");
    drop(connection);
    let before: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    let sessions = read("pi", &path);
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        before.len(),
        "nothing is left behind"
    );
    assert_eq!(sessions.len(), 2);
    let plain = read("pi", &fixture("pi/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl"));
    let expected = write_down(&plain).replace("(pi)", "(openclaw)");
    assert_eq!(write_down(&sessions[..1]), expected);
    assert_eq!(sessions[1].diagnostics.len(), 1);
}
