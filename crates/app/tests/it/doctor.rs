//! `lore doctor`: what is wrong, what to do about it, and an exit code for scripts.

use serde_json::{Value, json};

use crate::desk::{Desk, Run};

/// A PATH on which this very program is found, and nothing else that could change what is said.
fn path() -> String {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_lore")).parent().expect("has a folder");
    format!("{}:/usr/bin:/bin", folder.display())
}

fn doctor(desk: &Desk, path: &str) -> (Run, Value) {
    let people = desk.run(&["doctor"], &[("PATH", path)]);
    let json = desk.run(&["doctor", "--json"], &[("PATH", path)]);
    assert_eq!(people.code, json.code, "{people}");
    (people, serde_json::from_str(&json.out).expect("is JSON"))
}

#[test]
fn without_anything_there_is_nothing_wrong() {
    let desk = Desk::new();
    let (run, _) = doctor(&desk, "/usr/bin:/bin");
    assert_eq!(run.code, 0, "{run}");
    assert!(run.out.contains("this project has no knowledge base") && run.out.contains("lore init"), "{run}");
}

#[test]
fn what_keeps_an_agent_from_hearing_us_is_named_until_it_is_mended() {
    let desk = Desk::with_base();
    assert_eq!(
        desk.lore(&[
            "new",
            "Never use floats for money",
            "--type",
            "preference",
            "--body",
            "Never use floats for money."
        ])
        .code,
        0
    );
    assert_eq!(desk.lore(&["install", "claude-code"]).code, 0);
    let (run, found) = doctor(&desk, "/usr/bin:/bin");
    assert_eq!(run.code, 1, "{run}");
    for words in ["`lore` is not on the PATH", "installed, but not yet trusted", "there is no index yet"] {
        assert!(run.out.contains(words), "{words}: {run}");
    }
    assert_eq!(found["findings"].as_array().map(Vec::len), Some(3), "{found}");

    assert_eq!(desk.lore(&["work"]).code, 0);
    let project = desk.project().canonicalize().expect("is there").display().to_string();
    let state = json!({ "projects": { project: { "hasTrustDialogAccepted": true } } });
    std::fs::write(desk.home().join(".claude.json"), state.to_string()).expect("can be written");
    let (run, found) = doctor(&desk, &path());
    assert_eq!(run.code, 0, "{run}");
    assert!(run.out.contains("Everything is in place") && run.out.contains("never heard of"), "{run}");
    assert_eq!(found["base"]["index"], "in step");
    assert!(found["base"]["start"].as_str().is_some_and(|text| text.contains("floats for money")), "{found}");

    let message = json!({ "session_id": "s1", "hook_event_name": "SessionStart", "cwd": desk.project() });
    assert_eq!(desk.told(&message.to_string(), &["hook", "claude-code", "session-start"]).code, 0);
    let (run, _) = doctor(&desk, &path());
    assert!(run.out.contains("last heard 2026-02-20 12:00 (SessionStart)"), "{run}");
    assert!(run.out.contains("1 under way"), "{run}");

    std::fs::remove_file(desk.project().join(".mcp.json")).expect("it is there");
    let (run, _) = doctor(&desk, &path());
    assert_eq!(run.code, 0, "a server less is no silence: {run}");
    assert!(run.out.contains(".mcp.json` is missing or was changed"), "{run}");
}

/// Hooks that somebody turned off were called trusted, and nothing was ever heard.
#[test]
fn hooks_that_are_turned_off_are_named_with_the_file_that_does_it() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["install", "claude-code"]).code, 0);
    assert_eq!(desk.lore(&["work"]).code, 0);
    let project = desk.project().canonicalize().expect("is there").display().to_string();
    let state = json!({ "projects": { &project: { "hasTrustDialogAccepted": true } } });
    std::fs::write(desk.home().join(".claude.json"), state.to_string()).expect("can be written");
    desk.write(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    let (run, _) = doctor(&desk, &path());
    assert_eq!(run.code, 1, "{run}");
    for words in ["its hooks are turned off", "disableAllHooks", "settings.local.json"] {
        assert!(run.out.contains(words), "{words}: {run}");
    }
    desk.write(".claude/settings.local.json", "{\"disableAllHooks\": false}");
    assert_eq!(doctor(&desk, &path()).0.code, 0);

    assert_eq!(desk.lore(&["install", "codex"]).code, 0);
    let off = format!(
        "[hooks.state.\"{project}/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"x\"\nenabled = false\n"
    );
    std::fs::create_dir_all(desk.home().join(".codex")).expect("can be made");
    std::fs::write(desk.home().join(".codex/config.toml"), off).expect("can be written");
    let (run, _) = doctor(&desk, &path());
    assert!(run.out.contains("codex: installed, but its hooks are turned off"), "{run}");
}

#[test]
fn a_worker_that_failed_is_told_with_its_reason() {
    let desk = Desk::with_base();
    desk.write("bad.tar.gz", "no archive at all");
    let end = json!({ "session_id": "s1", "hook_event_name": "SessionEnd", "cwd": desk.project(),
        "transcript_path": desk.project().join("bad.tar.gz") });
    assert_eq!(desk.told(&end.to_string(), &["hook", "codex", "session-end"]).code, 0);
    for _ in 0..2 {
        assert_eq!(desk.lore(&["work", "--now"]).code, 0);
    }
    let (run, found) = doctor(&desk, &path());
    assert_eq!(run.code, 1, "{run}");
    assert!(run.out.contains("1 session could not be curated"), "{run}");
    assert!(found["base"]["set_aside"][0]["reason"].as_str().is_some_and(|why| why.contains("cannot read")));
}
