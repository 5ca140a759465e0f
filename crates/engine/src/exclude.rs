//! What the user wants left out: sessions that are never read, topics that nothing is kept about.

use std::borrow::Cow;
use std::path::Path;

use lore_core::ContentHash;
use lore_core::session::Session;
use regex::Regex;

use crate::config::patterns::compile;
use crate::config::{Ignored, Settings};
use crate::{Engine, Error};

/// Patterns of what is left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exclusion {
    sessions: Vec<Regex>,
    topics: Vec<Regex>,
    /// Whether it is not known what is left out, so that nothing is told of what was said.
    is_in_doubt: bool,
}

impl Exclusion {
    /// Takes the patterns of the settings; one that cannot be read is an error, because leaving it out in
    /// silence would let through what was to stay out.
    pub(crate) fn of(settings: &Settings) -> Result<Exclusion, Error> {
        let sessions = read(&settings.sessions.exclude, "sessions.exclude")?;
        let topics = read(&settings.topics.exclude, "topics.exclude")?;
        Ok(Exclusion { sessions, topics, is_in_doubt: false })
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
        self.is_in_doubt || fits(&self.topics, text)
    }
}

impl Exclusion {
    /// Returns a text without the lines about something that nothing is kept about.
    pub(crate) fn without_topics<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.is_off_limits(text) {
            return Cow::Borrowed(text);
        }
        let lines: Vec<&str> = text.lines().filter(|line| !self.is_off_limits(line)).collect();
        let left = lines.join("\n");
        // What goes over several lines is not told in part.
        Cow::Owned(if self.is_off_limits(&left) { String::new() } else { left })
    }

    /// Leaves out of a session what is said about such topics, for whoever looks at it.
    pub(crate) fn strip(&self, session: &mut Session) {
        if self.topics.is_empty() {
            return;
        }
        let blocks = session.turns.iter_mut().flat_map(|turn| &mut turn.blocks);
        for block in blocks.filter(|block| self.is_off_limits(&block.text)) {
            let left = self.without_topics(&block.text).into_owned();
            block.text = format!("{left}\n{LEFT_OUT}").trim().to_owned();
        }
    }
}

impl Engine {
    /// Returns what nothing is told about of what was said; all of it, while that is not known.
    pub(crate) fn exclusion(&self) -> Result<Exclusion, Error> {
        let is_in_doubt = self.config.in_doubt().is_some();
        Ok(Exclusion { is_in_doubt, ..Exclusion::of(&self.settings)? })
    }

    /// Refuses to keep or to read anything while it is not known what is to be left out.
    pub(crate) fn refuse_in_doubt(&self) -> Result<(), Error> {
        let Some(doubt) = self.config.in_doubt() else { return Ok(()) };
        Err(Error::request(
            what_is_in_doubt(doubt),
            format!("{}; until then nothing is kept and no session is read", doubt.hint),
        ))
    }
}

/// Says what cannot be used, and why.
pub(crate) fn what_is_in_doubt(doubt: &Ignored) -> String {
    let path = doubt.path.display();
    match doubt.key.as_str() {
        "" => format!("`{path}` may say what is to be left out, and cannot be used: {}", doubt.why),
        key => format!("`{key}` in `{path}` says what is to be left out, and cannot be used: {}", doubt.why),
    }
}

/// Stands where something is left out of what is shown.
const LEFT_OUT: &str = "[left out: `topics.exclude`]";

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
        compile(pattern).map_err(|_| {
            let sentence = format!("`{pattern}` in `{key}` is no regular expression");
            Error::request(sentence, format!("correct it with `lore config set {key} …`"))
        })
    };
    patterns.iter().map(one).collect()
}
