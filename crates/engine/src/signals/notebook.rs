//! What was noticed and is not written down yet: untracked, this machine's own, and bounded.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use lore_core::{ContentHash, Severity, SignalType};
use lore_distill::sense::Sensed;
use lore_store::FileLock;
use lore_store::derived::Derived;
use serde::{Deserialize, Serialize};

use crate::Error;

const FILE: &str = "signals/notes.json";
const LOCK: &str = "signals/notes.lock";
/// So many occasions of a note are remembered one by one.
const OCCASIONS: usize = 40;
/// A note that did not come again for so many days is forgotten, unless it is serious.
const FORGOTTEN_AFTER: i64 = 180;

/// Something that was noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its name: what it is about decides it, so that a recurrence has the same.
    pub id: String,
    /// What sort it is.
    pub signal_type: SignalType,
    /// The worst it was.
    pub severity: Severity,
    /// Whether it tells of something that went well.
    pub positive: bool,
    /// What happened, in a few words.
    pub title: String,
    /// What happened.
    pub happened: String,
    /// What was going on.
    pub context: String,
    /// What may be behind it.
    pub cause: Option<String>,
    /// What helped, and on how many occasions.
    #[serde(default)]
    pub remedies: BTreeMap<String, u32>,
    /// Whether it says nothing until it comes again and again.
    #[serde(default)]
    pub is_faint: bool,
    /// Which rules raised it.
    pub why: Vec<String>,
    /// What a recurrence is recognised by.
    pub subject: String,
    /// Files it is about.
    pub files: Vec<String>,
    /// The command that went wrong.
    pub command: Option<String>,
    /// The error.
    pub error: Option<String>,
    /// The phase it happened in.
    pub phase: Option<String>,
    /// The plan it happened in.
    pub plan: Option<String>,
    /// The person's words; only where the settings let others read them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// When and where it was noticed.
    pub occasions: Vec<Occurrence>,
    /// How often.
    pub times: u32,
    /// The signal it became, if it did.
    pub entry: Option<String>,
    /// Occasions that the signal does not tell of yet.
    #[serde(default)]
    pub untold: u32,
}

/// When and where something was noticed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Occurrence {
    /// When.
    pub at: Option<Timestamp>,
    /// The agent, or `plan`, or `git`.
    pub agent: String,
    /// The session, plan or commit.
    pub session: String,
    /// The record.
    pub line: u32,
}

/// Everything that is remembered about signals on this machine.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Notebook {
    /// How far each session was sensed, by `agent/session`.
    pub(super) sessions: BTreeMap<String, u32>,
    /// How each source looked when it was read: bytes and second.
    pub(super) sources: BTreeMap<String, (u64, i64)>,
    /// The mark of the patterns that left sessions out of them.
    pub(super) excluded: String,
    pub(super) notes: Vec<Note>,
    /// Sessions that had the chance to bring a remedied signal back and did not.
    pub(super) clean: BTreeMap<String, BTreeSet<String>>,
    /// The commit up to which history was looked at.
    pub(super) revision: Option<String>,
    /// Signals that a lesson was made of.
    pub(crate) used: BTreeSet<String>,
    /// Signals that an editor found no lesson in, group by group.
    #[serde(default)]
    pub(crate) no_lessons: BTreeSet<BTreeSet<String>>,
    /// When reflection was last done.
    pub(crate) reflected: Option<Timestamp>,
}

impl Notebook {
    /// Reads it; a damaged one is an empty one, and sessions are sensed again.
    pub(crate) fn load(derived: &Derived) -> Notebook {
        let bytes = std::fs::read(derived.folder().join(FILE)).ok();
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(crate) fn save(&self, derived: &Derived) -> Result<(), Error> {
        Ok(derived.write_json_clean(FILE, self)?)
    }

    /// Waits until nobody else changes it, and lets nobody until the lock is dropped.
    pub(crate) fn lock(derived: &Derived) -> Result<FileLock, Error> {
        Ok(derived.lock(LOCK)?)
    }

    /// Writes down that something was noticed; the same on another occasion is one note.
    pub(super) fn note(&mut self, sensed: &Sensed, occasion: Occurrence, keeps_words: bool) -> Noted {
        let id = name_of(sensed.signal_type, &sensed.subject);
        if let Some(known) = self.notes.iter_mut().find(|note| note.id == id) {
            let same = |other: &Occurrence| {
                (&other.agent, &other.session, other.line)
                    == (&occasion.agent, &occasion.session, occasion.line)
            };
            if known.occasions.iter().any(same) {
                known.tell_anew(sensed);
                return Noted::Known;
            }
            known.times += 1;
            known.untold += 1;
            if let Some(remedy) = &sensed.remedy {
                *known.remedies.entry(remedy.clone()).or_default() += 1;
            }
            known.severity = known.severity.max(sensed.severity);
            known.occasions.push(occasion);
            known.occasions.sort();
            // The first one and the latest tell most.
            while known.occasions.len() > OCCASIONS {
                known.occasions.remove(1);
            }
            return Noted::Again;
        }
        self.notes.push(Note {
            id,
            signal_type: sensed.signal_type,
            severity: sensed.severity,
            positive: sensed.is_positive,
            title: sensed.title.clone(),
            happened: sensed.happened.clone(),
            context: sensed.context.clone(),
            cause: sensed.cause.clone(),
            remedies: sensed.remedy.iter().map(|remedy| (remedy.clone(), 1)).collect(),
            is_faint: sensed.is_faint,
            why: sensed.why.clone(),
            subject: sensed.subject.clone(),
            files: sensed.files.clone(),
            command: sensed.command.clone(),
            error: sensed.error.clone(),
            phase: sensed.phase.clone(),
            plan: sensed.plan.clone(),
            quote: sensed.quote.clone().filter(|_| keeps_words),
            occasions: vec![occasion],
            times: 1,
            entry: None,
            untold: 0,
        });
        Noted::New
    }

    /// Tells what was noted of a session as the session shows it since it grew.
    pub(super) fn tell_anew(&mut self, sensed: &Sensed, (agent, session): (&str, &str)) {
        let id = name_of(sensed.signal_type, &sensed.subject);
        let same = |one: &Occurrence| {
            (one.agent.as_str(), one.session.as_str(), one.line) == (agent, session, sensed.line)
        };
        let known = self.notes.iter_mut().find(|note| note.id == id && note.occasions.iter().any(same));
        if let Some(known) = known {
            known.tell_anew(sensed);
        }
    }

    /// Forgets what did not come again for long, and, beyond a number, the oldest of what is not serious.
    pub(super) fn tidy(&mut self, now: Timestamp, most: usize) -> usize {
        let before = self.notes.len();
        let is_old = |note: &Note| {
            note.last().is_some_and(|at| now.as_second() - at.as_second() > FORGOTTEN_AFTER * 86_400)
        };
        self.notes.retain(|note| note.entry.is_some() || note.is_serious() || !is_old(note));
        let mut gone: BTreeSet<String> = BTreeSet::new();
        // What is faint never drives out what is not.
        for is_faint in [true, false] {
            let mut light: Vec<(Option<Timestamp>, String)> = self
                .notes
                .iter()
                .filter(|note| note.entry.is_none() && !note.is_serious() && note.is_faint == is_faint)
                .map(|note| (note.last(), note.id.clone()))
                .collect();
            light.sort();
            let surplus = light.len().saturating_sub(most);
            gone.extend(light.into_iter().take(surplus).map(|(_, id)| id));
        }
        self.notes.retain(|note| !gone.contains(&note.id));
        before - self.notes.len()
    }
}

/// What became of something that was noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noted {
    New,
    Again,
    Known,
}

