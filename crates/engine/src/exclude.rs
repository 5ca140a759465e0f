//! What the user wants left out: sessions that are never read, topics that nothing is kept about.

use std::path::Path;

use lore_core::ContentHash;
use lore_core::session::Session;
use regex::{Regex, RegexBuilder};

use crate::Error;
use crate::config::Settings;

/// Patterns of what is left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exclusion {
    sessions: Vec<Regex>,
    topics: Vec<Regex>,
}

impl Exclusion {
    /// Takes the patterns of the settings; one that cannot be read is an error, because leaving it out in
    /// silence would let through what was to stay out.
    pub(crate) fn of(settings: &Settings) -> Result<Exclusion, Error> {
        let sessions = read(&settings.sessions.exclude, "sessions.exclude")?;
        Ok(Exclusion { sessions, topics: read(&settings.topics.exclude, "topics.exclude")? })
    }

    /// Names the patterns of sessions without telling them, so that a change of them is noticed; empty for none.
    pub(crate) fn mark(&self) -> String {
        mark(&self.sessions)
    }

    /// The same for all that is left out of what can be searched.
    pub(crate) fn mark_of_all(&self) -> String {
        match (mark(&self.sessions), mark(&self.topics)) {
            (sessions, topics) if topics.is_empty() => sessions,
            (sessions, topics) => format!("{sessions}+{topics}"),
        }
    }

    /// Tells whether a session is never read: by its title, branch, folder or file.
    pub(crate) fn leaves_out(&self, session: &Session) -> bool {
        let labels = [&session.title, &session.branch, &session.directory].into_iter().flatten();
        labels.chain([&session.origin]).any(|label| fits(&self.sessions, label))
    }

    /// Tells whether a whole file is never read.
    pub(crate) fn leaves_out_file(&self, path: &Path) -> bool {
        fits(&self.sessions, &path.to_string_lossy())
    }

    /// Tells whether a text is about something that nothing is kept about.
    pub(crate) fn is_off_limits(&self, text: &str) -> bool {
        fits(&self.topics, text)
    }
}

fn mark(patterns: &[Regex]) -> String {
    let patterns: Vec<&str> = patterns.iter().map(Regex::as_str).collect();
    let hash = || ContentHash::of(patterns.join("\n").as_bytes()).short().to_owned();
    if patterns.is_empty() { String::new() } else { hash() }
}

fn fits(patterns: &[Regex], text: &str) -> bool {
    patterns.iter().any(|pattern| pattern.is_match(text))
}

fn read(patterns: &[String], key: &str) -> Result<Vec<Regex>, Error> {
    let one = |pattern: &String| {
        RegexBuilder::new(pattern).case_insensitive(true).build().map_err(|_| {
            let sentence = format!("`{pattern}` in `{key}` is no regular expression");
            Error::request(sentence, format!("correct it with `lore config set {key} …`"))
        })
    };
    patterns.iter().map(one).collect()
}
