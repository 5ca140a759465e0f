//! The files of a foreign store, without leaving it.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::Left;
use crate::format::MAX_BYTES;

/// How deep folders may be nested; stores are three or four deep.
const MAX_DEPTH: usize = 16;

/// A regular file inside the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// Its path from the top of the store, with `/` between parts.
    pub(super) relative: String,
    /// Where it can be opened.
    pub(super) path: PathBuf,
}

impl Found {
    /// Returns the name of the file.
    pub(super) fn name(&self) -> &str {
        self.relative.rsplit('/').next().unwrap_or(&self.relative)
    }

    /// Returns the ending in lower case.
    pub(super) fn ending(&self) -> String {
        self.name().rsplit_once('.').map_or_else(String::new, |(_, ending)| ending.to_ascii_lowercase())
    }

    /// Tells whether it lies in a top folder of that name.
    pub(super) fn is_under(&self, folder: &str) -> bool {
        self.relative.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// Lists the files in order of their paths; what may not be opened is left with a reason.
pub(super) fn walk(root: &Path, left: &mut Vec<Left>) -> Vec<Found> {
    let mut found = Vec::new();
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    visit(root, "", 0, &real_root, &mut found, left);
    found.sort_by(|a, b| a.relative.cmp(&b.relative));
    found
}

fn visit(
    folder: &Path,
    prefix: &str,
    depth: usize,
    root: &Path,
    found: &mut Vec<Found>,
    left: &mut Vec<Left>,
) {
    let mut leave = |from: &str, why: String| left.push(Left { from: from.to_owned(), why });
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) => return leave(prefix, format!("the folder cannot be read: {error}")),
    };
    let mut folders = Vec::new();
    for item in listing.flatten() {
        let name = item.file_name().to_string_lossy().into_owned();
        let relative = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let path = item.path();
        let Ok(kind) = item.file_type() else { continue };
        if kind.is_symlink() {
            match path.canonicalize() {
                Err(_) => leave(&relative, "a symbolic link to nothing".to_owned()),
                Ok(target) if !target.starts_with(root) => {
                    leave(&relative, "a symbolic link out of the store".to_owned());
                }
                Ok(target) if target.is_file() => found.push(Found { relative, path }),
                Ok(_) => leave(&relative, "a symbolic link to a folder".to_owned()),
            }
        } else if kind.is_dir() {
            if name.starts_with('.') {
                continue;
            }
            if depth >= MAX_DEPTH {
                leave(&relative, "folders are nested too deep".to_owned());
            } else {
                folders.push((path, relative));
            }
        } else if kind.is_file() {
            found.push(Found { relative, path });
        } else {
            leave(&relative, "not a regular file".to_owned());
        }
    }
    for (path, relative) in folders {
        visit(&path, &relative, depth + 1, root, found, left);
    }
}

/// Reads a file that is not too large.
pub(super) fn read(file: &Found) -> Result<Vec<u8>, Left> {
    let leave = |why: String| Left { from: file.relative.clone(), why };
    let cannot = |error: std::io::Error| leave(format!("cannot be read: {error}"));
    let opened = File::open(&file.path).map_err(cannot)?;
    let size = opened.metadata().map_err(cannot)?.len();
    let too_large =
        |size: u64| leave(format!("too large ({} MB, at most {} MB)", size >> 20, MAX_BYTES >> 20));
    if size > MAX_BYTES {
        return Err(too_large(size));
    }
    let mut bytes = Vec::new();
    opened.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// Refuses a path named inside a store that would lead out of it.
pub(super) fn refuse_path(path: &str) -> Option<String> {
    let windows = path.contains('\\') || path.as_bytes().get(1) == Some(&b':');
    let climbs =
        Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
    (windows || climbs).then(|| format!("the path `{path}` leads out of the store"))
}
