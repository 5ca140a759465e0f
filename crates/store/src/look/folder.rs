//! One folder of the base: what its files looked like, and what differs now.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use lore_core::EntryId;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cache::FileKey;
use crate::snapshot::{ReadError, Stored, read};
use crate::tree::View;
use crate::{Tombstones, Version, format, layout};

/// So many files are looked at by one thread; more threads would cost more than they save.
pub(super) const SHARE: usize = 256;

/// A folder as it was seen.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Folder {
    pub(super) path: String,
    pub(super) key: FileKey,
    pub(super) files: usize,
    pub(super) sum: u64,
}

/// One file that can hold an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    pub(super) key: FileKey,
    pub(super) version: Version,
    pub(super) id: Option<&'a str>,
}

/// A folder as it is.
pub(super) struct Listing<'a> {
    pub(super) key: FileKey,
    pub(super) files: Vec<(Cow<'a, str>, FileKey)>,
    pub(super) below: Vec<String>,
}

impl Folder {
    pub(super) fn of(path: &str, key: FileKey, rows: &[Row<'_>]) -> Folder {
        let sum = rows.iter().fold(0u64, |sum, row| sum.wrapping_add(row.key.number(row.name)));
        Folder { path: path.to_owned(), key, files: rows.len(), sum }
    }
}

/// Reads what differs in one folder.
pub(super) struct Fresh<'f> {
    pub(super) view: View<'f>,
    pub(super) clock: FileKey,
    pub(super) folder: &'f str,
    pub(super) stones: &'f Tombstones,
    pub(super) written: &'f mut Vec<Stored>,
    pub(super) gone: &'f mut Vec<(EntryId, String)>,
}

/// A row of before, or a new one.
pub(super) enum Made<'a> {
    Old(usize),
    New { name: &'a str, key: FileKey, version: Version, id: Option<String> },
}

impl Made<'_> {
    pub(super) fn as_row<'b>(&'b self, old: &[Row<'b>]) -> Row<'b> {
        match self {
            Made::Old(at) => old[*at],
            Made::New { name, key, version, id } => {
                Row { name, key: *key, version: *version, id: id.as_deref() }
            }
        }
    }
}

impl Fresh<'_> {
    /// Returns the rows of the folder as it is now, given those of before with their places by name;
    /// nothing where a file cannot be read.
    pub(super) fn rows<'a>(
        &mut self,
        old: &[Row<'_>],
        mut known: HashMap<&str, usize>,
        files: &'a [(Cow<'_, str>, FileKey)],
    ) -> Option<Vec<Made<'a>>> {
        let mut rows = Vec::with_capacity(files.len());
        for (name, key) in files {
            let before = known.remove(name.as_ref());
            if let Some(at) = before.filter(|at| old[*at].key.proves(*key)) {
                rows.push(Made::Old(at));
                continue;
            }
            let path = layout::join(self.folder, name);
            let stored = match read(self.view, &path) {
                _ if format::refuse_size(&path, key.size).is_some() => None,
                Ok(stored) if self.stones.covers(&stored.entry.id, stored.entry.curated_by) => None,
                Ok(stored) => Some(stored),
                Err(ReadError::NoEntry { .. }) => None,
                Err(ReadError::Io { .. }) => return None,
            };
            let (id, version) = stored
                .as_ref()
                .map_or((None, Version::default()), |one| (Some(one.entry.id.to_string()), one.version));
            let was = before.map(|at| old[at]);
            if let Some(lost) = was.and_then(|row| row.id).filter(|was| Some(*was) != id.as_deref()) {
                self.lose(lost, &path);
            }
            if was.is_none_or(|row| row.id != id.as_deref() || row.version != version) {
                // Whoever derives something from it gets what may be handed out.
                self.written.extend(stored.map(Stored::shown));
            }
            rows.push(Made::New { name, key: key.settled(self.clock), version, id });
        }
        for row in known.into_values().map(|at| old[at]) {
            if let Some(id) = row.id {
                self.lose(id, &layout::join(self.folder, row.name));
            }
        }
        Some(rows)
    }

    fn lose(&mut self, id: &str, path: &str) {
        self.gone.extend(id.parse().ok().map(|id| (id, path.to_owned())));
    }
}

/// Lists a folder with the keys of its files; nothing where it is gone.
///
/// `same` gives the row of a file that need not be looked at.
pub(super) fn list<'a>(
    root: &Path,
    folder: &str,
    same: impl Fn(&str, &fs::DirEntry) -> Option<Row<'a>>,
) -> Option<Listing<'a>> {
    let full = root.join(folder);
    // The folder's own time comes first: whatever changes while it is listed moves it.
    let key = FileKey::of(&fs::symlink_metadata(&full).ok()?);
    let (mut files, mut below, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for item in fs::read_dir(&full).ok()? {
        let item = item.ok()?;
        let Ok(name) = item.file_name().into_string() else { continue };
        if let Some(row) = same(&name, &item) {
            files.push((Cow::Borrowed(row.name), row.key));
            continue;
        }
        let kind = item.file_type().ok()?;
        if name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        let path = layout::join(folder, &name);
        if kind.is_dir() {
            below.push(path);
        } else if layout::is_entry(&path) {
            found.push((name, item));
        }
    }
    let look =
        |(name, item): (String, fs::DirEntry)| Some((Cow::Owned(name), FileKey::of(&item.metadata().ok()?)));
    if found.len() > SHARE {
        let looked: Vec<_> = found.into_par_iter().with_min_len(SHARE).filter_map(look).collect();
        files.extend(looked);
    } else {
        files.extend(found.into_iter().filter_map(look));
    }
    Some(Listing { key, files, below })
}

/// Lists a folder as it was, with the keys that some of its files have now.
pub(super) fn again<'a>(
    root: &Path,
    folder: &str,
    key: FileKey,
    old: &[Row<'a>],
    names: &[String],
) -> Listing<'a> {
    let now = |row: &Row<'a>| {
        if !names.iter().any(|name| name == row.name) {
            return Some((Cow::Borrowed(row.name), row.key));
        }
        let about = fs::symlink_metadata(root.join(layout::join(folder, row.name))).ok()?;
        Some((Cow::Borrowed(row.name), FileKey::of(&about)))
    };
    Listing { key, files: old.iter().filter_map(now).collect(), below: Vec::new() }
}

/// An open folder: its files are found faster from it than from the root of the disk.
#[cfg(unix)]
pub(super) struct Open(std::os::fd::OwnedFd);

#[cfg(unix)]
impl Open {
    pub(super) fn new(path: &Path) -> Option<Open> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open(path, flags, Mode::empty()).ok().map(Open)
    }

    pub(super) fn key(&self, name: &str) -> Option<FileKey> {
        let stat = rustix::fs::statat(&self.0, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(FileKey::of_stat(&stat))
    }
}

#[cfg(not(unix))]
pub(super) struct Open(std::path::PathBuf);

#[cfg(not(unix))]
impl Open {
    pub(super) fn new(path: &Path) -> Option<Open> {
        Some(Open(path.to_owned()))
    }

    pub(super) fn key(&self, name: &str) -> Option<FileKey> {
        fs::symlink_metadata(self.0.join(name)).ok().map(|meta| FileKey::of(&meta))
    }
}

pub(super) fn below(full: &Path, folder: &str) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for item in fs::read_dir(full)? {
        let item = item?;
        if let Ok(name) = item.file_name().into_string()
            && !name.starts_with('.')
            && item.file_type()?.is_dir()
        {
            found.push(layout::join(folder, &name));
        }
    }
    Ok(found)
}
