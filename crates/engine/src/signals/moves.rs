//! Where a signal stands, and how it goes on: by a person's word or by what code saw.

use lore_core::{Detail, Entry, EntryId, IllegalMove, LifecycleState, Strictness};
use serde::Serialize;

use super::notebook::Notebook;
use crate::{Engine, Error};

/// What somebody does with a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalMove {
    /// Decide that something is to be done about it.
    Triage,
    /// Say that it cannot go on until something else happens.
    Block,
    /// Say that a remedy is in place.
    Remediate,
    /// Say that it did not come back.
    Verify,
    /// Say that it was never a problem.
    Invalidate,
}

impl SignalMove {
    /// Returns the state it leads to.
    pub const fn to(self) -> LifecycleState {
        match self {
            SignalMove::Triage => LifecycleState::Triaged,
            SignalMove::Block => LifecycleState::Blocked,
            SignalMove::Remediate => LifecycleState::Remediated,
            SignalMove::Verify => LifecycleState::Verified,
            SignalMove::Invalidate => LifecycleState::Invalidated,
        }
    }
}

/// A move that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveRequest {
    /// The signal, or a note that is kept by it.
    pub name: String,
    /// What is done with it.
    pub what: SignalMove,
    /// Why.
    pub why: Option<String>,
    /// Only say what would happen.
    pub dry_run: bool,
}

/// What a move did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// The signal.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// Its file, relative to its base.
    pub path: String,
    /// Where it stood.
    pub from: LifecycleState,
    /// Where it stands.
    pub to: LifecycleState,
    /// The line that its log got.
    pub line: String,
    /// Whether it is in the user's own base.
    pub personal: bool,
    /// Whether it was a note until now.
    pub kept: bool,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Moves a signal; a note becomes a signal by it.
    pub fn move_signal(&self, request: &MoveRequest) -> Result<Moved, Error> {
        if matches!(request.what, SignalMove::Verify | SignalMove::Invalidate) {
            let instead = "triage it, or name it in the commit that settles it: `Resolves: ID`";
            self.only_a_person("settle a signal", instead)?;
        }
        if request.name.starts_with("note-") {
            return self.keep_note(request);
        }
        let here = self.store.snapshot()?.find(&request.name).is_some()
            || self.store.snapshot()?.resolve(&request.name).is_ok();
        if !here
            && !self.is_personal()
            && let Ok(own) = Engine::open_personal(self.world.clone())
            && own.store.snapshot()?.resolve(&request.name).is_ok()
        {
            return own.move_here(request, false);
        }
        self.move_here(request, false)
    }

    /// Keeps a note as a signal and moves that.
    fn keep_note(&self, request: &MoveRequest) -> Result<Moved, Error> {
        let _alone = Notebook::lock(self.store.shared())?;
        let mut book = Notebook::load(self.store.shared());
        let unknown = || {
            Error::request(
                format!("there is no note `{}`", request.name),
                "`lore signal list --notes` lists them",
            )
        };
        let at = book.notes.iter().position(|note| note.id.starts_with(&request.name)).ok_or_else(unknown)?;
        if let Some(entry) = book.notes[at].entry.clone() {
            let request = MoveRequest { name: entry, ..request.clone() };
            return self.move_signal(&request);
        }
        let note = book.notes[at].clone();
        let own = self.base_for(&note);
        if own.is_none() && self.holds_back(&note) {
            let hint = "make one with `lore init --personal`, or let others read it with `lore config set signals.share occasion`";
            return Err(Error::request(
                "this tells of somebody's annoyance, and you have no base of your own",
                hint,
            ));
        }
        let engine = own.as_ref().unwrap_or(self);
        let mut transaction = engine.begin_as_machine("signal")?;
        let project = own.as_ref().map(|_| self.project_name());
        let keeping = super::keep::Keeping {
            severity: note.severity,
            recurs: None,
            project: project.as_deref(),
            now: self.world.now,
        };
        let id = super::keep::write(&mut transaction, &note, &keeping)?;
        if request.dry_run {
            let stored = transaction.get(id.as_str())?;
            return engine.moved(stored.entry, stored.path, request, true);
        }
        engine.commit(transaction, &format!("signal {id}"))?;
        book.notes[at].entry = Some(id.to_string());
        book.notes[at].untold = 0;
        book.save(self.store.shared())?;
        engine.move_here(&MoveRequest { name: id.to_string(), ..request.clone() }, true)
    }

    fn move_here(&self, request: &MoveRequest, kept: bool) -> Result<Moved, Error> {
        let id = self.store.snapshot()?.resolve(&request.name)?.id.clone();
        let mut transaction = self.begin("signal")?;
        let stored = transaction.get(id.as_str())?;
        let moved = self.moved(stored.entry.clone(), stored.path.clone(), request, kept)?;
        let mut entry = stored.entry;
        if let Detail::Signal(signal) = &mut entry.detail {
            signal.lifecycle_state = moved.to;
            signal.lifecycle_log.push(moved.line.clone());
        }
        transaction.replace(entry, stored.version)?;
        if !request.dry_run {
            self.commit(transaction, &format!("{} {}", moved.to, moved.id))?;
        }
        Ok(moved)
    }

    fn moved(&self, entry: Entry, path: String, request: &MoveRequest, kept: bool) -> Result<Moved, Error> {
        let Detail::Signal(signal) = &entry.detail else {
            return Err(Error::request(
                format!("`{}` is {}, not a signal", entry.id, entry.kind.one()),
                "`lore signal list` lists signals",
            ));
        };
        let strictness = if self.settings.signals.strict { Strictness::Strict } else { Strictness::Flexible };
        let (from, to) = (signal.lifecycle_state, request.what.to());
        if let Err(refused) = from.go(to, strictness) {
            let next: Vec<&str> = from.next(strictness).iter().map(|state| state.word()).collect();
            let hint = if next.is_empty() {
                "it is settled for good; add another with `lore signal add`".to_owned()
            } else {
                format!("from here it can become {}", next.join(", "))
            };
            return Err(Error::request(refused.to_string(), hint));
        }
        let by = match self.asker() {
            crate::Asker::Person => self.world.person(),
            crate::Asker::Agent { name, .. } => format!("agent:{}", lore_core::slug(name)),
        };
        let line = move_line((from, to), &by, self.world.now, request.why.as_deref().unwrap_or("by hand"));
        let (id, title) = (entry.id, entry.title);
        Ok(Moved {
            id,
            title,
            path,
            from,
            to,
            line,
            personal: self.is_personal(),
            kept,
            dry_run: request.dry_run,
        })
    }
}

/// Writes the line of a move: from, to, by whom, when, why.
pub(super) fn move_line(
    (from, to): (LifecycleState, LifecycleState),
    by: &str,
    at: jiff::Timestamp,
    why: &str,
) -> String {
    let day = at.strftime("%Y-%m-%dT%H:%M:%SZ");
    format!("{from} → {to}, by {by}, {day}: {}", lore_core::one_line(why))
}

/// Moves an entry in memory.
pub(super) fn step(
    entry: &mut Entry,
    to: LifecycleState,
    (by, at, why): (&str, jiff::Timestamp, &str),
) -> Result<(), IllegalMove> {
    let Detail::Signal(signal) = &mut entry.detail else { return Ok(()) };
    let from = signal.lifecycle_state;
    signal.lifecycle_state = from.go(to, Strictness::Flexible)?;
    signal.lifecycle_log.push(move_line((from, to), by, at, why));
    Ok(())
}
