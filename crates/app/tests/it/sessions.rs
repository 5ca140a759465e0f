//! Past sessions, and what is made of them.

use crate::desk::Desk;

/// A desk with three sessions of two agents in a folder, and a base.
pub(crate) fn desk_with_sessions() -> Desk {
    let desk = Desk::with_base();
    let claude = |id: &str, day: &str, turns: &[(&str, &str)]| {
        let mut text = String::new();
        for (number, (role, words)) in turns.iter().enumerate() {
            let message = match *role {
                "user" => serde_json::json!({"role": "user", "content": words}),
                _ => serde_json::json!({
                    "role": "assistant", "id": format!("m{number}"), "model": "model-1",
                    "content": [
                        {"type": "text", "text": words},
                        {"type": "tool_use", "id": format!("t{number}"), "name": "Bash", "input": {"command": "cargo test"}},
                    ],
                }),
            };
            let record = serde_json::json!({
                "parentUuid": number.checked_sub(1).map(|n| format!("{id}-{n}")), "uuid": format!("{id}-{number}"),
                "sessionId": id, "isSidechain": false, "cwd": "/home/ada/ferry", "version": "2.0.0", "type": role,
                "timestamp": format!("{day}T10:0{number}:00Z"), "message": message,
            });
            text.push_str(&format!("{record}\n"));
        }
        desk.write(&format!("sessions/{id}.jsonl"), &text);
    };
    claude(
        "aaaa-money",
        "2026-02-01",
        &[
            (
                "user",
                "Never use floating point for money. All amounts are integer cents, everywhere in the code.",
            ),
            ("assistant", "Understood. All amounts are integer cents now, and the tests pass."),
        ],
    );
    claude(
        "bbbb-mail",
        "2026-02-03",
        &[
            (
                "user",
                "No, we do not want Redis. Use the existing PostgreSQL queue table for confirmation mails.",
            ),
            ("assistant", "Done: confirmation mails are sent by the worker from the PostgreSQL queue table."),
        ],
    );
    let header = serde_json::json!({
        "type": "session", "version": 3, "id": "cccc-logs", "timestamp": "2026-02-05T09:00:00.000Z", "cwd": "/home/ada/ferry",
    });
    let say = |id: &str, parent: Option<&str>, role: &str, text: &str| {
        serde_json::json!({
            "type": "message", "id": id, "parentId": parent, "timestamp": "2026-02-05T09:01:00.000Z",
            "message": {"role": role, "content": [{"type": "text", "text": text}], "timestamp": 1},
        })
    };
    let lines = [
        header,
        say(
            "a",
            None,
            "user",
            "From now on always write log lines as JSON. The key is PAYMENT_KEY=abc123def456ghi789.",
        ),
        say("b", Some("a"), "assistant", "The logger writes one JSON object per line now."),
    ];
    desk.write(
        "sessions/2026-02-05_cccc-logs.jsonl",
        &lines.iter().map(|line| format!("{line}\n")).collect::<String>(),
    );
    desk
}

