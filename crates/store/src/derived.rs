//! Files that are not knowledge: caches, search indexes, queues, notes.
//!
//! Nothing here is journalled, and what lies below `cache/` can be made again from the base and the
//! sessions. A file is still put in place whole, because a reader may come at any time. What is kept
//! here may quote sessions, so that nobody else may read it; and it is never written through a link.
#![allow(clippy::disallowed_methods, reason = "this is the home of derived files")]

mod whole;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use serde::Serialize;

use self::whole::{Readable, UNFINISHED, beside, make_for};
pub(crate) use self::whole::{make_private, sync_folder, write_durable, write_private};
use crate::door::Door;
use crate::layout;

/// A derived file could not be written or removed.
#[derive(Debug, thiserror::Error)]
pub enum DerivedError {
    /// The name would lead out of the folder.
    #[error("`{0}` does not stay inside its folder")]
    Outside(String),
    /// A link lies on the way.
    #[error("`{path}` is a symbolic link, through which nothing is written", path = .0.display())]
    Link(PathBuf),
    /// The folder may be read only.
    #[error("cannot write `{path}`: {why}", path = .path.display())]
    Closed {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: Arc<str>,
    },
    /// What is to be kept is no JSON.
    #[error("cannot write `{path}` as JSON", path = .path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: serde_json::Error,
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

/// A folder of derived files; names are relative, with `/` between parts.
#[derive(Debug, Clone)]
pub struct Derived {
    folder: PathBuf,
    readable: Readable,
    /// Why nothing is written here.
    closed: Option<Arc<str>>,
    /// Whether writing does nothing, because all is only rehearsed.
    still: bool,
    door: Door,
}

impl Derived {
    /// Names a folder that is the user's alone; it is made when the first file is written.
    pub fn new(folder: impl Into<PathBuf>) -> Derived {
        let (folder, door) = (folder.into(), Door::default());
        Derived { folder, readable: Readable::ByMe, closed: None, still: false, door }
    }

    /// Names a folder of files that others may read too, such as the settings of an agent.
    pub fn ordinary(folder: impl Into<PathBuf>) -> Derived {
        Derived { readable: Readable::AsUsual, ..Derived::new(folder) }
    }

    /// Holds back from texts what this door does.
    #[must_use]
    pub fn with_door(self, door: &Door) -> Derived {
        Derived { door: door.clone(), ..self }
    }

    /// Returns the door that texts pass.
    pub fn door(&self) -> &Door {
        &self.door
    }

    /// Lets nothing be written here any more, and says why.
    #[must_use]
    pub(crate) fn closed(self, why: impl Into<Arc<str>>) -> Derived {
        Derived { closed: Some(why.into()), ..self }
    }

    /// Lets writing do nothing from now on: what happens is only rehearsed. Reading finds what is there.
    #[must_use]
    pub fn still(self) -> Derived {
        Derived { still: true, ..self }
    }

    /// Tells whether writing does nothing here.
    pub fn is_still(&self) -> bool {
        self.still
    }

    /// Says why nothing may be written here, where that is so.
    pub fn is_closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a file in it.
    pub fn path(&self, name: &str) -> Result<PathBuf, DerivedError> {
        if layout::is_inside(name) {
            Ok(self.folder.join(name))
        } else {
            Err(DerivedError::Outside(name.to_owned()))
        }
    }

    /// Puts a value into the JSON that a file will hold; what has none leaves the file as it is.
    pub fn json(&self, name: &str, value: &impl Serialize) -> Result<String, DerivedError> {
        serde_json::to_string(value).map_err(|source| self.no_json(name, source))
    }

    /// Does so in lines, for files that people look into.
    pub fn json_in_lines(&self, name: &str, value: &impl Serialize) -> Result<String, DerivedError> {
        serde_json::to_string_pretty(value).map_err(|source| self.no_json(name, source))
    }

    fn no_json(&self, name: &str, source: serde_json::Error) -> DerivedError {
        DerivedError::Json { path: self.folder.join(name), source }
    }

    /// Puts a whole file of JSON in place at once.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), DerivedError> {
        self.write(name, self.json(name, value)?.as_bytes())
    }

