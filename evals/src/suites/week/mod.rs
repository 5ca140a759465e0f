//! A week of somebody who uses several agents in several projects: recorded sessions replayed as hook events
//! through the program, two at a time, with agents, hooks and workers killed among them.
//!
//! Every session has to be curated exactly once and every signal of it noticed, no process may be left over,
//! and what all of it cost the agents is counted.

mod desk;
mod figures;
mod killer;
mod script;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use lore_capture::{ReadOptions, read_path};
use lore_core::Session;
use serde::Deserialize;

use self::desk::{Growing, Home};
use self::figures::Tally;
use self::script::{Step, steps};
use super::program::Lore;
use crate::callers::{Caller, callers};
use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::capture::files_below;

/// Projects of the week: five agents, several of them in one project.
const PROJECTS: [&str; 6] = ["agentv", "context-evaluator", "gatomia", "gitclaw", "nimbus", "starcar"];
/// When the week begins.
const MONDAY: &str = "2026-07-27T08:00:00Z";
const DAYS: usize = 7;
/// Workers that are still at it after this long are left over.
const PATIENCE: Duration = Duration::from_secs(600);
/// Sessions that are under way at a time.
const LANES: usize = 2;

/// A recorded session that is replayed.
struct Recorded {
    project: PathBuf,
    source: PathBuf,
    session: Session,
    steps: Vec<Step>,
}

/// A prompt of every day that needs nothing.
#[derive(Debug, Deserialize)]
struct Everyday {
    prompt: String,
    needs: Option<String>,
}

/// What all lanes share.
struct Week<'w> {
    lore: Lore,
    home: &'w Home,
    callers: Vec<Caller>,
    everyday: Vec<String>,
    tally: Mutex<Tally>,
}

/// Replays the week; `sessions` says how many sessions it has, `kills=0` leaves everybody alone.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let scratch = tempfile::tempdir()?;
    let kept = context.setting_text("base").map(PathBuf::from);
    let folder = kept.unwrap_or_else(|| scratch.path().to_owned());
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let home = Home::new(&folder.join("home"))?;
    let recorded = chosen(context, &folder)?;
    let lore = Lore::found(context, &folder)?;
    let mut projects: Vec<&PathBuf> = recorded.iter().map(|one| &one.project).collect();
    projects.sort();
    projects.dedup();
    for project in &projects {
        begin(&lore.at(project, &home.folder))?;
    }
    let everyday: Vec<Everyday> = context.json_lines("plain/everyday.jsonl")?;
    let everyday = everyday.into_iter().filter(|row| row.needs.is_none()).map(|row| row.prompt).collect();
    let week =
        Week { lore: lore.clone(), home: &home, callers: callers(), everyday, tally: Mutex::default() };
    let kills = context.setting("kills", 1) > 0;
    let killer = kills.then(|| killer::Killer::start(&folder));
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    let lanes: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let lane = || -> Result<(), Failure> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = recorded.get(number) else { return Ok(()) };
                week.replay(number, recorded.len(), one, kills)?;
            }
        };
        let threads: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a lane fell over".into())))
            .collect()
    });
    lanes.into_iter().collect::<Result<Vec<()>, Failure>>()?;
    let workers_killed = killer.map_or(0, killer::Killer::stop);
    // Whoever was killed has been quiet for long when somebody begins a session in each project on the next
    // Monday, and what ended then has waited for a day on Tuesday.
    let mut now = MONDAY.parse::<Timestamp>()? + SignedDuration::from_hours(24 * DAYS as i64);
    for _ in 0..2 {
        settle(&folder);
        for project in &projects {
            week.look_in(project, now)?;
        }
        now += SignedDuration::from_hours(25);
    }
    settle(&folder);
    let mut report = Report::default();
    report.set_number("minutes", began.elapsed().as_secs_f64() / 60.0);
    report.set("processes_left", killer::running(&folder));
    report.set("killed.workers", workers_killed);
    let tally = week.tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.write(&mut report);
    figures::curated(&recorded, &mut report)?;
    for project in &projects {
        figures::signals(&lore.at(project, &home.folder), now, &mut report)?;
    }
    Ok(report)
}

/// Chooses sessions of people: of every agent alike, as far as there are, in the order of time.
fn chosen(context: &Context, folder: &Path) -> Result<Vec<Recorded>, Failure> {
    let wanted = context.setting("sessions", 150);
    let mut by_agent: BTreeMap<String, Vec<Recorded>> = BTreeMap::new();
    for (project, transcripts) in context.unpacked("transcripts")? {
        if !PROJECTS.contains(&project.as_str()) {
            continue;
        }
        for source in files_below(&transcripts)? {
            let mut found = Vec::new();
            let _ = read_path(&source, &ReadOptions::default(), &mut |session| found.push(session));
            // Files with several sessions, and those of helpers, are not sessions that somebody began.
            let [session] = found.as_slice() else { continue };
            let steps = steps(session);
            let typed = steps.iter().any(|step| step.what == "prompt");
            if typed && session.parent.is_none() && session.directory.is_some() {
                let project = folder.join("work").join(&project);
                let one = Recorded { project, source, session: session.clone(), steps };
                by_agent.entry(session.agent.clone()).or_default().push(one);
            }
        }
    }
    for own in by_agent.values_mut() {
        own.sort_by(|a, b| (b.session.started, &b.source).cmp(&(a.session.started, &a.source)));
        own.dedup_by(|a, b| a.session.id == b.session.id);
    }
    let mut taken = Vec::new();
    while taken.len() < wanted && by_agent.values().any(|own| !own.is_empty()) {
        for own in by_agent.values_mut() {
            taken.extend(own.pop().filter(|_| taken.len() < wanted));
        }
    }
    Ok(taken)
}

