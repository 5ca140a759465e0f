//! The answer for the session that asked: its next prompt carries it.

use lore_core::ContentHash;
use lore_core::handle::shown;

use crate::{Engine, Error};

const FOLDER: &str = "spikes/owed";

impl Engine {
    /// Remembers that a session waits for the answer of a spike.
    pub(super) fn owe_answer(&self, session: Option<&str>, id: &str) -> Result<(), Error> {
        match session {
            Some(session) => Ok(self.store.shared().append_text(&file(session), &format!("{id}\n"))?),
            None => Ok(()),
        }
    }

    /// Says the answers that a session waits for, once.
    pub(crate) fn owed_answers(&self, session: Option<&str>) -> Option<String> {
        let file = file(session?);
        // Nearly every prompt finds nothing here, at the price of one look.
        let ids = std::fs::read_to_string(self.store.shared().folder().join(&file)).ok()?;
        let snapshot = self.store.snapshot().ok()?;
        let mut text = String::new();
        for summary in ids.lines().filter_map(|id| snapshot.find(id)) {
            let answer = summary.description.as_deref().unwrap_or(&summary.title);
            text.push_str(&format!("- [{}] {answer}\n", shown(summary.id.as_str())));
        }
        let _ = self.store.shared().remove(&file);
        (!text.is_empty())
            .then(|| format!("The experiment that was asked for in this session is decided:\n{text}"))
    }
}

fn file(session: &str) -> String {
    format!("{FOLDER}/{}", ContentHash::of(session.as_bytes()).short())
}
