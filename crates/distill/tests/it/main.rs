//! What distillation makes of whole sessions.
#![allow(clippy::unwrap_used)]

mod extract;
