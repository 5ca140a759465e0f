//! What stays as it was seen: the observation of a signal.
//!
//! Whoever writes, person or machine, a signal's observation is what somebody noticed at the time; only
//! where it stands may change, and only along the one table of moves. Each move leaves a line.

use lore_core::Strictness;
use lore_core::{Detail, Entry, Link};

use crate::check::Refused;

/// Keys of other tools that tell where a signal stands, not what was seen.
const STANDING: [&str; 6] =
    ["triage", "remediation", "verification", "response_disposition", "retrieval_count", "last_retrieved"];

/// Refuses a change that is more than a legal move of a signal.
pub(crate) fn check(old: &Entry, new: &Entry) -> Result<(), Refused> {
    let Detail::Signal(before) = &old.detail else { return Ok(()) };
    let Detail::Signal(after) = &new.detail else {
        return Err(frozen(old, "its kind"));
    };
    let mut same = new.clone();
    same.sources.clone_from(&old.sources);
    same.verified.clone_from(&old.verified);
    same.links.clone_from(&old.links);
    same.aliases.clone_from(&old.aliases);
    same.generated.clone_from(&old.generated);
    same.updated = old.updated;
    same.status = old.status;
    same.occurrences = old.occurrences;
    same.curated_by = old.curated_by;
    same.last_auto_curated = old.last_auto_curated;
    same.stale_after = old.stale_after;
    for key in STANDING {
        match old.extra.get(key) {
            Some(value) => same.extra.insert(key.to_owned(), value.clone()),
            None => same.extra.remove(key),
        };
    }
    if let Detail::Signal(signal) = &mut same.detail {
        signal.lifecycle_state = before.lifecycle_state;
        signal.lifecycle_log.clone_from(&before.lifecycle_log);
    }
    if let Some(what) = difference(old, &same) {
        return Err(frozen(old, what));
    }
    let keeps_links = old.links.iter().all(|link: &Link| new.links.contains(link));
    let keeps_sources = old.sources.iter().all(|source| new.sources.contains(source));
    if !keeps_links || !keeps_sources {
        return Err(frozen(old, "its evidence"));
    }
    if !after.lifecycle_log.starts_with(&before.lifecycle_log) {
        return Err(frozen(old, "the log of its moves"));
    }
    if before.lifecycle_state != after.lifecycle_state {
        let (from, to) = (before.lifecycle_state, after.lifecycle_state);
        from.go(to, Strictness::Flexible).map_err(|source| Refused::Move { id: old.id.clone(), source })?;
        if after.lifecycle_log.len() == before.lifecycle_log.len() {
            let problem = format!("it goes from `{from}` to `{to}` without a line that says by whom and why");
            return Err(Refused::Invalid { id: old.id.clone(), problem });
        }
    }
    Ok(())
}

fn frozen(entry: &Entry, what: &'static str) -> Refused {
    Refused::Frozen { id: entry.id.clone(), what }
}

/// Names the first part of the observation that is not as it was.
fn difference(old: &Entry, new: &Entry) -> Option<&'static str> {
    let (Detail::Signal(before), Detail::Signal(after)) = (&old.detail, &new.detail) else {
        return Some("its kind");
    };
    match () {
        () if old.title != new.title => Some("its title"),
        () if old.body.trim_end() != new.body.trim_end() => Some("its text"),
        () if before.severity != after.severity => Some("its severity"),
        () if before.signal_type != after.signal_type => Some("its type"),
        () if old.tags != new.tags => Some("its tags"),
        () if before != after => Some("what was observed"),
        () if (&old.files, &old.issues, &old.created) != (&new.files, &new.issues, &new.created) => {
            Some("what was observed")
        }
        () if old.extra != new.extra => Some("what was observed"),
        () if (&old.description, old.confidence, &old.project, &old.domain)
            != (&new.description, new.confidence, &new.project, &new.domain) =>
        {
            Some("what was observed")
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use lore_core::{EntryId, Kind, LifecycleState, Severity, Signal};

    use super::*;

    fn signal() -> Entry {
        let day = jiff::civil::date(2026, 3, 1);
        let mut entry =
            Entry::new(EntryId::new(Kind::Signal, day, "The rope broke"), Kind::Signal, "The rope broke");
        entry.body = "# The rope broke\n\n## What Happened\n\nIt broke.\n".to_owned();
        entry.detail = Detail::Signal(Signal { severity: Some(Severity::Low), ..Signal::default() });
        entry
    }

    fn moved(entry: &Entry, to: LifecycleState, line: Option<&str>) -> Entry {
        let mut entry = entry.clone();
        if let Detail::Signal(signal) = &mut entry.detail {
            signal.lifecycle_state = to;
            signal.lifecycle_log.extend(line.map(str::to_owned));
        }
        entry
    }

    #[test]
    fn an_observation_stays_as_it_was_seen() {
        let old = signal();
        let refused = |change: &dyn Fn(&mut Entry)| {
            let mut new = old.clone();
            change(&mut new);
            assert!(matches!(check(&old, &new), Err(Refused::Frozen { .. })), "{new:?}");
        };
        refused(&|new| new.title = "The rope held".to_owned());
        refused(&|new| new.body.push_str("\nOr not.\n"));
        refused(&|new| new.tags.push("rope".to_owned()));
        refused(&|new| new.files.push("rope.rs".to_owned()));
        refused(&|new| {
            if let Detail::Signal(signal) = &mut new.detail {
                signal.severity = Some(Severity::Critical);
            }
        });
        let mut noted = old.clone();
        noted.occurrences = Some(4);
        noted.extra.insert("triage".to_owned(), serde_json::json!({ "decision": "address" }));
        assert!(check(&old, &noted).is_ok());
    }

    #[test]
    fn only_legal_moves_with_a_line_are_taken() {
        let old = signal();
        let line = Some("detected → triaged, by human:x, 2026-03-02: look");
        assert!(check(&old, &moved(&old, LifecycleState::Triaged, line)).is_ok());
        assert!(matches!(
            check(&old, &moved(&old, LifecycleState::Triaged, None)),
            Err(Refused::Invalid { .. })
        ));
        assert!(matches!(
            check(&old, &moved(&old, LifecycleState::Verified, line)),
            Err(Refused::Move { .. })
        ));
        let gone = moved(&old, LifecycleState::Invalidated, line);
        assert!(matches!(
            check(&gone, &moved(&gone, LifecycleState::Detected, line)),
            Err(Refused::Move { .. })
        ));
        let shortened = old.clone();
        assert!(matches!(
            check(&moved(&old, LifecycleState::Triaged, line), &shortened),
            Err(Refused::Frozen { .. })
        ));
    }
}
