//! What the ways to run by itself consist of, as texts.

use lore_core::{ContentHash, slug};

const BEGIN: &str = "# >>> lore schedule >>>";
const END: &str = "# <<< lore schedule <<<";

/// Returns the part of a git hook that is ours. It must never hold up or fail a commit.
pub(super) fn hook_block() -> String {
    format!(
        "{BEGIN}\n\
         # Curates when enough sessions are new. Remove with: lore schedule uninstall git-hook\n\
         if command -v lore >/dev/null 2>&1; then\n\
         \x20 (lore curate --due --quiet >/dev/null 2>&1 </dev/null &)\n\
         fi\n\
         {END}\n"
    )
}

/// Returns the part of a git hook that asks the gate. Without our program nobody is held.
pub(super) fn gate_block(event: &str) -> String {
    // Git names the file with the message to the one hook that has it.
    let given = if event == "commit-msg" { " \"$1\"" } else { "" };
    format!(
        "{BEGIN}\n\
         # Asks whether the design step was checked. Remove with: lore schedule uninstall git-gate\n\
         if command -v lore >/dev/null 2>&1; then\n\
         \x20 lore --quiet phase git {event}{given} </dev/null || exit 1\n\
         fi\n\
         {END}\n"
    )
}

/// Returns the lines of a crontab that are ours. Once a night whatever waits is enough; cron knows few
/// folders, so that we are named by our path.
pub(super) fn cron_block(project: &str, program: &str) -> String {
    // A percent sign ends the command in a crontab.
    let (project, program) = (quoted(project).replace('%', "\\%"), quoted(program).replace('%', "\\%"));
    format!("{BEGIN} {project}\n17 3 * * * cd {project} && {program} curate --quiet\n{END} {project}\n")
}

/// Returns a systemd service that runs once.
pub(super) fn service(project: &str, program: &str) -> String {
    // A percent sign begins a specifier, a quoted path may hold spaces.
    let program = program.replace('%', "%%").replace('\\', "\\\\").replace('"', "\\\"");
    let project = project.replace('%', "%%");
    format!(
        "[Unit]\n\
         Description=Curate the knowledge base of {project}\n\n\
         [Service]\n\
         Type=oneshot\n\
         WorkingDirectory={project}\n\
         ExecStart=\"{program}\" curate --quiet\n\
         Nice=10\n\
         RuntimeMaxSec=600\n"
    )
}

/// Returns the timer of the service.
pub(super) fn timer() -> String {
    "[Unit]\n\
     Description=Curate the knowledge base every night\n\n\
     [Timer]\n\
     OnCalendar=*-*-* 03:17:00\n\
     Persistent=true\n\
     RandomizedDelaySec=900\n\n\
     [Install]\n\
     WantedBy=timers.target\n"
        .to_owned()
}

/// Returns a workflow for projects whose sessions lie in the repository.
pub(super) fn workflow() -> String {
    "# Curates the sessions that are kept in this repository and commits what was found.\n\
     # Written by `lore schedule install github-actions`.\n\
     name: lore\n\
     on:\n\
     \x20 schedule:\n\
     \x20   - cron: \"17 3 * * 1\"\n\
     \x20 workflow_dispatch:\n\
     permissions:\n\
     \x20 contents: write\n\
     concurrency: lore\n\
     jobs:\n\
     \x20 curate:\n\
     \x20   runs-on: ubuntu-latest\n\
     \x20   timeout-minutes: 15\n\
     \x20   steps:\n\
     \x20     - uses: actions/checkout@v4\n\
     \x20     - run: cargo install --locked --git REPOSITORY lorekeep\n\
     \x20     - run: |\n\
     \x20         git config user.name \"lore\"\n\
     \x20         git config user.email \"lore@users.noreply.github.com\"\n\
     \x20         lore curate --commit\n\
     \x20         git push\n"
        .replace("REPOSITORY", env!("CARGO_PKG_REPOSITORY"))
}

/// Names the timer of a project.
pub(super) fn unit(project: &str) -> String {
    let folder = project.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("project");
    // Two repositories may lie in folders of the same name.
    let place = ContentHash::of(project.as_bytes());
    format!("lore-curate-{}-{}", slug(folder), &place.short()[..6])
}

