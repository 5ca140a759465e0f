//! What became of a packet, edit by edit.

use std::collections::BTreeMap;

use lore_core::{Entry, EntryId, Op, PacketId, ProofMark, Proofread, one_line};
use serde::{Deserialize, Serialize};

/// What became of one packet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PacketOutcome {
    /// The packet.
    pub packet: PacketId,
    /// What became of each edit.
    pub edits: Vec<EditOutcome>,
    /// What was read and left out, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Questions for a person that came of it.
    pub questions: usize,
    /// The change set, by which it can be taken back.
    pub run: Option<String>,
    /// Whether somebody had answered it before; nothing was done then.
    pub already: bool,
    /// Why the git commit was not made, where one was wanted.
    pub not_committed: Option<String>,
}

/// What became of one edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditOutcome {
    /// Its place in the answer.
    pub n: usize,
    /// What it does.
    pub op: Op,
    /// What the editor asked for, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Op>,
    /// What was decided.
    pub mark: ProofMark,
    /// What it is about.
    pub title: String,
    /// The entry it made or changed.
    pub entry: Option<EntryId>,
    /// Why it was lowered, asked about or refused.
    pub why: Option<String>,
    /// The fields of it that go nowhere: `was`, `reason`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

impl EditOutcome {
    /// Tells whether it is written.
    pub fn is_written(&self) -> bool {
        self.mark <= ProofMark::Flagged
    }

    /// Tells whether it is written with less than was asked for.
    pub fn is_less(&self) -> bool {
        let is_less = self.mark == ProofMark::Lowered || self.asked.is_some() || !self.without.is_empty();
        self.is_written() && is_less
    }
}

impl PacketOutcome {
    /// Counts edits that were written.
    pub fn written(&self) -> usize {
        self.edits.iter().filter(|edit| edit.is_written()).count()
    }

    /// Tells whether there were edits and none of them led anywhere.
    pub(crate) fn is_all_refused(&self) -> bool {
        !self.edits.is_empty() && self.edits.iter().all(|edit| edit.mark == ProofMark::Refused)
    }
}

/// Tells what became of an edit, with the entry that it made or changed.
pub(super) fn told(
    proof: &Proofread,
    made: &[Entry],
    entries: &[Entry],
    refused: &BTreeMap<String, String>,
) -> EditOutcome {
    let new = made.iter().find(|entry| entry.body.contains(one_line(proof.edit.said()).as_str()));
    let new = new.filter(|_| matches!(proof.edit.op, Op::New | Op::Supersedes) && proof.is_applied());
    let entry = new.map(|entry| entry.id.clone()).or_else(|| proof.target.clone());
    let known = entry.as_ref().and_then(|id| entries.iter().find(|entry| entry.id == *id));
    let title = proof.edit.title.clone().or_else(|| known.map(|entry| entry.title.clone()));
    let stopped = entry.as_ref().and_then(|id| refused.get(id.as_str())).filter(|_| proof.is_applied());
    EditOutcome {
        n: proof.number,
        op: proof.edit.op,
        asked: proof.asked,
        mark: if stopped.is_some() { ProofMark::Refused } else { proof.mark },
        title: title.unwrap_or_default(),
        entry,
        without: if stopped.is_some() { Vec::new() } else { proof.without.clone() },
        why: stopped.cloned().or_else(|| proof.account()),
    }
}
