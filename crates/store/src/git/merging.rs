//! What git knows of merges: what they left undecided, which histories met, and how it merges here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Git, GitError};
use crate::cache::FileKey;

/// A file that a merge left undecided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unmerged {
    /// The file, relative to the top of the repository.
    pub path: String,
    /// What both sides began with.
    pub base: Option<Vec<u8>>,
    /// What this side says; nothing where it removed the file.
    pub ours: Option<Vec<u8>>,
    /// What the other side says; nothing where it removed the file.
    pub theirs: Option<Vec<u8>>,
}

impl Git {
    /// Lists the files below a folder that a merge left undecided, with what each side says.
    pub fn unmerged(&self, folder: &Path) -> Result<Vec<Unmerged>, GitError> {
        let folder = folder.to_string_lossy();
        let text = self.ask(&["ls-files", "--unmerged", "--full-name", "-z", "--", &folder])?;
        let mut found: Vec<Unmerged> = Vec::new();
        let mut wanted: Vec<(usize, u8, String)> = Vec::new();
        for line in text.split('\0') {
            // `100644 <id> <stage>` and, after a tab, the path.
            let Some((meta, path)) = line.split_once('\t') else { continue };
            let mut fields = meta.split(' ').skip(1);
            let (Some(id), Some(stage)) = (fields.next(), fields.next()) else { continue };
            if found.last().is_none_or(|last| last.path != path) {
                found.push(Unmerged { path: path.to_owned(), ..Unmerged::default() });
            }
            wanted.push((found.len() - 1, stage.parse().unwrap_or_default(), id.to_owned()));
        }
        let ids: Vec<&str> = wanted.iter().map(|(_, _, id)| id.as_str()).collect();
        let contents = if ids.is_empty() { Vec::new() } else { self.contents(&ids)? };
        for ((at, stage, _), bytes) in wanted.iter().zip(contents) {
            let side = match stage {
                1 => &mut found[*at].base,
                2 => &mut found[*at].ours,
                _ => &mut found[*at].theirs,
            };
            *side = Some(bytes);
        }
        Ok(found)
    }

    /// Names the state of git's index by how its file looks; git puts a new one in place with every change.
    /// What is undecided stands there alone: a stash that did not fit leaves no other trace.
    pub fn index_state(&self) -> Option<String> {
        match fs::symlink_metadata(self.own.join("index")) {
            Ok(meta) => Some(FileKey::of(&meta).numbers().map(|number| format!("{number:x}")).join(" ")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some("no index".to_owned()),
            Err(_) => None,
        }
    }

    /// Tells git that these files are decided, gone ones included.
    pub fn stage(&self, paths: &[PathBuf]) -> Result<(), GitError> {
        let known = |path: &&PathBuf| {
            fs::symlink_metadata(path).is_ok()
                || self.ask(&["ls-files", "--", &path.to_string_lossy()]).is_ok_and(|out| !out.is_empty())
        };
        let list: String =
            paths.iter().filter(known).map(|path| format!("{}\0", path.to_string_lossy())).collect();
        if list.is_empty() {
            return Ok(());
        }
        let arguments = ["add", "--all", "--pathspec-from-file=-", "--pathspec-file-nul"];
        self.run(&arguments, Some(&list)).map(|_| ())
    }

    /// Lists merges among the ancestors of a commit that are not ancestors of another, the oldest
    /// first, each with its two parents; without the other, only the commit itself is looked at.
    pub fn merges(&self, since: Option<&str>, until: &str) -> Result<Vec<(String, String)>, GitError> {
        let range = since.map(|since| format!("{since}..{until}"));
        let count = if since.is_some() { "--max-count=64" } else { "--max-count=1" };
        let range = range.as_deref().unwrap_or(until);
        let text = self.ask(&["rev-list", "--parents", "--topo-order", "--reverse", count, range])?;
        let parents = |line: &str| {
            let mut ids = line.split(' ').skip(1).map(str::to_owned);
            Some((ids.next()?, ids.next()?))
        };
        Ok(text.lines().filter_map(parents).collect())
    }

    /// Returns the commit that is being merged, while a merge waits to be committed.
    pub fn merging(&self) -> Option<String> {
        let found = self.ask(&["rev-parse", "--verify", "--quiet", "MERGE_HEAD"]).ok()?;
        Some(found.trim().to_owned()).filter(|id| !id.is_empty())
    }

    /// Finds the commit that two histories have in common.
    pub fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        let found = self.ask(&["merge-base", one, other]).ok()?;
        found.lines().next().map(str::to_owned)
    }

    /// Tells whether one commit is among another's ancestors, or the same.
    pub fn has_ancestor(&self, new: &str, old: &str) -> bool {
        self.is_ancestor(old, new)
    }

    /// Lists the files below a folder that differ between two commits, relative to the top.
    pub fn changed_between(&self, old: &str, new: &str, folder: &Path) -> Result<Vec<String>, GitError> {
        let folder = folder.to_string_lossy();
        let text = self.ask(&["diff", "--name-only", "--no-renames", "-z", old, new, "--", &folder])?;
        Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
    }

    /// Reads files as a commit has them, by path relative to the top; one that it has not is empty.
    pub fn files_at(&self, commit: &str, paths: &[String]) -> Result<Vec<Vec<u8>>, GitError> {
        let names: Vec<String> = paths.iter().map(|path| format!("{commit}:{path}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if names.is_empty() { Ok(Vec::new()) } else { self.contents(&names) }
    }

    /// Reads a setting of this repository alone.
    pub fn local_setting(&self, key: &str) -> Option<String> {
        let text = self.ask(&["config", "--local", "--get", key]).ok()?;
        Some(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// Changes a setting of this repository alone; nothing takes it out.
    pub fn set_local_setting(&self, key: &str, value: Option<&str>) -> Result<(), GitError> {
        match value {
            Some(value) => self.run(&["config", "--local", key, value], None).map(|_| ()),
            None => self.run(&["config", "--local", "--unset-all", key], None).map(|_| ()),
        }
    }
}
