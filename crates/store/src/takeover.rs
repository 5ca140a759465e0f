//! Takes over the state that earlier versions kept in the work tree of a repository.
//!
//! It is done once: what is worth keeping is moved to where state lies now, and the old folder goes.
//! An old folder that git tracks came with a clone, and one that is a link or another user's may be
//! anybody's: neither is read, moved or cleaned, and we say so.
#![allow(clippy::disallowed_methods, reason = "moves derived files, which have their home in derived.rs")]

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use lore_core::{Diagnostic, Level};

use crate::cache::FileKey;
use crate::derived::Derived;
use crate::git::Git;
use crate::{layout, place};

/// Remembers which old folder was left alone, so that git is not asked every time.
const LEFT: &str = "cache/left-alone";

/// Why an old folder is left alone.
const TRACKED: &str = "git tracks it, so it came with a clone";
/// Why its settings are.
const SETTINGS: &str = "settings";

/// Where something goes.
enum Whose {
    Worktree,
    All,
}

/// Whether it may be put together with what is there already.
enum How {
    Whole,
    Mixed,
}

use How::{Mixed, Whole};
use Whose::{All, Worktree};

/// What was where, and where it belongs now. Settings are not moved: they would be believed there.
const MOVES: &[(&str, &str, Whose, How)] = &[
    ("rescued", "rescued", Worktree, Mixed),
    ("edit", "edit", Worktree, Mixed),
    ("queue.jsonl", "queue.jsonl", All, Mixed),
    ("usage", "usage", All, Mixed),
    ("inbox", "inbox", All, Mixed),
    ("context/sessions", "context/sessions", All, Mixed),
    ("context/chains", "context/chains", All, Mixed),
    ("install", "install", All, Mixed),
    ("hook.log", "hook.log", All, Mixed),
    ("shelved.json", "cache/shelved.json", All, Whole),
    ("index/passages", "cache/index/passages", All, Whole),
    ("index/entries", "cache/index/entries", Worktree, Whole),
    ("cache/sources.json", "cache/sources.json", All, Whole),
    ("cache/answers", "cache/answers", All, Mixed),
    ("cache/people", "cache/people", Worktree, Whole),
];

/// What is left of it then and can be made again.
const REST: &[&str] = &[
    ".gitignore",
    "staging",
    "lock",
    "lock.queue",
    "lock.owner",
    "worker.lock",
    "cache",
    "context",
    "index",
    "look",
    "fresh.json",
    "shelved.json",
];

/// Takes over the old state of a project, or says why that is left alone.
pub(crate) fn take_over(project: &Path, git: &Git, work: &Derived, shared: &Derived) -> Option<Diagnostic> {
    let old = project.join(layout::WORK);
    let meta = fs::symlink_metadata(&old).ok()?;
    let leave = |why: &str| {
        let message = format!("an old folder of state is left alone: {why}");
        let found = Diagnostic::new(Level::Warning, "old-state", old.display().to_string(), message);
        Some(found.with_hint("nothing in it is used; delete it, and take it out of git"))
    };
    if meta.is_symlink() {
        return leave("it is a symbolic link");
    }
    if !meta.is_dir() || work.is_closed().is_some() || shared.is_closed().is_some() {
        return None;
    }
    if !place::is_mine(&meta) {
        return leave("it belongs to another user");
    }
    let told = |why: Option<&str>| match why {
        Some(SETTINGS) => Some(settings_stay(&old)),
        Some(why) => leave(why),
        None => None,
    };
    let mark = |meta: &Metadata| format!("{:?}", FileKey::of(meta));
    // Where this cannot be remembered, it is found out again.
    let remember = |meta: &Metadata, why: Option<&str>| {
        let _ = work.write(LEFT, format!("{}\n{}", mark(meta), why.unwrap_or_default()).as_bytes());
    };
    if let Ok(left) = fs::read_to_string(work.folder().join(LEFT))
        && let Some((known, why)) = left.split_once('\n')
        && known == mark(&meta)
    {
        return told(Some(why).filter(|why| !why.is_empty()));
    }
    match git.tracked(&old) {
        Ok(files) if files.is_empty() => {}
        Ok(_) => {
            remember(&meta, Some(TRACKED));
            return told(Some(TRACKED));
        }
        Err(_) => return leave("git does not say whether it tracks it"),
    }
    match move_over(&old, work, shared) {
        Ok(()) => {
            // What is not moved keeps the folder there; git is not asked about it again.
            let meta = fs::symlink_metadata(&old).ok()?;
            let why = fs::symlink_metadata(old.join("config.toml")).is_ok().then_some(SETTINGS);
            remember(&meta, why);
            told(why)
        }
        Err(error) => leave(&format!("it could not be moved ({error})")),
    }
}

