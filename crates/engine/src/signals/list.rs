//! Signals and notes in lists, and one by itself.

use lore_core::{Detail, Entry, EntryId, Kind, LifecycleState, LinkKind, Severity, SignalType};
use serde::Serialize;

use super::notebook::{Note, Notebook};
use crate::{Engine, Error};

/// Which signals are wanted; everything that is set has to hold.
#[derive(Debug, Clone, Default)]
pub struct SignalFilter {
    /// Only in this state.
    pub state: Option<LifecycleState>,
    /// Only of this sort.
    pub signal_type: Option<SignalType>,
    /// Only as bad as this or worse.
    pub severity: Option<Severity>,
    /// Also what lies in the archive.
    pub archived: bool,
    /// Also notes that are not written down.
    pub notes: bool,
}

/// A signal in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignalItem {
    /// Its name, or that of a note.
    pub id: String,
    /// Its short name.
    pub handle: String,
    /// What happened.
    pub title: String,
    /// What sort it is.
    #[serde(rename = "type")]
    pub signal_type: Option<SignalType>,
    /// How bad it is.
    pub severity: Option<Severity>,
    /// Where it stands; nothing for a note.
    pub state: Option<LifecycleState>,
    /// How often it was seen.
    pub times: u32,
    /// The phase it happened in.
    pub phase: Option<String>,
    /// The plan it happened in.
    pub plan: Option<String>,
    /// When it was last seen or moved.
    pub updated: Option<String>,
    /// Its file; nothing for a note.
    pub path: Option<String>,
    /// Whether it is in the user's own base.
    pub personal: bool,
}

/// One signal or note, whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "as", rename_all = "lowercase")]
pub enum SignalView {
    /// It is written down.
    Signal {
        /// The entry.
        entry: Box<Entry>,
        /// Its file.
        path: String,
        /// The file's text.
        text: String,
        /// Signals that it is a recurrence of, or that are recurrences of it.
        chain: Vec<String>,
    },
    /// It waits in untracked state.
    Note(Box<Note>),
}

impl Engine {
    /// Lists signals, the worst first; the user's own too, where this is a project's base.
    pub fn signals(&self, filter: &SignalFilter) -> Result<Vec<SignalItem>, Error> {
        let mut found = self.signals_here(filter)?;
        if !self.is_personal()
            && let Ok(own) = Engine::open_personal(self.world.clone())
        {
            let project = self.project_name();
            let mut theirs = own.signals_here(filter)?;
            theirs.retain(|item| {
                let entry = own.store.get(&item.id).ok().map(|stored| stored.entry);
                entry.is_some_and(|entry| entry.project.as_deref().is_none_or(|name| name == project))
            });
            found.extend(theirs);
        }
        if filter.notes && filter.state.is_none() {
            let book = Notebook::load(self.store.shared());
            let fits = |note: &&Note| {
                note.waits()
                    && filter.signal_type.is_none_or(|wanted| note.signal_type == wanted)
                    && filter.severity.is_none_or(|least| note.severity >= least)
            };
            found.extend(book.notes.iter().filter(fits).map(SignalItem::of_note));
        }
        found.sort_by(|a, b| {
            b.severity.cmp(&a.severity).then_with(|| b.updated.cmp(&a.updated)).then_with(|| a.id.cmp(&b.id))
        });
        Ok(found)
    }

    /// Finds a note by its name or the beginning of it.
    pub(crate) fn note_called(&self, name: &str) -> Option<Note> {
        let notes = || Notebook::load(self.store.shared()).notes.into_iter();
        let is_one = name.strip_prefix("note-").is_some_and(|rest| !rest.is_empty());
        is_one.then(|| notes().find(|note| note.id.starts_with(name))).flatten()
    }

    fn signals_here(&self, filter: &SignalFilter) -> Result<Vec<SignalItem>, Error> {
        let snapshot = self.store.snapshot()?;
        let wanted = snapshot.summaries().filter(|one| {
            one.kind == Kind::Signal
                && (filter.archived || !one.archived)
                && filter.state.is_none_or(|state| one.lifecycle == Some(state))
                && filter.severity.is_none_or(|least| one.severity >= Some(least))
        });
        let stored = snapshot.read_some(wanted).into_iter().flatten();
        let items = stored.filter_map(|stored| {
            let Detail::Signal(signal) = &stored.entry.detail else { return None };
            let fits = filter.signal_type.is_none_or(|wanted| signal.signal_type == Some(wanted));
            fits.then(|| SignalItem {
                id: stored.entry.id.to_string(),
                handle: stored.entry.id.handle().to_string(),
                title: stored.entry.title.clone(),
                signal_type: signal.signal_type,
                severity: signal.severity,
                state: Some(signal.lifecycle_state),
                times: stored.entry.occurrences.unwrap_or(1),
                phase: signal.phase.clone(),
                plan: signal.plan.clone(),
                updated: stored.entry.updated.map(|at| at.date().to_string()),
                path: Some(stored.path.clone()),
                personal: self.is_personal(),
            })
        });
        Ok(items.collect())
    }

    /// Shows one signal or note.
    pub fn signal(&self, name: &str) -> Result<SignalView, Error> {
        if name.starts_with("note-") {
            let note = self.note_called(name);
            let hint = "`lore signal list --notes` lists them";
            let note = note.ok_or_else(|| Error::request(format!("there is no note `{name}`"), hint))?;
            return match note.entry.clone() {
                Some(entry) => self.signal(&entry),
                None => Ok(SignalView::Note(Box::new(note))),
            };
        }
        if !self.is_personal()
            && self.store.snapshot()?.resolve(name).is_err()
            && let Ok(own) = Engine::open_personal(self.world.clone())
            && own.store.snapshot()?.resolve(name).is_ok()
        {
            return own.signal(name);
        }
        let snapshot = self.store.snapshot()?;
        let id: EntryId = snapshot.resolve(name)?.id.clone();
        let stored = self.store.get(id.as_str())?;
        if stored.entry.kind != Kind::Signal {
            let what = format!("`{id}` is {}, not a signal", stored.entry.kind.one());
            return Err(Error::request(what, "`lore show` shows any entry"));
        }
        let before = stored.entry.linked(LinkKind::RecurrenceOf).map(str::to_owned);
        let is_later = |one: &&lore_store::Summary| {
            one.links.iter().any(|link| link.kind == LinkKind::RecurrenceOf && link.target == id.as_str())
        };
        let later = snapshot.summaries().filter(is_later).map(|one| one.id.to_string());
        let chain = before.chain(later).collect();
        let text = stored.shown_text().unwrap_or_default().into_owned();
        Ok(SignalView::Signal { path: stored.path.clone(), entry: Box::new(stored.entry), text, chain })
    }
}

impl SignalItem {
    fn of_note(note: &Note) -> SignalItem {
        SignalItem {
            id: note.id.clone(),
            handle: note.id.clone(),
            title: note.title.clone(),
            signal_type: Some(note.signal_type),
            severity: Some(note.severity),
            state: None,
            times: note.times,
            phase: note.phase.clone(),
            plan: note.plan.clone(),
            updated: note.last().map(|at| at.strftime("%Y-%m-%d").to_string()),
            path: None,
            personal: note.is_private(),
        }
    }
}
