//! What git calls for each file that both sides changed.
#![allow(clippy::disallowed_methods, reason = "git names the file that the result goes to")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{MergedFile, merge};
use crate::layout;

/// The files that git names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Holds what both sides began with; empty where they began with nothing.
    pub base: PathBuf,
    /// Holds this side, and the result afterwards.
    pub ours: PathBuf,
    /// Holds the other side.
    pub theirs: PathBuf,
    /// Where the file lies in the repository.
    pub path: String,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driven {
    /// The result is in place.
    Merged,
    /// It takes a look at more than this file; git keeps all versions until then.
    Undecided,
}

/// Merges the files; `top` is the folder that the path starts from.
pub fn drive(top: &Path, called: &Called) -> io::Result<Driven> {
    let read = |path: &Path| fs::read(top.join(path));
    let (base, ours, theirs) = (read(&called.base)?, read(&called.ours)?, read(&called.theirs)?);
    let base = Some(base).filter(|bytes| !bytes.is_empty());
    match merge(inside_base(top, &called.path), base.as_deref(), &ours, &theirs) {
        MergedFile::One(bytes) => {
            fs::write(top.join(&called.ours), bytes)?;
            Ok(Driven::Merged)
        }
        MergedFile::Two { here, .. } => {
            fs::write(top.join(&called.ours), here)?;
            Ok(Driven::Undecided)
        }
        MergedFile::Foreign => {
            let mut command = Command::new("git");
            command.current_dir(top).args(["merge-file", "-L", "ours", "-L", "base", "-L", "theirs"]);
            let status = command.args([&called.ours, &called.base, &called.theirs]).status()?;
            Ok(if status.success() { Driven::Merged } else { Driven::Undecided })
        }
    }
}

/// Returns the part of a path that lies in the base.
fn inside_base<'p>(top: &Path, path: &'p str) -> &'p str {
    let cuts = path.match_indices('/').map(|(at, _)| at);
    let mut bases = cuts.filter(|at| top.join(&path[..*at]).join(layout::FORMAT).exists());
    // During a checkout the base itself may not be in place yet.
    let end = bases.next_back().or_else(|| path.find('/'));
    end.map_or(path, |end| &path[end + 1..])
}
