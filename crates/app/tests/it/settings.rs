//! Settings through the command line.

use crate::desk::Desk;

#[test]
fn settings_are_listed_changed_and_taken_back() {
    let desk = Desk::with_base();
    insta::assert_snapshot!("config_list", desk.lore(&["config", "list"]));
    assert_eq!(desk.lore(&["config", "set", "query.limit", "9"]).code, 0);
    assert_eq!(desk.lore(&["config", "get", "query.limit"]).out, "9\n");
    assert!(desk.read("knowledge/.lore/config.toml").contains("limit = 9"));
    assert_eq!(desk.lore(&["config", "unset", "query.limit"]).code, 0);
    assert_eq!(desk.lore(&["config", "get", "query.limit"]).out, "5\n");
    insta::assert_snapshot!("config_unknown", desk.lore(&["config", "set", "query.colour", "red"]));
    insta::assert_snapshot!("config_wrong", desk.lore(&["config", "set", "query.limit", "many"]));
}

#[test]
fn an_unknown_setting_in_a_file_is_a_warning_not_a_failure() {
    let desk = Desk::with_base();
    desk.write("knowledge/.lore/config.toml", "[query]\ncolour = \"red\"\n");
    let run = desk.lore(&["check"]);
    assert_eq!(run.code, 1, "{run}");
    assert!(run.out.contains("there is no setting `query.colour`"), "{run}");
}

/// Settings that would run a program, send words away and read other paths.
const HOSTILE: &str = "[curate]\nprovider = \"command\"\ncommand = \"touch pwned\"\n[sessions]\npaths = [\"/etc\"]\n\
                       [query]\nlimit = 7\n";

// A tracked settings file named a command, and `lore curate` ran it.
#[test]
fn a_repositorys_settings_run_nothing_until_they_are_allowed() {
    let desk = Desk::with_base();
    desk.write("knowledge/.lore/config.toml", HOSTILE);
    let first = desk.lore(&["list"]);
    assert_eq!(first.code, 0, "{first}");
    insta::assert_snapshot!("config_ignored_once", first);
    assert!(!desk.lore(&["list"]).err.contains("ignored"), "it is said once");
    insta::assert_snapshot!("config_list_ignored", desk.lore(&["config", "list"]));
    let status = desk.lore(&["status"]);
    assert!(status.out.contains("3 settings of this repository are ignored"), "{status}");
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "\n");
    assert_eq!(desk.lore(&["config", "get", "query.limit"]).out, "7\n", "harmless values stay usable");
    let list: serde_json::Value =
        serde_json::from_str(&desk.lore(&["config", "list", "--json"]).out).expect("JSON");
    assert_eq!(list["ignored"].as_array().map(Vec::len), Some(3));
    assert_eq!(desk.lore(&["curate"]).code, 0);
    assert!(!desk.project().join("pwned").exists());

    insta::assert_snapshot!("config_allow_dry_run", desk.lore(&["config", "allow", "--dry-run"]));
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "\n", "a rehearsal allows nothing");
    let inside = desk.run(&["config", "allow"], &[("CLAUDECODE", "1")]);
    assert_eq!(inside.code, 2, "no agent allows: {inside}");
    assert_eq!(desk.lore(&["config", "allow"]).code, 0);
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "touch pwned\n");
    assert!(!desk.project().join("knowledge/.lore/allowed-settings.json").exists());

    desk.write("knowledge/.lore/config.toml", &HOSTILE.replace("touch", "touch  "));
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "\n", "any change asks again");
    desk.write("knowledge/.lore/config.toml", HOSTILE);
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "touch pwned\n");
    assert_eq!(desk.lore(&["config", "disallow"]).code, 0);
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "\n");
}

#[test]
fn the_checkouts_file_in_the_work_tree_is_not_believed_either() {
    let desk = Desk::with_base();
    desk.write(".lore/config.toml", "[curate]\nendpoint = \"http://127.0.0.1:1/\"\n");
    assert_eq!(desk.lore(&["config", "get", "curate.endpoint"]).out, "\n");
}

