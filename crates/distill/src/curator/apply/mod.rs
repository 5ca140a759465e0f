//! From proof-read edits to proposals: what is written, what a person is asked, nothing by a clock.

mod deed;
mod draft;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use lore_core::{
    Article, Entry, EntryId, Link, LinkKind, Moment, Op, Packet, ProofMark, Proofread, Proposal, Reason,
    SET_ASIDE, SessionId, Status,
};

use super::verify::is_protected;
use crate::article;
use crate::curate::Work;

pub use draft::is_draft;

/// Who edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Editor {
    /// A model that was asked for it.
    Model(String),
    /// The agent that a person works with.
    Agent(String),
}

impl fmt::Display for Editor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Editor::Model(name) => write!(f, "model {name}"),
            Editor::Agent(name) => write!(f, "agent {name}"),
        }
    }
}

/// Where edits are carried out.
#[derive(Clone, Copy)]
pub struct PlanContext<'a> {
    /// The packet that was answered.
    pub packet: &'a Packet,
    /// Its entries as they stand now, and those that have replaced them.
    pub entries: &'a [Entry],
    /// Who edited.
    pub editor: &'a Editor,
    /// Tells whether an id is in use or was removed by a person.
    pub is_taken: &'a dyn Fn(&EntryId) -> bool,
    /// Gives the path of an entry inside the base, for links.
    pub path: &'a dyn Fn(&Entry) -> String,
}

/// What comes of an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EditPlan {
    /// What is written, at most one for each entry.
    pub proposals: Vec<Proposal>,
    /// What a person is asked, with the number of the edit: each as if it alone were carried out.
    pub questions: Vec<(usize, Proposal)>,
    /// Edits that could not be carried out, and why.
    pub left: Vec<(usize, String)>,
    /// Edits that say what an earlier one of the answer says: the number of that one, and its entry.
    pub again: Vec<(usize, usize, EntryId)>,
    /// What rules had written and which edit it gives way to.
    pub given_way: Vec<(usize, EntryId)>,
}

/// Plans what is written for the edits that passed, and what is asked for those that a person decides.
pub fn plan(proofs: &[Proofread], context: &PlanContext<'_>) -> EditPlan {
    let mut out = EditPlan::default();
    let mut bench = Bench::new(context);
    for proof in proofs.iter().filter(|proof| proof.is_applied()) {
        match bench.carry_out(proof) {
            Ok(()) => {
                bench.replace_drafts(proof);
                out.again.extend(bench.again.take().map(|(first, entry)| (proof.number, first, entry)));
            }
            Err(why) => out.left.push((proof.number, why)),
        }
    }
    out.given_way = std::mem::take(&mut bench.given_way);
    out.proposals = bench.finish(Rights::Machine);
    for proof in proofs.iter().filter(|proof| matches!(proof.mark, ProofMark::Proposal | ProofMark::Flagged))
    {
        let mut bench = Bench::new(context);
        match bench.carry_out(proof) {
            Ok(()) => {
                bench.replace_drafts(proof);
                let asked = bench.finish(Rights::Person).into_iter();
                out.questions.extend(asked.map(|proposal| (proof.number, proposal)));
            }
            Err(why) => out.left.push((proof.number, why)),
        }
    }
    out
}

/// On whose behalf proposals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rights {
    /// A person's words are not touched.
    Machine,
    /// A person will see each change and decide.
    Person,
}

/// The articles that edits are carried out on.
struct Bench<'a> {
    context: &'a PlanContext<'a>,
    works: BTreeMap<EntryId, Work>,
    /// Entries that are replaced, by what.
    replaced: BTreeMap<EntryId, EntryId>,
    /// Entries that are given up.
    dropped: BTreeSet<EntryId>,
    /// The newest evidence for each entry.
    newest: BTreeMap<EntryId, Timestamp>,
    /// The entry that each edit begins, by the number of the edit.
    begun: BTreeMap<usize, EntryId>,
    /// The edit and the entry that the last edit only said again.
    again: Option<(usize, EntryId)>,
    /// Drafts that give way, with the number of the edit that says them.
    given_way: Vec<(usize, EntryId)>,
}

