//! The other way round: an agent fetches a packet, answers it in its own time and hands the edits back.

use jiff::Timestamp;
use lore_core::text::counted;
use lore_core::{Packet, PacketId};
use lore_distill::curator::{EditAnswer, Editor, LookAt, Renamed, read_answer};
use serde::{Deserialize, Serialize};

use super::again::is_same;
use super::backlog::Backlog;
use super::desk::Holder;
use super::outcome::PacketOutcome;
use super::pack::{PacketWish, Prepared};
use super::said::{Said, looked};
use super::take::Advance;
use crate::sessions::SessionFilter;
use crate::{Asker, Engine, Error};

pub(super) const FOLDER: &str = "curator/packets";
/// A packet that nobody came back with is thrown away after so many seconds; it is made again when asked for.
const KEPT: i64 = 24 * 3600;

/// What is handed out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HandedPacket {
    /// The packet; nothing where none waits.
    pub packet: Option<PacketId>,
    /// Everything an editor is shown; empty where nothing waits.
    pub text: String,
    /// Sessions that wait, this one included.
    pub left: usize,
    /// What they would cost, in tokens.
    pub tokens: usize,
    /// Sessions that somebody else is at.
    pub taken: usize,
    /// Sessions that were written a moment ago, so that their agents may still be at them.
    pub going_on: usize,
}

impl HandedPacket {
    /// Says why there is no packet; nothing where there is one.
    pub fn why_none(&self) -> Option<String> {
        let why = match self.taken {
            0 => nothing_waits(self.going_on),
            count => format!(
                "{} with somebody else; nothing else waits.",
                counted(count, "session is", "sessions are")
            ),
        };
        self.packet.is_none().then_some(why)
    }
}

/// Says that nothing waits, and what may wait in a moment.
pub fn nothing_waits(going_on: usize) -> String {
    match going_on {
        0 => "No session waits for an editor.".to_owned(),
        count => format!(
            "No session waits for an editor; {} written in the last two minutes and may still go on.",
            counted(count, "session was", "sessions were")
        ),
    }
}

/// What became of edits that were handed in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubmittedEdits {
    /// What became of each; as it would be, where something is asked first.
    #[serde(flatten)]
    pub outcome: PacketOutcome,
    /// What is asked before anything is written; nothing where it is done.
    pub ask: Option<String>,
    /// Sessions that still wait.
    pub left: usize,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
    /// Whether the same was handed in before: this is what came of it then.
    #[serde(default)]
    pub again: bool,
}

/// What is handed in.
#[derive(Debug, Clone, Default)]
pub struct EditSubmission {
    /// The packet, where the answer does not say it.
    pub packet: Option<String>,
    /// The answer, in the form `lore.edits/1`, or the second half of one: `{"packet", "edits", "looks"}`.
    pub json: String,
    /// Write what is covered now, and ask nothing.
    pub now: bool,
    /// Say what would happen and write nothing.
    pub dry_run: bool,
}

/// When something was put into the folder of packets.
#[derive(Debug, Deserialize)]
struct Put {
    at: Timestamp,
}

/// A packet that is out, with when.
#[derive(Debug, Serialize, Deserialize)]
struct Out {
    at: Timestamp,
    prepared: Prepared,
}

impl Engine {
    /// Makes the next packet without handing it out: what an editor would be shown.
    pub fn show_packet(&self, filter: &SessionFilter, tokens: Option<usize>) -> Result<HandedPacket, Error> {
        let backlog = self.backlog(filter, &|_, _| {})?;
        let desk = self.desk();
        let wish = PacketWish { tokens, ..PacketWish::default() };
        let prepared = self.prepare(&backlog.sessions, &wish, &desk)?;
        let packet = prepared.map(|prepared| prepared.packet);
        let taken = desk.leased(self.world.now).len();
        Ok(handed(packet, &backlog, taken))
    }

    /// Hands the next packet to an agent; nobody else gets it for a quarter of an hour.
    pub fn next_packet(&self, filter: &SessionFilter, tokens: Option<usize>) -> Result<HandedPacket, Error> {
        let backlog = self.backlog(filter, &|_, _| {})?;
        let wish = PacketWish { tokens, ..PacketWish::default() };
        // Under the lock, so that of two that come at once each gets another.
        let (prepared, taken) = self.at_desk(|desk| {
            let prepared = self.prepare(&backlog.sessions, &wish, desk)?;
            if let Some(prepared) = &prepared {
                desk.lease(prepared, Holder::Agent, self.world.now);
            }
            Ok::<_, Error>((prepared, desk.leased(self.world.now).len()))
        })??;
        if let Some(prepared) = &prepared {
            self.keep_out(prepared)?;
            self.throw_away_old()?;
        }
        let own = prepared.as_ref().map_or(0, |prepared| prepared.parts.len());
        let packet = prepared.map(|prepared| prepared.packet);
        Ok(handed(packet, &backlog, taken.saturating_sub(own)))
    }

