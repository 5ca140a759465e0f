//! Design steps that cannot pass unchecked: AC-1 … AC-9 through the command line, and what lies around them.

use crate::desk::{Desk, Run};

/// A project with code, a base and settings of the user.
fn desk(settings: &str) -> Desk {
    let desk = Desk::with_base();
    desk.write(
        "src/gateway.rs",
        "/// Listens for calls.\npub struct Gateway {\n    pub port: u16,\n}\n\npub fn retry_limit() -> u32 {\n    3\n}\n",
    );
    desk.write("src/main.rs", "mod gateway;\nfn main() {\n    gateway::retry_limit();\n}\n");
    desk.write("config/gateway.toml", "# where the gateway listens\nport = 8080\n");
    let config = desk.home().join(".config/lore");
    std::fs::create_dir_all(&config).expect("a folder can be made");
    std::fs::write(config.join("config.toml"), settings).expect("settings can be written");
    desk
}

const FULL: &str = "[ground]\nmode = \"FULL\"\nenforce = \"as-table\"\n";

/// Sends what an agent's hook sends and returns what it is answered.
fn hook(desk: &Desk, event: &str, fields: &str) -> Run {
    let message =
        format!("{{\"session_id\":\"s-1\",\"cwd\":{:?},{fields}}}", desk.project().display().to_string());
    desk.told(&message, &["hook", "claude-code", event])
}

