//! What a command line does to the gate itself: it takes git's hooks out, or hides whose word it is.
//!
//! Only as far as a line shows it: what a script does inside is not seen. Reading is left alone.

use crate::command::of_git;
use crate::shell::{SHELLS, Started, started};

/// The variables by which an agent's shell is known.
#[derive(Debug, Clone, Copy)]
pub struct Marks<'a> {
    /// Those that say that an agent is at work, or which.
    pub agents: &'a [&'a str],
    /// Those that name its session.
    pub sessions: &'a [&'a str],
}

/// How a command line gets round the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disarming {
    /// Git's hooks are turned off, removed or overwritten.
    Hooks,
    /// What says that an agent is at work is taken away.
    Marks,
}

/// Where git has its hooks unless it is told otherwise.
const HOOKS: &str = ".git/hooks";
/// The setting that tells it otherwise, as it is compared.
const HOOKS_PATH: &str = "core.hookspath";
/// Programs that change or remove what they are given.
const WRITERS: &str = "rm|unlink|shred|mv|cp|ln|install|tee|sponge|truncate|dd|chmod|chown|chattr|rsync|rmdir|sed|perl|ruby|patch|ed|ex|vi|vim|touch|trash|gio";
/// Programs that do whatever their words say.
const INTERPRETERS: &str = "python|python3|node|deno|bun|perl|ruby|php|lua|awk|gawk";
/// Words of the shell that change variables for what follows.
const SETTERS: &str = "unset|export|declare|typeset|local|readonly|set";
/// What is run in the name of whoever the marks name.
const OURS: &str = "lore|git";

/// Tells how a command line gets round the gate, where it does.
pub fn disarms(command: &str, marks: Marks<'_>) -> Option<Disarming> {
    let all = started(command);
    let mut folder = String::new();
    for one in &all {
        if let ("cd" | "pushd", Some(to)) = (one.program.as_str(), one.operands().next()) {
            folder = if to.starts_with(['/', '~', '$']) { to.to_owned() } else { format!("{folder}/{to}") };
        }
        if turns_hooks_off(one) || writes_hooks(one, &folder) {
            return Some(Disarming::Hooks);
        }
    }
    let ours = |from: usize| all[from..].iter().any(|one| is(&one.program, OURS));
    let hides = all.iter().enumerate().any(|(at, one)| {
        let before = one.variables.iter().any(|change| hides(change, marks));
        let alone = one.program.is_empty() && ours(at);
        // What a shell was told to run was found before the shell itself.
        let through = (SHELLS.contains(&one.program.as_str()) || one.program == "eval") && ours(0);
        let set = is(&one.program, SETTERS) && ours(at) && {
            let takes = if one.program == "unset" || one.has_short('n', &[]) { "-" } else { "" };
            one.operands().any(|word| hides(&format!("{takes}{word}"), marks))
        };
        before && (is(&one.program, OURS) || alone || through) || set
    });
    hides.then_some(Disarming::Marks)
}

/// Tells whether a change of a variable hides an agent, or passes its session for another.
fn hides(change: &str, marks: Marks<'_>) -> bool {
    if let Some(name) = change.strip_prefix('-') {
        return name == "*" || marks.agents.contains(&name) || marks.sessions.contains(&name);
    }
    let Some((name, value)) = change.split_once('=') else { return false };
    let is_off = matches!(value, "" | "0" | "false");
    marks.sessions.contains(&name) || is_off && marks.agents.contains(&name)
}

/// Tells whether git is told to run no hooks, or others.
fn turns_hooks_off(one: &Started) -> bool {
    // `GIT_CONFIG_KEY_0=core.hooksPath` sets it as well.
    let names_it = |text: &String| text.to_lowercase().contains(HOOKS_PATH);
    if one.variables.iter().any(names_it) {
        return true;
    }
    if one.program != "git" {
        return is(&one.program, SETTERS) && one.words.iter().any(names_it);
    }
    let (what, given) = of_git(one);
    let before = &one.words[..one.words.len() - given.len()];
    let skips =
        given.iter().any(|word| word.starts_with("--no-veri") && "--no-verify".starts_with(word.as_str()));
    let skips_shortly = what == "commit" && {
        let given = Started { words: given.to_vec(), ..Started::default() };
        given.has_short('n', &['m', 'F', 'C', 'c', 't', 'S', 'u'])
    };
    match what {
        "config" => sets_hooks_path(given),
        "commit" | "push" | "merge" | "am" | "rebase" | "pull" if skips || skips_shortly => true,
        _ => before.iter().any(names_it),
    }
}

/// Tells whether git's settings are changed where hooks lie; asking where they lie is no change.
fn sets_hooks_path(given: &[String]) -> bool {
    let asks =
        |word: &String| matches!(word.as_str(), "get" | "--get" | "--get-all" | "list" | "--list" | "-l");
    let Some(at) = given.iter().position(|word| word.to_lowercase() == HOOKS_PATH) else {
        // Whoever takes the whole section away, or renames it, takes the setting with it; an editor may do anything.
        return given.iter().any(|word| word.contains("-section"))
            && given.iter().any(|word| word.eq_ignore_ascii_case("core"));
    };
    let takes = |word: &String| word.contains("unset") || word.contains("replace") || word == "set";
    !given.iter().any(asks) && (given.len() > at + 1 || given[..at].iter().any(takes))
}

