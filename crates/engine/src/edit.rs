//! Editing an entry's file as text, with the check on return.

use std::path::PathBuf;

use lore_core::{Diagnostic, Entry};
use lore_store::Version;

use crate::edited;
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
    before: Entry,
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
        let (id, before) = (stored.entry.id.clone(), stored.entry);
        Ok(Draft { id, path: stored.path, text, before, version: stored.version })
    }

    /// Lists what would be wrong with an edited text.
    pub fn problems(&self, draft: &Draft, text: &str) -> Vec<Diagnostic> {
        lore_store::format::read(&draft.path, text.as_bytes()).diagnostics
    }

    /// Puts an edited text in place, unless somebody else changed the file meanwhile.
    ///
    /// What it says is the editor's own word from then on; what it said before goes to the history.
    pub fn checkin(&self, draft: &Draft, text: &str) -> Result<Done, Error> {
        self.only_a_person("edit an entry as text", "hand in what is new with `lore learn`")?;
        let mut transaction = self.begin("edit")?;
        let mut written = transaction.replace_text(&draft.id, text, draft.version)?;
        let stored = transaction.get(written.id.as_str())?;
        let mut entry = stored.entry.clone();
        edited::follow(&draft.before, &mut entry, &self.world.person(), self.world.moment());
        if entry != stored.entry {
            written = transaction.replace(entry, stored.version)?;
        }
        self.commit(transaction, &format!("edit {}", written.id))?;
        Ok(Done { id: written.id, path: written.path, met: None, dry_run: false })
    }
}

/// A text that was typed and not yet put in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// What it is a text of: the id of an entry.
    pub name: String,
    /// The file that holds it.
    pub file: PathBuf,
    /// The text.
    pub text: String,
    /// What it was made from.
    pub base: String,
}

const FOLDER: &str = "edit";

impl Engine {
    /// Writes a text for an editor into the work folder, beside what it is made from, and returns where.
    ///
    /// It stays there until [`Engine::drop_scratch`], whatever happens to the editor or to us.
    pub fn scratch(&self, name: &str, text: &str, base: &str) -> Result<PathBuf, Error> {
        let file = format!("{FOLDER}/{name}.md");
        self.store.work().write(&format!("{FOLDER}/{name}.base"), base.as_bytes())?;
        self.store.work().write(&file, text.as_bytes())?;
        Ok(self.store.work().path(&file)?)
    }

    /// Removes what [`Engine::scratch`] wrote; one that cannot be removed does no harm.
    pub fn drop_scratch(&self, name: &str) {
        for end in ["md", "base"] {
            if let Err(error) = self.store.work().remove(&format!("{FOLDER}/{name}.{end}")) {
                tracing::debug!(%error, "a scratch file is left");
            }
        }
    }

    /// Lists the texts that were typed and never put in place.
    pub fn unfinished(&self) -> Vec<Unfinished> {
        let folder = self.store.work().folder().join(FOLDER);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
        let read = |file: PathBuf| {
            let name = file.file_name()?.to_str()?.strip_suffix(".md")?.to_owned();
            let text = String::from_utf8_lossy(&std::fs::read(&file).ok()?).into_owned();
            let base = std::fs::read_to_string(file.with_extension("base")).unwrap_or_default();
            (text != base && !text.trim().is_empty()).then_some(Unfinished { name, file, text, base })
        };
        let mut found: Vec<Unfinished> = files.filter_map(read).collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }
}
