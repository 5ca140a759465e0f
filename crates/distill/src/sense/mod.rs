//! Notices friction: evidence in, signals out, each with the reasons it was raised for.
//!
//! Sensors read what a session says and does ([`person`], [`struggle`], [`departure`], [`settings`], [`misfire`]),
//! what a plan promised and its summary reports ([`plan`]), and what a repository's history shows
//! ([`history`]). None of them writes, none asks a model, and none judges what to do about it: that is
//! for whoever reads the signals. Severity follows rules that [`Sensed::why`] states beside each signal.

mod cues;
mod departure;
mod ended;
pub mod history;
mod misfire;
mod person;
pub mod plan;
mod said;
mod settings;
mod stretch;
mod struggle;
#[cfg(test)]
mod tests;
mod work;

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::session::{Outcome, Session};
use lore_core::{Severity, SignalType};

pub use self::misfire::misfires;
pub use self::settings::Configured;
pub use self::stretch::{LastWord, Stretch, WorkOutcome, is_place, place_of, stretches};
use crate::extract::scene::Scene;

/// A signal before anybody has decided to keep it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sensed {
    /// What sort it is.
    pub signal_type: SignalType,
    /// How bad it is, by the rules that `why` names.
    pub severity: Severity,
    /// Whether it tells of something that went well.
    pub is_positive: bool,
    /// 1-based record of the transcript; 0 where the evidence is no transcript.
    pub line: u32,
    /// When it happened.
    pub at: Option<Timestamp>,
    /// What happened, in a few words; never anybody's own words where they are annoyed.
    pub title: String,
    /// What happened, in sentences.
    pub happened: String,
    /// What was going on.
    pub context: String,
    /// What may be behind it, where the evidence says.
    pub cause: Option<String>,
    /// What helped, where the evidence shows it.
    pub remedy: Option<String>,
    /// Whether it says nothing until it comes again and again.
    pub is_faint: bool,
    /// Which rules raised it, with the words or counts that fitted.
    pub why: Vec<String>,
    /// What a recurrence is recognised by.
    pub subject: String,
    /// Files it is about.
    pub files: Vec<String>,
    /// The command that went wrong, by its first words.
    pub command: Option<String>,
    /// The error it ended with.
    pub error: Option<String>,
    /// The phase it happened in.
    pub phase: Option<String>,
    /// The plan it happened in.
    pub plan: Option<String>,
    /// The person's words, where it rests on them; they stay out of what others can read.
    pub quote: Option<String>,
}

impl Sensed {
    /// Makes a signal with nothing but its sort, place and title.
    fn new(signal_type: SignalType, severity: Severity, title: impl Into<String>) -> Sensed {
        Sensed {
            signal_type,
            severity,
            is_positive: false,
            line: 0,
            at: None,
            title: title.into(),
            happened: String::new(),
            context: String::new(),
            cause: None,
            remedy: None,
            is_faint: false,
            why: Vec::new(),
            subject: String::new(),
            files: Vec::new(),
            command: None,
            error: None,
            phase: None,
            plan: None,
            quote: None,
        }
    }

    /// Tells whether both tell of the same error.
    pub fn has_error_of(&self, other: &Sensed) -> bool {
        let shape = |one: &Sensed| one.error.as_deref().map(work::error_shape);
        shape(self).is_some_and(|own| shape(other) == Some(own))
    }
}

/// Finds the signals of one session, in the order they happened.
pub fn sense(session: &Session, configured: &Configured) -> Vec<Sensed> {
    let scene = Scene::new(session);
    let mut found = person::complaints(&scene);
    found.extend(person::praise(&scene, &found));
    found.extend(struggle::struggles(&scene));
    found.extend(departure::departures(&scene));
    found.extend(settings::mismatches(&scene, configured));
    found.sort_by_key(|signal| (signal.line, signal.signal_type));
    found
}

/// What worked in a session: the chances a trouble had to come again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Worked {
    /// Commands that ran well, by their first words.
    pub commands: BTreeSet<String>,
    /// Files that were changed, by the end of their paths.
    pub files: BTreeSet<String>,
}

/// Finds what worked in a session.
pub fn worked(session: &Session) -> Worked {
    let mut found = Worked::default();
    let calls = session.live_turns().flat_map(|turn| &turn.tool_calls);
    for call in calls.filter(|call| matches!(call.outcome, Outcome::Done | Outcome::Unknown)) {
        found.commands.extend(call.command.as_deref().map(work::command_head));
        found.files.extend(work::changed_file(call).map(work::short_path));
    }
    found
}

/// Raises a severity by one step.
pub fn raised(severity: Severity) -> Severity {
    match severity {
        Severity::Low => Severity::Medium,
        Severity::Medium => Severity::High,
        Severity::High | Severity::Critical => Severity::Critical,
    }
}

/// Cuts a text after so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most - 1).collect();
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// Tells what the agent was at before a turn: files it changed and commands it ran, the last first.
fn at_work(scene: &Scene<'_>, before: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for view in scene.views[..before].iter().rev().take(40) {
        for call in view.turn.tool_calls.iter().rev() {
            let told = match (work::changed_file(call), &call.command) {
                (Some(file), _) => format!("edited `{}`", work::short_path(file)),
                (None, Some(command)) if !work::is_probe(command) => {
                    format!("ran `{}`", cut(&work::command_head(command), 60))
                }
                _ => continue,
            };
            if !found.contains(&told) {
                found.push(told);
            }
            if found.len() == 3 {
                return found;
            }
        }
    }
    found
}
