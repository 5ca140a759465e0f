//! Struggle: the same fails again, edits do not take, the agent itself says that it goes wrong.
//!
//! Each piece of evidence has points. One that speaks for itself is enough; of those that happen in any
//! work (two equal failures, a turn back, many edits of one file) three different ones must come together.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use lore_core::session::{Author, Channel, Outcome, ToolCall};
use lore_core::{Severity, SignalType};

use super::ended::{by_calls, by_words};
use super::work::{
    changed_file, command_head, error_line, error_shape, failed, is_probe, missing_program, short_path,
    without_options,
};
use super::{Sensed, cues, cut, said};
use crate::extract::scene::Scene;

/// So many points make a struggle.
const BAR: u32 = 6;
/// Evidence further apart than so many records is of different troubles.
const NEAR: u32 = 40;
/// A failure is forgotten after so many calls.
const RECENT: usize = 40;
/// Longest prose of an agent that is looked at: who struggles says so at the beginning.
const HEARD: usize = 4;
/// So many edits of one file between two prompts are many.
const MANY_EDITS: usize = 8;
/// So many calls that fail in a row are a run.
const RUN: usize = 4;

/// The sorts of evidence of one command that fails in one way.
const TWICE: &str = "failed twice";
const AGAIN: &str = "failed again and again";

/// One piece of evidence.
struct Clue {
    line: u32,
    at: Option<Timestamp>,
    /// What sort it is: the same sort counts once.
    sort: &'static str,
    points: u32,
    told: String,
    /// What went wrong, where a tool says so.
    command: Option<String>,
    file: Option<String>,
    error: Option<String>,
}

/// Finds struggles.
pub(super) fn struggles(scene: &Scene<'_>) -> Vec<Sensed> {
    let mut clues = clues(scene);
    clues.sort_by_key(|clue| clue.line);
    let mut found = Vec::new();
    let mut open: Vec<Clue> = Vec::new();
    let mut raised_at: Option<u32> = None;
    for clue in clues {
        // What belongs to a struggle that was told already is more of the same.
        if raised_at.is_some_and(|line| clue.line.saturating_sub(line) <= NEAR) {
            continue;
        }
        open.retain(|earlier| clue.line.saturating_sub(earlier.line) <= NEAR);
        open.push(clue);
        let mut points: BTreeMap<&str, u32> = BTreeMap::new();
        for clue in &open {
            let known = points.entry(clue.sort).or_default();
            *known = (*known).max(clue.points);
        }
        if points.values().sum::<u32>() >= BAR {
            let mut signal = struggle(&open);
            signal.remedy = signal.command.as_deref().and_then(|head| ended(scene, head, signal.line));
            raised_at = Some(signal.line);
            found.push(signal);
            open.clear();
        }
    }
    found
}

/// Tells what ended the trouble with a command, where calls or words show it.
fn ended(scene: &Scene<'_>, head: &str, line: u32) -> Option<String> {
    let after = || scene.views.iter().map(|view| view.turn).filter(|turn| turn.line() > line);
    let calls = after().flat_map(|turn| &turn.tool_calls);
    by_calls(head, calls).or_else(|| by_words(head, after()))
}

fn struggle(clues: &[Clue]) -> Sensed {
    let main = clues.iter().max_by_key(|clue| (clue.points, clue.line)).expect("there is a clue");
    // That it failed twice is told by what says that it failed again and again.
    let is_told = |clue: &&Clue| {
        let again = |other: &Clue| other.sort == AGAIN && other.command == clue.command;
        clue.sort != TWICE || !clues.iter().any(again)
    };
    let tool = clues.iter().rev().find(|clue| clue.command.is_some() || clue.file.is_some());
    let sorts = clues.iter().map(|clue| clue.sort).collect::<std::collections::BTreeSet<_>>().len();
    // A nuisance that is over at once is low; what shows in several ways cost time.
    let severity = match (main.sort, sorts) {
        ("missing program", 1) => Severity::Low,
        ("failing run" | "failed edits", 1) | (_, 1) => Severity::Medium,
        (_, 2) => Severity::Medium,
        _ => Severity::High,
    };
    let error = clues.iter().rev().find_map(|clue| clue.error.clone());
    let command = tool.and_then(|clue| clue.command.clone());
    let file = tool.and_then(|clue| clue.file.clone());
    let subject = match (&command, &file, &error) {
        (Some(command), _, Some(error)) => format!("{}: {}", without_options(command), error_shape(error)),
        (Some(command), _, None) => command.clone(),
        // What stops edits of one file stops those of another.
        (None, Some(_), Some(error)) => format!("edit: {}", error_shape(error)),
        (None, Some(file), None) => format!("edit {file}"),
        (None, None, Some(error)) => error_shape(error),
        (None, None, None) => error_shape(&main.told),
    };
    Sensed {
        line: main.line,
        at: main.at,
        happened: clues.iter().filter(is_told).map(|clue| clue.told.as_str()).collect::<Vec<_>>().join(" "),
        context: match (&command, &error) {
            (Some(command), Some(error)) => format!("`{command}` ended with: {error}"),
            (None, Some(error)) => format!("The last failure said: {error}"),
            _ => String::new(),
        },
        why: clues
            .iter()
            .filter(is_told)
            .map(|clue| format!("{}: {}", clue.sort, cut(&clue.told, 120)))
            .collect(),
        files: file.into_iter().collect(),
        subject,
        command,
        error,
        ..Sensed::new(SignalType::Struggle, severity, title(main))
    }
}

