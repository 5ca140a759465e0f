//! Editing an entry's file as text, with the check on return.

use lore_core::Diagnostic;
use lore_store::Version;

use crate::entries::Done;
use crate::{Engine, Error};

/// An entry's text as it is handed to an editor.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The entry.
    pub id: lore_core::EntryId,
    /// Its file, relative to the base.
    pub path: String,
    /// The text.
    pub text: String,
    version: Version,
}

impl Engine {
    /// Takes an entry out for editing. Nothing is locked meanwhile.
    pub fn checkout(&self, name: &str) -> Result<Draft, Error> {
        let snapshot = self.store.snapshot()?;
        let stored = snapshot.read(snapshot.resolve(name)?)?;
        let refuse = || {
            Error::request(
                format!("`{}` is not valid UTF-8", stored.path),
                "open the file in an editor that can repair it",
            )
        };
        let text = stored.text().ok_or_else(refuse)?.to_owned();
        Ok(Draft { id: stored.entry.id, path: stored.path, text, version: stored.version })
    }

    /// Lists what would be wrong with an edited text.
    pub fn problems(&self, draft: &Draft, text: &str) -> Vec<Diagnostic> {
        lore_store::format::read(&draft.path, text.as_bytes()).diagnostics
    }

    /// Puts an edited text in place, unless somebody else changed the file meanwhile.
    pub fn checkin(&self, draft: &Draft, text: &str) -> Result<Done, Error> {
        let mut transaction = self.begin_as_person("edit")?;
        let written = transaction.replace_text(&draft.id, text, draft.version)?;
        self.commit(transaction, &format!("edit {}", written.id))?;
        Ok(Done { id: written.id, path: written.path, dry_run: false })
    }
}

impl Engine {
    /// Writes a text for an editor into the state of the base and returns where.
    pub fn scratch(&self, name: &str, text: &str) -> Result<std::path::PathBuf, Error> {
        let name = format!("edit/{name}");
        self.store.work().write(&name, text.as_bytes())?;
        Ok(self.store.work().path(&name)?)
    }

    /// Removes what [`Engine::scratch`] wrote; one that cannot be removed does no harm.
    pub fn drop_scratch(&self, name: &str) {
        if let Err(error) = self.store.work().remove(&format!("edit/{name}")) {
            tracing::debug!(%error, "a scratch file is left");
        }
    }
}
