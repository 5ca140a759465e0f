//! Questions for people that editing left: what an editor was unsure of, and what only people may change.

use std::collections::BTreeMap;

use lore_core::{ContentHash, Entry, EntryId, Moment, Op, PacketId, Proofread, Proposal, SessionId};
use lore_distill::curator::Editor;
use serde::{Deserialize, Serialize};

use super::pack::Prepared;
use super::said::Said;
use super::take::whose;
use crate::curate::propose;
use crate::{Engine, Error};

const FILE: &str = "curator/questions.json";
const LOCK: &str = "curator/questions.lock";
/// So many words of a line are shown.
const SHOWN: usize = 240;
/// So many open questions are kept; nobody answers more, and the oldest go first.
const MOST: usize = 200;
/// So many refusals of people are remembered.
const REFUSALS: usize = 500;

/// Something only a person can decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditQuestion {
    /// Its name, the same whenever it is asked again.
    pub id: String,
    /// The packet it came from.
    pub packet: PacketId,
    /// Who asks: `model NAME` or `agent NAME`.
    pub by: String,
    /// What it is about.
    pub title: String,
    /// The question, or why the change was not made without asking.
    pub question: String,
    /// What would be written.
    pub text: Option<String>,
    /// The entry it would change.
    pub entry: Option<EntryId>,
    /// What was said.
    pub lines: Vec<QuestionLine>,
    /// What happens on yes; nothing where it is a mere question.
    #[serde(default)]
    pub proposals: Vec<Proposal>,
    /// What the entries said that it would change, as a hash each.
    #[serde(default)]
    pub(super) against: BTreeMap<EntryId, String>,
}

/// Words that a question rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionLine {
    /// The session.
    pub session: SessionId,
    /// The record.
    pub line: u32,
    /// `person`, `agent` or `pasted`.
    pub voice: String,
    /// When it was said.
    pub at: Option<Moment>,
    /// The words.
    pub words: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Asked {
    #[serde(default)]
    open: Vec<EditQuestion>,
    /// Names of questions that were answered.
    #[serde(default)]
    closed: Vec<String>,
    /// Sentences that people did not want.
    #[serde(default)]
    refused: Vec<String>,
}

/// Makes the questions of an answer.
pub(super) fn questions_of(
    prepared: &Prepared,
    said: &Said,
    proofs: &[Proofread],
    planned: Vec<(usize, Proposal)>,
    entries: &[Entry],
    editor: &Editor,
) -> Vec<EditQuestion> {
    let mut by_edit: BTreeMap<usize, Vec<Proposal>> = BTreeMap::new();
    for (number, proposal) in planned {
        by_edit.entry(number).or_default().push(proposal);
    }
    let lines = |numbers: &[u32]| numbers.iter().filter_map(|number| line(prepared, *number)).collect();
    let name = |what: &str| {
        let key = format!("{}\n{what}", prepared.packet.id);
        format!("q-{}", ContentHash::of(key.as_bytes()).short())
    };
    let mut out = Vec::new();
    for (number, proposals) in by_edit {
        let Some(proof) = proofs.iter().find(|proof| proof.number == number) else { continue };
        // An edit without words is told from others by what it is about.
        let said = match proof.edit.said() {
            "" => proof.target.as_ref().map(EntryId::as_str).unwrap_or_default(),
            said => said,
        };
        let changed = proposals.iter().filter(|proposal| matches!(proposal, Proposal::Replace { .. }));
        let known = changed.filter_map(|proposal| entries.iter().find(|entry| entry.id == *proposal.id()));
        out.push(EditQuestion {
            against: known.map(|entry| (entry.id.clone(), saying(entry))).collect(),
            id: name(&format!("{} {said}", proof.edit.op)),
            packet: prepared.packet.id.clone(),
            by: editor.to_string(),
            title: proof.edit.title.clone().unwrap_or_else(|| about(proof, &proposals)),
            question: proof.why().unwrap_or("a person decides").to_owned(),
            text: proof.edit.text.clone(),
            entry: proof.target.clone(),
            lines: lines(&proof.edit.lines),
            proposals,
        });
    }
    for unsure in &said.first.unsure {
        out.push(EditQuestion {
            id: name(&unsure.question),
            packet: prepared.packet.id.clone(),
            by: editor.to_string(),
            title: "a question".to_owned(),
            question: unsure.question.clone(),
            text: None,
            entry: None,
            lines: lines(&unsure.lines),
            proposals: Vec::new(),
            against: BTreeMap::new(),
        });
    }
    out
}

/// Says what an edit without a title is about.
fn about(proof: &Proofread, proposals: &[Proposal]) -> String {
    let changed = proposals.iter().find_map(|proposal| match proposal {
        Proposal::Replace { entry, .. } => Some(entry.title.as_str()),
        _ => None,
    });
    match (proof.edit.op, changed) {
        (Op::Drop, Some(title)) => format!("{}: {title}", proof.edit.op),
        (op, _) => op.to_string(),
    }
}

fn line(prepared: &Prepared, number: u32) -> Option<QuestionLine> {
    let line = prepared.packet.line(number)?;
    Some(QuestionLine {
        session: line.session.clone(),
        line: line.record,
        voice: whose(line.class.voice()).to_owned(),
        at: line.at,
        words: lore_core::one_line(&line.text).chars().take(SHOWN).collect(),
    })
}

