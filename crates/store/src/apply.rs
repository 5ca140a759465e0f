//! Carries out what a journal promises, or takes it back.
#![allow(clippy::disallowed_methods, reason = "with transaction.rs, the home of writing knowledge")]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lore_core::{Diagnostic, Level};

use crate::change_set;
use crate::derived::{self, Derived};
use crate::journal::{JOURNAL, Journal, STAGING, Step};
use crate::{Version, index, layout};

/// Folder of texts that met a person's edit on their way, or that somebody wrote into a list; nothing is thrown away.
pub const RESCUED: &str = "rescued";
/// What journals that are not ours are called when they are put aside, before a number.
const REFUSED: &str = "journal.refused-";

/// A moment in a transaction at which a test may stop it or make the disk fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Before a file is staged.
    Stage,
    /// Before the journal is put in place.
    Promise,
    /// After the journal is in place.
    Promised,
    /// Before a file is put in place or removed.
    Put,
    /// Before folders are made durable.
    Sync,
    /// Before the change set is kept.
    Record,
    /// Before the journal is settled.
    Settle,
    /// Before the staging folder is emptied.
    Clean,
    /// Before the cache is told.
    Remember,
}

/// Called at every point; an error is taken for one of the disk's.
pub type Fault = Arc<dyn Fn(Point) -> io::Result<()> + Send + Sync>;

/// Where a transaction happens.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) root: PathBuf,
    pub(crate) work: Derived,
    pub(crate) fault: Option<Fault>,
}