/// Puts our block into a file, in the place of an earlier one.
pub(super) fn with_block(before: &str, block: &str) -> String {
    let start = without(before, block);
    let gap = if start.is_empty() || start.ends_with('\n') { "" } else { "\n" };
    format!("{start}{gap}{block}")
}

/// Puts our block into a hook, right after its first line: whatever stands below may leave early.
pub(super) fn with_block_in_script(before: &str, block: &str) -> String {
    let rest = without(before, block);
    if rest.trim().is_empty() {
        return format!("#!/bin/sh\n{block}");
    }
    let first = if rest.starts_with("#!") { rest.find('\n').map_or(rest.len(), |at| at + 1) } else { 0 };
    let gap = if first == rest.len() && !rest.ends_with('\n') { "\n" } else { "" };
    format!("{}{gap}{block}{}", &rest[..first], &rest[first..])
}

/// Tells whether a hook is a script for a shell that understands our block.
pub(super) fn is_for_a_shell(script: &str) -> bool {
    let Some(first) = script.lines().next().and_then(|line| line.strip_prefix("#!")) else {
        // Without a first line of that sort the system's own shell runs it.
        return !script.contains('\0');
    };
    let mut words = first.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='));
    matches!(program, Some("sh" | "bash" | "dash" | "zsh" | "ksh" | "ash"))
}

/// Takes what is ours out of a file: from the first line of the block to its last, whatever an
/// earlier version of us wrote between them.
pub(super) fn without(text: &str, ours: &str) -> String {
    let (first, last) = (ours.lines().next().unwrap_or_default(), ours.lines().last().unwrap_or_default());
    let mut out = String::new();
    let mut lines = text.split_inclusive('\n');
    let is = |line: &str, mark: &str| !mark.is_empty() && line.trim_end() == mark;
    while let Some(line) = lines.next() {
        if is(line, first) && text.lines().any(|other| is(other, last)) {
            lines.by_ref().find(|other| is(other, last));
        } else {
            out.push_str(line);
        }
    }
    out
}

fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_goes_in_once_and_comes_out_whole() {
        let check = |before: &str| {
            let with = with_block_in_script(before, &hook_block());
            assert_eq!(with_block_in_script(&with, &hook_block()), with, "twice is once: {before:?}");
            let out = without(&with, &hook_block());
            let expected = if before.trim().is_empty() { "#!/bin/sh\n" } else { before };
            assert_eq!(out, expected);
        };
        check("");
        check("#!/bin/bash\necho mine\nexit 0");
        check("echo mine");
        let cron = cron_block("/p", "/bin/lore");
        assert_eq!(without(&with_block("0 1 * * * true\n", &cron), &cron), "0 1 * * * true\n");
    }

    #[test]
    fn a_hook_in_another_language_is_told_from_a_script() {
        for script in [
            "#!/bin/sh\n",
            "#!/usr/bin/env bash\n",
            "#! /bin/zsh -e\n",
            "echo x\n",
            "#!/usr/bin/env -S dash -e\n",
        ] {
            assert!(is_for_a_shell(script), "{script}");
        }
        for script in
            ["#!/usr/bin/env python3\n", "#!/usr/bin/node\n", "#!/usr/bin/env -S deno run\n", "\u{7f}ELF\0\0"]
        {
            assert!(!is_for_a_shell(script), "{script}");
        }
    }

    #[test]
    fn projects_do_not_get_in_each_others_way() {
        let block = |project: &str| cron_block(project, "lore");
        let both = with_block(&with_block("", &block("/a")), &block("/b"));
        assert_eq!(without(&both, &block("/b")), block("/a"));
        assert_ne!(unit("/home/ada/ferry"), unit("/home/ada/boat"));
        assert_ne!(unit("/home/ada/ferry"), unit("/home/ada/old/ferry"));
    }

    #[test]
    fn a_folder_with_odd_letters_is_quoted() {
        assert!(cron_block("/home/ada/my project", "lore").contains("cd '/home/ada/my project' &&"));
        assert!(cron_block("/a'b", "/o p/lore").contains("cd '/a'\\''b' && '/o p/lore' curate"));
        assert!(cron_block("/100%", "lore").contains("cd '/100\\%' &&"));
        assert!(service("/100%", "/o p/lore").contains("ExecStart=\"/o p/lore\" curate"));
    }
}
