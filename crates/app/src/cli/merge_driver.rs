//! `lore merge-driver`, which git runs

use std::path::PathBuf;

use lore_engine::merges::{self, Called, Driven};

use super::{Global, Outcome};
use crate::error::Code;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File with what both sides began with
    base: PathBuf,
    /// File with this side; the result is put there
    ours: PathBuf,
    /// File with the other side
    theirs: PathBuf,
    /// Where the file lies in the repository
    path: String,
}

pub(super) fn run(global: &Global, args: Args) -> Outcome {
    let Args { base, ours, theirs, path } = args;
    let top = global.world()?.directory;
    Ok(match merges::drive(&top, &Called { base, ours, theirs, path })? {
        Driven::Merged => Code::Done,
        Driven::Undecided => Code::No,
    })
}
