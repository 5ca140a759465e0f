//! The bases beside this one: the user's own, and those of other known projects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lore_store::Scope;
use lore_store::git::Git;
use lore_store::registry::{self, Registry};

use crate::query::Across;
use crate::{Engine, Error, World};

/// The name of the user's own base.
pub(crate) const PERSONAL: &str = "personal";

/// Entries with this tag never leave the user's own base.
pub(crate) const PRIVATE: &str = "private";

/// Tells whether an entry is to stay in the user's own base.
pub(crate) fn is_private(tags: &[String]) -> bool {
    tags.iter().any(|tag| tag.eq_ignore_ascii_case(PRIVATE) || tag.to_lowercase().starts_with("private/"))
}

impl Engine {
    /// Refuses an entry that is to stay in the user's own base, in any other.
    pub(crate) fn keep_private(&self, tags: &[String]) -> Result<(), Error> {
        if self.is_personal() || !is_private(tags) {
            return Ok(());
        }
        Err(Error::request(
            format!("an entry with the tag `{PRIVATE}` stays in your personal base"),
            "add `--personal`, or leave the tag out",
        ))
    }

    /// Lists the entries that never leave this base.
    pub(crate) fn private_entries(&self) -> BTreeSet<String> {
        let Ok(snapshot) = self.store.snapshot() else { return BTreeSet::new() };
        let private = snapshot.summaries().filter(|summary| is_private(&summary.tags));
        private.map(|summary| summary.id.to_string()).collect()
    }

    /// Opens the bases that are asked besides this one, each with a name; one that cannot be opened is left out.
    pub(crate) fn others(&self, across: &Across) -> Result<Vec<(String, Engine)>, Error> {
        let mut found = Vec::new();
        if self.settings.personal.search && !self.is_personal() && !matches!(across, Across::Project(_)) {
            let own = self.world.data_folder().map(|data| Scope::personal(&data));
            if own.is_some_and(|scope| scope.exists()) {
                found.extend(
                    Engine::open_personal(self.world.clone()).ok().map(|own| (PERSONAL.to_owned(), own)),
                );
            }
        }
        match across {
            Across::Here => {}
            Across::All => {
                let here = self.root().to_owned();
                found.extend(self.known_projects().into_iter().filter(|(_, other)| other.root() != here));
            }
            Across::Project(wanted) => {
                // By its name or the end of it, by its folder, or by the way there.
                let there = self.world.directory.join(wanted).canonicalize().ok();
                let matches = |(name, other): &(String, Engine)| {
                    let folder = other.project().canonicalize().ok();
                    name == wanted
                        || name.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.ends_with(['/', ':']))
                        || other.project().file_name().is_some_and(|own| own == wanted.as_str())
                        || there.is_some() && folder == there
                };
                found.extend(self.known_projects().into_iter().filter(matches));
                if found.is_empty() {
                    let names: Vec<String> =
                        self.known_projects().into_iter().map(|(name, _)| format!("`{name}`")).collect();
                    let hint = format!("the known projects are {}", names.join(", "));
                    return Err(Error::request(format!("no project is called `{wanted}`"), hint));
                }
            }
        }
        Ok(found)
    }

    /// Opens the base of every known project; of several clones the first that is there. A part of a repository that has
    /// a base of its own stands beside the whole.
    fn known_projects(&self) -> Vec<(String, Engine)> {
        let Some(data) = self.world.data_folder() else { return Vec::new() };
        let projects = Registry::new(&Scope::personal(&data).work).projects();
        let own = registry::project_id(self.store.git(), self.project());
        let mut found = Vec::new();
        for project in projects {
            let open = |root: &PathBuf| {
                let mut variables = self.world.variables.clone();
                variables.remove(crate::env::LORE_BASE);
                let there = World { directory: root.clone(), variables, ..self.world.clone() };
                // Where a part has none any more, the whole would be found in its place.
                Engine::open(there).ok().filter(|engine| part_of(engine.project()) == part_of(root))
            };
            // Of this project, it is this clone that is meant.
            let here = (project.id == own).then(|| self.project().to_owned());
            let mut parts: BTreeMap<PathBuf, Vec<&PathBuf>> = BTreeMap::new();
            for root in here.iter().chain(&project.roots) {
                parts.entry(part_of(root)).or_default().push(root);
            }
            for (part, roots) in parts {
                let opened = roots.into_iter().find_map(open);
                found.extend(opened.map(|engine| {
                    let name = called(&project.id.to_string(), engine.project());
                    (within(name, &part, engine.project()), engine)
                }));
            }
        }
        found
    }

    /// Says in which other base an entry is that this one does not hold, and how to reach it there.
    pub fn held_elsewhere(&self, name: &str) -> Option<String> {
        let holds = |other: &Engine| other.store.snapshot().is_ok_and(|base| base.resolve(name).is_ok());
        let (base, other) = self.others(&Across::All).ok()?.into_iter().find(|(_, other)| holds(other))?;
        Some(match base == PERSONAL {
            true => "it is in your personal base: add `--personal`".to_owned(),
            false => format!("it is in another project: add `-C {}`", other.project().display()),
        })
    }
}

/// Returns where in its repository a project lies; nothing where it is the whole of it.
fn part_of(project: &Path) -> PathBuf {
    Git::discover(project).map(|git| git.inside(project)).unwrap_or_default()
}

/// Says of which part a name is, where the name itself does not.
fn within(name: String, part: &Path, project: &Path) -> String {
    let says =
        part.as_os_str().is_empty() || project.file_name().is_some_and(|folder| folder == name.as_str());
    if says { name } else { format!("{name}/{}", part.display()) }
}

/// A repository without a remote is known by its first commit, and before it has one by its own folder;
/// people know it by the folder it lies in.
fn called(id: &str, folder: &Path) -> String {
    let is_commit = id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_commit {
        // Nobody else may pass for the user's own base.
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        return name.filter(|name| name != PERSONAL).unwrap_or_else(|| folder.display().to_string());
    }
    let id = id.strip_suffix(".git").filter(|id| id.starts_with('/')).unwrap_or(id);
    id.trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_called_by_its_folder_or_its_remote() {
        let check = |id: &str, folder: &str, expected: &str| {
            assert_eq!(called(id, Path::new(folder)), expected, "{id}");
        };
        check("/home/ada/ferry/.git", "/home/ada/ferry", "/home/ada/ferry");
        check("github.com/ada/ferry", "/home/ada/mine", "github.com/ada/ferry");
        check("github.com/ada/ferry.git", "/home/ada/mine", "github.com/ada/ferry.git");
        let commit = "9fbc0fc0e5b687144201cfec27ff4c46afd68912";
        check(commit, "/home/ada/ferry", "ferry");
        check(commit, "/home/ada/personal", "/home/ada/personal");
    }
}
