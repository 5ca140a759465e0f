//! What agents tell us in the middle of their work, each in its own words, and what they hear.

use lore_engine::entries::NewEntry;
use lore_engine::hook::{HookReply, WorkOptions, answer, work};
use serde_json::{Value, json};

use crate::stage::{MONEY, Stage};

fn told(stage: &Stage, agent: &str, event: &str, message: &Value) -> HookReply {
    answer(stage.world(), agent, event, message.to_string().as_bytes())
}

fn known(stage: &Stage, title: &str, kind: &str, body: &str, files: &[&str]) {
    let entry = NewEntry {
        title: title.to_owned(),
        kind: Some(kind.parse().expect("a kind")),
        body: body.to_owned(),
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        ..NewEntry::default()
    };
    stage.engine().add(entry, false).expect("an entry can be written");
}

fn stage() -> Stage {
    let stage = Stage::new();
    known(&stage, "Never use floats for money", "preference", "Never use floating point for money.", &[]);
    known(
        &stage,
        "Tokens are checked in one place",
        "decision",
        "Tokens are checked in `src/auth/token.rs` and nowhere else, because two checks drifted apart.",
        &["src/auth/token.rs"],
    );
    known(
        &stage,
        "The legacy folder is frozen",
        "limitation",
        "Nothing in the legacy folder is changed any more; a customer still runs it.",
        &["legacy/"],
    );
    known(
        &stage,
        "Postgres refuses connections when the tunnel is down",
        "resolution",
        "When migrations fail with `connection refused` on port 5433, the database tunnel is down: start it with `make tunnel`.",
        &[],
    );
    work(stage.world(), WorkOptions::default()).expect("the worker ends");
    stage
}

/// The texts that an agent gets, whichever form they come in.
fn heard(reply: &HookReply) -> String {
    let said: Value =
        serde_json::from_str(reply.output.as_deref().unwrap_or("{}")).expect("an answer is JSON");
    let nested = said["hookSpecificOutput"]["additionalContext"].as_str();
    let flat = said["additionalContext"].as_str().or(said["additional_context"].as_str());
    nested.or(flat).unwrap_or_default().to_owned()
}

#[test]
fn before_a_file_is_changed_what_people_laid_down_about_it_is_told_once() {
    let stage = stage();
    let edit = |agent: &str, session: &str, file: &str| {
        let path = stage.project().join(file);
        let message = json!({ "session_id": session, "cwd": stage.project(), "hook_event_name": "PreToolUse",
            "tool_name": "Edit", "tool_input": { "file_path": path } });
        told(&stage, agent, "pre-tool-use", &message)
    };
    let first = heard(&edit("claude-code", "s1", "src/auth/token.rs"));
    assert!(first.contains("checked in `src/auth/token.rs` and nowhere else"), "{first}");
    assert!(!first.contains("floating"), "{first}");
    assert_eq!(heard(&edit("claude-code", "s1", "src/auth/token.rs")), "", "not twice");
    assert!(heard(&edit("claude-code", "s1", "legacy/old.rs")).contains("customer still runs it"));
    assert_eq!(heard(&edit("claude-code", "s1", "src/other/token.rs")), "", "another file of that name");
    assert!(!heard(&edit("cursor", "s2", "src/auth/token.rs")).is_empty(), "another session");
    // These two show their models nothing before a tool runs, so nothing counts as said.
    assert_eq!(edit("gemini", "s3", "src/auth/token.rs").output, None);
    assert_eq!(edit("goose", "s4", "src/auth/token.rs").output, None);
}

#[test]
fn after_a_command_failed_what_was_learned_from_it_is_told() {
    let stage = stage();
    let fail = |error: &str| {
        let message = json!({ "session_id": "s1", "cwd": stage.project(), "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash", "tool_input": { "command": "make migrate" }, "error": error });
        heard(&told(&stage, "claude-code", "post-tool-use-failure", &message))
    };
    assert_eq!(fail("error[E0599]: no method named `len` found"), "", "nothing is known about that");
    let first =
        fail("Running migrations…\nerror: migrations failed: connection refused on port 5433 of postgres");
    assert!(first.contains("make tunnel"), "{first}");
    assert_eq!(
        fail("error: migrations failed: connection refused on port 5433 of postgres"),
        "",
        "not twice"
    );
}

/// A killed agent calls no hook; its session was never curated.
#[test]
fn a_session_that_ended_without_a_word_is_swept_when_the_next_begins() {
    let mut stage = stage();
    stage.session_at("killed.jsonl", "5e551011-0000-4000-8000-000000000001", 0, MONEY);
    let begin = |stage: &Stage, session: &str| {
        let message = json!({ "session_id": session, "cwd": stage.project(), "source": "startup",
            "hook_event_name": "SessionStart", "transcript_path": stage.project().join("killed.jsonl") });
        told(stage, "codex", "session-start", &message)
    };
    begin(&stage, "5e551011-0000-4000-8000-000000000001");
    assert_eq!(stage.engine().running().len(), 1);
    begin(&stage, "5e551011-0000-4000-8000-000000000002");
    assert_eq!(stage.engine().waiting().sessions(), 0, "both may still be at work");
    stage.day = 1;
    let quiet = jiff::Timestamp::UNIX_EPOCH;
    let file = std::fs::File::options().append(true).open(stage.project().join("killed.jsonl"));
    file.expect("the file is there").set_modified(quiet.into()).expect("a time can be set");
    begin(&stage, "5e551011-0000-4000-8000-000000000003");
    assert_eq!(stage.engine().waiting().sessions(), 2);
    assert_eq!(stage.engine().running().len(), 1, "only the new one is under way");
    let worked = work(stage.world(), WorkOptions { at_once: true, ..WorkOptions::default() });
    assert_eq!(worked.expect("the worker ends").sessions, 1, "one transcript, one session");
}

