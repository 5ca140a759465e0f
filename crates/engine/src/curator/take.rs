//! Taking an answer: proof-read against the base as it stands, written in one transaction.

use std::collections::BTreeMap;

use lore_core::{Entry, EntryId, Op, ProofMark, Proofread, Proposal, Voice};
use lore_distill::curator::{AGAIN_REFUSED, BESIDE, EditPlan, Editor, Glance, PlanContext, plan, settle};
use lore_store::{CommitOptions, Curated, EditedBy, Refused, Transaction};

use super::outcome::{EditOutcome, PacketOutcome, told};
use super::pack::Prepared;
use super::questions::{EditQuestion, questions_of};
use super::said::{Said, claim};
use crate::curate::{Rests, propose};
use crate::{Engine, Error};

/// Whether a packet is done once its edits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Advance {
    /// Its records count as edited.
    Done,
    /// The answer was cut off: the same records are shown again, fewer at a time.
    Again,
}

impl Engine {
    /// Writes what is covered of an answer, in one transaction, and says what became of each edit.
    pub(crate) fn take(
        &self,
        prepared: &Prepared,
        said: &Said,
        editor: &Editor,
        advance: Advance,
        dry_run: bool,
    ) -> Result<PacketOutcome, Error> {
        let mut outcome = PacketOutcome { packet: prepared.packet.id.clone(), ..PacketOutcome::default() };
        let mut transaction = self.begin_as_machine("curate")?;
        // Only under the lock is it certain that nobody else answers the same.
        if self.is_answered(prepared) {
            outcome.already = true;
            return Ok(outcome);
        }
        // What a person deleted must be known before it could be made again.
        transaction.notice_deletions()?;
        let entries = self.entries_for(prepared, said, transaction.base());
        let mut sheet = self.proofs(prepared, said, &entries)?;
        let looks =
            sheet.proofs.iter().filter_map(|proof| Some((proof.number, *said.looks.get(&claim(proof))?)));
        let mut looks: BTreeMap<usize, Glance> = looks.collect();
        for proof in sheet.proofs.iter_mut().filter(|proof| proof.mark <= ProofMark::Flagged) {
            if let Some(shorter) = self.shorter(proof, prepared, said, &entries)? {
                looks.insert(shorter.number, Glance::Entailed);
                *proof = shorter;
            }
        }
        settle(&mut sheet.proofs, &looks, &prepared.packet);
        let planned = {
            let base = transaction.base();
            let path = |entry: &Entry| base.path_of(entry);
            let is_taken = |id: &EntryId| transaction.free_id(id) != *id;
            let context = PlanContext {
                packet: &prepared.packet,
                entries: &entries,
                editor,
                is_taken: &is_taken,
                path: &path,
            };
            plan(&sheet.proofs, &context)
        };
        for (number, why) in &planned.left {
            if let Some(proof) = sheet.proofs.iter_mut().find(|proof| proof.number == *number) {
                proof.mark = ProofMark::Refused;
                let remark = lore_core::Remark {
                    rule: "plan".to_owned(),
                    mark: ProofMark::Refused,
                    said: why.clone(),
                };
                proof.remarks.push(remark);
            }
        }
        tell_what_became(&mut sheet.proofs, &planned, prepared);
        let mut rests = Rests::new(self);
        prepared.parts.iter().for_each(|part| rests.heard(&part.session, part.is_here));
        let mut refused: BTreeMap<String, String> = BTreeMap::new();
        let mut made: Vec<Entry> = Vec::new();
        for mut proposal in planned.proposals {
            rests.settle(&mut proposal, &transaction);
            let id = proposal.id().clone();
            if let Proposal::Create { entry, .. } = &proposal {
                made.push((**entry).clone());
            }
            match propose(&mut transaction, proposal) {
                Ok(()) => {}
                Err(Refused::Removed(stone)) => {
                    let who = if stone.is_by_an_agent() { "an agent" } else { "a person" };
                    refused.insert(id.to_string(), format!("{who} removed it before"));
                }
                Err(why) => {
                    refused.insert(id.to_string(), why.to_string());
                }
            }
        }
        outcome.edits = sheet.proofs.iter().map(|proof| told(proof, &made, &entries, &refused)).collect();
        for (number, why) in &sheet.unread {
            outcome.edits.push(EditOutcome {
                n: *number,
                op: Op::New,
                asked: None,
                mark: ProofMark::Refused,
                title: String::new(),
                entry: None,
                why: Some(why.clone()),
                without: Vec::new(),
            });
        }
        let answers = std::iter::once(&said.first).chain(&said.repaired);
        outcome.left_out = answers.flat_map(|answer| &answer.left_out).cloned().collect();
        let remarks = sheet.proofs.iter().flat_map(|proof| &proof.remarks);
        let again = remarks.filter(|remark| remark.rule == AGAIN_REFUSED).map(|remark| remark.said.clone());
        outcome.left_out.extend(again);
        outcome.edits.sort_by_key(|edit| edit.n);
        let asked = questions_of(prepared, said, &sheet.proofs, planned.questions, &entries, editor);
        outcome.questions = asked.len();
        if dry_run {
            return Ok(outcome);
        }
        self.write(transaction, prepared, editor, advance, asked, &mut outcome)?;
        rests.save();
        Ok(outcome)
    }

