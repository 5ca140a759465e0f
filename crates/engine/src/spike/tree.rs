//! Whether the user's tree stayed as it was while an experiment ran.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lore_store::git::Git;

use super::shield::Shield;
use crate::{Engine, Error};

/// What a file looks like from outside: any write to it shows, also one that puts its time back.
type Look = (u64, i64, i64, u64, u32);

/// The tree at one moment: every file that git tracks or would track, where the repository points, and
/// the settings and hooks of git.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TreeMark {
    files: BTreeMap<String, Option<Look>>,
    pointers: String,
}

/// Without git, so many files are looked at.
const MOST: usize = 200_000;

impl Engine {
    /// Looks at the project's tree.
    pub(super) fn tree_mark(&self) -> Result<TreeMark, Error> {
        let mut mark = TreeMark::default();
        match self.store.git() {
            Some(git) => {
                let asked = |error| {
                    Error::request(
                        format!("the tree cannot be looked at: {error}"),
                        "see to it that `git status` works here",
                    )
                };
                let top = git.top().to_owned();
                mark.pointers = git.pointers().map_err(asked)?;
                // The places themselves may lie in the tree, where the user's data do.
                let places = self.world.data_folder();
                for name in git.listing().map_err(asked)? {
                    if places.as_ref().is_some_and(|places| top.join(&name).starts_with(places)) {
                        continue;
                    }
                    // Of what is ignored only the names are looked at: builds may go on meanwhile.
                    let look = if name.ends_with('/') { None } else { look(&top.join(&name)) };
                    mark.files.insert(name, look);
                }
                for name in ["config", "info/exclude", "info/attributes"] {
                    mark.files.insert(format!(".git/{name}"), look(&git.common().join(name)));
                }
                for hook in std::fs::read_dir(git.common().join("hooks")).into_iter().flatten().flatten() {
                    let name = format!(".git/hooks/{}", hook.file_name().to_string_lossy());
                    mark.files.insert(name, look(&hook.path()));
                }
            }
            None => self.walk(self.project(), "", &mut mark),
        }
        Ok(mark)
    }

    /// Lists what changed in the project's tree since.
    ///
    /// Where the shield holds, the experiment cannot have written into the base: that is Lorekeep's own work, which
    /// goes on meanwhile, or a person's, and neither touches what is measured.
    pub(super) fn changed_since(&self, before: &TreeMark, shield: &Shield) -> Result<Vec<String>, Error> {
        let now = self.tree_mark()?;
        let base = self.base_in_tree().filter(|_| shield.is_up());
        let in_base = |name: &String| base.as_ref().is_some_and(|base| Path::new(name).starts_with(base));
        let mut changed = before.changed_files(&now);
        changed.retain(|name| !in_base(name));
        let only_committed = |git: &Git| git.only_committed(self.root(), &before.pointers, &now.pointers);
        let git = self.store.git().filter(|_| base.is_some());
        if before.pointers != now.pointers && !git.is_some_and(|git| only_committed(git).unwrap_or(false)) {
            changed.push("the branches or tags of the repository".to_owned());
        }
        Ok(changed)
    }

    /// Returns where the base lies in the tree, unless it is all of it or elsewhere.
    fn base_in_tree(&self) -> Option<PathBuf> {
        let inside = match self.store.git() {
            Some(git) => git.inside(self.root()),
            None => self.root().strip_prefix(self.project()).ok()?.to_owned(),
        };
        Some(inside).filter(|inside| !inside.as_os_str().is_empty())
    }

    fn walk(&self, folder: &Path, prefix: &str, mark: &mut TreeMark) {
        for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = item.path();
            let is_data = self.world.data_folder().is_some_and(|data| path == data);
            if path == self.store.work().folder() || is_data || mark.files.len() >= MOST {
                continue;
            }
            let name = format!("{prefix}{}", item.file_name().to_string_lossy());
            match item.file_type() {
                Ok(kind) if kind.is_dir() => self.walk(&path, &format!("{name}/"), mark),
                _ => {
                    mark.files.insert(name, look(&path));
                }
            }
        }
    }
}

impl TreeMark {
    /// Lists the files that changed since.
    fn changed_files(&self, later: &TreeMark) -> Vec<String> {
        self.files
            .iter()
            .filter(|(name, look)| later.files.get(*name) != Some(look))
            .map(|(name, _)| name.clone())
            .chain(later.files.keys().filter(|name| !self.files.contains_key(*name)).cloned())
            .collect()
    }
}

fn look(path: &Path) -> Option<Look> {
    use std::os::unix::fs::MetadataExt as _;
    let about = std::fs::symlink_metadata(path).ok()?;
    let nanoseconds = |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
    Some((
        about.len(),
        nanoseconds(about.mtime(), about.mtime_nsec()),
        nanoseconds(about.ctime(), about.ctime_nsec()),
        about.ino(),
        about.mode(),
    ))
}
