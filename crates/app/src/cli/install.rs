//! `lore install` and `lore uninstall`

use lore_engine::install::{Done, FileChange, InstallOptions, InstallReport, Whose};
use lore_engine::{Engine, World, env};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: lore install claude-code --dry-run")]
pub(super) struct Args {
    /// The agent, such as `claude-code`, or `git` for merging entries by meaning
    agent: String,
    /// In your own settings, for all your projects, instead of this project's
    #[arg(long)]
    user: bool,
    /// Command that the agent shall start, instead of `lore` or the path of this program
    #[arg(long, value_name = "COMMAND")]
    program: Option<String>,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args, direction: Direction) -> Outcome {
    let options = InstallOptions {
        agent: args.agent.clone(),
        whose: if args.user { Whose::User } else { Whose::Project },
        program: args.program.clone().unwrap_or_else(|| program(engine.world())),
        dry_run: args.dry_run,
    };
    let report = match direction {
        Direction::In => engine.install(&options)?,
        Direction::Out => engine.uninstall(&options)?,
    };
    if ui.is_json() {
        ui.json(if direction == Direction::In { "lore.install/1" } else { "lore.uninstall/1" }, &report);
        return Ok(Code::Done);
    }
    people(ui, engine, &report);
    Ok(Code::Done)
}

fn people(ui: &Ui, engine: &Engine, report: &InstallReport) {
    let would = |done: &str| if report.dry_run { format!("would be {done}") } else { done.to_owned() };
    for file in &report.files {
        let word = match file.done {
            Done::Created => would("made"),
            Done::Changed => would("changed"),
            Done::Restored => would("restored, byte for byte"),
            Done::Removed => would("removed"),
            Done::Unchanged => "nothing to do".to_owned(),
        };
        let path = file.path.strip_prefix(engine.project()).unwrap_or(&file.path);
        ui.line(format!("{}: {word}", paint(Tone::Strong, path.display().to_string())));
        if report.dry_run {
            diff(ui, file);
        } else if let Some(backup) = &file.backup {
            let backup = backup.strip_prefix(engine.project()).unwrap_or(backup);
            ui.note(format!("  as it was: {}", sanitised(&backup.display().to_string())));
        }
    }
    for note in &report.notes {
        ui.note(sanitised(note));
    }
}

/// Shows the lines that come and go.
fn diff(ui: &Ui, file: &FileChange) {
    let lines = |text: &Option<String>| -> Vec<String> {
        text.as_deref().unwrap_or_default().lines().map(str::to_owned).collect()
    };
    let (before, after) = (lines(&file.before), lines(&file.after));
    let same_start = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let rest = |all: &[String]| all[same_start..].to_vec();
    let (old, new) = (rest(&before), rest(&after));
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    for line in &old[..old.len() - same_end] {
        ui.line(paint(Tone::Bad, format!("  - {line}")));
    }
    for line in &new[..new.len() - same_end] {
        ui.line(paint(Tone::Good, format!("  + {line}")));
    }
}

/// Names ourselves as the agent's shell finds us: by name where that works, else by path.
pub(super) fn program(world: &World) -> String {
    if world.finds("lore") {
        return "lore".to_owned();
    }
    env::program().map_or_else(|| "lore".to_owned(), |path| path.display().to_string())
}