impl<'a> Bench<'a> {
    fn new(context: &'a PlanContext<'a>) -> Bench<'a> {
        Bench {
            context,
            works: BTreeMap::new(),
            replaced: BTreeMap::new(),
            dropped: BTreeSet::new(),
            newest: BTreeMap::new(),
            begun: BTreeMap::new(),
            again: None,
            given_way: Vec::new(),
        }
    }

    /// Puts an edit in the place of what rules had written from the same lines.
    fn replace_drafts(&mut self, proof: &Proofread) {
        let next = match proof.edit.op {
            Op::New | Op::Supersedes => self.begun.get(&proof.number).cloned(),
            Op::Refines | Op::Adds => proof.target.clone(),
            Op::Same | Op::Disputes | Op::Drop | Op::Split => None,
        };
        let Some(next) = next else { return };
        let deed = deed::Deed::of(proof, self.context);
        let records = |session: &SessionId, record: u32| {
            self.context.packet.lines.iter().any(|line| line.session == *session && line.record == record)
        };
        for entry in self.context.entries.iter().filter(|entry| draft::is_draft(entry, records)) {
            let is_free = entry.id != next && !self.works.contains_key(&entry.id);
            if !is_free || !draft::gives_way(entry, &deed) {
                continue;
            }
            let done = self.on(&entry.id, &deed, |work, _| {
                work.touched = true;
                Ok(())
            });
            if let (Ok(()), Some(work)) = (done, self.works.get_mut(&next)) {
                work.entry.links.push(Link::new(LinkKind::Supersedes, entry.id.as_str()));
                self.replaced.insert(entry.id.clone(), next.clone());
                self.given_way.push((proof.number, entry.id.clone()));
            }
        }
    }

    fn carry_out(&mut self, proof: &Proofread) -> Result<(), String> {
        let deed = deed::Deed::of(proof, self.context);
        match (proof.edit.op, &proof.target) {
            (Op::New, _) => self.begin(&deed, None),
            (_, None) => Err("the entry it is about is not known".to_owned()),
            (Op::Same, Some(target)) => self.on(target, &deed, write::same),
            (Op::Adds, Some(target)) => self.on(target, &deed, write::add),
            (Op::Refines, Some(target)) => self.on(target, &deed, write::refine),
            (Op::Disputes, Some(target)) => self.on(target, &deed, write::dispute),
            (Op::Supersedes, Some(target)) => self.begin(&deed, Some(target)),
            (Op::Drop, Some(target)) => {
                self.dropped.insert(target.clone());
                self.on(target, &deed, |work, _| {
                    work.touched = true;
                    Ok(())
                })
            }
            (Op::Split, _) => Err("`split` is not taken yet".to_owned()),
        }
    }

    /// Works on an entry that is there.
    fn on(
        &mut self,
        id: &EntryId,
        deed: &deed::Deed<'_>,
        write: fn(&mut Work, &deed::Deed<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        if !self.works.contains_key(id) {
            let found = self.context.entries.iter().find(|entry| entry.id == *id);
            let entry = found.ok_or_else(|| format!("the entry `{id}` is not there"))?.clone();
            let article = Article::parse(&entry.body);
            self.works.insert(id.clone(), Work::new(entry, article));
        }
        let Some(work) = self.works.get_mut(id) else { return Err(format!("the entry `{id}` is not there")) };
        let before = work.touched;
        work.touched = false;
        let done = write(work, deed);
        if work.touched {
            deed.sign(work);
            note_time(&mut self.newest, id, deed.candidate.at);
        }
        work.touched |= before;
        done
    }

    /// Begins an entry, in the place of another where one is given.
    fn begin(&mut self, deed: &deed::Deed<'_>, replaces: Option<&EntryId>) -> Result<(), String> {
        if let Some(known) = self.already(deed) {
            let first = self.begun.iter().find(|(_, id)| **id == known);
            self.again = first.map(|(number, id)| (*number, id.clone()));
            return self.on(&known, deed, write::same);
        }
        let Some(at) = deed.candidate.at.or_else(|| self.context.entries.iter().find_map(newest_of)) else {
            return Err("nobody knows when it was said".to_owned());
        };
        let mut entry = article::entry_for(&deed.candidate, at);
        entry.title = deed.title();
        let plain = entry.id.clone();
        let mut number = 2;
        while self.works.contains_key(&entry.id) || (self.context.is_taken)(&entry.id) {
            entry.id = plain.numbered(number);
            number += 1;
        }
        let id = entry.id.clone();
        let mut work = Work::new(entry, Article::default());
        work.is_new = true;
        write::begin(&mut work, deed);
        for near in &deed.proof.alike {
            work.entry.links.push(Link::new(LinkKind::Related, near.as_str()));
        }
        if let Some(old) = replaces {
            if let Some(entry) = self.context.entries.iter().find(|entry| entry.id == *old) {
                write::keep_evidence(&mut work, deed, entry);
            }
            work.entry.links.push(Link::new(LinkKind::Supersedes, old.as_str()));
            self.replaced.insert(old.clone(), id.clone());
            self.on(old, deed, |work, _| {
                work.touched = true;
                Ok(())
            })?;
        }
        article::relate(&mut work, self.context.entries, self.context.path);
        deed.sign(&mut work);
        note_time(&mut self.newest, &id, deed.candidate.at);
        self.begun.insert(deed.proof.number, id.clone());
        self.works.insert(id, work);
        Ok(())
    }

    /// Finds the entry that holds the same words from the same lines already.
    fn already(&self, deed: &deed::Deed<'_>) -> Option<EntryId> {
        let here = self.works.values().map(|work| (&work.entry, work.article.clone()));
        let there = self.context.entries.iter().filter(|entry| !self.works.contains_key(&entry.id));
        let there = there.map(|entry| (entry, Article::parse(&entry.body)));
        let mut all =
            here.chain(there).filter(|(entry, _)| matches!(entry.status, Status::Current | Status::Disputed));
        all.find(|(_, article)| write::holds(article, &deed.candidate.text))
            .map(|(entry, _)| entry.id.clone())
    }

    fn finish(mut self, rights: Rights) -> Vec<Proposal> {
        let works = std::mem::take(&mut self.works);
        works
            .into_values()
            .filter(|work| work.touched)
            .filter_map(|work| self.propose(work, rights))
            .collect()
    }

    fn propose(&self, mut work: Work, rights: Rights) -> Option<Proposal> {
        let reasons: Vec<Reason> = std::mem::take(&mut work.reasons);
        let id = work.entry.id.clone();
        if rights == Rights::Machine && is_protected(&work.entry) {
            let sources = work.added_sources();
            return (!sources.is_empty()).then_some(Proposal::AddSources { id, sources, reasons });
        }
        let known = work.entry.last_auto_curated.map(Moment::instant);
        let now = self.newest.get(&id).copied().or(known).unwrap_or(Timestamp::UNIX_EPOCH);
        let is_new = work.is_new;
        // What was not changed is kept as it was written.
        let before =
            Some(work.entry.body.clone()).filter(|body| !is_new && Article::parse(body) == work.article);
        let mut entry = article::finish(work.entry, &work.article, now);
        if let Some(next) = self.replaced.get(&id) {
            entry.status = Status::Superseded;
            let link = Link::new(LinkKind::SupersededBy, next.as_str());
            if !entry.links.contains(&link) {
                entry.links.push(link);
            }
        } else if self.dropped.contains(&id) {
            entry.status = Status::Outdated;
            if rights == Rights::Machine {
                entry.extra.insert(SET_ASIDE.to_owned(), self.context.editor.to_string().into());
            }
        }
        if let Some(body) = before {
            entry.body = body;
        }
        let entry = Box::new(entry);
        Some(if is_new { Proposal::Create { entry, reasons } } else { Proposal::Replace { entry, reasons } })
    }
}

fn note_time(newest: &mut BTreeMap<EntryId, Timestamp>, id: &EntryId, at: Option<Timestamp>) {
    if let Some(at) = at {
        let known = newest.entry(id.clone()).or_insert(at);
        *known = (*known).max(at);
    }
}

fn newest_of(entry: &Entry) -> Option<Timestamp> {
    entry.sources.iter().filter_map(|source| source.at).map(Moment::instant).max()
}
