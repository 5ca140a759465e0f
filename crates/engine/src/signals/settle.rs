//! Writing down what matters: new signals, recurrences, moves and the archive, each base in one transaction.

use jiff::Timestamp;
use lore_core::text::counted;
use lore_core::{Detail, EntryId, Kind, LifecycleState, Severity};
use lore_distill::sense::raised;
use lore_store::{CommitOptions, Transaction};

use super::keep::{CITED, Keeping};
use super::moves::step;
use super::notebook::{Note, Notebook};
use super::sensing::SenseReport;
use super::watch::DueMove;
use crate::{Engine, Error};

/// What is noticed in so many different places recurs.
const RECURS: usize = 2;
/// What went well has to go well more often before anybody wants to read it.
const RECURS_WELL: usize = 4;

/// What is nothing by itself has to come in more places than what is something.
const RECURS_FAINTLY: usize = 3;

impl Engine {
    /// Writes what matters, moves what is due and archives what is settled, each base in one transaction.
    pub(super) fn write_down(
        &self,
        book: &mut Notebook,
        due: &[DueMove],
        report: &mut SenseReport,
    ) -> Result<(), Error> {
        let own = self.own_base();
        let mut transaction = self.begin_as_machine("sense")?;
        let done = self.carry_out(&mut transaction, due)?;
        report.moved.extend(
            due.iter()
                .filter(|one| done.contains(&one.id))
                .map(|one| (one.id.to_string(), one.to.word().to_owned())),
        );
        let mut apart = own.as_ref().map(|own| own.begin_as_machine("sense")).transpose()?;
        let project = self.project_name();
        for note in &mut book.notes {
            let private = self.holds_back(note);
            let target = if private { apart.as_mut() } else { Some(&mut transaction) };
            let Some(target) = target else {
                if note.is_serious() && note.entry.is_none() {
                    report.held.push(format!("{}: {}", note.id, note.title));
                }
                continue;
            };
            settle(target, note, self.world.now, private.then_some(project.as_str()), report)?;
        }
        for id in self.to_archive(book)? {
            transaction.archive(id.as_str())?;
            report.archived.push(id.to_string());
        }
        if report.dry_run {
            return Ok(());
        }
        if let (Some(own), Some(apart)) = (&own, apart)
            && !report.personal.is_empty()
        {
            own.commit(apart, &format!("noticed {}", counted(report.personal.len(), "signal", "signals")))?;
        }
        let changes =
            report.written.len() + report.recurred.len() + report.moved.len() + report.archived.len();
        if changes > 0 {
            let line = format!(
                "noticed {}, {} again, moved {}, archived {}",
                counted(report.written.len(), "signal", "signals"),
                report.recurred.len(),
                report.moved.len(),
                report.archived.len()
            );
            let git = self.settings.git.commit.then(|| format!("knowledge: {line}"));
            let options = CommitOptions {
                git,
                log_line: Some(line.clone()),
                said: Some(line),
                ..CommitOptions::default()
            };
            let committed = transaction.commit(&options)?;
            self.settle_merges(&committed.files);
        }
        Ok(())
    }

    /// Tells whether what tells of annoyance stays out of this base; anything but a plain yes keeps it out.
    fn keeps_apart(&self) -> bool {
        !self.is_personal() && !matches!(self.settings.signals.share.as_str(), "occasion" | "words")
    }

    /// Opens the user's own base, where there is one and this is another.
    fn own_base(&self) -> Option<Engine> {
        (!self.is_personal()).then(|| Engine::open_personal(self.world.clone()).ok()).flatten()
    }

    /// Returns the base a note belongs to, where it is not this one.
    pub(super) fn base_for(&self, note: &Note) -> Option<Engine> {
        if self.holds_back(note) { self.own_base() } else { None }
    }

    /// Tells whether a note may not be written to this base.
    pub(super) fn holds_back(&self, note: &Note) -> bool {
        note.is_private() && self.keeps_apart()
    }

