//! Real sessions replayed as hook events: each is curated once, and no process stays behind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use lore_engine::{Engine, InitOptions};

use super::world;
use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::capture::files_below;
use crate::suites::program::Lore;

pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let wanted = context.setting("sessions", 50);
    let mut files: Vec<PathBuf> = Vec::new();
    for (_, folder) in context.unpacked("transcripts")? {
        let found = files_below(&folder)?.into_iter();
        files.extend(found.filter(|file| is_session(file)));
    }
    files.sort();
    files.truncate(wanted);
    let scratch = tempfile::tempdir()?;
    let project = scratch.path().join("project");
    std::fs::create_dir_all(&project)?;
    let world = world(&project, Timestamp::now());
    Engine::init(&world, &InitOptions { project: Some(project.clone()), ..InitOptions::default() })?;
    let lore = Lore::found(context, &project)?;
    let mut lives_of: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (number, file) in files.iter().enumerate() {
        let id = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let mut send = |event: &'static str, more: serde_json::Value| -> Result<(), Failure> {
            let mut message = serde_json::json!({
                "session_id": id, "hook_event_name": event, "cwd": project, "transcript_path": file,
            });
            if let (Some(message), serde_json::Value::Object(more)) = (message.as_object_mut(), more) {
                message.extend(more);
            }
            let life = lore.time(&["hook", "claude-code", event], &message.to_string())?;
            lives_of.entry(event).or_default().push(life);
            Ok(())
        };
        send("SessionStart", serde_json::json!({ "source": "startup" }))?;
        let prompt = format!("Look at checkpoint {number} and tell me what is stored where");
        send("UserPromptSubmit", serde_json::json!({ "prompt": prompt }))?;
        send("SessionEnd", serde_json::json!({ "reason": "other" }))?;
    }
    let mut report = Report::default();
    let engine = Engine::open(world)?;
    let began = Instant::now();
    while (engine.is_working() || running(&project) > 0) && began.elapsed() < Duration::from_secs(600) {
        std::thread::sleep(Duration::from_millis(100));
    }
    report.set_number("waited_s", began.elapsed().as_secs_f64());
    report.set("waiting_after", engine.waiting().sessions());
    // What is left over waits for more; this is what the next end of a session would do.
    lore.time(&["work", "--now"], "")?;
    report.set("sessions", files.len());
    let readings = readings(&project)?;
    let times = |file: &PathBuf| {
        let id = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        readings.get(id).copied().unwrap_or(0)
    };
    report.set("curated", files.iter().filter(|file| times(file) >= 1).count());
    report.set("curated_twice", files.iter().filter(|file| times(file) > 1).count());
    report.set("processes_left", running(&project));
    for (event, mut lives) in lives_of {
        lives.sort_by(f64::total_cmp);
        report.set_number(&format!("{event}_p50_ms"), lives[lives.len() / 2]);
        report.set_number(&format!("{event}_max_ms"), lives[lives.len() - 1]);
    }
    let log =
        std::fs::read_to_string(lore_store::Scope::at(&project).shared.join("hook.log")).unwrap_or_default();
    report.set("log_lines", log.lines().count());
    Ok(report)
}

/// Tells whether a file is a session of its own, rather than a helper's.
fn is_session(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    file.extension().is_some_and(|ending| ending == "jsonl") && stem.len() == 36
}

/// Counts how often each session stands in the ledger; helpers' sessions stand there under names of their own.
pub(in crate::suites) fn readings(project: &Path) -> Result<BTreeMap<String, usize>, Failure> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files_below(&project.join("knowledge/.lore"))? {
        if !file.display().to_string().contains("ledger") && !file.display().to_string().contains("sessions")
        {
            continue;
        }
        for line in std::fs::read_to_string(&file)?.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            if fields.len() == 4 {
                *counts.entry(fields[1].to_owned()).or_insert(0) += 1;
            }
        }
    }
    Ok(counts)
}

/// Counts the processes that still work for this project.
fn running(project: &Path) -> usize {
    let wanted = format!("LORE_BASE={}", project.join("knowledge").display());
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    folders
        .filter(|folder| folder.file_name().to_string_lossy().chars().all(|c| c.is_ascii_digit()))
        .filter(|folder| {
            let environment = std::fs::read(folder.path().join("environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(&wanted)
        })
        .count()
}
