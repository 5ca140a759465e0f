//! The use cases, below the faces.
#![allow(clippy::disallowed_methods, reason = "tests set their own stage")]

mod agents;
mod conditions;
mod curate;
mod deaths;
mod edited;
mod editing;
mod export;
mod forget;
mod gitclaw;
mod grounding;
mod hands;
mod hooking;
mod onlookers;
mod places;
mod privacy;
mod reflection;
mod review;
mod schedule;
mod signals;
mod speaking;
mod spikes;
mod stage;
mod teams;
mod undo;
mod upkeep;
mod view;
mod voices;
mod written;
