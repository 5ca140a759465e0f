//! Every reference that is printed or injected opens, for a person and for an agent.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::desk::Desk;

const KINDS: [&str; 12] =
    ["dec", "fac", "prf", "arc", "lim", "evt", "res", "pat", "fbk", "sig", "spk", "les"];

/// The base of the tour, with its sessions beside it, an issue, a file and commits.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.write("src/db/pool.rs", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    desk.git(&["add", "."]);
    desk.git(&["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "raise the pool"]);
    let run = desk.lore(&["demo", "--keep", "."]);
    assert_eq!(run.code, 0, "{run}");
    desk.at("2026-04-12T10:00:00Z");
    let body = "The pool has seven connections.";
    let new =
        ["new", "The pool has seven connections", "-t", "fact", "--issue", "74", "--file", "src/db/pool.rs"];
    assert_eq!(desk.lore(&[&new[..], &["--body", body]].concat()).code, 0);
    desk
}

/// Takes what looks like a reference out of a text.
fn references(text: &str) -> BTreeSet<String> {
    let ends = |c: char| c.is_whitespace() || "()[]{}\"'`<>,;“”".contains(c);
    let hex = |text: &str| text.chars().all(|c| c.is_ascii_hexdigit() || c == '-') && text.len() >= 8;
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let is_reference = |word: &str| {
        let named = word.split_once('-').is_some_and(|(kind, rest)| {
            KINDS.contains(&kind) && rest.len() >= 6 && rest.chars().any(|c| c.is_ascii_digit())
        });
        let place = word.split_once("#L").is_some_and(|(id, line)| hex(id) && digits(line))
            || word.split_once(':').is_some_and(|(id, line)| hex(id) && digits(line));
        let path = word.ends_with(".md") && word.contains('/') && !word.starts_with(['/', '.', '*']);
        let issue = word.strip_prefix('#').is_some_and(digits);
        named || place || path || issue || word.starts_with("session://")
    };
    let words = text.split(ends).map(|word| word.trim_end_matches(['.', ':']));
    words.filter(|word| is_reference(word)).map(str::to_owned).collect()
}

fn mcp(desk: &Desk, calls: &[(&str, Value)]) -> Vec<Value> {
    let mut messages = vec![
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ];
    for (at, (name, arguments)) in calls.iter().enumerate() {
        messages.push(json!({ "jsonrpc": "2.0", "id": at + 1, "method": "tools/call",
            "params": { "name": name, "arguments": arguments } }));
    }
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let run = desk.told(&input, &["mcp"]);
    assert_eq!(run.code, 0, "{run}");
    let replies: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("every line is a message")).collect();
    let of = |id: usize| replies.iter().find(|reply| reply["id"] == id).expect("there is a reply").clone();
    (1..=calls.len()).map(of).collect()
}

