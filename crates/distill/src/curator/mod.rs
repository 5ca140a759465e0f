//! The curator: a model edits, code checks every word.
//!
//! A [`packet()`] shows an editor numbered lines of a session and the entries nearest to them. The
//! [`answer`](read_answer) is a list of edits. Each is [proof-read](proofread) against the lines it
//! cites; what passes is [planned](plan) as proposals for the base. All of it is pure: the same
//! packet and the same answer give the same proposals.

mod answer;
mod apply;
mod digest;
mod given_up;
mod instructions;
mod json;
mod lessons;
mod look;
pub mod mutants;
mod nearest;
mod numbers;
mod openings;
mod packet;
mod pasted;
mod repair;
mod schema;
mod tidy;
mod verify;
mod words;

pub use answer::{EditAnswer, NoEdits, Unsure, read_answer};
pub use apply::{EditPlan, Editor, PlanContext, is_draft, plan};
pub use digest::{SessionDigest, digest};
pub use instructions::INSTRUCTIONS;
pub use lessons::{LessonPacket, LessonSheet, WordedLesson, lesson_packets};
pub use look::{
    Glance, LookAt, Remainder, read_remainders, read_second_look, second_look, settle, shortened,
};
pub use nearest::{ANSWERS, choose, questions};
pub use packet::{PacketBudget, batches, packet, packets};
pub use repair::{AGAIN_REFUSED, Renamed, is_asked_again, mend, repair, reword};
pub use schema::{EDITS_SCHEMA, LOOKS_SCHEMA};
pub use verify::{BESIDE, ProofContext, ProofSheet, proofread, verify};

#[cfg(test)]
mod tests;
