//! A secret that programs of this user show to be let in: kept in the user's data folder, readable by nobody else.

use std::path::PathBuf;

use lore_store::derived::Derived;

use crate::{Error, World};

/// A shorter one was not made by us.
const SHORTEST: usize = 32;

/// A secret and where it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptToken {
    /// The secret.
    pub token: String,
    /// The file.
    pub file: PathBuf,
    /// Whether it was made just now.
    pub is_new: bool,
}

/// Returns the secret of this name, or keeps a new one where there is none or another is wanted.
pub fn kept_token(world: &World, name: &str, new: &str, renew: bool) -> Result<KeptToken, Error> {
    let folder = world.data_folder().ok_or(Error::NoHome)?;
    let file = folder.join(name);
    let known = std::fs::read_to_string(&file).ok().map(|text| text.trim().to_owned());
    if let Some(token) = known.filter(|token| token.len() >= SHORTEST && !renew) {
        if is_open_to_others(&file) {
            return Err(Error::request(
                format!("others can read the token in `{}`", file.display()),
                "make a new one with --new-token; it will be yours alone",
            ));
        }
        return Ok(KeptToken { token, file, is_new: false });
    }
    let folder = Derived::new(folder);
    // One that others could read must not lend its permissions to the next.
    folder.remove(name)?;
    folder.write(name, format!("{new}\n").as_bytes())?;
    Ok(KeptToken { token: new.to_owned(), file, is_new: true })
}

#[cfg(unix)]
fn is_open_to_others(file: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|about| about.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &std::path::Path) -> bool {
    false
}
