//! A run: packet after packet to a model, one transaction each, within a budget.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::SessionId;
use lore_distill::curator::{EditAnswer, Editor, LookAt, is_asked_again, read_answer, read_second_look};
use serde::Serialize;

use super::asked::Unanswered;
use super::backlog::Backlog;
use super::desk::Holder;
use super::model::{Errand, Model, ModelReply, ModelRequest};
use super::outcome::PacketOutcome;
use super::pack::{PacketWish, Prepared};
use super::said::{Said, looked};
use super::take::Advance;
use crate::sessions::{OnProgress, SessionFilter};
use crate::{Engine, Error};

/// So many packets of one session in a run; what is left waits.
const PACKETS: usize = 3;

/// How a run goes.
#[derive(Debug, Clone, Default)]
pub struct EditOptions {
    /// Which sessions.
    pub filter: SessionFilter,
    /// Only these sessions; all that wait where nothing.
    pub only: Option<BTreeSet<SessionId>>,
    /// Ask, and write nothing.
    pub dry_run: bool,
    /// Every session in a packet of its own.
    pub apart: bool,
    /// Ask also a model that failed or was found unfit before.
    pub insist: bool,
    /// Stop after so many packets.
    pub packets: Option<usize>,
}

/// Told after each packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EditProgress {
    /// Packets that were answered.
    pub packets: usize,
    /// Sessions that still wait.
    pub sessions_left: usize,
    /// Tokens that were spent in this run.
    pub spent: usize,
    /// Tokens that are left of this run's.
    pub left: usize,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct EditReport {
    /// The model.
    pub model: String,
    /// The run, by which all of it can be taken back; nothing where nothing was written.
    pub run: Option<String>,
    /// What became of each packet.
    pub packets: Vec<PacketOutcome>,
    /// Answers that were known from an earlier run and cost nothing.
    pub remembered: usize,
    /// Tokens that went out and were answered.
    pub tokens_in: usize,
    /// Tokens that came back.
    pub tokens_out: usize,
    /// Sessions that still wait.
    pub left: usize,
    /// Why it ended before everything was done.
    pub stopped: Option<String>,
    /// What did not go as asked.
    pub notes: Vec<String>,
    /// Whether nothing was written.
    pub dry_run: bool,
}

impl EditReport {
    /// Tells whether the editor was asked and nothing of what it said could be used.
    pub fn is_in_vain(&self) -> bool {
        self.packets.is_empty() && self.left > 0
    }

    fn spent(&self) -> usize {
        self.tokens_in + self.tokens_out
    }
}

impl Engine {
    /// Has a model edit what waits.
    pub fn edit_with(
        &self,
        model: &dyn Model,
        options: &EditOptions,
        progress: &dyn Fn(EditProgress),
        reading: OnProgress<'_>,
    ) -> Result<EditReport, Error> {
        let mut report =
            EditReport { model: model.name().to_owned(), dry_run: options.dry_run, ..EditReport::default() };
        let Some(_alone) = self.take_run_lock()? else {
            report.stopped = Some("another run is at it".to_owned());
            return Ok(report);
        };
        self.at_desk(|desk| {
            desk.release_runs();
            if options.insist {
                desk.try_again();
            }
        })?;
        let mut backlog = self.backlog(&options.filter, reading)?;
        if let Some(only) = &options.only {
            backlog.sessions.retain(|one| only.contains(&one.session));
        }
        report.left = backlog.sessions.len();
        let desk = self.desk();
        if let Some(pause) = desk.paused(self.present()) {
            report.stopped = Some(format!("not asked until {}: {}", pause.until, pause.why));
        } else if desk.is_unfit(model.name()) {
            report.stopped =
                Some(format!("`{}` was found unfit: nothing of its answers could be taken", model.name()));
        } else {
            let run = self.at_desk(|desk| desk.begin_run(model.name()))?;
            let edited = self.edit_all(model, options, &backlog, &run, progress, &mut report);
            self.at_desk(|desk| desk.end_run(&run))?;
            edited?;
            report.run = report.packets.iter().any(|packet| packet.run.is_some()).then_some(run);
        }
        Ok(report)
    }

