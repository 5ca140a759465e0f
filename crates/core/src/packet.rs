//! What is put before an editor: numbered lines of sessions and the entries nearest to them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ContentHash, EntryId, Moment, SessionId, Source, Voice};

/// Names a packet by its text, so that one made again has the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PacketId(String);

impl PacketId {
    /// Names a text.
    pub fn of(text: &str) -> PacketId {
        PacketId(format!("p-{}", ContentHash::of(text.as_bytes()).short()))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PacketId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose words a line holds and how much they decide: its trust class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineClass {
    /// A person typed it.
    Typed,
    /// A person pasted it; the words are somebody else's and decide nothing.
    Pasted,
    /// A plan that a person agreed to.
    PlanAccepted,
    /// A plan that a person refused.
    PlanRefused,
    /// A plan of which nobody said whether it holds.
    PlanOpen,
    /// The agent's last words before a person speaks or the session ends.
    Closing,
    /// What the agent said in passing.
    Passing,
    /// The message of a commit that was made.
    Commit,
}

impl LineClass {
    /// Lists all classes.
    pub const ALL: [LineClass; 8] = [
        LineClass::Typed,
        LineClass::Pasted,
        LineClass::PlanAccepted,
        LineClass::PlanRefused,
        LineClass::PlanOpen,
        LineClass::Closing,
        LineClass::Passing,
        LineClass::Commit,
    ];

    /// Returns the mark that opens a line of this class.
    pub const fn mark(self) -> &'static str {
        match self {
            LineClass::Typed => "P",
            LineClass::Pasted => "P>",
            LineClass::PlanAccepted => "PLAN yes",
            LineClass::PlanRefused => "PLAN no",
            LineClass::PlanOpen => "PLAN open",
            LineClass::Closing => "A",
            LineClass::Passing => "a",
            LineClass::Commit => "COMMIT",
        }
    }

    /// Returns the longest text of a line of this class, in characters.
    pub const fn limit(self) -> usize {
        match self {
            LineClass::Typed | LineClass::Closing => 3_000,
            LineClass::PlanAccepted | LineClass::PlanRefused | LineClass::PlanOpen => 6_000,
            LineClass::Pasted | LineClass::Passing | LineClass::Commit => 600,
        }
    }

    /// Returns whose words they are when they are cited. Nobody knows who wrote what was pasted.
    pub const fn voice(self) -> Voice {
        match self {
            LineClass::Typed => Voice::Person,
            LineClass::Pasted => Voice::Tool,
            _ => Voice::Agent,
        }
    }

    /// Tells whether an agent wrote it.
    pub const fn is_agents(self) -> bool {
        matches!(self.voice(), Voice::Agent)
    }
}

/// One numbered line of a packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketLine {
    /// Its number in the packet, from one.
    pub number: u32,
    /// The session it comes from.
    pub session: SessionId,
    /// The agent the session belongs to.
    pub agent: String,
    /// 1-based record of the transcript.
    pub record: u32,
    /// Whose words it holds.
    pub class: LineClass,
    /// When it was said.
    pub at: Option<Moment>,
    /// Whether an earlier packet held it; it is there to be understood, not to be judged again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub old: bool,
    /// The words as they are shown, cut to the limit of the class.
    pub text: String,
}

impl PacketLine {
    /// Makes the source that an entry cites for this line.
    pub fn source(&self, issue: Option<&str>) -> Source {
        Source {
            issue: issue.map(str::to_owned),
            at: self.at,
            ..Source::session_line(&self.agent, &self.session, self.record, self.class.voice())
        }
    }

    /// Returns its place in time: lines without one stand by their record.
    pub fn when(&self) -> (Option<Moment>, u32) {
        (self.at, self.record)
    }
}

/// An entry as it stands in a packet, under a name that is valid there only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearEntry {
    /// `e1`, `e2`, …
    pub short: String,
    /// Its name in the base.
    pub id: EntryId,
    /// Where rules took it from lines of this packet: those lines. It is shown by them alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
}

impl NearEntry {
    /// Tells whether rules wrote it from lines of this packet.
    pub fn is_draft(&self) -> bool {
        !self.lines.is_empty()
    }
}

/// The part of a session that a packet holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketSession {
    /// The session.
    pub session: SessionId,
    /// The issue it belongs to.
    pub issue: Option<String>,
    /// The last record that needs no other packet once this one is answered.
    pub up_to: u32,
    /// The day its heading gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<jiff::civil::Date>,
    /// The files its heading names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// Everything an editor is shown at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Its name.
    pub id: PacketId,
    /// What it holds of which session, in the order of its lines.
    pub sessions: Vec<PacketSession>,
    /// The lines that may be cited.
    pub lines: Vec<PacketLine>,
    /// The entries that may be changed.
    pub nearest: Vec<NearEntry>,
    /// The eight digits that fence the record.
    pub fence: String,
    /// The whole text as it is sent, instructions first.
    pub text: String,
}

impl Packet {
    /// Returns a line by its number.
    pub fn line(&self, number: u32) -> Option<&PacketLine> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.lines.get(at).filter(|line| line.number == number)
    }

    /// Returns the entry behind a short name.
    pub fn entry(&self, short: &str) -> Option<&EntryId> {
        self.nearest.iter().find(|near| near.short == short).map(|near| &near.id)
    }

    /// Tells whether an entry is what rules wrote from lines of this packet.
    pub fn is_draft(&self, id: &EntryId) -> bool {
        self.nearest.iter().any(|near| near.id == *id && near.is_draft())
    }

    /// Estimates what it costs to send.
    pub fn tokens(&self) -> usize {
        crate::text::tokens(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_apart_and_pasted_words_are_nobodys() {
        let mut marks: Vec<&str> = LineClass::ALL.iter().map(|class| class.mark()).collect();
        marks.sort_unstable();
        marks.dedup();
        assert_eq!(marks.len(), LineClass::ALL.len());
        assert_eq!(LineClass::Typed.voice(), Voice::Person);
        assert!(!LineClass::Pasted.is_agents());
        assert!(LineClass::PlanAccepted.is_agents());
    }
}
