//! What users see: a few snapshots per command, through the real binary.
#![allow(clippy::disallowed_methods, reason = "tests set their own stage")]

mod asking;
#[path = "../payloads/mod.rs"]
mod callers;
mod clone;
mod context;
mod database;
mod desk;
mod doctor;
mod doors;
mod editing;
mod entries;
mod errors;
mod everyday;
mod first;
mod fresh;
mod front;
mod gates;
mod given;
mod grounding;
mod hooks;
mod import;
mod install;
mod learning;
mod mcp;
mod mcp_http;
mod memory;
mod merging;
mod newcomer;
mod opening;
mod outcomes;
mod paths;
mod payloads;
mod recall;
mod references;
mod rehearsal;
#[cfg(target_os = "linux")]
mod screen;
mod sessions;
mod settings;
mod signals;
mod spikes;
mod standing;
mod submitting;
mod surface;
mod tidy;
mod view;