// One wrong value in a tracked file made every command fail for everybody.
#[test]
fn a_broken_file_of_the_repository_stops_no_command() {
    let desk = Desk::with_base();
    desk.write("knowledge/.lore/config.toml", "[query\n");
    let run = desk.lore(&["list"]);
    assert_eq!(run.code, 0, "{run}");
    let said =
        "config.toml` may say what is to be left out, and cannot be used: it is not valid TOML: line 1";
    assert!(run.err.contains(said), "{run}");
    assert!(desk.lore(&["list"]).err.contains(said), "it is said as long as it is so");
    let kept = desk.lore(&["remember", "Ships are painted grey."]);
    assert!(kept.code == 2 && kept.err.contains(said) && kept.err.contains("mend the file"), "{kept}");
    let read = desk.lore(&["sessions"]);
    assert!(read.code == 2 && read.err.contains(said), "{read}");
    let doctor = desk.lore(&["doctor"]);
    assert!(doctor.code == 1 && doctor.out.contains("hooks are silent and nothing is kept"), "{doctor}");
    desk.write("knowledge/.lore/config.toml", "[query]\nlimit = \"many\"\n");
    assert_eq!(desk.lore(&["config", "get", "query.limit"]).out, "5\n");
    let own = desk.home().join(".config/lore/config.toml");
    std::fs::create_dir_all(own.parent().expect("has a folder")).expect("can be made");
    std::fs::write(own, "[query]\nlimit = \"many\"\n").expect("can be written");
    assert_eq!(desk.lore(&["list"]).code, 2, "the user's own file must be right");
}

#[test]
fn settings_of_the_last_version_count_under_their_new_names_and_it_is_said_once() {
    let desk = Desk::with_base();
    let own = desk.home().join(".config/lore/config.toml");
    std::fs::create_dir_all(own.parent().expect("has a folder")).expect("can be made");
    std::fs::write(&own, "[refine]\nprovider = \"command\"\ncommand = \"llm\"\nbudget = 900\n")
        .expect("can be written");
    let first = desk.lore(&["config", "get", "curate.command"]);
    assert_eq!(first.out, "llm\n", "{first}");
    assert_eq!(desk.lore(&["config", "get", "refine.budget"]).out, "900\n");
    assert_eq!(desk.lore(&["config", "get", "curate.tokens_per_run"]).out, "900\n");
    let said = desk.lore(&["list"]);
    assert!(said.err.contains("`refine.budget` is called `curate.tokens_per_run` now"), "{said}");
    assert!(!desk.lore(&["list"]).err.contains("is called"), "it is said once");
    assert!(desk.lore(&["check"]).out.contains("`refine.command` is called `curate.command` now"));
}

#[test]
fn what_a_project_may_not_set_goes_to_the_users_file() {
    let desk = Desk::with_base();
    let run = desk.lore(&["config", "set", "curate.command", "llm"]);
    assert!(run.err.contains(".config/lore/config.toml"), "{run}");
    assert_eq!(desk.lore(&["config", "get", "curate.command"]).out, "llm\n");
    let run = desk.lore(&["config", "set", "git.commit", "true", "--whose", "project"]);
    assert!(run.err.contains("it does not count yet"), "{run}");
}

