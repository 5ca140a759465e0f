//! What changed together, and what was said about it: the log of git.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::bm25::{Bag, bag};
use super::words::{Cutter, Term};
use crate::git::ask_git;

/// So many commits are looked at.
const MOST: &str = "--max-count=4000";
/// A commit that touched more files says little about any of them.
const WIDEST: usize = 40;

/// What git remembers, newest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The commit it was read at.
    pub head: String,
    /// Paths, by their present names.
    pub(super) paths: Vec<String>,
    pub(super) commits: Vec<Change>,
}

/// One commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Change {
    pub(super) said: Bag,
    /// Which paths it touched.
    pub(super) files: Vec<u32>,
}

/// Returns the commit that is checked out.
pub fn head(root: &Path) -> Option<String> {
    ask_git(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).map(|text| text.trim().to_owned())
}

/// Reads the log; nothing where there is no git.
pub fn history(root: &Path) -> History {
    let Some(head) = head(root) else { return History::default() };
    let format = "--format=%x01%s%n%b%x02";
    let log = ask_git(root, &["log", MOST, "--no-merges", "--name-status", "-z", format, "HEAD", "--", "."]);
    read(head, &log.unwrap_or_default())
}

fn read(head: String, log: &str) -> History {
    let mut history = History { head, ..History::default() };
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    // Newest first: what a file was called before it was renamed leads to its present name.
    let mut present: FxHashMap<String, String> = FxHashMap::default();
    let mut cutter = Cutter::default();
    for commit in log.split('\u{1}').skip(1) {
        let Some((said, touched)) = commit.split_once('\u{2}') else { continue };
        let mut files: Vec<u32> = Vec::new();
        let mut fields = touched.trim_start_matches(['\0', '\n']).split('\0');
        while let Some(status) = fields.next().map(str::trim).filter(|status| !status.is_empty()) {
            let Some(first) = fields.next() else { break };
            let path = if status.starts_with(['R', 'C']) {
                let Some(second) = fields.next() else { break };
                let now = present.get(second).cloned().unwrap_or_else(|| second.to_owned());
                if status.starts_with('R') {
                    present.insert(first.to_owned(), now.clone());
                }
                now
            } else {
                present.get(first).cloned().unwrap_or_else(|| first.to_owned())
            };
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(path).or_insert_with_key(|path| {
                history.paths.push(path.clone());
                next
            });
            files.push(number);
        }
        files.sort_unstable();
        files.dedup();
        if files.is_empty() || files.len() > WIDEST {
            continue;
        }
        let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
        let (subject, body) = said.split_once('\n').unwrap_or((said, ""));
        // The first line says what it is about, the rest why.
        cutter.cut(subject, |term| *counts.entry(term).or_default() += 2);
        let body: String =
            body.lines().filter(|line| !is_trailer(line)).take(30).collect::<Vec<_>>().join("\n");
        cutter.cut(&body, |term| {
            let count = counts.entry(term).or_default();
            *count = count.saturating_add(1);
        });
        history.commits.push(Change { said: bag(counts), files });
    }
    history
}

fn is_trailer(line: &str) -> bool {
    ["Signed-off-by:", "Co-authored-by:", "Co-Authored-By:", "Reviewed-by:", "Change-Id:"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_file_keeps_its_past() {
        let log = "\u{1}tax: move\n\u{2}\0\nR100\0src/tax.rs\0crates/tax.rs\0\u{1}tax: first\n\u{2}\0\nA\0src/tax.rs\0M\0README.md\0";
        let history = read("h".to_owned(), log);
        assert_eq!(history.paths, ["crates/tax.rs", "README.md"]);
        let files: Vec<&[u32]> = history.commits.iter().map(|commit| commit.files.as_slice()).collect();
        assert_eq!(files, [[0].as_slice(), &[0, 1]]);
    }
}