    fn edit_all(
        &self,
        model: &dyn Model,
        options: &EditOptions,
        backlog: &Backlog,
        run: &str,
        progress: &dyn Fn(EditProgress),
        report: &mut EditReport,
    ) -> Result<(), Error> {
        let editor = Editor::Model(model.name().to_owned());
        let mut wish = PacketWish { apart: options.apart, ..PacketWish::default() };
        let mut shares: BTreeMap<SessionId, usize> = BTreeMap::new();
        let mut done: BTreeSet<SessionId> = BTreeSet::new();
        while options.packets.is_none_or(|most| report.packets.len() < most) {
            let Some(prepared) = self.prepare(&backlog.sessions, &wish, &self.desk())? else { break };
            self.at_desk(|desk| desk.lease(&prepared, Holder::Run, self.present()))?;
            let answered = self.edit_one(model, &prepared, &editor, options, report);
            self.at_desk(|desk| desk.release(&prepared.packet.id))?;
            let answered = answered?;
            let is_answered = answered.is_ok();
            match answered {
                Ok(outcome) => {
                    let unfit = self.at_desk(|desk| {
                        if let Some(set) = &outcome.run {
                            desk.note_set(run, set);
                        }
                        desk.note_answered(run, &outcome.packet);
                        desk.answered();
                        desk.note_fitness(model.name(), outcome.is_all_refused())
                    })?;
                    report.packets.push(outcome);
                    if unfit {
                        report.stopped = Some(format!(
                            "nothing of three packets in a row could be taken: `{}` is not asked again",
                            model.name()
                        ));
                    }
                }
                Err(Unanswered::Model(error)) => {
                    self.at_desk(|desk| desk.break_off(&error.to_string(), self.present()))?;
                    report.stopped = Some(error.to_string());
                }
                Err(Unanswered::Unreadable(why)) => {
                    let sessions = || prepared.parts.iter().map(|part| part.session.clone());
                    self.at_desk(|desk| desk.note_failure(sessions()))?;
                    report.notes.push(format!("packet {}: {why}; it waits", prepared.packet.id));
                    wish.without.extend(sessions());
                }
                Err(Unanswered::Budget(why)) => report.stopped = Some(why),
            }
            for part in &prepared.parts {
                let count = shares.entry(part.session.clone()).or_insert(0);
                *count += 1;
                // In a rehearsal the ledger stays where it is: one packet of each session is enough.
                if *count >= PACKETS || options.dry_run {
                    wish.without.insert(part.session.clone());
                }
                // What the editor could not be made to answer for still waits.
                if is_answered {
                    done.insert(part.session.clone());
                }
            }
            report.left = backlog.sessions.iter().filter(|one| !done.contains(&one.session)).count();
            let left = self.settings.curate.tokens_per_run.saturating_sub(report.spent());
            progress(EditProgress {
                packets: report.packets.len(),
                sessions_left: report.left,
                spent: report.spent(),
                left,
            });
            if report.stopped.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn edit_one(
        &self,
        model: &dyn Model,
        prepared: &Prepared,
        editor: &Editor,
        options: &EditOptions,
        report: &mut EditReport,
    ) -> Result<Result<PacketOutcome, Unanswered>, Error> {
        let mut talk = Talk { engine: self, model, prepared, report };
        let (first, cut_off) = match talk.edits() {
            Ok(first) => first,
            Err(why) => return Ok(Err(why)),
        };
        let mut said = Said { first, ..Said::default() };
        let (sheet, wants) = self.wants(prepared, &said, LookAt::Everything)?;
        // Where every edit could be read, its lines are enough and the packet is not paid for twice.
        let whole = |request| repairing(prepared, &sheet, &said.first, request);
        if let Some(request) = wants.reword.or_else(|| wants.repair.as_deref().map(whole)) {
            // What is refused again is dropped, and so is a repair that cannot be read or paid.
            match talk.ask(Errand::Repair, &request) {
                Ok(reply) => said.repaired = read_answer(&reply.text).ok(),
                Err(Unanswered::Model(error)) => talk.report.notes.push(error.to_string()),
                Err(_) => {}
            }
        }
        let (sheet, wants) = self.wants(prepared, &said, LookAt::Everything)?;
        if let Some(request) = &wants.look {
            match talk.ask(Errand::Look, request) {
                Ok(reply) => looked(&mut said, &sheet, &reply.text),
                Err(Unanswered::Model(error)) => talk.report.notes.push(error.to_string()),
                Err(_) => {}
            }
        }
        let mut advance = Advance::Done;
        if cut_off {
            let sessions: Vec<SessionId> = prepared.parts.iter().map(|part| part.session.clone()).collect();
            let again =
                |desk: &mut super::desk::Desk| sessions.iter().fold(false, |any, one| desk.halve(one) | any);
            if !options.dry_run && self.at_desk(again)? {
                advance = Advance::Again;
                report.notes.push(format!(
                    "packet {}: the answer was cut off; the next one is smaller",
                    prepared.packet.id
                ));
            }
        }
        let outcome = self.take(prepared, &said, editor, advance, options.dry_run)?;
        if advance == Advance::Done && !options.dry_run {
            self.at_desk(|desk| desk.done(prepared.parts.iter().map(|part| part.session.clone())))?;
        }
        Ok(Ok(outcome))
    }
}

/// One packet's conversation with a model.
struct Talk<'a, 'r> {
    engine: &'a Engine,
    model: &'a dyn Model,
    prepared: &'a Prepared,
    report: &'r mut EditReport,
}

impl Talk<'_, '_> {
    /// Asks for edits; an answer that cannot be read is asked for once more.
    fn edits(&mut self) -> Result<(EditAnswer, bool), Unanswered> {
        let text = self.prepared.packet.text.clone();
        let first = self.ask(Errand::Edits, &text)?;
        let why = match self.read(&first) {
            Ok(read) => return Ok(read),
            Err(why) => why,
        };
        let again =
            format!("{text}\nYour last answer could not be taken: {why}. Answer with the one JSON object.\n");
        let second = self.ask(Errand::Again, &again)?;
        self.read(&second).map_err(Unanswered::Unreadable)
    }

    fn read(&self, reply: &ModelReply) -> Result<(EditAnswer, bool), String> {
        let answer = read_answer(&reply.text).map_err(|error| error.to_string())?;
        let own = self.prepared.packet.id.as_str();
        if let Some(other) = answer.packet.as_deref().filter(|packet| *packet != own) {
            let other: String = other.chars().filter(|c| !c.is_control()).take(40).collect();
            return Err(format!("it is for the packet `{other}`, not for `{own}`"));
        }
        let cut_off = answer.cut_off || reply.cut_off;
        Ok((answer, cut_off))
    }

    /// Asks, unless the same was answered before; only what is answered is spent.
    fn ask(&mut self, errand: Errand, text: &str) -> Result<ModelReply, Unanswered> {
        // What cannot be read is worth another try, not a memory.
        let is_whole = |reply: &ModelReply| match errand {
            Errand::Edits | Errand::Again => self.read(reply).is_ok_and(|(_, cut_off)| !cut_off),
            Errand::Look => !reply.cut_off && !read_second_look(&reply.text).is_empty(),
            Errand::Repair | Errand::Lessons => !reply.cut_off,
        };
        let request = ModelRequest { errand, packet: &self.prepared.packet, text };
        let asked = self.engine.ask_model(self.model, &request, self.report.spent(), &is_whole)?;
        self.report.remembered += usize::from(asked.remembered);
        self.report.tokens_in += asked.sent;
        self.report.tokens_out += asked.got;
        Ok(asked.reply)
    }
}

/// Writes a request for repair: the packet once more, so that a provider's cache knows it, and what is asked for.
fn repairing(
    prepared: &Prepared,
    sheet: &lore_distill::curator::ProofSheet,
    answer: &EditAnswer,
    request: &str,
) -> String {
    let again = sheet.proofs.iter().filter(|proof| is_asked_again(proof));
    let again = again.filter_map(|proof| Some((proof.number, serde_json::to_string(&proof.edit).ok()?)));
    // Whoever is asked remembers nothing of what it wrote before.
    let edits: Vec<String> = again
        .chain(answer.as_written.iter().cloned())
        .map(|(number, edit)| format!("{number}: {edit}"))
        .collect();
    format!("{}\n{request}\nAs they were:\n{}\n", prepared.packet.text, edits.join("\n"))
}
