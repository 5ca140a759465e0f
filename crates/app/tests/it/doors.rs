//! Secrets at every door: what is typed, read or merged in is neither written down nor handed out.

use std::path::Path;

use serde_json::{Value, json};

use crate::desk::{Desk, Run};

/// A secret that is found wherever it stands, in two halves so that no scanner takes it for a leak.
fn secret() -> String {
    format!("ghp{}", "_q7Xk2PzR9vLm4TbWn3YsHd8FcJg5KtVwXyZ9")
}

/// Says the secret as part of a sentence.
fn said() -> String {
    format!("because {} was in it", secret())
}

/// Lists the files below a folder that hold the secret, git's own included.
fn holding(folder: &Path, found: &mut Vec<String>) {
    for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        let name = item.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            holding(&path, found);
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            if text.contains(&secret()) || name.contains(&secret()) {
                found.push(path.display().to_string());
            }
        }
    }
}

#[track_caller]
fn check_nothing_is_kept(desk: &Desk, what: &str) {
    let mut found = Vec::new();
    holding(&desk.project(), &mut found);
    holding(&desk.home(), &mut found);
    assert!(found.is_empty(), "after {what}: {found:#?}");
    // What git keeps is packed; it is asked for.
    let log = std::process::Command::new("git")
        .args(["log", "--all", "-p", "--format=%B"])
        .current_dir(desk.project())
        .output()
        .expect("git can be run");
    assert!(!String::from_utf8_lossy(&log.stdout).contains(&secret()), "git keeps it after {what}");
}

fn new(desk: &Desk, title: &str) {
    let run = desk.lore(&["new", title, "--type", "decision", "--body", "Bookings live in PostgreSQL."]);
    assert_eq!(run.code, 0, "{run}");
}

#[test]
fn no_argument_of_any_command_leaves_a_secret_on_the_disk() {
    let desk = Desk::with_base();
    desk.git(&["config", "user.name", "ada"]);
    desk.git(&["config", "user.email", "ada@host.example"]);
    assert_eq!(desk.lore(&["config", "set", "git.commit", "true"]).code, 0);
    for title in ["Bookings live in PostgreSQL", "Money is counted in cents", "Webhooks go through the relay"]
    {
        new(&desk, title);
    }
    let text = said();
    let key = secret();
    let commands: &[&[&str]] = &[
        &["rm", "money-is-counted-in-cents", "--why", &text],
        &["review", "reject", "webhooks-go-through-the-relay", "--why", &text],
        &["agents", "record", &text, "--outcome", "success"],
        &["agents", "record", "claude", "--outcome", "success", "--domain", &text, "--issue", &text],
        &["agents", "show", "--domain", &text],
        &["config", "set", "curate.command", &text],
        &["config", "set", &key, "1"],
        &["config", "set", "redact.patterns", &key],
        &["new", &text],
        &["new", "Safe title", "--body", &text],
        &["new", "Safe title two", "--tag", &key],
        &["new", "Safe title three", "--file", &key],
        &["new", "Safe title four", "--issue", &key],
        &["new", "Safe title five", "--depends-on", &text],
        &["new", "Safe title six", "--supersedes", &key],
        &["learn", &text],
        &["learn", "Safe lesson", "--text", &text],
        &["learn", "Safe lesson two", "--why", &text],
        &["learn", "Safe lesson three", "--solution", &text],
        &["learn", "Safe lesson four", "--alternative", &text],
        &["learn", "Safe lesson five", "--category", &key, "--domain", &key, "--tag", &key],
        &["learn", "Safe lesson six", "--files", &key, "--issue", &key],
        &["learn", "--from-issue", &key],
        &["ask", &text],
        &["query", &text],
        &["query", "--tag", &key, "--domain", &key, "--files", &key, "--issue", &key],
        &["brief", &text],
        &["brief", "7", "--files", &key, "--domain", &key],
        &["context", "--prompt", &text, "--session", &key],
        &["context", "--prompt", "where do bookings live", "--session", &key],
        &["surface", "--role", "executor", "--task", &text, "--error", &text, "--approach", &text],
        &["surface", "--role", "planner", "--task", "where do bookings live", "--chain", &key],
        &["surface", "--role", "planner", "--chain", &key, "--conclude", &text],
        &["show", &key],
        &["edit", &key],
        &["verify", &key],
        &["related", &key],
        &["list", "--tag", &key],
        &["sessions", "search", &text],
        &["sessions", "show", &key],
        &["distill", &key],
        &["curate", "--agent", &key],
        &["import", &key],
        &["export"],
        &["status"],
        &["usage"],
        &["check", "--fix"],
    ];
    for command in commands {
        let run = desk.run(command, &[("EDITOR", "true")]);
        // Questions may have no answer; what would keep the secret is refused; the rest is done.
        let expected = match command[0] {
            "ask" | "query" | "brief" | "list" | "context" | "surface" => 0..=1,
            "rm" | "review" | "agents" | "export" | "status" | "usage" => 0..=0,
            "new" | "config" => 1..=3,
            _ => 0..=3,
        };
        assert!(expected.contains(&run.code), "{command:?}: {run}");
        check_nothing_is_kept(&desk, &format!("{command:?}"));
    }
    let refused = desk.lore(&["config", "set", "curate.command", &text]);
    assert_eq!(refused.code, 2, "{refused}");
    assert!(refused.err.contains("looks like a secret") && !refused.err.contains(&key), "{refused}");
}

