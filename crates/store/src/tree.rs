//! Loads the base: every entry's summary and every finding, reading only what changed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_core::{Diagnostic, Level};
use rayon::prelude::*;

use crate::cache::{self, FileKey, Record};
use crate::derived::Derived;
use crate::door::Door;
use crate::journal::{STAGING, Step};
use crate::{Summary, Version, format, layout, protect};

/// A folder of the base could not be listed.
#[derive(Debug, thiserror::Error)]
#[error("cannot list `{path}`", path = .path.display())]
pub struct ListError {
    /// The folder.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Where the base lies and what is promised but not yet in place.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) root: &'a Path,
    pub(crate) work: &'a Path,
    pub(crate) overlay: &'a HashMap<&'a str, &'a Step>,
    pub(crate) door: &'a Door,
}

/// Everything in the base at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    /// One record per file that can hold an entry, by path.
    pub(crate) records: Vec<Arc<Record>>,
    /// Files we generated, as they look now.
    pub(crate) generated: HashMap<String, FileKey>,
    /// Findings about folders and odd files.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many files had to be read.
    pub(crate) reread: usize,
}

/// Loads everything, taking from `known`, which is sorted by path, what is unchanged.
pub(crate) fn load(view: View<'_>, known: &[Arc<Record>]) -> Result<Tree, ListError> {
    let mut found = walk(view.root, "")?;
    if !view.overlay.is_empty() {
        found.entries.retain(|(path, _)| !view.overlay.contains_key(path.as_str()));
        let promised =
            view.overlay.values().filter(|step| step.staged.is_some() && layout::is_entry(&step.path));
        found.entries.extend(promised.map(|step| (step.path.clone(), FileKey::default())));
    }
    let by_path: HashMap<&str, usize> =
        known.iter().enumerate().map(|(at, record)| (record.path.as_str(), at)).collect();
    // What is unchanged is already in order; only what is read anew has to be put into it.
    let mut same = vec![false; known.len()];
    let mut changed = Vec::new();
    for (path, key) in found.entries {
        match by_path.get(path.as_str()) {
            Some(at) if known[*at].key.proves(key) => same[*at] = true,
            old => changed.push((path, key, old.map(|at| &known[*at]))),
        }
    }
    let mut records: Vec<Arc<Record>> =
        known.iter().zip(same).filter(|(_, same)| *same).map(|(record, _)| Arc::clone(record)).collect();
    let reread = changed.len();
    if reread > 0 {
        // The clock is read before the files are, so that a change during reading is not missed.
        let at = cache::clock(&Derived::new(view.work));
        let fresh = changed.into_par_iter().filter_map(|(path, key, old)| record(view, path, key, at, old));
        records.par_extend(fresh.map(Arc::new));
        records.sort_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(Tree { records, generated: found.generated, diagnostics: found.diagnostics, reread })
}

/// Looks again at some files only.
pub(crate) fn reload(view: View<'_>, tree: &mut Tree, paths: &HashSet<&str>) {
    tree.records.retain(|record| !paths.contains(record.path.as_str()));
    let at = cache::clock(&Derived::new(view.work));
    for path in paths {
        let step = view.overlay.get(path);
        let key = match step {
            Some(step) if step.staged.is_none() => continue,
            Some(_) => Some(FileKey::default()),
            None => look(&view.root.join(path)),
        };
        let fresh = key.and_then(|key| record(view, (*path).to_owned(), key, at, None));
        tree.records.extend(fresh.map(Arc::new));
    }
    tree.records.sort_unstable_by(|a, b| a.path.cmp(&b.path));
}

/// Reads the bytes a reader should see at a path: what is promised, else what is in place.
pub(crate) fn bytes(view: View<'_>, path: &str) -> io::Result<Vec<u8>> {
    if let Some(step) = view.overlay.get(path) {
        let Some(staged) = &step.staged else { return Err(io::ErrorKind::NotFound.into()) };
        // A staged file that is gone has been put in place meanwhile.
        if let Ok(bytes) = fs::read(view.work.join(STAGING).join(staged)) {
            return Ok(bytes);
        }
    }
    fs::read(view.root.join(path))
}

fn look(path: &Path) -> Option<FileKey> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|meta| FileKey::of(&meta))
}