/// What was put on the shelf before a topic was left out went on being told.
#[test]
fn a_topic_that_is_left_out_is_no_longer_told() {
    let desk = Desk::with_base();
    let words =
        "Salaries of the harbour pilots are paid from the pilotage account, said the treasurer of the port.";
    let line = |role: &str, at: u32, text: &str| {
        let content = serde_json::json!([{ "type": "text", "text": text }]);
        serde_json::json!({ "type": role, "uuid": format!("u{at}"), "parentUuid": null, "sessionId": "s-1",
            "cwd": desk.project(), "timestamp": format!("2026-02-19T10:0{at}:00Z"),
            "message": { "role": role, "id": format!("m{at}"), "content": content } })
    };
    let session = format!("{}\n{}\n", line("user", 1, "what do we know?"), line("assistant", 2, words));
    std::fs::write(desk.past().join("s-1.jsonl"), session).expect("a file can be written");
    assert_eq!(desk.lore(&["curate"]).code, 0);
    let asks: [&[&str]; 3] = [
        &["ask", "who pays the salaries of the harbour pilots?", "--evidence"],
        &["query", "salaries harbour pilots"],
        &["context", "who pays the salaries of the harbour pilots?"],
    ];
    for ask in asks {
        assert!(desk.lore(ask).out.contains("pilotage account"), "{}", desk.lore(ask));
    }
    let set = desk.lore(&["config", "set", "topics.exclude", "[\"salar(y|ies)\"]"]);
    assert!(set.code == 0 && set.err.contains("lore forget"), "what is there already is named: {set}");
    assert!(set.err.contains("travel with the repository"), "{set}");
    let mine = desk.lore(&["config", "set", "topics.exclude", "salary", "--whose", "user"]);
    assert!(mine.code == 0 && !mine.err.contains("travel"), "{mine}");
    for ask in asks {
        assert!(!desk.lore(ask).out.contains("pilotage account"), "{}", desk.lore(ask));
    }
}

/// It was taken as it was typed, and left nothing out.
#[test]
fn a_pattern_that_is_none_is_refused_where_it_is_set() {
    let desk = Desk::with_base();
    for key in ["topics.exclude", "sessions.exclude", "redact.patterns"] {
        for whose in ["user", "project"] {
            let run = desk.lore(&["config", "set", key, "[\"salary\", \"(\"]", "--whose", whose]);
            let said = format!("`(` in `{key}` is no regular expression: unclosed group");
            assert!(run.code == 2 && run.err.contains(&said), "{run}");
            assert_eq!(desk.lore(&["config", "get", key]).out, "[]\n");
        }
    }
}

#[test]
fn what_would_lock_everybody_out_is_refused() {
    let desk = Desk::with_base();
    for place in ["../out", "/elsewhere", ""] {
        let run = desk.lore(&["config", "set", "base.location", place]);
        assert_eq!(run.code, 2, "{place}: {run}");
        assert!(run.err.contains("a folder inside the project"), "{run}");
    }
    assert_eq!(desk.lore(&["config", "set", "curate.threshold", "7"]).code, 2);
    assert_eq!(desk.lore(&["list"]).code, 0);
}

#[test]
fn a_value_that_cannot_be_used_is_named_with_its_file_and_mended_by_command() {
    let desk = Desk::with_base();
    let file = desk.home().join(".config/lore/config.toml");
    std::fs::create_dir_all(file.parent().expect("has a folder")).expect("can be made");
    std::fs::write(&file, "[query]\nlimit = \"abc\"\n[base]\nlocation = \"../out\"\n")
        .expect("can be written");
    let run = desk.lore(&["list"]);
    assert_ne!(run.code, 0, "{run}");
    assert!(run.err.contains("config.toml") && run.err.contains("lore config unset"), "{run}");
    assert_eq!(desk.lore(&["config", "set", "--whose", "user", "query.limit", "5"]).code, 0);
    assert_eq!(desk.lore(&["config", "unset", "base.location"]).code, 0);
    assert_eq!(desk.lore(&["list"]).code, 0);
}

#[test]
fn what_is_about_no_base_needs_none() {
    let desk = Desk::new();
    for args in [
        &["config", "reference"][..],
        &["config", "path", "--whose", "user"],
        &["config", "set", "ground.mode", "FULL", "--whose", "user"],
    ] {
        let run = desk.lore(args);
        assert_eq!(run.code, 0, "{args:?}: {run}");
    }
}
