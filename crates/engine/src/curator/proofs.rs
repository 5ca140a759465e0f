//! An answer proof-read against the base as it stands, and what it still needs.

use std::collections::BTreeSet;

use lore_core::redact::Redactor;
use lore_core::{Confidence, Entry, EntryId, LinkKind, Op, ProofMark, Proofread};
use lore_distill::curator::{
    EditAnswer, LookAt, ProofContext, ProofSheet, mend, proofread, repair, reword, second_look, shortened,
};
use lore_store::Snapshot;

use super::pack::Prepared;
use super::said::{Said, claim};
use crate::curate::alike_in;
use crate::{Engine, Error};

/// So many entries that are like an edit are compared with it.
const ALIKE: usize = 6;
/// So often the entry that replaced another is followed.
const REPLACED: usize = 4;

/// What an answer still needs before it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Wants {
    /// What to ask about refused edits and those that could be said better, beside the packet.
    pub(crate) repair: Option<String>,
    /// The same without the packet, where every edit could be read.
    pub(crate) reword: Option<String>,
    /// What to ask about edits that need a second look.
    pub(crate) look: Option<String>,
}

impl Engine {
    /// Reads an answer against the base as it stands and says what it still needs.
    pub(crate) fn wants(
        &self,
        prepared: &Prepared,
        said: &Said,
        scope: LookAt,
    ) -> Result<(ProofSheet, Wants), Error> {
        let snapshot = self.store.snapshot()?;
        let entries = self.entries_for(prepared, said, &snapshot);
        let sheet = self.proofs(prepared, said, &entries)?;
        let wants = Wants {
            repair: repair(&sheet).filter(|_| said.repaired.is_none()),
            reword: reword(&sheet, &prepared.packet, &entries).filter(|_| said.repaired.is_none()),
            look: second_look(&sheet.proofs, &prepared.packet, &entries, scope),
        };
        Ok((sheet, wants))
    }

    /// Proof-reads what a second look left of a claim; nothing where it left nothing that can be taken.
    pub(super) fn shorter(
        &self,
        proof: &Proofread,
        prepared: &Prepared,
        said: &Said,
        entries: &[Entry],
    ) -> Result<Option<Proofread>, Error> {
        let rest = said.remainders.get(&claim(proof));
        let Some(edit) = rest.and_then(|rest| shortened(&proof.edit, rest)) else {
            return Ok(None);
        };
        let alone = EditAnswer {
            packet: said.first.packet.clone(),
            edits: vec![(1, Ok(edit))],
            ..EditAnswer::default()
        };
        let read = self.proofs(prepared, &Said { first: alone, ..Said::default() }, entries)?;
        let taken = |read: &Proofread| read.mark <= ProofMark::Flagged && read.edit.op == proof.edit.op;
        let read = read.proofs.into_iter().next().filter(taken);
        Ok(read.map(|read| {
            let mut without = proof.without.clone();
            let reason = proof.edit.reason.is_some().then(|| "reason".to_owned());
            for name in read.without.iter().cloned().chain(reason) {
                if !without.contains(&name) {
                    without.push(name);
                }
            }
            Proofread {
                number: proof.number,
                asked: proof.asked.or(read.asked),
                without,
                confidence: read.confidence.min(Confidence::Medium),
                ..read
            }
        }))
    }

    pub(super) fn proofs(
        &self,
        prepared: &Prepared,
        said: &Said,
        entries: &[Entry],
    ) -> Result<ProofSheet, Error> {
        let redactor = Redactor::with_patterns(&self.settings.redact.patterns)?;
        // What an agent removed is asked about when it is written, by whose words it rests on.
        let stones = self.store.tombstones();
        let mut removed: Vec<String> =
            stones.iter().filter(|stone| !stone.is_by_an_agent()).map(|stone| stone.title.clone()).collect();
        removed.extend(self.unwanted());
        let project = self.project().file_name().map(|name| name.to_string_lossy().into_owned());
        let context = ProofContext {
            packet: &prepared.packet,
            entries,
            removed: &removed,
            project: project.as_deref().filter(|_| !self.is_personal()).unwrap_or_default(),
            redactor: &redactor,
        };
        let read = |answer: &EditAnswer| {
            let (answer, moved) = self.retargeted(answer, prepared, entries);
            let mut sheet = proofread(&answer, &context);
            for proof in sheet.proofs.iter_mut().filter(|proof| moved.contains(&proof.number)) {
                proof.asked = Some(Op::Refines).filter(|asked| *asked != proof.edit.op);
                if proof.mark == ProofMark::Applied {
                    proof.mark = ProofMark::Lowered;
                }
                let said = "the entry was changed since the packet was made: it is added beside".to_owned();
                let mark = ProofMark::Lowered;
                proof.remarks.push(lore_core::Remark { rule: "moved".to_owned(), mark, said });
            }
            sheet
        };
        let sheet = read(&said.first);
        Ok(match &said.repaired {
            Some(second) if sheet.stray.is_none() => mend(sheet, read(second), said.renamed),
            _ => sheet,
        })
    }

    /// An entry that others changed since the packet was made is added to, not worded again: the editor
    /// did not see what stands there now. Also returns the numbers of the edits that this is so of.
    fn retargeted(
        &self,
        answer: &EditAnswer,
        prepared: &Prepared,
        entries: &[Entry],
    ) -> (EditAnswer, BTreeSet<usize>) {
        let mut moved = BTreeSet::new();
        let Ok(snapshot) = self.store.snapshot() else { return (answer.clone(), moved) };
        let mut answer = answer.clone();
        for (number, edit) in answer.edits.iter_mut().filter_map(|(n, edit)| Some((*n, edit.as_mut().ok()?)))
        {
            let id = edit.entry.as_deref().and_then(|short| prepared.packet.entry(short));
            let Some(id) = id.filter(|id| edit.op == Op::Refines && entries.iter().any(|e| e.id == **id))
            else {
                continue;
            };
            let now = snapshot.find(id.as_str()).map(|summary| summary.version.to_string());
            if now.as_ref() != prepared.versions.get(id) {
                edit.op = Op::Adds;
                moved.insert(number);
            }
        }
        (answer, moved)
    }

    /// Reads the entries of a packet as they stand, those that replaced them, and what is like the edits.
    pub(super) fn entries_for(&self, prepared: &Prepared, said: &Said, snapshot: &Snapshot) -> Vec<Entry> {
        let mut out: Vec<Entry> = Vec::new();
        let mut seen: BTreeSet<EntryId> = BTreeSet::new();
        for near in &prepared.packet.nearest {
            let mut id = near.id.clone();
            for _ in 0..REPLACED {
                let entry = snapshot.find(id.as_str()).and_then(|summary| snapshot.read(summary).ok());
                let Some(entry) = entry.map(|stored| stored.entry).filter(|_| seen.insert(id.clone())) else {
                    break;
                };
                let next = entry.linked(LinkKind::SupersededBy).next().and_then(|next| next.parse().ok());
                out.push(entry);
                let Some(next) = next else { break };
                id = next;
            }
        }
        let edits = |answer: &EditAnswer| {
            let read = answer.edits.iter().filter_map(|(_, edit)| edit.as_ref().ok());
            read.map(|edit| edit.said().to_owned()).filter(|text| !text.is_empty()).collect::<Vec<_>>()
        };
        let mut texts = edits(&said.first);
        texts.extend(said.repaired.as_ref().map(edits).unwrap_or_default());
        for entry in alike_in(self.store.work(), snapshot, &texts, ALIKE) {
            if seen.insert(entry.id.clone()) {
                out.push(entry);
            }
        }
        out
    }
}
