//! Every agent's hook messages, in the shapes that agents send, through the real binary: an answer in the
//! agent's own form or silence, exit code 0, nothing on standard error.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::callers::{Call, Caller, callers};
use crate::desk::Desk;

const PROMPT: &str = "Are bookings kept in PostgreSQL?";

/// What the places in the messages stand for.
fn values(project: &str) -> Vec<(&'static str, String)> {
    let error = "error: the mail worker failed: connection refused on port 6390 of the relay";
    let pairs = [
        ("session", "s-1"),
        ("project", project),
        ("prompt", PROMPT),
        ("file", "src/token.rs"),
        ("command", "make migrate"),
        ("error", error),
        ("plan", "1. Look at it"),
    ];
    pairs.into_iter().map(|(name, value)| (name, value.to_owned())).collect()
}

fn desk() -> Desk {
    let desk = Desk::with_base();
    let new = |title: &str, kind: &str, body: &str, files: &[&str]| {
        let mut words = vec!["new", title, "--type", kind, "--body", body];
        files.iter().for_each(|file| words.extend(["--file", file]));
        let run = desk.lore(&words);
        assert_eq!(run.code, 0, "{run}");
    };
    new("Never use floats for money", "preference", "Never use floating point for money.", &[]);
    new("Use PostgreSQL for bookings", "decision", "Bookings are kept in PostgreSQL.", &[]);
    new(
        "Tokens are checked once",
        "decision",
        "Tokens are checked here and nowhere else.",
        &["src/token.rs"],
    );
    let tunnel = "When the mail worker fails with `connection refused` on port 6390, the relay's tunnel is down: `make tunnel`.";
    new("The mail relay refuses connections when its tunnel is down", "resolution", tunnel, &[]);
    assert_eq!(desk.lore(&["work"]).code, 0);
    desk
}

fn send(desk: &Desk, caller: &Caller, call: &Call) -> Value {
    let project = desk.project().display().to_string();
    let values = values(&project);
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let message = caller.message(call, &values);
    let run = desk.told(&message.to_string(), &["hook", &caller.agent, &call.event]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{} {}: {run}", caller.agent, call.event);
    if run.out.is_empty() { Value::Null } else { serde_json::from_str(&run.out).expect("an answer is JSON") }
}

#[test]
fn each_agent_is_told_in_its_own_form_what_it_can_hear() {
    for caller in callers() {
        let desk = desk();
        for call in &caller.events {
            let reply = send(&desk, &caller, call);
            let wanted = match call.what.as_str() {
                // What was summarised away is said anew.
                "start" | "compact" => "floating point",
                "prompt" => "kept in PostgreSQL",
                "edit" => "nowhere else",
                "failure" => "make tunnel",
                _ => "",
            };
            let text = reply.pointer(&caller.text).and_then(Value::as_str).unwrap_or_default();
            // Before other tools there is something to say only where a check of the change found it.
            if call.heard && !wanted.is_empty() {
                assert!(text.contains(wanted), "{} {call:?}: {reply}", caller.agent);
                assert!(text.starts_with("<lorekeep-context>"), "{text}");
            } else {
                assert_eq!(reply, Value::Null, "{} {call:?}", caller.agent);
            }
        }
        let status = desk.lore(&["doctor", "--json"]);
        let found: Value = serde_json::from_str(&status.out).expect("is JSON");
        assert_eq!(
            (&found["base"]["running"], &found["base"]["waiting"]),
            (&json!(0), &json!(1)),
            "{}: {found}",
            caller.agent
        );
    }
}

#[test]
fn a_gate_refuses_in_each_agents_own_form() {
    for caller in callers() {
        let Some((place, word)) = &caller.refusal else { continue };
        let desk = desk();
        let own = desk.home().join(".config/lore/config.toml");
        std::fs::create_dir_all(own.parent().expect("has a folder")).expect("can be made");
        std::fs::write(own, "[ground]\nmode = \"FULL\"\nenforce = \"as-table\"\n").expect("can be written");
        let prompt = caller.call("prompt").expect("there are prompts");
        let project = desk.project().display().to_string();
        let asked = "Add a command that exports all bookings as CSV";
        let values = [("session", "s-1"), ("project", project.as_str()), ("prompt", asked)];
        let message = caller.message(prompt, &values).to_string();
        assert_eq!(desk.told(&message, &["hook", &caller.agent, &prompt.event]).code, 0);
        let reply = send(&desk, &caller, caller.call("edit").expect("there are edits"));
        let said = reply.pointer(place).and_then(Value::as_str);
        assert_eq!(said, Some(word.as_str()), "{}: {reply}", caller.agent);
    }
}

/// A hook that is installed and that no file here knows would be tried by nobody.
#[test]
fn every_hook_that_is_installed_is_among_the_messages() {
    let mut tried = BTreeSet::new();
    for caller in callers() {
        let desk = Desk::new();
        let run = desk.lore(&["install", &caller.agent, "--dry-run", "--program", "lore"]);
        assert_eq!(run.code, 0, "{run}");
        let known: BTreeSet<&str> = caller.events.iter().map(|call| call.event.as_str()).collect();
        let mark = format!(" hook {} ", caller.agent);
        let after = |mark: &str| -> BTreeSet<String> {
            let word =
                |rest: &str| rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            run.out.split(mark).skip(1).map(word).collect()
        };
        // What we install as a program of its own names the events where it asks.
        let wired: BTreeSet<String> = after(&mark).into_iter().chain(after("ask(\"")).collect();
        assert!(wired.len() >= 4, "{}: {wired:?} in {run}", caller.agent);
        let unknown: Vec<&String> = wired.iter().filter(|event| !known.contains(event.as_str())).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", caller.agent);
        tried.insert(caller.agent);
    }
    // All agents but the one that stands for those without hooks.
    let run = Desk::new().lore(&["install", "--json"]);
    let listed: Value = serde_json::from_str(&run.out).expect("is JSON");
    let agents = listed["agents"].as_array().expect("there is a list");
    let names = agents.iter().filter_map(|agent| agent["agent"].as_str()).filter(|name| *name != "other");
    assert_eq!(names.map(str::to_owned).collect::<BTreeSet<_>>(), tried);
}
