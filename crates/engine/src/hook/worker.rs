//! The one worker that curates sessions in the background: bounded in time, alone, and gone when done.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, SystemTime};

use jiff::SignedDuration;
use lore_capture::Keep;
use lore_core::handle::shown as shown_name;
use lore_core::session::{Author, Session};
use lore_core::{SessionId, Status};
use lore_store::FileLock;
use lore_store::derived::Derived;
use serde::Serialize;

use super::aside::Tried;
use crate::curate::{CurateOptions, CurateReport};
use crate::curator::EditOptions;
use crate::query::Across;
use crate::sessions::SessionFilter;
use crate::usage::Use;
use crate::{Engine, Error, World};

const LOCK: &str = "worker.lock";
/// So often is the lock asked for again.
const ASKED_AGAIN: usize = 200;
/// Nobody takes so long to write a note.
const LEFT: SignedDuration = SignedDuration::from_hours(1);

/// How long a worker may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkOptions {
    /// After this long it stops wherever it is; the store survives that.
    pub limit: Duration,
    /// So long may one session take, or a few small ones together.
    pub session_limit: Duration,
    /// Curate what waits, whether or not it is due.
    pub at_once: bool,
}

impl Default for WorkOptions {
    fn default() -> WorkOptions {
        WorkOptions {
            limit: Duration::from_secs(300),
            session_limit: Duration::from_secs(60),
            at_once: false,
        }
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
    /// Sessions that failed twice and are not tried again.
    pub set_aside: usize,
    /// Portions in which something failed.
    #[serde(skip)]
    again: usize,
    /// Whether another worker was at it already.
    pub busy: bool,
    /// Whether the time was up before it was done.
    pub cut_short: bool,
    /// Whether another worker should go on with what waits behind a session that took too long.
    pub go_on: bool,
}

/// Curates what waits for the base that belongs to a world, and stops when the time is up.
///
/// A worker that was cut short leaves threads behind; its process must end when this returns.
pub fn work(world: World, options: WorkOptions) -> Result<Worked, Error> {
    let engine = Arc::new(Engine::open(world)?);
    engine.refuse_in_doubt()?;
    let (done, result) = mpsc::channel();
    let watched = Arc::clone(&engine);
    std::thread::spawn(move || done.send(watch(&watched, options)));
    result.recv_timeout(options.limit).unwrap_or_else(|silence| {
        let (reason, outcome) = unheard(silence, options.limit);
        engine.note_worker(Some(&reason), None);
        outcome
    })
}

/// Tells why nothing was heard of a worker, and what that makes of its work.
fn unheard(silence: RecvTimeoutError, limit: Duration) -> (String, Result<Worked, Error>) {
    match silence {
        RecvTimeoutError::Timeout => {
            let reason = format!("it was stopped after {} seconds", limit.as_secs());
            (reason, Ok(Worked { cut_short: true, ..Worked::default() }))
        }
        // Whoever would have spoken is gone, however much time was left.
        RecvTimeoutError::Disconnected => (super::described(&Error::Panicked), Err(Error::Panicked)),
    }
}

/// Lets a thread work and gives up on a session that takes too long.
fn watch(engine: &Arc<Engine>, options: WorkOptions) -> Result<Worked, Error> {
    let (say, heard) = mpsc::channel();
    let working = Arc::clone(engine);
    std::thread::spawn(move || {
        let job = AssertUnwindSafe(|| working.work_while_due(options.at_once, &say));
        let outcome = catch_unwind(job).unwrap_or(Err(Error::Panicked));
        let _ = say.send(Said::Ended(outcome));
    });
    let mut trying: Vec<Tried> = Vec::new();
    loop {
        let said = match heard.recv_timeout(options.session_limit) {
            Err(RecvTimeoutError::Disconnected) => Ok(Said::Ended(Err(Error::Panicked))),
            said => said,
        };
        match said {
            Ok(Said::Tries(sessions)) => trying = sessions,
            Ok(Said::Ended(outcome)) => {
                let failure = outcome.as_ref().err().map(|error| super::described(error));
                if let Some(failure) = &failure {
                    engine.log(&format!("worker: {failure}"));
                }
                // One that another turned away has nothing to tell.
                if !outcome.as_ref().is_ok_and(|worked| worked.busy) {
                    engine.note_worker(failure.as_deref(), outcome.as_ref().ok());
                }
                return outcome;
            }
            // The index may take its time; a session may not.
            Err(_) if trying.is_empty() => {}
            Err(_) => {
                let reason = format!("it took longer than {} seconds", options.session_limit.as_secs());
                for tried in &trying {
                    engine.blame_try(tried, &reason)?;
                }
                return Ok(Worked { cut_short: true, go_on: true, ..Worked::default() });
            }
        }
    }
}

/// What a working thread tells the one that watches the time.
enum Said {
    /// It begins with these sessions; none means with something else.
    Tries(Vec<Tried>),
    /// It is done.
    Ended(Result<Worked, Error>),
}

/// Names another base of this user where enough sessions wait, so that a worker goes on with it.
///
/// One worker at a time is at it on a machine; whoever was turned away relies on this look.
pub fn due_elsewhere(world: &World) -> Option<PathBuf> {
    let here = Engine::open(world.clone()).ok()?;
    let others = here.others(&Across::All).ok()?;
    let due = |other: &Engine| {
        other.config.in_doubt().is_none() && other.waiting().is_due(&other.settings.curate, world.now)
    };
    others.into_iter().find(|(_, other)| due(other)).map(|(_, other)| other.root().to_owned())
}

impl Engine {
    /// Tells whether a worker is at it right now.
    pub fn is_working(&self) -> bool {
        self.store.shared().is_locked(LOCK).unwrap_or(false)
    }

