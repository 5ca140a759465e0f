//! The curator: a model edits, code checks every word.
//!
//! A [`packet`] shows an editor numbered lines of a session and the entries nearest to them. The
//! [`answer`](read_answer) is a list of edits. All of it is pure: the same session gives the same packet.

mod answer;
mod digest;
mod instructions;
mod json;
mod nearest;
mod packet;
mod pasted;
mod schema;
mod tidy;

pub use answer::{EditAnswer, NoEdits, Unsure, read_answer};
pub use digest::{SessionDigest, digest};
pub use instructions::INSTRUCTIONS;
pub use nearest::{ANSWERS, choose, questions};
pub use packet::{PacketBudget, batches, packet, packets};
pub use schema::EDITS_SCHEMA;

#[cfg(test)]
mod tests;
