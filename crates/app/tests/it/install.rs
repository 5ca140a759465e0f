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
        let mut folders = vec![desk.project()];
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
    assert!(kept[0].starts_with(desk.project().join(".git")), "nothing git could take along: {kept:?}");
    assert_eq!((mode(&kept[0]), mode(kept[0].parent().expect("has a folder"))), (0o600, 0o700));
    assert_eq!(mode(&path), 0o600, "the file itself stays private");
    assert_eq!(desk.lore(&["uninstall", "claude-code", "--user"]).code, 0);
    assert_eq!(copies(), Vec::<std::path::PathBuf>::new(), "the copy goes with us");
}

#[cfg(unix)]
fn has(bytes: &[u8], words: &[u8]) -> bool {
    bytes.windows(words.len()).any(|window| window == words)
}