impl Note {
    /// Tells its only occasion in other words: what failed three times may have failed a fourth time since.
    fn tell_anew(&mut self, sensed: &Sensed) {
        // What is written down is frozen, and of several occasions the first is told.
        if self.entry.is_some() || self.times > 1 {
            return;
        }
        self.title.clone_from(&sensed.title);
        self.happened.clone_from(&sensed.happened);
        self.why.clone_from(&sensed.why);
    }

    /// Tells whether it must not be lost.
    pub fn is_serious(&self) -> bool {
        !self.positive && self.severity >= Severity::High
    }

    /// Counts the different sessions, plans and commits it was noticed in.
    pub fn places(&self) -> usize {
        self.occasions.iter().map(|one| (&one.agent, &one.session)).collect::<BTreeSet<_>>().len()
    }

    /// Returns what helped more than once, most often first.
    pub fn remedy(&self) -> Option<&str> {
        let best = self.remedies.iter().filter(|(_, times)| **times > 1);
        best.max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0))).map(|(remedy, _)| remedy.as_str())
    }

    /// Tells whether somebody should be shown it while it waits.
    pub(super) fn waits(&self) -> bool {
        self.entry.is_none() && !self.is_faint
    }

    /// Returns when it was last noticed.
    pub fn last(&self) -> Option<Timestamp> {
        self.occasions.iter().filter_map(|one| one.at).max()
    }

    /// Says what to do with it where an entry was asked for.
    pub(crate) fn is_no_entry(&self) -> Error {
        let id = &self.id;
        let hint = match &self.entry {
            Some(entry) => format!("it became `{entry}`"),
            None => {
                format!(
                    "`lore signal triage {id}` keeps it as a signal, `lore signal invalidate {id}` lets it go"
                )
            }
        };
        Error::request(format!("`{id}` is a note about friction, not an entry"), hint)
    }

    /// Tells whether it rests on somebody's annoyance.
    pub fn is_private(&self) -> bool {
        self.signal_type == SignalType::Frustration
    }
}

/// Names a note by what it is about.
fn name_of(signal_type: SignalType, subject: &str) -> String {
    let hash = ContentHash::of(format!("{signal_type}\n{}", subject.to_lowercase()).as_bytes());
    format!("note-{}", &hash.short()[..hash.short().len().min(8)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + day * 86_400).expect("a time of ours")
    }

    fn note(id: &str, severity: Severity, day: i64) -> Note {
        let occasion = Occurrence { at: Some(at(day)), agent: "a".into(), session: id.into(), line: 1 };
        Note {
            id: id.into(),
            signal_type: SignalType::Struggle,
            severity,
            positive: false,
            title: "t".into(),
            happened: String::new(),
            context: String::new(),
            cause: None,
            remedies: BTreeMap::new(),
            is_faint: false,
            why: Vec::new(),
            subject: id.into(),
            files: Vec::new(),
            command: None,
            error: None,
            phase: None,
            plan: None,
            quote: None,
            occasions: vec![occasion],
            times: 1,
            entry: None,
            untold: 0,
        }
    }

    #[test]
    fn a_soft_limit_never_drops_a_serious_one() {
        let notes = (0..20).map(|day| note(&format!("n{day}"), Severity::Low, day)).collect();
        let mut book = Notebook { notes, ..Notebook::default() };
        book.notes.push(note("bad", Severity::Critical, 0));
        assert_eq!(book.tidy(at(30), 5), 15);
        assert!(book.notes.iter().any(|note| note.id == "bad"));
        assert!(
            book.notes.iter().any(|note| note.id == "n19") && book.notes.iter().all(|note| note.id != "n1")
        );
        assert_eq!(book.tidy(at(400), 5), 5, "old and light is forgotten");
        assert_eq!(book.notes.len(), 1);
    }
}
