//! Which sessions exist on this machine, and which of them belong to a project.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_core::Session;
use memchr::memmem;

use crate::database::is_database;
use crate::{HEAD, Input, Location, Places, ReadError, ReadOptions, Reader, archive, readers};

/// How much of a file is searched for the folder it was made in.
const DIRECTORY_HEAD: usize = 64 << 10;

/// A source of sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The file or database.
    pub path: PathBuf,
    /// The agent that left it, or `archive`.
    pub agent: &'static str,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was last written.
    pub modified: Option<Timestamp>,
    /// Whether it was found inside the project: then it is the project's, wherever its sessions ran.
    pub own: bool,
    /// Whether its sessions lie in this one file, so that an unchanged file holds nothing new.
    pub whole: bool,
}

/// Finds the sessions of every agent in their usual places, the newest first.
///
/// Given folders (a project's root, its worktrees, where it was before), only sources with
/// sessions that worked in or below one of them are listed; a database may hold others as well,
/// which [`belongs`] tells apart.
pub fn discover(places: &Places, folders: &[PathBuf]) -> Vec<Found> {
    let folders: Vec<PathBuf> = folders.iter().flat_map(|folder| spellings(folder)).collect();
    let given: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let mut known: HashSet<PathBuf> = HashSet::new();
    let mut found: Vec<Found> = Vec::new();
    for reader in readers() {
        for path in reader.locations(places).iter().flat_map(files_of) {
            // The name may tell without the file being opened.
            let told = if folders.is_empty() { Some(true) } else { reader.belongs(&path, &given) };
            if told != Some(false)
                && !known.contains(&path)
                && let Some(source) = known_by(*reader, path)
                && told.unwrap_or_else(|| is_of_project(*reader, &source.path, &folders))
            {
                known.insert(source.path.clone());
                found.push(source);
            }
        }
        let own = folders.iter().flat_map(|folder| reader.project_locations(folder));
        for path in own.flat_map(|location| files_of(&location)) {
            if !known.contains(&path)
                && let Some(source) = known_by(*reader, path)
            {
                known.insert(source.path.clone());
                found.push(Found { own: true, ..source });
            }
        }
    }
    leave_out_poorer(&mut found);
    newest_first(&mut found);
    found
}

