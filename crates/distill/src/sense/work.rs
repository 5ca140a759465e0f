//! What a tool call was about, and what its failure said.

use std::sync::LazyLock;

use lore_core::session::{FileAction, Outcome, ToolCall};
use regex::Regex;

/// Commands that fail in order to say no.
const PROBES: [&str; 24] = [
    "grep", "rg", "ls", "cat", "head", "tail", "which", "test", "find", "stat", "diff", "ps", "pgrep",
    "kill", "pkill", "sleep", "command", "type", "jq", "lsof", "[", "read", "curl", "wc",
];
/// Longest error that is told.
const LONGEST: usize = 160;

static NOTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)error|fail|not found|denied|cannot|can't|no such|refused|panic|exception|fatal|unrecognized|unknown")
        .expect("the pattern is a constant")
});
static VARYING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:/[\w.@~-]+)+/?|[0-9a-f]{7,40}\b|\d+(?:\.\d+)*").expect("the pattern is a constant")
});
static MISSING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)command not found: ([\w./-]+)|([a-z][\w./-]*): command not found|'([\w./-]+)' is not recognized as an internal")
        .expect("the pattern is a constant")
});

/// Names a command by its first words, without the folder it ran in and what it was piped to.
pub(super) fn command_head(command: &str) -> String {
    let steps = command.lines().flat_map(|line| line.split("&&")).flat_map(|step| step.split(';'));
    let steps = steps.map(str::trim).filter(|step| !step.is_empty() && !step.starts_with('#'));
    let mut last = "";
    for step in steps {
        last = without_settings(step);
        let opening = last.split_whitespace().next().unwrap_or_default();
        // What only prepares the ground is not what was run.
        if !last.is_empty() && !matches!(opening, "cd" | "export" | "source" | "set" | "pushd") {
            break;
        }
    }
    let plain = last.split(['|', '>', '<']).next().unwrap_or(last);
    let is_quoted = |word: &&str| word.starts_with(['"', '\'', '$']) || word.contains("$(");
    let words = plain.split_whitespace().filter(|word| *word != "2").take_while(|word| !is_quoted(word));
    words.take(4).collect::<Vec<_>>().join(" ")
}

/// Names a command without its options: which of them stand there is no other trouble.
pub(super) fn without_options(head: &str) -> String {
    head.split_whitespace().filter(|word| !word.starts_with('-')).collect::<Vec<_>>().join(" ")
}

/// Takes the variables off that are set for one command.
fn without_settings(step: &str) -> &str {
    let mut rest = step;
    while let Some(opening) = rest.split_whitespace().next() {
        let is_setting = opening.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        });
        if !is_setting {
            break;
        }
        rest = rest[rest.find(opening).unwrap_or(0) + opening.len()..].trim_start();
    }
    rest
}

/// Tells whether a command asks something, so that failing is an answer.
pub(super) fn is_probe(command: &str) -> bool {
    let head = command_head(command);
    let mut words = head.split_whitespace().filter(|word| !matches!(*word, "sudo" | "timeout"));
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    PROBES.contains(&first)
        || first == "git" && matches!(second, "diff" | "log" | "show" | "grep" | "status" | "rev-parse")
        || first == "gh" && matches!(second, "run" | "pr" | "api" | "issue")
}

/// Returns the line of an output that says what went wrong, else its last one.
pub(super) fn error_line(output: &str) -> Option<String> {
    let lines = || {
        output.lines().map(str::trim).filter(|line| {
            line.chars().filter(|c| c.is_alphabetic()).count() > 3 && !line.starts_with("Exit code")
        })
    };
    let line = lines().find(|line| NOTED.is_match(line)).or_else(|| lines().next_back())?;
    let line = line.trim_start_matches("[tool_use_error]").trim_end_matches("[/tool_use_error]");
    let mut cut: String = line.chars().take(LONGEST).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    Some(cut)
}

/// Reduces an error to what stays the same when it comes again.
pub(super) fn error_shape(error: &str) -> String {
    let shape = VARYING.replace_all(error, "#").to_lowercase();
    shape.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the program that a shell did not find.
pub(super) fn missing_program(output: &str) -> Option<String> {
    let found = MISSING.captures(output)?;
    let name = (1..=3).find_map(|group| found.get(group))?.as_str();
    Some(name.rsplit('/').next().unwrap_or(name).to_owned()).filter(|name| !name.is_empty())
}

/// Returns the file that a call was to change.
pub(super) fn changed_file(call: &ToolCall) -> Option<&str> {
    let touch = call.files.iter().find(|touch| touch.action != FileAction::Read)?;
    Some(touch.path.as_str())
}

/// Tells whether a call failed by itself: what another call took down with it did not.
pub(super) fn failed(call: &ToolCall) -> bool {
    call.outcome == Outcome::Failed
}

/// Shortens a path to its last two parts.
pub(super) fn short_path(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_known_by_their_first_words() {
        let check = |command: &str, expected: &str| assert_eq!(command_head(command), expected, "{command}");
        check("cd /a/b && make test 2>&1 | tail -5", "make test");
        check("FOO=1 BAR=2 make all && make install", "make all");
        check("# build\nmake", "make");
        check("cd /a; git status", "git status");
        check("cd /a\ngit status", "git status");
        check("git commit -m \"$(cat <<'EOF'", "git commit -m");
        check("", "");
        assert!(
            is_probe("cd x && grep -n y z") && is_probe("git diff --stat") && !is_probe("git commit -m x")
        );
    }

    #[test]
    fn an_error_is_told_and_recognised_again() {
        let output = "Exit code 1\nbuilding\nerror: 3 tests failed in /a/b/c.rs\ndone";
        assert_eq!(error_line(output).as_deref(), Some("error: 3 tests failed in /a/b/c.rs"));
        assert_eq!(
            error_shape("error: 3 tests failed in /a/b/c.rs"),
            error_shape("Error: 5 tests failed in /x")
        );
        assert_eq!(error_line("Exit code 1"), None);
        assert_eq!(missing_program("bash: line 1: tree: command not found").as_deref(), Some("tree"));
        assert_eq!(missing_program("(eval):1: command not found: tree").as_deref(), Some("tree"));
        assert_eq!(missing_program("fine"), None);
        assert_eq!(short_path("/home/x/src/a.rs"), "src/a.rs");
    }
}
