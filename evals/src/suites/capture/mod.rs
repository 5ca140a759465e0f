//! Reading transcripts: whether everything is found, and how fast.

mod speed;

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lore_capture::{Input, ReadOptions, read_path, reader_of};
use lore_core::redact::Redactor;
use lore_core::session::{Author, Branch, Channel, Session};
use lore_core::text::clean;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::context::{Context, Failure};
use crate::report::Report;

/// What was counted over all sessions, or those of one agent.
#[derive(Default)]
struct Counts {
    files: u64,
    bytes: u64,
    sessions: u64,
    subagents: u64,
    failed_files: u64,
    panics: u64,
    unparsable_lines: u64,
    assistant_messages: u64,
    person_turns: u64,
    queued: u64,
    rejections: u64,
    answers: u64,
    command_arguments: u64,
    pasted_plans: u64,
    tool_calls: u64,
    abandoned_turns: u64,
    redactions: u64,
    text_bytes: u64,
    hygiene: Duration,
}

/// A label: somebody's words at a record.
#[derive(Deserialize)]
struct Item {
    corpus: String,
    file: String,
    line: u32,
    role: String,
    quote: String,
    #[serde(default)]
    r#where: String,
}

#[derive(Default)]
struct Found {
    quotes: u64,
    found: u64,
    with_role: u64,
    missed: Vec<Value>,
}

pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let corpora = context.unpacked("transcripts")?;
    let items: Vec<Item> = context.json_lines("gold/items.jsonl")?;
    let mut agents: BTreeMap<&'static str, Counts> = BTreeMap::new();
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    let mut claude_files = Vec::new();
    for (corpus, folder) in &corpora {
        for file in files_below(folder)? {
            let options = ReadOptions::default();
            let Ok(reader) = reader_of(&Input::file(&file, &options)) else { continue };
            if reader.agent() == "claude-code" {
                claude_files.push(file.clone());
            }
            let counts = agents.entry(reader.agent()).or_default();
            let sessions = read(&file, &options, counts)?;
            let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            let own = items.iter().filter(|item| item.corpus == *corpus && item.file == name);
            for item in own {
                look_up(item, &sessions, found.entry(item.r#where.clone()).or_default());
            }
        }
    }
    // Before anything is read on many threads at once.
    let peak_memory = speed::peak_memory().map_or(Value::Null, Value::from);
    let mut report = Report::default();
    let total = total(&agents);
    add_counts(&mut report, &total);
    if let Some(counts) = agents.get("claude-code") {
        speed::add(&mut report, counts, &claude_files)?;
    }
    report.set("peak_memory_mb", peak_memory);
    let per_agent: Map<String, Value> =
        agents.iter().map(|(agent, counts)| ((*agent).to_owned(), counts.to_json())).collect();
    report.set("agents", per_agent);
    add_found(&mut report, &found);
    let missed: Vec<&Value> = found.values().flat_map(|found| &found.missed).collect();
    context.dump(&missed)?;
    Ok(report)
}

/// Reads a file and counts what it holds.
fn read(file: &Path, options: &ReadOptions, counts: &mut Counts) -> Result<Vec<Session>, Failure> {
    counts.files += 1;
    counts.bytes += fs::read(file)?.len() as u64;
    let mut sessions = Vec::new();
    let outcome =
        catch_unwind(AssertUnwindSafe(|| read_path(file, options, &mut |session| sessions.push(session))));
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(_)) => counts.failed_files += 1,
        Err(_) => counts.panics += 1,
    }
    for session in &sessions {
        counts.count(session);
    }
    let begin = speed::Clock::start();
    for text in sessions.iter().flat_map(texts) {
        let clean = clean(text);
        counts.text_bytes += text.len() as u64;
        std::hint::black_box(Redactor::standard().redact(&clean));
    }
    counts.hygiene += begin.elapsed();
    Ok(sessions)
}

/// Lists every text of a session that went through cleaning and redaction.
fn texts(session: &Session) -> impl Iterator<Item = &str> {
    session.turns.iter().flat_map(|turn| {
        let prose = turn.blocks.iter().map(|block| block.text.as_str());
        prose.chain(turn.tool_calls.iter().flat_map(|call| [call.output.as_str(), call.arguments.as_str()]))
    })
}

