//! The files as they were before we came, kept where only the user can read them.
//!
//! They lie in the user's own folder, not with a base: what was put into an agent can be taken out
//! when there is no base any more, or never was one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lore_core::ContentHash;
use lore_store::derived::Derived;
use serde::{Deserialize, Serialize};

use crate::{Error, World};

/// Folders that we made, so that they go with what was in them.
const FOLDERS: &str = "install/folders.json";

/// What we know about a file we changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Kept {
    #[serde(with = "crate::path_text")]
    pub(super) path: PathBuf,
    /// What it held; nothing where there was no file.
    pub(super) before: Option<String>,
    /// Hash of what we left.
    pub(super) left: String,
    /// The agents for which it was changed; several may share a file.
    #[serde(default)]
    pub(super) agents: Vec<String>,
}

impl Kept {
    /// Tells whether a file is as we left it.
    pub(super) fn is_as_left(&self, text: &str) -> bool {
        hash(text) == self.left
    }
}

/// Folders of [`FOLDERS`].
#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Folders(#[serde(with = "crate::path_text::list")] BTreeSet<PathBuf>);

/// All of them.
pub(super) struct Records(Derived);

impl Records {
    pub(super) fn of(world: &World) -> Result<Records, Error> {
        let data = world.data_folder().ok_or(Error::NoHome)?;
        Ok(Records(Derived::new(data.join(lore_store::WORK))))
    }

    pub(super) fn get(&self, path: &Path) -> Option<Kept> {
        serde_json::from_slice(&std::fs::read(self.place(path)).ok()?).ok()
    }

    /// Returns where the file as it was is kept.
    pub(super) fn place(&self, path: &Path) -> PathBuf {
        self.0.folder().join(name(path))
    }

    /// Keeps a file as it was before we first touched it.
    pub(super) fn keep(
        &self,
        path: &Path,
        before: Option<&str>,
        after: &str,
        agent: &str,
    ) -> Result<(), Error> {
        // A second installation must not take our own work for the user's.
        let earlier = self.get(path).filter(|kept| before.is_some_and(|text| kept.is_as_left(text)));
        let mut folders = self.folders();
        folders.extend(path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned));
        self.put_folders(&folders)?;
        let mut kept = earlier.unwrap_or_else(|| Kept {
            path: path.to_owned(),
            before: before.map(str::to_owned),
            left: String::new(),
            agents: Vec::new(),
        });
        kept.left = hash(after);
        self.put(kept, agent)
    }

    /// Remembers that another agent relies on a file that is there already.
    pub(super) fn rely(&self, path: &Path, agent: &str) -> Result<(), Error> {
        match self.get(path) {
            Some(kept) if !kept.agents.iter().any(|known| known == agent) => self.put(kept, agent),
            _ => Ok(()),
        }
    }

    /// Lets an agent go; what remains are those that still rely on the file.
    pub(super) fn release(&self, mut kept: Kept, agent: &str) -> Result<Vec<String>, Error> {
        kept.agents.retain(|known| known != agent);
        self.write(&name(&kept.path), &kept)?;
        Ok(kept.agents)
    }

    pub(super) fn forget(&self, path: &Path) -> Result<(), Error> {
        Ok(self.0.remove(&name(path))?)
    }

    /// Removes folders that we made and that nothing is in any more.
    pub(super) fn tidy(&self) -> Result<(), Error> {
        let mut folders = self.folders();
        // The innermost first; only an empty folder can be removed like this.
        let inside_out: Vec<PathBuf> = folders.iter().rev().cloned().collect();
        for folder in inside_out {
            if std::fs::remove_dir(&folder).is_ok() || !folder.exists() {
                folders.remove(&folder);
            }
        }
        if folders.is_empty() { Ok(self.0.remove(FOLDERS)?) } else { self.put_folders(&folders) }
    }

    fn folders(&self) -> BTreeSet<PathBuf> {
        let bytes = std::fs::read(self.0.folder().join(FOLDERS)).unwrap_or_default();
        serde_json::from_slice::<Folders>(&bytes).unwrap_or_default().0
    }

    fn put_folders(&self, folders: &BTreeSet<PathBuf>) -> Result<(), Error> {
        self.write(FOLDERS, &Folders(folders.clone()))
    }

    fn put(&self, mut kept: Kept, agent: &str) -> Result<(), Error> {
        if !kept.agents.iter().any(|known| known == agent) {
            kept.agents.push(agent.to_owned());
        }
        self.write(&name(&kept.path), &kept)
    }

    fn write(&self, name: &str, value: &impl Serialize) -> Result<(), Error> {
        Ok(self.0.write(name, self.0.json_in_lines(name, value)?.as_bytes())?)
    }
}

fn name(path: &Path) -> String {
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let key = ContentHash::of(path.display().to_string().as_bytes()).short().to_owned();
    format!("install/{key}-{}", file.trim_start_matches('.'))
}

fn hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).as_str().to_owned()
}
