//! What an editor hands back for a packet, and what the proof-reader makes of it.

use serde::{Deserialize, Serialize};

use crate::detail::words;
use crate::{Confidence, Entry, EntryId, Kind, Source, Voice};

words! {
    /// What an edit does.
    Op {
        /// Nothing known says it.
        New = "new",
        /// An entry says it already; only the lines are cited.
        Same = "same",
        /// It is one more fact for an entry.
        Adds = "adds",
        /// It says what the entry says, completely and exactly.
        Refines = "refines",
        /// The entry no longer holds; this holds instead.
        Supersedes = "supersedes",
        /// Both cannot hold, and nobody decided.
        Disputes = "disputes",
        /// The entry holds several subjects.
        Split = "split",
        /// The entry is not worth keeping.
        Drop = "drop",
    }
}

words! {
    /// Who decided what an entry says.
    DecidedBy {
        /// Nobody: it is simply so.
        Nobody = "nobody",
        /// An agent, and nobody objected.
        Agent = "agent",
        /// An agent proposed it and a person said yes.
        Agreed = "agreed",
        /// A person.
        Person = "person",
    }
}

words! {
    /// Where an edit holds.
    EditScope {
        /// In this project.
        Project = "project",
        /// Wherever this person works.
        Person = "person",
    }
}

/// The front-matter key that says who decided.
const DECIDED_BY: &str = "decided_by";

impl DecidedBy {
    /// Tells whether a person has a part in it.
    pub const fn is_a_persons(self) -> bool {
        matches!(self, DecidedBy::Person | DecidedBy::Agreed)
    }

    /// Reads who decided an entry: what it says itself, else whose words it rests on.
    pub fn of(entry: &Entry) -> DecidedBy {
        let said = entry.extra.get(DECIDED_BY).and_then(serde_json::Value::as_str);
        let heard = || match entry.sources.iter().map(|source| source.voice).max() {
            Some(Voice::Person) | None => DecidedBy::Person,
            Some(Voice::Agent) => DecidedBy::Agent,
            Some(Voice::Tool | Voice::Web) => DecidedBy::Nobody,
        };
        said.and_then(DecidedBy::from_word).unwrap_or_else(heard)
    }

    /// Writes it into an entry.
    pub fn write(self, entry: &mut Entry) {
        entry.extra.insert(DECIDED_BY.to_owned(), self.word().into());
    }
}

/// What was said or done earlier in the session and then taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Was {
    /// What held until then.
    pub text: String,
    /// The lines it rests on.
    pub lines: Vec<u32>,
}

/// One change of the base, as an editor asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// What it does.
    pub op: Op,
    /// What somebody new would get wrong without it, as the editor sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<String>,
    /// The entry it is about, by its short name in the packet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// What sort of knowledge it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// At most ten words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One to three sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why it is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The lines it rests on.
    pub lines: Vec<u32>,
    /// Who decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
    /// What it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Was>,
    /// Where it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<EditScope>,
}

impl Edit {
    /// Makes an edit of which only the deed and the lines are known.
    pub fn new(op: Op, lines: Vec<u32>) -> Edit {
        Edit {
            op,
            risk: None,
            entry: None,
            kind: None,
            title: None,
            text: None,
            reason: None,
            lines,
            decided_by: None,
            was: None,
            scope: None,
        }
    }

    /// Returns the statement, empty where it makes none.
    pub fn said(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

/// What the proof-reader decided about an edit; the later ones weigh more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofMark {
    /// It goes into the base as it was asked for.
    Applied,
    /// It goes into the base with less than was asked for.
    Lowered,
    /// It goes into the base once it was looked at a second time.
    Flagged,
    /// A person is asked.
    Proposal,
    /// It goes nowhere.
    Refused,
}

/// One thing the proof-reader has to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The rule that says it, such as `V4`.
    pub rule: String,
    /// What follows from it.
    pub mark: ProofMark,
    /// One sentence.
    pub said: String,
}

/// The reason of an entry that is replaced, which goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// The sentence.
    pub text: String,
    /// What it rests on.
    pub sources: Vec<Source>,
}

/// An edit after proof-reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofread {
    /// Its place in the answer, from one.
    pub number: usize,
    /// The edit with what was lowered, retargeted or added.
    pub edit: Edit,
    /// What the editor asked for, where it does something else now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Op>,
    /// The fields that the editor filled and that go nowhere: `was`, `reason`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// What was decided.
    pub mark: ProofMark,
    /// Why, in the order of the rules.
    pub remarks: Vec<Remark>,
    /// The entry it is about, by its name in the base.
    pub target: Option<EntryId>,
    /// How sure we are; never said by the editor.
    pub confidence: Confidence,
    /// Entries that say nearly the same.
    pub alike: Vec<EntryId>,
    /// What the replaced entry gave as its reason.
    pub carried: Vec<Carried>,
    /// What could be said better, in sentences; it is asked for once and decides nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wanting: Vec<String>,
}

impl Proofread {
    /// Tells whether it goes into the base without anybody being asked.
    pub fn is_applied(&self) -> bool {
        matches!(self.mark, ProofMark::Applied | ProofMark::Lowered)
    }

    /// Returns the sentence that decided, where there is anything to say.
    pub fn why(&self) -> Option<&str> {
        self.remarks
            .iter()
            .filter(|remark| remark.mark == self.mark)
            .map(|remark| remark.said.as_str())
            .next()
    }

    /// Returns all that decided and all that it was lowered for, where there is anything to say.
    pub fn account(&self) -> Option<String> {
        let counts = |remark: &&Remark| match self.mark {
            ProofMark::Applied => false,
            ProofMark::Refused => remark.mark == ProofMark::Refused,
            mark => remark.mark == mark || remark.mark == ProofMark::Lowered,
        };
        let mut said: Vec<&str> = Vec::new();
        for remark in self.remarks.iter().filter(counts) {
            if !said.contains(&remark.said.as_str()) {
                said.push(&remark.said);
            }
        }
        if said.is_empty() { self.why().map(str::to_owned) } else { Some(said.join("; ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_decided_is_read_from_the_entry_or_from_its_voices() {
        let id = EntryId::new(Kind::Decision, jiff::civil::date(2026, 1, 1), "Tabs");
        let mut entry = Entry::new(id, Kind::Decision, "Tabs");
        assert_eq!(DecidedBy::of(&entry), DecidedBy::Person, "without sources a person wrote it");
        entry.sources.push(Source::new("session://a/x#L1", Voice::Agent));
        assert_eq!(DecidedBy::of(&entry), DecidedBy::Agent);
        entry.sources.push(Source::new("session://a/x#L2", Voice::Person));
        assert_eq!(DecidedBy::of(&entry), DecidedBy::Person);
        DecidedBy::Agreed.write(&mut entry);
        assert_eq!(DecidedBy::of(&entry), DecidedBy::Agreed);
    }

    #[test]
    fn the_heavier_mark_wins() {
        assert!(ProofMark::Refused > ProofMark::Proposal && ProofMark::Proposal > ProofMark::Flagged);
        assert!(ProofMark::Flagged > ProofMark::Lowered && ProofMark::Lowered > ProofMark::Applied);
    }
}
