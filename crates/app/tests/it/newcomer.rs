//! What people do first, each as the front page and the help say, in a home that has nothing else.

use std::fs;

use serde_json::{Value, json};

use crate::desk::Desk;

fn session(desk: &Desk, id: &str, day: u32, words: &str) {
    let line = |at: u32, role: &str, text: &str| {
        json!({ "type": role, "uuid": format!("{id}-{at}"), "parentUuid": null, "sessionId": id,
            "cwd": desk.project(), "timestamp": format!("2026-02-{day:02}T10:0{at}:00Z"),
            "message": { "role": role, "id": format!("m{at}"), "content": [{ "type": "text", "text": text }] } })
    };
    let text = format!("{}\n{}\n", line(1, "user", words), line(2, "assistant", "Understood, it is done."));
    fs::write(desk.past().join(format!("{id}.jsonl")), text).expect("a file can be written");
}

/// Runs a line as somebody types it; it has to work.
fn does(desk: &Desk, words: &[&str]) -> String {
    let run = desk.lore(words);
    assert_eq!(run.code, 0, "lore {words:?}: {run}");
    run.out + &run.err
}

fn id_of(desk: &Desk, words: &str) -> String {
    let listed: Value = serde_json::from_str(&does(desk, &["list", "--json"])).expect("is JSON");
    let entries = listed["entries"].as_array().expect("there is a list");
    let named =
        entries.iter().find(|entry| entry["title"].as_str().is_some_and(|title| title.contains(words)));
    named.and_then(|entry| entry["id"].as_str()).unwrap_or_else(|| panic!("{words}: {listed}")).to_owned()
}

