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

#[test]
fn a_users_own_settings_and_odd_files() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["install", "claude-code", "--user"]).code, 0);
    let path = desk.home().join(".claude/settings.json");
    let text = std::fs::read_to_string(&path).expect("the file is there");
    assert!(text.contains("hook claude-code session-start"), "{text}");
    assert_eq!(desk.lore(&["uninstall", "claude-code", "--user"]).code, 0);
    assert!(!path.exists());

    desk.write(".claude/settings.json", "{ // mine\n}");
    let refused = desk.lore(&["install", "claude-code"]);
    assert_eq!(refused.code, 2, "{refused}");
    assert_eq!(desk.read(".claude/settings.json"), "{ // mine\n}");
    assert_eq!(desk.lore(&["install", "no-such-agent"]).code, 2);
}