fn prompt(desk: &Desk, text: &str) -> Run {
    hook(desk, "user-prompt-submit", &format!("\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":{text:?}"))
}

fn tool(desk: &Desk, name: &str, input: &str) -> Run {
    let fields =
        format!("\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"{name}\",\"tool_input\":{input}");
    hook(desk, "pre-tool-use", &fields)
}

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"))
}

/// Waits for the worker that a hook started, by doing its work beside it until nothing is due.
fn settle(desk: &Desk) -> serde_json::Value {
    loop {
        desk.lore(&["phase", "check-due"]);
        let shown = json(&desk.lore(&["--json", "phase", "show", "--all"]));
        let steps =
            |track: &serde_json::Value| track["track"]["steps"].as_array().cloned().unwrap_or_default();
        let due = shown["tracks"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(steps)
            .any(|step| step["checked"].is_null());
        if !due {
            return shown;
        }
    }
}

#[test]
fn ac_1_phase_transitions_trigger_grounding() {
    let desk = desk(&FULL.replace("as-table", "advisory"));
    prompt(&desk, "Add a retry_limit setting to the Gateway");
    tool(&desk, "Read", "{\"file_path\":\"src/gateway.rs\"}");
    tool(&desk, "ExitPlanMode", "{\"plan\":\"1. read retry_limit from config/gateway.toml\"}");
    tool(&desk, "Edit", "{\"file_path\":\"src/gateway.rs\"}");
    tool(&desk, "Bash", "{\"command\":\"git commit -m x\"}");
    let shown = settle(&desk);
    let track = &shown["tracks"][0]["track"];
    assert_eq!(track["phase"], "COMPLETE", "{shown:#}");
    let steps = track["steps"].as_array().expect("steps are listed");
    assert_eq!(steps.len(), 4, "{shown:#}");
    for step in steps {
        assert!(step["checked"]["ran"].is_object(), "every step has a record: {step:#}");
    }
    let last = steps[3]["found"].to_string();
    assert!(last.contains("likely to change"), "the last check scans: {last}");
}

#[test]
fn ac_2_deliver_blocks_without_grounding() {
    let desk = desk(FULL);
    desk.lore(&["phase", "start", "Add a retry_limit setting to the Gateway"]);
    prompt(&desk, "Add a retry_limit setting to the Gateway");
    tool(&desk, "Read", "{}");
    tool(&desk, "ExitPlanMode", "{\"plan\":\"1. do it\"}");
    let run = tool(&desk, "Edit", "{\"file_path\":\"src/gateway.rs\"}");
    let decision = json(&run);
    assert_eq!(decision["hookSpecificOutput"]["permissionDecision"], "deny", "{run}");
    let why = decision["hookSpecificOutput"]["permissionDecisionReason"].as_str().expect("a reason is given");
    assert!(why.starts_with("RUN_GROUNDING") && why.contains("lore ground --track"), "{why}");
    settle(&desk);
    let run = tool(&desk, "Edit", "{\"file_path\":\"src/gateway.rs\"}");
    assert!(!run.out.contains("deny"), "once it is checked it passes: {run}");
}

#[test]
fn ac_3_router_selects_correct_source() {
    let desk = desk("");
    let questions = [
        ("Where is the retry limit of the gateway implemented in the codebase?", "repo"),
        ("Which function parses the configuration file before the server object is built?", "repo"),
        ("How does the Gateway class validate the port attribute when its constructor is called?", "repo"),
        ("Which module defines the retry_limit function?", "repo"),
        ("Where in the source code is the session cache invalidated?", "repo"),
        ("How does the parser class interact with the token iterator method?", "repo"),
        ("Where is the exception hierarchy of the client module declared?", "repo"),
        ("What did we decide about retries last week?", "history"),
        ("Why did we choose SQLite over Postgres?", "history"),
        ("Did we already fix the login loop?", "history"),
        ("Can you remind me what was agreed on the release date?", "history"),
        ("What was the root cause of the outage we discussed yesterday?", "history"),
        ("What does the developer prefer for commit messages?", "history"),
        ("Which queue did we switch to, and why?", "history"),
        ("How to parse dates with chrono 0.4", "web"),
        ("Is it possible to run Docker containers without root?", "web"),
        ("Python 3.12 asyncio TimeoutError not raised", "web"),
        ("What is the difference between a mutex and a semaphore?", "web"),
        ("Best way to paginate a REST API", "web"),
        ("How do I install Redis on Ubuntu 24.04?", "web"),
    ];
    let mut right = 0;
    let mut wrong = Vec::new();
    for (question, source) in questions {
        let told = json(&desk.lore(&["--json", "ground", "--depth", "light", question]));
        let order = &told["grounding"]["route"]["order"];
        if order[0] == source {
            right += 1;
        } else {
            wrong.push(format!("{question}: {order}"));
        }
        assert!(!told["grounding"]["route"]["because"].to_string().is_empty());
    }
    assert!(right >= 18, "{right} of 20; wrong: {wrong:#?}");
}

#[test]
fn ac_4_impact_scan_returns_file_list() {
    let desk = desk("");
    for at in 0..60 {
        desk.write(&format!("src/other_{at}.rs"), &format!("pub fn other_{at}() {{}}\n"));
    }
    desk.write("tests/gateway_test.rs", "// tests the gateway\nfn limits() { retry_limit(); }\n");
    desk.write("docs/gateway.md", "# Gateway\n\n`retry_limit` is three.\n");
    desk.git(&["add", "-A"]);
    desk.git(&[
        "-c",
        "user.name=ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "-q",
        "-m",
        "gateway: retry limit",
    ]);
    desk.write(
        "design.md",
        "# Make the retry limit of the gateway a setting\n\nRead `retry_limit` from the configuration.\n",
    );
    let run = desk.lore(&["--json", "impact", "design.md", "--limit", "10"]);
    assert_eq!(run.code, 0, "{run}");
    let told = json(&run);
    assert_eq!(told["schema"], "lore.impact/1");
    let files: Vec<&str> = told["files"]
        .as_array()
        .expect("files are listed")
        .iter()
        .filter_map(|file| file["path"].as_str())
        .collect();
    for wanted in
        ["src/gateway.rs", "src/main.rs", "tests/gateway_test.rs", "docs/gateway.md", "config/gateway.toml"]
    {
        assert!(files.contains(&wanted), "{wanted} in {files:?}");
    }
    let first = &told["files"][0];
    for field in ["change", "why", "depends_on", "risk", "order"] {
        assert!(!first[field].is_null(), "{field} in {first:#}");
    }
}

/// Settings with a program as the web, which writes down that it was called.
fn with_web(desk: &Desk, more: &str, script: &str) {
    let calls = desk.home().join("calls");
    let path = desk.home().join("web.sh");
    std::fs::write(
        &path,
        format!("#!/bin/sh\ntee -a {} >/dev/null\necho >> {}\n{script}\n", calls.display(), calls.display()),
    )
    .expect("a script can be written");
    let text = format!("{more}\nweb = \"command\"\nweb_command = \"sh {}\"\n", path.display());
    std::fs::write(desk.home().join(".config/lore/config.toml"), text).expect("settings can be written");
}

fn calls(desk: &Desk) -> String {
    std::fs::read_to_string(desk.home().join("calls")).unwrap_or_default()
}

#[test]
fn ac_5_cache_prevents_duplicate_queries() {
    let mut desk = desk("");
    with_web(&desk, "[ground]\nsources = [\"web\"]", "echo 'chrono parses dates'");
    let ask = |desk: &Desk, words: &str| json(&desk.lore(&["--json", "ground", words]));
    let first = ask(&desk, "How to parse dates with chrono?");
    let second = ask(&desk, "how to parse dates  with chrono");
    assert_eq!(
        (first["grounding"]["cached"].as_bool(), second["grounding"]["cached"].as_bool()),
        (Some(false), Some(true))
    );
    assert_eq!(calls(&desk).matches("parse dates").count(), 1);
    desk.at("2026-02-20T12:06:00Z");
    ask(&desk, "How to parse dates with chrono?");
    assert_eq!(calls(&desk).matches("parse dates").count(), 2, "after five minutes it is asked again");
}

#[test]
fn the_same_question_at_once_is_asked_once() {
    let desk = desk("");
    with_web(&desk, "[ground]\nsources = [\"web\"]", "echo 'chrono parses dates'");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| desk.lore(&["--json", "ground", "How to parse dates with chrono?"]));
        }
    });
    assert_eq!(calls(&desk).matches("parse dates").count(), 1);
}

