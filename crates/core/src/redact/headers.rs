//! Credentials in headers of requests.

use std::ops::Range;

use super::assignment::name_around;
use super::bytes::{BARE, Mix, run_end};
use super::literals::skip_space;
use super::shapes::floor;
use super::values;

/// How long credentials may be.
const REACH: usize = 4096;

/// Words before the credentials, in lower case.
#[rustfmt::skip]
const SCHEMES: &[&str] = &[
    "bearer", "basic", "token", "apikey", "api-key", "bot", "splunk", "ssws", "geniekey", "key", "negotiate",
    "ntlm", "digest", "sso-key", "oauth", "private-token", "jwt", "aws4-hmac-sha256", "sharedaccesssignature",
    "hmac", "klaviyo-api-key", "discogs",
];

/// Looks behind `Authorization` for its credentials.
pub(super) fn authorization(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let name = name_around(bytes, anchor.clone());
    // `authorizationUrl` and the like are other names.
    if name.end != anchor.end {
        return None;
    }
    let at = skip_joint(bytes, name.end)?;
    let (scheme, rest) = skip_scheme(bytes, at);
    let value = credentials(text, rest)?;
    let shown = &text[value.clone()];
    let mix = Mix::of(shown.as_bytes());
    let secret = match scheme {
        Some(_) => {
            shown.len() >= 6 && (mix.digits > 0 || shown.len() >= 16 && mix.upper > 0 && mix.lower > 0)
        }
        None => shown.len() >= 12 && mix.mixed() && (mix.changes >= 3 || mix.hexadecimal()),
    };
    (secret && !is_code(bytes, &value, shown)).then_some(value)
}

/// Looks behind the word `Bearer` for a token.
pub(super) fn bearer(text: &str, anchor: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let colon = usize::from(bytes.get(anchor.end) == Some(&b':'));
    let at = skip_space(bytes, anchor.end + colon);
    if at == anchor.end || !super::bytes::starts_word(bytes, anchor.start) {
        return None;
    }
    let value = credentials(text, at)?;
    let shown = &text[value.clone()];
    let mix = Mix::of(shown.as_bytes());
    let secret = shown.len() >= 14 && mix.mixed() && (mix.changes >= 4 || mix.hexadecimal());
    (secret && !is_code(bytes, &value, shown)).then_some(value)
}

/// Looks behind `Cookie:` and returns the values of the pairs that look like sessions.
pub(super) fn cookies(text: &str, anchor: Range<usize>, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let name = name_around(bytes, anchor);
    let whole = &text[name.clone()];
    if !whole.eq_ignore_ascii_case("cookie") && !whole.eq_ignore_ascii_case("set-cookie") {
        return;
    }
    let Some(mut at) = skip_joint(bytes, name.end) else { return };
    for _ in 0..64 {
        let key_end = at
            + bytes[at..]
                .iter()
                .take(80)
                .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'%'))
                .count();
        if key_end == at || bytes.get(key_end) != Some(&b'=') {
            return;
        }
        let end = floor(text, run_end(&bytes[..bytes.len().min(key_end + REACH)], key_end + 1, BARE));
        let shown = &text[key_end + 1..end];
        let mix = Mix::of(shown.as_bytes());
        if shown.len() >= 8 && mix.mixed() && !values::is_placeholder(shown) && mix.changes >= 2 {
            out.push(key_end + 1..end);
        }
        if bytes.get(end) != Some(&b';') {
            return;
        }
        at = skip_space(bytes, end + 1);
    }
}

/// Steps over quotes, `:`/`=`/`,` and space between a header's name and its value.
fn skip_joint(bytes: &[u8], name_end: usize) -> Option<usize> {
    let gap = bytes[name_end..]
        .iter()
        .take(16)
        .take_while(|b| {
            matches!(
                b,
                b'"' | b'\''
                    | b'\\'
                    | b' '
                    | b']'
                    | b')'
                    | b':'
                    | b'='
                    | b','
                    | b'>'
                    | b'`'
                    | b'f'
                    | b'b'
                    | b'$'
                    | b'\t'
            )
        })
        .count();
    let seen = &bytes[name_end..name_end + gap];
    seen.iter().any(|b| matches!(b, b':' | b'=' | b',')).then_some(name_end + gap).map(|at| {
        // The letters were taken for the prefix of a string; without a quote behind they are the value.
        let back = seen.iter().rev().take_while(|b| matches!(b, b'f' | b'b' | b'$')).count();
        at - back
    })
}

fn skip_scheme(bytes: &[u8], at: usize) -> (Option<&'static str>, usize) {
    for scheme in SCHEMES {
        let end = at + scheme.len();
        if bytes.get(at..end).is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
            && bytes.get(end) == Some(&b' ')
        {
            return (Some(scheme), skip_space(bytes, end));
        }
    }
    // Whatever one calls its scheme, a word and a space before the credentials are one.
    let word = bytes[at.min(bytes.len())..]
        .iter()
        .take(24)
        .take_while(|b| b.is_ascii_alphabetic() || **b == b'-')
        .count();
    if word > 2 && bytes.get(at + word) == Some(&b' ') {
        return (Some("other"), skip_space(bytes, at + word));
    }
    (None, at)
}

fn credentials(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = at + usize::from(bytes.get(at).is_some_and(|byte| matches!(byte, b'"' | b'\'')));
    let end = run_end(&bytes[..bytes.len().min(start + REACH)], start.min(bytes.len()), BARE);
    let end =
        end - bytes[start.min(end)..end].iter().rev().take_while(|b| matches!(b, b'.' | b':' | b'?')).count();
    (end > start).then_some(start..floor(text, end))
}

fn is_code(bytes: &[u8], value: &Range<usize>, shown: &str) -> bool {
    values::is_placeholder(shown)
        || shown.starts_with(['$', '{', '%', '<', '[', '*'])
        || matches!(bytes.get(value.end), Some(b'(' | b'[' | b'{' | b'<'))
}
