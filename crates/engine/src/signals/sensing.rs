//! One look at what is new: sessions, plans, history; what recurs or is serious becomes a signal.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::Timestamp;
use lore_capture::{Found, Keep};
use lore_core::session::Session;
use lore_core::{LifecycleState, Moment, Severity, SignalType};
use lore_distill::sense::{Sensed, Stretch, Worked, misfires, sense, stretches, worked};
use serde::Serialize;

use super::notebook::{Notebook, Noted, Occurrence};
use crate::agents::Outcomes;
use crate::sessions::{OnProgress, SessionFilter};
use crate::{Engine, Error};

/// How to look.
#[derive(Debug, Clone, Default)]
pub struct SenseOptions {
    /// Which sessions.
    pub filter: SessionFilter,
    /// Only sessions that went on at this moment or later.
    pub since: Option<Moment>,
    /// Say what would be done and write nothing.
    pub dry_run: bool,
    /// Look at every session again.
    pub again: bool,
}

/// Something that was noticed, told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Raised {
    /// The note it became or belongs to.
    pub note: String,
    /// What sort it is.
    #[serde(rename = "type")]
    pub signal_type: SignalType,
    /// How bad it is.
    pub severity: Severity,
    /// What happened.
    pub title: String,
    /// Which rules raised it. The words that fitted are told here and written nowhere.
    pub why: Vec<String>,
    /// The agent, or `plan`, or `git`.
    pub agent: String,
    /// The session, plan or commit.
    pub session: String,
    /// The record.
    pub line: u32,
    /// Whether the same was noticed before.
    pub again: bool,
    /// How often it was noticed in this look; the first place is told.
    pub times: u32,
}

/// What a look brought.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SenseReport {
    /// Sessions that were read.
    pub sessions: usize,
    /// Pieces of work in them, for `lore agents`.
    pub work: usize,
    /// What was noticed, in the order it happened.
    pub raised: Vec<Raised>,
    /// Signals that were written.
    pub written: Vec<String>,
    /// Signals that were written to the user's own base.
    pub personal: Vec<String>,
    /// Signals that came again.
    pub recurred: Vec<String>,
    /// Signals that were moved, with where they stand now.
    pub moved: Vec<(String, String)>,
    /// Signals that went to the archive.
    pub archived: Vec<String>,
    /// Notes that wait.
    pub notes: usize,
    /// Notes that were forgotten because they did not come again.
    pub forgotten: usize,
    /// What was noticed and not kept: it is too old, or there is too much of its sort.
    pub passed_over: usize,
    /// Serious notes that cannot be written, and why.
    pub held: Vec<String>,
    /// What could not be read.
    pub problems: Vec<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl SenseReport {
    /// Tells only what can be looked up afterwards: a note that was forgotten at once has no name.
    fn leave_out_gone(&mut self, book: &Notebook) {
        let before = self.raised.len();
        self.raised.retain(|raised| book.notes.iter().any(|note| note.id == raised.note));
        self.passed_over = before - self.raised.len();
        self.forgotten = self.forgotten.saturating_sub(self.passed_over);
    }
}

/// What became of a session.
enum Sifted {
    Heard(Heard),
    /// It was left for later, with its source.
    Old(PathBuf),
}

/// One session that was read.
struct Heard {
    agent: String,
    session: String,
    /// How far it was sensed before.
    from: u32,
    lines: u32,
    at: Option<Timestamp>,
    sensed: Vec<Sensed>,
    worked: Worked,
    stretches: Vec<Stretch>,
}

