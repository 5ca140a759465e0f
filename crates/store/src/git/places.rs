//! Places to work in that are not the user's tree, and what tells whether that tree stayed as it was.

use std::path::Path;

use super::{Git, GitError};

impl Git {
    /// Writes the files of the last commit into a folder; neither the tree nor the index is touched.
    pub fn export(&self, to: &Path, index: &Path) -> Result<(), GitError> {
        let apart = self
            .clone()
            .with_environment([("GIT_INDEX_FILE".to_owned(), index.to_string_lossy().into_owned())]);
        apart.run(&["read-tree", "HEAD"], None)?;
        let prefix = format!("--prefix={}/", to.display());
        apart.run(&["checkout-index", "--all", "--force", &prefix], None)?;
        Ok(())
    }

    /// Makes a worktree of the last commit, on no branch.
    pub fn add_worktree(&self, at: &Path) -> Result<(), GitError> {
        self.run(
            &["worktree", "add", "--force", "--detach", "--quiet", &at.to_string_lossy(), "HEAD"],
            None,
        )?;
        Ok(())
    }

    /// Takes a worktree away again, with everything in it.
    pub fn remove_worktree(&self, at: &Path) -> Result<(), GitError> {
        self.run(&["worktree", "remove", "--force", "--force", &at.to_string_lossy()], None)?;
        Ok(())
    }

    /// Lists every file that git tracks or would track, and the names of what it ignores.
    pub fn listing(&self) -> Result<Vec<String>, GitError> {
        let kept = self.ask(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let ignored =
            self.ask(&["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"])?;
        let names = kept.split('\0').chain(ignored.split('\0')).filter(|name| !name.is_empty());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// Says what the repository points at: the head, and every reference.
    pub fn pointers(&self) -> Result<String, GitError> {
        let head = self.ask(&["rev-parse", "--symbolic-full-name", "HEAD"]).unwrap_or_default();
        let refs = self.ask(&["for-each-ref", "--format=%(refname) %(objectname)"])?;
        Ok(format!("{head}{refs}"))
    }

    /// Tells whether all that happened between two answers of [`Git::pointers`] are commits of nothing but what lies
    /// in this folder, on the branch that is checked out.
    pub fn only_committed(&self, folder: &Path, before: &str, after: &str) -> Result<bool, GitError> {
        let inside = self.inside(folder);
        let Some((from, to)) = moved(before, after).filter(|_| !inside.as_os_str().is_empty()) else {
            return Ok(false);
        };
        if self.ask(&["merge-base", from, to])?.trim() != from {
            return Ok(false);
        }
        let range = format!("{from}..{to}");
        let names = self.ask(&["log", "-m", "-z", "--format=", "--name-only", "--no-renames", &range])?;
        let mut names = names.split('\0').filter(|name| !name.is_empty());
        Ok(names.all(|name| Path::new(name).starts_with(&inside)))
    }
}

/// Finds from which commit to which the branch that is checked out moved, where nothing else did.
fn moved<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let ((branch, before), (same, after)) = (before.split_once('\n')?, after.split_once('\n')?);
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let differs = before.iter().zip(&after).filter(|(old, new)| old != new);
    let [(from, to)] = differs.collect::<Vec<_>>()[..] else { return None };
    let commit = |line: &'a str| line.strip_prefix(branch)?.strip_prefix(' ');
    (branch == same && before.len() == after.len()).then_some((commit(from)?, commit(to)?))
}
