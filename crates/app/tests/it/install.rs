//! Wiring into agents, and taking it out without a trace.

use crate::desk::Desk;

const SETTINGS: &str = "{\n    \"model\": \"opus\",   \"hooks\": {\n        \"SessionEnd\": [ {\"hooks\":[{\"type\":\"command\",\"command\":\"say bye\"}]} ]\n    }\n}";

#[test]
fn installing_shows_keeps_and_restores() {
    let desk = Desk::with_base();
    desk.write(".claude/settings.json", SETTINGS);
    let rehearsal = desk.lore(&["install", "claude-code", "--program", "lore", "--dry-run"]);
    insta::assert_snapshot!("install_dry_run", rehearsal);
    assert_eq!(desk.read(".claude/settings.json"), SETTINGS);
    assert!(!desk.project().join(".mcp.json").exists());

    let run = desk.lore(&["install", "claude-code", "--program", "lore"]);
    assert_eq!(run.code, 0, "{run}");
    insta::assert_snapshot!("install_settings", desk.read(".claude/settings.json"));
    insta::assert_snapshot!("install_mcp", desk.read(".mcp.json"));
    let again = desk.lore(&["install", "claude-code", "--program", "lore"]);
    assert!(again.out.contains("nothing to do"), "{again}");

    let out = desk.lore(&["uninstall", "claude-code"]);
    assert_eq!(out.code, 0, "{out}");
    assert_eq!(desk.read(".claude/settings.json"), SETTINGS, "byte for byte");
    assert!(!desk.project().join(".mcp.json").exists(), "what we made is gone");
}

#[test]
fn what_somebody_added_since_stays() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["install", "claude-code", "--program", "lore"]).code, 0);
    let with = desk.read(".claude/settings.json").replacen('{', "{\n  \"theme\": \"dark\",", 1);
    desk.write(".claude/settings.json", &with);
    assert_eq!(desk.lore(&["uninstall", "claude-code"]).code, 0);
    assert_eq!(desk.read(".claude/settings.json"), "{\n  \"theme\": \"dark\"\n}\n");
}

/// Files of an agent as somebody may have them: with comments, odd spaces, other people's hooks and servers.
const THEIRS: &[(&str, &str)] = &[
    (".claude/settings.json", SETTINGS),
    (".claude/skills/mine/SKILL.md", "---\nname: mine\n---\n"),
    (".mcp.json", "{\"mcpServers\": {\"db\": {\"command\": \"db-mcp\"}}}"),
    (
        ".codex/hooks.json",
        "{ \"hooks\": { \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"beep\" } ] } ] } }\n",
    ),
    (
        ".codex/config.toml",
        "# mine\nmodel = \"x\"   # fast\n\n[mcp_servers.db] # the database\ncommand = \"db-mcp\"\n",
    ),
    (".gemini/settings.json", "{\n  // what I like\n  \"theme\": \"x\",\n}\n"),
    (
        "opencode.jsonc",
        "{\n\t/* mine */\n\t\"mcp\": {\n\t\t\"db\": { \"type\": \"local\", \"command\": [\"db\"] }, // db\n\t},\n}\n",
    ),
    (".cursor/hooks.json", "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"./beep.sh\"}]}}"),
    (".pi/mcp.json", "{}"),
    ("AGENTS.md", "# How we work\n\nBe kind."),
];

/// Everything below a folder, byte for byte, git's own folder and our records left out.
fn everything(folder: &std::path::Path) -> std::collections::BTreeMap<String, Option<Vec<u8>>> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for item in std::fs::read_dir(&next).expect("can be listed").flatten() {
            let path = item.path();
            let name = path.strip_prefix(folder).expect("is inside").display().to_string();
            if name == ".git" || name.starts_with(".local") {
                continue;
            }
            if path.is_dir() {
                found.insert(name, None);
                folders.push(path);
            } else {
                found.insert(name, Some(std::fs::read(&path).expect("can be read")));
            }
        }
    }
    found
}

const AGENTS: [&str; 9] =
    ["claude-code", "codex", "gemini", "opencode", "copilot", "cursor", "pi", "goose", "other"];

