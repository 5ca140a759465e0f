//! A gate that is closed stays closed, whatever an agent does about it in its own shell.

use serde_json::{Value, json};

use crate::desk::{Desk, Run};

/// What an agent's shell looks like.
const AGENT: [(&str, &str); 2] = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "s-1")];
const WISH: &str = "move sessions to Redis, please";

/// A project whose base rules a change out, with the strictest settings of the user.
fn desk() -> Desk {
    let desk = Desk::with_base();
    desk.write("src/store.py", "def save_session(session):\n    sqlite.put(session)\n");
    let config = desk.home().join(".config/lore");
    std::fs::create_dir_all(&config).expect("a folder can be made");
    let settings = "[ground]\nmode = \"FULL\"\nenforce = \"as-table\"\n";
    std::fs::write(config.join("config.toml"), settings).expect("settings can be written");
    assert_eq!(desk.lore(&["remember", "Never use Redis, sessions stay in SQLite."]).code, 0);
    desk
}

/// Sends what an agent's hook sends.
fn hook(desk: &Desk, event: &str, mut fields: Value) -> Run {
    fields["session_id"] = "s-1".into();
    fields["cwd"] = desk.project().display().to_string().into();
    desk.told_with(&fields.to_string(), &["hook", "claude-code", event], &AGENT)
}

fn prompt(desk: &Desk, text: &str) {
    hook(desk, "user-prompt-submit", json!({ "hook_event_name": "UserPromptSubmit", "prompt": text }));
}

/// Asks whether a command of an agent's shell would be let through, and returns the reason where not.
fn denied(desk: &Desk, command: &str) -> Option<String> {
    let fields =
        json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command } });
    let run = hook(desk, "pre-tool-use", fields);
    let said: Value = serde_json::from_str(&run.out).unwrap_or_default();
    let said = &said["hookSpecificOutput"];
    (said["permissionDecision"] == "deny").then(|| said["permissionDecisionReason"].to_string())
}

fn agent(desk: &Desk, words: &[&str]) -> Run {
    desk.run(words, &AGENT)
}

/// A project in which an agent stands before a gate that only a person can lift.
fn held() -> Desk {
    let desk = desk();
    prompt(&desk, WISH);
    assert_eq!(agent(&desk, &["phase", "finish"]).code, 1);
    let why = denied(&desk, "git commit -am x").expect("it is held");
    assert!(why.contains("MANUAL_VERIFY"), "{why}");
    desk
}

/// Has an agent begin something harmless beside its work, and take it through all its gates.
fn done_beside(desk: &Desk) {
    let begun = agent(desk, &["--json", "phase", "start", "tidy the save_session function in src/store.py"]);
    let begun: Value = serde_json::from_str(&begun.out).expect("JSON");
    let done = agent(desk, &["phase", "finish", begun["track"]["id"].as_str().expect("it has a name")]);
    assert_eq!(done.code, 0, "{done}");
}

/// An agent began the same again in SPEED, which checks lightly and holds nobody.
#[test]
fn an_agent_cannot_work_less_thoroughly_than_the_user_set() {
    let desk = held();
    assert_eq!(agent(&desk, &["phase", "skip", "looks fine to me"]).code, 2);
    let run = agent(&desk, &["phase", "start", WISH, "--mode", "SPEED"]);
    assert_eq!(run.code, 2, "{run}");
    assert!(run.err.contains("only a person can") && run.err.contains("ground.mode"), "{run}");
    assert!(denied(&desk, "git commit -am x").is_some());
    assert_eq!(desk.lore(&["phase", "start", WISH, "--mode", "SPEED"]).code, 0, "a person may");
}

/// A second track of the session was the only one that was looked at.
#[cfg(unix)]
#[test]
fn a_track_that_is_held_holds_whatever_is_begun_beside_it() {
    let desk = held();
    done_beside(&desk);
    let why = denied(&desk, "git commit -am x").expect("it is still held");
    assert!(why.contains("move-sessions-to-redis"), "it names the track that holds: {why}");
    let git = desk.run(&["phase", "git", "pre-commit"], &AGENT);
    assert_eq!(git.code, 1, "git's own hook says the same: {git}");
    // A person lifts it, and the agent goes on.
    let shown: Value =
        serde_json::from_str(&desk.lore(&["--json", "phase", "show", "--all"]).out).expect("JSON");
    let tracks = shown["tracks"].as_array().expect("tracks are listed");
    let ids = tracks.iter().filter_map(|one| one["track"]["id"].as_str());
    for id in ids {
        desk.at_terminal(&["phase", "skip", "--track", id, "verified by hand on staging"]);
    }
    assert_eq!(denied(&desk, "git commit -am x"), None);
}