/// Finds the sessions in a file, an archive or anywhere below a folder, the newest first.
pub fn discover_at(path: &Path) -> Result<Vec<Found>, ReadError> {
    let about = fs::metadata(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let everything = Location::folder(path.to_owned(), 32, &[""]);
    let paths = if about.is_dir() { files_of(&everything) } else { vec![path.to_owned()] };
    let mut found: Vec<Found> = Vec::new();
    for path in paths {
        if archive::is_archive(&path) {
            found.push(described(path, "archive"));
            continue;
        }
        let options = ReadOptions::default();
        let Ok(head) = Input::file(&path, &options).head(HEAD) else { continue };
        if let Some(reader) = readers().iter().find(|reader| reader.recognises(&path, &head)) {
            found.push(described(path, reader.agent()));
        }
    }
    leave_out_poorer(&mut found);
    newest_first(&mut found);
    Ok(found)
}

/// Tells whether a session worked in or below one of the folders; without folders every one does.
pub fn belongs(session: &Session, folders: &[PathBuf]) -> bool {
    folders.is_empty() || session.directory.as_deref().is_some_and(|directory| is_within(directory, folders))
}

/// Leaves one file of each session that was saved several times: a later one holds what an earlier
/// one held and more.
fn leave_out_poorer(found: &mut Vec<Found>) {
    let options = ReadOptions::default();
    let mut richest: HashMap<(&'static str, String), usize> = HashMap::new();
    let mut poorer: Vec<usize> = Vec::new();
    for (at, source) in found.iter().enumerate() {
        let Some(reader) = readers().iter().find(|reader| reader.agent() == source.agent) else { continue };
        let Some(session) = reader.session_of(&Input::file(&source.path, &options)) else { continue };
        let wealth = |at: usize| (found[at].bytes, found[at].modified, &found[at].path);
        match richest.entry((source.agent, session)) {
            Entry::Vacant(place) => {
                place.insert(at);
            }
            Entry::Occupied(mut place) if wealth(at) > wealth(*place.get()) => {
                poorer.push(place.insert(at));
            }
            Entry::Occupied(_) => poorer.push(at),
        }
    }
    let mut at = 0;
    found.retain(|_| {
        at += 1;
        !poorer.contains(&(at - 1))
    });
}

fn newest_first(found: &mut [Found]) {
    found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
}

fn known_by(reader: &dyn Reader, path: PathBuf) -> Option<Found> {
    let options = ReadOptions::default();
    let head = Input::file(&path, &options).head(HEAD).ok()?;
    reader.recognises(&path, &head).then(|| described(path, reader.agent()))
}

fn described(path: PathBuf, agent: &'static str) -> Found {
    let about = fs::metadata(&path).ok();
    let modified = about.as_ref().and_then(|about| about.modified().ok());
    let modified = modified.and_then(|at| Timestamp::try_from(at).ok());
    let whole = agent == "archive" || is_whole(&path);
    Found { agent, bytes: about.map_or(0, |about| about.len()), modified, path, own: false, whole }
}

/// Tells whether a source is a database, in which an agent keeps all its sessions.
pub fn holds_many(path: &Path) -> bool {
    let options = ReadOptions::default();
    Input::file(path, &options).head(16).is_ok_and(|head| is_database(&head))
}

/// Tells whether all that is read of a source stands in this one file. A database writes to a
/// second file first, and some agents keep messages beside the session.
fn is_whole(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    [".jsonl", ".jsonl.zst", ".jsonl.gz", ".md"].iter().any(|ending| name.ends_with(ending))
}

fn is_of_project(reader: &dyn Reader, path: &Path, folders: &[PathBuf]) -> bool {
    let options = ReadOptions::default();
    let input = Input::file(path, &options);
    let head = input.head(DIRECTORY_HEAD).unwrap_or_default();
    // A database holds many projects; what its first pages name says nothing about the others.
    let named = if is_database(&head) { Vec::new() } else { directories_in(&head) };
    if !named.is_empty() {
        return named.iter().any(|directory| is_within(directory, folders));
    }
    // It does not say so at its beginning: then its sessions have to.
    let mut any = false;
    let outcome = reader.read(&input, &mut |session| any |= belongs(&session, folders));
    outcome.is_ok() && any
}

/// Lists the folders that a transcript's first records name.
fn directories_in(head: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for key in ["\"cwd\":", "\"workingDirectory\":", "\"working_dir\":", "\"workspacePath\":"] {
        for at in memmem::find_iter(head, key) {
            let rest = &head[at + key.len()..];
            let rest = rest.trim_ascii_start();
            let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
            if let Some(Ok(directory)) = values.next()
                && !found.contains(&directory)
            {
                found.push(directory);
            }
        }
    }
    found
}

/// Tells whether a folder is one of these or lies below one.
pub fn is_within(directory: &str, folders: &[PathBuf]) -> bool {
    spellings(Path::new(directory))
        .iter()
        .any(|directory| folders.iter().any(|folder| directory.starts_with(folder)))
}

/// Returns a path as it is given and, where it leads through links, as it really is.
fn spellings(path: &Path) -> Vec<PathBuf> {
    let mut all = vec![path.to_owned()];
    if let Ok(real) = fs::canonicalize(path)
        && real != path
    {
        all.push(real);
    }
    all
}

/// Lists the files of a location whose names are worth a look, without following links.
fn files_of(location: &Location) -> Vec<PathBuf> {
    if location.path.is_file() {
        return vec![location.path.clone()];
    }
    let mut found = Vec::new();
    let mut folders = vec![(location.path.clone(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < location.depth {
                folders.push((entry.path(), depth + 1));
            } else if kind.is_file() && is_wanted(&entry.file_name().to_string_lossy(), location.endings) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

fn is_wanted(name: &str, endings: &[&str]) -> bool {
    let plain = name.strip_suffix(".zst").or_else(|| name.strip_suffix(".gz")).unwrap_or(name);
    endings.iter().any(|ending| name.ends_with(ending) || plain.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_read_out_of_the_first_records() {
        let check =
            |head: &str, expected: &[&str]| assert_eq!(directories_in(head.as_bytes()), expected, "{head}");
        check(r#"{"cwd":"/home/ada/ferry","x":1}"#, &["/home/ada/ferry"]);
        check(r#"{"cwd": "C:\\work","n":1}{"cwd":"C:\\work"}"#, &["C:\\work"]);
        check(r#"{"cwd":null} {"cwd":"/torn"#, &[]);
    }

    #[test]
    fn a_folder_holds_what_is_below_it() {
        let folders = [PathBuf::from("/home/ada/ferry")];
        let check = |directory: &str, expected: bool| {
            assert_eq!(is_within(directory, &folders), expected, "{directory}");
        };
        check("/home/ada/ferry", true);
        check("/home/ada/ferry/docs", true);
        check("/home/ada/ferry-two", false);
        check("/home/ada", false);
    }
}