/// Install, install again, use, take out: in a project that has nothing, and in one that has everything.
#[test]
fn every_agent_is_left_byte_for_byte_as_it_was() {
    for (agent, filled) in AGENTS.iter().flat_map(|agent| [(agent, false), (agent, true)]) {
        // Nothing of it needs a base.
        let desk = if filled { Desk::with_base() } else { Desk::new() };
        if filled {
            THEIRS.iter().for_each(|(path, text)| desk.write(path, text));
        }
        let before = everything(&desk.project());
        let home = everything(&desk.home());
        let rehearsal = desk.lore(&["install", agent, "--dry-run"]);
        assert_eq!(
            (rehearsal.code, everything(&desk.project()) == before),
            (0, true),
            "{agent}: {rehearsal}"
        );
        let run = desk.lore(&["install", agent]);
        assert_eq!(run.code, 0, "{agent}: {run}");
        let with = everything(&desk.project());
        assert!(with.len() > before.len(), "{agent} has something new");
        for (path, text) in THEIRS.iter().filter(|_| filled) {
            let now = desk.read(path);
            for line in text
                .lines()
                .filter(|line| line.contains("mine") || line.contains("beep") || line.contains("db"))
            {
                let line = line.trim().trim_end_matches([',', '}', ']', ' ']);
                assert!(now.contains(line), "{agent}: {path} lost {line}: {now}");
            }
        }
        let again = desk.lore(&["install", agent]);
        assert_eq!(everything(&desk.project()), with, "{agent}: {again}");
        use_it(&desk, agent);
        assert_eq!(everything(&desk.project()), with, "{agent}: using it changes no file of the project");
        let listed = desk.lore(&["install"]);
        let line = listed.out.lines().find(|line| line.starts_with(agent)).unwrap_or_default().to_owned();
        assert!(line.contains("in this project"), "{agent}: {listed}");
        let out = desk.lore(&["uninstall", agent]);
        assert_eq!(out.code, 0, "{agent}: {out}");
        assert_eq!(everything(&desk.project()), before, "{agent}: {out}");
        assert_eq!(everything(&desk.home()), home, "{agent}: {out}");
    }
}

/// Sends everything that a session of the agent sends, if it has hooks, and asks the server that it starts.
fn use_it(desk: &Desk, agent: &str) {
    let project = desk.project().display().to_string();
    let values =
        [("session", "s-1"), ("project", project.as_str()), ("prompt", "why?"), ("file", "src/a.rs")];
    for caller in crate::callers::callers().iter().filter(|caller| caller.agent == agent) {
        for call in &caller.events {
            let message = caller.message(call, &values).to_string();
            let run = desk.told(&message, &["hook", agent, &call.event]);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{agent} {}: {run}", call.event);
        }
    }
    if desk.project().join("knowledge").is_dir() {
        let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let served = desk.told(&format!("{hello}\n"), &["mcp"]);
        assert!(served.out.contains("serverInfo"), "{agent}: {served}");
    }
}

#[test]
fn agents_that_share_a_file_can_go_one_by_one() {
    let desk = Desk::new();
    THEIRS.iter().for_each(|(path, text)| desk.write(path, text));
    let before = everything(&desk.project());
    for agent in AGENTS {
        assert_eq!(desk.lore(&["install", agent]).code, 0);
    }
    let out = desk.lore(&["uninstall", "claude-code"]);
    assert!(out.out.contains(".mcp.json: left for copilot, other"), "{out}");
    assert!(desk.read(".mcp.json").contains("\"lore\""));
    let out = desk.lore(&["uninstall", "--all"]);
    assert_eq!(out.code, 0, "{out}");
    assert_eq!(everything(&desk.project()), before, "{out}");
    assert!(desk.lore(&["uninstall", "--all"]).err.contains("in no agent's settings"));
}

/// Without the settings of an agent nothing else of ours was found, and `--all` said that there was nothing.
#[test]
fn what_was_put_beside_lost_settings_goes_too() {
    let desk = Desk::new();
    let before = everything(&desk.project());
    assert_eq!(desk.lore(&["install", "claude-code"]).code, 0);
    std::fs::remove_file(desk.project().join(".claude/settings.json")).expect("is there");
    let out = desk.lore(&["uninstall", "--all"]);
    assert_eq!((out.code, everything(&desk.project())), (0, before), "{out}");
    assert_eq!(desk.lore(&["install", "claude-code"]).code, 0);
    assert_eq!(desk.lore(&["install", "codex"]).code, 0);
    desk.write(".claude/settings.json", "{oops");
    let out = desk.lore(&["uninstall", "--all"]);
    assert!(out.code != 0 && out.err.contains(".claude/settings.json"), "{out}");
    assert!(!desk.project().join(".codex/config.toml").exists(), "{out}");
}

