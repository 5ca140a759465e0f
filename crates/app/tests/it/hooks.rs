//! The hooks of agents, through the real binary: right shape, right exit code, never in the way.

use serde_json::{Value, json};

use crate::desk::{Desk, Run};

const SESSION: &str = "7ed57110-1d7d-5b88-bddd-7e2ab3274e37";

fn desk() -> Desk {
    let desk = Desk::with_base();
    let new = |title: &str, kind: &str, body: &str| {
        let run = desk.lore(&["new", title, "--type", kind, "--body", body]);
        assert_eq!(run.code, 0, "{run}");
    };
    new("Never use floating point for money", "preference", "Never use floating point for money; use cents.");
    new(
        "Use PostgreSQL for bookings",
        "decision",
        "Bookings are kept in PostgreSQL, because two instances write at once.",
    );
    new(
        "Webhooks cannot reach developers",
        "limitation",
        "Stripe webhooks cannot reach developers' machines.",
    );
    // A hook never builds the index; a worker does.
    assert_eq!(desk.lore(&["work"]).code, 0);
    desk
}

fn hook(desk: &Desk, event: &str, mut message: Value) -> Run {
    message["session_id"] = SESSION.into();
    message["hook_event_name"] = event.into();
    message["cwd"] = desk.project().display().to_string().into();
    message["transcript_path"] = desk.home().join("session.jsonl").display().to_string().into();
    message["permission_mode"] = "default".into();
    desk.told(&message.to_string(), &["hook", "claude-code", event])
}

fn context(run: &Run, event: &str) -> String {
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run}");
    if run.out.is_empty() {
        return String::new();
    }
    let reply: Value = serde_json::from_str(&run.out).expect("the reply is JSON");
    assert_eq!(reply["hookSpecificOutput"]["hookEventName"], event);
    let text = reply["hookSpecificOutput"]["additionalContext"].as_str().expect("there is a text").to_owned();
    assert!(text.starts_with("<lorekeep-context>") && text.ends_with("</lorekeep-context>"), "{text}");
    text
}

#[test]
fn a_session_gets_preferences_at_the_start_and_knowledge_with_a_prompt_once() {
    let desk = desk();
    let start = context(&hook(&desk, "SessionStart", json!({ "source": "startup" })), "SessionStart");
    assert!(start.contains("floating point") && start.contains("[prf-vxzqan]"), "{start}");
    assert!(!start.contains("PostgreSQL"), "{start}");

    let ask = json!({ "prompt": "Are bookings kept in PostgreSQL?" });
    let first = context(&hook(&desk, "UserPromptSubmit", ask.clone()), "UserPromptSubmit");
    assert!(first.contains("Bookings are kept in PostgreSQL"), "{first}");
    assert!(first.contains("[dec-4rhreb · current"), "{first}");
    assert!(!first.contains("floating point"), "{first}");
    let again = context(&hook(&desk, "UserPromptSubmit", ask.clone()), "UserPromptSubmit");
    assert_eq!(again, "", "nothing is said twice");

    let resumed = hook(&desk, "SessionStart", json!({ "source": "resume" }));
    assert_eq!(context(&resumed, "SessionStart"), "", "everything is still in the conversation");
    let compacted = hook(&desk, "SessionStart", json!({ "source": "compact" }));
    assert!(context(&compacted, "SessionStart").contains("floating point"));
    assert!(context(&hook(&desk, "UserPromptSubmit", ask), "UserPromptSubmit").contains("PostgreSQL"));
}

#[test]
fn nothing_is_said_about_what_is_not_known() {
    let desk = desk();
    for prompt in
        ["Suggest three names for a hamster", "/clear", "ok", "", "What did Melanie paint last summer?"]
    {
        let run = hook(&desk, "UserPromptSubmit", json!({ "prompt": prompt }));
        assert_eq!(context(&run, "UserPromptSubmit"), "", "{prompt}");
    }
    let by_machine = json!({ "prompt": "Which database do we keep bookings in?", "source": "loop_wakeup" });
    assert_eq!(context(&hook(&desk, "UserPromptSubmit", by_machine), "UserPromptSubmit"), "");
}

#[test]
fn whatever_goes_wrong_the_agent_is_not_disturbed() {
    let desk = desk();
    for (event, input) in [
        ("session-start", ""),
        ("session-start", "not json"),
        ("user-prompt-submit", "{\"session_id\": 7}"),
        ("no-such-event", "{}"),
        ("session-end", "{\"transcript_path\": \"/nowhere/x.jsonl\"}"),
    ] {
        let run = desk.told(input, &["hook", "claude-code", event]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""), "{event} {input:?}");
    }
    assert_eq!(desk.told("{}", &["hook", "some-agent", "x"]).code, 0);
    let log =
        std::fs::read_to_string(desk.project().join(".git/lore/knowledge/hook.log")).expect("there is a log");
    assert_eq!(log.lines().count(), 4, "{log}");

    let nowhere = Desk::new();
    let run = hook(&nowhere, "SessionStart", json!({ "source": "startup" }));
    assert_eq!((run.code, run.out.as_str()), (0, ""), "a project without a base");

    let own = desk.home().join(".config/lore/config.toml");
    std::fs::create_dir_all(own.parent().expect("has a folder")).expect("can be made");
    std::fs::write(own, "[context]\nbudget = \"many\"\n").expect("can be written");
    let run = hook(&desk, "SessionStart", json!({ "source": "startup" }));
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""), "broken settings");
}

