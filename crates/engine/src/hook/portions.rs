//! What a worker takes at a time: sessions that told their files, and those that have to be looked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lore_capture::Found;

use super::aside::Tried;
use super::inbox::Waiting;
use crate::sessions::SessionFilter;
use crate::{Engine, Error};

/// A larger transcript is curated by itself, after the others.
const LARGE: u64 = 4 << 20;

/// What is worked on at a time.
#[derive(Default)]
pub(super) struct Portion {
    /// The sessions and the notes that name each.
    pub(super) sessions: Vec<(Tried, Vec<String>)>,
    /// Whether the file may hold sessions of other projects, as a database does.
    pub(super) mixed: bool,
}

impl Engine {
    /// Sorts what waits: small transcripts together, large ones and those that failed before alone and last.
    pub(super) fn portions(&self, waiting: &Waiting) -> Result<Vec<Portion>, Error> {
        self.forget_trouble_overcome()?;
        let mut by_path: BTreeMap<PathBuf, (String, Vec<String>)> = BTreeMap::new();
        let mut unnamed: BTreeMap<PathBuf, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        let mut places: BTreeMap<String, Vec<Found>> = BTreeMap::new();
        for (file, note) in self.notes(waiting) {
            match note.transcript {
                Some(path) => {
                    let (session, files) = by_path.entry(path).or_default();
                    *session = note.session;
                    files.push(file);
                }
                None => match self.place_of(&note.agent, &note.session, &mut places)? {
                    Some(path) => {
                        unnamed.entry(path).or_default().entry(note.session).or_default().push(file);
                    }
                    // What cannot be found is left to the next `lore curate`, which looks everywhere.
                    None => self.forget([&file])?,
                },
            }
        }
        let mut together = Portion::default();
        let mut alone: Vec<(u32, u64, Portion)> = Vec::new();
        for (transcript, (session, files)) in by_path {
            let size = transcript.metadata().ok().filter(|about| about.is_file()).map(|about| about.len());
            let tried = Tried { session, transcript };
            let tries = self.tries(&tried);
            match size {
                // It is gone, or was set aside by a worker that had no time to say so.
                None => self.forget(&files)?,
                Some(_) if tries > 1 => self.forget(&files)?,
                Some(size) if tries == 0 && size <= LARGE => together.sessions.push((tried, files)),
                Some(size) => {
                    let portion = Portion { sessions: vec![(tried, files)], mixed: false };
                    alone.push((tries, size, portion));
                }
            }
        }
        for (transcript, sessions) in unnamed {
            let mut portion = Portion { mixed: true, ..Portion::default() };
            let mut most = 0;
            for (session, files) in sessions {
                let tried = Tried { session, transcript: transcript.clone() };
                let tries = self.tries(&tried);
                if tries > 1 {
                    self.forget(&files)?;
                } else {
                    most = most.max(tries);
                    portion.sessions.push((tried, files));
                }
            }
            if !portion.sessions.is_empty() {
                alone.push((most, 0, portion));
            }
        }
        alone.sort_by_key(|(tries, size, _)| (*tries, *size));
        let first = (!together.sessions.is_empty()).then_some(together);
        Ok(first.into_iter().chain(alone.into_iter().map(|(_, _, portion)| portion)).collect())
    }

    /// Finds where an agent wrote a session down that did not say so: a file called after it, or its database.
    fn place_of(
        &self,
        agent: &str,
        session: &str,
        places: &mut BTreeMap<String, Vec<Found>>,
    ) -> Result<Option<PathBuf>, Error> {
        // Looking takes a while where an agent has a large database, and notes often come in numbers.
        if !places.contains_key(agent) {
            let filter = SessionFilter { agent: Some(agent.to_owned()), ..SessionFilter::default() };
            places.insert(agent.to_owned(), self.archive()?.sources(&filter)?);
        }
        let sources = places.get(agent).map_or(&[][..], Vec::as_slice);
        let is_named = |path: &Path| !session.is_empty() && path.to_string_lossy().contains(session);
        let named = sources.iter().find(|found| is_named(&found.path));
        // A file of its own that is called otherwise is another session's, which may still be under way.
        let shared = || sources.iter().find(|found| lore_capture::holds_many(&found.path));
        Ok(named.or_else(shared).map(|found| found.path.clone()))
    }
}
