//! Signals: friction that was noticed, kept quietly, written down when it matters, and moved by code.
//!
//! What a sensor notices is a [`Note`] in untracked state. It becomes a file when it recurs, is serious,
//! or a person keeps it. What tells of somebody's annoyance goes to their own base.

mod background;
mod evidence;
mod keep;
mod list;
mod moves;
mod notebook;
mod sensing;
mod settle;
mod watch;

pub use list::{SignalFilter, SignalItem, SignalView};
pub use moves::{MoveRequest, Moved, SignalMove};
pub(crate) use notebook::Notebook;
pub use notebook::{Note, Occurrence};
pub use sensing::{Raised, SenseOptions, SenseReport};

pub use keep::NewSignal;
pub(crate) use keep::UNKNOWN;
