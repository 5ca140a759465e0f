//! Past sessions: which there are, what was said in them, where a word stands.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lore_capture::{Found, Keep, Places, ReadOptions, Summary};
use lore_core::SessionId;
use lore_core::redact::Redactor;
use lore_core::session::{Author, Session, Turn};
use rayon::prelude::*;
use serde::Serialize;

pub use self::words::{Quote, transcript};
use crate::config::{Config, Settings};
use crate::exclude::Exclusion;
use crate::onlooker::Watched;
use crate::{Engine, Error, World};

/// Which sessions are wanted.
#[derive(Debug, Clone, Default)]
pub struct SessionFilter {
    /// A file, folder or archive to read instead of this machine's usual places.
    pub path: Option<PathBuf>,
    /// Only sessions of this agent.
    pub agent: Option<String>,
    /// Also sessions of other projects.
    pub everywhere: bool,
    /// Only these files; where there are none, `path` or the usual places.
    pub paths: Vec<PathBuf>,
    /// Only these sessions and what they delegated; where there are none, all.
    pub only: Vec<SessionId>,
}

impl SessionFilter {
    /// Tells whether sessions of other projects are wanted too.
    pub(crate) fn takes_everything(&self) -> bool {
        self.everywhere || self.path.is_some()
    }

    /// Tells whether a session is among those that are wanted.
    fn names(&self, session: &Session) -> bool {
        let is_wanted = |id: &SessionId| self.only.contains(id);
        self.only.is_empty() || is_wanted(&session.id) || session.parent.as_ref().is_some_and(is_wanted)
    }
}

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionItem {
    /// What a list shows.
    #[serde(flatten)]
    pub summary: Summary,
    /// The file or database it stands in.
    pub source: PathBuf,
}

/// Sessions that were found, and sources that could not be read.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SessionList {
    /// The sessions, newest first.
    pub sessions: Vec<SessionItem>,
    /// What could not be read, and why.
    pub unreadable: Vec<String>,
}

/// Sessions in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SessionStats {
    /// How many sessions per agent.
    pub agents: BTreeMap<String, usize>,
    /// Messages of people.
    pub person_turns: usize,
    /// Messages of agents.
    pub agent_turns: usize,
    /// Uses of tools.
    pub tool_calls: usize,
    /// Uses of tools that failed.
    pub failed_calls: usize,
    /// Uses of tools that a person refused.
    pub rejected_calls: usize,
    /// Values that were redacted.
    pub redactions: u64,
    /// Oddities of the files.
    pub diagnostics: usize,
    /// Bytes that were read.
    pub bytes: u64,
}

/// Told how many sources are done, and of how many.
pub type OnProgress<'p> = &'p (dyn Fn(u64, u64) + Sync);

/// Reads past sessions; needs no base, so that it can be used before there is one.
#[derive(Debug, Clone)]
pub struct Archive {
    world: World,
    folders: Vec<PathBuf>,
    settings: Settings,
    options: ReadOptions,
    excluded: Exclusion,
    watched: Watched,
}

impl Archive {
    /// Looks from a world: the project around its folder, with the user's settings.
    pub fn new(world: World) -> Result<Archive, Error> {
        let settings = Config::of_user(&world)?.settings();
        let git = lore_store::git::Git::discover(&world.directory);
        let folders = match &git {
            Some(git) => git.worktrees().unwrap_or_else(|_| vec![git.top().to_owned()]),
            None => vec![world.directory.clone()],
        };
        Archive::with(world, folders, settings)
    }

    pub(crate) fn with(world: World, folders: Vec<PathBuf>, settings: Settings) -> Result<Archive, Error> {
        let redactor = if settings.redact.patterns.is_empty() {
            None
        } else {
            Some(Arc::new(Redactor::with_patterns(&settings.redact.patterns)?))
        };
        let options = ReadOptions { redactor, ..ReadOptions::default() };
        let excluded = Exclusion::of(&settings)?;
        Ok(Archive { world, folders, settings, options, excluded, watched: Watched::default() })
    }