/// Who begins another track before anything was checked must not leave the first behind either.
#[test]
fn a_track_that_nobody_checked_yet_is_not_left_behind() {
    let desk = desk();
    prompt(&desk, WISH);
    done_beside(&desk);
    assert!(denied(&desk, "git commit -am x").is_some());
}

/// What the user asked for afterwards was held for ever by what they had asked for before.
#[test]
fn another_wish_of_the_user_lifts_the_gate_and_a_repeat_does_not() {
    let desk = held();
    for going_on in ["do it anyway please", "just commit and push it"] {
        prompt(&desk, going_on);
        assert!(denied(&desk, "git commit -am x").is_some(), "{going_on}");
    }
    prompt(&desk, "Use Redis for the sessions all the same, please");
    assert!(denied(&desk, "git commit -am x").is_some_and(|why| why.contains("RUN_GROUNDING")));
    assert_eq!(agent(&desk, &["phase", "finish"]).code, 1);
    let why = denied(&desk, "git commit -am x").expect("a repeat is held");
    assert!(why.contains("MANUAL_VERIFY") && why.contains("use-redis"), "{why}");
    prompt(&desk, "Then document the save_session function in src/store.py");
    assert!(denied(&desk, "git commit -am x").is_some_and(|why| why.contains("RUN_GROUNDING")));
    assert_eq!(agent(&desk, &["phase", "finish"]).code, 0);
    assert_eq!(denied(&desk, "git commit -am x"), None);
    assert_eq!(tracks(&desk), 1, "what was held is not kept beside it");
}

/// Keeping to the rule did not open what the rule had closed: the wish stayed what it was.
#[test]
fn a_plan_that_keeps_to_the_rule_lifts_the_gate() {
    let desk = held();
    let plan = |text: &str| {
        let fields = json!({ "hook_event_name": "PreToolUse", "tool_name": "ExitPlanMode", "tool_input": { "plan": text } });
        hook(&desk, "pre-tool-use", fields);
    };
    plan("1. Move sessions to Redis behind the save_session function in src/store.py.");
    agent(&desk, &["ground", "--track"]);
    assert!(denied(&desk, "git commit -am x").is_some(), "a plan that repeats it is held");
    plan("1. Sessions stay in SQLite.\n2. Tidy the save_session function in src/store.py.");
    let why = denied(&desk, "git commit -am x").expect("it has to be checked first");
    assert!(why.contains("RUN_GROUNDING"), "{why}");
    let run = agent(&desk, &["ground", "--track"]);
    assert_eq!(run.code, 0, "{run}");
    assert_eq!(denied(&desk, "git commit -am x"), None);
}

/// Commits and edits in other forms than the plainest were let through.
#[test]
fn a_commit_and_an_edit_are_held_in_whatever_form_they_come() {
    let desk = held();
    for command in [
        "env A=b git commit -am x",
        "/usr/bin/git commit -am x",
        "command git commit -am x",
        "nice git -c a=b -C . commit -am x",
        "git merge other",
    ] {
        assert!(denied(&desk, command).is_some(), "{command}");
    }
    for command in ["git log --grep commit", "cat src/store.py", "cp src/store.py /tmp/b"] {
        assert_eq!(denied(&desk, command), None, "{command}");
    }
    // Before the check of the plan nothing is edited, in whatever way.
    let desk = self::desk();
    prompt(&desk, WISH);
    for command in ["cp /tmp/x src/store.py", "ln -sf /tmp/x src/store.py"] {
        assert!(denied(&desk, command).is_some_and(|why| why.contains("RUN_GROUNDING")), "{command}");
    }
}

