//! What git knows: branches, tags, and whether a path changed.

use super::{Project, Truth, Verdict};
use crate::git::ask_git;

pub(super) fn branch(project: &Project, name: &str) -> Verdict {
    let local = format!("refs/heads/{name}");
    let remote = format!("refs/remotes/*/{name}");
    named(project, "branch", name, &[&local, &remote])
}

pub(super) fn tag(project: &Project, name: &str) -> Verdict {
    named(project, "tag", name, &[&format!("refs/tags/{name}")])
}

pub(super) fn on_branch(project: &Project, name: &str) -> Verdict {
    match ask_git(project.root(), &["symbolic-ref", "--short", "-q", "HEAD"]) {
        None => unknown(),
        Some(current) => {
            let current = current.trim();
            let truth = if current == name { Truth::Holds } else { Truth::Broken };
            Verdict::from_file(truth, ".git/HEAD", format!("the work tree is on `{current}`"))
        }
    }
}

pub(super) fn unchanged(project: &Project, path: &str, since: &str) -> Verdict {
    if project.inside(path).is_none() || since.starts_with('-') {
        return Verdict::plain(Truth::CannotTell, format!("`{path}` lies outside the repository"));
    }
    let is_day = since.len() == 10 && since.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let spec = format!(":(top,glob){path}");
    let log = if is_day {
        let after = format!("--since={since}T23:59:59Z");
        ask_git(project.root(), &["log", "--format=%h %cs", &after, "-1", "--", &spec])
    } else {
        let range = format!("{since}..HEAD");
        ask_git(project.root(), &["log", "--format=%h %cs", "-1", &range, "--", &spec])
    };
    match log.as_deref().map(str::trim) {
        None => unknown(),
        Some("")
            if ask_git(project.root(), &["ls-files", "--", &spec])
                .is_none_or(|files| files.trim().is_empty()) =>
        {
            Verdict::plain(Truth::CannotTell, format!("git does not know `{path}`"))
        }
        Some("") => Verdict::from_file(Truth::Holds, path, format!("no commit after {since} touches {path}")),
        Some(commit) => Verdict::from_file(Truth::Broken, path, format!("commit {commit} changed {path}")),
    }
}

fn named(project: &Project, what: &str, name: &str, patterns: &[&str]) -> Verdict {
    let mut arguments = vec!["for-each-ref", "--format=%(refname:short)"];
    arguments.extend(patterns);
    match ask_git(project.root(), &arguments) {
        None => unknown(),
        Some(found) => match found.lines().next() {
            Some(first) => Verdict::plain(Truth::Holds, format!("there is a {what} `{first}`")),
            None => Verdict::plain(Truth::Broken, format!("there is no {what} `{name}`")),
        },
    }
}

fn unknown() -> Verdict {
    Verdict::plain(Truth::CannotTell, "git cannot say")
}
