//! Taking an answer: proof-read against the base as it stands, written in one transaction.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::redact::Redactor;
use lore_core::{Confidence, Entry, EntryId, LinkKind, Op, ProofMark, Proofread, Proposal, Voice, one_line};
use lore_distill::curator::{
    AGAIN_REFUSED, BESIDE, EditAnswer, EditPlan, Editor, Glance, LookAt, PlanContext, ProofContext,
    ProofSheet, Remainder, Renamed, mend, plan, proofread, read_remainders, read_second_look, repair, reword,
    second_look, settle, shortened,
};
use lore_store::{CommitOptions, Curated, EditedBy, Refused, Snapshot, Transaction};

use super::outcome::{EditOutcome, PacketOutcome, told};
use super::pack::Prepared;
use super::questions::{EditQuestion, questions_of};
use crate::curate::{Rests, alike_in, propose};
use crate::{Engine, Error};

/// So many entries that are like an edit are compared with it.
const ALIKE: usize = 6;
/// So often the entry that replaced another is followed.
const REPLACED: usize = 4;

/// What an editor said to a packet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) first: EditAnswer,
    /// The second try for what was refused.
    pub(crate) repaired: Option<EditAnswer>,
    /// Which edits the second try may say in other words.
    pub(crate) renamed: Renamed,
    /// What a second look said, by the words of the claim.
    pub(crate) looks: BTreeMap<String, Glance>,
    /// What a second look left of a claim, by the words of the claim.
    pub(crate) remainders: BTreeMap<String, Remainder>,
}

impl Said {
    /// Takes an edit that came back in other words, because it was asked for, as the answer to its second look: whoever
    /// corrects it has looked at it.
    pub(super) fn corrected(&mut self, sheet: &ProofSheet) {
        let Some(second) = &self.repaired else { return };
        let first = |number: usize| {
            let own = self.first.edits.iter().find(|(n, _)| *n == number)?;
            own.1.as_ref().ok().map(|edit| one_line(edit.said()))
        };
        for proof in sheet.proofs.iter().filter(|proof| second.again.values().any(|n| *n == proof.number)) {
            let said = one_line(proof.edit.said());
            if first(proof.number).is_some_and(|before| before != said) {
                self.looks.entry(claim(proof)).or_insert(Glance::Entailed);
            }
        }
    }
}

/// Whether a packet is done once its edits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Advance {
    /// Its records count as edited.
    Done,
    /// The answer was cut off: the same records are shown again, fewer at a time.
    Again,
}

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

    /// Proof-reads what a second look left of a claim; nothing where it left nothing that can be taken.
    fn shorter(
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

    fn proofs(&self, prepared: &Prepared, said: &Said, entries: &[Entry]) -> Result<ProofSheet, Error> {
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
    fn entries_for(&self, prepared: &Prepared, said: &Said, snapshot: &Snapshot) -> Vec<Entry> {
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

/// Keeps what a second look said by the words of the claims: their numbers may be others the next time.
pub(crate) fn looked(said: &mut Said, sheet: &ProofSheet, answer: &str) {
    let (looks, rests) = (read_second_look(answer), read_remainders(answer));
    for proof in &sheet.proofs {
        if let Some(glance) = looks.get(&proof.number) {
            said.looks.insert(claim(proof), *glance);
        }
        if let Some(rest) = rests.get(&proof.number) {
            said.remainders.insert(claim(proof), rest.clone());
        }
    }
}

/// Names a claim by its words, so that what a second look said finds it again.
fn claim(proof: &Proofread) -> String {
    format!("{} {}", proof.edit.op, one_line(proof.edit.said()))
}

/// Says whose words a line holds, for a question to a person.
pub(super) const fn whose(voice: Voice) -> &'static str {
    match voice {
        Voice::Person => "person",
        Voice::Agent => "agent",
        Voice::Tool | Voice::Web => "pasted",
    }
}
