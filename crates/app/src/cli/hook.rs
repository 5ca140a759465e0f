//! `lore hook`: what agents call; it never disturbs them.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lore_engine::hook::{self, WorkOptions};
use lore_engine::{World, env};

use super::{Global, Outcome};
use crate::error::Code;
use crate::ui::{Ui, counted};

/// No hook sends more than this.
const LONGEST: u64 = 16 << 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The agent that calls, such as `claude-code`, and the event, such as `session-start`; the message is
    /// read from standard input. Whatever else an agent adds is not ours to complain about
    #[arg(value_name = "AGENT EVENT", num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

impl Args {
    /// Reads the line of an agent that calls a hook, without making all other commands ready, which would take
    /// longer than many hooks do. Nothing where somebody else wrote the line.
    pub(super) fn of_agent(mut line: impl Iterator<Item = OsString>) -> Option<Args> {
        let is_hook = line.next().is_some_and(|command| command == "hook");
        let words: Vec<OsString> = line.collect();
        let is_agent = words.first().is_some_and(|agent| !agent.to_string_lossy().starts_with('-'));
        (is_hook && is_agent).then_some(Args { words })
    }
}

/// Answers a hook. Whatever goes wrong, the agent sees exit code 0: another one could stop its work.
pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let mut message = Vec::new();
    let _ = std::io::stdin().lock().take(LONGEST).read_to_end(&mut message);
    let Ok(world) = global.world() else { return Ok(Code::Done) };
    // What we would say about a panic of ours, an agent could take for an answer; it is in our log.
    std::panic::set_hook(Box::new(|_| {}));
    let word = |at: usize| args.words.get(at).map(|word| word.to_string_lossy()).unwrap_or_default();
    let reply = hook::answer(world, &word(0), &word(1), &message);
    if let Some(base) = &reply.work {
        start(base, &["work"]);
    }
    if let Some(base) = &reply.ground {
        start(base, &["phase", "check-due"]);
    }
    if let Some(output) = &reply.output {
        ui.offer(output);
    }
    Ok(Code::Done)
}

/// Starts a worker that outlives us and holds none of our streams.
pub(super) fn start(base: &Path, words: &[&str]) {
    let Some(program) = env::program() else { return };
    let mut command = Command::new(program);
    command.arg("--quiet").args(words).env(env::LORE_BASE, base);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        // In a group of its own it is not ended together with the agent.
        command.process_group(0);
    }
    // Without a worker the sessions wait for the next one.
    let _ = command.spawn();
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: lore work --now")]
pub(super) struct WorkArgs {
    /// Curate what waits, whether or not it is due
    #[arg(long)]
    now: bool,
    /// Stop after this many seconds, wherever it is
    #[arg(long, default_value_t = 300, value_name = "N")]
    limit: u64,
    /// Give up on one session after this many seconds
    #[arg(long, default_value_t = 60, value_name = "N")]
    session_limit: u64,
}

/// Curates the sessions that wait, alone and for a limited time.
pub(super) fn work(ui: &Ui, world: World, args: &WorkArgs) -> Outcome {
    let options = WorkOptions {
        limit: Duration::from_secs(args.limit),
        session_limit: Duration::from_secs(args.session_limit),
        at_once: args.now,
    };
    let base = world.clone();
    let worked = hook::work(world, options)?;
    // Whoever was turned away while we were at it relies on this look.
    if !worked.busy
        && let Some(other) = hook::due_elsewhere(&base)
    {
        start(&other, &["work"]);
    }
    // Without any time for a session, another one would do no better.
    if worked.go_on
        && args.session_limit > 0
        && let Ok(engine) = lore_engine::Engine::open(base)
    {
        start(engine.root(), &["work", "--now"]);
    }
    if ui.is_json() {
        ui.json("lore.work/1", &worked);
    } else if worked.busy {
        ui.note("Another worker is at it.");
    } else {
        ui.note(format!(
            "{} curated; made {}, changed {}",
            counted(worked.sessions, "session", "sessions"),
            counted(worked.created, "article", "articles"),
            worked.updated
        ));
    }
    Ok(Code::Done)
}
