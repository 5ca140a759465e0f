//! Which base is meant, seen from a folder.
//!
//! A project's base lies in its repository. It is looked for upwards from where the user is, so a
//! part of a monorepo that has its own comes before the root's. A worktree whose branch has no
//! base yet uses that of the main worktree.

use std::path::{Path, PathBuf};

use crate::git::Git;
use crate::layout;
use crate::place::{Places, Reach};

/// What a base is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// One project.
    Project,
    /// One person, across projects.
    Personal,
}

/// A base and the folders of what is not knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// What it is for.
    pub kind: ScopeKind,
    /// The folder of the project; for a person's own base, of their data.
    pub project: PathBuf,
    /// The folder of the base.
    pub root: PathBuf,
    /// State that concerns the files of this worktree.
    pub work: PathBuf,
    /// State that all worktrees of the repository share; without others the same folder.
    pub shared: PathBuf,
    pub(crate) git: Option<Git>,
    pub(crate) reach: Reach,
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
        let places = Places::of_project(project, &root);
        Scope::new(ScopeKind::Project, project, root, places)
    }

    /// Names the base in this very folder; the project is the one in which it would be found there.
    pub fn named(root: &Path, location: &Location) -> Scope {
        let above = location.folder.components().count();
        let project = match root.ends_with(&location.folder) {
            true => root.ancestors().nth(above),
            false => root.parent(),
        };
        let project = project.unwrap_or(root);
        Scope::new(ScopeKind::Project, project, root.to_owned(), Places::of_project(project, root))
    }

    /// Names a person's own base under their data folder.
    pub fn personal(data: &Path) -> Scope {
        let root = data.join(layout::KNOWLEDGE);
        let places = Places::of_person(data, &root);
        Scope::new(ScopeKind::Personal, data, root, places)
    }

    fn new(kind: ScopeKind, project: &Path, root: PathBuf, places: Places) -> Scope {
        let Places { work, shared, git, reach } = places;
        Scope { kind, project: project.to_owned(), root, work, shared, git, reach }
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
        is_base(&self.root)
    }
}

fn search(start: &Path, top: Option<&Path>, location: &Location) -> Option<Scope> {
    for folder in start.ancestors() {
        if is_base(&folder.join(&location.folder)) {
            return Some(Scope::with_location(folder, location));
        }
        if top == Some(folder) {
            return None;
        }
    }
    None
}

fn is_base(root: &Path) -> bool {
    root.join(layout::FORMAT).is_file()
}
