//! Sessions of an agent that keeps all of them in one database, and tells no file.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::desk::Desk;

/// The database as OpenCode makes it, as far as it is read.
fn database(desk: &Desk) -> Connection {
    let folder = desk.home().join(".local/share/opencode");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let database = Connection::open(folder.join("opencode.db")).expect("a database can be made");
    let tables = "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT,
            version TEXT, time_created INTEGER, time_updated INTEGER, revert TEXT);
        CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
        CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);";
    database.execute_batch(tables).expect("tables can be made");
    database
}

fn says(desk: &Desk, database: &Connection, session: &str, number: usize, words: &str) {
    let (message, at) = (format!("msg_{session}_{number:04}"), 1_771_500_000_000_i64 + number as i64 * 1000);
    let project = desk.project().canonicalize().expect("is there").display().to_string();
    let done = database
        .execute(
            "INSERT OR IGNORE INTO session VALUES (?1, NULL, ?2, 'x', '1.18', ?3, ?3, NULL)",
            params![session, project, at],
        )
        .and_then(|_| {
            let info = json!({ "role": "user", "time": { "created": at } }).to_string();
            database
                .execute("INSERT INTO message VALUES (?1, ?2, ?3, ?4)", params![message, session, at, info])
        })
        .and_then(|_| {
            let part = json!({ "type": "text", "text": words }).to_string();
            let name = format!("prt_{session}_{number:04}");
            database
                .execute("INSERT INTO part VALUES (?1, ?2, ?3, ?4)", params![name, message, session, part])
        });
    done.expect("rows can be written");
}

fn ends(desk: &Desk, session: &str) {
    let message = json!({ "session_id": session, "cwd": desk.project() }).to_string();
    assert_eq!(desk.told(&message, &["hook", "opencode", "session-end"]).code, 0);
}

fn work(desk: &Desk, more: &[&str]) -> Value {
    // A worker that a hook started may still be at it.
    let tries = (0..1_000).map(|_| desk.lore(&[&["work", "--now", "--json"], more].concat()));
    let reports = tries.map(|run| serde_json::from_str::<Value>(&run.out).expect("the report is JSON"));
    reports.into_iter().find(|report| report["busy"] == false).expect("it is somebody's turn")
}

/// Counts how often a session stands in the ledger.
fn readings(desk: &Desk, session: &str) -> usize {
    let folder = desk.project().join("knowledge/.lore/ledger");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = files.map(|file| std::fs::read_to_string(file.path()).expect("can be read"));
    texts.map(|text| text.lines().filter(|line| line.contains(session)).count()).sum()
}

/// Whatever stood in the database was read when one session ended, and those under way once more at their end.
#[test]
fn a_session_that_is_under_way_is_left_until_it_ends() {
    let desk = Desk::with_base();
    let database = database(&desk);
    says(
        &desk,
        &database,
        "ses_one",
        1,
        "We decided to use Redis for the job queue, because polling is too slow.",
    );
    says(
        &desk,
        &database,
        "ses_two",
        1,
        "We decided to keep invoices for ten years, because the law says so.",
    );
    ends(&desk, "ses_one");
    assert_eq!(work(&desk, &[])["sessions"], 1);
    assert_eq!((readings(&desk, "ses_one"), readings(&desk, "ses_two")), (1, 0));
    says(
        &desk,
        &database,
        "ses_two",
        2,
        "We decided to send invoices on Mondays, because accounting asked for it.",
    );
    ends(&desk, "ses_two");
    assert_eq!(work(&desk, &[])["sessions"], 1);
    assert_eq!((readings(&desk, "ses_one"), readings(&desk, "ses_two")), (1, 1), "each once");
}

/// A session that failed twice took the whole database with it: no later session was ever curated.
#[test]
fn a_session_that_is_set_aside_does_not_take_the_others_along() {
    let desk = Desk::with_base();
    let database = database(&desk);
    for number in 0..400 {
        let words =
            format!("We decided to use queue {number} for the job {number}, because polling is too slow.");
        says(&desk, &database, "ses_bad", number, &words);
    }
    ends(&desk, "ses_bad");
    for _ in 0..2 {
        assert_eq!(work(&desk, &["--session-limit", "0"])["cut_short"], true);
    }
    says(
        &desk,
        &database,
        "ses_good",
        1,
        "We decided to keep invoices for ten years, because the law says so.",
    );
    ends(&desk, "ses_good");
    assert_eq!(work(&desk, &[])["sessions"], 1);
    assert_eq!(readings(&desk, "ses_good"), 1);
    let status = desk.lore(&["status"]);
    assert!(status.out.contains("1 session set aside"), "{status}");
    assert!(
        status.out.contains("retry: lore curate\n"),
        "the whole database is not this project's: {status}"
    );
}
