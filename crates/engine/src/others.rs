//! The bases beside this one: the user's own, and those of other known projects.

use std::collections::BTreeSet;

use lore_store::Scope;
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
                let matches = |name: &str| {
                    name == wanted
                        || name.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.ends_with('/'))
                };
                found.extend(self.known_projects().into_iter().filter(|(name, _)| matches(name)));
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

    /// Opens the base of every known project; of several clones the first that is there.
    fn known_projects(&self) -> Vec<(String, Engine)> {
        let Some(data) = self.world.data_folder() else { return Vec::new() };
        let projects = Registry::new(&Scope::personal(&data).work).projects();
        let own = registry::project_id(self.store.git(), self.project());
        let mut found = Vec::new();
        for project in projects {
            let open = |root: &std::path::PathBuf| {
                let mut variables = self.world.variables.clone();
                variables.remove(crate::env::LORE_BASE);
                Engine::open(World { directory: root.clone(), variables, ..self.world.clone() }).ok()
            };
            // Of this project, it is this clone that is meant.
            let here = (project.id == own).then(|| self.project().to_owned());
            let opened = here.iter().chain(&project.roots).find_map(open);
            found.extend(opened.map(|engine| (project.id.to_string(), engine)));
        }
        found
    }
}
