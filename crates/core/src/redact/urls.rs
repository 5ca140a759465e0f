//! Passwords in addresses: `scheme://user:password@host`.

use std::ops::Range;

use super::bytes::Mix;
use super::values;

/// How long the part before the host may be.
const REACH: usize = 400;

/// Looks behind `://` for a user and a password.
pub(super) fn password(text: &str, after: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let ceiling = (after + REACH).min(bytes.len());
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'/' | b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\' | b'|' | b',')
    };
    let length = bytes[after..ceiling].iter().position(stop).unwrap_or(ceiling - after);
    let authority = &bytes[after..after + length];
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    // A pattern that describes addresses.
    if [&b"[^"[..], b"]+", b"(?", b".*"].iter().any(|sign| memchr::memmem::find(authority, sign).is_some()) {
        return None;
    }
    let user_end = authority[..at].iter().position(|byte| *byte == b':');
    let host = authority.get(at + 1)?;
    if !(host.is_ascii_alphanumeric() || matches!(host, b'[' | b'$' | b'{' | b'%' | b'_')) {
        return None;
    }
    let range = match user_end {
        Some(colon) => after + colon + 1..after + at,
        None => after..after + at,
    };
    let shown = text.get(range.clone())?;
    let secret = match user_end {
        Some(_) => {
            !shown.is_empty()
                && !values::is_placeholder(shown)
                && !shown.starts_with(['$', '{', '%', '[', '('])
        }
        // A lone user is one unless it looks like a key.
        None => shown.len() >= 20 && Mix::of(shown.as_bytes()).random(),
    };
    secret.then_some(range)
}