#[test]
fn ac_6_sanitization_removes_secrets() {
    let desk = desk("");
    with_web(&desk, "[ground]\nsources = [\"web\"]", "echo 'nothing known'");
    let run = desk.lore(&["--json", "ground", "why does API_KEY=abc123 fail?"]);
    let told = json(&run);
    assert_eq!(told["grounding"]["question"], "why does API_KEY=[REDACTED] fail?");
    assert!(told["grounding"]["codes"].to_string().contains("GR-005"), "{run}");
    assert!(calls(&desk).contains("API_KEY=[REDACTED]"), "{}", calls(&desk));
    assert!(!run.out.contains("abc123") && !calls(&desk).contains("abc123"));
    assert!(
        !everything_below(&desk.project().join(".git")).contains("abc123"),
        "neither cache nor log holds it"
    );
    let log = everything_below(&desk.project().join(".git/lore"));
    assert!(log.contains("GR-005"), "it is logged");
}

/// Reads every file below a folder as one text.
fn everything_below(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            text.push_str(&everything_below(&entry.path()));
        } else {
            text.push_str(&String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap_or_default()));
        }
    }
    text
}

#[test]
fn ac_7_conflict_visibility_works() {
    let desk = desk("");
    with_web(
        &desk,
        "[ground]",
        r#"echo '{"results":[{"title":"Gateway","content":"The gateway listens on port 9090 by default","url":"https://example.org"}]}'"#,
    );
    let question = "On which port does the gateway listen?";
    let told = json(&desk.lore(&["--json", "ground", "--depth", "full", question]));
    let conflicts = told["grounding"]["conflicts"].as_array().expect("conflicts are listed");
    assert_eq!(conflicts.len(), 1, "{told:#}");
    let summary = conflicts[0]["summary"].as_str().expect("it has a summary");
    assert!(summary.contains("8080") && summary.contains("9090"), "{summary}");
    assert!(told["grounding"]["codes"].to_string().contains("GR-004"));
    assert!(told["grounding"]["recommendation"].to_string().contains("review before delivery"), "{told:#}");
    let people = desk.lore(&["ground", "--depth", "full", question]).out;
    assert!(people.contains("conflict:") && people.contains("Recommendation: review"), "{people}");
}

#[test]
fn ac_8_resilience_on_timeout() {
    let desk = desk("");
    with_web(&desk, "[ground]\nweb_timeout = 0", "sleep 60");
    let told = json(&desk.lore(&["--json", "ground", "--depth", "full", "what does retry_limit return?"]));
    let grounding = &told["grounding"];
    assert!(grounding["codes"].to_string().contains("GR-002"), "{told:#}");
    assert!(grounding["warnings"].to_string().contains("took too long"), "{told:#}");
    assert!(
        grounding["findings"].to_string().contains("src/gateway.rs:6"),
        "what the others found is there: {told:#}"
    );
}

