//! Behaviour of the index through its public face.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod context;
mod fixture;
mod graph;
mod keeping;
mod past;
mod ranking;
mod telling;
mod unasked;
