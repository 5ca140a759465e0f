//! Who may set what: one row for every setting.
//!
//! A settings file that lies in a repository arrives with a clone. It may make us say less; it may
//! not make us start, write, send or read more. So each setting says what such a file may do with
//! it, unless the user allowed this repository's settings (see [`super::consent`]).

use toml::Value;

/// What a settings file that arrived with a repository may do with a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Right {
    /// Set it to anything.
    Anything,
    /// Set it to a number between these two.
    Between(f64, f64),
    /// Lower it, but not raise it above what holds without the file.
    Lower,
    /// Set it to one of these.
    OneOf(&'static [&'static str]),
    /// Turn it off.
    Off,
    /// Add to the list.
    Add,
    /// Nothing, unless the user allowed it.
    Allowed,
    /// Nothing, ever.
    Never,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyRight {
    /// The setting.
    pub key: &'static str,
    /// What a repository may do with it.
    pub right: Right,
    /// Why it may not do more; empty where it may do anything.
    pub because: &'static str,
}

/// Most patterns that a repository may add, and how long each may be.
const MOST_ADDED: usize = 64;
const LONGEST_ADDED: usize = 512;

macro_rules! rights {
    ($($key:literal: $right:expr, $because:literal;)+) => {
        /// Every setting and what a repository may do with it.
        pub const RIGHTS: &[KeyRight] = &[$(KeyRight { key: $key, right: $right, because: $because }),+];
    };
}

rights! {
    "base.location": Right::Never, "it is needed before a repository's settings are found";
    "git.commit": Right::Off, "commits are made in your name";
    "curate.after_sessions": Right::Between(0.0, 1000.0), "runs must stay rare enough to pay for";
    "curate.threshold": Right::Between(0.5, 1.0), "a low bar lets anything become knowledge";
    "curate.conditions": Right::Anything, "";
    "curate.provider": Right::OneOf(&["none"]), "it sends words of your sessions to others";
    "curate.endpoint": Right::Never, "your key and words of your sessions go there";
    "curate.model": Right::Allowed, "words of your sessions go to it";
    "curate.command": Right::Allowed, "it starts a program";
    "curate.editors": Right::Never, "they start programs";
    "curate.timeout": Right::Lower, "it bounds what a run may take";
    "curate.private": Right::Add, "what you keep to yourself stays with you";
    "curate.tokens_per_run": Right::Lower, "it bounds what a run may cost";
    "curate.tokens_per_day": Right::Lower, "it bounds what a day may cost";
    "redact.patterns": Right::Add, "what you want taken out stays out";
    "sessions.paths": Right::Allowed, "it reads files elsewhere on your machine";
    "sessions.ignore_agents": Right::Add, "what you do not want read stays unread";
    "sessions.exclude": Right::Add, "what you do not want read stays unread";
    "topics.exclude": Right::Add, "what you want nothing kept about stays out";
    "query.limit": Right::Between(1.0, 50.0), "answers must stay short";
    "query.model": Right::OneOf(&["static", "none"]), "it opens files of your own";
    "context.budget": Right::Between(0.0, 2000.0), "every session pays for it";
    "context.articles": Right::Between(0.0, 20.0), "every session pays for it";
    "context.debug": Right::Off, "every session pays for it";
    "personal.search": Right::Off, "it reads your personal base";
    "ground.mode": Right::Allowed, "it can stop your work";
    "ground.enforce": Right::Allowed, "it can stop your work, or stop checking it";
    "ground.sources": Right::Allowed, "a check must not rest on less than you think";
    "ground.web": Right::OneOf(&["none"]), "it sends words of your work to others";
    "ground.web_endpoint": Right::Allowed, "your key and words of your work go there";
    "ground.web_command": Right::Allowed, "it starts a program";
    "ground.web_timeout": Right::Lower, "it bounds what a check may take";
    "signals.share": Right::OneOf(&["personal"]), "it shows others what annoyed you";
    "signals.window": Right::Between(1.0, 20.0), "a remedy must be proved by something";
    "signals.notes": Right::Lower, "it bounds what your machine keeps";
    "signals.strict": Right::Anything, "";
}

/// Returns the row of a setting; one that has none may not be set by a repository.
pub fn right_of(key: &str) -> KeyRight {
    let row = RIGHTS.iter().find(|row| row.key == key).copied();
    row.unwrap_or(KeyRight { key: "", right: Right::Allowed, because: "nobody has said that it is harmless" })
}

