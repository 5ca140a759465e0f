//! What git knows, asked of the `git` program. Its absence is fine: then there is no history.
//!
//! Where a repository lies is found by looking, without starting a program. Everything else runs
//! `git` with variables that would point it elsewhere removed, no pager, no prompts, and paths
//! taken literally. A file-system monitor is never started: it is a program named by the
//! repository. A bare repository that lies in the work tree is never taken for ours.

mod commit;
mod merging;
mod places;
mod recent;
mod run;

pub use recent::RecentCommit;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

pub use self::merging::Unmerged;

/// A run that takes longer is stopped: a hook or a key that waits for somebody must not hold us up.
const LIMIT: Duration = Duration::from_secs(30);

/// What git leaves in its folder while it is in the middle of something, and what that is.
const UNDER_WAY: &[(&str, &str)] = &[
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("sequencer", "cherry-pick or revert"),
    ("BISECT_LOG", "bisect"),
];

/// A checked-out repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    /// Top of this worktree.
    top: PathBuf,
    /// Git's own folder of this worktree.
    own: PathBuf,
    /// Folder shared by all worktrees; names the repository on this machine.
    common: PathBuf,
    environment: Vec<(String, String)>,
    limit: Duration,
}

/// Git could not do it.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program could not be started.
    #[error("cannot run `git {command}`")]
    Start {
        /// What was asked of it.
        command: String,
        /// Why it did not start.
        source: io::Error,
    },
    /// The program refused.
    #[error("`git {command}` failed: {message}")]
    Failed {
        /// What was asked of it.
        command: String,
        /// What it said.
        message: String,
    },
    /// The program did not end.
    #[error("`git {command}` was stopped after {} seconds", .after.as_secs())]
    TooLong {
        /// What was asked of it.
        command: String,
        /// How long it was given.
        after: Duration,
    },
    /// A commit now would get into something else.
    #[error("a {what} is under way in this repository")]
    UnderWay {
        /// What git is in the middle of.
        what: &'static str,
    },
}

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Full id.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// When.
    pub at: Timestamp,
    /// Its first line.
    pub subject: String,
}

/// One file as a commit left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blob {
    pub(crate) path: String,
    pub(crate) id: String,
}

impl Git {
    /// Finds the repository around a folder.
    pub fn discover(start: &Path) -> Option<Git> {
        start.ancestors().find_map(|folder| {
            let (own, common) = folders(&folder.join(".git"))?;
            Some(Git { top: folder.to_owned(), own, common, environment: Vec::new(), limit: LIMIT })
        })
    }

    /// Adds variables to every run, such as a fixed identity.
    #[must_use]
    pub fn with_environment(mut self, pairs: impl IntoIterator<Item = (String, String)>) -> Git {
        self.environment.extend(pairs);
        self
    }

    /// Gives every run this long: for tests, which never wait.
    #[doc(hidden)]
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Git {
        self.limit = limit;
        self
    }

    /// Returns the top folder of this worktree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns git's own folder of this worktree, which nothing that is checked out can reach.
    pub fn own(&self) -> &Path {
        &self.own
    }

    /// Tells whether git's own folder says that this worktree is its own: a `.git` that is a file names
    /// any folder it likes.
    pub(crate) fn is_known_to_git(&self) -> bool {
        let dot_git = self.top.join(".git");
        let real = |path: PathBuf| fs::canonicalize(path).ok();
        if real(dot_git.clone()).is_some_and(|real| real == self.own) {
            return true;
        }
        let read = |name: &str| fs::read_to_string(self.own.join(name)).ok();
        let back = read("gitdir").map(|path| self.own.join(path.trim()));
        let submodule = || {
            let text = read("config")?;
            let line = text.lines().find_map(|line| line.trim().strip_prefix("worktree"))?;
            Some(self.own.join(line.trim_start().strip_prefix('=')?.trim().trim_matches('"')).join(".git"))
        };
        back.or_else(submodule).and_then(real).is_some_and(|back| real(dot_git) == Some(back))
    }

    /// Returns the folder that all worktrees share.
    pub fn common(&self) -> &Path {
        &self.common
    }

