//! Every agent's hooks, in the messages that agents send: an answer in the agent's own form, exit code 0, and
//! how long the agent waits, in processes that have just begun.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use lore_engine::{Engine, InitOptions};
use serde_json::Value;

use super::context::speed::{fill, word};
use super::context::world;
use super::program::{Lore, Ran};
use crate::callers::{Call, Caller, callers};
use crate::context::{Context, Failure};
use crate::report::Report;

/// What a base of this size has besides, so that also an edit and a failure have something to be told.
const BESIDES: [&[&str]; 2] = [
    &[
        "new",
        "Tokens are checked once",
        "-t",
        "decision",
        "--body",
        "Tokens are checked here and nowhere else.",
        "--file",
        "src/token.rs",
    ],
    &[
        "new",
        "The mail relay refuses connections when its tunnel is down",
        "-t",
        "resolution",
        "--body",
        "When the mail worker fails with `connection refused` on port 6390, the relay's tunnel is down: `make tunnel`.",
    ],
];
const ERROR: &str = "error: the mail worker failed: connection refused on port 6390 of the relay";

/// Whole sessions of every agent, one after the other; `sessions` says how many of each, `entries` how large the base is.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let entries = context.setting("entries", 10_000);
    let sessions = context.setting("sessions", 40).max(3);
    let scratch = tempfile::tempdir()?;
    // `--set base=DIR` keeps the base, to look at it or to profile a single hook in it.
    let kept = context.setting_text("base").map(PathBuf::from);
    let project = kept.unwrap_or_else(|| scratch.path().to_owned()).join("project");
    std::fs::create_dir_all(&project)?;
    std::process::Command::new("git").args(["init", "--quiet"]).current_dir(&project).status()?;
    let world = world(&project, Timestamp::now());
    Engine::init(&world, &InitOptions { project: Some(project.clone()), ..InitOptions::default() })?;
    fill(&project, entries)?;
    let lore = Lore::found(context, &project)?;
    for arguments in BESIDES {
        lore.time(arguments, "")?;
    }
    // A worker builds the index; it is not what an agent meets every day.
    lore.time(&["work"], "")?;
    lore.time(&["context", "--prompt", "warm up the shelf"], "")?;
    let engine = Engine::open(world)?;
    let mut book = Book::default();
    for caller in callers() {
        for number in 0..sessions {
            session(&lore, &caller, number, &mut book)?;
            // What an end set going is not to slow down the next session; the end itself has waited for its start.
            while engine.is_working() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        eprintln!("{}: {sessions} sessions", caller.agent);
    }
    let mut report = Report::default();
    report.set("entries", entries);
    report.set("sessions", sessions);
    book.write(&mut report);
    Ok(report)
}

/// Sends everything that a session of this agent sends, in order.
fn session(lore: &Lore, caller: &Caller, number: usize, book: &mut Book) -> Result<(), Failure> {
    let id = format!("{}-{number}", caller.agent);
    let project = lore.project.display().to_string();
    let transcript = format!("{project}/.home/{id}.jsonl");
    let about = number * 37 + 1;
    let prompt =
        format!("Why does the {} of the {} {about} fail?", word(about * 31 + 17), word(about * 31 + 34));
    let plan = format!("1. Move the {} to another table\n2. Test it", word(number));
    let values = [
        ("session", id.as_str()),
        ("project", project.as_str()),
        ("transcript", transcript.as_str()),
        ("prompt", prompt.as_str()),
        ("file", "src/token.rs"),
        ("command", "make migrate"),
        ("error", ERROR),
        ("plan", plan.as_str()),
    ];
    for call in &caller.events {
        let message = caller.message(call, &values).to_string();
        let ran = lore.ask(lore.command(&["hook", &caller.agent, &call.event]), &message)?;
        book.add(caller, call, &ran);
    }
    Ok(())
}

/// What came back, by agent and event.
#[derive(Default)]
struct Book {
    lives: BTreeMap<(String, String), Vec<f64>>,
    /// How often each was told something.
    told: BTreeMap<(String, String), usize>,
    wrong_exit: usize,
    wrong_shape: usize,
    calls: usize,
}

impl Book {
    fn add(&mut self, caller: &Caller, call: &Call, ran: &Ran) {
        let key = (caller.agent.clone(), call.what.clone());
        self.calls += 1;
        self.wrong_exit += usize::from(ran.status.code() != Some(0));
        let text = told(caller, call, ran);
        self.wrong_shape += usize::from(text.is_none());
        *self.told.entry(key.clone()).or_default() += usize::from(text.is_some_and(|text| !text.is_empty()));
        self.lives.entry(key).or_default().push(ran.life);
    }

    #[allow(clippy::cast_precision_loss, reason = "calls are few")]
    fn write(&self, report: &mut Report) {
        report.set("calls", self.calls);
        report.set("wrong_exit", self.wrong_exit);
        report.set("wrong_shape", self.wrong_shape);
        // The end of a session has a bar of its own: it may start a worker.
        let mut slowest: BTreeMap<&str, f64> = BTreeMap::new();
        let mut deaf = 0_usize;
        let mut figures = Vec::new();
        for ((agent, what), lives) in &self.lives {
            let mut lives = lives.clone();
            lives.sort_by(f64::total_cmp);
            let (middle, late) = (lives[lives.len() / 2], lives[lives.len() * 95 / 100]);
            let names =
                if what == "end" { ["end_p50_ms", "end_p95_ms"] } else { ["any_p50_ms", "any_p95_ms"] };
            for (name, value) in names.into_iter().zip([middle, late]) {
                let most = slowest.entry(name).or_default();
                *most = most.max(value);
            }
            let told = self.told[&(agent.clone(), what.clone())];
            let heard = callers()
                .iter()
                .any(|caller| caller.agent == *agent && caller.call(what).is_some_and(|call| call.heard));
            // Before other tools there is something to say only where a check of the change found it.
            let has_to_say = matches!(what.as_str(), "start" | "prompt" | "edit" | "failure");
            deaf += usize::from(heard && has_to_say && told == 0);
            figures.push((format!("{agent}.{what}"), middle, late, told as f64 / lives.len() as f64));
        }
        // An agent that could hear and was never told anything would be fast for the wrong reason.
        report.set("never_told", deaf);
        for (name, value) in slowest {
            report.set_number(&format!("slowest.{name}"), value);
        }
        for (name, middle, late, told) in figures {
            report.set_number(&format!("{name}.p50_ms"), middle);
            report.set_number(&format!("{name}.p95_ms"), late);
            report.set_number(&format!("{name}.told"), told);
        }
    }
}

/// Returns the text that an agent's model would see, and nothing where the reply has not the agent's own form.
pub(super) fn told(caller: &Caller, call: &Call, ran: &Ran) -> Option<String> {
    if !ran.err.is_empty() {
        return None;
    }
    if ran.out.is_empty() {
        return Some(String::new());
    }
    let reply: Value = serde_json::from_str(&ran.out).ok()?;
    let refused = caller.refusal.as_ref().and_then(|(place, _)| reply.pointer(place)).is_some();
    if refused {
        return Some(ran.out.clone());
    }
    let text = reply.pointer(&caller.text)?.as_str()?;
    let fenced = text.starts_with("<lorekeep-context>") && text.trim_end().ends_with("</lorekeep-context>");
    (call.heard && fenced).then(|| text.to_owned())
}
