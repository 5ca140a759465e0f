//! Conditions that entries without any could rest on: files they are about, packages they name.

use lore_core::{EntryId, Status};
use lore_ground::freshness::Truth;
use serde::Serialize;

use crate::verdicts::Verdicts;
use crate::{Engine, Error};

/// An entry and the conditions it could rest on; all of them hold today.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggested {
    /// The entry.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// Conditions, as they would stand in `depends_on`.
    pub conditions: Vec<String>,
}

impl Engine {
    /// Suggests conditions for entries that have none and name a file or a package of the project.
    pub fn suggested_conditions(&self) -> Result<Vec<Suggested>, Error> {
        let mut verdicts = self.verdicts();
        let used = lore_ground::stack(verdicts.project());
        let mut found = Vec::new();
        for entry in self.store.snapshot()?.summaries() {
            if !entry.depends_on.is_empty() || entry.archived || entry.status != Status::Current {
                continue;
            }
            let files = entry.files.iter().map(|file| format!("{file} exists"));
            let mut conditions: Vec<String> =
                files.filter(|one| verdicts.judge(one).truth == Truth::Holds).collect();
            for tag in entry.tags.iter().map(|tag| tag.rsplit('/').next().unwrap_or(tag)) {
                if used.contains(&tag.to_lowercase()) {
                    conditions.extend(of_package(tag, &mut verdicts));
                }
            }
            if !conditions.is_empty() {
                found.push(Suggested { id: entry.id.clone(), title: entry.title.clone(), conditions });
            }
        }
        verdicts.save();
        Ok(found)
    }
}

/// Makes the condition that a package stays, at least in the major version that is used today.
pub(crate) fn of_package(name: &str, verdicts: &mut Verdicts) -> Option<String> {
    let verdict = verdicts.judge(&format!("{name} >= 0"));
    let major = verdict.evidence.first().and_then(|line| major(line, name))?;
    let condition = format!("{name} >= {major}");
    (verdicts.judge(&condition).truth == Truth::Holds).then_some(condition)
}

/// Reads the first number of the version behind a package's name, as in `Cargo.lock:3 serde 1.0.2`.
fn major(evidence: &str, package: &str) -> Option<u64> {
    let (_, version) = evidence.rsplit_once(&format!(" {package} "))?;
    let digits: String =
        version.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_the_evidence() {
        assert_eq!(major("Cargo.lock:3 serde 1.0.2", "serde"), Some(1));
        assert_eq!(major("package.json:3 prisma ^3.1.0", "prisma"), Some(3));
        assert_eq!(major("package.json:3 prisma any version", "prisma"), None);
    }
}
