//! What a command line does to the project: it delivers, it changes files, or neither.

use std::path::{Component, Path, PathBuf};

use crate::shell::{Started, started};

/// Switches of git itself that take a word of their own, before the name of what git shall do.
const OF_GIT: [&str; 7] =
    ["-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"];
/// Of these git makes no commit, or only tells about itself.
const UNDONE: [&str; 5] = ["--abort", "--quit", "--help", "-h", "--dry-run"];

/// An alias may stand for another so often.
const ALIASES: usize = 4;
/// What git does under these names is its own: no alias can take them.
const NO_ALIAS: &str = "add|am|apply|bisect|blame|branch|checkout|cherry-pick|clean|clone|commit|commit-tree|config|describe|diff|fetch|format-patch|gc|grep|help|init|log|ls-files|ls-tree|merge|merge-base|mv|notes|pull|push|range-diff|rebase|reflog|remote|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|sparse-checkout|stash|status|submodule|switch|tag|version|worktree";

/// What git is told to do under a name of the user's own, where that is known.
pub type Alias<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Tells whether a command line commits, pushes or opens a pull request.
pub fn delivers(command: &str, alias: Alias<'_>) -> bool {
    started(command).iter().any(|one| match one.program.as_str() {
        "git" => git_does(one, alias, ALIASES, &|what, given| is_commit(what, given) || is_push(what, given)),
        _ => opens_request(one),
    })
}

/// Counts the commits that a command line makes, as far as it can be seen.
pub fn commits(command: &str, alias: Alias<'_>) -> usize {
    let makes_one = |one: &&Started| one.program == "git" && git_does(one, alias, ALIASES, &is_commit);
    started(command).iter().filter(makes_one).count()
}

/// Tells whether git is told to do something, under its own name or one of the user's.
fn git_does(one: &Started, alias: Alias<'_>, depth: usize, does: &dyn Fn(&str, &[String]) -> bool) -> bool {
    let (what, given) = of_git(one);
    if NO_ALIAS.split('|').any(|own| own == what) {
        // Who only rehearses delivers nothing.
        return !one.has(&UNDONE) && does(what, given);
    }
    let Some(depth) = depth.checked_sub(1).filter(|_| !what.is_empty()) else { return false };
    let here = format!("alias.{what}=");
    let named = one.words.iter().find_map(|word| word.strip_prefix(&here).map(str::to_owned));
    let Some(meant) = named.or_else(|| alias(what)) else { return false };
    // An alias with a mark before it is a line for the shell, any other what git shall do.
    let line = meant.strip_prefix('!').map_or_else(|| format!("git {meant}"), str::to_owned);
    started(&line).into_iter().filter(|one| one.program == "git").any(|mut meant| {
        meant.words.extend(given.iter().cloned());
        git_does(&meant, alias, depth, does)
    })
}

fn is_commit(what: &str, given: &[String]) -> bool {
    let has = |words: &[&str]| given.iter().any(|word| words.contains(&word.as_str()));
    match what {
        "commit" | "commit-tree" | "am" => true,
        "merge" => !has(&["--no-commit", "--squash", "--ff-only"]),
        "cherry-pick" | "revert" => !has(&["-n", "--no-commit"]),
        _ => false,
    }
}

fn is_push(what: &str, given: &[String]) -> bool {
    what == "push" && !given.iter().any(|word| word == "-n")
}

/// Tells whether a program other than git hands work on.
fn opens_request(one: &Started) -> bool {
    let first = one.words.first().map(String::as_str);
    let second = one.words.get(1).map(String::as_str);
    !one.has(&UNDONE)
        && match one.program.as_str() {
            "gh" => first == Some("pr") && matches!(second, Some("create" | "merge")),
            "glab" => first == Some("mr") && matches!(second, Some("create" | "merge")),
            "jj" => first == Some("commit") || first == Some("git") && second == Some("push"),
            "hub" => first == Some("pull-request"),
            _ => false,
        }
}

/// Tells whether a command line changes files below a folder: what an editor would do, done by a shell.
pub fn changes_files(command: &str, project: &Path) -> bool {
    let mut place = Place::new(project);
    started(command).iter().any(|one| {
        place.follow(one);
        one.written.iter().any(|file| place.holds(file)) || changes(one, &place)
    })
}