#[test]
fn an_ended_session_waits_and_is_curated_once() {
    let desk = desk();
    let lines = [
        json!({ "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": SESSION, "cwd": desk.project(),
            "timestamp": "2026-02-19T10:00:00Z", "message": { "role": "user",
            "content": "We decided to use Redis for the job queue, because Postgres polling is too slow. Please never add a dependency without asking me first." } }),
        json!({ "type": "assistant", "uuid": "u2", "parentUuid": "u1", "sessionId": SESSION, "cwd": desk.project(),
            "timestamp": "2026-02-19T10:01:00Z", "message": { "id": "m1", "role": "assistant",
            "content": [{ "type": "text", "text": "Understood: Redis for the queue. As [dec-2026-02-20-use-postgresql-for-bookings] says, bookings stay in PostgreSQL." }] } }),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(desk.home().join("session.jsonl"), text).expect("a file can be written");
    let ask = json!({ "prompt": "Are bookings kept in PostgreSQL?" });
    hook(&desk, "UserPromptSubmit", ask);
    for _ in 0..2 {
        let run = hook(&desk, "SessionEnd", json!({ "reason": "clear" }));
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{run}");
    }
    let work = |arguments: &[&str]| -> Value {
        serde_json::from_str(&desk.lore(arguments).out).expect("the report is JSON")
    };
    assert_eq!(work(&["work", "--json"])["sessions"], 0, "one session is not enough yet");
    assert_eq!(work(&["work", "--json", "--now"])["sessions"], 1);
    assert_eq!(work(&["work", "--json", "--now"])["sessions"], 0, "nothing waits any more");
    let usage: Value =
        serde_json::from_str(&desk.lore(&["usage", "--json"]).out).expect("the report is JSON");
    let used = &usage["used"][0];
    assert_eq!(used["id"], "dec-2026-02-20-use-postgresql-for-bookings", "{usage}");
    assert_eq!((&used["surfaced"], &used["applied"]), (&json!(1), &json!(1)), "the agent cited it");
}

/// The mass of hostile messages is tried below, through the library; here a sample through the binary.
#[test]
fn the_binary_ends_well_whatever_it_is_given() {
    let desk = desk();
    let whole = json!({ "session_id": SESSION, "hook_event_name": "UserPromptSubmit", "cwd": desk.project(),
        "prompt": "Are bookings kept in PostgreSQL?" })
    .to_string();
    let deep = "[".repeat(200_000);
    let nowhere = whole.replace("project", "no-such-project");
    let inputs = [
        whole.as_str(),
        &whole[..40],
        deep.as_str(),
        nowhere.as_str(),
        "",
        "null",
        "\u{0}",
        "{\"prompt\": 7}",
    ];
    let calls: [&[&str]; 6] = [
        &["hook", "claude-code", "user-prompt-submit"],
        &["hook", "claude-code", "session-start"],
        &["hook", "claude-code", "session-end"],
        &["hook"],
        &["hook", "--no-such-option", "x", "--more"],
        &["hook", "nobody", "user-prompt-submit", "and", "more"],
    ];
    for arguments in calls {
        for input in inputs {
            let run = desk.told(input, arguments);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?} {run}");
            assert!(run.out.is_empty() || serde_json::from_str::<Value>(&run.out).is_ok(), "{run}");
        }
    }
}

/// A session without end made every worker die in silence, and the session beside it was never curated.
#[test]
fn a_session_that_takes_too_long_is_set_aside_and_named() {
    let desk = desk();
    let lines: String = (0..400)
        .map(|at| {
            let line = json!({ "type": "user", "uuid": format!("u{at}"), "sessionId": SESSION, "cwd": desk.project(),
                "timestamp": "2026-02-19T10:00:00Z", "message": { "role": "user",
                "content": format!("We decided to use queue {at} for the job {at}, because polling is too slow.") } });
            format!("{line}\n")
        })
        .collect();
    std::fs::write(desk.home().join("session.jsonl"), lines).expect("a file can be written");
    hook(&desk, "SessionEnd", json!({ "reason": "clear" }));
    for _ in 0..2 {
        // A worker that a hook started may still be at it.
        let tries = (0..1_000).map(|_| desk.lore(&["work", "--now", "--session-limit", "0", "--json"]));
        let run = tries.into_iter().find(|run| !run.out.contains("\"busy\": true")).expect("it ends");
        let worked: Value = serde_json::from_str(&run.out).expect("the report is JSON");
        assert_eq!(worked["cut_short"], true, "{run}");
    }
    let run = desk.lore(&["work", "--now", "--json"]);
    let worked: Value = serde_json::from_str(&run.out).expect("the report is JSON");
    assert_eq!(
        (&worked["sessions"], &worked["cut_short"]),
        (&json!(0), &json!(false)),
        "not a third time: {run}"
    );
    let status = desk.lore(&["status"]);
    for words in [
        "1 session set aside",
        "session.jsonl",
        "it took longer than 0 seconds",
        "retry: lore curate --sessions",
    ] {
        assert!(status.out.contains(words), "{words}: {status}");
    }
    let retried =
        desk.lore(&["curate", "--sessions", &desk.home().join("session.jsonl").display().to_string()]);
    assert_eq!(retried.code, 0, "{retried}");
    assert!(
        !desk.lore(&["status"]).out.contains("set aside"),
        "what was curated by hand is in trouble no more"
    );
}