    /// Lists the sources that may hold wanted sessions, newest first.
    pub fn sources(&self, filter: &SessionFilter) -> Result<Vec<Found>, Error> {
        let mut found = match &filter.path {
            _ if !filter.paths.is_empty() => {
                let mut found = Vec::new();
                for path in &filter.paths {
                    found.extend(lore_capture::discover_at(&self.world.directory.join(path))?);
                }
                found
            }
            Some(path) => lore_capture::discover_at(&self.world.directory.join(path))?,
            None => {
                let home = self.world.home().ok_or(Error::NoHome)?;
                let places = Places { home, variables: self.world.variables.clone() };
                let folders: &[PathBuf] = if filter.everywhere { &[] } else { &self.folders };
                let mut found = lore_capture::discover(&places, folders);
                for path in &self.settings.sessions.paths {
                    let mut named = lore_capture::discover_at(&self.world.directory.join(path))?;
                    // What lies in the project is the project's, also where it does not say so.
                    let is_inside =
                        |found: &Found| self.folders.iter().any(|one| found.path.starts_with(one));
                    named.iter_mut().for_each(|found| found.own |= is_inside(found));
                    found.extend(named);
                }
                found
            }
        };
        let ignored =
            |found: &Found| self.settings.sessions.ignore_agents.iter().any(|agent| agent == found.agent);
        let wanted = |found: &Found| {
            filter.agent.as_deref().is_none_or(|agent| agent == found.agent || found.agent == "archive")
        };
        found.retain(|found| !ignored(found) && wanted(found) && !self.excluded.leaves_out_file(&found.path));
        Ok(found)
    }

    /// Returns how to read: with the user's own patterns taken out.
    pub(crate) fn options(&self, keep: Keep) -> ReadOptions {
        ReadOptions { keep, ..self.options.clone() }
    }

    /// Returns what is never read and never kept.
    pub(crate) fn exclusion(&self) -> &Exclusion {
        &self.excluded
    }

    /// Tells whether a session worked in this project.
    pub fn belongs(&self, session: &Session) -> bool {
        lore_capture::belongs(session, &self.folders)
    }

    /// Returns the folders whose sessions are the project's.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Reads every wanted session and hands it to `take`, several at a time.
    pub fn each<T: Send>(
        &self,
        filter: &SessionFilter,
        keep: Keep,
        progress: OnProgress<'_>,
        take: impl Fn(Session, &Path) -> Option<T> + Sync,
    ) -> Result<(Vec<T>, Vec<String>), Error> {
        let take = |session: Session, found: &Found| take(session, &found.path);
        let (taken, failed) = self.each_of(&self.sources(filter)?, filter, keep, progress, take);
        Ok((taken, failed.into_iter().map(|(_, why)| why).collect()))
    }

    /// Reads the wanted sessions of these sources; what could not be read is named by its place.
    pub(crate) fn each_of<T: Send>(
        &self,
        sources: &[Found],
        filter: &SessionFilter,
        keep: Keep,
        progress: OnProgress<'_>,
        take: impl Fn(Session, &Found) -> Option<T> + Sync,
    ) -> (Vec<T>, Vec<(usize, String)>) {
        let (total, done) = (sources.len() as u64, AtomicU64::new(0));
        let keep_all = filter.takes_everything();
        let options = self.options(keep);
        let read = |found: &Found| {
            // What is not read is told as such, so that nobody takes it for read.
            if self.watched.is_gone() {
                return (Vec::new(), Some(Error::CalledOff.to_string()));
            }
            let mut taken = Vec::new();
            let outcome = lore_capture::read_path(&found.path, &options, &mut |session| {
                let wanted = keep_all || found.own || lore_capture::belongs(&session, &self.folders);
                if wanted && filter.names(&session) && !self.excluded.leaves_out(&session) {
                    taken.extend(take(session, found));
                }
            });
            let read = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(read, total);
            self.watched.at(read, total, "reading sessions");
            (taken, outcome.err().map(|error| error.to_string()))
        };
        let parts: Vec<(Vec<T>, Option<String>)> = sources.par_iter().map(read).collect();
        let (taken, failed): (Vec<Vec<T>>, Vec<Option<String>>) = parts.into_iter().unzip();
        let failed = failed.into_iter().enumerate().filter_map(|(at, why)| Some((at, why?)));
        (taken.into_iter().flatten().collect(), failed.collect())
    }

    /// Lists sessions, newest first.
    pub fn list(&self, filter: &SessionFilter, progress: OnProgress<'_>) -> Result<SessionList, Error> {
        let item = |session: Session, path: &Path| {
            Some(SessionItem { summary: lore_capture::summarise(&session), source: path.to_owned() })
        };
        let (mut sessions, unreadable) = self.each(filter, Keep::Everything, progress, item)?;
        sessions.retain(|item| item.summary.person_turns + item.summary.agent_turns > 0);
        // Files of one session share its id; the one that tells most is the session.
        let told = |item: &SessionItem| item.summary.person_turns + item.summary.agent_turns;
        sessions.sort_by(|a, b| {
            let name = |item: &SessionItem| (item.summary.agent.clone(), item.summary.id.clone());
            name(a).cmp(&name(b)).then(told(b).cmp(&told(a))).then_with(|| a.source.cmp(&b.source))
        });
        sessions.dedup_by(|a, b| (&a.summary.agent, &a.summary.id) == (&b.summary.agent, &b.summary.id));
        sessions.sort_by(|a, b| {
            b.summary.started.cmp(&a.summary.started).then_with(|| a.summary.id.cmp(&b.summary.id))
        });
        Ok(SessionList { sessions, unreadable })
    }

