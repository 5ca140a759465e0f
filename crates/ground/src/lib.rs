//! Checks knowledge and new work against the code repository.
//!
//! [`freshness`] evaluates the conditions an entry rests on (`depends_on`) and tells whether they
//! hold, are broken, or cannot be told, with the line of the file that says so.
//!
//! [`scan`] tells which files a design will change and where code speaks of something, [`router`] which
//! source a question is put to, [`findings`] what their answers come to, [`gate`] whether a step of design
//! may be taken, [`limit`] what a rule lets a number be, [`track`] where a change stands by what is wanted ([`prompt`]) and done ([`command`]), [`guard`] what
//! is done to the gate itself.
//!
//! This crate reads source code and manifests. It never writes, never touches knowledge, and never
//! runs anything but `git`.

pub mod command;
pub mod findings;
pub mod freshness;
pub mod gate;
pub mod git;
pub mod guard;
pub mod limit;
pub mod prompt;
pub mod router;
pub mod scan;
mod shell;
mod stack;
pub mod track;

pub use stack::{own_names, stack};
