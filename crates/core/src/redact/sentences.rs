//! Secrets that a sentence tells: `the password for staging is …`, `… is the password`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::gutters;
use super::names::Kind;
use super::shapes::floor;
use super::values::{self, Form};
use super::wordlike;

/// How far a sentence is read to either side.
const REACH: usize = 160;

/// Tells quickly whether a sentence may go on from a name to its value.
pub(super) fn may_follow(rest: &[u8]) -> bool {
    const WORDS: &[&[u8]] = &[
        b"is ", b"was ", b"to ", b"for ", b"of ", b"on ", b"in ", b"are ", b"now ", b"(", b"has ", b"= ",
        b"at ",
    ];
    WORDS.iter().any(|word| rest.starts_with(word))
}

/// Tells quickly whether the words before a name may say that it is the secret.
pub(super) fn may_precede(before: &[u8]) -> bool {
    let tail = &before[before.len().saturating_sub(28)..];
    tail.ends_with(b" ") && tail.windows(4).any(|four| four == b" is ")
}

static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"^(?:(?:\s+(?:for|of|on|in|to|at)(?:\s+[0-9A-Za-z_@.'"`/-]+){1,6}?|\s+\([^()\n]{1,60}\))(?:\s+(?:is|was|=)|:)|\s+(?:is|was|are|to|has been changed to|now))\s+(?:now\s+|set\s+to\s+|still\s+|just\s+|changed\s+to\s+)?(?P<mark>[`"'*“]*)(?P<v>[^\s`"*”]+)"#,
    )
    .expect("a fixed pattern")
});
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?P<mark>[`"'*“]*)(?P<v>[^\s`"'*”]+)[`"'*”]*\s+is\s+(?:(?:the|our|my|your|its|now)\s+)?(?:[0-9A-Za-z_-]+\s+){0,3}$"#)
        .expect("a fixed pattern")
});

/// Returns the secret that a sentence tells of a name.
pub(super) fn value(text: &str, name: &Range<usize>, kind: Kind) -> Option<Range<usize>> {
    // What tests do, and what one does with arguments, is called by the same word.
    let bare_pass = text[name.clone()].eq_ignore_ascii_case("pass");
    if bare_pass || !matches!(kind, Kind::Password | Kind::Secret | Kind::Key | Kind::Pin) {
        return None;
    }
    let bytes = text.as_bytes();
    let ceiling = floor(text, (name.end + REACH).min(text.len()));
    let end = gutters::line_end(bytes, name.end, ceiling).map_or(ceiling, |(end, _)| end);
    // The pattern costs much, and a sentence goes on with a space.
    if bytes.get(name.end) == Some(&b' ')
        && let Some(found) = AFTER.captures(text.get(name.end..end)?)
        && let Some(value) = found.name("v")
    {
        let marked = found.name("mark").is_some_and(|mark| !mark.is_empty());
        let range = name.end + value.start()..name.end + value.end();
        if let Some(range) = accept(text, range, kind, marked) {
            return Some(range);
        }
    }
    if !may_precede(&bytes[..name.start]) {
        return None;
    }
    let line = gutters::skip(bytes, gutters::line_start(bytes, name.start, REACH)).min(name.start);
    let start = (line..=name.start).find(|at| text.is_char_boundary(*at))?;
    let found = BEFORE.captures(&text[start..name.start])?;
    let value = found.name("v")?;
    let marked = found.name("mark").is_some_and(|mark| !mark.is_empty());
    let shown = value.as_str();
    let last = shown.rsplit(['→', '"']).next().unwrap_or(shown);
    let head = shown.len() - last.trim_start_matches(['/', '#', '(']).len();
    accept(text, start + value.start() + head..start + value.end(), kind, marked)
}

/// Returns the password of a user and a password that are told together: `login: bob / x`, `credentials: bob:x`,
/// `the login for staging is bob / x`.
pub(super) fn pair(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    static LISTED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^["'*]*\s*[:=]\s*["'`*]*[0-9A-Za-z_.@+-]{2,40}(?:\s+/\s+|:|/)(?P<v>[^\s"'`/:@]{5,})["'`]?,?\s*(?:$|\n|\\)"#)
            .expect("a fixed pattern")
    });
    static TOLD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^(?:\s+(?:for|of|on|in|to|at)(?:\s+[0-9A-Za-z_@.'"`/-]+){1,6}?|\s+\([^()\n]{1,60}\))?(?:\s+(?:is|are|was|were)|:)\s+["'`*]*[0-9A-Za-z_.@+-]{2,40}(?:\s+/\s+|:)(?P<v>[^\s"'`/:@]{5,}?)["'`*]*[.,;)!]*(?:$|[\s\\])"#)
            .expect("a fixed pattern")
    });
    let told = text[name.clone()].to_ascii_lowercase();
    if !["login", "credentials", "credential", "creds", "cred"].iter().any(|word| told.ends_with(word)) {
        return None;
    }
    let rest = &text[name.end..floor(text, (name.end + REACH).min(text.len()))];
    let is_password =
        |shown: &str| wordlike::is_no_word(shown) && values::is_secret(Kind::Password, Form::Loose, shown);
    // In a sentence a port or a count may stand behind a colon.
    let is_mixed = |shown: &str| {
        let has = |is: fn(&u8) -> bool| shown.as_bytes().iter().any(is);
        has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
    };
    let found = |pattern: &Regex| pattern.captures(rest).and_then(|found| found.name("v"));
    let value = found(&LISTED)
        .filter(|value| is_password(value.as_str()))
        .or_else(|| found(&TOLD).filter(|value| is_password(value.as_str()) && is_mixed(value.as_str())))?;
    Some(name.end + value.start()..name.end + value.end())
}

fn accept(text: &str, value: Range<usize>, kind: Kind, marked: bool) -> Option<Range<usize>> {
    let shown = text.get(value.clone())?.trim_end_matches(['.', ',', ';', ':', '!', ')', '\'', '?']);
    let value = value.start..value.start + shown.len();
    if shown.contains(['(', '[', '{', '<']) && !marked {
        return None;
    }
    let secret = match kind {
        Kind::Pin => values::is_secret(Kind::Pin, Form::Loose, shown),
        // Between marks a word is what is told; without them it has to look like no word.
        Kind::Password if marked => values::is_secret(Kind::Password, Form::Quoted, shown),
        Kind::Password => {
            let told = wordlike::is_no_word(shown) || wordlike::is_joined_words(shown);
            told && values::is_secret(Kind::Password, Form::Tight, shown)
        }
        _ => wordlike::is_no_word(shown) && values::is_secret(kind, Form::Loose, shown),
    };
    secret.then_some(value)
}
