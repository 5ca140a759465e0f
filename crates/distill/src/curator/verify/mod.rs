//! The proof-reader: no edit goes into the base unless every word of it is covered.
//!
//! Each edit is judged alone, by one small function per rule, in the order of [`RULES`]. A rule says
//! one sentence and may lower the edit, flag it for a second look, turn it into a proposal for a
//! person, or refuse it. The first refusal ends the reading. What passes may still be said badly: that is
//! noted apart, for the editor to say it better.

mod clauses;
mod cover;
mod decided;
mod form;
mod hygiene;
mod known;
mod later;
mod mixed;
mod offered;
mod polarity;
mod rulings;
mod wording;

use std::collections::{BTreeMap, BTreeSet};

use lore_core::redact::Redactor;
use lore_core::{
    Carried, Confidence, Curator, DecidedBy, Edit, Entry, EntryId, LineClass, Op, Packet, PacketLine,
    ProofMark, Proofread, Remark,
};

use super::answer::EditAnswer;
use super::packet::edits_taken;
use super::words::Cover;

pub(super) use form::is_short_rule;
pub(super) use hygiene::without_addresses;
pub(super) use known::plain;
pub(super) use polarity::denies;
pub use rulings::BESIDE;

/// Where an edit is read: the packet, and the base as it stands now.
#[derive(Debug, Clone, Copy)]
pub struct ProofContext<'a> {
    /// The packet that was answered.
    pub packet: &'a Packet,
    /// Its entries as they stand now, and those that have replaced them.
    pub entries: &'a [Entry],
    /// What people removed or refused to have, in sentences.
    pub removed: &'a [String],
    /// What the project is called, which everybody knows without being told.
    pub project: &'a str,
    /// Takes secrets out of text.
    pub redactor: &'a Redactor,
}

/// What became of a whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProofSheet {
    /// The edits in their order.
    pub proofs: Vec<Proofread>,
    /// Places of edits that could not be read, and why.
    pub unread: Vec<(usize, String)>,
    /// Why nothing of it is for this packet, where that is so.
    pub stray: Option<String>,
    /// The edits of an earlier answer that these are said again for, by their places here.
    pub again: BTreeMap<usize, usize>,
}

/// What a rule has to say.
enum Noticed {
    Fine,
    Note(String),
    Lower(String),
    Flag(String),
    Propose(String),
    Refuse(String),
}

type Rule = for<'a> fn(&mut Galley<'a>, &Room<'a>) -> Noticed;

/// The rules in the order in which they are asked.
const RULES: [(&str, Rule); 22] = [
    ("V16", form::within_the_cap),
    ("V1", form::lines_exist),
    ("V2", form::entry_is_there),
    ("V3", form::form),
    ("V14", hygiene::harmless),
    ("V18", hygiene::addresses),
    ("V15", hygiene::without_secrets),
    ("V12", known::not_said_already),
    ("V13", known::not_removed),
    ("V4", cover::names),
    ("V5", cover::numbers),
    ("V6", cover::sentences),
    ("V19", clauses::whole),
    ("V7", polarity::polarity),
    ("V8", decided::decided_by),
    ("V11", rulings::time),
    ("V9", rulings::ruling_of_a_person),
    ("V10", rulings::text_of_a_person),
    ("V17", rulings::reason_goes_on),
    ("V20", later::holds_in_the_end),
    ("V21", offered::taken_up),
    ("V22", mixed::belongs_together),
];

/// One edit while it is being read.
struct Galley<'a> {
    /// Its place among the statements of the answer, from one.
    place: usize,
    edit: Edit,
    /// The lines as the editor gave them.
    asked: Vec<u32>,
    target: Option<&'a Entry>,
    alike: BTreeSet<EntryId>,
    carried: Vec<Carried>,
}

