//! The use cases; the only place where the stages meet.
//!
//! [`Engine::open`] finds the base that belongs to a [`World`] (clock, home, variables and current
//! folder as values) and offers one method per use case, plain data in and out. The faces
//! (command line, MCP) call these and convert the results to their own shapes, so that the same
//! request gives the same answer everywhere.
//!
//! This crate never prints, never parses arguments, and asks the outside world only in [`mod@env`].
#![warn(missing_docs)]

pub mod agents;
mod arrivals;
pub mod ask;
pub mod asker;
mod base;
pub mod brief;
mod broken;
pub mod check;
mod command_line;
pub mod completion;
pub mod config;
pub mod context;
pub mod curate;
pub mod curator;
pub mod demo;
pub mod diff;
pub mod doctor;
pub mod edit;
mod edited;
pub mod ended;
pub mod entries;
pub mod env;
mod error;
mod exclude;
pub mod export;
pub mod forget;
pub mod freshness;
mod gather;
pub mod grounding;
pub mod hook;
pub mod impact;
pub mod import;
pub mod install;
pub mod learn;
mod lessons;
mod library;
pub mod log;
pub mod meet;
pub mod merges;
pub mod models;
pub mod news;
mod onlooker;
mod opposed;
mod others;
mod own_files;
mod passing;
mod path_text;
mod paths;
pub mod query;
pub mod reference;
pub mod reflection;
pub mod remember;
pub mod review;
pub mod schedule;
pub mod sessions;
pub mod settings;
pub mod shelve;
pub mod signals;
pub mod spike;
pub mod status;
pub mod suggest;
pub mod surfacing;
pub mod token;
pub mod told;
pub mod tracks;
pub mod undo;
pub mod usage;
mod verdicts;
pub mod view;
mod whereabouts;
pub mod why;
pub mod written;

pub use asker::{Asker, Presence};
pub use base::{Engine, InitOptions, Initialised};
pub use env::World;
pub use error::{Blame, Error};
pub use onlooker::Onlooker;
