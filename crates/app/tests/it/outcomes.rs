//! How agents did, read off their sessions.

use serde_json::{Value, json};

use crate::desk::Desk;

/// One step of a session.
#[derive(Clone, Copy)]
enum Deed<'a> {
    Asked(&'a str),
    Edited(&'a str),
    /// A command and what it printed.
    Ran(&'a str, &'a str),
}

use Deed::{Asked, Edited, Ran};

const GREEN: Deed<'_> = Ran("cargo test 2>&1 | tail -2", "test result: ok. 4 passed; 0 failed");
const RED: Deed<'_> = Ran("cargo test 2>&1 | tail -2", "test result: FAILED. 3 passed; 1 failed");

fn session(desk: &Desk, id: &str, day: u32, model: &str, deeds: &[Deed<'_>]) {
    let mut records: Vec<Value> = Vec::new();
    let mut called = |at: usize, tool: &str, input: Value, printed: &str| {
        let call = format!("t{at}");
        records.push(json!({"type": "assistant", "message": {"role": "assistant", "id": format!("m{at}"), "model": model,
            "content": [{"type": "tool_use", "id": call, "name": tool, "input": input}]}}));
        records.push(json!({"type": "user", "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": call, "content": printed}]}}));
    };
    let mut asked = Vec::new();
    for (at, deed) in deeds.iter().enumerate() {
        match deed {
            Asked(text) => asked.push((at, *text)),
            Edited(path) => called(
                at,
                "Edit",
                json!({"file_path": desk.project().join(path), "old_string": "a", "new_string": "b"}),
                "ok",
            ),
            Ran(command, printed) => called(at, "Bash", json!({ "command": command }), printed),
        }
    }
    // Questions stand where they were asked: before the records of the deeds that follow.
    for (at, text) in asked.into_iter().rev() {
        let before = deeds[..at].iter().filter(|deed| !matches!(deed, Asked(_))).count() * 2;
        records.insert(before, json!({"type": "user", "message": {"role": "user", "content": text}}));
    }
    let mut text = String::new();
    for (number, mut record) in records.into_iter().enumerate() {
        record["uuid"] = json!(format!("{id}-{number}"));
        record["parentUuid"] = json!(number.checked_sub(1).map(|before| format!("{id}-{before}")));
        record["sessionId"] = json!(id);
        record["isSidechain"] = json!(false);
        record["cwd"] = json!(desk.project());
        record["version"] = json!("2.1.0");
        record["timestamp"] = json!(format!("2026-02-{day:02}T09:{number:02}:00Z"));
        text.push_str(&format!("{record}\n"));
    }
    desk.write(&format!("transcripts/{id}.jsonl"), &text);
}

fn desk() -> Desk {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["config", "set", "sessions.paths", "transcripts", "--whose", "checkout"]).code, 0);
    desk
}

fn sense(desk: &Desk) -> Value {
    let run = desk.lore(&["sense", "--json"]);
    assert_eq!(run.code, 0, "{run}");
    serde_json::from_str(&run.out).expect("the report is JSON")
}

fn agents(desk: &Desk, more: &[&str]) -> Value {
    let run = desk.lore(&[&["agents", "--json"], more].concat());
    assert_eq!(run.code, 0, "{run}");
    serde_json::from_str::<Value>(&run.out).expect("the figures are JSON")["agents"].clone()
}