#[test]
fn hooks_and_agents_leave_no_secret_on_the_disk() {
    let desk = Desk::with_base();
    new(&desk, "Bookings live in PostgreSQL");
    let hook = |event: &str, more: Value| -> Run {
        let mut message = json!({
            "session_id": secret(), "hook_event_name": event, "cwd": desk.project(),
            "transcript_path": desk.home().join("session.jsonl"), "permission_mode": "default",
        });
        for (key, value) in more.as_object().expect("is an object") {
            message[key] = value.clone();
        }
        desk.told(&message.to_string(), &["hook", "claude-code", event])
    };
    for (event, more) in [
        ("SessionStart", json!({ "source": "startup" })),
        ("UserPromptSubmit", json!({ "prompt": format!("where do bookings live, {}", said()) })),
        ("SessionEnd", json!({ "reason": said() })),
        (&secret(), json!({})),
    ] {
        let run = hook(event, more);
        assert_eq!(run.code, 0, "{run}");
        check_nothing_is_kept(&desk, event);
    }
    let broken =
        desk.told(&format!("{{\"session_id\": \"{}", secret()), &["hook", "claude-code", "SessionStart"]);
    assert_eq!(broken.code, 0, "{broken}");
    check_nothing_is_kept(&desk, "a broken message");
}

/// Puts an article with a secret into the base by hand, as a merge could, and returns its id.
fn edited_by_hand(desk: &Desk) -> String {
    new(desk, "Staging has a database");
    let listed = desk.lore(&["list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("is JSON");
    let item = listed["entries"].as_array().and_then(|all| all.first()).unwrap_or(&listed[0]).clone();
    let (id, path) = (item["id"].as_str().expect("has an id"), item["path"].as_str().expect("has a path"));
    let file = format!("knowledge/{path}");
    let text = desk.read(&file).replace(
        "Bookings live in PostgreSQL.",
        &format!("The staging database lives on db2.\n\nIt is opened with {}, by everyone.", secret()),
    );
    assert!(text.contains(&secret()));
    desk.write(&file, &text);
    id.to_owned()
}

#[test]
fn an_article_that_holds_a_secret_hands_none_out() {
    let desk = Desk::with_base();
    let id = edited_by_hand(&desk);
    let question = "how is the staging database opened";
    let commands: &[&[&str]] = &[
        &["show", &id],
        &["show", &id, "--json"],
        &["ask", question],
        &["ask", question, "--json"],
        &["query", question],
        &["query", question, "--json"],
        &["brief", question],
        &["brief", question, "--json"],
        &["context", "--prompt", question],
        &["context", "--prompt", question, "--json"],
        &["surface", "--role", "planner", "--task", question],
        &["related", &id, "--json"],
        &["list", "--json"],
        &["export"],
        &["export", "--json"],
        &["check"],
        &["check", "--json"],
        &["status"],
        &["fresh"],
        &["review", "list"],
        &["candidates"],
    ];
    for command in commands {
        let run = desk.lore(command);
        assert!(!run.out.contains(&secret()) && !run.err.contains(&secret()), "{command:?}: {run}");
        assert!((0..=1).contains(&run.code), "{command:?}: {run}");
    }
    let shown = desk.lore(&["show", &id]);
    assert!(shown.out.contains("[REDACTED]") && shown.out.contains("db2"), "{shown}");
    let ask = |name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    for message in [
        ask("search", json!({ "query": question })),
        ask("get", json!({ "id": id })),
        ask("related", json!({ "id": id })),
        ask("brief", json!({ "text": question })),
        ask("context", json!({ "prompt": question })),
        ask("ask", json!({ "question": question })),
        ask("surface", json!({ "role": "planner", "task": question })),
        ask("candidates", json!({})),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/list" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": { "uri": format!("lore://{id}") } }),
    ] {
        let begin = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
        let run = desk.told(&format!("{begin}\n{message}\n"), &["mcp"]);
        assert!(!run.out.contains(&secret()) && !run.err.contains(&secret()), "{message}: {run}");
    }
    // The file is its author's: nobody but they change it, and only there does the secret still stand.
    let mut found = Vec::new();
    holding(&desk.project(), &mut found);
    assert!(found.len() == 1 && found[0].ends_with(".md"), "{found:?}");
}

