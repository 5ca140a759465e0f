//! Where tracks are kept: one file each, in the state that all worktrees share.

use lore_ground::track::Track;
use lore_store::FileLock;

use super::touched;
use crate::{Engine, Error};

const FOLDER: &str = "tracks";
/// Of tracks that are complete the newest are kept.
const MOST: usize = 200;

impl Engine {
    /// Reads every track, the one touched last first.
    pub(super) fn kept_tracks(&self) -> Vec<Track> {
        let folder = self.store.shared().folder().join(FOLDER);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let read = |path: std::path::PathBuf| -> Option<Track> {
            serde_json::from_slice(&std::fs::read(path).ok()?).ok()
        };
        let mut tracks: Vec<Track> = files.filter_map(|file| read(file.path())).collect();
        tracks.sort_by(|a, b| touched(b).cmp(&touched(a)).then_with(|| a.id.cmp(&b.id)));
        tracks
    }

    /// Reads one track; also by the beginning of its name where only one begins so.
    pub(super) fn kept_track(&self, name: &str) -> Option<Track> {
        let all = self.kept_tracks();
        if let Some(exact) = all.iter().find(|track| track.id == name) {
            return Some(exact.clone());
        }
        let near: Vec<&Track> = all.iter().filter(|track| track.id.starts_with(name)).collect();
        (near.len() == 1).then(|| near[0].clone())
    }

    pub(super) fn keep_track(&self, track: &Track) -> Result<(), Error> {
        let bytes = serde_json::to_vec_pretty(track).unwrap_or_default();
        let is_new = !self.store.shared().folder().join(file(&track.id)).exists();
        self.store.shared().write(&file(&track.id), &bytes)?;
        if is_new {
            self.sweep_tracks();
        }
        Ok(())
    }

    /// Writes the checks that a worker made into the track as it is now: it may have moved meanwhile.
    pub(super) fn merge_checks(&self, made: &Track) -> Result<(), Error> {
        let _lock = self.lock_track(&made.id);
        let Some(mut now) = self.kept_track(&made.id) else { return Ok(()) };
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

    /// Keeps others from writing a track until the lock is dropped.
    pub(super) fn lock_track(&self, id: &str) -> Option<FileLock> {
        self.store.shared().lock(&format!("{FOLDER}/{id}.lock")).ok()
    }

    fn sweep_tracks(&self) {
        for old in self.kept_tracks().iter().filter(|track| track.is_complete()).skip(MOST) {
            let _ = self.store.shared().remove(&file(&old.id));
            let _ = self.store.shared().remove(&format!("{FOLDER}/{}.lock", old.id));
        }
    }
}

fn file(id: &str) -> String {
    format!("{FOLDER}/{id}.json")
}
