//! Real sessions of several agents, replayed as hook events: every step of the table has a record.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use jiff::Timestamp;
use lore_capture::{Input, ReadOptions, read_path, reader_of};
use lore_core::Session;
use lore_core::session::{Author, FileAction, ToolCall};
use lore_engine::grounding::{Finding, GroundOptions, GroundSource, SourceFailure, SourceKind};
use lore_engine::tracks::Checked;
use lore_engine::{Engine, InitOptions, Presence, hook};

use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::capture::files_below;
use crate::suites::context::world;

/// Agents whose hooks we know, by the names of their readers.
const AGENTS: [&str; 3] = ["claude-code", "codex", "copilot"];

/// What was counted.
#[derive(Default)]
struct Counts {
    events: usize,
    refused: usize,
    lifted: usize,
    manual: usize,
    lives: Vec<f64>,
}

/// Runs the suite: in the table's strictest form, so that nothing passes by being only advised.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let wanted = context.setting("sessions", 50);
    let mut sessions: BTreeMap<&str, Vec<Session>> = BTreeMap::new();
    let mut files: Vec<PathBuf> = Vec::new();
    for (_, folder) in context.unpacked("transcripts")? {
        files.extend(files_below(&folder)?);
    }
    files.sort();
    files.dedup();
    let options = ReadOptions::default();
    for file in &files {
        let Ok(reader) = reader_of(&Input::file(file, &options)) else { continue };
        let Some(agent) = AGENTS.iter().find(|agent| **agent == reader.agent()) else { continue };
        let own = sessions.entry(agent).or_default();
        if own.len() >= wanted {
            continue;
        }
        let mut found = Vec::new();
        let _ = read_path(file, &options, &mut |session| found.push(session));
        for session in found {
            let edits = session.turns.iter().flat_map(|turn| &turn.tool_calls).any(is_edit);
            if own.len() < wanted && edits && session.parent.is_none() {
                own.push(session);
            }
        }
    }
    // One agent may have left few; the others fill up.
    let mut by_number: Vec<&mut Vec<Session>> = sessions.values_mut().collect();
    by_number.sort_by_key(|own| own.len());
    let mut left = wanted;
    let agents = by_number.len();
    for (at, own) in by_number.into_iter().enumerate() {
        own.truncate(left.div_ceil(agents - at));
        left -= own.len();
    }
    let scratch = tempfile::tempdir()?;
    let project = scratch.path().join("project");
    std::fs::create_dir_all(project.join("src"))?;
    std::fs::write(project.join("src/main.rs"), "fn main() {}\n")?;
    let world = world(&project, Timestamp::now());
    Engine::init(&world, &InitOptions { project: Some(project.clone()), ..InitOptions::default() })?;
    let settings = world.config_file().ok_or("a home is set")?;
    std::fs::create_dir_all(settings.parent().ok_or("the file has a folder")?)?;
    std::fs::write(&settings, "[ground]\nmode = \"FULL\"\nenforce = \"as-table\"\n")?;
    let mut counts = Counts::default();
    let mut report = Report::default();
    for (agent, sessions) in &sessions {
        report.set(&format!("sessions.{agent}"), sessions.len());
        for session in sessions {
            replay(&world, agent, session, &mut counts)?;
        }
    }
    let engine = Engine::open(world)?;
    engine.make_due_checks();
    let (mut steps, mut records, mut skips, mut by_step) = (0, 0, 0, BTreeMap::<String, usize>::new());
    let tracks = engine.tracks();
    for step in tracks.iter().flat_map(|standing| &standing.track.steps) {
        steps += 1;
        *by_step.entry(format!("{}-{}", step.from.word(), step.to.word())).or_default() += 1;
        match &step.checked {
            Some(Checked::Ran { .. }) => records += 1,
            Some(Checked::Skipped { reason, .. } | Checked::Impossible { reason }) if !reason.is_empty() => {
                skips += 1
            }
            _ => {}
        }
    }
    report.set("events", counts.events);
    report.set("tracks", tracks.len());
    report.set("steps", steps);
    report.set("steps_with_record", records);
    report.set("steps_skipped_with_reason", skips);
    report.set("unrecorded", steps - records - skips);
    for (name, count) in by_step {
        report.set(&format!("steps.{name}"), count);
    }
    report.set("refused", counts.refused);
    report.set("refused_then_lifted_by_a_check", counts.lifted);
    report.set("left_to_a_person", counts.manual);
    counts.lives.sort_by(f64::total_cmp);
    let at =
        |share: f64| counts.lives.get((counts.lives.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    report.set_number("hook_p50_ms", at(0.5));
    report.set_number("hook_p99_ms", at(0.99));
    secrets(context, &engine, &mut report)?;
    Ok(report)
}

#[derive(serde::Deserialize)]
struct Sample {
    text: String,
    secret_span: Option<(usize, usize)>,
    kind: String,
}

/// A source outside that remembers what it was asked, and says it again.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl GroundSource for Listener {
    fn kind(&self) -> SourceKind {
        SourceKind::Web
    }

    fn ask(&self, question: &str) -> Result<Vec<Finding>, SourceFailure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(question.to_owned());
        Ok(vec![Finding {
            source: SourceKind::Web,
            text: question.to_owned(),
            confidence: 0.5,
            at: String::new(),
            how: "result".to_owned(),
        }])
    }
}

