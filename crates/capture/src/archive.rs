//! Sessions inside archives (`.tar`, `.tar.zst`, `.tar.gz`, `.tgz`), read without unpacking.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lore_core::Session;

use crate::{HEAD, Input, ReadError, ReadOptions, readers};

/// Entries up to this size are held in memory; longer ones are streamed.
const HELD: u64 = 8 << 20;

/// Tells by its name whether a file is an archive.
pub(crate) fn is_archive(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    [".tar", ".tar.zst", ".tar.gz", ".tgz", ".tzst"].iter().any(|ending| name.ends_with(ending))
}

/// Reads every session in an archive; entries that no reader knows are passed over.
pub(crate) fn read(
    path: &Path,
    options: &ReadOptions,
    sink: &mut dyn FnMut(Session),
) -> Result<(), ReadError> {
    let io_error = |source: io::Error| ReadError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(io_error)?;
    let name = path.to_string_lossy().to_ascii_lowercase();
    let plain: Box<dyn Read> = match () {
        () if name.ends_with("zst") => Box::new(zstd::Decoder::new(file).map_err(io_error)?),
        () if name.ends_with("gz") => Box::new(flate2::read::MultiGzDecoder::new(file)),
        () => Box::new(io::BufReader::new(file)),
    };
    let mut archive = tar::Archive::new(plain);
    for entry in archive.entries().map_err(io_error)? {
        let mut entry = entry.map_err(io_error)?;
        if entry.header().entry_type().is_file() {
            let inner: PathBuf = entry.path().map(|inner| path.join(inner)).map_err(io_error)?;
            let size = entry.size();
            read_entry(&inner, size, &mut entry, options, sink).map_err(io_error)?;
        }
    }
    Ok(())
}

fn read_entry(
    path: &Path,
    size: u64,
    entry: &mut dyn Read,
    options: &ReadOptions,
    sink: &mut dyn FnMut(Session),
) -> io::Result<()> {
    let mut bytes = Vec::new();
    let first = if size <= HELD { size } else { HEAD as u64 };
    entry.take(first).read_to_end(&mut bytes)?;
    let input = if size <= HELD {
        Input::bytes(path, &bytes, options)
    } else {
        Input::stream(path, Box::new(io::Cursor::new(bytes.clone()).chain(entry)), options)
    };
    let head = if size <= HELD { input.head(HEAD).unwrap_or_default() } else { bytes.clone() };
    if let Some(reader) = readers().iter().find(|reader| reader.recognises(path, &head)) {
        // What cannot be read in an archive (a database) must not keep us from the rest of it.
        if let Err(error) = reader.read(&input, sink) {
            tracing::debug!(path = %path.display(), %error, "passed over an entry of an archive");
        }
    }
    Ok(())
}
