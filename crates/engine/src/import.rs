//! Taking in other tools' stores.

use std::path::Path;

use lore_core::text::counted;
use lore_core::{Diagnostic, EntryId};
use lore_store::Refused;
use lore_store::import::{self, ImportOptions, ToldBy};
use serde::Serialize;

use crate::{Engine, Error};

/// What an import did, file by file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportReport {
    /// What sort of store it is.
    pub store: String,
    /// Whether that was only guessed, from pages or folders that could be something else.
    pub guessed: bool,
    /// Entries that were taken.
    pub taken: Vec<Taken>,
    /// Entries that are here already.
    pub known: Vec<String>,
    /// Files that were left, and why.
    pub left: Vec<Left>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// An entry that was taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taken {
    /// Its id here.
    pub id: EntryId,
    /// The file it came from.
    pub from: String,
    /// What had to be repaired.
    pub repaired: Vec<Diagnostic>,
}

/// A file that was left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// The file.
    pub from: String,
    /// Why.
    pub why: String,
}

impl Engine {
    /// Imports another tool's store; what is here already is not taken twice.
    pub fn import(&self, path: &Path, dry_run: bool) -> Result<ImportReport, Error> {
        let path = self.world.directory.join(path);
        let read = import::import(&path, &ImportOptions::default())?;
        let kind = read.kind;
        let mut report = ImportReport {
            store: kind.word().to_owned(),
            guessed: read.told_by == ToldBy::Guess,
            taken: Vec::new(),
            known: Vec::new(),
            left: read.left.into_iter().map(|left| Left { from: left.from, why: left.why }).collect(),
            dry_run,
        };
        let mut transaction = self.begin_as_machine("import")?;
        for imported in read.entries {
            match transaction.create(imported.entry) {
                Ok(written) => report.taken.push(Taken {
                    id: written.id,
                    from: imported.from,
                    repaired: imported.repaired,
                }),
                Err(Refused::Taken { .. }) => report.known.push(imported.from),
                Err(refused) => report.left.push(Left { from: imported.from, why: refused.to_string() }),
            }
        }
        if !dry_run && !report.taken.is_empty() {
            self.commit(
                transaction,
                &format!("import {} from {}", counted(report.taken.len(), "entry", "entries"), kind.word()),
            )?;
        }
        Ok(report)
    }
}
