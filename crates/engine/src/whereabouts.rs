//! Where the project lies, and where it lay before it was moved: transcripts go on naming the folder they were made in.

use std::path::{Path, PathBuf};

use crate::Engine;

/// A folder a line, the latest last.
const FILE: &str = "sessions/folders";
/// So many are remembered; agents make a worktree for every task.
const MOST: usize = 64;

impl Engine {
    /// Lists the folders whose sessions are the project's: its worktrees, and where it lay that is there no more.
    pub(crate) fn whereabouts(&self) -> Vec<PathBuf> {
        let worktrees = self.store.git().and_then(|git| git.worktrees().ok());
        let mut folders = worktrees.unwrap_or_else(|| vec![self.project().to_owned()]);
        // What lies there again is another's, or has a base of its own.
        folders.extend(self.known_whereabouts().into_iter().filter(|folder| !folder.exists()));
        folders
    }

    /// The same as far as it is remembered: whoever has no time to start git knows no worktree of today.
    pub(crate) fn remembered_whereabouts(&self) -> Vec<PathBuf> {
        let is_ours = |folder: &PathBuf| !folder.exists() || self.is_worktree(folder);
        let known = self.known_whereabouts().into_iter().filter(is_ours);
        std::iter::once(self.project().to_owned()).chain(known).collect()
    }

    /// Tells whether a folder is a worktree of the same repository, by the file with which it names it.
    fn is_worktree(&self, folder: &Path) -> bool {
        let Some(common) = self.store.git().and_then(|git| git.common().canonicalize().ok()) else {
            return false;
        };
        let own = folder.join(".git");
        let named = std::fs::read_to_string(&own).ok();
        let named = named.as_deref().and_then(|text| text.trim().strip_prefix("gitdir: ")).map(PathBuf::from);
        let whole = named.unwrap_or(own).canonicalize();
        whole.is_ok_and(|git| git.starts_with(common))
    }

    /// Remembers where the project lies, for when it is moved.
    pub(crate) fn note_whereabouts(&self, folders: &[PathBuf]) {
        let mut known = self.known_whereabouts();
        let before = known.len();
        let new: Vec<PathBuf> = folders.iter().filter(|folder| !known.contains(folder)).cloned().collect();
        known.extend(new);
        if known.len() == before {
            return;
        }
        let latest = known.split_off(known.len().saturating_sub(MOST));
        let text: String = latest.iter().map(|folder| format!("{}\n", folder.display())).collect();
        if let Err(error) = self.store.shared().write_text(FILE, &text) {
            tracing::debug!(%error, "where the project lies could not be remembered");
        }
    }

    fn known_whereabouts(&self) -> Vec<PathBuf> {
        let path = self.store.shared().path(FILE).ok();
        let text = path.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect()
    }
}