fn title(main: &Clue) -> String {
    cut(main.told.trim_end_matches('.'), 110)
}

/// What is remembered of a command or a file while the calls go by.
#[derive(Default)]
struct Tries {
    /// Call and shape of its error.
    failures: Vec<(usize, String)>,
    /// How often each shape came, and which clues tell of it.
    told: HashMap<String, Told>,
}

/// Something that is counted on after it was told, so that what is told in the end is the whole number.
#[derive(Default)]
struct Told {
    times: usize,
    clues: Vec<usize>,
}

impl Told {
    /// Counts once more, in clues that tell of it too.
    fn again(&mut self, found: &mut [Clue], words: impl Fn(&Clue, usize) -> String) {
        self.times += 1;
        for at in &self.clues {
            found[*at].told = words(&found[*at], self.times);
        }
    }
}

fn clues(scene: &Scene<'_>) -> Vec<Clue> {
    let mut found = Vec::new();
    let mut tries: HashMap<String, Tries> = HashMap::new();
    let mut edits: HashMap<String, Told> = HashMap::new();
    let mut run = Told::default();
    let mut count = 0;
    let mut failing = false;
    for view in &scene.views {
        let turn = view.turn;
        if turn.author == Author::Person {
            edits.clear();
        }
        if turn.channel == Channel::Summary && failing {
            let line = turn.line();
            let told = "The context was compacted while something was failing.".to_owned();
            found.push(clue((line, turn.at), "compacted", 2, told));
        }
        if turn.author == Author::Agent && turn.channel == Channel::Reply {
            found.extend(turn.blocks.iter().filter_map(|block| {
                let (sort, points, sentence) = admitted(&block.text)?;
                Some(clue((block.line, turn.at), sort, points, sentence))
            }));
        }
        for call in &turn.tool_calls {
            count += 1;
            if let Some(file) = changed_file(call) {
                let known = edits.entry(file.to_owned()).or_default();
                let file = short_path(file);
                let words = |times: usize| format!("`{file}` was edited {times} times for one request.");
                known.again(&mut found, |_, times| words(times));
                if known.times == MANY_EDITS {
                    known.clues.push(found.len());
                    let told = clue((call.line, turn.at), "many edits", 2, words(MANY_EDITS));
                    found.push(Clue { file: Some(file.clone()), ..told });
                }
            }
            if call.command.as_deref().is_some_and(throws_away) && call.outcome != Outcome::Failed {
                let told = "Edits were thrown away with git.".to_owned();
                found.push(clue((call.line, turn.at), "thrown away", 2, told));
            }
            if call.outcome == Outcome::Done {
                run = Told::default();
                failing = false;
                tries.remove(&key(call));
            } else if failed(call) {
                if let Some(program) = missing_program(&call.output) {
                    let told = format!("`{program}` is not installed where the agent works.");
                    let error = Some(format!("{program}: command not found"));
                    let place = (call.line, turn.at);
                    let command = Some(program);
                    found.push(Clue { error, command, ..clue(place, "missing program", BAR, told) });
                }
                if call.command.as_deref().is_some_and(is_probe) {
                    continue;
                }
                let words = |times: usize| format!("{times} tool calls in a row failed.");
                run.again(&mut found, |_, times| words(times));
                failing = true;
                if run.times == RUN {
                    run.clues.push(found.len());
                    let error = error_line(&call.output);
                    let place = (call.line, turn.at);
                    found.push(Clue { error, ..clue(place, "failing run", BAR, words(RUN)) });
                }
                let known = tries.entry(key(call)).or_default();
                repeated(call, turn.at, count, known, &mut found);
            }
        }
    }
    found
}

