//! Secrets that consist of words or of many codes, behind words that say so: seed phrases, recovery
//! codes, seeds of one-time passwords.

use std::ops::Range;

use super::gutters;
use super::literals::skip_space;

/// Words that are followed by a phrase of many words.
pub(super) const PHRASES: &[&str] = &[
    "mnemonic",
    "seed phrase",
    "seed_phrase",
    "seedphrase",
    "seed words",
    "recovery phrase",
    "secret phrase",
    "backup phrase",
    "recovery words",
];
/// Words that are followed by a list of codes.
pub(super) const CODES: &[&str] = &[
    "recovery code",
    "recovery_code",
    "recoverycode",
    "backup code",
    "backup_code",
    "backupcode",
    "scratch code",
    "emergency code",
];
/// Words that are followed by the seed of one-time passwords.
pub(super) const SEEDS: &[&str] =
    &["totp", "2fa", "mfa ", "mfa_", "otp_", "otp ", "authenticator", "otpauth"];

/// How far a list reaches.
const REACH: usize = 1200;
/// Fewest words of a seed phrase.
const FEWEST_WORDS: usize = 12;
const MOST_WORDS: usize = 24;

/// Words of sentences that no list of seed words holds.
const NEVER_SEED: &[&str] =
    &["the", "and", "for", "are", "not", "was", "has", "its", "our", "your", "from", "with", "into"];

/// Looks behind the words of a seed phrase for the phrase; numbers, commas and quotes may stand between.
pub(super) fn seed_phrase(text: &str, after: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = joint(bytes, after)?;
    let ceiling = (at + REACH).min(bytes.len());
    let start = at + bytes[at..ceiling].iter().position(u8::is_ascii_lowercase)?;
    let mut words = 0;
    let mut end = start;
    at = start;
    while words < MOST_WORDS {
        let length = bytes[at..ceiling].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let word = &text[at..at + length];
        if !(3..=8).contains(&length) || NEVER_SEED.contains(&word) {
            break;
        }
        words += 1;
        end = at + length;
        at = end;
        // The letter of an escaped break is none of a word.
        loop {
            let gap = bytes[at..ceiling].iter().take(12);
            at += gap.take_while(|byte| b" \t\r\n,;.\"'`|0123456789)-[]".contains(byte)).count();
            if at + 1 < ceiling && bytes[at] == b'\\' && matches!(bytes[at + 1], b'n' | b't' | b'r' | b'"') {
                at += 2;
            } else {
                break;
            }
        }
    }
    (words >= FEWEST_WORDS).then_some(start..end)
}

/// Looks behind the words of recovery codes and returns each code.
pub(super) fn codes(text: &str, after: usize, out: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let plural = usize::from(bytes.get(after) == Some(&b's'));
    let Some(mut at) = joint(bytes, after + plural) else { return };
    let ceiling = (at + REACH).min(bytes.len());
    let mut strays = 0;
    for _ in 0..64 {
        at += bytes[at..ceiling].iter().take_while(|byte| b" \t\r\n,;\"'`|[]()*>+:".contains(byte)).count();
        if bytes[at..ceiling].starts_with(b"\\n") || bytes[at..ceiling].starts_with(b"\\\"") {
            at += 2;
            continue;
        }
        let part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let length = bytes[at..ceiling].iter().take_while(part).count();
        if length == 0 {
            // An arrow behind the number of a line, a dash before an item.
            at = (at + 1).min(ceiling);
            while at < ceiling && !text.is_char_boundary(at) {
                at += 1;
            }
            strays += 1;
        } else if is_code(&text[at..at + length]) {
            out.push(at..at + length);
            at += length;
            strays = 0;
        } else {
            let grouped = is_group(&text[at..at + length]);
            let next = at + length + 1;
            let second = bytes.get(next..ceiling).unwrap_or_default().iter().take_while(part).count();
            if grouped && bytes.get(at + length) == Some(&b' ') && is_group(&text[next..next + second]) {
                out.push(at..next + second);
                at = next + second;
                strays = 0;
                continue;
            }
            at += length;
            strays += 1;
        }
        if strays > 3 || at >= ceiling {
            return;
        }
    }
}

