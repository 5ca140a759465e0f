//! Telling, taking back and forgetting, through the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::desk::Desk;

const SESSION: &str = "7ed57110-1d7d-5b88-bddd-7e2ab3274e37";

fn desk() -> Desk {
    let desk = Desk::with_base();
    let body = "Never name Project Zanzibar in mails.";
    let new = |title: &str, kind: &str, body: &str| {
        let run = desk.lore(&["new", title, "--type", kind, "--body", body]);
        assert_eq!(run.code, 0, "{run}");
    };
    new("Project Zanzibar stays unnamed", "preference", body);
    new("Bookings are in PostgreSQL", "decision", "Bookings are kept in PostgreSQL.");
    desk
}

fn json_of(desk: &Desk, arguments: &[&str]) -> Value {
    let run = desk.lore(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, 0, "{run}");
    serde_json::from_str(&run.out).expect("one JSON object")
}

#[test]
fn a_removal_is_told_and_taken_back() {
    let desk = desk();
    assert_eq!(desk.lore(&["rm", "dec-2026-02-20-bookings-are-in-postgresql", "--why", "wrong"]).code, 0);
    let log = desk.lore(&["log", "--since", "yesterday"]);
    assert_eq!(log.code, 0, "{log}");
    assert!(log.out.contains("removed    decision     Bookings are in PostgreSQL"), "{log}");
    assert!(log.out.contains("human:ada  remove dec-2026-02-20-bookings-are-in-postgresql"), "{log}");
    let undone = desk.lore(&["undo"]);
    assert!(undone.out.contains("restored  decisions/bookings-are-in-postgresql.md"), "{undone}");
    assert_eq!(desk.lore(&["show", "dec-2026-02-20-bookings-are-in-postgresql"]).code, 0);
    let again = json_of(&desk, &["undo", "--dry-run"]);
    assert_eq!(again["removed"], json!(["decisions/bookings-are-in-postgresql.md"]));
    let none = desk.lore(&["log", "-n", "0"]);
    assert!(
        none.code == 0 && !none.err.contains("Nothing happened") && none.err.contains("earlier runs"),
        "{none}"
    );
    let wrong = desk.lore(&["log", "--since", "soonish"]);
    assert_eq!(wrong.code, 2, "{wrong}");
    assert!(wrong.err.contains("`soonish` is not a date (expected `2026-02-20`, `7d`"), "{wrong}");
}

#[test]
fn what_an_agent_is_given_is_written_down_word_for_word() {
    let desk = desk();
    // A hook answers from the index that is there.
    assert_eq!(desk.lore(&["query", "bookings"]).code, 0);
    let message = json!({
        "session_id": SESSION, "hook_event_name": "SessionStart", "source": "startup",
        "cwd": desk.project().display().to_string(), "permission_mode": "default",
        "transcript_path": desk.home().join("session.jsonl").display().to_string(),
    });
    let given = desk.told(&message.to_string(), &["hook", "claude-code", "SessionStart"]);
    let given: Value = serde_json::from_str(&given.out).expect("the reply is JSON");
    let told = json_of(&desk, &["told", "7ed57110"]);
    assert_eq!(told["told"][0]["text"], given["hookSpecificOutput"]["additionalContext"]);
    assert_eq!(told["told"][0]["event"], "session-start");
    assert_eq!(told["told"][0]["because"][0]["why"], "preference");
    let call = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "search", "arguments": { "query": "bookings PostgreSQL" } } }),
    ];
    let input: String = call.iter().map(|message| format!("{message}\n")).collect();
    assert_eq!(desk.told(&input, &["mcp"]).code, 0);
    let all = json_of(&desk, &["told", "--since", "today"]);
    let events: Vec<&str> =
        all["told"].as_array().expect("a list").iter().filter_map(|one| one["event"].as_str()).collect();
    assert_eq!(events, ["session-start", "mcp:search"]);
    assert_eq!(desk.lore(&["told", "no-such-session"]).code, 2);
}