impl Engine {
    /// Looks for friction in what is new.
    pub fn sense(&self, options: &SenseOptions, progress: OnProgress<'_>) -> Result<SenseReport, Error> {
        let _alone = (!options.dry_run).then(|| Notebook::lock(self.store.shared())).transpose()?;
        let mut book = Notebook::load(self.store.shared());
        let mut outcomes = Outcomes::load(self.store.shared());
        if options.again {
            (book.sources, book.sessions) = (BTreeMap::new(), BTreeMap::new());
        }
        let mut report = SenseReport { dry_run: options.dry_run, ..SenseReport::default() };
        let heard = self.hear(&mut book, options, &mut report, progress)?;
        for one in heard {
            report.sessions += 1;
            let name = format!("{}/{}", one.agent, one.session);
            let mut came_again = BTreeSet::new();
            for sensed in &one.sensed {
                if sensed.line <= one.from {
                    book.tell_anew(sensed, (&one.agent, &one.session));
                    continue;
                }
                let at = sensed.at.or(one.at);
                let (agent, session, line) = (one.agent.clone(), one.session.clone(), sensed.line);
                let occasion = Occurrence { at, agent, session, line };
                came_again.extend(self.note_one(&mut book, sensed, occasion, &mut report));
            }
            self.watch(&mut book, &name, &one.worked)?;
            // Who brought it back gave no proof that it stays away.
            for id in came_again {
                book.clean.remove(&id);
            }
            book.sessions.insert(name, one.lines);
            report.work += one.stretches.len();
            outcomes.replace(&one.agent, &one.session, one.stretches);
        }
        let commits = self.recent_commits();
        outcomes.settle(&commits);
        self.look_besides(&mut book, &commits, &mut report);
        let due = self.due_moves(&book, &commits)?;
        self.write_down(&mut book, &due, &mut report)?;
        report.forgotten = book.tidy(self.world.now, self.settings.signals.notes as usize);
        report.leave_out_gone(&book);
        report.notes = book.notes.iter().filter(|note| note.waits()).count();
        let settled = report.moved.iter().filter(|(_, state)| state != LifecycleState::Remediated.word());
        for (id, _) in settled {
            book.clean.remove(id);
        }
        // What is gone cannot grow any more.
        book.sources.retain(|path, _| std::path::Path::new(path).exists());
        if !options.dry_run {
            book.revision = self.store.git().and_then(lore_store::git::Git::revision);
            book.save(self.store.shared())?;
            outcomes.save(self.store.shared())?;
        }
        Ok(report)
    }

    /// Reads the sessions that are new or have grown.
    fn hear(
        &self,
        book: &mut Notebook,
        options: &SenseOptions,
        report: &mut SenseReport,
        progress: OnProgress<'_>,
    ) -> Result<Vec<Heard>, Error> {
        let archive = self.archive()?;
        let seals = self.store.seals();
        let since = options.since.map(Moment::instant);
        let key = |found: &Found| (found.bytes, found.modified.map_or(0, |at| at.as_second()));
        let name = |found: &Found| found.path.to_string_lossy().into_owned();
        let excluded = archive.exclusion().mark();
        if book.excluded != excluded {
            (book.excluded, book.sources) = (excluded, BTreeMap::new());
        }
        let mut sources = archive.sources(&options.filter)?;
        sources.retain(|found| {
            let is_known = found.whole && book.sources.get(&name(found)) == Some(&key(found));
            let is_old = since.is_some_and(|since| found.modified.is_some_and(|at| at < since));
            !is_known && !is_old && !seals.forbid_session(&found.path.to_string_lossy())
        });
        let configured = self.configured();
        let known = &book.sessions;
        let look = |session: Session, found: &Found| {
            let at = session.ended.or(session.started);
            if since.is_some_and(|since| at.is_some_and(|at| at < since)) {
                return Some(Sifted::Old(found.path.clone()));
            }
            if session.is_delegated() || seals.forbid_session(session.id.as_str()) {
                return None;
            }
            let ends = |turn: &lore_core::session::Turn| {
                let calls = turn.tool_calls.iter().map(|call| call.line);
                turn.blocks.iter().map(|block| block.line).chain(calls).max()
            };
            let lines = session.turns.iter().filter_map(ends).max().unwrap_or(0);
            let from = known.get(&format!("{}/{}", session.agent, session.id)).copied().unwrap_or(0);
            if lines <= from {
                return None;
            }
            let mut sensed = sense(&session, &configured);
            // An error that is told as a struggle is not told twice.
            let mut faint = misfires(&session);
            faint.retain(|one| !sensed.iter().any(|known| known.has_error_of(one)));
            sensed.extend(faint);
            sensed.retain(|one| {
                let texts = [&one.title, &one.happened, &one.context].into_iter().chain(&one.quote);
                let mut texts = texts.chain(&one.cause).chain(&one.remedy);
                !texts.any(|text| seals.forbid(text) || archive.exclusion().is_off_limits(text))
            });
            let (agent, id) = (session.agent.clone(), session.id.to_string());
            let (worked, stretches) = (worked(&session), stretches(&session));
            Some(Sifted::Heard(Heard { agent, session: id, from, lines, at, sensed, worked, stretches }))
        };
        let (looks, failed) = archive.each_of(&sources, &options.filter, Keep::Conversation, progress, look);
        report.problems = failed.iter().map(|(_, why)| why.clone()).collect();
        let mut unfinished: BTreeSet<PathBuf> =
            failed.into_iter().map(|(at, _)| sources[at].path.clone()).collect();
        let mut heard = Vec::new();
        for look in looks {
            match look {
                Sifted::Heard(one) => heard.push(one),
                Sifted::Old(path) => {
                    unfinished.insert(path);
                }
            }
        }
        // Of a source from which some sessions were taken, the others are not known.
        let finished = |found: &&Found| options.filter.only.is_empty() && !unfinished.contains(&found.path);
        book.sources.extend(sources.iter().filter(finished).map(|found| (name(found), key(found))));
        heard.sort_by(|a, b| (a.at, &a.session).cmp(&(b.at, &b.session)));
        Ok(heard)
    }

