//! Taking in workspaces of other tools; what is here already gets only the papers it lacks.

use std::path::Path;

use lore_core::text::counted;
use lore_core::{Entry, EntryId, Kind};
use lore_store::import::{ImportedSpike, is_same_spike, spike_workspaces};
use serde::Serialize;

use super::workspace::folder;
use crate::{Engine, Error};

/// What an import of workspaces did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SpikeImport {
    /// Spikes that were taken, with where they came from.
    pub taken: Vec<(String, String)>,
    /// Spikes that were here and got papers.
    pub joined: Vec<(String, String)>,
    /// Workspaces that were here, papers and all.
    pub known: Vec<String>,
    /// Workspaces that were left, and why.
    pub left: Vec<(String, String)>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Imports every workspace below a folder.
    pub fn import_spikes(&self, path: &Path, dry_run: bool) -> Result<SpikeImport, Error> {
        let path = self.world.directory.join(path);
        let (found, left) = spike_workspaces(&path);
        let mut report = SpikeImport { dry_run, ..SpikeImport::default() };
        report.left = left.into_iter().map(|left| (left.from, left.why)).collect();
        if found.is_empty() && report.left.is_empty() {
            let hint = "give a folder whose folders hold DESIGN.md, FINDINGS.md or DECISION.md";
            return Err(Error::request(
                format!("there are no spike workspaces in `{}`", path.display()),
                hint,
            ));
        }
        let snapshot = self.store.snapshot()?;
        let here: Vec<(EntryId, String)> = snapshot
            .summaries()
            .filter(|one| one.kind == Kind::Spike)
            .map(|one| (one.id.clone(), one.path.clone()))
            .collect();
        let mut transaction = self.begin_as_machine("spike import")?;
        for ImportedSpike { entry, from, papers } in found {
            let known = here.iter().find(|(id, _)| is_same_spike(id, &entry.id));
            let place = match known {
                Some((_, path)) => folder(path).to_owned(),
                None => match transaction.create(without_own(entry.clone())) {
                    Ok(written) => folder(&written.path).to_owned(),
                    Err(refused) => {
                        report.left.push((from, refused.to_string()));
                        continue;
                    }
                },
            };
            let mut added = 0;
            for (name, text) in papers {
                let paper = format!("{place}/{name}");
                if self.store.paper(&paper).is_none() {
                    transaction.put_paper(&paper, &text)?;
                    added += 1;
                }
            }
            match (known, added) {
                (None, _) => report.taken.push((entry.id.to_string(), from)),
                (Some(_), 0) => report.known.push(from),
                (Some((id, _)), _) => report.joined.push((id.to_string(), from)),
            }
        }
        let changed = report.taken.len() + report.joined.len();
        if !dry_run && changed > 0 {
            self.commit(transaction, &format!("import {}", counted(changed, "spike", "spikes")))?;
        }
        Ok(report)
    }
}

/// Takes out of an entry what says that it was written here.
fn without_own(mut entry: Entry) -> Entry {
    entry.verified.retain(|stamp| !stamp.by.starts_with("human:"));
    entry
}
