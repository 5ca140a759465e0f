//! Which sessions wait for an editor: known without opening what did not change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::Timestamp;
use lore_capture::{Found, Keep, is_within};
use lore_core::session::Session;
use lore_core::{SessionId, text::tokens};
use lore_distill::curator::digest;
use lore_store::Ledger;
use lore_store::derived::Derived;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use crate::curate::fingerprint;
use crate::sessions::{OnProgress, SessionFilter};
use crate::{Engine, Error};

const FILE: &str = "cache/backlog.json";
/// A transcript that was written this recently belongs to a session that may still go on, in seconds.
const STILL_WARM: i64 = 120;
/// What a packet holds of sessions on average, in tokens.
const RECORD: usize = 4_500;
/// What instructions and entries beside the record cost with each packet, and what an answer costs.
const BESIDE: usize = 1_500;
const ANSWER: usize = 700;

/// A session that waits for an editor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BacklogSession {
    /// The agent that held it.
    pub agent: String,
    /// Its id.
    pub session: SessionId,
    /// The file or database it stands in.
    #[serde(skip)]
    pub source: PathBuf,
    /// When it began.
    pub started: Option<Timestamp>,
    /// What of it waits, in tokens, by our own estimate.
    pub tokens: usize,
}

/// What waits for an editor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Backlog {
    /// The sessions in the order of time.
    pub sessions: Vec<BacklogSession>,
    /// Sessions that are kept out by `curate.private`.
    pub private: usize,
    /// Sessions that the editor could not be made to answer for; rules alone read them.
    pub given_up: usize,
    /// Sessions that were written a moment ago, so that somebody may still be at them.
    pub going_on: usize,
}

/// What an editor costs, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EditCost {
    /// What it is shown: the sessions, and with each packet the instructions and the entries beside them.
    pub sent: usize,
    /// What it answers.
    pub back: usize,
}

impl Backlog {
    /// Estimates what it would cost to have all of it edited; whoever tells of a backlog tells this.
    pub fn cost(&self) -> EditCost {
        let record: usize = self.sessions.iter().map(|session| session.tokens).sum();
        let packets = record.div_ceil(RECORD).max(usize::from(!self.sessions.is_empty()));
        EditCost { sent: record + packets * BESIDE, back: packets * ANSWER }
    }
}

/// What is known of every source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Survey {
    /// The mark of the patterns that left sessions out.
    #[serde(default)]
    excluded: String,
    #[serde(with = "crate::path_text::keys")]
    sources: BTreeMap<PathBuf, Surveyed>,
}

/// One source as it was, and the sessions in it that could be curated.
#[derive(Debug, Serialize, Deserialize)]
struct Surveyed {
    bytes: u64,
    modified: Option<Timestamp>,
    sessions: Vec<Promising>,
}

/// A session with a person's words in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Promising {
    agent: String,
    session: SessionId,
    /// Whether it worked in a folder of this project.
    is_here: bool,
    /// The last record that an editor would be shown.
    last: u32,
    /// The last record, and what names all of them.
    until: u32,
    hash: String,
    tokens: usize,
    started: Option<Timestamp>,
    /// The folder it worked in.
    #[serde(default)]
    directory: Option<String>,
    /// What patterns of private sessions are matched against.
    labels: Vec<String>,
}

impl Promising {
    /// Looks at a session; nothing where there is nothing to curate in it.
    pub(crate) fn of(session: &Session, is_here: bool) -> Option<Promising> {
        let digest = digest(session, 0)?;
        let lines = digest.lines.iter().map(|line| tokens(&line.text)).sum::<usize>();
        let labels = [&session.title, &session.branch, &session.directory];
        Some(Promising {
            agent: session.agent.clone(),
            session: session.id.clone(),
            is_here,
            last: digest.lines.last().map_or(0, |line| line.record),
            until: digest.until,
            hash: fingerprint(session, u64::from(digest.until)),
            tokens: tokens(&digest.head) + lines,
            started: session.started,
            directory: session.directory.clone(),
            labels: labels.into_iter().flatten().cloned().collect(),
        })
    }

    /// Tells how many of its records an editor has still to see.
    fn left(&self, ledger: &Ledger, desk: &Desk) -> u32 {
        let edited = ledger.edited_by(&self.agent, &self.session, |packet| desk.counts(packet));
        let Some(edited) = edited else { return self.last };
        let known = u32::try_from(edited.lines).unwrap_or(u32::MAX);
        let was_rewritten = known == self.until && edited.hash != self.hash;
        if was_rewritten { self.last } else { self.last.saturating_sub(known) }
    }
}

