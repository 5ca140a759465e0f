//! The one worker that curates sessions in the background: bounded in time, alone, and gone when done.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use lore_capture::Keep;
use lore_core::Status;
use lore_core::session::{Author, Session};
use serde::Serialize;

use crate::curate::{CurateOptions, CurateReport};
use crate::sessions::SessionFilter;
use crate::usage::Use;
use crate::{Engine, Error, World};

const LOCK: &str = "worker.lock";

/// How long a worker may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkOptions {
    /// After this long it stops wherever it is; the store survives that.
    pub limit: Duration,
    /// Curate what waits, whether or not it is due.
    pub at_once: bool,
}

impl Default for WorkOptions {
    fn default() -> WorkOptions {
        WorkOptions { limit: Duration::from_secs(300), at_once: false }
    }
}

/// What a worker did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Worked {
    /// Sessions that were curated.
    pub sessions: usize,
    /// New articles.
    pub created: usize,
    /// Changed articles.
    pub updated: usize,
    /// Whether another worker was at it already.
    pub busy: bool,
    /// Whether the time was up before it was done.
    pub cut_short: bool,
}

/// Curates what waits for the base that belongs to a world, and stops when the time is up.
///
/// A worker that was cut short leaves threads behind; its process must end when this returns.
pub fn work(world: World, options: WorkOptions) -> Result<Worked, Error> {
    let engine = Engine::open(world)?;
    let (done, result) = mpsc::channel();
    std::thread::spawn(move || {
        let outcome = engine.work_while_due(options.at_once);
        if let Err(error) = &outcome {
            engine.log(&format!("worker: {}", super::described(error)));
        }
        let _ = done.send(outcome);
    });
    result.recv_timeout(options.limit).unwrap_or(Ok(Worked { cut_short: true, ..Worked::default() }))
}

impl Engine {
    /// Tells whether a worker is at it right now.
    pub fn is_working(&self) -> bool {
        matches!(self.take_worker_lock(), Ok(None))
    }

    fn work_while_due(&self, at_once: bool) -> Result<Worked, Error> {
        let mut total = Worked::default();
        loop {
            let waiting = self.waiting();
            let due =
                waiting.is_due(&self.settings.curate, self.world.now) || (at_once && waiting.sessions() > 0);
            if !due {
                return Ok(total);
            }
            // Whoever leaves a note while we hold the lock relies on this next look.
            let Some(_lock) = self.take_worker_lock()? else {
                total.busy = true;
                return Ok(total);
            };
            let report = self.work_once()?;
            total.sessions += report.fresh;
            total.created += report.created.len();
            total.updated += report.updated.len();
        }
    }

    fn work_once(&self) -> Result<CurateReport, Error> {
        let waiting = self.waiting();
        let notes = self.notes(&waiting);
        let mut paths: Vec<PathBuf> = notes.into_iter().map(|note| note.transcript).collect();
        paths.sort();
        paths.dedup();
        paths.retain(|path| path.is_file());
        if paths.is_empty() {
            self.forget(&waiting)?;
            return Ok(CurateReport::default());
        }
        let filter = SessionFilter { paths, everywhere: true, ..SessionFilter::default() };
        let options = CurateOptions { filter: filter.clone(), ..CurateOptions::default() };
        let report = self.curate(&options, &|_, _| {})?;
        for problem in report.problems.iter().chain(&report.not_committed) {
            self.log(&format!("worker: {problem}"));
        }
        self.note_outcomes(&filter, &report)?;
        self.forget(&waiting)?;
        self.forget_old_sessions()?;
        // The next prompt finds the index in step, so that it need not wait for it.
        self.bring_into_step()?;
        Ok(report)
    }

    /// Sees which surfaced entries an agent cited, and which a session spoke against.
    fn note_outcomes(&self, filter: &SessionFilter, report: &CurateReport) -> Result<(), Error> {
        let shown = |session: &Session| self.shown_in(&format!("{}/{}", session.agent, session.id));
        let cited = |session: Session, _: &Path| {
            let known = shown(&session);
            let said = session.turns.iter().filter(|turn| turn.author == Author::Agent);
            let words = said.flat_map(|turn| &turn.blocks).map(|block| block.text.as_str());
            let text: String = words.collect::<Vec<_>>().join("\n");
            let cited: BTreeSet<String> = known.iter().filter(|id| text.contains(*id)).cloned().collect();
            Some((format!("{}/{}", session.agent, session.id), known, cited))
        };
        let (sessions, _) = self.archive()?.each(filter, Keep::Conversation, &|_, _| {}, cited)?;
        let snapshot = self.store.snapshot()?;
        let is_against = |id: &str| {
            report.updated.iter().any(|touched| touched.id.as_str() == id)
                && snapshot
                    .find(id)
                    .is_some_and(|entry| matches!(entry.status, Status::Disputed | Status::Superseded))
        };
        for (session, known, cited) in sessions {
            let applied = cited.iter().map(|id| (id.clone(), Use::Applied));
            let against = known.iter().filter(|id| is_against(id)).map(|id| (id.clone(), Use::Contradicted));
            self.record_uses(&session, applied.chain(against))?;
        }
        Ok(())
    }

    /// Takes the right to work, or nothing where somebody else has it.
    fn take_worker_lock(&self) -> Result<Option<File>, Error> {
        let file = self.store.shared().lock_file(LOCK)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(source)) => {
                Err(Error::File { doing: "lock", path: self.store.shared().path(LOCK)?, source })
            }
        }
    }
}