    /// Notes one thing; returns the signal it belongs to, where there is one.
    fn note_one(
        &self,
        book: &mut Notebook,
        sensed: &Sensed,
        occasion: Occurrence,
        report: &mut SenseReport,
    ) -> Option<String> {
        let keeps_words = self.settings.signals.share == "words";
        let (agent, session, line) = (occasion.agent.clone(), occasion.session.clone(), occasion.line);
        let noted = book.note(sensed, occasion, keeps_words);
        if noted == Noted::Known {
            return None;
        }
        let note = book.notes.iter().find(|note| {
            note.signal_type == sensed.signal_type && note.subject.eq_ignore_ascii_case(&sensed.subject)
        })?;
        if sensed.is_faint {
            return note.entry.clone();
        }
        if let Some(raised) = report.raised.iter_mut().find(|raised| raised.note == note.id) {
            raised.times += 1;
            raised.severity = raised.severity.max(sensed.severity);
            raised.why.extend(sensed.why.iter().cloned());
            return note.entry.clone();
        }
        report.raised.push(Raised {
            note: note.id.clone(),
            signal_type: sensed.signal_type,
            severity: sensed.severity,
            title: sensed.title.clone(),
            why: sensed.why.clone(),
            agent,
            session,
            line,
            again: noted == Noted::Again,
            times: 1,
        });
        note.entry.clone()
    }

    /// Looks at plans and history.
    fn look_besides(
        &self,
        book: &mut Notebook,
        commits: &[lore_distill::sense::history::PastCommit],
        report: &mut SenseReport,
    ) {
        let now = self.world.now;
        for (plan, sensed) in self.sense_plans() {
            let occasion = Occurrence { at: Some(now), agent: "plan".to_owned(), session: plan, line: 0 };
            self.note_one(book, &sensed, occasion, report);
        }
        for sensed in self.sense_past(commits) {
            let session = sensed.subject.rsplit(' ').next().unwrap_or_default().to_owned();
            let at = sensed.at.or(Some(now));
            let occasion = Occurrence { at, agent: "git".to_owned(), session, line: 0 };
            self.note_one(book, &sensed, occasion, report);
        }
    }
}