    /// Counts the sessions of each agent, as every command counts them: those in which something was said,
    /// each once, however many files tell of it.
    pub fn count(
        &self,
        filter: &SessionFilter,
        progress: OnProgress<'_>,
    ) -> Result<BTreeMap<String, usize>, Error> {
        let name = |session: Session, _: &Path| is_told(&session).then_some((session.agent, session.id));
        let (named, _) = self.each(filter, Keep::Conversation, progress, name)?;
        let mut counts = BTreeMap::new();
        for (agent, _) in named.into_iter().collect::<BTreeSet<_>>() {
            *counts.entry(agent).or_insert(0) += 1;
        }
        Ok(counts)
    }

    /// Counts what there is.
    pub fn stats(&self, filter: &SessionFilter, progress: OnProgress<'_>) -> Result<SessionStats, Error> {
        let list = self.list(filter, progress)?;
        let mut stats = SessionStats {
            bytes: self.sources(filter)?.iter().map(|found| found.bytes).sum(),
            ..SessionStats::default()
        };
        for SessionItem { summary, .. } in &list.sessions {
            *stats.agents.entry(summary.agent.clone()).or_insert(0) += 1;
            stats.person_turns += summary.person_turns;
            stats.agent_turns += summary.agent_turns;
            stats.tool_calls += summary.tool_calls;
            stats.failed_calls += summary.failed_calls;
            stats.rejected_calls += summary.rejected_calls;
            stats.redactions += u64::from(summary.redactions);
            stats.diagnostics += summary.diagnostics;
        }
        Ok(stats)
    }

    /// Reads one session by its id or the beginning of it, of those whose file is called after it.
    pub(crate) fn named_session(&self, filter: &SessionFilter, id: &str) -> Result<Session, Error> {
        let named = |found: &Found| found.path.to_string_lossy().contains(id);
        let paths: Vec<PathBuf> =
            self.sources(filter)?.into_iter().filter(named).map(|found| found.path).collect();
        if paths.is_empty() {
            return Err(Error::NoSession(id.to_owned()));
        }
        self.session(&SessionFilter { paths, ..filter.clone() }, id)
    }

    /// Reads one session by its id or the beginning of it.
    pub fn session(&self, filter: &SessionFilter, id: &str) -> Result<Session, Error> {
        let mut session = self.session_as_it_is(filter, id)?;
        self.excluded.strip(&mut session);
        Ok(session)
    }

    fn session_as_it_is(&self, filter: &SessionFilter, id: &str) -> Result<Session, Error> {
        let wanted = |session: Session, _: &Found| session.id.as_str().starts_with(id).then_some(session);
        // Most agents name the file after the session; only where none is, all have to be read.
        let is_named = |found: &Found| found.path.to_string_lossy().contains(id);
        let (named, others): (Vec<Found>, Vec<Found>) = self.sources(filter)?.into_iter().partition(is_named);
        let mut found = Vec::new();
        for sources in [named, others] {
            if found.is_empty() {
                found = self.each_of(&sources, filter, Keep::Everything, &|_, _| {}, wanted).0;
            }
        }
        if let Some(exact) = found.iter().position(|session| session.id.as_str() == id) {
            return Ok(found.swap_remove(exact));
        }
        // Files of one session share its id; the one with most turns is the session itself.
        found.sort_by_key(|session| std::cmp::Reverse(session.turns.len()));
        let mut ids: Vec<String> = found.iter().map(|session| session.id.to_string()).collect();
        ids.dedup();
        match ids.len() {
            0 => Err(Error::NoSession(id.to_owned())),
            1 => Ok(found.swap_remove(0)),
            _ => Err(Error::request(
                format!("`{id}` could be any of {}", ids.join(", ")),
                "give more of the id",
            )),
        }
    }
}

impl Engine {
    /// Returns the reader of past sessions, with this base's settings; refused while it is not known what is to be
    /// left out.
    pub fn archive(&self) -> Result<Archive, Error> {
        self.refuse_in_doubt()?;
        self.archive_in_doubt()
    }

    /// Returns the reader of past sessions also then, for what keeps and tells nothing of them.
    pub(crate) fn archive_in_doubt(&self) -> Result<Archive, Error> {
        let archive = Archive::with(self.world.clone(), self.whereabouts(), self.settings.clone())?;
        Ok(Archive { watched: self.watched.clone(), ..archive })
    }
}

/// Tells whether somebody said something in a session.
pub(crate) fn is_told(session: &Session) -> bool {
    let speaks = |turn: &Turn| matches!(turn.author, Author::Person | Author::Agent);
    session.turns.iter().any(speaks)
}