impl Survey {
    pub(crate) fn load(derived: &Derived) -> Survey {
        let bytes = derived.path(FILE).ok().and_then(|path| std::fs::read(path).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    pub(crate) fn save(&self, derived: &Derived) {
        if let Err(error) = derived.write_json_clean(FILE, self) {
            tracing::debug!(%error, "what waits for an editor is looked up again");
        }
    }

    fn knows(&self, found: &Found) -> bool {
        found.whole
            && found.modified.is_some()
            && self
                .sources
                .get(&found.path)
                .is_some_and(|known| known.bytes == found.bytes && known.modified == found.modified)
    }

    /// Drops what worked where the project no longer lies: this may be a copy of what was surveyed.
    fn forget_others(&mut self, folders: &[PathBuf]) {
        for (path, known) in &mut self.sources {
            let is_own = folders.iter().any(|folder| path.starts_with(folder));
            known
                .sessions
                .retain(|one| is_own || one.directory.as_deref().is_none_or(|own| is_within(own, folders)));
        }
    }

    /// Notes what stands in a source that was read to its end.
    pub(crate) fn note(&mut self, found: &Found, sessions: Vec<Promising>) {
        let known = Surveyed { bytes: found.bytes, modified: found.modified, sessions };
        self.sources.insert(found.path.clone(), known);
    }
}

impl Engine {
    /// Lists the sessions that wait for an editor, the oldest first; the one that is going on never does.
    pub fn backlog(&self, filter: &SessionFilter, progress: OnProgress<'_>) -> Result<Backlog, Error> {
        let archive = self.archive()?;
        self.note_whereabouts(archive.folders());
        let seals = self.store.seals();
        let mut sources = archive.sources(filter)?;
        sources.retain(|found| !seals.forbid_session(&found.path.to_string_lossy()));
        let mut survey = Survey::load(self.store.shared());
        let excluded = archive.exclusion().mark();
        if survey.excluded != excluded {
            survey = Survey { excluded, ..Survey::default() };
        }
        let unknown: Vec<Found> = sources.iter().filter(|found| !survey.knows(found)).cloned().collect();
        if !unknown.is_empty() {
            let everything = SessionFilter { everywhere: true, ..filter.clone() };
            let look = |session: Session, found: &Found| {
                let is_here = found.own || archive.belongs(&session);
                Some((found.path.clone(), Promising::of(&session, is_here)?))
            };
            let (told, failed) = archive.each_of(&unknown, &everything, Keep::Conversation, progress, look);
            let failed: BTreeSet<usize> = failed.into_iter().map(|(at, _)| at).collect();
            let mut by_path: BTreeMap<PathBuf, Vec<Promising>> = BTreeMap::new();
            for (path, promising) in told {
                by_path.entry(path).or_default().push(promising);
            }
            for (_, found) in unknown.iter().enumerate().filter(|(at, _)| !failed.contains(at)) {
                survey.note(found, by_path.remove(&found.path).unwrap_or_default());
            }
            survey.save(self.store.shared());
            self.watched.go_on()?;
        }
        Ok(self.waiting_in(&survey, &sources, filter))
    }

    /// Counts what waits as far as is known without opening anything: quick enough for a hook.
    pub(crate) fn known_backlog(&self) -> Backlog {
        let mut survey = Survey::load(self.store.shared());
        survey.forget_others(&self.remembered_whereabouts());
        let found = |(path, known): (&PathBuf, &Surveyed)| Found {
            path: path.clone(),
            agent: "archive",
            bytes: known.bytes,
            modified: known.modified,
            own: false,
            whole: true,
        };
        // A transcript that was thrown away waits no more.
        let sources: Vec<Found> =
            survey.sources.iter().map(found).filter(|found| found.path.exists()).collect();
        self.waiting_in(&survey, &sources, &SessionFilter::default())
    }

    fn waiting_in(&self, survey: &Survey, sources: &[Found], filter: &SessionFilter) -> Backlog {
        let (ledger, seals, desk) = (self.store.ledger(), self.store.seals(), self.desk());
        let private: Vec<Regex> =
            self.settings.curate.private.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect();
        let mut backlog = Backlog::default();
        let mut best: BTreeMap<(&str, &SessionId), (&Promising, &Found)> = BTreeMap::new();
        for found in sources {
            let Some(known) = survey.sources.get(&found.path) else { continue };
            for promising in &known.sessions {
                let wanted = promising.is_here || found.own || filter.takes_everything();
                if !wanted || seals.forbid_session(promising.session.as_str()) {
                    continue;
                }
                // Files of one session share its id; the longest is the session.
                let place = best.entry((&promising.agent, &promising.session)).or_insert((promising, found));
                if promising.until > place.0.until {
                    *place = (promising, found);
                }
            }
        }
        for (promising, found) in best.into_values() {
            let left = promising.left(&ledger, &desk);
            if left == 0 {
                continue;
            }
            if self.goes_on(promising, found) {
                backlog.going_on += 1;
            } else if is_private(promising, found, &private) {
                backlog.private += 1;
            } else if desk.has_given_up(&promising.session) {
                backlog.given_up += 1;
            } else {
                let share = promising.tokens as u64 * u64::from(left) / u64::from(promising.last.max(1));
                backlog.sessions.push(BacklogSession {
                    agent: promising.agent.clone(),
                    session: promising.session.clone(),
                    source: found.path.clone(),
                    started: promising.started,
                    tokens: usize::try_from(share).unwrap_or(usize::MAX).max(1),
                });
            }
        }
        backlog.sessions.sort_by(|a, b| (a.started, &a.session).cmp(&(b.started, &b.session)));
        backlog
    }

    /// Tells whether somebody is still at a session: it is the asker's own, or was written a moment ago.
    fn goes_on(&self, promising: &Promising, found: &Found) -> bool {
        let own = match self.asker() {
            crate::Asker::Agent { session, .. } => session.as_ref(),
            crate::Asker::Person => None,
        };
        let age = found.modified.map(|at| self.world.now.as_second() - at.as_second());
        own == Some(&promising.session)
            || age.is_some_and(|age| (0..STILL_WARM).contains(&age)) && !self.has_ended(&promising.session)
    }
}

fn is_private(promising: &Promising, found: &Found, patterns: &[Regex]) -> bool {
    let path = found.path.to_string_lossy();
    let labels = || promising.labels.iter().map(String::as_str).chain([path.as_ref()]);
    patterns.iter().any(|pattern| labels().any(|label| pattern.is_match(label)))
}