    /// Names the project in entries that travel.
    pub(crate) fn project_name(&self) -> String {
        let name = self.project().file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_default()
    }
}

/// Writes a note that matters, or tells its signal that it came again.
fn settle(
    transaction: &mut Transaction<'_>,
    note: &mut Note,
    now: Timestamp,
    project: Option<&str>,
    report: &mut SenseReport,
) -> Result<(), Error> {
    let Some(entry) = note.entry.clone() else {
        let needed = match () {
            () if note.is_faint => RECURS_FAINTLY,
            () if note.positive => RECURS_WELL,
            () => RECURS,
        };
        if !note.is_serious() && note.places() < needed {
            return Ok(());
        }
        let keeping = Keeping { severity: note.severity, recurs: None, project, now };
        let id = match known_subject(transaction, note) {
            Some(id) => id,
            None => super::keep::write(transaction, note, &keeping)?,
        };
        let list = if project.is_some() { &mut report.personal } else { &mut report.written };
        list.push(id.to_string());
        (note.entry, note.untold) = (Some(id.to_string()), 0);
        return Ok(());
    };
    if note.untold == 0 {
        return Ok(());
    }
    let Ok(mut stored) = transaction.get(&entry) else {
        // Somebody removed it, and what was removed stays removed.
        note.untold = 0;
        return Ok(());
    };
    let Detail::Signal(signal) = &stored.entry.detail else { return Ok(()) };
    let state = signal.lifecycle_state;
    match state {
        LifecycleState::Invalidated => {}
        LifecycleState::Remediated | LifecycleState::Verified => {
            let why =
                format!("it came back in {}", note.occasions.last().map_or("", |one| one.session.as_str()));
            let worse = match state {
                LifecycleState::Verified => Severity::Critical,
                _ => raised(note.severity),
            };
            let old: EntryId = stored.entry.id.clone();
            if step(&mut stored.entry, LifecycleState::Detected, ("sense", now, &why)).is_ok() {
                transaction.replace(stored.entry, stored.version)?;
                report.moved.push((old.to_string(), LifecycleState::Detected.word().to_owned()));
            }
            let keeping = Keeping { severity: worse, recurs: Some(&old), project, now };
            let id = super::keep::write(transaction, note, &keeping)?;
            note.entry = Some(id.to_string());
            report.recurred.push(id.to_string());
        }
        _ => {
            stored.entry.occurrences = Some(stored.entry.occurrences.unwrap_or(1) + note.untold);
            // Several may have come since it was last told; each is a place of its own.
            let cited: Vec<String> = stored.entry.sources.iter().map(|one| one.resource.clone()).collect();
            let sources = note.occasions.iter().map(|one| super::keep::source(note, one));
            let new = sources.filter(|source| !cited.contains(&source.resource));
            stored.entry.sources.extend(new.take(CITED.saturating_sub(cited.len())));
            report.recurred.push(stored.entry.id.to_string());
            transaction.replace(stored.entry, stored.version)?;
        }
    }
    note.untold = 0;
    Ok(())
}

/// Finds a signal of another clone that is about the same.
fn known_subject(transaction: &Transaction<'_>, note: &Note) -> Option<EntryId> {
    let snapshot = transaction.base();
    let open = snapshot
        .summaries()
        .filter(|one| one.kind == Kind::Signal && !one.archived && is_alike(&one.title, &note.title));
    snapshot.read_some(open).into_iter().flatten().find_map(|stored| match &stored.entry.detail {
        Detail::Signal(signal) if signal.subject.as_deref() == Some(note.subject.as_str()) => {
            Some(stored.entry.id)
        }
        _ => None,
    })
}

/// Tells whether two titles differ in their numbers alone: how often it failed is another matter each time.
fn is_alike(a: &str, b: &str) -> bool {
    let plain = |title: &str| title.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    plain(a) == plain(b)
}
