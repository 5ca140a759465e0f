//! What an agent is told without having asked: few things, clearly relevant, each with its citation.
//!
//! Peers found that adding text to every prompt makes agents worse. So there is a floor below
//! which nothing is said, and nothing is said twice.

mod against;
mod choose;
mod cited;
mod company;
mod considered;
mod doubt;
mod files;
mod line;
mod neighbours;
mod pack;
mod rank;
mod role;
mod rules;
mod stack;
mod stale;
mod triggered;

pub use against::Against;
pub use choose::{Chosen, Pick, Reason, Request, choose};
pub use considered::{Considered, Verdict};
pub use files::concerning;
pub use line::{Age, Standing, age, entry_line, rule_line, said_line, tells_whole};
pub use pack::{Line, Packed, pack};
pub(crate) use rank::likeness;
pub use role::Role;
pub use rules::rules;
pub use stack::Stack;
pub use triggered::triggered;