/// The index took what had changed in a file as it stood there, and handed it out.
#[test]
fn an_article_that_is_edited_under_a_warm_index_hands_no_secret_out() {
    let desk = Desk::with_base();
    new(&desk, "Bookings live in PostgreSQL");
    assert_eq!(desk.lore(&["query", "bookings"]).code, 0, "the index is there");
    edited_by_hand(&desk);
    let question = "how is the staging database opened";
    for command in [&["query", question][..], &["ask", question], &["context", "--prompt", question]] {
        let run = desk.lore(command);
        assert!(run.out.contains("[REDACTED]") && !run.out.contains(&secret()), "{command:?}: {run}");
    }
    let mut found = Vec::new();
    holding(&desk.project(), &mut found);
    assert!(found.len() == 1 && found[0].ends_with(".md"), "{found:?}");
}

/// What users add to the rules held only for what was read from transcripts.
#[test]
fn a_users_own_patterns_hold_at_every_door() {
    let desk = Desk::with_base();
    new(&desk, "Bookings live in PostgreSQL");
    let listed = desk.lore(&["list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("is JSON");
    let entry = &listed["entries"][0];
    let file = format!("knowledge/{}", entry["path"].as_str().expect("has a path"));
    let id = entry["id"].as_str().expect("has an id");
    let text = desk.read(&file).replace("Bookings live", "Bookings of BLUEBIRD-7 live");
    desk.write(&file, &text);
    let question = "where do bookings live";
    assert!(desk.lore(&["query", question]).out.contains("BLUEBIRD-7"), "nothing is held back yet");
    std::fs::create_dir_all(desk.home().join(".config/lore")).expect("can be made");
    std::fs::write(
        desk.home().join(".config/lore/config.toml"),
        "[redact]\npatterns = [\"BLUEBIRD-[0-9]+\"]\n",
    )
    .expect("can be written");
    for command in [
        &["query", question][..],
        &["ask", question],
        &["context", "--prompt", question],
        &["list"],
        &["show", id],
        &["export"],
    ] {
        let run = desk.lore(command);
        assert!(!run.out.contains("BLUEBIRD-7"), "{command:?}: {run}");
    }
    assert!(desk.lore(&["show", id]).out.contains("[REDACTED]"));
    let refused = desk.lore(&["new", "Another case", "--body", "It is BLUEBIRD-8."]);
    assert!(refused.code != 0 && refused.err.contains("secret"), "{refused}");
    assert_eq!(desk.lore(&["rm", id, "--why", "said BLUEBIRD-9"]).code, 0);
    assert!(!desk.read("knowledge/.lore/tombstones").contains("BLUEBIRD-9"));
}

#[test]
fn check_and_status_name_entries_that_hold_a_secret() {
    let desk = Desk::with_base();
    let id = edited_by_hand(&desk);
    let check = desk.lore(&["check", "--json"]);
    assert_eq!(check.code, 1, "{check}");
    let report: Value = serde_json::from_str(&check.out).expect("is JSON");
    let found =
        report["diagnostics"].as_array().expect("is a list").iter().find(|one| one["code"] == "secret");
    let found = found.expect("the secret is named");
    assert!(found["place"]["line"].as_u64().is_some_and(|line| line > 5), "{found}");
    assert!(found["message"].as_str().is_some_and(|text| text.contains("github-token")), "{found}");
    assert!(found["hint"].is_string());
    let status = desk.lore(&["status", "--json"]);
    let status: Value = serde_json::from_str(&status.out).expect("is JSON");
    assert_eq!(status["secrets"], 1);
    assert!(desk.lore(&["status"]).out.contains("1 entry holds what looks like a secret"));
    // A confirmation changes nothing else, also where words are not handed out.
    assert_eq!(desk.lore(&["verify", &id]).code, 0);
    assert_eq!(desk.lore(&["check"]).code, 1);
}

#[test]
fn brackets_without_end_stop_nobody() {
    let desk = Desk::with_base();
    new(&desk, "Bookings live in PostgreSQL");
    let deep = format!("{}monorepo{}", "(".repeat(20_000), ")".repeat(20_000));
    let list = format!("{}x{}", "[".repeat(20_000), "]".repeat(20_000));
    desk.write(
        "knowledge/project/deep.md",
        &format!(
            "---\ntype: fact\ntitle: Deep\ndepends_on:\n  - \"{deep}\"\nother: {list}\n---\n\nBookings.\n"
        ),
    );
    for command in [&["check"][..], &["fresh"], &["show", "deep"], &["ask", "bookings"], &["status"]] {
        let run = desk.lore(command);
        assert!((0..=1).contains(&run.code), "{command:?}: exit {}", run.code);
    }
    let message = json!({ "session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": desk.project(),
        "prompt": "where do bookings live" });
    let run = desk.told(&message.to_string(), &["hook", "claude-code", "UserPromptSubmit"]);
    assert_eq!(run.code, 0, "exit {}", run.code);
    for message in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
        let run = desk.told(&message, &["hook", "claude-code", "UserPromptSubmit"]);
        assert_eq!(run.code, 0, "exit {}", run.code);
    }
}