#[test]
fn sessions_are_listed_shown_counted_and_searched() {
    let desk = desk_with_sessions();
    let run = |arguments: &[&str]| {
        let mut all = vec!["sessions"];
        all.extend(arguments);
        all.extend(["--sessions", "sessions"]);
        desk.lore(&all)
    };
    insta::assert_snapshot!("sessions_list", run(&[]));
    insta::assert_snapshot!("sessions_list_one", run(&["list", "--agent", "pi", "--json"]));
    insta::assert_snapshot!("sessions_show", run(&["show", "bbbb"]));
    insta::assert_snapshot!("sessions_stats", run(&["stats"]));
    insta::assert_snapshot!("sessions_stats_json", run(&["stats", "--json"]));
    insta::assert_snapshot!("sessions_search", run(&["search", "postgresql"]));
    insta::assert_snapshot!("sessions_search_nothing", run(&["search", "kubernetes"]));
    insta::assert_snapshot!("sessions_unknown", run(&["show", "zzzz"]));
    let shown = run(&["show", "cccc"]);
    assert!(shown.out.contains("PAYMENT_KEY=[REDACTED]") && !shown.out.contains("abc123"), "{shown}");
    let missing = desk.lore(&["sessions", "--sessions", "nowhere"]);
    assert!(missing.code != 0 && missing.err.contains("hint: give a folder"), "{missing}");
    // A file that is not named after its session, beside one that only looks so.
    let text = "{\"role\":\"user\",\"content\":\"Ship it on Friday.\",\"session\":\"dddd-plain\"}\n";
    desk.write("sessions/notes.jsonl", text);
    desk.write(
        "sessions/dddd-of-another.jsonl",
        &text.replace("dddd-plain", "eeee").replace("Friday", "Monday"),
    );
    let shown = run(&["show", "dddd"]);
    assert!(shown.out.contains("Friday") && !shown.out.contains("Monday"), "{shown}");
}

#[test]
fn curating_is_rehearsed_done_and_done_only_once() {
    let desk = desk_with_sessions();
    let curate = |more: &[&str]| {
        let mut all = vec!["curate", "--sessions", "sessions"];
        all.extend(more);
        desk.lore(&all)
    };
    let rehearsal = curate(&["--dry-run"]);
    assert!(rehearsal.out.contains("  + title: "), "{rehearsal}");
    assert!(rehearsal.out.contains("3 sessions with something new; would make"), "{rehearsal}");
    assert_eq!(desk.lore(&["list", "--quiet"]).out, "");
    let due = curate(&["--due"]);
    assert!(due.out.contains("3 of 5 new sessions; nothing to do yet"), "{due}");
    let done = curate(&["-n", "1"]);
    assert!(done.out.starts_with("new: "), "{done}");
    assert!(done.err.contains("lore review"), "{done}");
    assert!(done.out.lines().all(|line| line.chars().count() <= 200), "{done}");
    insta::assert_snapshot!("curate_again", curate(&[]));
    let explained = curate(&["--bootstrap", "--explain"]);
    assert!(explained.out.contains("its evidence is cited already"), "{explained}");
    let json: serde_json::Value = serde_json::from_str(&curate(&["--json"]).out).expect("is JSON");
    assert_eq!((json["schema"].as_str(), json["unchanged"].as_u64()), (Some("lore.curate/1"), Some(3)));
    assert_eq!(curate(&["--since", "soon"]).code, 2);
}

#[test]
fn one_session_can_be_looked_into() {
    let desk = desk_with_sessions();
    let run = desk.lore(&["distill", "aaaa", "--sessions", "sessions", "--explain"]);
    assert_eq!(run.code, 0, "{run}");
    assert!(run.out.contains("person line 1: Never use floating point"), "{run}");
    assert!(run.out.lines().any(|line| line.trim_start().starts_with('+')), "which evidence counted: {run}");
    insta::assert_snapshot!("distill_unknown", desk.lore(&["distill", "zzzz", "--sessions", "sessions"]));
}

#[test]
fn what_was_curated_is_gone_through() {
    let desk = desk_with_sessions();
    insta::assert_snapshot!("review_nothing", desk.lore(&["review"]));
    assert_eq!(desk.lore(&["curate", "--sessions", "sessions"]).code, 0);
    let listed: serde_json::Value =
        serde_json::from_str(&desk.lore(&["review", "--json"]).out).expect("is JSON");
    let id = |at: usize| listed["entries"][at]["handle"].as_str().expect("has a handle").to_owned();
    let total = listed["total"].as_u64().expect("is a number");
    assert!(total >= 2, "{listed}");
    let rehearsed = desk.lore(&["review", "reject", &id(0), "--dry-run"]);
    assert_eq!(rehearsed.out, format!("would be rejected {}\n", id(0)));
    assert_eq!(
        desk.lore(&["review", "reject", &id(0), "--why", "only that day"]).out,
        format!("rejected {}\n", id(0))
    );
    assert_eq!(desk.lore(&["review", "keep", &id(1)]).out, format!("kept {}\n", id(1)));
    let left: serde_json::Value =
        serde_json::from_str(&desk.lore(&["review", "list", "--json"]).out).expect("is JSON");
    assert_eq!(left["total"].as_u64(), Some(total - 2));
    let again = desk.lore(&["curate", "--sessions", "sessions", "--bootstrap"]);
    assert!(again.out.contains("left out that a person removed"), "{again}");
    assert!(
        desk.lore(&["show", &id(0)]).out.contains("was removed on 2026-02-20 by human:ada: only that day")
    );
    assert_eq!(desk.lore(&["review", "settle", &id(1), "--side", "1"]).code, 2);
}