/// Sends secrets through a question and looks for them everywhere they could have gone.
fn secrets(context: &Context, engine: &Engine, report: &mut Report) -> Result<(), Failure> {
    let samples: Vec<Sample> = context.json_lines("ground/secrets.jsonl.gz")?;
    let positives = samples.iter().filter(|sample| sample.kind == "positive");
    let positives: Vec<&Sample> = positives.take(context.setting("secrets", 300)).collect();
    let listener = Arc::new(Listener::default());
    let (mut sent, mut asked, mut told) = (Vec::new(), 0, 0);
    for sample in positives {
        let Some((start, end)) = sample.secret_span else { continue };
        let secret: String = sample.text.chars().skip(start).take(end - start).collect();
        let source = Arc::clone(&listener);
        let options = GroundOptions::new(format!("why does this fail? {}", sample.text));
        let grounding =
            engine.ground_with(&options, &move |_| vec![source.clone() as Arc<dyn GroundSource>])?;
        let last =
            listener.0.lock().unwrap_or_else(PoisonError::into_inner).last().cloned().unwrap_or_default();
        asked += usize::from(last.contains(&secret));
        told += usize::from(serde_json::to_string(&grounding)?.contains(&secret));
        sent.push(secret);
    }
    let mut kept = String::new();
    for file in files_below(&engine.world().directory.join(".lore")).unwrap_or_default() {
        kept.push_str(&String::from_utf8_lossy(&std::fs::read(file)?));
    }
    report.set("secrets.sent", sent.len());
    report.set("secrets.in_a_query", asked);
    report.set("secrets.in_a_result", told);
    report
        .set("secrets.in_cache_or_log", sent.iter().filter(|secret| kept.contains(secret.as_str())).count());
    report.set("secrets.bytes_kept", kept.len());
    Ok(())
}

fn replay(
    world: &lore_engine::World,
    agent: &str,
    session: &Session,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let mut send = |event: &str, more: serde_json::Value| -> String {
        let mut message = serde_json::json!({
            "session_id": session.id.to_string(), "hook_event_name": event, "cwd": world.directory,
        });
        if let (Some(message), serde_json::Value::Object(more)) = (message.as_object_mut(), more) {
            message.extend(more);
        }
        let began = Instant::now();
        let reply = hook::answer(world.clone(), agent, event, message.to_string().as_bytes());
        counts.lives.push(began.elapsed().as_secs_f64() * 1000.0);
        counts.events += 1;
        reply.output.unwrap_or_default()
    };
    for turn in &session.turns {
        if turn.author == Author::Person {
            let text: Vec<&str> = turn.blocks.iter().map(|block| block.text.as_str()).collect();
            send("UserPromptSubmit", serde_json::json!({ "prompt": text.join("\n") }));
        }
        for call in &turn.tool_calls {
            let input: serde_json::Value = serde_json::from_str(&call.arguments).unwrap_or_default();
            let input = match &call.command {
                Some(command) => serde_json::json!({ "command": command }),
                None => input,
            };
            let name = named(call);
            let more = serde_json::json!({ "tool_name": name, "tool_input": input });
            let said = send("PreToolUse", more.clone());
            if said.contains("\"deny\"") {
                counts.refused += 1;
                // What the worker would do beside the agent, which then tries again.
                Engine::open(world.clone())?.make_due_checks();
                let again = send("PreToolUse", more);
                if again.contains("MANUAL_VERIFY") {
                    counts.manual += 1;
                    let why = "a person looked at it in this replay";
                    Engine::open(world.clone())?.skip_step(track_in(&again), why, Presence::AtTerminal)?;
                } else if !again.contains("\"deny\"") {
                    counts.lifted += 1;
                }
            } else if name == "ExitPlanMode" {
                send("PostToolUse", more);
            }
        }
    }
    send("SessionEnd", serde_json::json!({ "reason": "other" }));
    Ok(())
}

/// Reads the track that a refusal names in what lifts it.
fn track_in(refusal: &str) -> Option<&str> {
    let (_, rest) = refusal.split_once("phase skip --track ")?;
    rest.split(|c: char| !(c.is_alphanumeric() || c == '-')).next()
}

fn is_edit(call: &ToolCall) -> bool {
    call.files.iter().any(|file| file.action != FileAction::Read)
}

/// Names a tool as hooks do; agents' transcripts and hooks differ in that for a few.
fn named(call: &ToolCall) -> &str {
    if call.command.is_some() {
        "Bash"
    } else if is_edit(call) {
        "Edit"
    } else if !call.files.is_empty() {
        "Read"
    } else {
        &call.name
    }
}