#[test]
fn ten_things_are_done_as_they_are_written() {
    let desk = Desk::with_base();
    session(
        &desk,
        "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        2,
        "We decided to keep bookings in PostgreSQL, because two instances write at once.",
    );
    does(&desk, &["curate"]);
    let id = id_of(&desk, "PostgreSQL");

    // Wire an agent.
    does(&desk, &["install", "codex", "--dry-run"]);
    does(&desk, &["install", "codex"]);
    assert!(desk.lore(&["doctor"]).out.contains("accept the hooks in `/hooks`"));

    // Find why something was decided, down to the words.
    assert!(
        does(&desk, &["ask", "why are bookings kept in PostgreSQL?"]).contains("two instances write at once")
    );
    assert!(does(&desk, &["why", &id]).contains("#s1"));
    assert!(does(&desk, &["open", &format!("{id}#s1")]).contains("person, prompt"));

    // Correct an article, in an editor or by hand.
    let path = desk.read("knowledge/index.md");
    assert!(path.contains("PostgreSQL"), "{path}");
    let run = desk.run(&["edit", &id], &[("EDITOR", "sed -i s/write/book/")]);
    assert_eq!(run.code, 0, "{run}");
    assert!(does(&desk, &["show", &id]).contains("two instances book at once"));

    // Take a run back.
    let log: Value = serde_json::from_str(&does(&desk, &["log", "--json"])).expect("is JSON");
    let last = log["runs"][0]["id"].as_str().unwrap_or_else(|| panic!("{log}")).to_owned();
    does(&desk, &["undo", &last, "--dry-run"]);
    does(&desk, &["undo", &last]);
    assert!(does(&desk, &["show", &id]).contains("two instances write at once"));

    // Stop a topic.
    does(&desk, &["config", "set", "topics.exclude", "[\"salary\"]"]);
    session(
        &desk,
        "22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        3,
        "We decided to keep the salary of each pilot in the harbour office, because the law says so.",
    );
    does(&desk, &["curate"]);
    assert!(!does(&desk, &["list"]).contains("harbour"));

    // Settle a dispute.
    does(&desk, &["remember", "Invoices are sent on Mondays"]);
    does(&desk, &["remember", "Invoices are sent on Fridays"]);
    assert!(does(&desk, &["status"]).contains("2 disputed"));
    let friday = id_of(&desk, "Fridays");
    assert!(does(&desk, &["review", "show", &friday]).contains("2. Invoices are sent on Mondays"));
    does(&desk, &["review", "settle", &friday, "--side", "2"]);
    assert!(!does(&desk, &["status"]).contains("disputed"));

    // See what an agent was told.
    does(&desk, &["work"]);
    let message = json!({ "session_id": "s-9", "cwd": desk.project(), "hook_event_name": "UserPromptSubmit",
        "prompt": "Are bookings kept in PostgreSQL?" });
    desk.told(&message.to_string(), &["hook", "codex", "user-prompt-submit"]);
    assert!(does(&desk, &["told"]).contains("codex/s-9"));
    assert!(does(&desk, &["told", "s-9"]).contains("two instances write at once"));
    assert!(does(&desk, &["context", "Are bookings kept in PostgreSQL?"]).contains("two instances"));

    // Have other transcripts read.
    let plain = "{\"role\": \"user\", \"text\": \"We decided to cache departures for one minute, because the port is slow.\", \"session\": \"f-1\"}\n";
    desk.write("logs/f.jsonl", plain);
    does(&desk, &["config", "set", "sessions.paths", "logs"]);
    does(&desk, &["curate"]);
    assert!(does(&desk, &["list"]).contains("cache departures"));

    // Move to another machine: whoever clones has all of it.
    desk.git(&["add", "--all"]);
    desk.git(&["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "base"]);
    let elsewhere = Desk::new();
    elsewhere.git(&["pull", "-q", &desk.project().display().to_string(), "main"]);
    does(&elsewhere, &["install", "git"]);
    assert!(does(&elsewhere, &["ask", "why are bookings kept in PostgreSQL?"]).contains("two instances"));

    // Remove everything.
    does(&desk, &["uninstall", "--all"]);
    does(&desk, &["uninstall", "git"]);
    fs::remove_dir_all(desk.project().join("knowledge")).expect("can be deleted");
    fs::remove_dir_all(desk.project().join(".git/lore")).expect("can be deleted");
    fs::remove_dir_all(desk.home().join(".local/share/lore")).expect("can be deleted");
    fs::remove_dir_all(desk.home().join(".config/lore")).expect("can be deleted");
    let left = desk.git_says(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(left.lines().all(|line| line.starts_with(" D ") || line.starts_with("D ")), "only gone: {left}");
    assert!(!desk.git_says(&["config", "--local", "--list"]).contains("lore"));
    assert_eq!(desk.lore(&["status"]).code, 2, "there is no base any more");
}

#[test]
fn the_help_names_the_first_things_too() {
    let help = Desk::new().lore(&["--help"]).out;
    let page = include_str!("../../../../docs/how-to.md");
    let first = help.split("What people do first:").nth(1).expect("the help has them");
    let lines: Vec<&str> = first.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(lines.len(), 10, "{first}");
    for line in lines {
        let command = line.split("lore ").nth(1).and_then(|rest| rest.split([' ', ',']).next());
        let command = command.unwrap_or_else(|| panic!("{line}"));
        assert!(
            page.contains(&format!("`lore {command}")),
            "docs/how-to.md says nothing of `lore {command}`"
        );
    }
}

/// The first prompt after something was remembered or curated got nothing: the index was made for the second.
#[test]
fn the_first_prompt_is_told_what_was_just_kept() {
    let told = |desk: &Desk| {
        let message = json!({ "session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": desk.project(),
            "prompt": "can I allocate a buffer of 256 KB on the ESP32?" });
        desk.told(&message.to_string(), &["hook", "claude-code", "UserPromptSubmit"]).out
    };
    let said = "The ESP32 has 320 KB of heap, never allocate more than 100 KB at once.";
    let desk = Desk::with_base();
    does(&desk, &["remember", said]);
    assert!(told(&desk).contains("100 KB"));
    let desk = Desk::with_base();
    session(&desk, "22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa", 2, said);
    does(&desk, &["curate"]);
    assert!(told(&desk).contains("100 KB"));
}