#[cfg(unix)]
#[test]
fn ac_9_resilience_on_all_fail() {
    let desk = desk("");
    with_web(&desk, &format!("{FULL}sources = [\"web\"]"), "exit 1");
    desk.lore(&["phase", "start", "Add a retry_limit setting to the Gateway"]);
    let run = desk.lore(&["--json", "phase", "finish"]);
    assert_eq!(run.code, 1, "{run}");
    let told = json(&run);
    assert_eq!(told["next"]["enforcement"], "mandatory", "{run}");
    assert_eq!(told["next"]["gate"]["action"], "MANUAL_VERIFY", "{run}");
    assert!(told["track"]["steps"].to_string().contains("GR-001"), "{run}");
    // An agent cannot lift it; a person can, and says why.
    let agent = [("CLAUDECODE", "1")];
    assert_eq!(desk.run(&["phase", "skip", "looks fine to me"], &agent).code, 2);
    let short = desk.lore(&["phase", "skip", "ok"]);
    assert!(short.code == 2 && short.err.contains("too short"), "{short}");
    let empty = desk.lore(&["phase", "skip", ""]);
    assert!(empty.code == 2 && empty.err.contains("needs a reason"), "{empty}");
    let unseen = desk.lore(&["phase", "skip", "verified by hand on staging"]);
    assert!(unseen.code == 2 && unseen.err.contains("at a terminal"), "{unseen}");
    assert_eq!(desk.at_terminal(&["phase", "skip", "verified by hand on staging"]).code, 0);
    let run = desk.lore(&["--json", "phase", "finish"]);
    assert_eq!((run.code, json(&run)["track"]["phase"].as_str()), (0, Some("COMPLETE")), "{run}");
    assert!(run.out.contains("verified by hand on staging"), "it is on record: {run}");
}

#[test]
fn going_back_resets_later_checks_and_tracks_do_not_mix() {
    let desk = desk("");
    desk.lore(&["phase", "start", "Rename the gateway"]);
    desk.lore(&["phase", "finish"]);
    let other = json(&desk.lore(&["--json", "phase", "start", "Add a mailer"]));
    let id = other["track"]["id"].as_str().expect("it has a name").to_owned();
    assert_eq!(other["track"]["steps"].as_array().map(Vec::len), Some(0), "nothing of the first track");
    desk.lore(&["phase", "finish", &id]);
    let back =
        json(&desk.lore(&["--json", "phase", "back", "define", "--track", &id, "--why", "wrong plan"]));
    assert_eq!(back["track"]["phase"], "DEFINE", "{back:#}");
    assert_eq!(back["track"]["steps"].as_array().map(Vec::len), Some(1));
    assert!(back["track"]["record"].to_string().contains("wrong plan"));
}

#[test]
fn git_itself_is_held_and_let_go() {
    let mut desk = desk(&format!("{FULL}sources = [\"repo\"]\n"));
    desk.lore(&["phase", "start", "Make retry_limit of Gateway a setting"]);
    let run = desk.lore(&["phase", "git", "pre-commit"]);
    // The checks are made on the spot; what the repository knows of it is sure.
    assert_eq!(run.code, 0, "{run}");
    let shown = json(&desk.lore(&["--json", "phase", "show", "--all"]));
    assert_eq!(shown["tracks"][0]["track"]["phase"], "COMPLETE", "{shown:#}");
    desk.lore(&["phase", "start", "zzqy wvuk"]);
    let run = desk.lore(&["phase", "git", "pre-push"]);
    assert_eq!(run.code, 1, "nothing is known of it: {run}");
    assert!(run.err.contains("MANUAL_VERIFY") && run.err.contains("lore phase skip"), "{run}");
    // A session that ended without a commit held whatever was committed weeks later.
    desk.at("2026-02-23T12:00:00Z");
    let run = desk.lore(&["phase", "git", "pre-push"]);
    assert_eq!(run.code, 0, "that was other work: {run}");
}

#[test]
fn a_repository_cannot_turn_the_gate_on_or_off() {
    let desk = desk("");
    desk.write(
        "knowledge/.lore/config.toml",
        "[ground]\nenforce = \"as-table\"\nmode = \"FULL\"\nweb_command = \"evil\"\n",
    );
    prompt(&desk, "Add a setting");
    let run = tool(&desk, "Edit", "{}");
    assert!(!run.out.contains("deny"), "{run}");
    let ignored = desk.lore(&["--json", "config", "list"]).out;
    assert!(ignored.contains("ground.enforce") && ignored.contains("ground.web_command"), "{ignored}");
}

#[test]
fn without_a_network_the_repository_answers() {
    let desk = desk("[ground]\nweb = \"searxng\"\nweb_endpoint = \"http://127.0.0.1:9/search\"\n");
    let told = json(&desk.lore(&["--json", "ground", "--depth", "full", "what does retry_limit return?"]));
    let web: Vec<&serde_json::Value> = told["grounding"]["asked"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|asked| asked["source"] == "web")
        .collect();
    assert_eq!(web[0]["outcome"], "failed", "{told:#}");
    assert_eq!(told["grounding"]["level"], "high", "{told:#}");
}