/// The same below somebody's home.
const THEIRS_AT_HOME: &[(&str, &str)] = &[
    (".claude/settings.json", SETTINGS),
    (".claude/skills/mine/SKILL.md", "---\nname: mine\n---\n"),
    (".codex/hooks.json", "{\"hooks\": {}}"),
    (".codex/config.toml", "# mine\nmodel = \"x\"\n\n[mcp_servers.db]\ncommand = \"db-mcp\""),
    (".gemini/settings.json", "{\n\t\"theme\": \"x\", // mine\n}"),
    (
        ".config/opencode/opencode.json",
        "{ \"mcp\": { \"db\": { \"type\": \"local\", \"command\": [\"db\"] } } }\n",
    ),
    (".copilot/mcp-config.json", "{\"mcpServers\":{\"db\":{\"command\":\"db-mcp\"}}}"),
    (".cursor/hooks.json", "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"./beep.sh\"}]}}"),
    (".cursor/mcp.json", "{}\n"),
    (".pi/agent/mcp.json", "{\n  \"mcpServers\": {}\n}\n"),
    (".config/goose/config.yaml", "GOOSE_MODEL: x # mine\nextensions:\n  db:\n    enabled: true\n"),
];

#[test]
fn a_users_own_settings_are_left_byte_for_byte_too() {
    let agents = AGENTS.iter().filter(|agent| **agent != "other");
    for (agent, filled) in agents.flat_map(|agent| [(agent, false), (agent, true)]) {
        let desk = Desk::new();
        for (path, text) in THEIRS_AT_HOME.iter().filter(|_| filled) {
            let full = desk.home().join(path);
            std::fs::create_dir_all(full.parent().expect("has a folder")).expect("can be made");
            std::fs::write(full, text).expect("can be written");
        }
        let (before, project) = (everything(&desk.home()), everything(&desk.project()));
        let run = desk.lore(&["install", agent, "--user"]);
        assert_eq!(run.code, 0, "{agent}: {run}");
        let with = everything(&desk.home());
        assert!(with.len() > before.len(), "{agent}");
        assert_eq!(desk.lore(&["install", agent, "--user"]).code, 0);
        assert_eq!(everything(&desk.home()), with, "{agent}: twice is once");
        use_it(&desk, agent);
        let out = desk.lore(&["uninstall", agent, "--user"]);
        assert_eq!(out.code, 0, "{agent}: {out}");
        assert_eq!(everything(&desk.home()), before, "{agent}: {out}");
        assert_eq!(everything(&desk.project()), project, "{agent}: {out}");
    }
}

/// A colleague has no record of what was there; our part goes, everything else stays.
#[test]
fn a_colleague_can_take_it_out_too() {
    let desk = Desk::new();
    THEIRS.iter().for_each(|(path, text)| desk.write(path, text));
    for agent in AGENTS {
        assert_eq!(desk.lore(&["install", agent]).code, 0);
    }
    std::fs::remove_dir_all(desk.home().join(".local")).expect("there are records");
    for agent in AGENTS {
        let out = desk.lore(&["uninstall", agent]);
        assert_eq!(out.code, 0, "{agent}: {out}");
    }
    for (path, text) in THEIRS {
        let now = desk.read(path);
        assert!(!now.contains("lore"), "{path}: {now}");
        // A file without a line break at its end may have got one.
        assert_eq!(now.trim_end(), text.trim_end(), "{path}");
    }
}

#[test]
fn odd_files_and_unknown_agents_are_refused() {
    let desk = Desk::new();
    desk.write(".claude/settings.json", "{ \"hooks\": 3 }");
    let refused = desk.lore(&["install", "claude-code"]);
    assert_eq!(refused.code, 2, "{refused}");
    assert_eq!(desk.read(".claude/settings.json"), "{ \"hooks\": 3 }");
    assert!(!desk.project().join(".mcp.json").exists(), "nothing is half done");
    assert_eq!(desk.lore(&["install", "no-such-agent"]).code, 2);
    assert_eq!(desk.lore(&["uninstall"]).code, 2);
    desk.write(".opencode/plugins/lore.js", "// mine\n");
    assert_eq!(desk.lore(&["install", "opencode"]).code, 2, "another file of that name");
}

