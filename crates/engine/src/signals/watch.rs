//! What code knows about where signals should stand: remedies that were named, windows that passed.

use std::collections::BTreeSet;

use lore_core::text::counted;
use lore_core::{Detail, Diagnostic, Entry, EntryId, Kind, Level, LifecycleState, Severity};
use lore_distill::sense::Worked;
use lore_distill::sense::history::PastCommit;
use lore_store::{Summary, Transaction};

use super::evidence::{Remedy, resolved_by_commits};
use super::moves::step;
use super::notebook::Notebook;
use crate::{Engine, Error};

/// A serious signal that nobody looked at for so many days is named by `lore check`.
const UNSEEN: i64 = 30;
/// A settled signal goes to the archive after so many days.
const SETTLED: i64 = 30;
/// A signal that a lesson was made of and that did not come again goes there after so many.
const USED: i64 = 120;

/// A move that should happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DueMove {
    pub(super) id: EntryId,
    pub(super) path: String,
    pub(super) to: LifecycleState,
    pub(super) by: String,
    pub(super) why: String,
}

impl Engine {
    /// Lists the moves that are due: by plans, by commits, by windows in which a signal stayed away.
    pub(super) fn due_moves(&self, book: &Notebook, commits: &[PastCommit]) -> Result<Vec<DueMove>, Error> {
        let snapshot = self.store.snapshot()?;
        let mut remedies = self.resolved_by_plans();
        remedies.extend(resolved_by_commits(commits));
        let mut due: Vec<DueMove> = Vec::new();
        for remedy in &remedies {
            let Ok(summary) = snapshot.resolve(&remedy.signal) else { continue };
            let is_open = matches!(
                summary.lifecycle,
                Some(LifecycleState::Detected | LifecycleState::Triaged | LifecycleState::Blocked)
            );
            if is_open && !due.iter().any(|one| one.id == summary.id) && !self.was_said(summary, remedy) {
                due.push(due_move(summary, LifecycleState::Remediated, (&remedy.by, &remedy.why)));
            }
        }
        let window = self.settings.signals.window as usize;
        for summary in signals(&snapshot, LifecycleState::Remediated) {
            let clean = book.clean.get(summary.id.as_str()).map_or(0, BTreeSet::len);
            if clean >= window {
                let why = format!(
                    "{} had the occasion and it did not come back",
                    counted(clean, "session", "sessions")
                );
                due.push(due_move(summary, LifecycleState::Verified, ("sense", &why)));
            }
        }
        Ok(due)
    }

    /// Tells whether a remedy was taken note of before: one that did not last is not tried again.
    fn was_said(&self, summary: &Summary, remedy: &Remedy) -> bool {
        let stored = self.store.get(summary.id.as_str()).ok();
        stored.is_some_and(|stored| match &stored.entry.detail {
            Detail::Signal(signal) => {
                let by = format!("by {},", remedy.by);
                signal.lifecycle_log.iter().any(|line| line.contains(&by))
            }
            _ => false,
        })
    }

    /// Carries due moves out.
    pub(super) fn carry_out(
        &self,
        transaction: &mut Transaction<'_>,
        due: &[DueMove],
    ) -> Result<Vec<EntryId>, Error> {
        let mut done = Vec::new();
        for one in due {
            let mut stored = transaction.get(one.id.as_str())?;
            if step(&mut stored.entry, one.to, (&one.by, self.world.now, &one.why)).is_ok() {
                transaction.replace(stored.entry, stored.version)?;
                done.push(one.id.clone());
            }
        }
        Ok(done)
    }

    /// Notes that a session had the occasion to bring remedied signals back.
    pub(super) fn watch(&self, book: &mut Notebook, session: &str, worked: &Worked) -> Result<(), Error> {
        let snapshot = self.store.snapshot()?;
        let remedied: Vec<&Summary> = signals(&snapshot, LifecycleState::Remediated).collect();
        for stored in snapshot.read_some(remedied).into_iter().flatten() {
            if had_occasion(&stored.entry, worked) {
                book.clean.entry(stored.entry.id.to_string()).or_default().insert(session.to_owned());
            }
        }
        Ok(())
    }