    /// Does so without secrets.
    pub fn write_json_clean(&self, name: &str, value: &impl Serialize) -> Result<(), DerivedError> {
        self.write_text(name, &self.json(name, value)?)
    }

    /// Does so without secrets, and returns when the disk has it.
    pub fn keep_json_clean(&self, name: &str, value: &impl Serialize) -> Result<(), DerivedError> {
        self.write_durably(name, self.door.written_lines(&self.json(name, value)?).as_bytes())
    }

    /// Puts a whole file in place at once.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), DerivedError> {
        self.put(name, bytes, |_| Ok(()))
    }

    /// Puts a whole file in place at once, and returns when the disk has it (fsync).
    pub fn write_durably(&self, name: &str, bytes: &[u8]) -> Result<(), DerivedError> {
        self.put(name, bytes, File::sync_all)?;
        if self.still {
            return Ok(());
        }
        let path = self.path(name)?;
        let parent = path.parent().unwrap_or(&self.folder);
        sync_folder(parent).map_err(|source| DerivedError::Io { doing: "write", path: path.clone(), source })
    }

    fn put(
        &self,
        name: &str,
        bytes: &[u8],
        then: impl Fn(&File) -> io::Result<()>,
    ) -> Result<(), DerivedError> {
        if self.still {
            return self.path(name).map(drop);
        }
        let path = self.made(name)?;
        let failed = |source| DerivedError::Io { doing: "write", path: path.clone(), source };
        let parent = path.parent().unwrap_or(&self.folder);
        let mut file = beside(parent, self.readable).map_err(failed)?;
        file.write_all(bytes).and_then(|()| then(file.as_file())).map_err(failed)?;
        file.persist(&path).map_err(|e| failed(e.error))?;
        Ok(())
    }

    /// Puts a whole file of text in place at once, without secrets; lines that are JSON stay JSON.
    pub fn write_text(&self, name: &str, text: &str) -> Result<(), DerivedError> {
        self.write(name, self.door.written_lines(text).as_bytes())
    }

    /// Adds text to the end of a file in one call, without secrets.
    pub fn append_text(&self, name: &str, text: &str) -> Result<(), DerivedError> {
        self.append(name, self.door.written_lines(text).as_bytes())
    }

    /// Adds bytes to the end of a file in one call.
    pub fn append(&self, name: &str, bytes: &[u8]) -> Result<(), DerivedError> {
        if self.still {
            return self.path(name).map(drop);
        }
        let path = self.made(name)?;
        let failed = |source| DerivedError::Io { doing: "append to", path: path.clone(), source };
        let mut file = self.options().append(true).open(&path).map_err(failed)?;
        file.write_all(bytes).map_err(failed)
    }

    /// Puts a copy of a file in place, with its rights.
    pub fn copy_in(&self, name: &str, from: &Path) -> Result<(), DerivedError> {
        if self.still {
            return self.path(name).map(drop);
        }
        let path = self.made(name)?;
        fs::copy(from, &path).map(drop).map_err(|source| DerivedError::Io { doing: "copy to", path, source })
    }

    /// Opens a file to be locked; what is in it stays.
    ///
    /// A rehearsal makes none: what is not there nobody holds.
    pub(crate) fn lock_file(&self, name: &str) -> Result<File, DerivedError> {
        if self.still {
            let path = self.path(name)?;
            let failed = |source| DerivedError::Io { doing: "lock", path: path.clone(), source };
            return match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => tempfile::tempfile().map_err(failed),
                opened => opened.map_err(failed),
            };
        }
        let path = self.made(name)?;
        let opened = self.options().truncate(false).write(true).open(&path);
        opened.map_err(|source| DerivedError::Io { doing: "lock", path, source })
    }

    /// Gives a file the present time.
    pub(crate) fn touch(&self, name: &str) -> Result<(), DerivedError> {
        if self.still {
            return self.path(name).map(drop);
        }
        let path = self.made(name)?;
        let opened = self.options().write(true).truncate(true).open(&path);
        let touched = opened.and_then(|mut file| file.write_all(b"."));
        touched.map_err(|source| DerivedError::Io { doing: "touch", path, source })
    }

    /// Removes a file or a folder; one that is not there is fine.
    pub fn remove(&self, name: &str) -> Result<(), DerivedError> {
        if self.still {
            return self.path(name).map(drop);
        }
        let path = self.path(name)?;
        self.may_write(&path)?;
        self.follow_no_links(name)?;
        let gone = match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(&path),
            Ok(_) => fs::remove_file(&path),
            Err(e) => Err(e),
        };
        match gone {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(DerivedError::Io { doing: "remove", path, source })
            }
            _ => Ok(()),
        }
    }

    /// Removes what processes that were killed left half written in a folder, if it was written before that time.
    pub fn remove_leftovers(&self, folder: &str, before: SystemTime) -> Result<(), DerivedError> {
        let listing = fs::read_dir(self.path(folder)?).into_iter().flatten().flatten();
        for file in listing {
            let is_old = || file.metadata().and_then(|about| about.modified()).is_ok_and(|at| at < before);
            if let Ok(name) = file.file_name().into_string()
                && name.starts_with(UNFINISHED)
                && is_old()
            {
                self.remove(&format!("{folder}/{name}"))?;
            }
        }
        Ok(())
    }

    /// Makes a folder in it and returns its path.
    pub fn make_folder(&self, name: &str) -> Result<PathBuf, DerivedError> {
        let path = self.path(name)?;
        self.may_write(&path)?;
        self.follow_no_links(name)?;
        if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) {
            return Err(DerivedError::Link(path));
        }
        self.make(&path)?;
        Ok(path)
    }

    fn made(&self, name: &str) -> Result<PathBuf, DerivedError> {
        let path = self.path(name)?;
        self.may_write(&path)?;
        self.follow_no_links(name)?;
        self.make(path.parent().unwrap_or(&self.folder))?;
        Ok(path)
    }

    fn make(&self, folder: &Path) -> Result<(), DerivedError> {
        let failed = |source| DerivedError::Io { doing: "make", path: folder.to_owned(), source };
        make_for(self.readable, folder).map_err(failed)
    }

    fn may_write(&self, path: &Path) -> Result<(), DerivedError> {
        match &self.closed {
            Some(why) => Err(DerivedError::Closed { path: path.to_owned(), why: Arc::clone(why) }),
            None => Ok(()),
        }
    }

    /// Refuses a link on the way from the folder to a file. The file itself may be one: it is replaced.
    fn follow_no_links(&self, name: &str) -> Result<(), DerivedError> {
        let mut full = self.folder.clone();
        for part in layout::parent(name).split('/').filter(|part| !part.is_empty()) {
            full.push(part);
            if fs::symlink_metadata(&full).is_ok_and(|meta| meta.is_symlink()) {
                return Err(DerivedError::Link(full));
            }
        }
        Ok(())
    }

    /// Makes a file where none is, and opens none through a link.
    fn options(&self) -> OpenOptions {
        let mut options = OpenOptions::new();
        options.create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
            if self.readable == Readable::ByMe {
                options.mode(0o600);
            }
        }
        options
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_after_a_while() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path());
        derived.write("inbox/a.json", b"{}").unwrap();
        let left =
            beside(&temp.path().join("inbox"), Readable::ByMe).unwrap().into_temp_path().keep().unwrap();
        derived.remove_leftovers("inbox", SystemTime::UNIX_EPOCH).unwrap();
        assert!(left.exists(), "somebody may still be writing it");
        derived.remove_leftovers("inbox", SystemTime::now() + std::time::Duration::from_secs(1)).unwrap();
        assert!(!left.exists() && derived.path("inbox/a.json").unwrap().exists());
        derived.remove_leftovers("nowhere", SystemTime::now()).unwrap();
    }

    #[test]
    fn writes_appends_and_removes_inside_only() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path().join("made/later"));
        derived.write("a/b.bin", b"one").unwrap();
        derived.append("a/b.bin", b" two").unwrap();
        assert_eq!(fs::read(derived.path("a/b.bin").unwrap()).unwrap(), b"one two");
        derived.remove("a/b.bin").unwrap();
        derived.remove("a/b.bin").unwrap();
        derived.remove("a").unwrap();
        assert!(!derived.folder().join("a").exists());
        for name in ["../x", "/x", "a/../../x", ""] {
            assert!(matches!(derived.write(name, b""), Err(DerivedError::Outside(_))), "{name}");
        }
    }

    #[test]
    fn a_rehearsal_writes_nothing_and_waits_for_others() {
        let temp = tempfile::tempdir().unwrap();
        let (real, still) = (Derived::new(temp.path()), Derived::new(temp.path()).still());
        real.write("a/kept", b"one").unwrap();
        still.write("a/kept", b"two").unwrap();
        still.write_durably("new/deep", b"").unwrap();
        still.append("a/kept", b"more").unwrap();
        still.touch("clock").unwrap();
        still.remove("a").unwrap();
        drop(still.lock("a.lock").unwrap());
        assert_eq!(fs::read(temp.path().join("a/kept")).unwrap(), b"one");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
        let held = real.lock("a.lock").unwrap();
        assert!(still.try_lock("a.lock").unwrap().is_none());
        drop(held);
        assert!(still.try_lock("a.lock").unwrap().is_some());
        assert!(matches!(still.write("../x", b""), Err(DerivedError::Outside(_))));
    }

    /// A value that could not be put into JSON left an empty file in place of the one before.
    #[test]
    fn what_is_no_json_leaves_the_file_as_it_was() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path());
        derived.write_json("a.json", &[1, 2]).unwrap();
        let pairs = std::collections::BTreeMap::from([((1, 2), 3)]);
        for refused in [
            derived.write_json("a.json", &pairs),
            derived.write_json_clean("a.json", &pairs),
            derived.keep_json_clean("a.json", &pairs),
        ] {
            assert!(matches!(refused, Err(DerivedError::Json { .. })), "{refused:?}");
        }
        assert_eq!(fs::read_to_string(temp.path().join("a.json")).unwrap(), "[1,2]");
    }

    #[test]
    fn a_closed_folder_is_not_written() {
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path()).closed("it is another's");
        let refused = derived.write("a", b"").unwrap_err().to_string();
        assert!(refused.ends_with("it is another's"), "{refused}");
        assert!(derived.remove("a").is_err() && derived.append("a", b"").is_err());
        assert!(fs::read_dir(temp.path()).unwrap().next().is_none());
    }

    /// Caches and queues quote sessions; on a shared machine every other user could read them.
    #[cfg(unix)]
    #[test]
    fn what_may_quote_a_session_is_the_users_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let temp = tempfile::tempdir().unwrap();
        let derived = Derived::new(temp.path().join("state"));
        derived.write("a/whole", b"").unwrap();
        derived.append("a/added", b"").unwrap();
        derived.touch("a/touched").unwrap();
        derived.lock_file("a/locked").unwrap();
        let mode = |path: &str| fs::metadata(temp.path().join(path)).unwrap().permissions().mode() & 0o777;
        for name in ["whole", "added", "touched", "locked"] {
            assert_eq!(mode(&format!("state/a/{name}")), 0o600, "{name}");
        }
        assert_eq!((mode("state"), mode("state/a")), (0o700, 0o700));
        Derived::ordinary(temp.path()).write("settings.json", b"{}").unwrap();
        let usual = {
            fs::write(temp.path().join("usual"), b"").unwrap();
            mode("usual")
        };
        assert_eq!(mode("settings.json"), usual);
    }

    /// A folder of state that was a link had the folder it leads to emptied.
    #[cfg(unix)]
    #[test]
    fn nothing_is_written_or_removed_through_a_link() {
        use std::os::unix::fs::symlink;
        let temp = tempfile::tempdir().unwrap();
        let outside = temp.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "theirs").unwrap();
        let derived = Derived::new(temp.path().join("state"));
        derived.write("there", b"").unwrap();
        symlink(&outside, derived.folder().join("folder")).unwrap();
        symlink(outside.join("kept"), derived.folder().join("file")).unwrap();
        assert!(matches!(derived.write("folder/kept", b"x"), Err(DerivedError::Link(_))));
        assert!(matches!(derived.remove("folder/kept"), Err(DerivedError::Link(_))));
        assert!(matches!(derived.make_folder("folder"), Err(DerivedError::Link(_))));
        assert!(derived.append("file", b"x").is_err() && derived.touch("file").is_err());
        derived.remove("folder").unwrap();
        derived.write("file", b"ours").unwrap();
        assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "theirs");
    }
}