    fn write(
        &self,
        mut transaction: Transaction<'_>,
        prepared: &Prepared,
        editor: &Editor,
        advance: Advance,
        asked: Vec<EditQuestion>,
        outcome: &mut PacketOutcome,
    ) -> Result<(), Error> {
        if advance == Advance::Done {
            let edited = EditedBy { by: editor.to_string(), packet: prepared.packet.id.to_string() };
            let read = prepared.parts.iter().map(|part| Curated {
                agent: part.agent.clone(),
                session: part.session.clone(),
                lines: u64::from(part.up_to),
                hash: part.hash.clone(),
                at: part.at,
                edited: Some(edited.clone()),
            });
            transaction.note_curated(read.collect::<Vec<_>>());
        }
        // Before the transaction: whoever dies in between asks the same question again, under the same name.
        self.add_questions(asked)?;
        let count = |ops: &[Op]| {
            let done = |edit: &&EditOutcome| edit.mark <= ProofMark::Flagged && ops.contains(&edit.op);
            outcome.edits.iter().filter(done).count()
        };
        let (new, written) = (count(&[Op::New, Op::Supersedes]), outcome.written());
        let line =
            format!("edited by {editor}: {new} new, {} changed ({})", written - new, prepared.packet.id);
        let git = self.settings.git.commit.then(|| format!("knowledge: {line}"));
        let log_line = (written > 0).then(|| line.clone());
        let options = CommitOptions { git, log_line, said: Some(line), ..CommitOptions::default() };
        let committed = transaction.commit(&options)?;
        outcome.run = committed.run.filter(|_| written > 0);
        let packet = &prepared.packet.id;
        if let Err(error) = self.at_desk(|desk| desk.note_written(outcome.run.as_ref(), packet)) {
            tracing::debug!(%error, "which packet a run wrote is not remembered");
        }
        if let Some(Err(error)) = committed.git {
            outcome.not_committed = Some(error.to_string());
        }
        self.settle_merges(&committed.files);
        Ok(())
    }

    /// Tells whether an editor went through all of a packet already.
    pub(crate) fn is_answered(&self, prepared: &Prepared) -> bool {
        let (ledger, desk) = (self.store.ledger(), self.desk());
        let is_done = |part: &super::pack::PreparedPart| {
            let edited = ledger.edited_by(&part.agent, &part.session, |packet| desk.counts(packet));
            let up_to = u64::from(part.up_to);
            // The same length with other words is a transcript that was rewritten.
            edited.is_some_and(|edited| {
                edited.lines > up_to || edited.lines == up_to && edited.hash == part.hash
            })
        };
        let packet = prepared.packet.id.as_str();
        ledger.has_packet(packet) && desk.counts(packet) || prepared.parts.iter().all(is_done)
    }
}

/// Says of edits what only carrying them out shows: that another of the same answer says it already, and that what rules
/// wrote gave way after all.
fn tell_what_became(proofs: &mut [Proofread], planned: &EditPlan, prepared: &Prepared) {
    for (number, first, entry) in &planned.again {
        let Some(proof) = proofs.iter_mut().find(|proof| proof.number == *number) else { continue };
        proof.asked = proof.asked.or(Some(proof.edit.op));
        (proof.edit.op, proof.target) = (Op::Same, Some(entry.clone()));
        proof.mark = ProofMark::Lowered;
        let said = format!("edit {first} of this answer says the same");
        proof.remarks.push(lore_core::Remark { rule: "plan".to_owned(), mark: ProofMark::Lowered, said });
    }
    for (number, draft) in &planned.given_way {
        let Some(proof) = proofs.iter_mut().find(|proof| proof.number == *number) else { continue };
        let is_meant =
            proof.edit.entry.as_deref().and_then(|short| prepared.packet.entry(short)) == Some(draft);
        if !is_meant || !proof.remarks.iter().any(|remark| remark.said == BESIDE) {
            continue;
        }
        proof.remarks.retain(|remark| remark.said != BESIDE);
        proof.edit.op = Op::Supersedes;
        proof.asked = proof.asked.filter(|asked| *asked != Op::Supersedes);
        let marks = proof.remarks.iter().map(|remark| remark.mark).filter(|mark| *mark <= ProofMark::Lowered);
        proof.mark = marks.max().unwrap_or(ProofMark::Applied).min(proof.mark);
    }
}

/// Says whose words a line holds, for a question to a person.
pub(super) const fn whose(voice: Voice) -> &'static str {
    match voice {
        Voice::Person => "person",
        Voice::Agent => "agent",
        Voice::Tool | Voice::Web => "pasted",
    }
}
