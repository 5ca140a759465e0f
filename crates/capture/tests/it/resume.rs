//! Growing files: however they grow, the same turns are reported, each once.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use lore_capture::resume::{Cursor, Fate, Update, fate, read_new};
use lore_capture::{ReadOptions, read_path};
use lore_core::SessionId;
use lore_core::session::Session;
use proptest::prelude::*;
use tempfile::TempDir;

use crate::support::fixture;

/// Sessions put together from what was reported.
type Sessions = BTreeMap<SessionId, Session>;

fn append(path: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("can be opened");
    file.write_all(bytes).expect("can be written");
}

fn take_in(sessions: &mut Sessions, update: Update) {
    let whole = sessions.entry(update.session.id.clone()).or_default();
    update.apply(whole);
}

/// Writes the turns of every session down in an order that does not depend on when they came.
fn written(sessions: &Sessions) -> String {
    let mut out = String::new();
    for (id, session) in sessions {
        let mut turns: Vec<String> = session.turns.iter().map(|turn| format!("{turn:?}")).collect();
        turns.sort();
        out.push_str(&format!("{id}\n{}\n", turns.join("\n")));
    }
    out
}

fn at_once(path: &Path) -> Sessions {
    let mut sessions = Sessions::new();
    let add = &mut |session: Session| {
        sessions.insert(session.id.clone(), session);
    };
    read_path(path, &ReadOptions::default(), add).expect("can be read");
    sessions
}

/// Lets a copy of a fixture grow in steps and compares what was reported with one reading.
fn check_growth(name: &str, cuts: &[usize]) {
    let bytes = fs::read(fixture(name)).expect("is there");
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join(Path::new(name).file_name().expect("has a name"));
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    let mut cursor: Option<Cursor> = None;
    let mut sessions = Sessions::new();
    let mut blocks = 0;
    for step in cuts.windows(2) {
        append(&path, &bytes[step[0]..step[1]]);
        let next = read_new(&path, cursor.as_ref(), &ReadOptions::default(), &mut |update| {
            blocks += update.session.turns.iter().map(|turn| turn.blocks.len()).sum::<usize>();
            take_in(&mut sessions, update);
        });
        // Until its beginning is written nobody can tell whose file it is.
        if let Ok(next) = next {
            cursor = Some(next);
        }
    }
    let whole = at_once(&path);
    let expected: usize =
        whole.values().flat_map(|session| &session.turns).map(|turn| turn.blocks.len()).sum();
    assert_eq!(blocks, expected, "every block is reported once: {name} {cuts:?}");
    assert_eq!(written(&sessions), written(&whole), "{name} {cuts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_growth_reports_every_turn_once(file in 1usize..6, cuts in prop::collection::vec(0usize..20_000, 0..6)) {
        check_growth(&format!("claude-code/0a11d000-0000-4000-8000-00000000000{file}.jsonl"), &cuts);
    }

    #[test]
    fn a_damaged_file_grows_as_well(cuts in prop::collection::vec(0usize..5_000, 0..6)) {
        check_growth("claude-code/damaged.jsonl", &cuts);
    }
}

#[test]
fn a_file_that_grows_line_by_line() {
    for file in 1..6 {
        let name = format!("claude-code/0a11d000-0000-4000-8000-00000000000{file}.jsonl");
        let bytes = fs::read(fixture(&name)).expect("is there");
        let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').map(|at| at + 1).collect();
        check_growth(&name, &ends);
    }
}

/// What left the queue late was put at the end, behind the answer to it.
#[test]
fn what_comes_late_is_put_where_it_was_typed() {
    let bytes =
        fs::read(fixture("claude-code/0a11d000-0000-4000-8000-000000000005.jsonl")).expect("is there");
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("0a11d000-0000-4000-8000-000000000005.jsonl");
    let (mut cursor, mut sessions) = (None, Sessions::new());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        append(&path, line);
        let add = &mut |update| take_in(&mut sessions, update);
        cursor = Some(read_new(&path, cursor.as_ref(), &ReadOptions::default(), add).expect("can be read"));
    }
    assert_eq!(sessions, at_once(&path));
}

