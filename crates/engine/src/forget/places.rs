//! Everything we write beside the base: passages, caches, queue, usage, records, logs.

use std::path::{Path, PathBuf};

use lore_store::Sealed;
use lore_store::derived::Derived;
use lore_surface::{Level, Passage, Struck};

use super::ForgetReport;
use super::eraser::Eraser;
use crate::{Engine, Error};

/// What may be deleted at any time, and is, but for the passages.
const CACHE: &str = "cache";
/// The passages are written anew instead: they may be all that is left of a transcript.
const PASSAGES: &str = "cache/index/passages";
/// Says what the shelf of passages holds.
const SHELVED: &str = "cache/shelved.json";
/// Change sets are dealt with on their own.
const CHANGES: &str = "changes";
/// What a person set holds on, were it only that this very thing is to be left out; it is named instead.
const SETTINGS: &str = "config.toml";
/// What agents' files held before they were wired is needed to give it back.
const INSTALLED: &str = "install";
/// Where the projects of this machine lie, a line each.
const PROJECTS: &str = "registry/projects";

impl Engine {
    /// Writes the passages of past sessions anew without it.
    pub(super) fn erase_passages(&self, eraser: &Eraser, dry_run: bool) -> Result<Struck, Error> {
        let mut index = self.open_index()?;
        if index.to_fill(Level::Passages).is_some() {
            return Ok(Struck::default());
        }
        let keep = |passage: &Passage| eraser.passage(passage);
        if dry_run {
            return Ok(index.snapshot().struck(&keep)?);
        }
        let mut writer = index.writer()?;
        let struck = writer.strike_passages(&keep)?;
        writer.finish()?;
        Ok(struck)
    }

    /// Takes it out of every other file we keep beside the base.
    pub(super) fn erase_files(
        &self,
        eraser: &Eraser,
        dry_run: bool,
        report: &mut ForgetReport,
    ) -> Result<(), Error> {
        let mut folders = vec![self.store.work().clone()];
        if self.store.shared().folder() != self.store.work().folder() {
            folders.push(self.store.shared().clone());
        }
        // Without a project our log lies in the user's data folder.
        let data = self.world.data_folder().map(|data| Derived::new(data.join(lore_store::WORK)));
        folders.extend(data.filter(|data| data.folder().is_dir()));
        for folder in folders {
            let mut files = Vec::new();
            below(folder.folder(), Path::new(""), &mut files);
            for name in files {
                if erase_file(eraser, &folder, &name, dry_run)? {
                    report.files.push(folder.folder().join(name).display().to_string());
                }
            }
        }
        report.files.sort();
        report.files.dedup();
        Ok(())
    }
}

/// Takes it out of one file, or removes the file; tells whether it was there.
fn erase_file(eraser: &Eraser, folder: &Derived, name: &str, dry_run: bool) -> Result<bool, Error> {
    let is_below = |top: &str| name.strip_prefix(top).is_some_and(|rest| rest.starts_with('/'));
    // A person is in the path of everything they have, and moving it is not ours.
    let is_theirs = name == PROJECTS && eraser.kind == Sealed::Person;
    let is_kept = name == SETTINGS || is_below(INSTALLED) || is_theirs;
    let has_own_way =
        is_below(CHANGES) || is_below(PASSAGES) || name == "staging/journal" || name.ends_with("lock");
    if is_kept || has_own_way {
        return Ok(false);
    }
    let Ok(bytes) = std::fs::read(folder.path(name)?) else { return Ok(false) };
    if name == SHELVED {
        return erase_inventory(eraser, folder, name, &bytes, dry_run);
    }
    let text = String::from_utf8_lossy(&bytes);
    let named = eraser.is_in(name);
    let found = named || eraser.is_beside(&text) || text.lines().any(|line| eraser.is_in_line(line));
    if dry_run {
        return Ok(found);
    }
    let by_line = name == PROJECTS || [".jsonl", ".tsv", ".log"].iter().any(|end| name.ends_with(end));
    // What can be made again goes whether or not it can be searched: much of it is packed.
    if is_below(CACHE) || found && named {
        folder.remove(name)?;
    } else if found && by_line {
        let kept: String = text.lines().filter_map(|line| left(eraser, line)).collect();
        folder.write(name, kept.as_bytes())?;
    } else if found {
        match rest(eraser, &text) {
            Some(rest) => folder.write(name, &rest)?,
            None => folder.remove(name)?,
        }
    }
    Ok(found)
}

/// Says what is left of a file that is one value: what stands beside it in there is about something else.
fn rest(eraser: &Eraser, text: &str) -> Option<Vec<u8>> {
    let mut value: serde_json::Value = serde_json::from_str(text).ok()?;
    let goes = eraser.strike_value(&mut value) || eraser.is_in_value(&value);
    (!goes).then(|| value.to_string().into_bytes())
}

/// Takes transcripts whose paths hold it out of the inventory of passages.
fn erase_inventory(
    eraser: &Eraser,
    folder: &Derived,
    name: &str,
    bytes: &[u8],
    dry_run: bool,
) -> Result<bool, Error> {
    let mut value: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
    if !eraser.is_in_value(&value) {
        return Ok(false);
    }
    if let Some(sources) = value.get_mut("sources").and_then(|sources| sources.as_object_mut()) {
        sources.retain(|path, _| !eraser.is_in(path));
    }
    if !dry_run {
        folder.write_json(name, &value)?;
    }
    Ok(true)
}

/// Says what is left of a line of a file: without a person it says the same, else it goes.
fn left(eraser: &Eraser, line: &str) -> Option<String> {
    if !eraser.is_in_line(line) {
        return Some(format!("{line}\n"));
    }
    let scrubbed = eraser.scrub(line).filter(|scrubbed| !eraser.is_in_line(scrubbed))?;
    (eraser.kind == Sealed::Person).then(|| format!("{scrubbed}\n"))
}

fn below(root: &Path, folder: &Path, files: &mut Vec<String>) {
    let Ok(listing) = std::fs::read_dir(root.join(folder)) else { return };
    for item in listing.flatten() {
        let path: PathBuf = folder.join(item.file_name());
        match item.file_type() {
            Ok(kind) if kind.is_dir() => below(root, &path, files),
            Ok(kind) if kind.is_file() => files.extend(path.to_str().map(|path| path.replace('\\', "/"))),
            _ => {}
        }
    }
}