/// What an agent reads in its own shell was nowhere: only hooks and the protocol were written down.
#[test]
fn what_an_agent_asks_in_its_shell_is_told() {
    let desk = desk();
    let shell = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "5e551011-0000-4000-8000-000000000001")];
    let question = "where are bookings";
    let printed = desk.run(&["ask", question], &shell);
    assert_eq!(printed.code, 0, "{printed}");
    for command in [
        &["brief", question][..],
        &["surface", "--role", "planner", "--task", question],
        &["query", question],
        &["show", "dec-2026-02-20-bookings-are-in-postgresql"],
        &["context", "--prompt", question],
        &["ask", question, "--json"],
    ] {
        assert_eq!(desk.run(command, &shell).code, 0, "{command:?}");
    }
    assert_eq!(desk.lore(&["ask", question]).code, 0, "a person asks too");
    let told = json_of(&desk, &["told"]);
    let told = told["told"].as_array().expect("a list");
    let of = |key: &str| told.iter().filter_map(|one| one[key].as_str()).collect::<Vec<_>>();
    assert_eq!(of("event"), ["ask", "brief", "surface", "query", "show", "context", "ask"]);
    let said = "Bookings are in PostgreSQL: Bookings are kept in PostgreSQL.";
    assert!(printed.out.contains(said) && told[0]["text"].as_str().is_some_and(|text| text.contains(said)));
    assert_eq!(told[0]["asked"], question);
    assert_eq!(told[0]["session"], "claude-code/5e551011-0000-4000-8000-000000000001");
    for one in told {
        let because = one["because"].as_array().expect("a list").iter();
        let mut sources = because.filter_map(|because| because["source"].as_str());
        assert!(sources.any(|source| source == "dec-2026-02-20-bookings-are-in-postgresql"), "{one}");
    }
}

#[test]
fn forgetting_asks_first() {
    let desk = desk();
    let refused = desk.lore(&["forget", "project zanzibar"]);
    assert_eq!(refused.code, 2, "{refused}");
    assert!(refused.err.contains("--yes"), "{refused}");
    let rehearsed = json_of(&desk, &["forget", "project zanzibar", "--dry-run"]);
    assert_eq!(rehearsed["removed"], json!(["preferences/project-zanzibar-stays-unnamed.md"]));
    assert!(!holding(&desk).is_empty());
    let done = desk.lore(&["forget", "project zanzibar", "--yes"]);
    assert_eq!(done.code, 0, "{done}");
    assert_eq!(holding(&desk), Vec::<PathBuf>::new());
    assert_eq!(desk.lore(&["forget", "project zanzibar", "--yes"]).code, 1, "it is nowhere any more");
    assert_eq!(desk.lore(&["check"]).code, 0);
}

/// Whatever moment forgetting dies at, doing it again finishes it, and the rest of the base stays.
#[test]
fn forgetting_that_is_killed_is_finished_by_the_next() {
    let mut chance = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..12 {
        let desk = desk();
        let mut child = command(&desk, &["forget", "project zanzibar", "--yes"]).spawn().expect("can be run");
        // Not a pause but a number: where the process is by then is left to chance.
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (0..chance >> 39).for_each(|number| {
            std::hint::black_box(number);
        });
        child.kill().expect("can be killed");
        child.wait().expect("is gone");
        let again = desk.lore(&["forget", "project zanzibar", "--yes"]);
        assert!(again.code <= 1, "{again}");
        assert_eq!(holding(&desk), Vec::<PathBuf>::new());
        assert_eq!(desk.lore(&["show", "dec-2026-02-20-bookings-are-in-postgresql"]).code, 0);
        assert_eq!(desk.lore(&["check"]).code, 0);
    }
}

fn command(desk: &Desk, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lore"));
    command.args(arguments).current_dir(desk.project()).env("HOME", desk.home());
    command.env("LORE_NOW", "2026-02-20T12:00:00Z").env("LORE_USER", "ada");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Lists the files of the project and the home folder that hold the words, but git's own objects.
fn holding(desk: &Desk) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![desk.project(), desk.home()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).expect("can be listed").flatten() {
            let path = item.path();
            if path.is_dir() {
                folders.extend((!path.ends_with(".git/objects")).then_some(path));
            } else if has(&path) {
                found.push(path);
            }
        }
    }
    found
}

fn has(path: &Path) -> bool {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = format!("{} {}", path.display(), String::from_utf8_lossy(&bytes)).to_lowercase();
    text.contains("zanzibar")
}
