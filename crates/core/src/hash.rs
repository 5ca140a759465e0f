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