impl Counts {
    fn count(&mut self, session: &Session) {
        self.redactions += u64::from(session.redactions);
        self.unparsable_lines +=
            session.diagnostics.iter().filter(|finding| is_unparsable(&finding.code)).count() as u64;
        // A subagent's words stand in its own session; the figures are about conversations with people.
        if session.parent.is_some() && session.turns.iter().all(|turn| turn.author != Author::Person) {
            self.subagents += 1;
            return;
        }
        self.sessions += 1;
        for turn in &session.turns {
            self.abandoned_turns += u64::from(turn.branch == Branch::Abandoned);
            self.tool_calls += turn.tool_calls.len() as u64;
            match (turn.author, turn.channel) {
                (Author::Agent, _) => self.assistant_messages += 1,
                (Author::Person, Channel::Queued) => self.queued += 1,
                (Author::Person, Channel::Rejection) => self.rejections += 1,
                (Author::Person, Channel::Answer) => self.answers += 1,
                (Author::Person, channel) => {
                    self.person_turns += 1;
                    self.pasted_plans += u64::from(channel == Channel::PastedPlan);
                    self.command_arguments += u64::from(channel == Channel::CommandArguments);
                }
                _ => {}
            }
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "files": self.files,
            "sessions": self.sessions,
            "subagent_sessions": self.subagents,
            "failed_files": self.failed_files,
            "panics": self.panics,
            "unparsable_lines": self.unparsable_lines,
            "assistant_messages": self.assistant_messages,
            "person_turns": self.person_turns,
            "of_these_pasted_plans": self.pasted_plans,
            "of_these_command_arguments": self.command_arguments,
            "queued": self.queued,
            "rejections": self.rejections,
            "answers": self.answers,
            "tool_calls": self.tool_calls,
            "abandoned_turns": self.abandoned_turns,
            "redactions": self.redactions,
        })
    }
}

fn total(agents: &BTreeMap<&'static str, Counts>) -> Counts {
    let mut total = Counts::default();
    for counts in agents.values() {
        total.files += counts.files;
        total.sessions += counts.sessions;
        total.panics += counts.panics;
        total.unparsable_lines += counts.unparsable_lines;
    }
    total
}

fn add_counts(report: &mut Report, total: &Counts) {
    report.set("files", total.files);
    report.set("sessions", total.sessions);
    report.set("panics", total.panics);
    report.set("unparsable_lines", total.unparsable_lines);
}

/// Looks for a label's words at its record, first anywhere, then from the right mouth.
fn look_up(item: &Item, sessions: &[Session], found: &mut Found) {
    found.quotes += 1;
    let wanted = squeezed(&Redactor::standard().redact(&clean(&item.quote)).text);
    let author = if item.role == "user" { Author::Person } else { Author::Agent };
    let (mut anywhere, mut right) = (false, false);
    for turn in sessions.iter().flat_map(|session| &session.turns) {
        let prose = turn.blocks.iter().filter(|block| block.line == item.line);
        let hit = prose.into_iter().any(|block| squeezed(&block.text).contains(&wanted));
        let call = turn.tool_calls.iter().any(|call| {
            (call.line == item.line && squeezed(&call.arguments).contains(&wanted))
                || (call.result_line == Some(item.line) && squeezed(&call.output).contains(&wanted))
        });
        anywhere |= hit || call;
        right |= hit && turn.author == author;
    }
    found.found += u64::from(anywhere);
    found.with_role += u64::from(right);
    if !right {
        found.missed.push(json!({
            "file": item.file, "line": item.line, "role": item.role, "where": item.r#where,
            "quote": item.quote, "found": anywhere,
        }));
    }
}

/// Leaves only letters and digits, so that the words are compared and not how they are set.
fn squeezed(text: &str) -> String {
    let text = text.strip_prefix("the user said:").unwrap_or(text);
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_unparsable(code: &str) -> bool {
    matches!(code, "unparsable-line" | "torn-line")
}

fn add_found(report: &mut Report, found: &BTreeMap<String, Found>) {
    let sum = |count: fn(&Found) -> u64| found.values().map(count).sum::<u64>();
    let quotes = sum(|found| found.quotes);
    report.set("gold_quotes", quotes);
    report.set_number("gold_found", sum(|found| found.found) as f64 / quotes.max(1) as f64);
    report.set_number("gold_found_with_role", sum(|found| found.with_role) as f64 / quotes.max(1) as f64);
    let ways: Map<String, Value> = found
        .iter()
        .map(|(way, found)| (way.clone(), json!([found.quotes, found.found, found.with_role])))
        .collect();
    report.set("gold_by_place", ways);
}

/// Lists every file below a folder, sorted.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