/// Adds what a failure adds to earlier ones of the same command or file.
fn repeated(call: &ToolCall, at: Option<Timestamp>, count: usize, known: &mut Tries, found: &mut Vec<Clue>) {
    // What another call took down with it says nothing of its own.
    if call.output.contains("Sibling tool call errored") {
        return;
    }
    let error = error_line(&call.output);
    let shape = error.as_deref().map(error_shape).unwrap_or_default();
    known.failures.retain(|(place, _)| count - place <= RECENT);
    known.failures.push((count, shape.clone()));
    let place = (call.line, at);
    if let Some(command) = &call.command {
        let told = known.told.entry(shape.clone()).or_default();
        if known.failures.iter().filter(|(_, other)| *other == shape).count() == 1 {
            *told = Told::default();
        }
        let words = |head: &str, error: Option<&str>, times: usize| {
            let said = error.map(|error| format!(": {error}")).unwrap_or_default();
            format!("`{head}` failed {times} times in the same way{said}.")
        };
        let of = |clue: &Clue, times: usize| {
            words(clue.command.as_deref().unwrap_or_default(), clue.error.as_deref(), times)
        };
        told.again(found, of);
        let (sort, points) = match told.times {
            2 => (TWICE, 2),
            3 => (AGAIN, BAR),
            _ => return,
        };
        told.clues.push(found.len());
        let head = cut(&command_head(command), 60);
        let said = words(&head, error.as_deref(), told.times);
        found.push(Clue { command: Some(head), error, ..clue(place, sort, points, said) });
        return;
    }
    let Some(file) = changed_file(call).map(short_path) else { return };
    // Edits fail for whatever reason; what counts is that they do not take.
    let told = known.told.entry(String::new()).or_default();
    if known.failures.len() == 1 {
        *told = Told::default();
    }
    let words = |times: usize| match times {
        2 => format!("Edits of `{file}` failed twice in a row."),
        _ => format!("Edits of `{file}` failed {times} times in a row."),
    };
    told.again(found, |_, times| words(times));
    if told.times == 2 {
        told.clues.push(found.len());
        found.push(Clue { file: Some(file.clone()), error, ..clue(place, "failed edits", BAR, words(2)) });
    }
}

fn clue((line, at): (u32, Option<Timestamp>), sort: &'static str, points: u32, told: String) -> Clue {
    Clue { line, at, sort, points, told, command: None, file: None, error: None }
}

/// Names what a call was about.
fn key(call: &ToolCall) -> String {
    match (&call.command, changed_file(call)) {
        (Some(command), _) => format!("$ {}", without_options(&command_head(command))),
        (None, Some(file)) => format!("{} {file}", call.name),
        (None, None) => call.name.clone(),
    }
}

/// Finds the sentence in which an agent says that it goes wrong.
fn admitted(text: &str) -> Option<(&'static str, u32, String)> {
    let sentences = said::sentences(text);
    if sentences.iter().any(|sentence| cues::find("meant", sentence).is_some()) {
        return None;
    }
    let own = sentences.iter().take(HEARD).filter(|sentence| cues::find("waits", sentence).is_none());
    let own: Vec<&String> = own.filter(|sentence| !sentence.ends_with('?')).collect();
    let is_real = |sentence: &str, words: &str| {
        let before = sentence.find(words).map_or("", |at| &sentence[..at]);
        cues::find("supposes", before).is_none()
    };
    let by = |group: &str| {
        own.iter().find(|sentence| cues::find(group, sentence).is_some_and(|words| is_real(sentence, words)))
    };
    if let Some(sentence) = by("admits") {
        return Some(("admitted", BAR, cut(sentence, 200)));
    }
    by("turns-back").map(|sentence| ("turned back", 2, cut(sentence, 200)))
}

/// Tells whether a command throws changes of the working tree away.
fn throws_away(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(3).any(|three| match three {
        ["git", "checkout", "--"] | ["git", "reset", "--hard"] => true,
        ["git", "checkout" | "restore", path] => {
            (path.contains('.') || path.contains('/')) && !path.starts_with("origin/")
        }
        ["git", "stash", "drop"] => true,
        _ => false,
    })
}