#[test]
fn sessions_show_how_the_work_went() {
    let desk = desk();
    let buoy = Edited("src/buoy/lamp.rs");
    let done = [Asked("light the buoy"), buoy, GREEN, Ran("git commit -am light", "[main 1a2b3c4] light")];
    session(&desk, "s-1", 1, "swift-1", &done);
    session(&desk, "s-2", 2, "swift-1", &[Asked("ring the bell"), buoy, GREEN]);
    session(
        &desk,
        "s-3",
        3,
        "swift-1",
        &[Asked("paint it"), buoy, GREEN, Asked("no, that is not what I asked for"), buoy, GREEN],
    );
    session(&desk, "s-4", 4, "slow-2", &[Asked("moor the ferry"), Edited("src/ferry/rope.rs"), RED]);
    session(&desk, "s-5", 5, "slow-2", &[Asked("what is a ferry?")]);
    session(&desk, "s-6", 6, "slow-2", &[Asked("write it down"), Edited("docs/ferry.md")]);
    assert_eq!(sense(&desk)["work"], 5);
    insta::assert_snapshot!("outcomes", desk.lore(&["agents"]));
    let figures = &agents(&desk, &[])[0];
    assert_eq!(
        (figures["invocations"].as_u64(), figures["judged"].as_u64()),
        (Some(5), Some(4)),
        "{figures}"
    );
    assert_eq!(figures["models"], json!({"slow-2": [1, 0.0], "swift-1": [3, 2.5 / 3.0]}));
    assert_eq!(figures["corrected"], 1);

    // Nothing counts twice, however often it is looked at and however a session grows.
    sense(&desk);
    let run = desk.lore(&["sense", "--again"]);
    assert_eq!(run.code, 0, "{run}");
    session(
        &desk,
        "s-4",
        4,
        "slow-2",
        &[Asked("moor the ferry"), Edited("src/ferry/rope.rs"), RED, Edited("src/ferry/rope.rs"), GREEN],
    );
    sense(&desk);
    let figures = &agents(&desk, &[])[0];
    assert_eq!((figures["invocations"].as_u64(), figures["red"].as_u64()), (Some(5), Some(0)), "{figures}");

    assert_eq!(agents(&desk, &["--domain", "ferry"])[0]["invocations"], 1);
    assert_eq!(agents(&desk, &["--since", "2026-02-03"])[0]["invocations"], 3);
    assert_eq!(agents(&desk, &["--agent", "codex"]), json!([]));
}

#[test]
fn a_brief_recommends_who_did_well_where_the_work_is() {
    let desk = desk();
    let body = "The lamp of a buoy is red.";
    assert_eq!(desk.lore(&["new", "Lamps are red", "-t", "decision", "--body", body]).code, 0);
    let buoy = Edited("src/buoy/lamp.rs");
    for day in 1..=2 {
        session(&desk, &format!("s-{day}"), day, "swift-1", &[Asked("light the buoy"), buoy, GREEN]);
        sense(&desk);
        let run = desk.lore(&["brief", "the lamp of the buoy", "--files", "src/buoy/lamp.rs"]);
        assert!(!run.out.contains("Recommended Agents"), "too little to go by: {run}");
    }
    session(&desk, "s-3", 3, "swift-1", &[Asked("light the buoy"), buoy, GREEN]);
    sense(&desk);
    let run = desk.lore(&["brief", "the lamp of the buoy", "--files", "src/buoy/lamp.rs"]);
    let expected =
        "- claude-code (swift-1): 3 of 3 pieces of work in src/buoy went through; 3 with tests passing";
    assert!(run.out.contains(expected), "{run}");
    let elsewhere = desk.lore(&["brief", "the lamp of the buoy", "--domain", "ferry"]);
    assert!(!elsewhere.out.contains("Recommended Agents"), "{elsewhere}");
}

#[test]
fn what_git_took_back_did_not_go_through_and_a_forgotten_session_counts_no_more() {
    let desk = desk();
    desk.write("src/buoy/lamp.rs", "a");
    desk.git(&["config", "user.name", "ada"]);
    desk.git(&["config", "user.email", "ada@example.org"]);
    desk.git(&["add", "src"]);
    desk.git(&["commit", "-qm", "buoy: light"]);
    let id = desk.git_says(&["rev-parse", "--short=9", "HEAD"]);
    let made = format!("[main {}] buoy: light", id);
    let deeds = [Asked("light the buoy"), Edited("src/buoy/lamp.rs"), Ran("git commit -am x", &made)];
    session(&desk, "lamp-session", 1, "swift-1", &deeds);
    sense(&desk);
    assert_eq!(agents(&desk, &[])[0]["success"], 1.0);
    desk.git(&["revert", "--no-edit", "HEAD"]);
    sense(&desk);
    assert_eq!(
        (&agents(&desk, &[])[0]["success"], &agents(&desk, &[])[0]["reverted"]),
        (&json!(0.0), &json!(1))
    );
    let run = desk.lore(&["forget", "--session", "lamp-session", "--yes"]);
    assert_eq!(run.code, 0, "{run}");
    assert_eq!(agents(&desk, &[]), json!([]));
}
