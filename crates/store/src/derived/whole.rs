//! Files that are put in place whole, and the folders they lie in.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// How the name of a file begins that is not written yet.
pub(super) const UNFINISHED: &str = ".tmp";

/// Who may read what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readable {
    /// The user alone.
    ByMe,
    /// Whoever the user lets read new files.
    AsUsual,
}

/// Puts a file in place whole and durable: the old or the new, also after a power cut.
pub(crate) fn write_durable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_for(Readable::AsUsual, path, bytes)
}

/// Does so for what may quote a session or an entry outside the base: nobody else reads it.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_for(Readable::ByMe, path, bytes)
}

fn write_for(readable: Readable, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let parent = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = beside(parent, readable)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    sync_folder(parent)
}

/// Makes a folder, and those above it, that nobody else may look into.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    make_for(Readable::ByMe, folder)
}

pub(super) fn make_for(readable: Readable, folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if readable == Readable::ByMe {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Makes a file that will be renamed.
pub(super) fn beside(folder: &Path, readable: Readable) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    if readable == Readable::AsUsual {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Makes renames and removals in a folder durable (fsync of the folder).
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