impl EditQuestion {
    /// Checks that an entry still says what it said when another text was proposed for it: what was changed since is not
    /// overwritten.
    fn is_about(&self, now: &Entry, proposed: &Entry) -> Result<(), Error> {
        let is_same = match self.against.get(&now.id) {
            Some(said) => *said == saying(now),
            None => now.updated <= proposed.updated || now.body == proposed.body,
        };
        if is_same {
            return Ok(());
        }
        let hint =
            format!("`lore edit {}` changes it by hand; `lore review dismiss` closes the question", now.id);
        Err(Error::request(format!("`{}` was changed since this was proposed", now.id), hint))
    }
}

/// Returns a hash of what an entry says, whatever else was heard of it.
fn saying(entry: &Entry) -> String {
    let is_note = |line: &&str| line.starts_with("[^");
    let lines = entry.body.lines().filter(|line| !is_note(line)).map(without_marks);
    let text = lines.collect::<Vec<_>>().join("\n");
    let said = format!("{}\n{}\n{}", entry.title, entry.status.word(), text.trim());
    ContentHash::of(said.as_bytes()).to_string()
}

/// Takes out the marks by which a line names what it rests on.
fn without_marks(line: &str) -> String {
    let mut parts = line.split("[^");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once(']').map_or(part, |(_, rest)| rest));
    }
    out
}

impl Engine {
    /// Lists the questions that editing left, the oldest first.
    pub fn edit_questions(&self) -> Vec<EditQuestion> {
        self.asked().open
    }

    /// Does what a question proposes, as a person's decision.
    pub fn grant(&self, name: &str, dry_run: bool) -> Result<EditQuestion, Error> {
        self.only_a_person("decide a review", "ask the user to run `lore review` themselves")?;
        let question = self.edit_question(name)?;
        if question.proposals.is_empty() {
            return Err(Error::request(
                format!("`{}` proposes nothing; it only asks", question.id),
                format!(
                    "`lore learn` writes down the answer; `lore review dismiss {}` closes it",
                    question.id
                ),
            ));
        }
        let mut transaction = self.begin("review")?;
        for proposal in &question.proposals {
            let Proposal::Replace { entry, .. } = proposal else {
                propose(&mut transaction, proposal.clone())?;
                continue;
            };
            let now = transaction.get(entry.id.as_str())?.entry;
            question.is_about(&now, entry)?;
            propose(&mut transaction, proposal.clone())?;
            // What was heard of it since is still heard of it.
            transaction.add_sources(now.id.as_str(), now.sources)?;
        }
        if !dry_run {
            self.commit(transaction, &format!("granted {}: {}", question.id, question.title))?;
            self.close(&question, None)?;
        }
        Ok(question)
    }

    /// Closes a question; what it proposed is not proposed again.
    pub fn dismiss(&self, name: &str, dry_run: bool) -> Result<EditQuestion, Error> {
        self.only_a_person("decide a review", "ask the user to run `lore review` themselves")?;
        let question = self.edit_question(name)?;
        if !dry_run {
            self.close(&question, question.text.clone())?;
        }
        Ok(question)
    }

    pub(super) fn unwanted(&self) -> Vec<String> {
        self.asked().refused
    }

    pub(super) fn add_questions(&self, asked: Vec<EditQuestion>) -> Result<(), Error> {
        if asked.is_empty() {
            return Ok(());
        }
        self.change_asked(|known| {
            for question in asked {
                let is_known = known.closed.contains(&question.id)
                    || known.open.iter().any(|open| open.id == question.id);
                if !is_known {
                    known.open.push(question);
                }
            }
            let over = known.open.len().saturating_sub(MOST);
            known.open.drain(..over);
        })
    }

    /// Takes away the questions that came of packets whose edits were taken back.
    pub(crate) fn drop_questions(&self, packets: &[PacketId]) -> Result<(), Error> {
        if !self.asked().open.iter().any(|question| packets.contains(&question.packet)) {
            return Ok(());
        }
        self.change_asked(|known| known.open.retain(|open| !packets.contains(&open.packet)))
    }

    /// Returns the question of this name.
    pub fn edit_question(&self, name: &str) -> Result<EditQuestion, Error> {
        let found = self.asked().open.into_iter().find(|question| question.id == name);
        found.ok_or_else(|| {
            Error::request(format!("there is no question `{name}`"), "`lore review` lists them")
        })
    }

    fn close(&self, question: &EditQuestion, refused: Option<String>) -> Result<(), Error> {
        self.change_asked(|known| {
            known.open.retain(|open| open.id != question.id);
            known.closed.push(question.id.clone());
            known.refused.extend(refused);
            let over = known.refused.len().saturating_sub(REFUSALS);
            known.refused.drain(..over);
            let over = known.closed.len().saturating_sub(10 * REFUSALS);
            known.closed.drain(..over);
        })
    }

    fn asked(&self) -> Asked {
        let path = self.store.shared().path(FILE).ok();
        let bytes = path.and_then(|path| std::fs::read(path).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    fn change_asked(&self, change: impl FnOnce(&mut Asked)) -> Result<(), Error> {
        let _lock = self.store.shared().lock(LOCK)?;
        let mut asked = self.asked();
        change(&mut asked);
        Ok(self.store.shared().keep_json_clean(FILE, &asked)?)
    }
}