/// Says that the settings of an old folder do not count: whoever put the folder there may have put them.
fn settings_stay(old: &Path) -> Diagnostic {
    let file = old.join("config.toml").display().to_string();
    let message = "settings in the work tree are not used: they may have come with it";
    let hint =
        "`lore config set KEY VALUE --whose checkout` puts a setting where it counts; then delete the file";
    Diagnostic::new(Level::Note, "old-settings", file, message).with_hint(hint)
}

fn move_over(old: &Path, work: &Derived, shared: &Derived) -> io::Result<()> {
    for (from, to, whose, how) in MOVES {
        let derived = match whose {
            Worktree => work,
            All => shared,
        };
        let from = old.join(from);
        let Ok(meta) = fs::symlink_metadata(&from) else { continue };
        let parent = layout::parent(to);
        if !parent.is_empty() {
            derived.make_folder(parent).map_err(io::Error::other)?;
        } else if !derived.folder().exists() {
            derived.lock_file("lock").map_err(io::Error::other)?;
        }
        let target = derived.folder().join(to);
        match how {
            _ if meta.is_symlink() => {}
            Mixed => mix(&from, &meta, &target)?,
            Whole if fs::symlink_metadata(&target).is_ok() => {}
            Whole => put(&from, &target)?,
        }
    }
    keep_unfinished(&old.join("staging"), work)?;
    for name in REST {
        let path = old.join(name);
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(&path)?,
            Ok(_) => fs::remove_file(&path)?,
            Err(_) => {}
        }
    }
    for (from, ..) in MOVES {
        let _ = fs::remove_dir(old.join(from));
    }
    // What is not ours stays, and with it the folder.
    let _ = fs::remove_dir(old);
    Ok(())
}

/// Keeps texts that a write which was cut short had not put in place yet.
fn keep_unfinished(staging: &Path, work: &Derived) -> io::Result<()> {
    let Ok(listing) = fs::read_dir(staging) else { return Ok(()) };
    let is_text = |name: &str| name != "journal" && !name.ends_with("-done");
    let unfinished = listing.flatten().any(|item| is_text(&item.file_name().to_string_lossy()));
    let plain = fs::symlink_metadata(staging).is_ok_and(|meta| meta.is_dir());
    if !unfinished || !plain {
        return Ok(());
    }
    let folder = work.make_folder("rescued").map_err(io::Error::other)?;
    let free = |number: &u32| fs::symlink_metadata(folder.join(format!("staging-{number}"))).is_err();
    let number = (1..).find(free).unwrap_or_default();
    put(staging, &folder.join(format!("staging-{number}")))
}

/// Puts a file or folder together with what is there: folders by their files, lists of lines by appending.
fn mix(from: &Path, meta: &Metadata, target: &Path) -> io::Result<()> {
    let Ok(there) = fs::symlink_metadata(target) else { return put(from, target) };
    if meta.is_dir() && there.is_dir() {
        for item in fs::read_dir(from)?.flatten() {
            let meta = item.path().symlink_metadata()?;
            if !meta.is_symlink() {
                mix(&item.path(), &meta, &target.join(item.file_name()))?;
            }
        }
        return fs::remove_dir_all(from);
    }
    let is_list =
        from.extension().is_some_and(|ending| ["tsv", "jsonl", "log"].iter().any(|list| ending == *list));
    if is_list && meta.is_file() && there.is_file() {
        let mut both = fs::read(from)?;
        both.extend(fs::read(target)?);
        let name = target.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Derived::new(target.parent().unwrap_or(target)).write(name, &both).map_err(io::Error::other)?;
    }
    if meta.is_dir() { fs::remove_dir_all(from) } else { fs::remove_file(from) }
}

fn put(from: &Path, target: &Path) -> io::Result<()> {
    fs::rename(from, target)?;
    make_private(target)
}

/// Takes from others the right to read what earlier versions let them read.
fn make_private(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let meta = fs::symlink_metadata(path)?;
        if meta.is_symlink() {
            return Ok(());
        }
        let mode = if meta.is_dir() { 0o700 } else { 0o600 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
        if meta.is_dir() {
            for item in fs::read_dir(path)? {
                make_private(&item?.path())?;
            }
        }
    }
    let _ = path;
    Ok(())
}
