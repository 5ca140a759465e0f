//! What users read when something is wrong, and how the program ends.

use crate::desk::Desk;

#[test]
fn each_error_says_what_to_do_next() {
    let desk = Desk::new();
    insta::assert_snapshot!("no_base", desk.lore(&["list"]));
    insta::assert_snapshot!("no_base_json", desk.lore(&["list", "--json"]));
    let desk = Desk::with_base();
    insta::assert_snapshot!("unknown_entry", desk.lore(&["show", "nothing"]));
    insta::assert_snapshot!("unknown_kind", desk.lore(&["new", "X", "--type", "thing", "--body", "x"]));
    insta::assert_snapshot!("unknown_status", desk.lore(&["list", "--status", "fresh"]));
    insta::assert_snapshot!("init_twice", desk.lore(&["init"]));
    insta::assert_snapshot!("no_editor", {
        desk.lore(&["new", "A title", "--body", "Some text."]);
        desk.lore(&["edit", "a-title"])
    });
}

#[test]
fn a_secret_is_refused() {
    let desk = Desk::with_base();
    let secret = format!("token = \"{}_{}\"", "ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let run = desk.lore(&["new", "Where the token is", "--body", &secret]);
    assert_eq!(run.code, 2, "{run}");
    assert!(run.err.contains("secret"), "{run}");
    assert!(run.err.contains("hint:"), "{run}");
}

#[test]
fn check_finds_damage_and_says_no() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["check"]).code, 0);
    desk.write(
        "knowledge/project/damaged.md",
        "---\ntype: fact\ntitle: `ticks` everywhere\nstatus: perhaps\n---\n\nText.\n",
    );
    desk.write(
        "knowledge/project/dangling.md",
        "---\ntype: fact\ntitle: Dangling\nrelated:\n  - fac-2020-01-01-gone\n---\n\nText.\n",
    );
    insta::assert_snapshot!("check", desk.lore(&["check"]));
    assert_eq!(desk.lore(&["check", "--json"]).code, 1);
}

#[test]
fn a_closed_pipe_is_silence() {
    let desk = Desk::with_base();
    for number in 0..20 {
        desk.write(
            &format!("knowledge/project/e{number}.md"),
            "---\ntype: fact\ntitle: An entry\n---\n\nText.\n",
        );
    }
    let script = format!("{} list | head -n 1", env!("CARGO_BIN_EXE_lore"));
    let output =
        std::process::Command::new("sh").arg("-c").arg(script).current_dir(desk.project()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn help_fits_80_columns() {
    let desk = Desk::new();
    let help = desk.lore(&["--help"]);
    assert!(help.out.lines().all(|line| line.chars().count() <= 80), "{help}");
    for command in [
        "init", "status", "list", "show", "new", "edit", "verify", "rm", "check", "import", "export",
        "config",
    ] {
        let help = desk.lore(&[command, "--help"]);
        assert_eq!(help.code, 0, "{help}");
        assert!(help.out.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
}

#[test]
fn scripts_for_shells_and_the_manual_are_printed() {
    let desk = Desk::new();
    assert!(desk.lore(&["completions", "bash"]).out.contains("_lore"));
    assert!(desk.lore(&["man"]).out.contains(".TH lore"));
}

/// Completions of `--type` were file names.
#[test]
fn completions_offer_the_words_an_option_takes() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = desk.lore(&["completions", shell]).out;
        for word in ["limitation", "superseded", "debugger"] {
            assert!(script.contains(word), "{shell} does not offer {word}");
        }
    }
    let wrong = Desk::with_base().lore(&["list", "--type", "bogus"]);
    assert!(wrong.code == 2 && wrong.err.contains("the kinds are"), "our own words for it: {wrong}");
}

/// A program that asks for JSON got nothing at all where it had misspelt something.
#[test]
fn wrong_use_is_told_as_json_to_who_asks_for_it() {
    let desk = Desk::with_base();
    for args in [&["list", "--bogus", "--json"][..], &["--json", "nosuch"], &["forget", "--json"]] {
        let run = desk.lore(args);
        assert_eq!(run.code, 2, "{args:?}: {run}");
        let told: serde_json::Value =
            serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
        assert_eq!(told["schema"], "lore.error/1", "{run}");
    }
    assert!(desk.lore(&["list", "--bogus"]).err.contains("Usage:"));
}

/// A day, or a slip, was passed over in silence, and the run could not be repeated.
#[test]
fn the_time_to_use_is_a_day_or_an_instant() {
    let desk = Desk::with_base();
    let at = |now: &'static str, arguments: &[&str]| desk.run(arguments, &[("LORE_NOW", now)]);
    assert_eq!(at("2026-02-20", &["remember", "Prices are kept in cents"]).code, 0);
    assert!(at("2026-02-20", &["list", "--json"]).out.contains("2026-02-20T00:00:00Z"));
    for arguments in [&["list"][..], &[]] {
        let refused = at("20 Feb 2026", arguments);
        assert_eq!(refused.code, 2, "{arguments:?}");
        assert!(refused.err.contains("LORE_NOW") && refused.err.contains("hint:"), "{}", refused.err);
    }
    // Whatever an agent, git or a shell calls by itself goes on by the clock.
    for arguments in [&["hook", "claude-code", "session-start"][..], &["work"], &["phase", "check-due"]] {
        let done = at("20 Feb 2026", arguments);
        assert!(done.code == 0 && !done.err.contains("LORE_NOW"), "{arguments:?}: {done}");
    }
}
