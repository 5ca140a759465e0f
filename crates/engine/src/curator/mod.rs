//! Editing what sessions left: a model or the user's own agent edits, code checks every word.
//!
//! [`crate::Engine::backlog`] says which sessions wait, [`crate::Engine::edit_with`] has a model go through them,
//! and [`crate::Engine::next_packet`] with [`crate::Engine::submit_edits`] does the same with an agent that comes by
//! itself. Each packet is one transaction; whatever fails, the session waits.

mod again;
mod asked;
mod backlog;
mod command;
mod desk;
mod editors;
mod form;
mod hand;
#[cfg(feature = "model-http")]
mod http;
mod model;
mod outcome;
mod pack;
mod proofs;
mod questions;
mod run;
mod said;
mod state;
mod take;

pub(crate) use asked::Unanswered;
pub use backlog::{Backlog, BacklogSession, EditCost};
pub use command::HEADLESS;
pub(crate) use command::Program;
pub(crate) use desk::EditRun;
pub use desk::{LEASE, Pause};
pub use form::answer_form;
pub use hand::{EditSubmission, HandedPacket, SubmittedEdits, nothing_waits};
pub use model::{Errand, Model, ModelError, ModelReply, ModelRequest};
pub use outcome::{EditOutcome, PacketOutcome};
pub use questions::{EditQuestion, QuestionLine};
pub use run::{EditOptions, EditProgress, EditReport};
pub use state::{Editing, grouped};
