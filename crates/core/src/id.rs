//! Names that stay: entries, sessions, projects.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::Kind;

/// Longest slug in an id; longer titles are cut at a word.
const SLUG_LIMIT: usize = 50;

/// Names an entry for ever, as `<kind>-<date>-<slug>`.
///
/// The text is safe as a file name on every platform: lower-case letters, digits and hyphens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntryId(String);

/// The text cannot name an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an entry id (expected e.g. `dec-2026-02-20-use-postgresql`)")]
pub struct IdError(pub String);

impl EntryId {
    /// Makes the id of a new entry from its kind, day and title.
    pub fn new(kind: Kind, date: Date, title: &str) -> EntryId {
        EntryId(format!("{}-{date}-{}", kind.prefix(), slug(title)))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the kind that the first three letters name.
    pub fn kind(&self) -> Option<Kind> {
        Kind::from_prefix(self.0.get(..3)?)
    }

    /// Returns the day in the id.
    pub fn date(&self) -> Option<Date> {
        self.0.get(4..14)?.parse().ok()
    }

    /// Returns what follows the day.
    pub fn slug(&self) -> &str {
        self.0.get(15..).unwrap_or_default()
    }

    /// Returns the same id with `-2`, `-3`, … appended, for when the plain one is taken.
    pub fn numbered(&self, number: u32) -> EntryId {
        EntryId(format!("{}-{number}", self.0))
    }
}

impl FromStr for EntryId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || IdError(text.to_owned());
        let bytes = text.as_bytes();
        if bytes.len() < 16 || bytes.len() > 120 || bytes[3] != b'-' || bytes[14] != b'-' {
            return Err(refuse());
        }
        let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
        if !bytes.iter().all(plain) || bytes.ends_with(b"-") {
            return Err(refuse());
        }
        let id = EntryId(text.to_owned());
        match (id.kind(), id.date()) {
            (Some(_), Some(_)) => Ok(id),
            _ => Err(refuse()),
        }
    }
}

impl TryFrom<String> for EntryId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<EntryId> for String {
    fn from(id: EntryId) -> String {
        id.0
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Turns a title into lower-case words joined by hyphens, at most fifty characters.
///
/// Letters outside ASCII are decomposed where that gives ASCII and kept out otherwise; a title
/// without any usable letter gets a short hash so that two such titles do not collide.
pub fn slug(title: &str) -> String {
    let mut out = String::new();
    for c in title.nfkd() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !is_silent(c) && !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    if out.len() > SLUG_LIMIT {
        let cut = out[..=SLUG_LIMIT].rfind('-').filter(|at| *at >= SLUG_LIMIT / 2);
        out.truncate(cut.unwrap_or(SLUG_LIMIT));
    }
    let trimmed = out.trim_matches('-');
    if trimmed.is_empty() {
        return crate::ContentHash::of(title.as_bytes()).short().to_owned();
    }
    trimmed.to_owned()
}

/// Combining marks and apostrophes vanish instead of splitting a word.
fn is_silent(c: char) -> bool {
    matches!(c, '\'' | '’' | '`' | '\u{300}'..='\u{36f}')
}

macro_rules! plain_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text as it is.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

plain_id! {
    /// Names a session as its agent does; unique together with the agent.
    SessionId
}
plain_id! {
    /// Names a project across worktrees and clones: from its remote, else its first commit, else its path.
    ProjectId
}

impl SessionId {
    /// Returns the beginning that citations print: enough to tell it from others.
    pub fn short(&self) -> String {
        // Ids that begin with the time need more of it.
        let by_time = self.is_uuid() && self.0.as_bytes().get(14) == Some(&b'7');
        let by_day = self.0.get(..10).is_some_and(|day| day.parse::<jiff::civil::Date>().is_ok());
        let length = match (by_time, by_day) {
            (true, _) => 13,
            // The day, and as much again.
            (_, true) => 19,
            _ => 8,
        };
        self.0.chars().take(length).collect()
    }

    /// Returns the short form where it can stand for nothing else: no date, no everyday word.
    pub fn unmistakable(&self) -> Option<String> {
        let short = self.short();
        let letters = short.chars().filter(|c| c.is_ascii_alphabetic()).count();
        let digits = short.chars().filter(char::is_ascii_digit).count();
        let whole_words = !self.0[short.len()..].starts_with(|c: char| c.is_alphanumeric());
        let telling = self.is_uuid() || (whole_words && letters > 0 && digits > 1 && letters + digits > 6);
        (telling && short.len() < self.0.len()).then_some(short)
    }

    fn is_uuid(&self) -> bool {
        let dashes = [8, 13, 18, 23];
        let fits = |(at, byte): (usize, u8)| match dashes.contains(&at) {
            true => byte == b'-',
            false => byte.is_ascii_hexdigit(),
        };
        self.0.len() == 36 && self.0.bytes().enumerate().all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slugs_are_words() {
        let check = |title: &str, expected: &str| assert_eq!(slug(title), expected, "{title}");
        check("Use PostgreSQL, not SQLite!", "use-postgresql-not-sqlite");
        check("Don't squash", "dont-squash");
        check("Über-Größe", "uber-gro-e");
        check("  --  ", &slug("  --  "));
        check(
            "a very long title that goes on and on and never seems to come to an end",
            "a-very-long-title-that-goes-on-and-on-and-never",
        );
        assert_ne!(slug("決定"), slug("事実"));
    }

    proptest! {
        #[test]
        fn every_new_id_parses_back(title in ".{0,120}", days in 0i32..20_000) {
            let date = jiff::civil::date(1990, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
            let id = EntryId::new(Kind::Fact, date, &title);
            prop_assert_eq!(id.as_str().parse::<EntryId>(), Ok(id.clone()));
            prop_assert_eq!(id.date(), Some(date));
            prop_assert!(id.slug().len() <= SLUG_LIMIT);
        }

        #[test]
        fn parsing_never_panics(text in ".{0,40}") {
            let _ = text.parse::<EntryId>();
        }
    }

    #[test]
    fn the_short_form_of_a_session_tells_it_from_others() {
        let short = |id: &str| SessionId::new(id).short();
        assert_eq!(short("5ec4e700-0000-4000-8000-00000000beef"), "5ec4e700");
        assert_eq!(short("019a1b2c-3d4e-7000-8000-00000000beef"), "019a1b2c-3d4e");
        assert_eq!(short("2026-03-04_09-15-mend-the-lamp"), "2026-03-04_09-15-me");
        let unmistakable = |id: &str| SessionId::new(id).unmistakable();
        assert_eq!(unmistakable("5ec4e700-0000-4000-8000-00000000beef").as_deref(), Some("5ec4e700"));
        for id in ["s-money", "session-12", "2026-01-02T10-00-00", "rollout-2026-01-02", "ses_4f2e11a9"] {
            assert_eq!(unmistakable(id), None, "{id}");
        }
    }
}