#[test]
fn a_session_whose_file_nobody_named_is_found_by_its_agent() {
    let stage = stage();
    let path = "home/.claude/projects/p/5e551011-0000-4000-8000-00000000000a.jsonl";
    stage.session_at(path, "5e551011-0000-4000-8000-00000000000a", 0, MONEY);
    let end = json!({ "session_id": "5e551011-0000-4000-8000-00000000000a", "cwd": stage.project() });
    told(&stage, "claude-code", "session-end", &end);
    assert_eq!(stage.engine().waiting().sessions(), 1);
    let worked = work(stage.world(), WorkOptions { at_once: true, ..WorkOptions::default() });
    assert_eq!(worked.expect("the worker ends").sessions, 1);
    assert_eq!(stage.engine().waiting().sessions(), 0);
}

/// Copilot names its transcript when it stops and not when the session ends.
#[test]
fn where_a_session_is_written_down_is_remembered_from_earlier_events() {
    let stage = stage();
    stage.session_at("elsewhere/events.jsonl", "5e551011-0000-4000-8000-00000000000b", 0, MONEY);
    let send = |event: &str, more: Value| {
        let mut message =
            json!({ "sessionId": "5e551011-0000-4000-8000-00000000000b", "cwd": stage.project() });
        message.as_object_mut().expect("is an object").extend(more.as_object().expect("is one").clone());
        told(&stage, "copilot", event, &message)
    };
    send("session-start", json!({ "source": "new" }));
    send("agent-stop", json!({ "transcriptPath": stage.project().join("elsewhere/events.jsonl") }));
    send("user-prompt-submitted", json!({ "prompt": "and now the tests" }));
    send("session-end", json!({ "reason": "complete" }));
    let worked = work(stage.world(), WorkOptions { at_once: true, ..WorkOptions::default() });
    assert_eq!(worked.expect("the worker ends").sessions, 1);
}

/// The newest file of the agent was taken instead, though its session was still under way.
#[test]
fn another_sessions_file_is_not_taken_for_one_that_cannot_be_found() {
    let stage = stage();
    let path = "home/.claude/projects/p/5e551011-0000-4000-8000-00000000000c.jsonl";
    stage.session_at(path, "5e551011-0000-4000-8000-00000000000c", 0, MONEY);
    let end = json!({ "session_id": "5e551011-0000-4000-8000-00000000000d", "cwd": stage.project() });
    told(&stage, "claude-code", "session-end", &end);
    let worked = work(stage.world(), WorkOptions { at_once: true, ..WorkOptions::default() });
    assert_eq!(worked.expect("the worker ends").sessions, 0);
    assert_eq!(stage.engine().waiting().sessions(), 0, "it is left to the next `lore curate`");
}

#[test]
fn two_bases_of_one_user_are_not_worked_on_at_the_same_time() {
    let stage = stage();
    let lock = stage.project().join("home/.local/share/lore/.lore/worker.lock");
    let held = std::fs::File::options().write(true).open(lock).expect("a worker has left it");
    held.lock().expect("it can be locked");
    stage.session_at("s.jsonl", "5e551011-0000-4000-8000-000000000001", 0, MONEY);
    let end = json!({ "session_id": "5e551011-0000-4000-8000-000000000001", "cwd": stage.project(),
        "transcript_path": stage.project().join("s.jsonl") });
    told(&stage, "codex", "session-end", &end);
    let options = WorkOptions { at_once: true, ..WorkOptions::default() };
    assert!(work(stage.world(), options).expect("the worker ends").busy);
    drop(held);
    assert_eq!(work(stage.world(), options).expect("the worker ends").sessions, 1);
}

/// A clone whose `AGENTS.md` was a link had us write into the user's own file.
#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_project_is_not_written_through() {
    use lore_engine::install::{InstallOptions, Whose, install};
    let stage = Stage::with_git();
    let outside = tempfile::tempdir().expect("a folder");
    let own = outside.path().join("profile");
    std::fs::write(&own, "mine\n").expect("it can be written");
    let options = InstallOptions {
        agent: "other".to_owned(),
        whose: Whose::Project,
        program: "lore".to_owned(),
        dry_run: false,
    };
    let links = [("AGENTS.md", own.as_path()), (".agents", outside.path())];
    for (name, target) in links {
        let link = stage.project().join(name);
        std::os::unix::fs::symlink(target, &link).expect("a link");
        let refused = install(&stage.world(), &options).expect_err(name);
        assert!(refused.to_string().contains("leads out of this project"), "{refused}");
        std::fs::remove_file(&link).expect("it goes");
    }
    assert_eq!(std::fs::read_to_string(&own).expect("it is there"), "mine\n");
    assert_eq!(std::fs::read_dir(outside.path()).expect("a folder").count(), 1);
    install(&stage.world(), &options).expect("without the links it is installed");
}
