//! The log of git, kept by commit: whatever is checked out next, only commits never seen are read.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::bm25::{Bag, bag};
use super::history::{Borne, Change, History};
use super::words::{Cutter, Term};
use crate::git::ask_git;

/// So many commits are looked at.
const MOST: &str = "--max-count=4000";
/// So many are kept, for branches that one goes back to.
const KEPT: usize = 12_000;
/// More commits than this are not asked for by name: the whole log is read at once.
const BY_NAME: usize = 300;
/// In a commit that moves more files than this, only those that did not change otherwise are followed to their new names: to compare
/// all with all was most of the time of a first answer.
const MOVED: &str = "-l20";
/// A commit that touched more files says little about any of them.
pub(super) const WIDEST: usize = 40;
/// Raised when commits are read differently.
const VERSION: u32 = 1;

/// What git's log says, by commit.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    version: u32,
    head: String,
    /// The commits that lead to the head, newest first, by their places in `commits`.
    order: Vec<u32>,
    /// Paths as they were when they were touched.
    paths: Vec<String>,
    commits: Vec<Logged>,
}

/// One commit.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Logged {
    id: String,
    said: Bag,
    touched: Vec<Touched>,
}

/// A path that a commit touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Touched {
    path: u32,
    /// What it was called before.
    was: Option<u32>,
}

/// Returns the commit that is checked out.
pub(super) fn head(root: &Path) -> Option<String> {
    ask_git(root, &["rev-parse", "--verify", "--quiet", "HEAD"]).map(|text| text.trim().to_owned())
}

impl Log {
    /// Reads what was kept; what cannot be understood counts as nothing.
    pub fn from_bytes(bytes: &[u8]) -> Log {
        let kept: Option<Log> = postcard::from_bytes(bytes).ok();
        kept.filter(|kept| kept.version == VERSION).unwrap_or_default()
    }

    /// Returns what to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Follows git to what is checked out, and tells whether anything is new.
    pub fn follow(&mut self, root: &Path) -> bool {
        let Some(head) = head(root) else { return std::mem::take(self) != Log::default() };
        if head == self.head {
            return false;
        }
        self.version = VERSION;
        self.head = head;
        let ids = ask_git(root, &["rev-list", MOST, "--no-merges", "HEAD", "--", "."]).unwrap_or_default();
        let ids: Vec<&str> = ids.lines().collect();
        let known: FxHashSet<&str> = self.commits.iter().map(|commit| commit.id.as_str()).collect();
        let missing: Vec<&str> = ids.iter().copied().filter(|id| !known.contains(id)).collect();
        if !missing.is_empty() {
            let log = read(root, &missing);
            self.add(&log);
        }
        let place_of: FxHashMap<&str, u32> =
            self.commits.iter().zip(0..).map(|(commit, at)| (commit.id.as_str(), at)).collect();
        self.order = ids.iter().filter_map(|id| place_of.get(id).copied()).collect();
        if self.commits.len() > KEPT {
            self.forget();
        }
        true
    }

    /// Adds the commits of a log that are not there yet.
    fn add(&mut self, log: &str) {
        let known: FxHashSet<String> = self.commits.iter().map(|commit| commit.id.clone()).collect();
        let mut numbers: FxHashMap<String, u32> = self.paths.iter().cloned().zip(0..).collect();
        let mut cutter = Cutter::default();
        for commit in log.split('\u{1}').skip(1) {
            let Some((said, fields)) = commit.split_once('\u{2}') else { continue };
            let (id, said) = said.split_once('\n').unwrap_or((said, ""));
            if known.contains(id) {
                continue;
            }
            let mut number = |path: &str| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                *numbers.entry(path.to_owned()).or_insert_with_key(|path| {
                    self.paths.push(path.clone());
                    next
                })
            };
            let mut touched = Vec::new();
            let mut fields = fields.trim_start_matches(['\0', '\n']).split('\0');
            while let Some(status) = fields.next().map(str::trim).filter(|status| !status.is_empty()) {
                let Some(first) = fields.next() else { break };
                if status.starts_with(['R', 'C']) {
                    let Some(second) = fields.next() else { break };
                    let was = status.starts_with('R').then(|| number(first));
                    touched.push(Touched { path: number(second), was });
                } else {
                    touched.push(Touched { path: number(first), was: None });
                }
            }
            self.commits.push(Logged { id: id.to_owned(), said: words(said, &mut cutter), touched });
        }
    }

    /// Keeps what leads to the head, and nothing else.
    fn forget(&mut self) {
        let mut commits: Vec<Option<Logged>> =
            std::mem::take(&mut self.commits).into_iter().map(Some).collect();
        self.commits = self.order.iter().filter_map(|at| commits[*at as usize].take()).collect();
        self.order = (0..self.commits.len()).map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect();
    }

    /// Returns the past of the files that are there now.
    pub fn history(&self) -> History {
        let mut history = History::default();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        // Newest first: what a file was called before it was renamed leads to its present name.
        let mut present: FxHashMap<u32, u32> = FxHashMap::default();
        for commit in self.order.iter().map(|at| &self.commits[*at as usize]) {
            let mut files: Vec<u32> = Vec::with_capacity(commit.touched.len());
            for touched in &commit.touched {
                let now = present.get(&touched.path).copied().unwrap_or(touched.path);
                if let Some(was) = touched.was {
                    present.insert(was, now);
                }
                files.push(*numbers.entry(now).or_insert_with(|| {
                    history.paths.push(self.paths[now as usize].clone());
                    u32::try_from(history.paths.len() - 1).unwrap_or(u32::MAX)
                }));
            }
            files.sort_unstable();
            files.dedup();
            if !files.is_empty() && files.len() <= WIDEST {
                history.commits.push(Change { said: commit.said.clone(), files });
            }
        }
        (history.borne, history.touches) = self.borne();
        history
    }

    /// Lists the names that files bore, and which of them each commit touched.
    fn borne(&self) -> (Vec<Borne>, Vec<Vec<u32>>) {
        let mut all: Vec<Borne> = Vec::new();
        let mut touches: Vec<Vec<u32>> = Vec::with_capacity(self.order.len());
        // Newest first: the place of the name that a path stands for in the commits still to come.
        let mut current: FxHashMap<u32, u32> = FxHashMap::default();
        for commit in self.order.iter().map(|at| &self.commits[*at as usize]) {
            let mut touched: Vec<u32> = Vec::with_capacity(commit.touched.len());
            let mut renamed: Vec<(u32, u32)> = Vec::new();
            for Touched { path, was } in &commit.touched {
                let name = *current
                    .entry(*path)
                    .or_insert_with(|| named(&mut all, &self.paths[*path as usize], None));
                touched.push(name);
                renamed.extend(was.map(|was| (was, name)));
            }
            for (was, next) in renamed {
                current.insert(was, named(&mut all, &self.paths[was as usize], Some(next)));
            }
            touches.push(touched);
        }
        (all, touches)
    }
}

