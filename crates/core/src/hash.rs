//! The one hash we use, for content we wrote and files we read.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of some bytes, as lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// Hashes the bytes.
    pub fn of(bytes: &[u8]) -> ContentHash {
        use fmt::Write as _;
        let mut text = String::with_capacity(64);
        for byte in Sha256::digest(bytes) {
            write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        }
        ContentHash(text)
    }

    /// Wraps a hash read from a file; anything may stand there, it then simply equals nothing.
    pub fn from_text(text: impl Into<String>) -> ContentHash {
        ContentHash(text.into())
    }

    /// Returns all digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first twelve digits, enough to tell files of one base apart.
    pub fn short(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Hashes parts of something into a number that may be kept on disk: the same in every version of
/// ours and of the compiler, and nobody can choose words that meet others' numbers by design.
pub fn key(parts: &[&[u8]]) -> u64 {
    let mut hasher = Sha256::new();
    for part in parts {
        // With its length before it, so that no two lists of parts are one text.
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_the_same_for_ever() {
        assert_eq!(key(&[]), 1_449_310_910_991_872_227);
        assert_eq!(key(&[b"turn", b"u1"]), 3_030_682_101_067_163_425);
        assert_ne!(key(&[b"ab", b"c"]), key(&[b"a", b"bc"]));
    }
}
