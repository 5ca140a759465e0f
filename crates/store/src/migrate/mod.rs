//! The number of the on-disk format, and the way from each to the next.
//!
//! There is one file `vN.rs` per version that was ever released; they are only ever added. A base
//! of a later version than ours is refused: guessing would damage it.
#![allow(clippy::disallowed_methods, reason = "a base is made before there is one to write to")]

pub(crate) mod v1;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::{derived, layout};

/// The format this build writes.
pub const FORMAT_VERSION: u32 = 1;

/// The format of a base cannot be dealt with.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// A later build wrote it.
    #[error("`{path}` has format {found}, this build reads up to {FORMAT_VERSION}", path = .path.display())]
    Newer {
        /// The base.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The number cannot be read.
    #[error("`{path}` does not hold a format number but `{text}`", path = .path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What it holds.
        text: String,
    },
    /// The disk refused.
    #[error("cannot {doing} `{path}`", path = .path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

/// Makes an empty base; one that is there already stays as it is.
pub(crate) fn init(root: &Path) -> Result<(), MigrateError> {
    let failed = |doing, path: &Path| {
        let path = path.to_owned();
        move |source| MigrateError::Io { doing, path, source }
    };
    let state = root.join(layout::STATE);
    fs::create_dir_all(&state).map_err(failed("make", &state))?;
    for (name, text) in v1::INITIAL {
        let path = root.join(name);
        if !path.exists() {
            derived::write_durable(&path, text.as_bytes()).map_err(failed("write", &path))?;
        }
    }
    // Last, because this is what makes it a base.
    let path = root.join(layout::FORMAT);
    if !path.exists() {
        derived::write_durable(&path, format!("{FORMAT_VERSION}\n").as_bytes())
            .map_err(failed("write", &path))?;
    }
    Ok(())
}

/// Checks that we can read a base.
pub(crate) fn check(root: &Path) -> Result<(), MigrateError> {
    let path = root.join(layout::FORMAT);
    let text = fs::read_to_string(&path).map_err(|source| MigrateError::Io {
        doing: "read",
        path: path.clone(),
        source,
    })?;
    match text.trim().parse::<u32>() {
        Ok(FORMAT_VERSION) => Ok(()),
        Ok(found) if found > FORMAT_VERSION => Err(MigrateError::Newer { path: root.to_owned(), found }),
        _ => Err(MigrateError::Unknown { path, text: text.trim().chars().take(40).collect() }),
    }
}