/// What all edits of a packet are read against.
struct Room<'a> {
    context: &'a ProofContext<'a>,
    /// What each line says, in the order of the lines.
    lines: Vec<Cover>,
    /// What the headings of its sessions name: the files that were changed.
    heading: Cover,
    /// The days on which something of it was said.
    days: BTreeSet<String>,
    statements: Vec<known::Stated<'a>>,
    cap: usize,
}

/// Reads every edit of an answer.
pub fn proofread(answer: &EditAnswer, context: &ProofContext<'_>) -> ProofSheet {
    let mut sheet = ProofSheet { again: answer.again.clone(), ..ProofSheet::default() };
    if let Some(packet) = answer.packet.as_deref().filter(|packet| *packet != context.packet.id.as_str()) {
        let shown: String = packet.chars().filter(|c| !c.is_control()).take(40).collect();
        sheet.stray =
            Some(format!("the answer is for the packet `{shown}`, not for `{}`", context.packet.id));
        return sheet;
    }
    let mut edits = Vec::new();
    for (number, read) in &answer.edits {
        match read {
            Ok(edit) => edits.push((*number, edit.clone())),
            Err(why) => sheet.unread.push((*number, why.clone())),
        }
    }
    sheet.proofs = verify(&edits, context);
    sheet
}

/// Reads edits, each with its place in the answer.
pub fn verify(edits: &[(usize, Edit)], context: &ProofContext<'_>) -> Vec<Proofread> {
    let room = Room::new(context);
    let mut place = 0;
    let mut out = Vec::with_capacity(edits.len());
    for (number, edit) in edits {
        // The cap counts statements that could be read, whatever their numbers in the answer are.
        place += usize::from(makes_a_statement(edit.op));
        out.push(one(place, *number, edit.clone(), &room));
    }
    out
}

/// Tells whether an edit says something of its own.
pub(super) fn makes_a_statement(op: Op) -> bool {
    !matches!(op, Op::Same | Op::Drop | Op::Split)
}

fn one(place: usize, number: usize, edit: Edit, room: &Room<'_>) -> Proofread {
    let given = edit.clone();
    let mut galley = Galley {
        place,
        asked: edit.lines.clone(),
        edit,
        target: None,
        alike: BTreeSet::new(),
        carried: Vec::new(),
    };
    let mut remarks: Vec<Remark> = Vec::new();
    let mut mark = ProofMark::Applied;
    for (rule, read) in RULES {
        let (said, follows) = match read(&mut galley, room) {
            Noticed::Fine => continue,
            Noticed::Note(said) => (said, ProofMark::Applied),
            Noticed::Lower(said) => (said, ProofMark::Lowered),
            Noticed::Flag(said) => (said, ProofMark::Flagged),
            Noticed::Propose(said) => (said, ProofMark::Proposal),
            Noticed::Refuse(said) => (said, ProofMark::Refused),
        };
        remarks.push(Remark { rule: rule.to_owned(), mark: follows, said });
        mark = mark.max(follows);
        if mark == ProofMark::Refused {
            break;
        }
    }
    let confidence = confidence(&galley.edit, mark, room.context.packet);
    let wanting = if mark < ProofMark::Proposal { wording::wanting(&galley, room) } else { Vec::new() };
    Proofread {
        number,
        asked: Some(given.op).filter(|asked| *asked != galley.edit.op),
        without: if mark == ProofMark::Refused { Vec::new() } else { without(&given, &galley.edit) },
        mark,
        wanting,
        remarks,
        target: galley.target.map(|entry| entry.id.clone()),
        confidence,
        alike: galley.alike.into_iter().collect(),
        carried: galley.carried,
        edit: galley.edit,
    }
}

/// Names the fields that were given and go nowhere: left out by a rule, or nothing that such an edit writes.
fn without(given: &Edit, edit: &Edit) -> Vec<String> {
    let gives_reasons = matches!(edit.op, Op::New | Op::Supersedes | Op::Refines);
    let was = given.was.is_some() && (edit.was.is_none() || !makes_a_statement(edit.op));
    let reason = given.reason.is_some() && (edit.reason.is_none() || !gives_reasons);
    let names = [("was", was), ("reason", reason)].into_iter();
    names.filter(|(_, is_lost)| *is_lost).map(|(name, _)| name.to_owned()).collect()
}