#[test]
fn a_line_torn_where_it_looks_whole_is_not_read_yet() {
    // The fourth step ends within the structured result of record 15, behind a closing brace.
    let name = "claude-code/0a11d000-0000-4000-8000-000000000002.jsonl";
    check_growth(name, &[0, 2355, 3919, 5817, 6314, 12160]);
    // The same wherever a closing brace stands.
    for file in 1..6 {
        let name = format!("claude-code/0a11d000-0000-4000-8000-00000000000{file}.jsonl");
        let bytes = fs::read(fixture(&name)).expect("is there");
        for at in (0..bytes.len()).filter(|at| bytes[*at] == b'}') {
            check_growth(&name, &[at + 1]);
        }
    }
}

#[test]
fn a_cursor_with_keys_of_another_making_is_none() {
    let path = fixture("claude-code/0a11d000-0000-4000-8000-000000000002.jsonl");
    let options = ReadOptions::default();
    let cursor = read_new(&path, None, &options, &mut |_| {}).expect("can be read");
    // The first cursors did not say how their keys were made.
    let mut old = serde_json::to_value(&cursor).expect("is plain data");
    old.as_object_mut().expect("is a map").remove("keys");
    let old: Cursor = serde_json::from_value(old).expect("is still read");
    assert_eq!(fate(&path, Some(&old)).expect("is there"), Fate::New);
    let mut news = 0;
    let next = read_new(&path, Some(&old), &options, &mut |_| news += 1).expect("can be read");
    assert_eq!((news, next), (1, cursor));
}

#[test]
fn what_happened_to_a_file_is_noticed() {
    let bytes =
        fs::read(fixture("claude-code/0a11d000-0000-4000-8000-000000000002.jsonl")).expect("is there");
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("0a11d000-0000-4000-8000-000000000002.jsonl");
    append(&path, &bytes);
    let options = ReadOptions::default();
    assert_eq!(fate(&path, None).expect("is there"), Fate::New);
    let mut first = 0;
    let cursor = read_new(&path, None, &options, &mut |_| first += 1).expect("can be read");
    assert_eq!(first, 1);
    assert_eq!(fate(&path, Some(&cursor)).expect("is there"), Fate::Same);
    append(&path, b"{}\n");
    assert_eq!(fate(&path, Some(&cursor)).expect("is there"), Fate::Grown);
    let kept = serde_json::to_string(&cursor).expect("is plain data");
    let cursor: Cursor = serde_json::from_str(&kept).expect("comes back");
    let mut again = 0;
    let cursor = read_new(&path, Some(&cursor), &options, &mut |_| again += 1).expect("can be read");
    assert_eq!(again, 0, "nothing is reported twice");

    // Rewritten: the first half is gone, one record is new.
    let half = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(14).expect("has lines").0 + 1;
    let added = br#"{"parentUuid":"u26","sessionId":"s","uuid":"u27","type":"user","message":{"content":"and the summer fares"}}"#;
    let file = fs::OpenOptions::new().write(true).truncate(true).open(&path).expect("can be opened");
    drop(file);
    append(&path, &bytes[half..]);
    append(&path, added);
    assert_eq!(fate(&path, Some(&cursor)).expect("is there"), Fate::Rewritten);
    let mut news = Vec::new();
    let cursor =
        read_new(&path, Some(&cursor), &options, &mut |update| news.push(update)).expect("can be read");
    let texts: Vec<String> =
        news.iter().flat_map(|update| &update.session.turns).map(lore_core::session::Turn::text).collect();
    assert_eq!(texts.iter().filter(|text| *text == "and the summer fares").count(), 1, "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("TOML")), "{texts:?}");

    // Compressed: the same words under another name.
    let packed = folder.path().join("0a11d000-0000-4000-8000-000000000002.jsonl.zst");
    append(&packed, &zstd::encode_all(fs::File::open(&path).expect("is there"), 3).expect("can be packed"));
    assert_eq!(lore_capture::resume::source_key(&packed), path);
    assert_eq!(fate(&packed, Some(&cursor)).expect("is there"), Fate::Rewritten);
    let mut news = 0;
    read_new(&packed, Some(&cursor), &options, &mut |_| news += 1).expect("can be read");
    assert_eq!(news, 0);
}
