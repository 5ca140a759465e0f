//! The short name of an entry, for people and agents to type and to cite: `dec-k3f9x2`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{EntryId, Kind, hash};

/// Characters that cannot be taken for each other (Crockford's base 32).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// So many are shown: with ten thousand decisions in a base, one chance in twenty that two share theirs.
const SHOWN: usize = 6;
/// So many can be given, where fewer fit two entries.
const LONGEST: usize = 12;
/// With fewer the beginning of anything would do.
const SHORTEST: usize = 4;

/// Names an entry in a few characters: the letters of its kind, and some that follow from its id alone.
///
/// It stays when the title changes, because the id does, and is never written down beside the id, so
/// that no two files can disagree about it and no merge can change it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Handle(String);

/// The text cannot be a handle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a handle (expected e.g. `dec-k3f9x2`)")]
pub struct NotAHandle(pub String);

impl Handle {
    /// Returns the handle of an entry.
    pub fn of(id: &EntryId) -> Handle {
        let mut handle = Handle::longest(id);
        handle.0.truncate(4 + SHOWN);
        handle
    }

    /// Returns all of it, for where two entries have the same beginning.
    pub fn longest(id: &EntryId) -> Handle {
        let mut bits = hash::key(&[b"handle", id.as_str().as_bytes()]);
        let mut text = id.as_str().get(..4).unwrap_or_default().to_owned();
        for _ in 0..LONGEST {
            text.push(char::from(ALPHABET[(bits >> 59) as usize]));
            bits <<= 5;
        }
        Handle(text)
    }

    /// Tells whether it names this entry, or begins as what does.
    pub fn fits(&self, id: &EntryId) -> bool {
        self.0.as_bytes().get(..4) == id.as_str().as_bytes().get(..4)
            && Handle::longest(id).0.starts_with(&self.0)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl EntryId {
    /// Returns the short name.
    pub fn handle(&self) -> Handle {
        Handle::of(self)
    }
}

impl FromStr for Handle {
    type Err = NotAHandle;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || NotAHandle(text.to_owned());
        let lower = text.to_ascii_lowercase();
        let (kind, rest) = lower.split_once('-').ok_or_else(refuse)?;
        let is_kind = kind.len() == 3 && Kind::from_prefix(kind).is_some();
        let fits = (SHORTEST..=LONGEST).contains(&rest.len());
        if is_kind && fits && rest.bytes().all(|byte| ALPHABET.contains(&byte)) {
            Ok(Handle(lower))
        } else {
            Err(refuse())
        }
    }
}

impl TryFrom<String> for Handle {
    type Error = NotAHandle;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Handle> for String {
    fn from(handle: Handle) -> String {
        handle.0
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Writes a name as it is shown: an id as its handle, anything else as it is.
pub fn shown(name: &str) -> String {
    name.parse::<EntryId>().map_or_else(|_| name.to_owned(), |id| id.handle().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn handles_stay_the_same_for_ever() {
        let check = |id: &str, expected: &str| {
            assert_eq!(shown(id), expected, "{id}");
        };
        check("dec-2026-02-20-use-postgresql", "dec-e0sr3d");
        check("les-2026-01-15-validate-tokens", "les-reya29");
        check("session://codex/abc#L7", "session://codex/abc#L7");
    }

    #[test]
    fn what_is_no_handle_is_refused() {
        let check =
            |text: &str, expected: bool| assert_eq!(text.parse::<Handle>().is_ok(), expected, "{text}");
        check("dec-k3f9x2", true);
        check("DEC-K3F9X2", true);
        check("dec-k3f9", true);
        check("dec-k3f", false);
        check("dec-k3f9x2k3f9x22", false);
        check("dec-2026-02-20-use-postgresql", false);
        check("dec-hello", false);
        check("xyz-k3f9x2", false);
        check("decé-k3f9", false);
        check("", false);
    }

    proptest! {
        #[test]
        fn a_handle_leads_to_its_entry(slug in "[a-z0-9]{1,12}(-[a-z0-9]{1,8}){0,4}", cut in 8usize..=16) {
            let id: EntryId = format!("fac-2026-03-01-{slug}").parse().unwrap();
            let longest = id.handle();
            prop_assert!(longest.fits(&id));
            prop_assert_eq!(longest.as_str().parse::<Handle>(), Ok(longest.clone()));
            let part: Handle = Handle::longest(&id).as_str()[..cut].parse().unwrap();
            prop_assert!(part.fits(&id));
        }
    }
}
