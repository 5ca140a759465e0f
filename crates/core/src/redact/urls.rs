//! Passwords in addresses: `scheme://user:password@host`, also of the second host and the third.

use std::ops::Range;

use super::bytes::Mix;
use super::values;

/// How long the part before the path may be.
const REACH: usize = 600;
/// Schemes whose passwords people write with slashes in them.
const LOOSE_SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "ftp",
    "sftp",
];

/// Looks behind `://` for users and passwords.
pub(super) fn passwords(text: &str, after: usize, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let ceiling = (after + REACH).min(bytes.len());
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\' | b'|')
    };
    let length = bytes[after..ceiling].iter().position(stop).unwrap_or(ceiling - after);
    let whole = &bytes[after..after + length];
    let authority = whole.iter().position(|byte| *byte == b'/').unwrap_or(length);
    // A pattern that describes addresses.
    if [&b"[^"[..], b"]+", b"(?", b".*"]
        .iter()
        .any(|sign| memchr::memmem::find(&whole[..authority], sign).is_some())
    {
        return;
    }
    let mut start = 0;
    for part in whole[..authority].split(|byte| *byte == b',') {
        out.extend(password(text, after + start..after + start + part.len()));
        start += part.len() + 1;
    }
    if out.is_empty() && authority < length && is_loose(&bytes[..after]) {
        out.extend(slashed(text, after..after + length, authority));
    }
}

/// Looks at one host with what stands before it.
fn password(text: &str, host: Range<usize>) -> Option<Range<usize>> {
    let authority = &text.as_bytes()[host.clone()];
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    let user_end = authority[..at].iter().position(|byte| *byte == b':');
    let first = authority.get(at + 1)?;
    if !(first.is_ascii_alphanumeric() || matches!(first, b'[' | b'$' | b'{' | b'%' | b'_')) {
        return None;
    }
    let range = match user_end {
        Some(colon) => host.start + colon + 1..host.start + at,
        None => host.start..host.start + at,
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

/// Looks for a password with a slash in it, which should have been written otherwise.
fn slashed(text: &str, address: Range<usize>, slash: usize) -> Option<Range<usize>> {
    let whole = &text.as_bytes()[address.clone()];
    let colon = whole[..slash].iter().position(|byte| *byte == b':')?;
    let at = slash + whole[slash..].iter().rposition(|byte| *byte == b'@')?;
    let port = whole[colon + 1..slash].iter().all(u8::is_ascii_digit);
    let host = whole.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    let range = address.start + colon + 1..address.start + at;
    let shown = text.get(range.clone())?;
    (!port && host && colon > 0 && !values::is_placeholder(shown)).then_some(range)
}

fn is_loose(before: &[u8]) -> bool {
    let scheme = &before[..before.len().saturating_sub("://".len())];
    LOOSE_SCHEMES.iter().any(|known| scheme.ends_with(known.as_bytes()))
}