    /// Takes edits back. What was refused for its words and what needs a second look is asked about once;
    /// then everything that is covered is written in one transaction. The same handed in again gets the same answer.
    pub fn submit_edits(&self, submission: &EditSubmission) -> Result<SubmittedEdits, Error> {
        let answer = read_answer(&submission.json).map_err(|error| {
            Error::request(
                format!("the edits cannot be read: {error}"),
                "hand in one object `{\"packet\": \"p-…\", \"edits\": […]}`",
            )
        })?;
        let name = submission.packet.clone().or_else(|| answer.packet.clone()).unwrap_or_default();
        let Some(mut prepared) = self.out(&name) else {
            if self.store.ledger().has_packet(&name) {
                return self.answered_before(&name, submission);
            }
            return Err(Error::request(
                format!("there is no packet `{name}`, or it is too long ago"),
                "fetch one with `lore packet`",
            ));
        };
        if self.is_answered(&prepared) {
            return self.answered_before(&name, submission);
        }
        let own = prepared.packet.id.to_string();
        let mut notes = answer.notes.clone();
        notes.dedup();
        let answer = EditAnswer { packet: Some(own), ..answer };
        let mut said = Said { first: answer, ..Said::default() };
        let begun = prepared.begun.clone().filter(|begun| !is_same(begun, &submission.json));
        let is_second = begun.is_some();
        if let Some(first) = begun.as_deref().and_then(|text| read_answer(text).ok()) {
            let own = Some(prepared.packet.id.to_string());
            said = Said {
                repaired: Some(said.first).filter(|second| !second.edits.is_empty()),
                first: EditAnswer { packet: own, ..first },
                renamed: Renamed::Any,
                ..said
            };
        }
        let (sheet, wants) = self.wants(&prepared, &said, LookAt::Doubtful)?;
        if is_second {
            looked(&mut said, &sheet, &submission.json);
            said.corrected(&sheet);
        }
        let ask = asking(wants.repair, wants.look).filter(|_| !is_second && !submission.now);
        let editor = self.hand();
        let rehearsed = submission.dry_run || ask.is_some();
        let mut outcome = self.take(&prepared, &said, &editor, Advance::Done, rehearsed)?;
        // Whoever hands in by hand sees at once what was not understood.
        outcome.left_out.extend(notes);
        if submission.dry_run {
            return self.submitted(outcome, ask, true);
        }
        if outcome.already {
            return self.answered_before(&name, submission);
        }
        if ask.is_some() {
            prepared.begun = Some(submission.json.clone());
            self.at_desk(|desk| desk.lease(&prepared, Holder::Agent, self.world.now))?;
            self.keep_out(&prepared)?;
        } else {
            self.at_desk(|desk| {
                desk.release(&prepared.packet.id);
                desk.done(prepared.parts.iter().map(|part| part.session.clone()));
            })?;
            let done = self.submitted(outcome, None, false)?;
            let handed = begun.into_iter().chain([submission.json.clone()]).collect();
            self.keep_answered(prepared.packet.id.as_str(), handed, &done);
            self.store.shared().remove(&file_of(prepared.packet.id.as_str()))?;
            return Ok(done);
        }
        self.submitted(outcome, ask, false)
    }

    /// Answers whoever hands in for a packet that is done.
    fn answered_before(&self, name: &str, submission: &EditSubmission) -> Result<SubmittedEdits, Error> {
        match self.answered_alike(name, &submission.json, submission.dry_run)? {
            Some(came) => Ok(came),
            None => self.submitted(already(name), None, submission.dry_run),
        }
    }

    fn submitted(
        &self,
        outcome: PacketOutcome,
        ask: Option<String>,
        dry_run: bool,
    ) -> Result<SubmittedEdits, Error> {
        let left = self.known_backlog().sessions.len();
        Ok(SubmittedEdits { outcome, ask, left, dry_run, again: false })
    }

    /// Names whoever hands in.
    fn hand(&self) -> Editor {
        match self.asker() {
            Asker::Agent { name, .. } => Editor::Agent(name.clone()),
            Asker::Person => Editor::Agent("by hand".to_owned()),
        }
    }

    fn keep_out(&self, prepared: &Prepared) -> Result<(), Error> {
        let out = Out { at: self.world.now, prepared: prepared.clone() };
        let (shared, name) = (self.store.shared(), file_of(prepared.packet.id.as_str()));
        Ok(shared.write_durably(&name, shared.json(&name, &out)?.as_bytes())?)
    }

    fn out(&self, packet: &str) -> Option<Prepared> {
        let is_name =
            packet.starts_with("p-") && packet.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let path = self.store.shared().path(&file_of(packet)).ok().filter(|_| is_name)?;
        let out: Out = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        Some(out.prepared)
    }

    fn throw_away_old(&self) -> Result<(), Error> {
        let folder = self.store.shared().folder().join(FOLDER);
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let put =
                std::fs::read(file.path()).ok().and_then(|bytes| serde_json::from_slice::<Put>(&bytes).ok());
            let is_old = put.is_none_or(|put| self.world.now.as_second() - put.at.as_second() > KEPT);
            if let Some(name) = file.file_name().to_str().filter(|_| is_old) {
                self.store.shared().remove(&format!("{FOLDER}/{name}"))?;
            }
        }
        Ok(())
    }
}

fn file_of(packet: &str) -> String {
    format!("{FOLDER}/{packet}.json")
}

fn already(packet: &str) -> PacketOutcome {
    let id = serde_json::from_value(packet.into()).unwrap_or_default();
    PacketOutcome { packet: id, already: true, ..PacketOutcome::default() }
}

fn handed(packet: Option<Packet>, backlog: &Backlog, taken: usize) -> HandedPacket {
    let text = packet.as_ref().map(|packet| packet.text.clone()).unwrap_or_default();
    let (left, tokens, going_on) = (backlog.sessions.len(), backlog.cost().sent, backlog.going_on);
    HandedPacket { packet: packet.map(|packet| packet.id), text, left, tokens, taken, going_on }
}

/// Joins what is asked before the edits are written.
fn asking(repair: Option<String>, look: Option<String>) -> Option<String> {
    let look = look.map(|look| {
        format!(
            "{look}\nHand in one object once more: {{\"packet\":\"p-…\",\"edits\":[],\"looks\":{{…}}}}. A claim has the number \
             of its edit. Edits stand unless you return them changed, with their \"n\"; one that you return in other words needs no look beside it; where a line is cut here, the whole one of the \
             packet counts.\n"
        )
    });
    let parts: Vec<String> = repair.into_iter().chain(look).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}