fn changes(one: &Started, place: &Place) -> bool {
    let last = || one.operands().next_back();
    let into = || target_folder(one).or_else(last).is_some_and(|file| place.holds(file));
    match one.program.as_str() {
        "sed" => {
            let in_place = one.has_short('i', &['e', 'f', 'l'])
                || one.words.iter().any(|word| word.starts_with("--in-place"));
            in_place && last().is_some_and(|file| place.may_hold(file))
        }
        "perl" | "ruby" => {
            one.has_short('i', &['e', 'E', 'M', 'I', 'r']) && last().is_some_and(|file| place.may_hold(file))
        }
        "tee" | "sponge" => one.operands().any(|file| place.may_hold(file)),
        "patch" => !one.has(&["--dry-run", "--help"]),
        "dd" => one.words.iter().filter_map(|word| word.strip_prefix("of=")).any(|file| place.holds(file)),
        // What goes out of the project changes it only where it does not stay.
        "mv" => one.operands().any(|file| place.holds(file)),
        // A folder is no file.
        "install" if one.has(&["-d", "--directory"]) => false,
        "cp" | "install" | "ln" | "rsync" => into(),
        "git" => match of_git(one) {
            ("apply", given) => {
                let only_tells = ["--check", "--stat", "--numstat", "--summary"];
                !given.iter().any(|word| only_tells.contains(&word.as_str()))
            }
            ("revert" | "cherry-pick" | "mv", _) => !one.has(&UNDONE),
            ("merge", _) => one.has(&["--no-commit", "--squash"]),
            _ => false,
        },
        _ => false,
    }
}

/// Returns the folder that things are put into, where it is named by a switch.
fn target_folder(one: &Started) -> Option<&str> {
    let mut words = one.words.iter().map(String::as_str);
    words.find_map(|word| word.strip_prefix("--target-directory=")).or_else(|| {
        let at = one.words.iter().position(|word| word == "-t" || word == "--target-directory")?;
        one.words.get(at + 1).map(String::as_str)
    })
}

/// Returns what git shall do, and what that is given.
pub(crate) fn of_git(one: &Started) -> (&str, &[String]) {
    let mut at = 0;
    while let Some(word) = one.words.get(at).filter(|word| word.starts_with('-')) {
        at += if OF_GIT.contains(&word.as_str()) { 2 } else { 1 };
    }
    let given = one.words.get(at..).unwrap_or_default();
    given.split_first().map_or(("", given), |(what, given)| (what.as_str(), given))
}

/// Where a command line stands.
struct Place {
    project: PathBuf,
    /// The folder that it is in, where that is known.
    folder: Option<PathBuf>,
    /// The one that it was in before.
    before: Option<PathBuf>,
}

impl Place {
    fn new(project: &Path) -> Place {
        let project = resolved(project);
        Place { folder: Some(project.clone()), before: Some(project.clone()), project }
    }

    fn follow(&mut self, one: &Started) {
        let goes = matches!(one.program.as_str(), "cd" | "pushd");
        let goes_back = one.program == "popd" || goes && one.words.iter().any(|word| word == "-");
        if goes_back {
            std::mem::swap(&mut self.folder, &mut self.before);
        } else if let Some(folder) = one.operands().next().filter(|_| goes) {
            // A folder whose name is not known may be any, also one of the project.
            let next = if folder.contains('$') { Some(self.project.clone()) } else { self.full(folder) };
            self.before = std::mem::replace(&mut self.folder, next);
        }
    }

    /// What is changed where it lies is mostly the project's, also where a variable holds its name.
    fn may_hold(&self, target: &str) -> bool {
        target.contains('$') || self.holds(target)
    }

    fn holds(&self, target: &str) -> bool {
        // What stands in a variable cannot be known.
        !target.contains('$') && self.full(target).is_some_and(|path| path.starts_with(&self.project))
    }

    /// Returns the path that is meant, as far as it can be known without looking.
    fn full(&self, target: &str) -> Option<PathBuf> {
        let path = Path::new(target);
        if target.is_empty() || target.starts_with('~') {
            return None;
        }
        if path.is_absolute() {
            return Some(resolved(path));
        }
        // Another machine's file, as `rsync` names it.
        if target.split('/').next().is_some_and(|host| host.contains(':')) {
            return None;
        }
        Some(resolved(&self.folder.as_ref()?.join(path)))
    }
}