/// A question was answered with the track that held it, and our own pages were listed as files to change.
#[test]
fn what_we_wrote_ourselves_is_no_evidence_and_no_file_to_change() {
    for in_git in [true, false] {
        let desk = Desk::new();
        if !in_git {
            std::fs::remove_dir_all(desk.project().join(".git")).expect("a folder can be removed");
        }
        assert_eq!(desk.lore(&["init"]).code, 0);
        desk.write("src/gateway.rs", "pub fn retry_limit() -> u32 {\n    3\n}\n");
        desk.lore(&["remember", "Never raise the retry limit of the gateway."]);
        let started =
            desk.lore(&["phase", "start", "raise the retry limit of the gateway", "--mode", "FULL"]);
        assert_eq!(started.code, 0, "{started}");
        let run = desk.lore(&["phase", "finish"]);
        let own = ["knowledge/", ".lore/"].into_iter().any(|folder| run.out.contains(folder));
        assert!(!own && run.out.contains("src/gateway.rs"), "{run}");
    }
}

/// A change passed the last gate, surer for having found the decision that forbids it.
#[test]
fn a_change_against_a_decision_is_held_until_it_is_decided_anew() {
    let desk = desk(FULL);
    desk.lore(&[
        "remember",
        "We decided that the retry_limit of the gateway stays 3, the carrier allows no more.",
    ]);
    desk.lore(&["remember", "Never log the numbers of callers in the gateway."]);
    let told =
        json(&desk.lore(&["--json", "ground", "Log the numbers of callers in the gateway for debugging"]));
    assert_eq!(told["grounding"]["against"][0]["forbids"], true, "{told:#}");
    assert!(told["grounding"]["recommendation"].to_string().contains("stop:"), "{told:#}");
    let told = json(&desk.lore(&["--json", "ground", "What is the retry_limit of the gateway?"]));
    assert_eq!(told["grounding"]["against"], serde_json::json!([]), "a question wants nothing: {told:#}");

    desk.lore(&["phase", "start", "Change the retry_limit of the gateway to 9"]);
    let run = desk.lore(&["--json", "phase", "finish"]);
    assert_eq!(run.code, 1, "{run}");
    let gate = &json(&run)["next"]["gate"];
    assert_eq!(gate["action"], "MANUAL_VERIFY", "{run}");
    assert!(gate["why"].to_string().contains("says otherwise"), "{run}");
    assert!(gate["lift"].to_string().contains("lore remember"), "{run}");
    desk.lore(&[
        "remember",
        "From now on the retry_limit of the gateway is 9 instead of 3, the carrier agreed.",
    ]);
    assert_eq!(desk.lore(&["ground", "--track"]).code, 0);
    let run = desk.lore(&["--json", "phase", "finish"]);
    assert_eq!((run.code, json(&run)["track"]["phase"].as_str()), (0, Some("COMPLETE")), "{run}");
}

/// Requests in words that no list has, and changes made by a shell, passed without any track.
#[test]
fn whoever_plans_or_edits_is_on_a_track_whatever_the_words_were() {
    let desk = desk(FULL);
    prompt(&desk, "Callers from abroad ought to hear the announcement twice");
    assert_eq!(desk.lore(&["phase", "show"]).code, 2, "nothing was done yet");
    tool(&desk, "Bash", "{\"command\":\"sed -i 's/3/4/' src/gateway.rs\"}");
    let run = tool(&desk, "Bash", "{\"command\":\"sh -c 'git commit -am x'\"}");
    assert!(run.out.contains("deny") || run.code == 2, "{run}");
    let shown = json(&desk.lore(&["--json", "phase", "show"]));
    let id = shown["track"]["id"].as_str().expect("it has a name");
    assert!(run.out.contains(id) || run.err.contains(id), "the refusal names its track: {run}");
}

#[test]
fn which_of_two_tracks_is_meant_has_to_be_said() {
    let desk = desk(FULL);
    desk.lore(&["phase", "start", "Add a port setting to the Gateway"]);
    desk.lore(&["phase", "start", "Add a retry_limit setting to the Gateway"]);
    let run = desk.lore(&["phase", "skip", "only a typo in a comment"]);
    assert_eq!(run.code, 2, "{run}");
    assert!(run.err.contains("2 tracks are open"), "{run}");
    assert_eq!(desk.lore(&["phase", "finish"]).code, 2);
}
