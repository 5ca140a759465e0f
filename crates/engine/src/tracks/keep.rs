//! Where tracks are kept: one file each, in the state that all worktrees share.

use jiff::{SignedDuration, Timestamp};
use lore_ground::track::Track;
use lore_store::FileLock;

use super::touched;
use crate::{Engine, Error};

const FOLDER: &str = "tracks";
/// Which tracks a session is at, a file each: a hook must not read the tracks of all others to find its own.
const SESSIONS: &str = "tracks/sessions";
/// The last prompt of each session, for changes that go on after a commit.
pub(super) const PROMPTS: &str = "tracks/prompts";
/// The commits of each session that its hooks told of and git did not make yet.
pub(super) const COMMITS: &str = "tracks/commits";
/// Of tracks that are complete the newest are kept.
const MOST: usize = 200;
/// Work that nobody touched for so long was given up.
const GIVEN_UP: SignedDuration = SignedDuration::from_hours(24 * 30);

impl Engine {
    /// Reads every track, the one touched last first.
    pub(super) fn kept_tracks(&self) -> Vec<Track> {
        let mut tracks: Vec<Track> = self.track_names().iter().filter_map(|id| self.read_track(id)).collect();
        tracks.sort_by(|a, b| touched(b).cmp(&touched(a)).then_with(|| a.id.cmp(&b.id)));
        tracks
    }

    /// Reads one track; also by the beginning of its name where only one begins so.
    pub(super) fn kept_track(&self, name: &str) -> Option<Track> {
        if let Some(exact) = self.read_track(name) {
            return Some(exact);
        }
        let mut near = self.track_names().into_iter().filter(|id| id.starts_with(name));
        let only = near.next().filter(|_| near.next().is_none());
        only.and_then(|id| self.read_track(&id))
    }

    /// Reads the tracks that a session is at and that are open, the oldest first.
    pub(super) fn open_tracks(&self, session: &str) -> Vec<Track> {
        let is_open = |track: &Track| track.session == session && !track.is_complete();
        let noted = self.noted_tracks(session);
        noted.iter().filter_map(|id| self.read_track(id)).filter(is_open).collect()
    }

    pub(super) fn keep_track(&self, track: &Track) -> Result<(), Error> {
        let (shared, name) = (self.store.shared(), file(&track.id));
        shared.write(&name, shared.json_in_lines(&name, track)?.as_bytes())?;
        let is_at_it = !track.session.is_empty() && !track.is_complete();
        if is_at_it && !self.noted_tracks(&track.session).contains(&track.id) {
            let before = self.open_tracks(&track.session).into_iter().map(|other| other.id);
            // Whose it is stands above them, so that they go when the session is forgotten.
            let lines: Vec<String> =
                [track.session.clone()].into_iter().chain(before).chain([track.id.clone()]).collect();
            self.store.shared().write(&of_session(SESSIONS, &track.session), lines.join("\n").as_bytes())?;
        }
        Ok(())
    }

    fn noted_tracks(&self, session: &str) -> Vec<String> {
        let note = self.store.shared().folder().join(of_session(SESSIONS, session));
        let note = std::fs::read_to_string(note).unwrap_or_default();
        note.lines().skip(1).map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect()
    }

    fn read_track(&self, id: &str) -> Option<Track> {
        let path = self.store.shared().path(&file(id)).ok()?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    fn track_names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.store.shared().folder().join(FOLDER));
        let names =
            files.into_iter().flatten().flatten().filter_map(|file| file.file_name().into_string().ok());
        names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect()
    }

    /// Writes the checks that a worker made into the track as it is now: it may have moved meanwhile.
    pub(super) fn merge_checks(&self, made: &Track) -> Result<(), Error> {
        let _lock = self.lock_track(&made.id);
        let Some(mut now) = self.kept_track(&made.id) else { return Ok(()) };
        // What was looked into is not what is planned any more.
        if now.question() != made.question() {
            return Ok(());
        }
        for step in made.steps.iter().filter(|step| step.checked.is_some()) {
            if let Some(own) = now.steps.iter_mut().find(|own| own.from == step.from && own.at == step.at)
                && own.checked.is_none()
            {
                own.checked.clone_from(&step.checked);
                own.found.clone_from(&step.found);
                own.told = false;
            }
        }
        self.keep_track(&now)
    }

    /// Removes a track in whose place another stands.
    pub(super) fn give_up_track(&self, track: &Track) {
        let _lock = self.lock_track(&track.id);
        let _ = self.store.shared().remove(&file(&track.id));
    }

    /// Keeps others from writing a track until the lock is dropped.
    pub(super) fn lock_track(&self, id: &str) -> Option<FileLock> {
        self.store.shared().lock(&format!("{FOLDER}/{id}.lock")).ok()
    }

    /// Removes what nobody comes back to: complete tracks but for the newest, work that was given up, and what was noted of
    /// sessions that long ago. A worker does so; a hook has no time for it.
    pub(super) fn sweep_tracks(&self, tracks: &[Track]) {
        let complete = tracks.iter().filter(|track| track.is_complete()).skip(MOST);
        let given_up =
            |track: &&Track| !track.is_complete() && self.world.now.duration_since(touched(track)) > GIVEN_UP;
        for old in complete.chain(tracks.iter().filter(given_up)) {
            let _ = self.store.shared().remove(&file(&old.id));
            let _ = self.store.shared().remove(&format!("{FOLDER}/{}.lock", old.id));
        }
        for folder in [SESSIONS, PROMPTS, COMMITS] {
            let files = std::fs::read_dir(self.store.shared().folder().join(folder));
            for file in files.into_iter().flatten().flatten() {
                let written = file.metadata().and_then(|about| about.modified()).ok();
                let written = written.and_then(|at| Timestamp::try_from(at).ok());
                let is_old = written.is_some_and(|at| self.world.now.duration_since(at) > GIVEN_UP);
                if let Some(name) = file.file_name().to_str().filter(|_| is_old) {
                    let _ = self.store.shared().remove(&format!("{folder}/{name}"));
                }
            }
        }
    }
}

/// Names a file about a session.
pub(super) fn of_session(folder: &str, session: &str) -> String {
    format!("{folder}/{}.txt", lore_core::ContentHash::of(session.as_bytes()).short())
}

fn file(id: &str) -> String {
    format!("{FOLDER}/{id}.json")
}
