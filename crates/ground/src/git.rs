//! Asking git, for everything that only reads.

use std::path::Path;
use std::process::{Command, Stdio};

/// Neither a program that the repository names is started, nor a folder that only looks like a repository
/// taken for one, and paths and logs come as they are.
const SAFELY: [&str; 8] = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.quotepath=off",
    "-c",
    "log.showSignature=false",
];

/// Asks git in a folder; nothing where it is missing or refuses.
pub fn ask_git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(SAFELY)
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