/// Tells whether a program changes or removes what lies among git's hooks, or all of git's folder.
fn writes_hooks(one: &Started, folder: &str) -> bool {
    let full = |word: &str| match word.starts_with(['/', '~', '$']) {
        true => word.to_owned(),
        false => format!("{folder}/{word}"),
    };
    let is_hook = |word: &str| {
        let path = plain(&full(word));
        path.ends_with(&format!("/{HOOKS}")) || path.contains(&format!("/{HOOKS}/"))
    };
    if one.written.iter().any(|file| is_hook(file)) {
        return true;
    }
    let operands = || one.operands().map(|word| word.strip_prefix("of=").unwrap_or(word));
    let is_git = |word: &str| plain(&full(word)).ends_with("/.git");
    match one.program.as_str() {
        // Copying out reads.
        "cp" | "rsync" | "install" | "ln" => operands().next_back().is_some_and(is_hook),
        "sed" if !one.words.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place")) => {
            false
        }
        "rm" | "mv" => operands().any(|word| is_hook(word) || is_git(word)),
        "find" => one.has(&["-delete", "-exec", "-execdir"]) && operands().next().is_some_and(is_hook),
        program if is(program, INTERPRETERS) => one.words.iter().any(|word| word.contains(HOOKS)),
        program => is(program, WRITERS) && operands().any(is_hook),
    }
}

/// Writes a path without the parts that lead nowhere, with a slash before it.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn is(word: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| phrase == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(command: &str) -> Option<Disarming> {
        disarms(
            command,
            Marks { agents: &["CLAUDECODE", "LORE_AGENT"], sessions: &["CLAUDE_CODE_SESSION_ID"] },
        )
    }

    #[test]
    fn what_takes_gits_hooks_out_is_known() {
        for command in [
            "git config core.hooksPath /dev/null",
            "git config --global core.hookspath /tmp/none",
            "git config set --local core.hooksPath x",
            "git config --unset core.hooksPath",
            "git -c core.hooksPath=/dev/null commit -m x",
            "git -c core.hooksPath= push",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x",
            "git commit --no-verify -m x",
            "git commit -nm x",
            "git push --no-verify",
            "rm .git/hooks/pre-commit",
            "cd .git/hooks && rm -f pre-commit",
            "cd .git && rm -rf hooks",
            "rm -rf .git",
            "mv .git/hooks .git/hooks.off",
            "echo exit 0 > .git/hooks/commit-msg",
            "cp /tmp/x ./.git/hooks/pre-commit",
            "chmod -x .git/hooks/pre-commit",
            "sed -i d .git/hooks/pre-push",
            "find .git/hooks -name 'pre-*' -delete",
            "python3 -c 'import os; os.remove(\".git/hooks/pre-commit\")'",
            "bash -c 'rm /srv/ferry/.git/hooks/pre-commit'",
        ] {
            assert_eq!(found(command), Some(Disarming::Hooks), "{command}");
        }
        for command in [
            "git config core.hooksPath",
            "git config --get core.hooksPath",
            "git config user.name ada",
            "git commit -m 'never use --no-verify'",
            "git commit -am 'n'",
            "git push -n",
            "git log -n 3",
            "ls .git/hooks",
            "cat .git/hooks/pre-commit",
            "cp .git/hooks/pre-commit /tmp/x",
            "sh .git/hooks/pre-commit",
            "rm src/hooks/pre-commit",
            "rm .gitignore",
            "grep -rn core.hooksPath docs",
        ] {
            assert_eq!(found(command), None, "{command}");
        }
    }

    #[test]
    fn what_hides_an_agent_is_known() {
        for command in [
            "env -u CLAUDECODE lore phase skip x",
            "env -uCLAUDECODE git commit -m x",
            "env --unset=CLAUDECODE lore rm x",
            "env -i PATH=$PATH lore remember x",
            "CLAUDECODE= lore remember x",
            "CLAUDECODE=0 git commit -m x",
            "unset CLAUDECODE; lore undo",
            "unset CLAUDECODE CLAUDE_CODE_SESSION_ID && git commit -m x",
            "export CLAUDECODE=; lore undo",
            "export -n CLAUDECODE; lore undo",
            "CLAUDECODE=; git commit -m x",
            "CLAUDE_CODE_SESSION_ID=other git commit -m x",
            "env -u CLAUDECODE bash -c 'lore phase skip x'",
            "bash -c 'unset CLAUDECODE; lore phase skip x'",
        ] {
            assert_eq!(found(command), Some(Disarming::Marks), "{command}");
        }
        for command in [
            "env -u CLAUDECODE claude -p hello",
            "CLAUDECODE=1 lore status",
            "env -u RUST_LOG git status",
            "unset CLAUDECODE",
            "RUST_LOG= git log",
            "lore query CLAUDECODE=",
            "grep -n 'env -u CLAUDECODE lore' notes.md",
        ] {
            assert_eq!(found(command), None, "{command}");
        }
    }
}
