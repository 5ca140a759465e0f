//! A rehearsal of curating leaves no trace, and says what the run then does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::desk::Desk;

/// Reads everything below a folder, git's own and the state of the base among it.
fn bytes_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        all.insert(folder.clone(), Vec::new());
        for item in std::fs::read_dir(&folder).expect("it can be listed").flatten() {
            let path = item.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.insert(path.clone(), std::fs::read(&path).expect("it can be read"));
            }
        }
    }
    all
}

fn session(desk: &Desk, id: &str, day: u32, said: &str) {
    let record = |number: u32, role: &str, content: Value| {
        json!({ "parentUuid": null, "uuid": format!("{id}-{number}"), "sessionId": id, "isSidechain": false,
            "cwd": desk.project(), "version": "2.0.0", "type": role, "timestamp": format!("2026-02-{day:02}T10:0{number}:00Z"),
            "message": { "role": role, "id": format!("m-{id}-{number}"), "model": "m", "content": content } })
    };
    let answer = json!([{ "type": "text", "text": "Understood, I will keep to that from here on." }]);
    let text = format!("{}\n{}\n", record(0, "user", said.into()), record(1, "assistant", answer));
    desk.write(&format!("sessions/{id}.jsonl"), &text);
}

fn told(desk: &Desk, words: &[&str]) -> Value {
    let run = desk.lore(&[&["--json", "curate", "--sessions", "sessions"], words].concat());
    assert_eq!(run.code, 0, "{run}");
    let mut told: Value = serde_json::from_str(&run.out).expect("JSON");
    for key in ["dry_run", "commit"] {
        told.as_object_mut().expect("an object").remove(key);
    }
    for one in ["created", "updated"].iter().flat_map(|key| told[key].as_array().cloned().unwrap_or_default())
    {
        assert!(one["path"].is_string(), "{one}");
    }
    told
}

/// It left caches, marks and the name of who held the lock, and the run after it met them.
#[test]
fn a_rehearsed_curation_writes_nothing_at_all() {
    let desk = Desk::with_base();
    session(&desk, "aaaa-money", 1, "Never use floating point for money; all amounts are integer cents.");
    session(&desk, "bbbb-logs", 2, "Log lines are always written as JSON, one object per line.");
    let check = |words: &[&str]| {
        let before = (bytes_of(&desk.project()), bytes_of(&desk.home()));
        let rehearsed = told(&desk, &[words, &["--dry-run"]].concat());
        let after = (bytes_of(&desk.project()), bytes_of(&desk.home()));
        let differs = |a: &BTreeMap<PathBuf, Vec<u8>>, b: &BTreeMap<PathBuf, Vec<u8>>| -> Vec<PathBuf> {
            let all = a.keys().chain(b.keys());
            all.filter(|path| a.get(*path) != b.get(*path)).cloned().collect()
        };
        assert_eq!(differs(&before.0, &after.0), Vec::<PathBuf>::new(), "{words:?}");
        assert_eq!(differs(&before.1, &after.1), Vec::<PathBuf>::new(), "{words:?}");
        let done = told(&desk, words);
        for key in ["sources", "sessions", "fresh", "unchanged", "queued", "outcomes", "waiting"] {
            assert_eq!(rehearsed[key], done[key], "{key} after {words:?}");
        }
        let ids = |told: &Value| -> Vec<Value> {
            told["created"].as_array().into_iter().flatten().map(|one| one["id"].clone()).collect()
        };
        assert_eq!(ids(&rehearsed), ids(&done), "{words:?}");
    };
    check(&[]);
    check(&[]);
    check(&["--bootstrap"]);
    session(
        &desk,
        "cccc-mail",
        3,
        "Confirmation mails are always sent from the queue table, never from Redis.",
    );
    check(&["--no-ask"]);
}
