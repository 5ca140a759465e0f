//! Signals as reflection sees them, of this base and of others.

use std::collections::BTreeSet;

use lore_core::{Detail, Entry, Kind, Moment, Severity};
use lore_distill::reflect::Friction;

use crate::query::Across;
use crate::{Engine, Error};

impl Engine {
    /// Reads the signals as reflection sees them.
    pub(super) fn frictions(&self, across: bool) -> Result<Vec<Friction>, Error> {
        let mut found = self.frictions_here(None)?;
        if across {
            for (name, other) in self.others(&Across::All)? {
                found.extend(other.frictions_here(Some(&name))?);
            }
        }
        found.sort_by(|a, b| (a.at, &a.id).cmp(&(b.at, &b.id)));
        Ok(found)
    }

    fn frictions_here(&self, project: Option<&str>) -> Result<Vec<Friction>, Error> {
        let snapshot = self.store.snapshot()?;
        let wanted = snapshot.summaries().filter(|one| one.kind == Kind::Signal);
        let stored = snapshot.read_some(wanted).into_iter().flatten();
        Ok(stored.filter_map(|stored| friction(&stored.entry, project)).collect())
    }
}

fn friction(entry: &Entry, project: Option<&str>) -> Option<Friction> {
    let Detail::Signal(signal) = &entry.detail else { return None };
    let part = |heading: &str| section(&entry.body, heading).unwrap_or_default();
    let happened = part("What Happened");
    let happened = if happened.is_empty() { entry.body.clone() } else { happened };
    let rule = happened.split("\n\nNoticed by rule:").next().unwrap_or_default().to_owned();
    let from = project.or(entry.project.as_deref()).unwrap_or_default();
    let mut places: BTreeSet<String> = BTreeSet::new();
    match &signal.phase {
        Some(phase) if !is_nothing(phase) => {
            places.insert(format!("{from} phase {phase}"));
        }
        _ => places.extend(
            entry
                .sources
                .iter()
                .filter_map(|one| one.session.as_ref())
                .map(|id| format!("{from} session {id}")),
        ),
    }
    if places.is_empty() {
        let day = entry.created.or(entry.updated).map(|at| at.date().to_string());
        places.insert(format!("{from} day {}", day.unwrap_or_default()));
    }
    let positive = signal.polarity.as_deref() == Some("positive")
        || matches!(signal.signal_type, Some(lore_core::SignalType::GoodPattern));
    Some(Friction {
        id: match project {
            Some(project) => format!("{project}/{}", entry.id),
            None => entry.id.to_string(),
        },
        title: entry.title.clone(),
        happened: rule,
        cause: format!("{}\n{}\n{}", part("Potential Cause"), part("Remediation"), part("Recommendation"))
            .trim()
            .to_owned(),
        tags: entry.tags.clone(),
        signal_type: signal.signal_type,
        severity: signal.severity.unwrap_or(Severity::Low),
        positive,
        at: entry.created.or(entry.updated).map(Moment::instant),
        state: signal.lifecycle_state,
        places,
        times: entry.occurrences.unwrap_or(1),
        files: entry.files.clone(),
        command: signal.command.clone(),
        error: signal.error.clone(),
    })
}

fn is_nothing(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "" | "n/a" | "none" | "null" | "-" | "0")
}

/// Returns the text below a heading.
fn section(body: &str, heading: &str) -> Option<String> {
    let start = body.find(&format!("## {heading}"))?;
    let rest = body[start..].split_once('\n')?.1;
    Some(rest.split("\n## ").next().unwrap_or(rest).trim().to_owned())
}