/// The first broken file of `--all` ended the run, and nobody was told what had been done before it.
#[test]
fn one_broken_file_keeps_nobody_else_out() {
    let desk = Desk::with_base();
    desk.write(".claude/settings.json", SETTINGS);
    desk.write(".cursor/mcp.json", "{ broken");
    desk.write(".codex/config.toml", "# mine\r\nmodel = \"x\"\r\n");
    let run = desk.lore(&["install", "--all", "--program", "lore"]);
    assert_eq!(run.code, 2, "{run}");
    assert!(run.out.contains(".claude/settings.json: changed"), "{run}");
    assert!(run.out.contains(".codex/config.toml: changed") && run.err.contains(".cursor/mcp.json"), "{run}");
    assert_eq!(desk.read(".cursor/mcp.json"), "{ broken");
    let codex = desk.read(".codex/config.toml");
    assert!(codex.starts_with("# mine\r\nmodel") && !codex.replace("\r\n", "").contains('\n'), "{codex:?}");
}

#[test]
fn a_skill_that_somebody_changed_is_theirs() {
    let desk = Desk::new();
    desk.write(".claude/skills/spike/SKILL.md", "---\nname: spike\ndescription: ours\n---\n");
    let run = desk.lore(&["install", "claude-code"]);
    assert!(run.out.contains(".claude/skills (spike): left as it is, because it is not ours"), "{run}");
    let changed = desk.read(".claude/skills/ground/SKILL.md") + "And more.\n";
    desk.write(".claude/skills/ground/SKILL.md", &changed);
    assert_eq!(desk.lore(&["install", "claude-code"]).code, 0);
    assert_eq!(desk.read(".claude/skills/ground/SKILL.md"), changed);
    assert_eq!(desk.lore(&["uninstall", "claude-code"]).code, 0);
    assert_eq!(desk.read(".claude/skills/ground/SKILL.md"), changed);
    assert!(!desk.project().join(".claude/skills/curate").exists());
}

/// Peers' hooks fail for everybody who has not installed them; some agents take that for a refusal.
#[cfg(unix)]
#[test]
fn a_hook_does_nothing_where_we_are_not_and_fails_nowhere() {
    let desk = Desk::new();
    let run = |program: &str| {
        assert_eq!(desk.lore(&["install", "claude-code", "--program", program]).code, 0);
        let settings: serde_json::Value =
            serde_json::from_str(&desk.read(".claude/settings.json")).expect("is JSON");
        let command =
            settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().expect("a command").to_owned();
        std::process::Command::new("sh")
            .args(["-c", &command])
            .stdin(std::process::Stdio::null())
            .output()
            .expect("runs")
    };
    for program in ["no-such-program-anywhere", "false", env!("CARGO_BIN_EXE_lore")] {
        let output = run(program);
        assert_eq!(output.status.code(), Some(0), "{program}");
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{program}");
    }
}

#[test]
fn it_is_said_when_hooks_are_not_yet_trusted() {
    let desk = Desk::new();
    for agent in ["claude-code", "codex", "gemini", "pi"] {
        let run = desk.lore(&["install", agent]);
        assert!(run.err.contains("not yet trusted"), "{agent}: {run}");
    }
    let project = desk.project().canonicalize().expect("is there").display().to_string();
    let state = serde_json::json!({ "projects": { &project: { "hasTrustDialogAccepted": true } } });
    std::fs::write(desk.home().join(".claude.json"), state.to_string()).expect("can be written");
    let events = [
        "session_start",
        "user_prompt_submit",
        "pre_tool_use",
        "post_tool_use",
        "stop",
        "pre_compact",
        "session_end",
    ];
    let keys: String = events
        .iter()
        .map(|event| {
            format!("[hooks.state.\"{project}/.codex/hooks.json:{event}:0:0\"]\ntrusted_hash = \"x\"\n")
        })
        .collect();
    std::fs::create_dir_all(desk.home().join(".codex")).expect("can be made");
    std::fs::write(desk.home().join(".codex/config.toml"), keys).expect("can be written");
    std::fs::create_dir_all(desk.home().join(".pi/agent")).expect("can be made");
    std::fs::write(
        desk.home().join(".pi/agent/trust.json"),
        serde_json::json!({ &project: true }).to_string(),
    )
    .expect("can be written");
    for agent in ["claude-code", "codex", "pi"] {
        let run = desk.lore(&["install", agent]);
        assert!(!run.err.contains("not yet trusted"), "{agent}: {run}");
    }
}

