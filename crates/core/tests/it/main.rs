//! What the crate promises, seen from outside.

mod redact;