    /// Returns the worktree that was there first, where it is checked out beside its `.git`.
    pub fn main_worktree(&self) -> Option<&Path> {
        self.common.parent().filter(|_| self.common.file_name() == Some(OsStr::new(".git")))
    }

    /// Returns the commit that is checked out, if there is one.
    pub fn revision(&self) -> Option<String> {
        self.ask(&["rev-parse", "--verify", "--quiet", "HEAD"]).ok().map(|text| text.trim().to_owned())
    }

    /// Returns the address of `origin`, or of the first remote.
    pub fn remote(&self) -> Option<String> {
        let all = self.ask(&["config", "--get-regexp", r"^remote\..*\.url$"]).ok()?;
        let pairs: Vec<(&str, &str)> = all.lines().filter_map(|line| line.split_once(' ')).collect();
        let origin = pairs.iter().find(|(key, _)| *key == "remote.origin.url");
        origin.or(pairs.first()).map(|(_, url)| (*url).to_owned())
    }

    /// Says which rule keeps git from seeing a file, as `file:line: pattern`; nothing where none does.
    pub fn ignored_by(&self, path: &Path) -> Option<String> {
        let said =
            self.ask(&["--no-literal-pathspecs", "check-ignore", "--verbose", "--", path.to_str()?]).ok()?;
        let rule = said.lines().next()?.split('\t').next()?.to_owned();
        let mut parts = rule.splitn(3, ':');
        let (file, line, pattern) = (parts.next()?, parts.next()?, parts.next()?);
        // `!pattern` lets it in again.
        (!pattern.starts_with('!')).then(|| format!("{file}:{line}: {pattern}"))
    }

    /// Returns the first commit, which clones and forks share.
    pub fn root_commit(&self) -> Option<String> {
        let all = self.ask(&["rev-list", "--max-parents=0", "HEAD"]).ok()?;
        all.lines().last().map(str::to_owned)
    }

    /// Lists the worktrees of the repository.
    pub fn worktrees(&self) -> Result<Vec<PathBuf>, GitError> {
        let text = self.ask(&["worktree", "list", "--porcelain", "-z"])?;
        Ok(text.split('\0').filter_map(|line| line.strip_prefix("worktree ")).map(PathBuf::from).collect())
    }

    /// Lists the commits that touched a file, newest first.
    pub fn history(&self, path: &Path) -> Result<Vec<Commit>, GitError> {
        let path = path.to_string_lossy();
        let text = self.ask(&["log", "--format=%H%x09%an%x09%at%x09%s", "-z", "--", &path])?;
        let parse = |line: &str| {
            let mut fields = line.splitn(4, '\t');
            let (id, author, at) = (fields.next()?, fields.next()?, fields.next()?);
            Some(Commit {
                id: id.to_owned(),
                author: author.to_owned(),
                at: Timestamp::from_second(at.parse().ok()?).ok()?,
                subject: fields.next().unwrap_or_default().to_owned(),
            })
        };
        Ok(text.split('\0').filter_map(parse).collect())
    }

    /// Tells a commit: id, author, time, message and the files it changed; nothing where there is none.
    pub fn told(&self, id: &str) -> Option<String> {
        // Anything else could be an option or an expression.
        if id.len() < 4 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let format = "--format=commit %H%nauthor %an%ndate %ad%n%n%B";
        let commit = format!("{id}^{{commit}}");
        let arguments = [
            "show",
            "--no-ext-diff",
            "--no-textconv",
            "--stat=78",
            "--date=iso-strict",
            format,
            &commit,
            "--",
        ];
        self.ask(&arguments).ok()
    }

    /// Lists the files below a folder that differ between a commit and the work tree.
    pub fn changed_since(&self, revision: &str, folder: &Path) -> Result<Vec<String>, GitError> {
        let folder = folder.to_string_lossy();
        let text = self.ask(&["diff", "--name-only", "--no-renames", "-z", revision, "--", &folder])?;
        let fresh = self.ask(&["ls-files", "--others", "--exclude-standard", "-z", "--", &folder])?;
        let mut all: Vec<String> =
            text.split('\0').chain(fresh.split('\0')).filter(|p| !p.is_empty()).map(str::to_owned).collect();
        all.sort();
        Ok(all)
    }

