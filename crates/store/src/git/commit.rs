//! Commits of exactly what was touched.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Git, GitError};

/// The paths are handed over as input: there may be more than a command line holds.
const LISTED: [&str; 2] = ["--pathspec-from-file=-", "--pathspec-file-nul"];

impl Git {
    /// Commits exactly these files as they are now; what else the user has staged stays staged.
    pub fn commit(&self, paths: &[PathBuf], message: &str) -> Result<String, GitError> {
        if let Some(what) = self.under_way() {
            return Err(GitError::UnderWay { what });
        }
        let known = self.known(paths)?;
        let (present, gone): (Vec<&Path>, Vec<&Path>) =
            paths.iter().map(PathBuf::as_path).partition(|path| fs::symlink_metadata(path).is_ok());
        // Git refuses them all for one that it never met and that is gone.
        let listed = present.iter().copied().chain(gone.into_iter().filter(|path| known.contains(*path)));
        let listed = list(listed);
        let fresh = list(present.iter().copied().filter(|path| !known.contains(*path)));
        if !listed.is_empty() {
            self.commit_listed(&listed, &fresh, message).inspect_err(|_| self.unannounce(&fresh))?;
        }
        Ok(self.revision().unwrap_or_default())
    }

    fn commit_listed(&self, listed: &str, fresh: &str, message: &str) -> Result<(), GitError> {
        if !fresh.is_empty() {
            // Files git has not met yet are only announced; `--only` then takes the contents.
            self.run(&["add", "--intent-to-add", LISTED[0], LISTED[1]], Some(fresh))?;
        }
        let commit = ["commit", "--quiet", "--only", "-m", message, LISTED[0], LISTED[1]];
        self.run(&commit, Some(listed)).map(drop)
    }

    /// Takes back what was announced: a stash of the user's would fail on it.
    fn unannounce(&self, fresh: &str) {
        if !fresh.is_empty() {
            // Why there is no commit is told; this may fail for the same reason. Where there is one after
            // all, it changes nothing.
            let _ = self.run(&["reset", "--quiet", LISTED[0], LISTED[1]], Some(fresh));
        }
    }

    /// Returns which of these files git has met, and whatever else lies beside them.
    fn known(&self, paths: &[PathBuf]) -> Result<HashSet<PathBuf>, GitError> {
        let holds_all = |folder: &&Path| folder.is_dir() && paths.iter().all(|path| path.starts_with(folder));
        let folder = paths.first().and_then(|path| path.ancestors().skip(1).find(holds_all));
        let folder = folder.unwrap_or(&self.top);
        // The way to the base may lead through links that git does not see.
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (top, inside) = (real(&self.top), real(folder));
        let named = |line: String| Some(folder.join(top.join(line).strip_prefix(&inside).ok()?));
        Ok(self.tracked(folder)?.into_iter().filter_map(named).collect())
    }
}

fn list<'p>(paths: impl Iterator<Item = &'p Path>) -> String {
    paths.map(|path| format!("{}\0", path.to_string_lossy())).collect()
}