/// Notes a name and returns its place.
fn named(all: &mut Vec<Borne>, path: &str, next: Option<u32>) -> u32 {
    all.push(Borne { path: path.to_owned(), next });
    u32::try_from(all.len() - 1).unwrap_or(u32::MAX)
}

/// Reads these commits, or all if they are many.
fn read(root: &Path, ids: &[&str]) -> String {
    let mut arguments =
        vec!["log", "--no-merges", "--name-status", "-M", MOVED, "-z", "--format=%x01%H%n%s%n%b%x02"];
    if ids.len() > BY_NAME {
        arguments.extend([MOST, "HEAD"]);
    } else {
        arguments.push("--no-walk=unsorted");
        arguments.extend(ids);
    }
    arguments.extend(["--", "."]);
    ask_git(root, &arguments).unwrap_or_default()
}

/// Counts the words of a message: the first line says what it is about, the rest why.
fn words(said: &str, cutter: &mut Cutter) -> Bag {
    let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
    let (subject, body) = said.split_once('\n').unwrap_or((said, ""));
    cutter.cut(subject, |term| *counts.entry(term).or_default() += 2);
    let body: String = body.lines().filter(|line| !is_trailer(line)).take(30).collect::<Vec<_>>().join("\n");
    cutter.cut(&body, |term| {
        let count = counts.entry(term).or_default();
        *count = count.saturating_add(1);
    });
    bag(counts)
}

fn is_trailer(line: &str) -> bool {
    ["Signed-off-by:", "Co-authored-by:", "Co-Authored-By:", "Reviewed-by:", "Change-Id:"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RENAMED: &str = "\u{1}b\ntax: move\n\u{2}\0\nR100\0src/tax.rs\0crates/tax.rs\0";
    const MADE: &str = "\u{1}a\ntax: first\n\u{2}\0\nA\0src/tax.rs\0M\0README.md\0";

    #[test]
    fn a_renamed_file_keeps_its_past() {
        let mut log = Log { order: vec![0, 1], ..Log::default() };
        log.add(&format!("{RENAMED}{MADE}"));
        let history = log.history();
        assert_eq!(history.paths, ["crates/tax.rs", "README.md"]);
        let files: Vec<&[u32]> = history.commits.iter().map(|commit| commit.files.as_slice()).collect();
        assert_eq!(files, [[0].as_slice(), &[0, 1]]);
    }

    #[test]
    fn of_a_file_that_was_split_the_past_stays_with_the_old_name() {
        let again = "\u{1}c\ntax: back\n\u{2}\0\nA\0src/tax.rs\0";
        let mut log = Log { order: vec![0, 1, 2], ..Log::default() };
        log.add(&format!("{again}{RENAMED}{MADE}"));
        let history = log.history();
        let count = |there: &[&'static str]| {
            let touched = history.touched_now(&there.iter().copied().zip(0..).collect());
            let of = |at: u32| touched.iter().filter(|files| files.contains(&at)).count();
            (0..).take(there.len()).map(of).collect::<Vec<_>>()
        };
        assert_eq!(count(&["src/tax.rs", "crates/tax.rs"]), [2, 1]);
        assert_eq!(count(&["crates/tax.rs", "README.md"]), [2, 1]);
    }

    #[test]
    fn a_commit_is_read_once_and_a_branch_has_only_its_own_past() {
        let mut log = Log::default();
        log.add(MADE);
        log.add(&format!("{RENAMED}{MADE}"));
        assert_eq!(log.commits.iter().map(|commit| commit.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        log.order = vec![0];
        assert_eq!(log.history().paths, ["src/tax.rs", "README.md"]);
        log.forget();
        assert_eq!(log.commits.len(), 1);
    }
}
