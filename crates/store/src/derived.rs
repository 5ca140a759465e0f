//! Files that can be thrown away: caches, search indexes, queues.
//!
//! Everything here can be rebuilt from the base, so nothing is journalled. A file is still put in
//! place whole, because a reader may come at any time.
#![allow(clippy::disallowed_methods, reason = "this is the home of derived files")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::layout;

/// A derived file could not be written or removed.
#[derive(Debug, thiserror::Error)]
pub enum DerivedError {
    /// The name would lead out of the folder.
    #[error("`{0}` does not stay inside its folder")]
    Outside(String),
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
}

impl Derived {
    /// Names the folder; it is made when the first file is written.
    pub fn new(folder: impl Into<PathBuf>) -> Derived {
        Derived { folder: folder.into() }
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

    /// Puts a whole file in place at once.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), DerivedError> {
        let path = self.made(name)?;
        let failed = |doing| move |source| DerivedError::Io { doing, path: self.folder.join(name), source };
        let parent = path.parent().unwrap_or(&self.folder);
        let mut file = beside(parent).map_err(failed("write"))?;
        file.write_all(bytes).map_err(failed("write"))?;
        file.persist(&path).map_err(|e| failed("write")(e.error))?;
        Ok(())
    }

    /// Adds bytes to the end of a file in one call.
    pub fn append(&self, name: &str, bytes: &[u8]) -> Result<(), DerivedError> {
        let path = self.made(name)?;
        let failed = |source| DerivedError::Io { doing: "append to", path: path.clone(), source };
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        file.write_all(bytes).map_err(failed)
    }

    /// Gives a file the present time.
    pub(crate) fn touch(&self, name: &str) -> Result<(), DerivedError> {
        let path = self.made(name)?;
        fs::write(&path, b".").map_err(|source| DerivedError::Io { doing: "touch", path, source })
    }

    /// Removes a file or a folder; one that is not there is fine.
    pub fn remove(&self, name: &str) -> Result<(), DerivedError> {
        let path = self.path(name)?;
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

    /// Makes a folder in it and returns its path.
    pub fn make_folder(&self, name: &str) -> Result<PathBuf, DerivedError> {
        let path = self.path(name)?;
        fs::create_dir_all(&path).map_err(|source| DerivedError::Io {
            doing: "make",
            path: path.clone(),
            source,
        })?;
        Ok(path)
    }

    fn made(&self, name: &str) -> Result<PathBuf, DerivedError> {
        let path = self.path(name)?;
        let parent = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent).map_err(|source| DerivedError::Io {
            doing: "make",
            path: parent.to_owned(),
            source,
        })?;
        Ok(path)
    }
}

/// Puts a file in place whole and durable: the old or the new, also after a power cut.
pub(crate) fn write_durable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = beside(parent)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    sync_folder(parent)
}

/// Makes a file that will be renamed, with the permissions an ordinary file would have.
fn beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Makes renames and removals in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