/// Commits as somebody does in a shell, with `lore` in the path; returns whether git made the commit.
fn commits(desk: &Desk, message: &str, variables: &[(&str, &str)]) -> bool {
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_lore")).parent().expect("a program lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let line = "git add -A && git -c user.name=ada -c user.email=ada@example.org commit -q --allow-empty -m \"$MESSAGE\"";
    let mut command = desk.in_shell(line);
    command.env("PATH", format!("{}:{path}", own.display())).env("MESSAGE", message);
    command.envs(variables.iter().copied());
    let output = command.output().expect("a shell can be run");
    output.status.success()
}

fn tracks(desk: &Desk) -> usize {
    let shown: Value =
        serde_json::from_str(&desk.lore(&["--json", "phase", "show", "--all"]).out).expect("JSON");
    shown["tracks"].as_array().map_or(0, Vec::len)
}

/// An agent without hooks committed what it liked: git's hook moved tracks and began none.
#[cfg(unix)]
#[test]
fn a_commit_of_an_agent_without_hooks_begins_a_track() {
    let desk = desk();
    assert_eq!(desk.lore(&["schedule", "install", "git-gate"]).code, 0);
    assert!(commits(&desk, "use Redis for sessions", &[]), "a person's own commit is nobody's business");
    assert_eq!(tracks(&desk), 0);
    assert_eq!(desk.lore(&["remember", "Sessions end after 30 minutes."]).code, 0);
    assert!(commits(&desk, "knowledge: when sessions end", &AGENT), "what is written down changes nothing");
    assert_eq!(tracks(&desk), 0);
    assert!(!commits(&desk, "use Redis for sessions", &AGENT));
    assert_eq!(tracks(&desk), 1);
    assert!(!commits(&desk, "tidy up", &AGENT), "other words do not lift it");
    assert_eq!(tracks(&desk), 1);
    assert!(commits(&desk, "use Redis for sessions", &[]), "what holds an agent holds no person");
    assert_eq!(desk.at_terminal(&["phase", "skip", "verified by hand on staging"]).code, 0);
    assert!(commits(&desk, "use Redis for sessions", &AGENT));
    assert_eq!(tracks(&desk), 1, "the work was checked: its commit begins nothing");
    commits(&desk, "save_session of src/store.py is documented", &AGENT);
    assert_eq!(tracks(&desk), 2, "the next commit is other work");
    assert!(
        !commits(&desk, "use Redis for sessions", &[("CURSOR_AGENT", "1")]),
        "nor need it say its session"
    );
}

/// Where the agent's hooks tell of a commit, git's hook must not ask about it a second time.
#[cfg(unix)]
#[test]
fn a_commit_that_hooks_told_of_begins_nothing() {
    let desk = desk();
    assert_eq!(desk.lore(&["schedule", "install", "git-gate"]).code, 0);
    prompt(&desk, "Thank you, that is all for today");
    assert_eq!(denied(&desk, "git commit -am x"), None);
    assert!(commits(&desk, "use Redis for sessions", &AGENT));
    assert_eq!(tracks(&desk), 0);
    assert!(!commits(&desk, "use Redis for sessions", &AGENT), "the next was told of by nobody");
    assert_eq!(tracks(&desk), 1);
}

/// A commit under a name of the user's own went past the agent's hook, and git's hook took it for told of.
#[cfg(unix)]
#[test]
fn a_commit_by_another_name_is_one() {
    let desk = held();
    desk.git(&["config", "alias.ci", "commit -v"]);
    assert!(denied(&desk, "git ci -m x").is_some_and(|why| why.contains("MANUAL_VERIFY")));
    let desk = self::desk();
    assert_eq!(desk.lore(&["schedule", "install", "git-gate"]).code, 0);
    prompt(&desk, "Thank you, that is all for today");
    assert!(!commits(&desk, "use Redis for sessions", &AGENT[..1]), "no hook saw it");
    assert_eq!(tracks(&desk), 1);
}