    /// Lists settled and long-used signals that belong into the archive.
    pub(super) fn to_archive(&self, book: &Notebook) -> Result<Vec<EntryId>, Error> {
        let snapshot = self.store.snapshot()?;
        let now = self.world.now.as_second();
        let days = |summary: &Summary| {
            let last = summary.updated.or(summary.created).map(|at| at.instant().as_second());
            last.map_or(0, |last| (now - last) / 86_400)
        };
        let is_over = |summary: &&Summary| match summary.lifecycle {
            Some(LifecycleState::Verified | LifecycleState::Invalidated) => days(summary) >= SETTLED,
            Some(LifecycleState::Detected | LifecycleState::Triaged) => {
                book.used.contains(summary.id.as_str())
                    && summary.severity < Some(Severity::Critical)
                    && days(summary) >= USED
            }
            _ => false,
        };
        let of_signals = snapshot.summaries().filter(|one| one.kind == Kind::Signal && !one.archived);
        Ok(of_signals.filter(is_over).map(|summary| summary.id.clone()).collect())
    }

    /// Names signals that should have moved, for `lore check`.
    pub(crate) fn signals_that_wait(&self) -> Result<Vec<Diagnostic>, Error> {
        let snapshot = self.store.snapshot()?;
        if !snapshot.summaries().any(|summary| summary.kind == Kind::Signal) {
            return Ok(Vec::new());
        }
        let book = Notebook::load(self.store.shared());
        let mut found: Vec<Diagnostic> = self
            .due_moves(&book, &self.recent_commits())?
            .into_iter()
            .map(|due| {
                let message = format!("should be {} by {}: {}", due.to, due.by, due.why);
                Diagnostic::new(Level::Warning, "signal-behind", due.path, message)
                    .with_hint("`lore sense` moves it")
            })
            .collect();
        let now = self.world.now.as_second();
        for summary in signals(&snapshot, LifecycleState::Detected) {
            let age = summary.created.map_or(0, |at| (now - at.instant().as_second()) / 86_400);
            let behind = found.iter().any(|one| one.place.file == summary.path);
            if summary.severity >= Some(Severity::High) && age >= UNSEEN && !behind {
                let message =
                    format!("is serious and nobody has looked at it for {}", counted(age, "day", "days"));
                let hint = format!("`lore signal triage {}`, or `invalidate` it", summary.id.handle());
                found.push(
                    Diagnostic::new(Level::Note, "signal-unseen", summary.path.clone(), message)
                        .with_hint(hint),
                );
            }
        }
        Ok(found)
    }
}

fn due_move(summary: &Summary, to: LifecycleState, (by, why): (&str, &str)) -> DueMove {
    DueMove { id: summary.id.clone(), path: summary.path.clone(), to, by: by.to_owned(), why: why.to_owned() }
}

/// Lists the signals in a state; of those in the archive only what a recurrence has opened again.
pub(super) fn signals(
    snapshot: &lore_store::Snapshot,
    state: LifecycleState,
) -> impl Iterator<Item = &Summary> {
    let fits = move |summary: &&Summary| {
        let counts = !summary.archived || state == LifecycleState::Remediated;
        summary.kind == Kind::Signal && summary.lifecycle == Some(state) && counts
    };
    snapshot.summaries().filter(fits)
}

/// Tells whether what a session did could have brought a signal back.
fn had_occasion(entry: &Entry, worked: &Worked) -> bool {
    let Detail::Signal(signal) = &entry.detail else { return false };
    let by_command = signal.command.as_ref().map(|command| worked.commands.contains(command));
    let by_file = (!entry.files.is_empty()).then(|| {
        let touched = |file: &String| {
            worked.files.iter().any(|done| file.ends_with(done.as_str()) || done.ends_with(file.as_str()))
        };
        entry.files.iter().any(touched)
    });
    match (by_command, by_file) {
        // Without a command or a file any session in which something was done is an occasion.
        (None, None) => !worked.commands.is_empty() || !worked.files.is_empty(),
        (command, file) => command == Some(true) || file == Some(true),
    }
}