/// Tells whether a word is a code: eight letters and digits or more, or groups of them.
fn is_code(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let groups: Vec<&str> = word.split('-').collect();
    let grouped = groups.len() >= 2 && groups.iter().all(|group| (3..=8).contains(&group.len()));
    let alike = grouped && (digits >= 2 || word.len() >= 9 && digits >= 1);
    alike && word.len() >= 8 || groups.len() == 1 && (8..=16).contains(&word.len()) && digits >= 2
}

fn is_group(word: &str) -> bool {
    (4..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Looks behind the words of one-time passwords for their seed, in groups or in one.
pub(super) fn one_time_seed(text: &str, after: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let ceiling = (after + 48).min(bytes.len());
    let rest = &text.get(after..super::shapes::floor(text, ceiling))?.to_ascii_lowercase();
    let named =
        ["secret", "seed", "key"].iter().filter_map(|word| Some((rest.find(word)?, word.len()))).min()?;
    let between = &rest[..named.0];
    if !between.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-/()'\"".contains(&byte)) {
        return None;
    }
    let end = after + named.0 + named.1;
    let start = joint(bytes, end).unwrap_or_else(|| skip_space(bytes, end));
    let start = start + bytes[start..].iter().take(3).take_while(|byte| b"\"'`*".contains(byte)).count();
    let base32 = |byte: &&u8| byte.is_ascii_alphabetic() || (b'2'..=b'7').contains(*byte);
    let mut end = start;
    let mut letters = 0;
    for _ in 0..16 {
        let length = bytes[end..].iter().take(128).take_while(base32).count();
        if length == 0 {
            break;
        }
        letters += length;
        end += length;
        let group = bytes.get(end + 1..end + 5).is_some_and(|next| next.iter().all(|byte| base32(&byte)));
        if length != 4 || !matches!(bytes.get(end), Some(b' ' | b'-')) || !group {
            break;
        }
        end += 1;
    }
    while bytes.get(end) == Some(&b'=') {
        end += 1;
    }
    let open = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric());
    let shown = text.get(start..end)?;
    let one_case =
        !(shown.bytes().any(|b| b.is_ascii_lowercase()) && shown.bytes().any(|b| b.is_ascii_uppercase()));
    (letters >= 16 && one_case && !open).then_some(start..end)
}

/// Steps over what joins a name with what it names; a list may begin on the next line.
fn joint(bytes: &[u8], at: usize) -> Option<usize> {
    let closers = bytes[at.min(bytes.len())..].iter().take(4).take_while(|b| b"\"'`*_)".contains(b)).count();
    let mut at = skip_space(bytes, at + closers);
    // A few words may stand before the sign: `(keep these safe):`, `are`, `is`.
    let line = &bytes[at.min(bytes.len())..(at + 60).min(bytes.len())];
    let line = &line[..line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len())];
    if let Some(sign) = line.iter().position(|byte| matches!(byte, b':' | b'=')) {
        at += sign + 1;
        at += usize::from(bytes.get(at) == Some(&b'='));
    } else if let Some(word) = [&b"is "[..], b"are ", b"was "].iter().find(|word| line.starts_with(word)) {
        at += word.len();
    } else if !line.is_empty() || bytes.get(at) != Some(&b'\n') {
        return None;
    }
    let closers = bytes[at.min(bytes.len())..].iter().take(4).take_while(|b| b"*_\"'`".contains(b)).count();
    at = skip_space(bytes, at + closers);
    if bytes.get(at) == Some(&b'\n') {
        at = gutters::skip(bytes, at + 1);
    }
    (at < bytes.len()).then_some(at)
}
