//! The projects known on this machine, so that a question can span them.
//!
//! A project is named by its remote, else by its first commit, else by its path: worktrees, clones
//! and moved folders of one repository are one project. The list is a file of sorted lines in the
//! personal scope's work folder, because paths mean something on this machine only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use lore_core::ProjectId;

use crate::Owner;
use crate::derived::{Derived, DerivedError};
use crate::git::Git;
use crate::lines::{self, Lines};
use crate::lock::{self, LockError};

const PROJECTS: &str = "projects";
const FOLDER: &str = "registry";
const PATIENCE: Duration = Duration::from_secs(5);

/// A project and where it lies on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its name.
    pub id: ProjectId,
    /// The folders of its bases, clones and worktrees each.
    pub roots: Vec<PathBuf>,
}

/// The list could not be changed.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Another process holds it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The disk refused.
    #[error(transparent)]
    Derived(#[from] DerivedError),
}

/// The list of known projects.
#[derive(Debug, Clone)]
pub struct Registry {
    folder: Derived,
}

impl Registry {
    /// Names the list in the work folder of the personal scope.
    pub fn new(work: &Path) -> Registry {
        Registry { folder: Derived::new(work.join(FOLDER)) }
    }

    /// Lists the projects by id; a list that cannot be read is empty.
    pub fn projects(&self) -> Vec<Project> {
        let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for line in self.lines() {
            if let Some((id, root)) = line.split_once('\t') {
                found.entry(id.to_owned()).or_default().push(PathBuf::from(root));
            }
        }
        found.into_iter().map(|(id, roots)| Project { id: ProjectId::new(id), roots }).collect()
    }

    /// Adds a base, and forgets bases that are no longer there and what this one was called before.
    pub fn register(&self, id: &ProjectId, root: &Path, now: Timestamp) -> Result<(), RegistryError> {
        let line = lines::join([id.as_str(), &root.to_string_lossy()]);
        if self.lines().contains(&line) {
            return Ok(());
        }
        let owner = Owner::machine("register a project");
        let beside = Derived::new(self.folder.folder().join("lock"));
        let _lock = lock::acquire(&beside, &owner, now, PATIENCE)?;
        let mut all = self.lines();
        let is_there = |known: &Path| known.is_dir() && known != root;
        all.retain(|line| line.split_once('\t').is_some_and(|(_, known)| is_there(Path::new(known))));
        all.insert(line);
        self.folder.write(PROJECTS, lines::render(&all).as_bytes())?;
        Ok(())
    }

    fn lines(&self) -> Lines {
        let text = std::fs::read_to_string(self.folder.folder().join(PROJECTS)).unwrap_or_default();
        lines::parse(&text)
    }
}

/// Names the project around a folder.
pub fn project_id(git: Option<&Git>, folder: &Path) -> ProjectId {
    let Some(git) = git else { return ProjectId::new(folder.to_string_lossy()) };
    let name = git.remote().map(|url| plain_remote(&url)).or_else(|| git.root_commit());
    ProjectId::new(name.unwrap_or_else(|| git.common().to_string_lossy().into_owned()))
}

/// Reduces the ways to write one address to `host/owner/name`, without user or password.
fn plain_remote(url: &str) -> String {
    let rest = url
        .trim()
        .split_once("://")
        .map_or_else(|| url.trim().replacen(':', "/", 1), |(_, rest)| rest.to_owned());
    let rest = rest.trim_end_matches('/').trim_end_matches(".git");
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    // A user stands before a host; behind it, and in the name of a folder, `@` is a letter.
    let user = host.rsplit_once('@').filter(|_| url.contains(':'));
    let host = user.map_or(host, |(_, host)| host);
    let host = host.split(':').next().unwrap_or(host).to_lowercase();
    if path.is_empty() { host } else { format!("{host}/{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_has_one_name() {
        let check = |url: &str, expected: &str| assert_eq!(plain_remote(url), expected, "{url}");
        check("git@example.org:team/tool.git", "example.org/team/tool");
        check("https://example.org/team/tool", "example.org/team/tool");
        check("https://user:pw@Example.org:8443/team/tool.git/", "example.org/team/tool");
        check("ssh://git@example.org:22/team/tool.git", "example.org/team/tool");
        check("/srv/git/tool.git", "/srv/git/tool");
        check("https://a.org/x/tool@v2.git", "a.org/x/tool@v2");
        check("https://user@b.org/y/z@v2", "b.org/y/z@v2");
        check("https://user:p@ss@a.org/x/tool", "a.org/x/tool");
        check("git@example.org:team/tool@v2.git", "example.org/team/tool@v2");
        check("/srv/git/tool@v2.git", "/srv/git/tool@v2");
        check("tool@v2", "tool@v2");
    }
}
