//! What users see: a few snapshots per command, through the real binary.
#![allow(clippy::disallowed_methods, reason = "tests set their own stage")]

mod desk;
mod entries;
mod errors;
mod fresh;
mod import;
mod learning;
mod recall;
mod settings;