    fn work_while_due(&self, at_once: bool, say: &mpsc::Sender<Said>) -> Result<Worked, Error> {
        let mut total = Worked::default();
        let mut was_brought_into_step = false;
        loop {
            let waiting = self.waiting();
            let due =
                waiting.is_due(&self.settings.curate, self.world.now) || (at_once && waiting.sessions() > 0);
            if !due && (was_brought_into_step || self.is_in_step()) {
                return Ok(total);
            }
            // Whoever leaves a note while we hold the lock relies on this next look.
            let (Some(_lock), Some(_machine)) = (self.take_worker_lock()?, self.take_machine_lock()?) else {
                total.busy = true;
                return Ok(total);
            };
            if due {
                self.work_once(&mut total, say)?;
                // A model has its own limits; what it does not finish waits.
                let _ = say.send(Said::Tries(Vec::new()));
                self.edit_in_background();
            }
            // What failed is for the next worker, or this one would never end.
            let failed = total.again > 0;
            // The next prompt finds the index in step, so that it need not wait for it.
            let _ = say.send(Said::Tries(Vec::new()));
            self.bring_into_step()?;
            self.refresh_rules();
            if let Err(error) = self.shelve_written() {
                self.log(&format!("worker: files: {}", super::described(&error)));
            }
            if due && let Err(error) = self.disagreements() {
                self.log(&format!("worker: files: {}", super::described(&error)));
            }
            if failed {
                return Ok(total);
            }
            was_brought_into_step = true;
        }
    }

    /// Curates everything that waits, in portions; one that fails is tried once more, by itself.
    fn work_once(&self, total: &mut Worked, say: &mpsc::Sender<Said>) -> Result<(), Error> {
        let waiting = self.waiting();
        for portion in self.portions(&waiting)? {
            let tried: Vec<Tried> = portion.sessions.iter().map(|(tried, _)| tried.clone()).collect();
            tried.iter().try_for_each(|tried| self.try_now(tried))?;
            let _ = say.send(Said::Tries(tried.clone()));
            let job = AssertUnwindSafe(|| self.curate_portion(&tried, portion.mixed));
            let outcome = catch_unwind(job).unwrap_or(Err(Error::Panicked));
            let mut unread = Vec::new();
            let failure = match outcome {
                Ok(report) => {
                    total.sessions += report.fresh;
                    total.created += report.created.len();
                    total.updated += report.updated.len();
                    unread = report.unread;
                    None
                }
                Err(error) if is_of_the_base(&error) => {
                    // Nobody could write; the sessions are not to blame.
                    tried.iter().try_for_each(|tried| self.succeed(tried))?;
                    return Err(error);
                }
                Err(error) => Some(super::described(&error)),
            };
            for (tried, files) in &portion.sessions {
                let own = unread.iter().find(|(unread, _)| *unread == tried.transcript).map(|(_, why)| why);
                match failure.as_ref().or(own) {
                    None => self.succeed(tried)?,
                    Some(reason) => self.blame_try(tried, reason)?,
                }
                // What failed waits for its second try; what failed twice is set aside and waits no longer.
                match self.tries(tried) {
                    0 => self.forget(files)?,
                    1 => {}
                    _ => {
                        self.forget(files)?;
                        total.set_aside += 1;
                    }
                }
            }
            // With something left to try again, the next worker has it by itself.
            total.again += usize::from(failure.is_some() || !unread.is_empty());
        }
        // Notes that cannot be read, or of transcripts that are gone, lead to nothing.
        let known: BTreeSet<String> = self.notes(&waiting).into_iter().map(|(file, _)| file).collect();
        self.forget(waiting.files.iter().filter(|file| !known.contains(*file)))?;
        self.remove_leftovers()?;
        self.forget_old_sessions()
    }

    /// Removes what hooks that were killed had begun to write.
    fn remove_leftovers(&self) -> Result<(), Error> {
        let before = SystemTime::from(self.world.now - LEFT);
        for folder in
            [super::inbox::INBOX, super::running::FOLDER, super::running::HEARD, super::aside::FOLDER]
        {
            self.store.shared().remove_leftovers(folder, before)?;
        }
        Ok(())
    }

