//! What was handed in already, and what came of it: whoever hands in the same again, because an answer was lost on the
//! way, gets the same answer again, and nothing is used up.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::hand::{FOLDER, SubmittedEdits};
use crate::{Engine, Error};

/// A packet that was answered.
#[derive(Debug, Serialize, Deserialize)]
struct Answered {
    at: Timestamp,
    /// What was handed in, in its order.
    handed: Vec<String>,
    came: SubmittedEdits,
}

impl Engine {
    /// Keeps what came of a packet, with all that was handed in for it; what cannot be kept is not told again.
    pub(super) fn keep_answered(&self, packet: &str, handed: Vec<String>, came: &SubmittedEdits) {
        let answered = Answered { at: self.world.now, handed, came: came.clone() };
        let (shared, name) = (self.store.shared(), file_of(packet));
        let kept =
            shared.json(&name, &answered).and_then(|text| shared.write_durably(&name, text.as_bytes()));
        if let Err(error) = kept {
            tracing::debug!(%error, "what came of a packet is not kept");
        }
    }

    /// Returns what came of a packet to whoever hands in the same again.
    pub(super) fn answered_alike(
        &self,
        packet: &str,
        json: &str,
        dry_run: bool,
    ) -> Result<Option<SubmittedEdits>, Error> {
        let path = self.store.shared().path(&file_of(packet))?;
        let answered = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let answered =
            answered.filter(|answered: &Answered| answered.handed.iter().any(|own| is_same(own, json)));
        Ok(answered.map(|answered| {
            let mut came = answered.came;
            came.outcome.already = true;
            SubmittedEdits { again: true, dry_run, ..came }
        }))
    }
}

/// Tells whether two answers to a packet are the same, however they are written down.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let read = |text: &str| {
        let mut value: Value = serde_json::from_str(text).ok()?;
        // It may be named beside the answer.
        value.as_object_mut()?.remove("packet");
        Some(value)
    };
    match (read(one), read(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one.trim() == other.trim(),
    }
}

fn file_of(packet: &str) -> String {
    format!("{FOLDER}/{packet}.answered.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_answer_may_be_written_otherwise() {
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(is_same(one, other), expected, "{one} {other}")
        };
        check(r#"{"packet":"p-1","edits":[]}"#, r#"{ "edits": [] }"#, true);
        check(r#"{"edits":[],"looks":{}}"#, r#"{"edits":[],"looks":{"1":"no"}}"#, false);
        check("Here it is: {\"edits\":[]}", "Here it is: {\"edits\":[]}\n", true);
        check("Here it is: {\"edits\":[]}", "{\"edits\":[]}", false);
    }
}