/// The disk refused half-way.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// Nothing was changed.
    #[error("cannot write `{path}`; nothing was changed", path = .path.display())]
    TakenBack {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The change is written down and will be completed by the next writer.
    #[error("cannot write `{path}`; the change is kept and completed by the next run that can", path = .path.display())]
    Unfinished {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Ground {
    pub(crate) fn at(&self, point: Point) -> io::Result<()> {
        self.fault.as_ref().map_or(Ok(()), |fault| fault(point))
    }

    pub(crate) fn staging(&self) -> PathBuf {
        self.work.folder().join(STAGING)
    }

    fn staged(&self, name: &str) -> PathBuf {
        self.staging().join(name)
    }
}

/// Does what is promised. If the disk refuses, takes back what was done.
pub(crate) fn carry_out(
    ground: &Ground,
    mut journal: Journal,
) -> Result<(Journal, Vec<Diagnostic>), ApplyError> {
    match put_all(ground, &journal) {
        Ok(found) => {
            settle(ground, &mut journal)?;
            Ok((journal, found))
        }
        Err(failure) => {
            take_back(ground, &journal, &failure)?;
            Err(ApplyError::TakenBack { path: failure.path, source: failure.source })
        }
    }
}

/// Finishes what a process that is gone left unfinished; the caller holds the lock.
pub(crate) fn recover(ground: &Ground) -> Result<(Journal, Vec<Diagnostic>), ApplyError> {
    let mut journal = match Journal::inspect(ground.work.folder(), &ground.root) {
        Ok(journal) => journal,
        Err(_) => {
            put_aside(ground)?;
            Journal::default()
        }
    };
    if journal.is_pending() {
        let failed = |failure: Failure| ApplyError::Unfinished { path: failure.path, source: failure.source };
        let found = put_all(ground, &journal).map_err(failed)?;
        settle(ground, &mut journal)?;
        return Ok((journal, found));
    }
    // What lies in the staging folder now was never promised.
    clean(ground, &journal);
    Ok((journal, Vec::new()))
}

/// Puts a journal that is not ours aside, with all that lies beside it. Nothing of it is looked at.
fn put_aside(ground: &Ground) -> Result<(), ApplyError> {
    let folder = ground.work.folder();
    let free = |name: &String| fs::symlink_metadata(folder.join(name)).is_err();
    let name = (1u32..).map(|number| format!("{REFUSED}{number}")).find(free).unwrap_or_default();
    let failed = |source| ApplyError::Unfinished { path: ground.staging(), source };
    fs::rename(ground.staging(), folder.join(name)).map_err(failed)
}

/// Lists what is wrong with the promises in a state folder: those put aside, and one that will be.
pub(crate) fn refused(work: &Path, root: &Path) -> Vec<Diagnostic> {
    let warn = |path: PathBuf, message: String| {
        Diagnostic::new(Level::Warning, "journal-refused", path.display().to_string(), message)
            .with_hint("nothing of it was carried out; look at what it is and delete it")
    };
    let listing = fs::read_dir(work).into_iter().flatten().flatten();
    let aside = listing.filter(|item| item.file_name().to_string_lossy().starts_with(REFUSED));
    let mut found: Vec<Diagnostic> = aside
        .map(|item| warn(item.path(), "a journal was put aside because it is not ours".into()))
        .collect();
    if let Err(why) = Journal::inspect(work, root) {
        let message = format!("the journal is not carried out: {why}");
        found.push(warn(work.join(STAGING).join(JOURNAL), message));
    }
    found.sort();
    found
}

/// Reads what the base holds at a path now.
pub(crate) fn present(root: &Path, path: &str) -> io::Result<Option<Vec<u8>>> {
    match fs::read(root.join(path)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// Checks that no folder on the way to a path, nor the file itself, is a link that leads elsewhere.
pub(crate) fn leads_outside(root: &Path, path: &str) -> bool {
    let mut full = root.to_owned();
    path.split('/').any(|part| {
        full.push(part);
        fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_symlink())
    })
}

struct Failure {
    path: PathBuf,
    source: io::Error,
}

/// Puts everything in place: first what cannot be made again, which is then made durable, then the
/// rest. In the other order the disk would be waited for until it had taken the lists as well.
fn put_all(ground: &Ground, journal: &Journal) -> Result<Vec<Diagnostic>, Failure> {
    let mut found = Vec::new();
    let mut folders = BTreeSet::new();
    let mut put_those = |rebuilt: bool, folders: &mut BTreeSet<PathBuf>| {
        let steps = journal.steps.iter().enumerate();
        for (number, step) in steps.filter(|(_, step)| layout::is_rebuilt(&step.path) == rebuilt) {
            let failed = |source| Failure { path: ground.root.join(&step.path), source };
            ground.at(Point::Put).map_err(failed)?;
            let old = ground.staged(&old_name(journal, number));
            found.extend(put(ground, step, &old, folders).map_err(failed)?);
        }
        Ok(())
    };
    put_those(false, &mut folders)?;
    for folder in &folders {
        let failed = |source| Failure { path: folder.clone(), source };
        ground.at(Point::Sync).map_err(failed)?;
        match derived::sync_folder(folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {}
        }
    }
    put_those(true, &mut folders)?;
    Ok(found)
}

fn put(
    ground: &Ground,
    step: &Step,
    old: &Path,
    folders: &mut BTreeSet<PathBuf>,
) -> io::Result<Option<Diagnostic>> {
    let target = ground.root.join(&step.path);
    let staged = step.staged.as_deref().map(|name| ground.staged(name));
    if staged.as_deref().is_some_and(|staged| fs::symlink_metadata(staged).is_err()) {
        return Ok(None); // It was put in place before.
    }
    if leads_outside(&ground.root, &step.path) {
        return Err(io::Error::other("a symbolic link leads out of the base"));
    }
    let now = present(&ground.root, &step.path)?.map(|bytes| Version::of(&bytes));
    if now == step.after {
        return Ok(None);
    }
    let expected = now == step.before || layout::is_ours(&step.path);
    if !expected {
        return rescue(ground, step, staged.as_deref()).map(Some);
    }
    let found = match now {
        Some(_) if layout::is_generated(&step.path) && step.path != layout::TIMELINE => {
            keep_writing(ground, step, &target)?
        }
        _ => None,
    };
    if now.is_some() {
        keep_old(&target, old)?;
    }
    match staged {
        Some(staged) => {
            make_folders(&ground.root, layout::parent(&step.path), folders)?;
            move_file(&staged, &target)?;
        }
        None => fs::remove_file(&target)?,
    }
    folders.extend(target.parent().map(Path::to_owned));
    if step.staged.is_none() {
        remove_empty(&ground.root, layout::parent(&step.path), folders);
    }
    Ok(found)
}

/// Somebody wrote into a list that is made from the entries: it is made again, and what they wrote is kept aside.
fn keep_writing(ground: &Ground, step: &Step, target: &Path) -> io::Result<Option<Diagnostic>> {
    let bytes = fs::read(target)?;
    if !index::holds_writing(&String::from_utf8_lossy(&bytes)) {
        return Ok(None);
    }
    let folder = layout::join(RESCUED, layout::parent(&step.path));
    let folder = ground.work.make_folder(folder.trim_end_matches('/')).map_err(io::Error::other)?;
    let name = step.path.rsplit('/').next().unwrap_or(&step.path);
    let version: String = Version::of(&bytes).to_string().chars().take(SHORT).collect();
    let aside = folder.join(format!("{}-{version}.md", name.trim_end_matches(".md")));
    derived::write_private(&aside, &bytes)?;
    let message = "this list is made from the entries, and held something that somebody wrote";
    let found = Diagnostic::new(Level::Warning, "rescued", step.path.clone(), message);
    Ok(Some(found.with_hint(format!(
        "what stood there is in `{}`: put it into a file of another name",
        aside.display()
    ))))
}

/// So many digits tell two versions of a file apart.
const SHORT: usize = 8;

/// Someone changed the file after the promise was made: theirs stays, ours is kept aside.
fn rescue(ground: &Ground, step: &Step, staged: Option<&Path>) -> io::Result<Diagnostic> {
    let message = "the file was changed while an unfinished change to it was waiting; it was left as it is";
    let found = Diagnostic::new(Level::Warning, "rescued", step.path.clone(), message);
    let Some(staged) = staged else { return Ok(found) };
    let folder = layout::join(RESCUED, layout::parent(&step.path));
    let folder = ground.work.make_folder(folder.trim_end_matches('/')).map_err(io::Error::other)?;
    let aside = folder.join(step.path.rsplit('/').next().unwrap_or(&step.path));
    move_file(staged, &aside)?;
    Ok(found.with_hint(format!("compare it with `{}`", aside.display())))
}

/// Keeps a second name for the old file until the transaction is settled.
fn keep_old(target: &Path, old: &Path) -> io::Result<()> {
    match fs::hard_link(target, old) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(_) => fs::copy(target, old).map(drop),
        Ok(()) => Ok(()),
    }
}

/// Names the old file of a step in the staging folder.
fn old_name(journal: &Journal, number: usize) -> String {
    format!("{}-old-{number}", journal.seq)
}

fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
            derived::write_durable(to, &fs::read(from)?)?;
            fs::remove_file(from)
        }
        result => result,
    }
}

