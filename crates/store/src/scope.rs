//! Which base is meant, seen from a folder.
//!
//! A project's base lies in its repository. It is looked for upwards from where the user is, so a
//! part of a monorepo that has its own comes before the root's. A worktree whose branch has no
//! base yet uses that of the main worktree.

use std::path::{Path, PathBuf};

use crate::git::Git;
use crate::layout;

/// What a base is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// One project.
    Project,
    /// One person, across projects.
    Personal,
}

/// A base and its work folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// What it is for.
    pub kind: ScopeKind,
    /// The folder of the base.
    pub root: PathBuf,
    /// The folder for what can be made again.
    pub work: PathBuf,
}

/// Where in a project its base lies, as configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The folder of the base, relative to the project or absolute.
    pub folder: PathBuf,
}

impl Default for Location {
    fn default() -> Location {
        Location { folder: PathBuf::from(layout::KNOWLEDGE) }
    }
}

impl Scope {
    /// Names the base of the project in this very folder, whether or not it is there.
    pub fn at(project: &Path) -> Scope {
        Scope::with_location(project, &Location::default())
    }

    /// The same, with the base at a configured place.
    pub fn with_location(project: &Path, location: &Location) -> Scope {
        let root = project.join(&location.folder);
        Scope { kind: ScopeKind::Project, root, work: project.join(layout::WORK) }
    }

    /// Names a person's own base under their data folder.
    pub fn personal(data: &Path) -> Scope {
        let root = data.join(layout::KNOWLEDGE);
        Scope { kind: ScopeKind::Personal, root, work: data.join(layout::WORK) }
    }

    /// Finds the base of the project around a folder.
    pub fn find(start: &Path, location: &Location) -> Option<Scope> {
        let git = Git::discover(start);
        let top = git.as_ref().map(Git::top);
        let here = search(start, top, location);
        here.or_else(|| {
            let (top, main) = (top?, git.as_ref()?.main_worktree()?);
            let inside = start.strip_prefix(top).unwrap_or(Path::new(""));
            search(&main.join(inside), Some(main), location)
        })
    }

    /// Tells whether there is a base.
    pub fn exists(&self) -> bool {
        self.root.join(layout::FORMAT).is_file()
    }
}

fn search(start: &Path, top: Option<&Path>, location: &Location) -> Option<Scope> {
    for folder in start.ancestors() {
        let scope = Scope::with_location(folder, location);
        if scope.exists() {
            return Some(scope);
        }
        if top == Some(folder) {
            return None;
        }
    }
    None
}