impl KeyRight {
    /// Returns what comes of a value that a repository wants over the one that holds without it, or
    /// why it counts for nothing.
    pub(super) fn admit(&self, held: &Value, wanted: &Value) -> Result<Value, String> {
        let is_fit = match self.right {
            Right::Anything => true,
            Right::Between(least, most) => number(wanted).is_some_and(|n| n >= least && n <= most),
            Right::Lower => number(wanted).zip(number(held)).is_some_and(|(wanted, held)| wanted <= held),
            Right::OneOf(words) => wanted.as_str().is_some_and(|word| words.contains(&word)),
            Right::Off => wanted.as_bool() == Some(false),
            Right::Add => return added(held, wanted),
            Right::Allowed | Right::Never => false,
        };
        if is_fit { Ok(wanted.clone()) } else { Err(self.refusal()) }
    }

    fn refusal(&self) -> String {
        let may = match self.right {
            Right::Between(least, most) => format!("a repository may set it from {least} to {most}"),
            Right::Lower => "a repository may only lower it".to_owned(),
            Right::OneOf(words) => format!("a repository may only set it to {}", quoted(words)),
            Right::Off => "a repository may only turn it off".to_owned(),
            _ => "a repository may not set it".to_owned(),
        };
        if self.because.is_empty() { may } else { format!("{may}: {}", self.because) }
    }

    /// Says who may set it, for the reference.
    pub fn sentence(&self) -> String {
        match self.right {
            Right::Anything => "anyone".to_owned(),
            Right::Between(least, most) => format!("you; a repository from {least} to {most}"),
            Right::Lower => "you; a repository may lower it".to_owned(),
            Right::OneOf(words) => format!("you; a repository {}", quoted(words)),
            Right::Off => "you; a repository may turn it off".to_owned(),
            Right::Add => "you; a repository may add to it".to_owned(),
            Right::Allowed => format!("you; a repository that you allowed ({})", self.because),
            Right::Never => "you alone".to_owned(),
        }
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}

/// Puts more items to a list; too many or too long ones are not patterns that a person wrote.
fn added(held: &Value, wanted: &Value) -> Result<Value, String> {
    let (mut all, more) = (list(held), list(wanted));
    if more.len() > MOST_ADDED
        || more.iter().any(|item| item.as_str().is_some_and(|s| s.len() > LONGEST_ADDED))
    {
        return Err(format!("a repository may add {MOST_ADDED} items of {LONGEST_ADDED} characters"));
    }
    for item in more {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    Ok(Value::Array(all))
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    // A setting without a row would be anybody's to set, or nobody's.
    #[test]
    fn every_setting_has_its_row_and_every_row_its_setting() {
        let keys: Vec<String> = Config::defaults().list().iter().map(|setting| setting.key.clone()).collect();
        for key in &keys {
            assert!(RIGHTS.iter().any(|row| row.key == key), "`{key}` has no row: who may set it?");
        }
        for row in RIGHTS {
            assert!(keys.iter().any(|key| key == row.key), "there is no setting `{}`", row.key);
            assert_eq!(row.because.is_empty(), row.right == Right::Anything, "`{}` says no reason", row.key);
        }
    }

    // Whatever is added later: a value that holds from the start must be one that a repository may say too,
    // or a project could not write the defaults down.
    #[test]
    fn what_is_admitted_is_never_more_than_is_said() {
        let check = |key: &str, held: &str, wanted: &str, expected: Option<&str>| {
            let read = |text: &str| format!("v = {text}").parse::<toml::Table>().unwrap()["v"].clone();
            let got = right_of(key).admit(&read(held), &read(wanted));
            assert_eq!(got.clone().ok(), expected.map(read), "{key} {wanted}: {got:?}");
        };
        check("query.limit", "5", "50", Some("50"));
        check("query.limit", "5", "51", None);
        check("query.limit", "5", "0", None);
        check("curate.threshold", "0.5", "0.9", Some("0.9"));
        check("curate.threshold", "0.9", "0.1", None);
        check("curate.threshold", "0.9", "nan", None);
        check("curate.timeout", "60", "30", Some("30"));
        check("curate.timeout", "30", "60", None);
        check("curate.provider", "\"openai\"", "\"none\"", Some("\"none\""));
        check("curate.provider", "\"none\"", "\"command\"", None);
        check("curate.command", "\"\"", "\"sh x\"", None);
        check("git.commit", "true", "false", Some("false"));
        check("git.commit", "false", "true", None);
        check("redact.patterns", "[\"a\"]", "[\"b\", \"a\"]", Some("[\"a\", \"b\"]"));
        check("redact.patterns", "[\"a\"]", "[]", Some("[\"a\"]"));
        check("future.key", "1", "2", None);
    }
}
