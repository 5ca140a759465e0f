//! The words of Lorekeep: pure types and rules.
//!
//! > We **capture** sessions, **store** what they leave behind, **distill** it into entries,
//! > **surface** the right ones, and **ground** new work in them.
//!
//! The five verbs are five sibling crates; each arrow between them carries one type that is
//! defined here. [`Session`] goes from capture to distill, [`Proposal`] from distill to store,
//! [`Entry`] from store to distill and to surface, [`Hit`] from surface to people and agents.
//!
//! This crate never touches files, the clock, the environment, the network or a thread. Times
//! are given to it. It can therefore be property-tested and fuzzed.
//!
//! ```
//! use lore_core::{EntryId, Kind};
//!
//! let date = jiff::civil::date(2026, 2, 20);
//! let id = EntryId::new(Kind::Decision, date, "Use PostgreSQL, not SQLite");
//! assert_eq!(id.as_str(), "dec-2026-02-20-use-postgresql-not-sqlite");
//! assert_eq!(id.kind(), Some(Kind::Decision));
//! ```
#![warn(missing_docs)]

pub mod article;
mod candidate;
mod claim;
pub mod command;
mod detail;
mod diagnostic;
mod edit;
mod entry;
pub mod forget;
mod form_answer;
pub mod handle;
pub mod hash;
mod id;
mod kind;
mod lifecycle;
mod link;
pub mod meaning;
mod moment;
mod packet;
mod proposal;
mod provenance;
pub mod recall;
pub mod redact;
pub mod score;
pub mod sentinel;
pub mod session;
mod spike;
pub mod text;
pub mod trigger;
pub mod words;

pub use article::Article;
pub use candidate::{Backing, Candidate, ENTRY_BAR, Evidence, Route};
pub use claim::{Claim, Standing, one_line};
pub use detail::{
    Alternative, Decision, Detail, Feedback, Lesson, Pattern, PatternType, Resolution, Severity, Signal,
    SignalType, Spike, SpikeOutcome, SpikeState,
};
pub use diagnostic::{Diagnostic, Level, Place};
pub use edit::{Carried, DecidedBy, Edit, EditScope, Op, ProofMark, Proofread, Remark, Was};
pub use entry::{Confidence, Curator, EDITED, Entry, SET_ASIDE, Stamp, Status};
pub use form_answer::FormAnswer;
pub use handle::{Handle, NotAHandle};
pub use hash::ContentHash;
pub use id::{EntryId, IdError, ProjectId, SessionId, slug};
pub use kind::{Kind, UnknownKind};
pub use lifecycle::{IllegalMove, LifecycleState, Strictness};
pub use link::{Link, LinkKind};
pub use moment::{Moment, NotAMoment, NotInThePast};
pub use packet::{LineClass, NearEntry, Packet, PacketId, PacketLine, PacketSession};
pub use proposal::{Proposal, Reason};
pub use provenance::{Source, Trust, Voice};
pub use recall::Hit;
pub use session::Session;
pub use spike::{IllegalSpikeMove, MOST_ROUNDS};