    fn curate_portion(&self, tried: &[Tried], mixed: bool) -> Result<CurateReport, Error> {
        let mut paths: Vec<PathBuf> = tried.iter().map(|tried| tried.transcript.clone()).collect();
        paths.dedup();
        // Others of a database may be under way; each has its own turn.
        let only = tried.iter().filter(|_| mixed).map(|tried| SessionId::new(&tried.session)).collect();
        let mut filter = SessionFilter { paths, only, everywhere: !mixed, ..SessionFilter::default() };
        let curate = |filter: &SessionFilter| {
            let options = CurateOptions { filter: filter.clone(), ..CurateOptions::default() };
            self.curate_as_worker(&options, &|_, _| {})
        };
        let mut report = curate(&filter)?;
        if mixed && report.sessions == 0 {
            // An agent may call its sessions otherwise in its hooks than in its database.
            filter.only.clear();
            report = curate(&filter)?;
        }
        for problem in report.problems.iter().chain(&report.not_committed) {
            self.log(&format!("worker: {problem}"));
        }
        self.note_outcomes(&filter, &report)?;
        self.sense_in_background(filter);
        Ok(report)
    }

    /// Sees what waits for an editor, and has the model of the settings go through it.
    fn edit_in_background(&self) {
        let filter = SessionFilter::default();
        let edited = self.backlog(&filter, &|_, _| {}).and_then(|_| match self.configured_model()? {
            Some(model) => {
                let options = EditOptions { filter: filter.clone(), ..EditOptions::default() };
                self.edit_with(model.as_ref(), &options, &|_| {}, &|_, _| {}).map(Some)
            }
            None => Ok(None),
        });
        match edited {
            Ok(Some(report)) => {
                for note in report.stopped.iter().chain(&report.notes) {
                    self.log(&format!("editor: {note}"));
                }
            }
            Ok(None) => {}
            Err(error) => self.log(&format!("editor: {}", super::described(&error))),
        }
    }

    /// Sees which surfaced entries an agent cited, and which a session spoke against.
    fn note_outcomes(&self, filter: &SessionFilter, report: &CurateReport) -> Result<(), Error> {
        let shown = |session: &Session| self.shown_in(&format!("{}/{}", session.agent, session.id));
        let cited = |session: Session, _: &Path| {
            let known = shown(&session);
            let said = session.turns.iter().filter(|turn| turn.author == Author::Agent);
            let words = said.flat_map(|turn| &turn.blocks).map(|block| block.text.as_str());
            let text: String = words.collect::<Vec<_>>().join("\n");
            // They are shown by their handles, and may be cited by either name.
            let is_cited = |id: &&String| text.contains(id.as_str()) || text.contains(&shown_name(id));
            let cited: BTreeSet<String> = known.iter().filter(is_cited).cloned().collect();
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

    /// Takes the right to work in this base, or nothing where somebody else has it.
    ///
    /// Who only asks whether anybody works holds it for an instant; a worker is not turned away by that.
    fn take_worker_lock(&self) -> Result<Option<FileLock>, Error> {
        for _ in 0..ASKED_AGAIN {
            if let Some(lock) = self.store.shared().try_lock(LOCK)? {
                return Ok(Some(lock));
            }
            std::thread::yield_now();
        }
        Ok(self.store.shared().try_lock(LOCK)?)
    }

    /// Takes the right to work on this machine; where the user has no folder, the base's own right will do.
    fn take_machine_lock(&self) -> Result<Option<FileLock>, Error> {
        Ok(match self.world.data_folder() {
            Some(data) => Derived::new(data.join(lore_store::WORK)).try_lock(LOCK)?,
            None => self.store.shared().try_lock("worker.alone")?,
        })
    }
}

/// Tells a failure of the disk or of another process from one of a session.
fn is_of_the_base(error: &Error) -> bool {
    matches!(
        error,
        Error::Begin(_)
            | Error::Commit(_)
            | Error::List(_)
            | Error::Derived(_)
            | Error::IndexWrite(_)
            | Error::IndexOpen(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A panic was told as "stopped after 300 seconds".
    #[test]
    fn a_panic_is_told_from_a_worker_whose_time_is_up() {
        let limit = Duration::from_secs(300);
        let (reason, outcome) = unheard(RecvTimeoutError::Timeout, limit);
        assert_eq!(reason, "it was stopped after 300 seconds");
        assert!(outcome.is_ok_and(|worked| worked.cut_short));
        let (done, result) = mpsc::channel::<()>();
        drop(done);
        let (reason, outcome) = unheard(result.recv_timeout(limit).unwrap_err(), limit);
        assert_eq!(reason, "it ended in a panic");
        assert!(matches!(outcome, Err(Error::Panicked)));
    }
}
