//! An editor asked by the command line, and an agent that curates over the protocol.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::desk::Desk;

const RULES: [&str; 4] = [
    "Never use floating point for money; all amounts are integer cents.",
    "Confirmation mails are always sent from the queue table, never from Redis.",
    "Log lines are always written as JSON, one object per line.",
    "Every migration is always written with its way back, never without one.",
];

/// A project with one session for each rule, which are found without being named.
pub(crate) fn desk() -> Desk {
    desk_of(&RULES.map(|rule| (rule, "Understood, I will keep to that from here on in all of the code.")))
}

/// A project with a session for each exchange of a person and an agent.
pub(crate) fn desk_of(exchanges: &[(&str, &str)]) -> Desk {
    let desk = Desk::with_base();
    for (number, (said, answered)) in exchanges.iter().enumerate() {
        let id = format!("{number}{number}{number}{number}-rule");
        let turns = [("user", *said), ("assistant", *answered)];
        let mut text = String::new();
        for (at, (role, words)) in turns.iter().enumerate() {
            let message = match *role {
                "user" => json!({ "role": "user", "content": words }),
                _ => {
                    json!({ "role": "assistant", "id": format!("m{at}"), "model": "m", "content": [{ "type": "text", "text": words }] })
                }
            };
            let record = json!({ "parentUuid": at.checked_sub(1).map(|n| format!("{id}-{n}")), "uuid": format!("{id}-{at}"),
                "sessionId": id, "isSidechain": false, "cwd": desk.project(), "version": "2.0.0", "type": role,
                "timestamp": format!("2026-02-0{}T10:0{at}:00Z", number + 1), "message": message });
            text.push_str(&format!("{record}\n"));
        }
        desk.write(&format!("sessions/{id}.jsonl"), &text);
    }
    let set = desk.lore(&["config", "set", "--whose", "user", "sessions.paths", "sessions"]);
    assert_eq!(set.code, 0, "{set}");
    desk
}

/// Answers a packet with one preference for each line a person typed.
pub(crate) fn answer(packet: &str, text: &str) -> Value {
    let lines = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("] P: "));
    let edit = |(number, words): (&str, &str)| {
        let title: Vec<&str> = words.split_whitespace().take(6).collect();
        json!({ "op": "new", "kind": "preference", "title": title.join(" "), "text": words,
            "lines": [number.parse::<u32>().unwrap_or(0)], "decided_by": "person" })
    };
    json!({ "packet": packet, "edits": lines.map(edit).collect::<Vec<_>>() })
}

/// An editor as a shell script: the same answer as above, after doing something first.
#[cfg(unix)]
fn script(desk: &Desk, first: &str) -> String {
    let text = format!(
        r#"#!/bin/sh
{first}
prompt=$(cat)
env > "{folder}/seen-env"; pwd > "{folder}/seen-pwd"
name=$(printf '%s' "$prompt" | grep -o 'Packet p-[0-9a-f]*' | head -n 1 | cut -d' ' -f2)
case "$prompt" in *'CLAIM '*) printf '{{"looks":{{"1":"entailed","2":"entailed","3":"entailed","4":"entailed"}}}}'; exit 0;; esac
printf '{{"packet":"%s","edits":[' "$name"
printf '%s' "$prompt" | grep '^\[[0-9]*\] P: ' | sed 's/^\[\([0-9]*\)\] P: \(.*\)$/{{"op":"new","kind":"preference","title":"A rule of the house","text":"\2","lines":[\1],"decided_by":"person"}}/' | sed 's/ always / /' | paste -sd, -
printf ']}}'
"#,
        folder = desk.home().display()
    );
    desk.write("editor.sh", &text);
    let line = format!("mine=sh {}", desk.project().join("editor.sh").display());
    let set = desk.lore(&["config", "set", "--whose", "user", "curate.editors", &line]);
    assert_eq!(set.code, 0, "{set}");
    line
}