/// An agent removed what rested on a person's words, and curating it again was said to be against a person's wish.
#[test]
fn what_a_person_said_is_not_an_agents_to_remove() {
    let desk = desk_with_sessions();
    assert_eq!(desk.lore(&["curate", "--sessions", "sessions"]).code, 0);
    let listed: serde_json::Value =
        serde_json::from_str(&desk.lore(&["review", "--json"]).out).expect("is JSON");
    let id = listed["entries"][0]["handle"].as_str().expect("has a handle").to_owned();
    let run = desk.run(&["rm", &id, "--why", "obsolete"], &[("CLAUDECODE", "1")]);
    assert!(run.code == 2 && run.err.contains("only a person can") && run.err.contains("lore rm"), "{run}");
    assert_eq!(desk.lore(&["rm", &id, "--why", "obsolete"]).code, 0, "a person may");
    let kept_out = desk.lore(&["curate", "--sessions", "sessions", "--bootstrap"]);
    assert!(kept_out.out.contains("left out that a person removed"), "{kept_out}");
    // As if an agent had: earlier versions let it.
    let stones = desk.read("knowledge/.lore/tombstones");
    desk.write("knowledge/.lore/tombstones", &stones.replace("human:ada", "agent:claude-code"));
    let again = desk.lore(&["curate", "--sessions", "sessions", "--bootstrap"]);
    assert!(!again.out.contains("left out that"), "{again}");
    assert_eq!(desk.lore(&["show", &id]).code, 0, "the words are there again");
}

#[test]
fn a_schedule_is_shown_installed_and_taken_out() {
    let desk = Desk::with_base();
    let list = desk.lore(&["schedule"]);
    assert!(list.out.contains("git-hook        not installed"), "{list}");
    insta::assert_snapshot!("schedule_show", desk.lore(&["schedule", "show", "git-hook"]));
    insta::assert_snapshot!(
        "schedule_rehearsed",
        desk.lore(&["schedule", "install", "github-actions", "--dry-run"])
    );
    assert!(!desk.project().join(".github").exists());
    assert_eq!(desk.lore(&["schedule", "install", "git-hook"]).code, 0);
    assert!(desk.read(".git/hooks/post-commit").contains("lore curate --due"));
    assert!(desk.lore(&["schedule"]).out.contains("git-hook        installed"));
    insta::assert_snapshot!("schedule_uninstall", desk.lore(&["schedule", "uninstall", "git-hook"]));
    assert!(!desk.project().join(".git/hooks/post-commit").exists());
    assert_eq!(desk.lore(&["schedule", "install", "moon"]).code, 2);
}

