//! What agents tell us while they work, through their hooks.
//!
//! An agent's hook starts us with a JSON object on standard input. [`wire`] knows the shapes that
//! agents send and expect back; [`event`] knows what we mean by them. Another agent is another
//! row of the table in `wire` and nothing else.

mod event;
mod wire;

pub use event::{Act, Begun, HookError, HookEvent, Stage, Told};
pub use wire::{AGENTS, hears, read, refuse, reply};
