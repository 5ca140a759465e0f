//! What the crate promises, seen from outside.

mod everyday;
mod forms;
mod redact;
