//! Where a file and the base say different things: both sides are shown, and neither is changed.

use lore_core::handle::shown as short;
use lore_core::{Candidate, Entry, EntryId, Evidence, Kind, SessionId, Voice};
use lore_distill::curate::{Bars, Outcome, Setting, curate};
use serde::{Deserialize, Serialize};

use super::{Written, WrittenStanding};
use crate::meet::met_entry;
use crate::{Engine, Error};

/// What was found the last time, in the state of the base.
const FOUND: &str = "written/disagreements.json";
/// So many statements are compared.
const MOST: usize = 400;

/// A statement of a file that contradicts one of the base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The entry.
    pub entry: EntryId,
    /// What it says.
    pub says: String,
    /// The file.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// What that says.
    pub written: String,
}

impl Disagreement {
    /// Says it on one line, from the side of the entry.
    pub fn beside(&self) -> String {
        format!("{}:{} says otherwise: {}", self.file, self.line, self.written)
    }

    /// Says both sides on one line.
    pub fn line(&self) -> String {
        format!(
            "{}:{} “{}” against [{}] “{}”",
            self.file,
            self.line,
            self.written,
            short(self.entry.as_str()),
            self.says
        )
    }
}

impl Engine {
    /// Compares what files say with what the base holds, as curation compares, and keeps what it found.
    pub fn disagreements(&self) -> Result<Vec<Disagreement>, Error> {
        let written = self.everything_written();
        let transaction = self.begin("written")?;
        let found = crate::curate::known_in(self.store.work(), &transaction, |known| {
            let path = |entry: &Entry| transaction.base().path_of(entry);
            let bars = |_: usize| Bars::OPEN;
            let setting = Setting { known, now: self.world.now, path: &path, bars: &bars };
            let mut found: Vec<Disagreement> = Vec::new();
            for one in written.iter().take(MOST) {
                for kind in [Kind::Preference, Kind::Decision] {
                    let curation = curate(vec![self.as_candidate(one, kind)], &setting);
                    // A person's page is never rewritten: the other side would stand in one of its own.
                    let opposed = curation.proposals.iter().find_map(met_entry);
                    let against =
                        curation.decisions.into_iter().find(|decision| contradicts(decision.outcome));
                    let Some(decision) = against else { continue };
                    let met = [decision.entry, opposed].into_iter().flatten();
                    let met = met.filter_map(|id| transaction.get(id.as_str()).ok()).next();
                    let Some(met) = met.map(|stored| stored.entry) else { continue };
                    let (entry, says) = (met.id, decision.against.unwrap_or(met.title));
                    if found.iter().all(|other| other.entry != entry || other.line != one.line) {
                        found.push(Disagreement {
                            entry,
                            says,
                            file: one.file.clone(),
                            line: one.line,
                            written: one.text.clone(),
                        });
                    }
                }
            }
            found
        });
        drop(transaction);
        self.store.shared().write_json_clean(FOUND, &found)?;
        Ok(found)
    }

    /// Returns what was found the last time that somebody or a worker looked.
    pub fn known_disagreements(&self) -> Vec<Disagreement> {
        let path = self.store.shared().folder().join(FOUND);
        std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn as_candidate(&self, written: &Written, kind: Kind) -> Candidate {
        let text = written.text.clone();
        // Who wrote a file is not known to be a person, unless this user says so.
        let voice = if written.standing == WrittenStanding::File { Voice::Agent } else { Voice::Person };
        let evidence = Evidence {
            session: SessionId::new("file".to_owned()),
            agent: "file".to_owned(),
            line: written.line,
            quote: text.clone(),
            voice,
            // A file says what holds now.
            at: None,
        };
        Candidate { title: text.chars().take(72).collect(), ..Candidate::resting_on(evidence, kind) }
    }
}

fn contradicts(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Disputed | Outcome::PossiblyReplaced | Outcome::Supersedes)
}