/// Says how sure we are of an edit: by who speaks for it, never by what the editor says.
pub(super) fn confidence(edit: &Edit, mark: ProofMark, packet: &Packet) -> Confidence {
    let cites = |wanted: &[LineClass]| {
        edit.lines.iter().filter_map(|n| packet.line(*n)).any(|line| wanted.contains(&line.class))
    };
    if mark == ProofMark::Flagged {
        Confidence::Low
    } else if cites(&[LineClass::Typed])
        && matches!(edit.decided_by, Some(DecidedBy::Person | DecidedBy::Agreed) | None)
    {
        Confidence::High
    } else if cites(&[LineClass::Typed]) {
        // A task or a report of a person's beside what an agent found.
        Confidence::Medium
    } else if cites(&[LineClass::Commit, LineClass::Closing, LineClass::PlanAccepted]) {
        Confidence::Medium
    } else {
        Confidence::Low
    }
}

/// What the mark of a line says beside its words: who speaks, and what became of a plan.
fn told_by_mark(class: LineClass) -> &'static str {
    match class {
        LineClass::Typed => "person",
        LineClass::Pasted => "person pasted",
        LineClass::PlanAccepted => "plan planned accepted approved agreed",
        LineClass::PlanRefused => "plan planned refused rejected accepted",
        LineClass::PlanOpen => "plan planned open",
        LineClass::Closing | LineClass::Passing => "agent",
        LineClass::Commit => "commit committed",
    }
}

/// Tells whether the words of an entry are a person's, or confirmed by one.
pub(super) fn is_protected(entry: &Entry) -> bool {
    entry.curated_by != Curator::Auto || entry.is_verified_by_a_person()
}

impl<'a> Room<'a> {
    fn new(context: &'a ProofContext<'a>) -> Room<'a> {
        let packet = context.packet;
        let files = packet.sessions.iter().flat_map(|session| &session.files);
        let said = packet.lines.iter().filter_map(|line| line.at).map(|at| at.date());
        let days: BTreeSet<jiff::civil::Date> =
            said.chain(packet.sessions.iter().filter_map(|session| session.day)).collect();
        let mut heading = Cover::of(files.map(String::as_str));
        // “In June” is told by the day.
        days.iter().for_each(|day| heading.add(&day.strftime("%B").to_string()));
        heading.add(context.project);
        Room {
            context,
            heading,
            days: days.iter().map(ToString::to_string).collect(),
            lines: context.packet.lines.iter().map(|line| Cover::of([line.text.as_str()])).collect(),
            statements: known::statements(context.entries),
            cap: edits_taken(packet),
        }
    }
}

impl<'a> Galley<'a> {
    fn cited<'r>(&'r self, room: &Room<'a>) -> Vec<&'a PacketLine> {
        self.edit.lines.iter().filter_map(|number| room.context.packet.line(*number)).collect()
    }

    /// Tells whether it makes a statement of its own.
    fn speaks(&self) -> bool {
        makes_a_statement(self.edit.op)
    }

    /// Reads the lines it cites and what its entry says.
    fn cover(&self, lines: &[u32], room: &Room<'_>) -> Cover {
        let lines = lines.iter().filter_map(|number| room.context.packet.line(*number));
        let mut cover = Cover::of(lines.flat_map(|line| [line.text.as_str(), told_by_mark(line.class)]));
        if let Some(target) = self.target.filter(|_| self.speaks() && self.edit.op != Op::New) {
            cover.add(&target.title);
            let article = lore_core::Article::parse(&target.body);
            article.claims().for_each(|claim| cover.add(&claim.text));
        }
        cover
    }
}
