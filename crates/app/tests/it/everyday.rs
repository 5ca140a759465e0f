//! What people have at hand every day: values at the cursor, long output page by page, manual pages.

use std::process::{Command, Stdio};

use crate::desk::Desk;

fn desk() -> Desk {
    let desk = Desk::with_base();
    let new = |title: &str, kind: &str, tag: &str| {
        let body = format!("{title}, because it was laid down so.");
        let run = desk.lore(&["new", title, "-t", kind, "--tag", tag, "--body", &body]);
        assert_eq!(run.code, 0, "{run}");
    };
    new("Lamps are red", "decision", "lamps");
    new("Ropes are checked in spring", "preference", "ropes");
    desk
}

fn offered(desk: &Desk, line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let at = (words.len() - 1).to_string();
    let run = desk.lore(&[&["complete", "--at", &at, "--"], words.as_slice()].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run}");
    run.out.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn ids_names_and_other_values_are_offered_at_the_cursor() {
    let desk = desk();
    let entries = offered(&desk, "lore show ");
    assert!(entries.len() == 2 && entries.iter().all(|id| id.contains('-')), "{entries:?}");
    assert_eq!(offered(&desk, "lore show lamps"), ["lamps-are-red"]);
    assert_eq!(offered(&desk, "lore why ropes-are"), ["ropes-are-checked-in-spring"]);
    assert_eq!(offered(&desk, "lore query --tag "), ["lamps", "ropes"]);
    assert_eq!(offered(&desk, "lore query -t dec"), ["decision"]);
    assert_eq!(offered(&desk, "lore install cod"), ["codex"]);
    assert!(offered(&desk, "lore config get curate.").iter().all(|key| key.starts_with("curate.")));
    assert!(!offered(&desk, "lore undo ").is_empty());
    assert_eq!(offered(&desk, "lore query "), Vec::<String>::new());
    // Without a base, and in the middle of nonsense, there is silence.
    let empty = Desk::new();
    assert_eq!(offered(&empty, "lore show "), Vec::<String>::new());
    assert_eq!(offered(&empty, "lore install gem"), ["gemini"]);
    assert_eq!(offered(&empty, "lore nonsense --what "), Vec::<String>::new());
}

/// A real shell with the script that we print.
#[cfg(target_os = "linux")]
#[test]
fn bash_offers_what_the_base_knows_and_commands_besides() {
    let desk = desk();
    let script = desk.lore(&["completions", "bash"]).out;
    desk.write("lore.bash", &script);
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_lore")).parent().expect("a file has a folder");
    let ask = |words: &str, at: usize| {
        let typed = format!(
            "source lore.bash; COMP_WORDS=({words}); COMP_CWORD={at}; COMP_LINE=x; \
             _lore_values lore \"${{COMP_WORDS[{at}]}}\" \"\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let mut shell = Command::new("bash");
        shell.args(["--norc", "-c", &typed]).current_dir(desk.project()).env_clear();
        let path = std::env::var("PATH").unwrap_or_default();
        shell.env("PATH", format!("{}:{path}", binary.display())).env("HOME", desk.home());
        let output = shell.stdin(Stdio::null()).output().expect("bash can be run");
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ask("lore show lamps", 2), ["lamps-are-red"]);
    assert!(ask("lore sho", 1).contains(&"show".to_owned()), "{:?}", ask("lore sho", 1));
    assert!(ask("lore show --js", 2).contains(&"--json".to_owned()), "{:?}", ask("lore show --js", 2));
}

/// Asks a shell that has the script, where that shell is installed; says nothing where it is not.
#[cfg(target_os = "linux")]
fn in_shell(desk: &Desk, shell: &str, typed: &str) -> Option<Vec<String>> {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_lore")).parent().expect("a file has a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(shell);
    command.args(if shell == "zsh" { ["-f", "-c"] } else { ["--no-config", "-c"] }).arg(typed);
    command.current_dir(desk.project()).env_clear();
    command.env("PATH", format!("{}:{path}", binary.display())).env("HOME", desk.home());
    let output = command.stdin(Stdio::null()).output().ok()?;
    assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(said.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect())
}

#[test]
fn every_script_asks_the_program_for_what_only_the_base_knows() {
    let desk = desk();
    for shell in ["bash", "zsh", "fish"] {
        let run = desk.lore(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run}");
        assert_eq!(run.out.matches("command lore complete --at").count(), 1, "{shell}");
        for known in ["remember", "--dry-run"] {
            let bare = known.trim_start_matches('-');
            assert!(run.out.contains(bare), "{shell} knows {known}");
        }
    }
    let powershell = desk.lore(&["completions", "powershell"]);
    assert!(powershell.code == 0 && powershell.out.contains("remember"), "{powershell}");
}

#[cfg(target_os = "linux")]
#[test]
fn fish_offers_what_the_base_knows_and_commands_besides() {
    let desk = desk();
    desk.write("lore.fish", &desk.lore(&["completions", "fish"]).out);
    let ask = |line: &str| in_shell(&desk, "fish", &format!("source lore.fish; complete -C '{line}'"));
    let Some(entries) = ask("lore show lamps") else { return };
    assert!(entries.contains(&"lamps-are-red".to_owned()), "{entries:?}");
    let has = |line: &str, wanted: &str| {
        let offered = ask(line).unwrap_or_default();
        assert!(offered.contains(&wanted.to_owned()), "{line}: {offered:?}");
    };
    has("lore why ropes", "ropes-are-checked-in-spring");
    has("lore query -t dec", "decision");
    has("lore query --tag ", "ropes");
    has("lore install cod", "codex");
    has("lore sho", "show");
    has("lore show --js", "--json");
}

#[cfg(target_os = "linux")]
#[test]
fn zsh_offers_what_the_base_knows() {
    let desk = desk();
    desk.write("lore.zsh", &desk.lore(&["completions", "zsh"]).out);
    // What zsh would show is printed instead; the line is the one it would be asked with.
    let ask = |words: &str, at: usize| {
        let typed = format!(
            "compdef() {{ :; }}; compadd() {{ print -l -- $values; }}; \
             source ./lore.zsh; _lore_known() {{ print known; }}; words=({words}); CURRENT={at}; _lore"
        );
        in_shell(&desk, "zsh", &typed)
    };
    let Some(entries) = ask("lore show lamps", 3) else { return };
    assert_eq!(entries, ["lamps-are-red"]);
    assert_eq!(ask("lore query -t dec", 4).unwrap_or_default(), ["decision"]);
    assert_eq!(ask("lore sho", 2).unwrap_or_default(), ["known"], "commands it knows itself");
}

#[cfg(target_os = "linux")]
#[test]
fn long_output_is_shown_page_by_page_on_a_terminal() {
    let desk = desk();
    let on_terminal = |rows: u32, arguments: &str, pager: &str| {
        let lore = env!("CARGO_BIN_EXE_lore");
        let typed = format!("stty rows {rows} cols 80; exec {lore} {arguments}");
        let mut command = Command::new("script");
        command.args(["-qec", &typed, "/dev/null"]).current_dir(desk.project()).env_clear();
        command
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("HOME", desk.home())
            .env("LORE_USER", "ada")
            .env("LORE_PAGER", pager);
        let output = command.stdin(Stdio::null()).output().expect("`script` can be run");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let marked = "sed 's/^/PAGED /'";
    assert!(on_terminal(2, "list", marked).contains("PAGED "), "a long text goes through the pager");
    assert!(!on_terminal(50, "list", marked).contains("PAGED "), "a short one does not");
    for plain in [on_terminal(2, "list --no-pager", marked), on_terminal(2, "list", "cat")] {
        assert!(plain.contains("Lamps are red") && !plain.contains("PAGED "), "{plain}");
    }
    let missing = on_terminal(2, "list", "no-such-pager-anywhere");
    assert!(missing.contains("Lamps are red"), "what cannot be paged is printed: {missing}");
    // In a pipe nothing changes.
    assert!(!desk.run(&["list"], &[("LORE_PAGER", marked)]).out.contains("PAGED"));
}

#[test]
fn every_command_that_people_see_has_a_manual_page() {
    let desk = Desk::new();
    let help = desk.lore(&["--help"]).out;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| line.as_bytes().get(2).is_some_and(u8::is_ascii_lowercase))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 40, "{commands:?}");
    assert_eq!(desk.lore(&["man", "--out", "pages"]).code, 0);
    for name in commands {
        let page = desk.read(&format!("pages/lore-{name}.1"));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{name}");
    }
}
