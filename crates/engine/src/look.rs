//! A quick look at the files of the base: is the index still in step with them?
//!
//! A question must not cost reading everything that is known. Sizes and times of all files are
//! compared with those seen when the index last followed the base; only if one differs is the base
//! read. In a very large base the folders are looked at each time, and the files once a minute.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::Engine;

/// Where the last look is kept.
const SEEN: &str = "seen.json";
/// Where a writer's promise stands; it changes with every transaction.
const JOURNAL: &str = "journal";
/// Up to so many files are looked at on every question.
const FEW: usize = 20_000;
/// For so many seconds the folders alone are trusted in a larger base.
const TRUSTED: i64 = 60;

/// What the files of a base looked like.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Look {
    /// Every folder with its time.
    folders: Vec<(String, u128)>,
    /// How many files there are.
    count: usize,
    /// All paths, sizes and times in one number.
    files: u64,
}

/// The last look, and what the index had taken in by then.
#[derive(Debug, Serialize, Deserialize)]
struct Seen {
    cursor: String,
    at: i64,
    journal: u128,
    look: Look,
}

impl Engine {
    /// Looks whether anything changed since the index was at this cursor; if so, returns what is there now.
    pub(crate) fn changed_since(&self, cursor: Option<&str>) -> Option<(Look, u128)> {
        let journal = stamp(&self.store.derived().folder().join(JOURNAL));
        let seen =
            self.last_look().filter(|seen| Some(seen.cursor.as_str()) == cursor && seen.journal == journal);
        if let Some(seen) = &seen
            && seen.look.count > FEW
            && (0..TRUSTED).contains(&(self.world.now.as_second() - seen.at))
            && seen.look.folders.iter().all(|(folder, time)| stamp(&self.root().join(folder)) == *time)
        {
            return None;
        }
        let look = Look::at(self.root());
        match seen {
            Some(seen) if seen.look == look => None,
            _ => Some((look, journal)),
        }
    }

    /// Keeps a look that was taken before the index followed the base to this cursor.
    pub(crate) fn keep_look(&self, cursor: String, (look, journal): (Look, u128)) {
        let seen = Seen { cursor, at: self.world.now.as_second(), journal, look };
        let bytes = serde_json::to_vec(&seen).unwrap_or_default();
        // Whoever cannot keep it looks again next time.
        if let Err(error) = self.store.derived().write(SEEN, &bytes) {
            tracing::debug!(%error, "the look at the base is not kept");
        }
    }

    fn last_look(&self) -> Option<Seen> {
        let path = self.store.derived().path(SEEN).ok()?;
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }
}

impl Look {
    fn at(root: &Path) -> Look {
        let mut look = Look::default();
        look.walk(root, "");
        look.folders.sort();
        look
    }

    /// Adds up files in whatever order the disk gives them.
    fn walk(&mut self, root: &Path, folder: &str) {
        let here = root.join(folder);
        self.folders.push((folder.to_owned(), stamp(&here)));
        let Ok(listing) = std::fs::read_dir(&here) else { return };
        for item in listing.flatten() {
            let name = item.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let Ok(meta) = item.metadata() else { continue };
            if meta.is_dir() {
                self.walk(root, &path);
            } else {
                let mut hasher = DefaultHasher::new();
                (path, meta.len(), time(&meta)).hash(&mut hasher);
                self.files = self.files.wrapping_add(hasher.finish());
                self.count += 1;
            }
        }
    }
}

fn stamp(path: &Path) -> u128 {
    std::fs::metadata(path).map_or(0, |meta| time(&meta) ^ u128::from(meta.len()) << 96)
}

fn time(meta: &std::fs::Metadata) -> u128 {
    let modified = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    modified.map_or(0, |since| since.as_nanos())
}