/// Takes `.` and `..` out of a path.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            part => resolved.push(part),
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_deliver_are_known() {
        for command in [
            "git commit -m 'x'",
            "cd a && git -C b push origin main",
            "cargo test && gh pr create --fill",
            "git add -A\ngit commit",
            "sh -c 'git commit -am x'",
            "bash -lc \"git push\"",
            "git push --dry-run && git push",
            "env git commit -am x",
            "env A=b git commit",
            "/usr/bin/git commit -am x",
            "\\git commit",
            "command git commit -am x",
            "sudo git commit",
            "nice git commit",
            "time git commit",
            "git -c a=b commit",
            "git -C dir commit",
            "git --git-dir .git --no-pager commit",
            "git merge x",
            "git cherry-pick abc",
            "git revert HEAD",
            "out=$(git commit -am x)",
            "eval 'git commit -am x'",
            "bash <<'EOF'\ngit commit -am x\nEOF",
            "true && { git commit -am x; }",
        ] {
            assert!(delivers(command, &|_| None), "{command}");
        }
        for command in [
            "git log --grep commit",
            "git log commit",
            "echo git commit",
            "echo 'a; git commit'",
            "git status",
            "git commit --dry-run",
            "git push -n",
            "git merge --abort",
            "git merge-base a b",
            "git help commit",
            "command -v git commit",
            "cat > notes.md <<EOF\ngit commit\nEOF",
            "grep -rn 'git commit' src # git push",
            "gh pr view 3",
        ] {
            assert!(!delivers(command, &|_| None), "{command}");
        }
    }

    /// A commit under another name was let through.
    #[test]
    fn a_commit_is_known_by_whatever_name_it_is_called() {
        let alias = |name: &str| {
            let meant = match name {
                "ci" => "commit -v",
                "save" => "!git add -A && git ci",
                "lg" => "log --oneline",
                "loop" => "loop",
                _ => return None,
            };
            Some(meant.to_owned())
        };
        for command in ["git ci -m x", "git -C . save", "git -c alias.z=commit z -m x", "env A=b git ci"] {
            assert!(delivers(command, &alias) && commits(command, &alias) == 1, "{command}");
        }
        for command in ["git lg", "git loop", "git ci --dry-run", "git nothing", "git"] {
            assert!(!delivers(command, &alias), "{command}");
        }
        assert_eq!(commits("git commit -m a && git ci -m b && git push", &alias), 2);
    }

    #[test]
    fn what_changes_files_is_known() {
        let changes = |command: &str| changes_files(command, Path::new("/srv/ferry"));
        for command in [
            "sed -i 's/a/b/' src/flags.rs",
            "sed -Ei.bak 's/a/b/' src/flags.rs",
            "perl -pi -e 's/a/b/' src/flags.rs",
            "for f in src/*.rs; do sed -i 's/a/b/' \"$f\"; done",
            "find src -name '*.rs' -exec sed -i 's/a/b/' {} +",
            "grep -rl a src | xargs sed -i 's/a/b/'",
            "cat > src/new.rs <<EOF\nfn a() {}\nEOF",
            "echo 'x' >> notes/list.md",
            "echo all: > Makefile",
            "cat x > /srv/ferry/src/a.rs",
            "printf x | tee src/a.rs",
            "cp /tmp/x src/store.py",
            "sudo cp /tmp/x /srv/ferry/src/store.py",
            "cp -t src /tmp/x",
            "cd /tmp && cp x /srv/ferry/src/x",
            "cd src && sed -i s/a/b/ ../Cargo.toml",
            "cd src && make && cd .. && sed -i s/a/b/ Cargo.toml",
            "cd src/store && cp /tmp/x ../a.rs",
            "cd /tmp && make && cd - && sed -i s/a/b/ Cargo.toml",
            "pushd /tmp && make && popd && sed -i s/a/b/ Cargo.toml",
            "cd .. && cd ferry && sed -i s/a/b/ Cargo.toml",
            "cd /srv/ferry/src && sed -i s/a/b/ ../Cargo.toml",
            "cd /tmp && cd \"$ROOT\" && sed -i s/a/b/ Cargo.toml",
            "mv /tmp/x src/store.py",
            "mv src/store.py /tmp/x",
            "install -m 644 /tmp/x src/store.py",
            "ln -sf /tmp/x src/store.py",
            "dd if=/tmp/x of=src/store.py",
            "patch -p1 < x.diff",
            "git apply x.diff",
            "git mv a b",
        ] {
            assert!(changes(command), "{command}");
        }
        for command in [
            "cargo test 2>/dev/null",
            "cargo test > /dev/null 2>&1",
            "cargo test 2> errors.txt",
            "ls > /tmp/list.txt",
            "grep -n 'a -> b.c' src/lib.rs",
            "awk '$1 > 3' data.csv",
            "cat src/a.rs",
            "git log -p",
            "git diff > /tmp/x.diff",
            "git apply --check x.diff",
            "sed -n '1,20p' src/flags.rs",
            "sed -i 's/a/b/' /tmp/x",
            "perl -ne 'print if /i/' src/a.rs",
            "cp src/a /tmp/b",
            "cp src/a ../b",
            "cp src/a ~/b",
            "cp src/a \"$OUT/b\"",
            "cd /tmp && cp a b",
            "cd src && cp a ../../b",
            "cd .. && cp a b",
            "cd src && cd ../.. && sed -i s/a/b/ notes.md",
            "cd ~/notes && cd .. && sed -i s/a/b/ list.md",
            "cp src/a /srv/ferry/../b",
            "rsync -a src/ host:src/",
            "tee /tmp/log",
            "[[ a > b ]]",
            "echo 'cp /tmp/x src/store.py'",
        ] {
            assert!(!changes(command), "{command}");
        }
    }
}
