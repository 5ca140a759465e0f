//! Signals as reflection sees them, of this base and of others.

use std::collections::BTreeSet;

use lore_core::{Detail, Entry, Kind, LifecycleState, LinkKind, Moment, Severity};
use lore_distill::reflect::Friction;

use crate::query::Across;
use crate::signals::UNKNOWN;
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
    let Parts { happened, context, cause, remedy } = Parts::of(&entry.body);
    let happened = if happened.is_empty() { entry.body.clone() } else { happened };
    let rule = happened.split("\n\nNoticed by rule:").next().unwrap_or_default().to_owned();
    let decided = signal.lifecycle_log.iter().filter_map(|line| decided(line));
    let remedy = decided.fold(remedy, |remedy, line| format!("- {line}\n{remedy}"));
    let like = [LinkKind::Related, LinkKind::RecurrenceOf].into_iter().flat_map(|kind| entry.linked(kind));
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
        context,
        cause,
        remedy,
        related: like.map(str::to_owned).collect(),
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

/// Says what somebody decided to do about a signal, where a line of its log tells.
fn decided(line: &str) -> Option<&str> {
    let (step, told) = line.split_once(" → ")?.1.split_once(", by ")?;
    let why = told.split_once("Z: ")?.1.trim();
    let acts = [LifecycleState::Triaged, LifecycleState::Remediated].iter().any(|state| state.word() == step);
    (acts && why != "by hand").then_some(why)
}

/// The text of a signal by what its headings say it is; whoever wrote it chose the words.
#[derive(Debug, Default, PartialEq)]
struct Parts {
    happened: String,
    context: String,
    cause: String,
    remedy: String,
}

impl Parts {
    const REMEDY: [&str; 16] = [
        "remed",
        "recommend",
        "resol",
        "suggest",
        "fix",
        "rule",
        "respon",
        "action",
        "expected",
        "workaround",
        "improve",
        "what to do",
        "lesson",
        "mitigat",
        "solution",
        "prevent",
    ];
    const CAUSE: [&str; 3] = ["cause", "gap", "reason"];
    const CONTEXT: [&str; 3] = ["context", "why it", "why this"];

    fn of(body: &str) -> Parts {
        let mut parts = Parts::default();
        for section in format!("\n{body}").split("\n## ").skip(1) {
            let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
            let heading = heading.to_lowercase();
            let says =
                |words: &[&str]| words.iter().any(|word| format!(" {heading}").contains(&format!(" {word}")));
            let part = match () {
                () if says(&Parts::REMEDY) => &mut parts.remedy,
                () if says(&Parts::CAUSE) => &mut parts.cause,
                () if says(&Parts::CONTEXT) => &mut parts.context,
                () => &mut parts.happened,
            };
            let text = text.trim();
            if !text.is_empty() && text != UNKNOWN {
                *part = format!("{part}\n\n{text}").trim().to_owned();
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_say_what_a_text_is() {
        let body = "# The chain slips\n\n## What Happened\n\nIt slipped.\n\n## Context\n\nAt night.\n\n## Root Cause\n\nRust.\n\n## Suggested Remediation\n\n- Grease it\n\n## Lesson\n\nLook at it.";
        assert_eq!(
            Parts::of(body),
            Parts {
                happened: "It slipped.".to_owned(),
                context: "At night.".to_owned(),
                cause: "Rust.".to_owned(),
                remedy: "- Grease it\n\nLook at it.".to_owned(),
            }
        );
        assert_eq!(Parts::of("## Potential Cause\n\nNot known.\n"), Parts::default());
    }

    #[test]
    fn who_triages_a_signal_says_what_to_do() {
        let line = "detected → triaged, by kim, 2026-03-01T10:00:00Z: Pin the compiler: it drifts";
        assert_eq!(decided(line), Some("Pin the compiler: it drifts"));
        assert_eq!(decided("detected → triaged, by kim, 2026-03-01T10:00:00Z: by hand"), None);
        assert_eq!(decided("detected → invalidated, by kim, 2026-03-01T10:00:00Z: no problem"), None);
    }
}