/// Waits until nobody works any more; one worker may start another.
fn settle(folder: &Path) {
    let (waited, mut quiet) = (Instant::now(), 0);
    while quiet < 10 && waited.elapsed() < PATIENCE {
        quiet = if killer::running(folder) > 0 { 0 } else { quiet + 1 };
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Makes a project with a base.
fn begin(lore: &Lore) -> Result<(), Failure> {
    std::fs::create_dir_all(&lore.project)?;
    let git = |arguments: &[&str]| Command::new("git").args(arguments).current_dir(&lore.project).status();
    git(&["init", "--quiet"])?;
    git(&["config", "user.name", "Ada"])?;
    git(&["config", "user.email", "ada@example.org"])?;
    lore.time(&["init"], "")?;
    Ok(())
}

impl Week<'_> {
    /// Plays one session from its start to its end, unless its agent is killed before.
    fn replay(&self, number: usize, of: usize, one: &Recorded, kills: bool) -> Result<(), Failure> {
        let lore = self.lore.at(&one.project, &self.home.folder);
        let caller = self.callers.iter().find(|caller| caller.agent == one.session.agent);
        let caller = caller.ok_or("an agent has messages")?;
        let mut growing = self.home.place(&one.session, &one.source, &one.project)?;
        let day = number * DAYS / of;
        let mut now = clock(number, of)?;
        let id = one.session.id.as_str().to_owned();
        // One agent in seven dies in the middle of what it does; one hook in forty, whatever it was about.
        let dies_at = (kills && number % 7 == 3).then_some(one.steps.len() / 2);
        let everyday = Step {
            what: "prompt",
            line: u32::MAX,
            text: self.everyday.get(number % self.everyday.len().max(1)).cloned().unwrap_or_default(),
            error: String::new(),
        };
        let plain = |what| Step { what, line: 0, text: String::new(), error: String::new() };
        let mut all = vec![plain("start")];
        all.extend(one.steps.iter().cloned());
        all.push(everyday);
        all.push(Step { line: u32::MAX, ..plain("end") });
        let last = all.len() - 2;
        for (at, step) in all.iter().enumerate() {
            if dies_at.is_some_and(|dies| at > dies) {
                self.lock().agents_killed += 1;
                return Ok(());
            }
            now += SignedDuration::from_secs(20);
            self.home.grow(&mut growing, step.line, now)?;
            let Some(call) = caller.call(step.what) else { continue };
            let values = Values { id: &id, lore: &lore, growing: &growing, step, number };
            let message = values.message(caller, call);
            let mut command = lore.command(&["hook", &caller.agent, &call.event]);
            command.env("LORE_NOW", now.to_string());
            let chance = (number * 31 + at * 17) % 40;
            if kills && chance == 7 {
                kill_hook(command, &message, (number * 13 + at * 7) % 12)?;
                self.lock().hooks_killed += 1;
                continue;
            }
            let ran = lore.ask(command, &message)?;
            let everyday = at == last;
            self.lock().add(caller, call, day, everyday, &ran);
        }
        Ok(())
    }

    /// Begins a session in a project, as somebody does on the next day.
    fn look_in(&self, project: &Path, now: Timestamp) -> Result<(), Failure> {
        let lore = self.lore.at(project, &self.home.folder);
        let mut command = lore.command(&["hook", "claude-code", "session-start"]);
        command.env("LORE_NOW", now.to_string());
        let message =
            serde_json::json!({ "session_id": "monday", "hook_event_name": "SessionStart", "cwd": project });
        lore.ask(command, &message.to_string())?;
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is filled into a message.
struct Values<'v> {
    id: &'v str,
    lore: &'v Lore,
    growing: &'v Growing,
    step: &'v Step,
    number: usize,
}

impl Values<'_> {
    fn message(&self, caller: &Caller, call: &crate::callers::Call) -> String {
        let project = self.lore.project.display().to_string();
        let path = self.growing.path().map(|path| path.display().to_string());
        let mut values = vec![
            ("session", self.id),
            ("project", project.as_str()),
            ("prompt", self.step.text.as_str()),
            ("file", self.step.text.as_str()),
            ("command", self.step.text.as_str()),
            ("error", self.step.error.as_str()),
        ];
        // Codex does not always say where it writes.
        let tells = caller.agent != "codex" || !self.number.is_multiple_of(3);
        values.extend(path.as_deref().filter(|_| tells).map(|path| ("transcript", path)));
        caller.message(call, &values).to_string()
    }
}

/// Says when a session begins: the same number every day, over ten hours.
fn clock(number: usize, of: usize) -> Result<Timestamp, Failure> {
    let monday: Timestamp = MONDAY.parse()?;
    let per_day = of.div_ceil(DAYS);
    let (day, slot) = (number * DAYS / of, number % per_day);
    let minutes = day * 24 * 60 + slot * 600 / per_day;
    Ok(monday + SignedDuration::from_mins(minutes as i64))
}

/// Starts a hook and kills it after some milliseconds, wherever it is.
fn kill_hook(mut command: Command, message: &str, after: usize) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(message.as_bytes());
    }
    std::thread::sleep(Duration::from_millis(after as u64));
    let _ = child.kill();
    child.wait()?;
    Ok(())
}
