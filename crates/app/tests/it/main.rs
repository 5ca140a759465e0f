//! What users see: a few snapshots per command, through the real binary.

mod desk;
mod entries;
mod errors;
mod fresh;
mod import;
mod settings;