/// What only the agent itself says was taken for evidence.
#[test]
fn an_agent_lifts_no_gate_by_its_own_word() {
    let desk = desk();
    prompt(&desk, "use the Zanzibar table for quay dues");
    assert_eq!(agent(&desk, &["phase", "finish"]).code, 1);
    let text = "Use the Zanzibar table for quay dues.";
    assert_eq!(agent(&desk, &["learn", "Zanzibar table", "-t", "fact", "--text", text]).code, 0);
    assert_eq!(agent(&desk, &["ground", "--track"]).code, 1);
    let why = denied(&desk, "git commit -am x").expect("it is still held");
    assert!(why.contains("MANUAL_VERIFY") && why.contains("asks the user"), "{why}");
    // The same from a person is something to rest on.
    assert_eq!(desk.lore(&["remember", text]).code, 0);
    assert_eq!(agent(&desk, &["ground", "--track"]).code, 0);
    assert_eq!(denied(&desk, "git commit -am x"), None);
}

/// Where an agent disputed what a person had laid down, neither side held any more.
#[test]
fn an_agent_lifts_no_gate_by_disputing_what_a_person_said() {
    let desk = desk();
    let said = json!({
        "parentUuid": null, "uuid": "a-0", "sessionId": "aaaa-colour", "isSidechain": false, "cwd": "/home/ada/ferry",
        "version": "2.0.0", "type": "user", "timestamp": "2026-02-01T10:00:00Z",
        "message": { "role": "user", "content": "Colour output is enabled by default, always." },
    });
    desk.write("sessions/aaaa-colour.jsonl", &format!("{said}\n"));
    assert_eq!(desk.lore(&["curate", "--sessions", "sessions"]).code, 0);
    let other = "Colour output is disabled by default.";
    let learned = agent(&desk, &["learn", other, "-t", "decision", "--text", other]);
    assert!(learned.out.contains("contradicts"), "{learned}");
    assert_eq!(agent(&desk, &["phase", "start", "Colour output is disabled by default, change it"]).code, 0);
    let run = agent(&desk, &["phase", "finish"]);
    assert!(run.code == 1 && run.out.contains("says otherwise"), "{run}");
}

/// An agent took the hooks out that held it, and nobody was told that they were gone.
#[cfg(unix)]
#[test]
fn an_agent_does_not_take_the_gate_out() {
    let desk = desk();
    assert!(desk.lore(&["doctor"]).out.contains("neither git nor an agent's hook asks the gate"));
    assert_eq!(desk.lore(&["schedule", "install", "git-gate"]).code, 0);
    assert!(!desk.lore(&["doctor"]).out.contains("the gate"));
    assert_eq!(desk.lore(&["install", "claude-code"]).code, 0);
    for words in [&["schedule", "uninstall", "git-gate"][..], &["uninstall", "claude-code"]] {
        let run = agent(&desk, words);
        assert!(run.code == 2 && run.err.contains("only a person can"), "{run}");
        assert_eq!(agent(&desk, &[words, &["--dry-run"]].concat()).code, 0, "looking changes nothing");
    }
    for command in [
        "git config core.hooksPath /dev/null",
        "rm .git/hooks/pre-commit",
        "git commit --no-verify -m x",
        "env -u CLAUDECODE lore phase skip 'looks fine'",
        "CLAUDECODE= git commit -m x",
    ] {
        assert!(denied(&desk, command).is_some_and(|why| why.contains("ask the user")), "{command}");
    }
    for command in ["git config core.hooksPath", "cat .git/hooks/pre-commit", "env -u CLAUDECODE claude -p x"]
    {
        assert_eq!(denied(&desk, command), None, "{command}");
    }
    assert_eq!(desk.lore(&["schedule", "uninstall", "git-gate"]).code, 0, "a person may");
    assert!(desk.lore(&["doctor"]).out.contains("git does not ask the gate"));
    assert_eq!(desk.lore(&["uninstall", "claude-code"]).code, 0);
}

/// A shell without its marks was taken for a person's.
#[test]
fn nobody_who_is_not_seen_skips_what_holds_an_agent() {
    let desk = held();
    let run = desk.lore(&["phase", "skip", "looks fine to me"]);
    assert!(run.code == 2 && run.err.contains("only a person at a terminal can"), "{run}");
    assert!(denied(&desk, "git commit -am x").is_some());
}

/// Wishes without a word for work began nothing.
#[test]
fn a_plain_wish_begins_a_track() {
    let desk = desk();
    prompt(&desk, "Prices are floats now");
    prompt(&desk, "How should prices be stored?");
    assert_eq!(tracks(&desk), 0);
    prompt(&desk, "Store the prices as floats in the order models");
    assert_eq!(tracks(&desk), 1);
}