    /// Tells whether one commit is among another's ancestors.
    pub(crate) fn is_ancestor(&self, old: &str, new: &str) -> bool {
        self.ask(&["merge-base", "--is-ancestor", old, new]).is_ok()
    }

    /// Lists what commits made of the files below a folder; merges add nothing of their own.
    pub(crate) fn blobs(&self, since: Option<&str>, folder: &Path) -> Result<Vec<Blob>, GitError> {
        let range = since.map_or_else(|| "HEAD".to_owned(), |since| format!("{since}..HEAD"));
        let folder = folder.to_string_lossy();
        let arguments = [
            "log",
            "--no-merges",
            "--format=",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "-z",
            &range,
            "--",
            &folder,
        ];
        let text = self.ask(&arguments)?;
        let mut fields = text.split('\0');
        let mut blobs = Vec::new();
        while let Some(meta) = fields.next() {
            // `:100644 100644 <old> <new> M` and then the path.
            let Some(id) = meta.trim_start().strip_prefix(':').and_then(|meta| meta.split(' ').nth(3)) else {
                continue;
            };
            let Some(path) = fields.next() else { break };
            if id.bytes().any(|digit| digit != b'0') {
                blobs.push(Blob { path: path.to_owned(), id: id.to_owned() });
            }
        }
        Ok(blobs)
    }

    /// Reads the contents of blobs, in their order; one that cannot be read is empty.
    pub(crate) fn contents(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        let output = self.run(&["cat-file", "--batch"], Some(&(ids.join("\n") + "\n")))?;
        let mut rest = output.stdout.as_slice();
        let mut contents = Vec::with_capacity(ids.len());
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let header = String::from_utf8_lossy(&rest[..end]);
            rest = &rest[end + 1..];
            let length = header.rsplit(' ').next().and_then(|word| word.parse().ok());
            let Some((content, after)) = length.and_then(|length| rest.split_at_checked(length)) else {
                contents.push(Vec::new());
                continue;
            };
            contents.push(content.to_vec());
            rest = after.get(1..).unwrap_or_default();
        }
        Ok(contents)
    }

    /// Lists the files below a folder that are tracked but not checked out on purpose, from the top.
    pub(crate) fn skipped(&self, folder: &Path) -> Result<Vec<String>, GitError> {
        let folder = folder.to_string_lossy();
        let text = self.ask(&["ls-files", "-t", "-z", "--", &folder])?;
        Ok(text.split('\0').filter_map(|line| line.strip_prefix("S ")).map(str::to_owned).collect())
    }

    /// Tells whether only some of the files are checked out, without asking git.
    pub(crate) fn is_sparse(&self) -> bool {
        [&self.own, &self.common].iter().any(|folder| folder.join("info/sparse-checkout").exists())
    }

    /// Lists the tracked files below a path, from the top.
    pub(crate) fn tracked(&self, path: &Path) -> Result<Vec<String>, GitError> {
        let path = path.to_string_lossy();
        let text = self.ask(&["ls-files", "-z", "--", &path])?;
        Ok(text.split('\0').filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// Says what git is in the middle of, so that a commit would become part of it.
    pub fn under_way(&self) -> Option<&'static str> {
        UNDER_WAY.iter().find(|(name, _)| self.own.join(name).exists()).map(|(_, what)| *what)
    }

    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<String, GitError> {
        let output = self.run(arguments, None)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Follows `.git`, which is a folder or, in worktrees and submodules, a file that names one. Returns the
/// folder of this worktree and the one that all of them share.
fn folders(dot_git: &Path) -> Option<(PathBuf, PathBuf)> {
    let meta = fs::metadata(dot_git).ok()?;
    let own = if meta.is_dir() {
        dot_git.to_owned()
    } else {
        let text = fs::read_to_string(dot_git).ok()?;
        let named = text.trim().strip_prefix("gitdir:")?.trim();
        dot_git.parent()?.join(named)
    };
    let shared = fs::read_to_string(own.join("commondir")).ok();
    let common = shared.map_or_else(|| own.clone(), |named| own.join(named.trim()));
    let real = |path: PathBuf| fs::canonicalize(&path).unwrap_or(path);
    common.join("HEAD").exists().then(|| (real(own), real(common)))
}