// Six of the variables by which agents say where their sessions are were never handed to the readers.
#[test]
fn every_readers_variable_moves_its_sessions() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../capture/tests/it/data");
    // Variable, what of our fixtures is put where below it, the agent.
    let cases = [
        (
            "CLAUDE_CONFIG_DIR",
            "claude-code/0a11d000-0000-4000-8000-000000000001.jsonl",
            "projects/p/s.jsonl",
            "claude-code",
        ),
        (
            "CODEX_HOME",
            "codex/rollout-2026-03-02T09-00-00-0195a1b2-0000-7000-8000-00000000c0de.jsonl",
            "sessions/rollout-2026-03-02T09-00-00-0195a1b2-0000-7000-8000-00000000c0de.jsonl",
            "codex",
        ),
        (
            "GEMINI_HOME",
            "gemini/session-2026-01-10T08-00-feedbeef.json",
            "tmp/p/chats/session-2026-01-10T08-00-feedbeef.json",
            "gemini",
        ),
        (
            "GEMINI_CLI_HOME",
            "gemini/session-2026-01-10T08-00-feedbeef.json",
            ".gemini/tmp/p/chats/session-2026-01-10T08-00-feedbeef.json",
            "gemini",
        ),
        (
            "COPILOT_HOME",
            "copilot/session-state/7c0ffee0-0000-4000-8000-000000000001/events.jsonl",
            "session-state/7c0ffee0-0000-4000-8000-000000000001/events.jsonl",
            "copilot",
        ),
        (
            "CURSOR_DATA_DIR",
            "cursor/projects/home-mira-ferry/agent-transcripts/c0c0/c0c0.jsonl",
            "projects/home-mira-ferry/agent-transcripts/c0c0/c0c0.jsonl",
            "cursor",
        ),
        (
            "CLINE_DIR",
            "cline/tasks/1772438400000/api_conversation_history.json",
            "data/tasks/1772438400000/api_conversation_history.json",
            "cline",
        ),
        (
            "PI_CODING_AGENT_DIR",
            "pi/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl",
            "sessions/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl",
            "pi",
        ),
        (
            "PI_SESSIONS_DIR",
            "pi/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl",
            "2026-05-01T08-00-00-000Z_33333333-cccc.jsonl",
            "pi",
        ),
        (
            "OPENCLAW_HOME",
            "pi/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl",
            "agents/main/sessions/2026-05-01T08-00-00-000Z_33333333-cccc.jsonl",
            "pi",
        ),
        ("GOOSE_PATH_ROOT", "goose/20250601_080000.jsonl", "data/sessions/20250601_080000.jsonl", "goose"),
        (
            "OPENCODE_STORAGE_ROOT",
            "opencode/storage/session/0a1b2c/ses_old.json",
            "session/0a1b2c/ses_old.json",
            "opencode",
        ),
        ("OPENCODE_SQLITE_DB", "opencode/export.json", "=export.json", "opencode"),
        ("AIDER_CHAT_HISTORY_FILE", "aider/.aider.chat.history.md", "=.aider.chat.history.md", "aider"),
    ];
    let places = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA"];
    for variable in lore_engine::env::reader_variables().filter(|variable| !places.contains(&variable.name)) {
        assert!(cases.iter().any(|(name, ..)| *name == variable.name), "{} is not tried", variable.name);
    }
    for (variable, fixture, place, agent) in cases {
        let desk = Desk::new();
        let root = desk.home().join("elsewhere");
        let is_file = place.starts_with('=');
        let file = root.join(place.trim_start_matches('='));
        std::fs::create_dir_all(file.parent().expect("has a folder")).expect("can be made");
        std::fs::copy(data.join(fixture), &file).expect("can be copied");
        if variable == "OPENCODE_STORAGE_ROOT" {
            // The words of a session lie beside it.
            for part in ["message/ses_old/msg_1.json", "part/msg_1/prt_1.json"] {
                let file = root.join(part);
                std::fs::create_dir_all(file.parent().expect("has a folder")).expect("can be made");
                std::fs::copy(data.join("opencode/storage").join(part), &file).expect("can be copied");
            }
        }
        let value = if is_file { &file } else { &root };
        let value = value.to_string_lossy();
        let run = desk.run(&["sessions", "list", "--all", "--json"], &[(variable, &value)]);
        let list: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_default();
        let found =
            list["sessions"].as_array().is_some_and(|all| all.iter().any(|one| one["agent"] == agent));
        assert!(found, "{variable}: {run}");
    }
}