#[test]
fn without_an_editor_it_is_said_what_waits() {
    let desk = desk();
    let run = desk.lore(&["curate"]);
    assert!(run.err.contains("4 sessions wait for an editor, about "), "{run}");
    assert!(run.err.contains("lore curate --with claude") && run.err.contains("/curate"), "{run}");
    assert!(desk.lore(&["status"]).out.contains("4 sessions wait for an editor"));
    let packet = desk.lore(&["curate", "--show-packet"]);
    assert!(packet.out.contains("NEAREST ENTRIES") && packet.out.contains(RULES[0]), "{packet}");
    let unknown = desk.lore(&["curate", "--with", "nobody"]);
    assert_eq!(unknown.code, 2, "{unknown}");
    assert!(unknown.err.contains("nobody knows how to ask `nobody`"), "{unknown}");
}

#[cfg(unix)]
#[test]
fn an_editor_is_started_in_an_empty_folder_and_its_work_can_be_checked_and_taken_back() {
    let desk = desk();
    script(&desk, "");
    assert_eq!(desk.lore(&["curate"]).code, 0);
    let rehearsed = desk.lore(&["curate", "--with", "mine", "--dry-run"]);
    assert!(rehearsed.out.contains("would be new"), "{rehearsed}");
    let run = desk.lore(&["curate", "--with", "mine"]);
    assert_eq!(run.code, 0, "{run}");
    assert!(run.out.contains("1 packet by mine") && run.out.contains("0 sessions still wait"), "{run}");
    assert!(run.out.contains("known from before"), "the rehearsal was not paid twice: {run}");
    assert!(run.err.contains("lore undo edit-"), "{run}");
    let seen = std::fs::read_to_string(desk.home().join("seen-env")).expect("it was started");
    assert!(!seen.contains("LORE_"), "{seen}");
    let place = std::fs::read_to_string(desk.home().join("seen-pwd")).expect("it was started");
    assert_eq!(std::fs::read_dir(place.trim()).expect("is a folder").count(), 0, "{place}");
    let review: Value =
        serde_json::from_str(&desk.lore(&["review", "--by", "model", "--json"]).out).expect("JSON");
    let by_model = review["total"].as_u64().unwrap_or(0);
    assert!(by_model >= 1, "{review}");
    assert_eq!(desk.lore(&["status", "--json"]).code, 0);
    let undone = desk.lore(&["undo", "edit-2"]);
    assert!(undone.out.contains("took back edit-2"), "{undone}");
    let review: Value =
        serde_json::from_str(&desk.lore(&["review", "--by", "model", "--json"]).out).expect("JSON");
    assert_eq!(review["total"], 0, "{review}");
}

/// The editor kills whoever asked it, the first time, the second time, and so on.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_for_good_is_finished_by_the_next() {
    for at in 1..=4 {
        let desk = desk();
        let count = desk.home().join("count").display().to_string();
        let first = format!(
            "n=$(cat {count} 2>/dev/null || echo 0); n=$((n+1)); echo $n > {count}; if [ $n -eq {at} ]; then kill -9 $PPID; fi"
        );
        script(&desk, &first);
        desk.lore(&["config", "set", "--whose", "user", "curate.private", "none-such"]);
        for number in 0..RULES.len() {
            // One session after the other comes to be known, so that there are several packets.
            let run = desk.lore(&[
                "curate",
                "--with",
                "mine",
                "--sessions",
                &format!("sessions/{number}{number}{number}{number}-rule.jsonl"),
            ]);
            assert!(run.code == 0 || run.code == -1, "{run}");
        }
        for number in 0..RULES.len() {
            let run = desk.lore(&[
                "curate",
                "--with",
                "mine",
                "--sessions",
                &format!("sessions/{number}{number}{number}{number}-rule.jsonl"),
            ]);
            assert_eq!(run.code, 0, "{run}");
        }
        let check = desk.lore(&["check"]);
        assert_eq!(check.code, 0, "killed at {at}: {check}");
        let review: Value =
            serde_json::from_str(&desk.lore(&["review", "--by", "model", "--json", "-n", "50"]).out)
                .expect("JSON");
        let titles: Vec<&str> = review["entries"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|one| one["title"].as_str())
            .collect();
        let status: Value = serde_json::from_str(&desk.lore(&["status", "--json"]).out).expect("JSON");
        assert_eq!(status["editing"]["edited"], 4, "killed at {at}: {titles:?}");
        assert_eq!(status["editing"]["waiting"], 0, "killed at {at}");
    }
}