/// A settings file may hold a token; the copy of it is as private as the file, and goes with us.
#[cfg(unix)]
#[test]
fn the_copy_of_a_settings_file_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::with_base();
    desk.git(&["add", "--all"]);
    let path = desk.home().join(".claude/settings.json");
    std::fs::create_dir_all(desk.home().join(".claude")).expect("can be made");
    std::fs::write(&path, "{\"env\": {\"API_TOKEN\": \"tulip-42-orchid\"}}").expect("can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("can be set");
    assert_eq!(desk.lore(&["install", "claude-code", "--user"]).code, 0);
    let copies = || {
        let mut found = Vec::new();
        let mut folders = vec![desk.project(), desk.home().join(".local")];
        while let Some(folder) = folders.pop() {
            for item in std::fs::read_dir(folder).expect("can be listed").flatten() {
                match item.path() {
                    path if path.is_dir() => folders.push(path),
                    path if std::fs::read(&path).is_ok_and(|bytes| has(&bytes, b"tulip-42-orchid")) => {
                        found.push(path);
                    }
                    _ => {}
                }
            }
        }
        found
    };
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).expect("is there").permissions().mode() & 0o777;
    let kept = copies();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(!kept[0].starts_with(desk.project()), "nothing git could take along: {kept:?}");
    assert_eq!((mode(&kept[0]), mode(kept[0].parent().expect("has a folder"))), (0o600, 0o700));
    assert_eq!(mode(&path), 0o600, "the file itself stays private");
    assert_eq!(desk.lore(&["uninstall", "claude-code", "--user"]).code, 0);
    assert_eq!(copies(), Vec::<std::path::PathBuf>::new(), "the copy goes with us");
}

#[cfg(unix)]
fn has(bytes: &[u8], words: &[u8]) -> bool {
    bytes.windows(words.len()).any(|window| window == words)
}

#[test]
fn a_plugin_is_a_folder_of_its_own_and_nothing_else_is_touched() {
    let desk = Desk::new();
    let run = desk.lore(&["install", "--plugin", "out/lore"]);
    assert_eq!(run.code, 0, "{run}");
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(&desk.read(&format!("out/lore/{path}"))).expect("it is JSON")
    };
    assert_eq!(json(".claude-plugin/plugin.json")["name"], "lore");
    assert_eq!(json(".claude-plugin/marketplace.json")["plugins"][0]["source"], "./");
    assert_eq!(json(".mcp.json")["mcpServers"]["lore"]["args"], serde_json::json!(["mcp"]));
    let hooks = json("hooks/hooks.json");
    let start = hooks["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().expect("a command");
    assert!(start.starts_with("command -v lore") && start.ends_with("|| true"), "{start}");
    for skill in ["knowledge", "curate", "spike", "reflect", "ground"] {
        assert!(desk.read(&format!("out/lore/skills/{skill}/SKILL.md")).contains(&format!("name: {skill}")));
    }
    assert!(desk.read("out/lore/agents/lore-researcher.md").contains("name: lore-researcher"));
    assert!(!desk.project().join(".claude").exists(), "the project's own settings are not touched");
    // The same again changes nothing; what somebody changed is written anew; what is not ours is left alone.
    let again = desk.lore(&["install", "--plugin", "out/lore"]);
    assert!(!again.out.contains("changed") && again.out.contains("nothing to do"), "{again}");
    desk.write("out/lore/.mcp.json", "{}");
    let mended = desk.lore(&["install", "--plugin", "out/lore"]);
    assert!(mended.out.contains(".mcp.json: changed"), "{mended}");
    desk.write("other/file", "theirs");
    assert_eq!(desk.lore(&["install", "--plugin", "other"]).code, 2);
    assert_eq!(desk.lore(&["install", "--plugin", "new", "--dry-run"]).code, 0);
    assert!(!desk.project().join("new").exists());
    assert_eq!(desk.lore(&["uninstall", "--plugin", "out/lore"]).code, 2);
}