/// Citations could not be opened: `session://…#L88`, `6af70815#L88` and `6af70815:24` were refused by
/// `show`, `sessions show` and MCP `get`.
#[test]
fn every_reference_in_every_output_opens_for_people_and_agents() {
    let desk = desk();
    let question = "Which database do bookings live in?";
    let commands: &[&[&str]] = &[
        &["list"],
        &["list", "--json"],
        &["query", "booking database"],
        &["query", "booking database", "--json"],
        &["ask", question],
        &["ask", question, "--json"],
        &["ask", "when is a cancellation free?"],
        &["brief", "let customers cancel a booking"],
        &["brief", "--issue", "74"],
        &["context", "--prompt", question],
        &["context", "--prompt", question, "--json"],
        &["surface", "--role", "planner", "--task", "move the booking database"],
        &["review", "list"],
        &["status"],
        &["usage"],
        &["fresh"],
        &["check"],
        &["related", "74"],
        &["sessions", "--sessions", "sessions"],
        &["sessions", "search", "database", "--sessions", "sessions"],
        &["export"],
    ];
    let mut found = BTreeSet::new();
    for command in commands {
        let run = desk.lore(command);
        assert!(run.code <= 2, "{command:?}\n{run}");
        found.extend(references(&run.out));
    }
    for file in ["log.md", "decisions/index.md", "preferences/index.md"] {
        found.extend(
            references(&desk.read(&format!("knowledge/{file}"))).into_iter().filter(|r| !r.contains('/')),
        );
    }
    let items: Value = serde_json::from_str(&desk.lore(&["list", "--json"]).out).expect("JSON");
    for item in items["items"].as_array().or(items["entries"].as_array()).expect("there are entries") {
        let id = item["handle"].as_str().expect("an entry has a handle");
        let shown = desk.lore(&["show", id]);
        assert_eq!(shown.code, 0, "{shown}");
        found.extend(references(&shown.out));
        let notes = shown.out.match_indices("[^s").map(|(at, _)| &shown.out[at + 2..]);
        found.extend(notes.map(|rest| format!("{id}#{}", rest.split(']').next().unwrap_or_default())));
        found.insert(item["path"].as_str().expect("a path").to_owned());
        found.insert(format!("knowledge/{}", item["path"].as_str().expect("a path")));
        found.insert(format!("\"{}\"", item["title"].as_str().expect("a title")));
    }
    let replies = mcp(
        &desk,
        &[
            ("search", json!({ "query": "booking database" })),
            ("ask", json!({ "question": question })),
            ("brief", json!({ "text": "let customers cancel a booking" })),
            ("context", json!({ "prompt": question })),
            ("surface", json!({ "role": "planner", "task": "move the booking database" })),
        ],
    );
    replies
        .iter()
        .for_each(|reply| found.extend(references(&reply["result"]["structuredContent"].to_string())));
    found.extend(["src/db/pool.rs:3", "#74", "74"].map(str::to_owned));
    let kinds = |test: &dyn Fn(&str) -> bool| found.iter().filter(|reference| test(reference)).count();
    assert!(kinds(&|r| r.starts_with("session://")) >= 5, "{found:#?}");
    assert!(kinds(&|r| r.contains("#s")) >= 5, "{found:#?}");
    assert!(kinds(&|r| r.len() == 10 && r.as_bytes()[3] == b'-') >= 5, "{found:#?}");
    assert!(kinds(&|r| r.contains("#L") && !r.contains("://")) >= 1, "{found:#?}");
    let failed: Vec<String> = found
        .iter()
        .map(|reference| (reference, desk.lore(&["open", reference])))
        .filter(|(_, run)| run.code != 0 || run.out.trim().is_empty())
        .map(|(reference, run)| format!("{reference}: {run}"))
        .collect();
    assert!(failed.is_empty(), "{} of {}\n{}", failed.len(), found.len(), failed.join("\n"));
    let calls: Vec<(&str, Value)> =
        found.iter().map(|reference| ("get", json!({ "id": reference }))).collect();
    for (reply, reference) in mcp(&desk, &calls).iter().zip(&found) {
        assert_ne!(reply["result"]["isError"], true, "{reference}: {reply}");
        assert!(reply["result"]["structuredContent"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    }
}

#[test]
fn references_open_at_their_line_with_a_little_around_it() {
    let desk = desk();
    let beyond = desk.lore(&["open", "src/db/pool.rs:999"]);
    assert!(beyond.code == 2 && beyond.err.contains("has no line 999"), "{beyond}");
    insta::assert_snapshot!("open_file", desk.lore(&["open", "src/db/pool.rs:3", "--context", "1"]));
    let talk = desk.lore(&["sessions", "search", "PostgreSQL", "--sessions", "sessions", "--json"]);
    let talk: Value = serde_json::from_str(&talk.out).expect("JSON");
    let quote = &talk["quotes"][0];
    let (id, line) = (quote["session"].as_str().expect("an id"), quote["line"].as_u64().expect("a line"));
    let words = quote["text"].as_str().expect("words");
    let beyond = desk.lore(&["open", &format!("{}#L99999", &id[..13])]);
    assert!(beyond.code == 2 && beyond.err.contains("has no line 99999"), "{beyond}");
    for reference in [
        format!("session://{}/{id}#L{line}", quote["agent"].as_str().expect("an agent")),
        format!("{}#L{line}", &id[..13]),
        format!("{}:{line}", &id[..13]),
        format!("[{}#L{line} · a person · 2026-03-27]", &id[..13]),
    ] {
        let run = desk.lore(&["open", &reference, "--context", "0"]);
        assert!(run.code == 0 && run.out.contains(words), "{reference}\n{run}");
        assert_eq!(run.out.matches("── ").count(), 1, "{reference}\n{run}");
        let shown = desk.lore(&["show", &reference]);
        assert!(shown.code == 0 && shown.out.contains(words), "{shown}");
        let shown = desk.lore(&["sessions", "show", &reference, "--sessions", "sessions"]);
        assert!(shown.code == 0 && shown.out.contains(words), "{shown}");
    }
    // The shelf keeps what an agent cleared away.
    std::fs::remove_dir_all(desk.project().join("sessions")).expect("the sessions can be removed");
    let kept = desk.lore(&["open", &format!("{}#L{line}", &id[..13])]);
    assert!(
        kept.code == 0 && kept.out.contains(&words[..20]) && kept.err.contains("not on this machine"),
        "{kept}"
    );
}

#[test]
fn a_commit_a_path_and_an_editor() {
    let desk = desk();
    let id = std::process::Command::new("git")
        .args(["rev-parse", "--short=9", "HEAD"])
        .current_dir(desk.project())
        .output()
        .expect("git can be run");
    let id = String::from_utf8_lossy(&id.stdout).trim().to_owned();
    let run = desk.lore(&["open", &id]);
    assert!(
        run.code == 0 && run.out.contains("raise the pool") && run.out.contains("src/db/pool.rs"),
        "{run}"
    );
    let path = desk.lore(&["open", "src/db/pool.rs:3", "--path"]);
    assert_eq!(path.out, "[desk]/project/src/db/pool.rs:3\n", "{path}");
    let edited = desk.run(&["open", "src/db/pool.rs:3", "--editor"], &[("EDITOR", "echo")]);
    assert_eq!(edited.out, "+3 [desk]/project/src/db/pool.rs\n", "{edited}");
    assert_eq!(desk.lore(&["open", "#74", "--path"]).code, 2);
}

#[test]
fn what_leads_nowhere_says_what_was_tried_and_what_is_near() {
    let desk = desk();
    let removed = desk.lore(&["rm", "the-pool-has-seven-connections", "--why", "it has nine"]);
    assert_eq!(removed.code, 0, "{removed}");
    for (name, reference) in [
        ("open_unknown", "cancellation-window"),
        ("open_unknown_session", "session://codex/0000ffff#L7"),
        ("open_no_footnote", "[^s1]"),
        ("open_outside", "../../etc/passwd:1"),
        ("open_removed", "fac-2026-04-12-the-pool-has-seven-connections"),
    ] {
        insta::assert_snapshot!(name, desk.lore(&["open", reference]));
    }
}