/// A client of the protocol that can wait between two calls.
pub(crate) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    pub(crate) fn new(desk: &Desk) -> Client {
        let mut child = desk.talking(&["mcp"]);
        let input = child.stdin.take().expect("is a pipe");
        let output = BufReader::new(child.stdout.take().expect("is a pipe"));
        let mut client = Client { child, input, output, id: 0 };
        client.request(
            "initialize",
            &json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" } }),
        );
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("can be said");
        self.input.flush().expect("can be said");
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("can be heard") > 0, "it went away");
            let reply: Value = serde_json::from_str(&line).expect("is a message");
            if reply["id"] == id {
                return reply["result"].clone();
            }
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert_ne!(result["isError"], true, "{result}");
        result
    }

    /// Fetches a packet: its name and text, or nothing.
    pub(crate) fn next(&mut self, tokens: u32) -> Option<(String, String)> {
        let result = self.call("curate_next", &json!({ "max_tokens": tokens }));
        assert!(result["structuredContent"].is_null(), "a packet is sent once: {result}");
        let first = result["content"][0]["text"].as_str().unwrap_or_default();
        // An agent was told to edit what was not there.
        let name =
            first.split_once("packet `").and_then(|(_, rest)| rest.split_once('`')).map(|(name, _)| name);
        assert_eq!(first.starts_with("Edit the packet below"), name.is_some(), "{first}");
        assert_eq!(first.contains("nothing to edit"), name.is_none(), "{first}");
        let name = name?.to_owned();
        let fenced = result["content"][1]["text"].as_str().unwrap_or_default();
        assert!(
            fenced.starts_with("<lorekeep-context>") && fenced.ends_with("</lorekeep-context>"),
            "{fenced}"
        );
        Some((name, fenced.to_owned()))
    }

    /// Hands an answer in, and what is asked about it.
    fn submit(&mut self, name: &str, text: &str) -> Value {
        let done = self.call("curate_submit", &answer(name, text))["structuredContent"].clone();
        if done["written"] == true || done["already"] == true {
            return done;
        }
        let ask = done["ask"].as_str().unwrap_or_default();
        let claims = ask.lines().filter_map(|line| line.strip_prefix("CLAIM ")?.split_once(':'));
        let looks: serde_json::Map<String, Value> =
            claims.map(|(number, _)| (number.to_owned(), "entailed".into())).collect();
        self.call("curate_submit", &json!({ "packet": name, "edits": [], "looks": looks }))["structuredContent"].clone()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_agent_curates_until_nothing_is_left_and_another_that_dies_costs_nothing() {
    let mut desk = desk();
    // Long sessions, so that each is a packet of its own.
    for number in 0..RULES.len() {
        let path = format!("sessions/{number}{number}{number}{number}-rule.jsonl");
        let text = desk.read(&path);
        let more = "This is how it is done here and there is nothing to add to it. ".repeat(18);
        desk.write(&path, &text.replacen("from here on", &more, 1));
    }
    let mut dying = Client::new(&desk);
    let (lost, _) = dying.next(2_050).expect("there is a packet");
    let mut ada = Client::new(&desk);
    let mut done = Vec::new();
    while let Some((name, text)) = ada.next(2_050) {
        assert_ne!(name, lost, "it is with somebody else");
        let result = ada.submit(&name, &text);
        assert_eq!(result["written"], true, "{result}");
        let again = ada.submit(&name, &text);
        assert_eq!(again["already"], true, "{again}");
        done.push(name);
        assert!(done.len() < 20, "it ends");
    }
    assert!(!done.is_empty());
    drop(dying);
    let status: Value = serde_json::from_str(&desk.lore(&["status", "--json"]).out).expect("JSON");
    assert!(status["editing"]["waiting"].as_u64() >= Some(1), "what the other took still waits: {status}");
    desk.at("2026-02-21T12:00:00Z");
    let mut later = Client::new(&desk);
    while let Some((name, text)) = later.next(2_050) {
        let result = later.submit(&name, &text);
        assert_eq!(result["written"], true, "{result}");
    }
    let status: Value = serde_json::from_str(&desk.lore(&["status", "--json"]).out).expect("JSON");
    assert_eq!((&status["editing"]["waiting"], &status["editing"]["edited"]), (&json!(0), &json!(4)));
    let listed = desk.lore(&["list"]).out;
    for rule in [
        "Never use floating point",
        "Confirmation mails are always",
        "Log lines are always",
        "Every migration is always",
    ] {
        assert_eq!(listed.matches(rule).count(), 1, "{rule}: {listed}");
    }
    assert_eq!(desk.lore(&["check"]).code, 0);
}

#[test]
fn a_packet_and_its_edits_go_through_the_command_line() {
    let desk = desk();
    let packet: Value = serde_json::from_str(&desk.lore(&["packet", "--json"]).out).expect("JSON");
    let (name, text) =
        (packet["packet"].as_str().unwrap_or_default(), packet["text"].as_str().unwrap_or_default());
    assert_eq!(desk.lore(&["packet"]).code, 1, "it is with somebody already");
    let done = desk.told(&answer(name, text).to_string(), &["edits", "--now"]);
    assert_eq!(done.code, 0, "{done}");
    assert!(done.out.contains("new: 4") || done.out.contains("new: "), "{done}");
    let again = desk.told(&answer(name, text).to_string(), &["edits"]);
    assert!(again.out.contains("Somebody answered this packet before"), "{again}");
    let wrong = desk.told("nonsense", &["edits"]);
    assert_eq!(wrong.code, 2, "{wrong}");
}

/// What an editor drops was told by no output, and what a person had said was gone at once.
#[test]
fn every_drop_is_told_and_a_persons_words_are_asked_about() {
    let desk = desk_of(&[
        ("We sell the tickets in the harbour office, the crews are ashore.", "Good, the page says so."),
        ("How far are we?", "I went with MongoDB for the audit trail of the ticket page."),
    ]);
    assert_eq!(desk.lore(&["curate"]).code, 0);
    let packet: Value = serde_json::from_str(&desk.lore(&["packet", "--json"]).out).expect("JSON");
    let drops = ["e1", "e2"].map(|entry| json!({ "op": "drop", "entry": entry, "lines": [1] }));
    let answer = json!({ "packet": packet["packet"], "edits": drops }).to_string();
    let rehearsed = desk.told(&answer, &["edits", "--now", "--dry-run"]);
    assert!(
        rehearsed.out.contains("would be set aside: 1") && rehearsed.out.contains("for you to decide: 1"),
        "{rehearsed}"
    );
    let rehearsed: Value =
        serde_json::from_str(&desk.told(&answer, &["--json", "edits", "--now", "--dry-run"]).out)
            .expect("JSON");
    let mut marks: Vec<&str> = rehearsed["edits"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|edit| edit["mark"].as_str())
        .collect();
    marks.sort_unstable();
    assert_eq!(marks, ["applied", "proposal"], "{rehearsed}");
    let done = desk.told(&answer, &["edits", "--now"]);
    assert!(done.out.contains("set aside: 1") && done.out.contains("for you to decide: 1"), "{done}");
    let listed = desk.lore(&["list"]).out;
    assert!(listed.contains("harbour office"), "it holds until a person says otherwise: {listed}");
    let review = desk.lore(&["review"]);
    assert!(review.out.contains("drop: We sell the tickets"), "{review}");
}

/// A run that reached nobody ended well, where it was asked for JSON.
#[cfg(unix)]
#[test]
fn an_editor_that_fails_ends_alike_with_and_without_json() {
    let desk = desk();
    let set = desk.lore(&["config", "set", "--whose", "user", "curate.editors", "fail=sh -c 'exit 3'"]);
    assert_eq!(set.code, 0, "{set}");
    let plain = desk.lore(&["curate", "--with", "fail"]);
    assert_eq!(plain.code, 1, "{plain}");
    let run = desk.lore(&["curate", "--with", "fail", "--json"]);
    assert_eq!(run.code, plain.code, "{run}");
    let told: Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(
        told["edited"]["stopped"].as_str().is_some_and(|why| why.contains("could not be reached")),
        "{run}"
    );
}