fn record(
    view: View<'_>,
    path: String,
    key: FileKey,
    at: FileKey,
    old: Option<&Arc<Record>>,
) -> Option<Record> {
    let nothing = |key, diagnostic| Record {
        path: path.clone(),
        key,
        version: Version::default(),
        summary: None,
        diagnostics: vec![diagnostic],
    };
    if let Some(refusal) = format::refuse_size(&path, key.size) {
        return Some(nothing(key, refusal));
    }
    match bytes(view, &path) {
        Ok(bytes) => Some(parse(path, key.settled(at), &bytes, old, view.door)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => {
            let message = format!("the file cannot be read: {e}");
            let found = Diagnostic::new(Level::Error, "unreadable", path.clone(), message);
            Some(nothing(FileKey::default(), found.with_hint("check its permissions")))
        }
    }
}

/// Makes the record of a file from its bytes; the same bytes as before need no parsing.
pub(crate) fn parse(
    path: String,
    key: FileKey,
    bytes: &[u8],
    old: Option<&Arc<Record>>,
    door: &Door,
) -> Record {
    let version = Version::of(bytes);
    if let Some(old) = old.filter(|old| old.version == version) {
        return Record { key, ..Record::clone(old) };
    }
    let mut read = format::read(&path, bytes);
    let text = String::from_utf8_lossy(bytes);
    let summary = read.entry.as_ref().map(|entry| {
        let curated_by = protect::curator(&text, entry.curated_by);
        let shown = door.shown(&path, &text, entry);
        if shown.is_some() {
            read.diagnostics.extend(door.diagnostics(&path, &text));
        }
        Summary::of(shown.as_ref().unwrap_or(entry), curated_by)
    });
    Record { path, key, version, summary, diagnostics: read.diagnostics }.complete()
}

#[derive(Default)]
struct Found {
    entries: Vec<(String, FileKey)>,
    generated: HashMap<String, FileKey>,
    diagnostics: Vec<Diagnostic>,
}

fn walk(root: &Path, folder: &str) -> Result<Found, ListError> {
    let full = root.join(folder);
    let failed = |source| ListError { path: full.clone(), source };
    let mut found = Found::default();
    let mut below = Vec::new();
    let listing = match fs::read_dir(&full) {
        // A folder may vanish while we walk; the root may not.
        Err(e) if e.kind() == io::ErrorKind::NotFound && !folder.is_empty() => return Ok(found),
        listing => listing.map_err(failed)?,
    };
    for item in listing {
        let item = item.map_err(failed)?;
        let Ok(name) = item.file_name().into_string() else {
            let path = layout::join(folder, &item.file_name().to_string_lossy());
            let message = "the file name is not valid Unicode";
            found
                .diagnostics
                .push(Diagnostic::new(Level::Error, "bad-name", path, message).with_hint("rename the file"));
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let path = layout::join(folder, &name);
        let kind = item.file_type().map_err(failed)?;
        if kind.is_symlink() {
            found.diagnostics.push(symlink(path));
        } else if kind.is_dir() {
            if path.ends_with(".md") {
                let message = "this is a folder, though its name ends in `.md`";
                found.diagnostics.push(
                    Diagnostic::new(Level::Warning, "folder-named-md", path.clone(), message)
                        .with_hint("rename the folder"),
                );
            }
            below.push(path);
        } else if kind.is_file() && name.ends_with(".md") {
            let Ok(meta) = item.metadata() else { continue };
            let key = FileKey::of(&meta);
            if layout::is_generated(&path) {
                found.generated.insert(path, key);
            } else if layout::is_entry(&path) {
                found.entries.push((path, key));
            }
        }
    }
    let inner: Vec<Found> = below.par_iter().map(|folder| walk(root, folder)).collect::<Result<_, _>>()?;
    for mut other in inner {
        found.entries.append(&mut other.entries);
        found.generated.extend(other.generated);
        found.diagnostics.append(&mut other.diagnostics);
    }
    Ok(found)
}

fn symlink(path: String) -> Diagnostic {
    let message = "symbolic links are not followed, because they may lead out of the base";
    Diagnostic::new(Level::Warning, "symlink", path, message).with_hint("replace it by the file it points to")
}