fn make_folders(root: &Path, folder: &str, made: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let mut full = root.to_owned();
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        let parent = full.clone();
        full.push(part);
        match fs::create_dir(&full) {
            Ok(()) => {
                made.insert(parent);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

fn remove_empty(root: &Path, folder: &str, touched: &mut BTreeSet<PathBuf>) {
    let mut folder = folder;
    while !folder.is_empty() && fs::remove_dir(root.join(folder)).is_ok() {
        touched.remove(&root.join(folder));
        folder = layout::parent(folder);
        touched.insert(root.join(folder));
    }
}

fn settle(ground: &Ground, journal: &mut Journal) -> Result<(), ApplyError> {
    let failed = |source| ApplyError::Unfinished { path: ground.staging(), source };
    ground.at(Point::Record).map_err(failed)?;
    change_set::keep(&ground.staging(), ground.work.folder(), journal.seq).map_err(failed)?;
    ground.at(Point::Settle).map_err(failed)?;
    journal.settle(ground.work.folder()).map_err(failed)?;
    clean(ground, journal);
    Ok(())
}

/// Empties the staging folder but for the journal. What stays behind is taken by the next writer.
pub(crate) fn clean(ground: &Ground, journal: &Journal) {
    // A link in its place would have another folder emptied.
    if !fs::symlink_metadata(ground.staging()).is_ok_and(|meta| meta.is_dir()) {
        return;
    }
    let Ok(listing) = fs::read_dir(ground.staging()) else { return };
    if ground.at(Point::Clean).is_err() {
        return;
    }
    let kept = [JOURNAL.to_owned(), journal.done()];
    for item in listing.flatten().filter(|item| !kept.iter().any(|name| item.file_name() == name.as_str())) {
        let _ = fs::remove_file(item.path());
    }
}

/// Promises the old files and carries that out.
fn take_back(ground: &Ground, journal: &Journal, failure: &Failure) -> Result<(), ApplyError> {
    let unfinished = |source: io::Error| ApplyError::Unfinished { path: failure.path.clone(), source };
    let mut back = Vec::new();
    for (number, step) in journal.steps.iter().enumerate().rev() {
        let is_there =
            |name: &String| fs::symlink_metadata(ground.staged(name)).is_ok_and(|meta| meta.is_file());
        let staged = Some(old_name(journal, number)).filter(is_there);
        if staged.is_none() && step.before.is_some() {
            continue; // It was never touched.
        }
        back.push(Step { path: step.path.clone(), before: step.after, after: step.before, staged });
    }
    let mut back = journal.next(back);
    back.promise(ground.work.folder()).map_err(unfinished)?;
    match put_all(ground, &back) {
        Ok(_) => settle(ground, &mut back),
        Err(failure) => Err(unfinished(failure.source)),
    }
}
