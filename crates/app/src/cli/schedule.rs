//! `lore schedule`

use clap::{Subcommand, ValueEnum};
use lore_engine::Engine;
use lore_engine::schedule::{Scheduled, Way};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore schedule\n  lore schedule show systemd\n  lore schedule install git-hook --dry-run"
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the ways, and which of them are installed
    List,
    /// Print what a way consists of
    Show {
        /// The way
        way: WayArg,
    },
    /// Install a way
    Install {
        /// The way
        way: WayArg,
        /// Show what would be written and write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Take a way out again
    Uninstall {
        /// The way
        way: WayArg,
        /// Show what would be left and change nothing
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WayArg {
    /// After each commit in this clone
    GitHook,
    /// Every night, by your crontab
    Cron,
    /// Every night, by a timer of your own systemd
    Systemd,
    /// Every week, in the repository's continuous integration
    GithubActions,
    /// Before each commit and push in this clone: is the design step checked?
    GitGate,
}

impl From<WayArg> for Way {
    fn from(way: WayArg) -> Way {
        match way {
            WayArg::GitHook => Way::GitHook,
            WayArg::Cron => Way::Cron,
            WayArg::Systemd => Way::Systemd,
            WayArg::GithubActions => Way::GithubActions,
            WayArg::GitGate => Way::GitGate,
        }
    }
}

impl Args {
    /// Tells whether something that was installed is to go.
    pub(super) fn takes_out(&self) -> bool {
        matches!(self.action, Some(Action::Uninstall { .. }))
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    match args.action.unwrap_or(Action::List) {
        Action::List => list(ui, engine),
        Action::Show { way } => print(ui, &engine.schedule(way.into())?),
        Action::Install { way, dry_run } => {
            let done = engine.install_schedule(way.into(), dry_run)?;
            if dry_run {
                return print(ui, &done);
            }
            told(ui, &done, "installed")
        }
        Action::Uninstall { way, dry_run } => {
            let done = engine.uninstall_schedule(way.into(), dry_run)?;
            if dry_run {
                return print(ui, &done);
            }
            told(ui, &done, "taken out")
        }
    }
}

fn list(ui: &Ui, engine: &Engine) -> Outcome {
    // A way that is not possible here is no reason not to show the others.
    let ways: Vec<Scheduled> = Way::ALL.into_iter().filter_map(|way| engine.schedule(way).ok()).collect();
    if ui.is_json() {
        ui.json("lore.schedules/1", &serde_json::json!({ "ways": ways }));
        return Ok(Code::Done);
    }
    for one in &ways {
        let state =
            if one.installed { paint(Tone::Good, "installed    ") } else { "not installed".to_owned() };
        ui.line(format!("{:<15} {state}  {}", one.way.word(), paint(Tone::Faint, one.about)));
    }
    ui.note("`lore schedule show WAY` prints what it consists of, `install WAY` installs it.");
    Ok(Code::Done)
}

fn print(ui: &Ui, scheduled: &Scheduled) -> Outcome {
    if ui.is_json() {
        ui.json("lore.schedule/1", scheduled);
        return Ok(Code::Done);
    }
    for file in &scheduled.files {
        let name = file.path.as_ref().map_or_else(|| "crontab".to_owned(), |path| path.display().to_string());
        ui.note(paint(Tone::Strong, name));
        ui.print(sanitised(&file.text));
    }
    steps(ui, scheduled);
    Ok(Code::Done)
}

fn told(ui: &Ui, done: &Scheduled, what: &str) -> Outcome {
    if ui.is_json() {
        ui.json("lore.schedule/1", done);
        return Ok(Code::Done);
    }
    ui.line(format!("{} is {what}", paint(Tone::Name, done.way.word())));
    for path in done.files.iter().filter_map(|file| file.path.as_ref()) {
        ui.line(format!("  {}", sanitised(&path.display().to_string())));
    }
    steps(ui, done);
    Ok(Code::Done)
}

fn steps(ui: &Ui, scheduled: &Scheduled) {
    for step in &scheduled.next {
        ui.note(format!("Then: {}", paint(Tone::Name, step)));
    }
}
