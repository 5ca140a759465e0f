//! Where what is not knowledge lies, and whether it may be used.
//!
//! In a git repository it lies in git's own folder: nothing that is checked out can reach that, so
//! that a clone brings neither promises to carry out nor sessions that somebody else had, and git
//! never sees what we keep. What concerns the files of one worktree lies in that worktree's folder,
//! what all of them share in the common one. Without git, and for a person's own base, both are the
//! folder `.lore` beside the base.
//!
//! A state folder that a link leads to is refused. One of another user is read and never written.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::derived::Derived;
use crate::git::Git;
use crate::layout;

/// Our folder in git's own.
const FOLDER: &str = "lore";

/// The folders of a base's state, and the repository it lies in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) work: PathBuf,
    pub(crate) shared: PathBuf,
    pub(crate) git: Option<Git>,
    pub(crate) reach: Reach,
}

/// Whether the folder of a base is where it seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It is.
    Inside,
    /// A link leads out of the repository; what lies there is not this repository's to write.
    Outside,
}

/// A state folder cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` is a symbolic link, which state is not kept behind", path = .0.display())]
pub struct Linked(pub PathBuf);

impl Places {
    /// Finds the places of the state of a project's base.
    pub(crate) fn of_project(project: &Path, root: &Path) -> Places {
        let real = real(root);
        let around = root.parent().and_then(Git::discover);
        let leaves = |git: &Git| !real.starts_with(self::real(git.top()));
        if let Some(git) = around.filter(leaves) {
            // Where the link leads, nothing is written, not even what can be made again.
            let name = name(root.strip_prefix(git.top()).unwrap_or(root));
            return Places::in_git(git, &name, Reach::Outside);
        }
        match Git::discover(&real) {
            Some(git) => {
                let name = name(real.strip_prefix(git.top()).unwrap_or(&real));
                Places::in_git(git, &name, Reach::Inside)
            }
            None => Places::beside(project, None),
        }
    }

    /// Names the places of the state of a person's own base.
    pub(crate) fn of_person(data: &Path, root: &Path) -> Places {
        Places::beside(data, Git::discover(&real(root)))
    }

    fn in_git(git: Git, name: &str, reach: Reach) -> Places {
        let name =
            if git.is_known_to_git() { name.to_owned() } else { format!("{name}%{}", mark(git.top())) };
        let at = |folder: &Path| folder.join(FOLDER).join(&name);
        Places { work: at(git.own()), shared: at(git.common()), git: Some(git), reach }
    }

    fn beside(folder: &Path, git: Option<Git>) -> Places {
        let work = folder.join(layout::WORK);
        Places { shared: work.clone(), work, git, reach: Reach::Inside }
    }
}

/// Opens a folder of state: to write where it is ours, else to read.
pub(crate) fn open(folder: &Path) -> Result<Derived, Linked> {
    let derived = Derived::new(folder);
    let above = folder.parent().filter(|parent| parent.ends_with(FOLDER));
    for part in above.into_iter().chain([folder]) {
        let Ok(meta) = fs::symlink_metadata(part) else { return Ok(derived) };
        if meta.is_symlink() {
            return Err(Linked(part.to_owned()));
        }
        if !meta.is_dir() {
            return Ok(derived.closed(format!("`{}` is not a folder", part.display())));
        }
        if !is_mine(&meta) {
            return Ok(derived.closed(format!("`{}` belongs to another user", part.display())));
        }
    }
    Ok(derived)
}

/// Tells whether a file belongs to whoever runs this process; where that cannot be told, it does.
pub(crate) fn is_mine(meta: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        static ME: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
        let me = ME.get_or_init(|| {
            let own = fs::metadata("/proc/self").ok();
            own.or_else(|| tempfile::tempfile().and_then(|file| file.metadata()).ok()).map(|own| own.uid())
        });
        me.is_none_or(|me| me == meta.uid())
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        true
    }
}

/// Follows links as far as a path is there; a base that is yet to be made lies where it will.
fn real(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|there| {
            let rest = path.strip_prefix(there).ok()?;
            let found = fs::canonicalize(there).ok()?;
            Some(if rest.as_os_str().is_empty() { found } else { found.join(rest) })
        })
        .unwrap_or_else(|| path.to_owned())
}

/// Names the folder of a base: its path in the repository, on one level.
fn name(path: &Path) -> String {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().replace('%', "%25").replace('+', "%2B")),
        _ => None,
    });
    let name = parts.collect::<Vec<_>>().join("+");
    if name.is_empty() { "+".to_owned() } else { name }
}

/// Tells worktrees apart that git does not know of.
fn mark(top: &Path) -> String {
    lore_core::ContentHash::of(top.to_string_lossy().as_bytes()).short().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_of_one_repository_have_folders_of_their_own() {
        let check = |path: &str, expected: &str| assert_eq!(name(Path::new(path)), expected, "{path}");
        check("knowledge", "knowledge");
        check("services/billing/knowledge", "services+billing+knowledge");
        check("services+billing/knowledge", "services%2Bbilling+knowledge");
        check("", "+");
    }
}
