//! Answers of the last five minutes, and one asking for all who ask the same at once.

use jiff::Timestamp;
use lore_core::ContentHash;
use serde::{Deserialize, Serialize};

use super::Kept;
use crate::{Engine, Error};

const FOLDER: &str = "ground";
/// So many seconds an answer may be used again.
const AGE: i64 = 300;

#[derive(Serialize, Deserialize)]
struct Entry {
    at: Timestamp,
    answer: Kept,
}

impl Engine {
    /// Returns a kept answer, or makes one and keeps it.
    pub(super) fn kept_or(&self, parts: &[&str], make: impl FnOnce() -> Kept) -> Result<(Kept, bool), Error> {
        let key = key(parts);
        let work = self.store.work();
        let file = format!("{FOLDER}/{key}.json");
        // Whoever comes second waits here and finds the answer of the first.
        let lock = work.lock(&format!("{FOLDER}/{key}.lock"));
        if let Err(error) = &lock {
            tracing::debug!(%error, "the same question may be asked twice");
        }
        let fresh = |entry: &Entry| {
            let age = self.world.now.as_second() - entry.at.as_second();
            (0..AGE).contains(&age)
        };
        let known: Option<Entry> = work
            .path(&file)
            .ok()
            .and_then(|path| std::fs::read(path).ok())
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(entry) = known.filter(fresh) {
            return Ok((entry.answer, true));
        }
        let answer = make();
        // What failed or was called off is tried again at once; what cannot be kept is asked again.
        if answer.codes.is_empty() && !self.watched.is_gone() {
            let entry = Entry { at: self.world.now, answer: answer.clone() };
            let _ = work.write_json(&file, &entry);
            self.sweep();
        }
        Ok((answer, false))
    }

    /// Removes answers that nobody may use any more.
    fn sweep(&self) {
        let folder = self.store.work().folder().join(FOLDER);
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let entry: Option<Entry> =
                std::fs::read(file.path()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
            let is_old =
                entry.is_some_and(|entry| self.world.now.as_second() - entry.at.as_second() > 2 * AGE);
            if is_old && let Some(name) = file.file_name().to_str() {
                let _ = self.store.work().remove(&format!("{FOLDER}/{name}"));
                let _ = self.store.work().remove(&format!("{FOLDER}/{}", name.replace(".json", ".lock")));
            }
        }
    }
}

/// Names a question: case, spaces and marks at the end make no difference.
fn key(parts: &[&str]) -> String {
    let normal = |text: &&str| {
        let low = text.to_lowercase();
        low.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(['?', '.', '!']).to_owned()
    };
    let whole: Vec<String> = parts.iter().map(normal).collect();
    ContentHash::of(whole.join("\u{0}").as_bytes()).short().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_has_one_name() {
        assert_eq!(key(&["t", "Where is  X?"]), key(&["t", "where is x"]));
        assert_ne!(key(&["t", "where is x"]), key(&["u", "where is x"]));
        assert_ne!(key(&["t", "where is x"]), key(&["t", "where is y"]));
    }
}
