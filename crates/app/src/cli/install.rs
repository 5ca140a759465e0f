//! `lore install` and `lore uninstall`

use std::path::{Path, PathBuf};

use lore_engine::install::{self, AgentState, Done, FileChange, InstallOptions, InstallReport, Trust, Whose};
use lore_engine::{World, env};

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

/// What `lore uninstall` says below its options, instead of what `lore install` does: all that is to be taken out.
const OUT: &str = "Examples:
  lore uninstall claude-code     as it was before
  lore uninstall --all           this project's settings
  lore uninstall --all --user    your own settings
  lore uninstall git             merging entries by meaning in this clone

To remove everything, run these; `lore schedule uninstall WAY` for each way
that `lore schedule list` names as installed, and
`claude plugin uninstall lore@lorekeep` where you made a plugin; then delete
  knowledge/ and .git/lore/      in each repository (.lore/ where there is no git)
  what `lore export` wrote       decision records, a book, notes
  the block between the marks `lore:rules` in AGENTS.md, if you exported it
  ~/.local/share/lore            your personal base, backups, what you allowed
  ~/.config/lore                 your settings
and the program: cargo uninstall lorekeep";

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore install                       how each agent stands\n  \
                        lore install codex --dry-run\n  lore install --all\n  lore install claude-code --user")]
pub(super) struct Args {
    /// Agents, such as `claude-code` or `codex`, or `git` for merging entries by meaning; without any,
    /// how each stands
    agents: Vec<String>,
    /// Every agent that somebody uses here
    #[arg(long, conflicts_with = "agents")]
    all: bool,
    /// In this project's settings, which travel with it; so it is without being said
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// In your own settings, for all your projects
    #[arg(long)]
    user: bool,
    /// Write a plugin for Claude Code into this folder: hooks, skills, a researcher and the MCP server in one piece
    #[arg(long, value_name = "DIR", conflicts_with_all = ["agents", "all", "project", "user"])]
    plugin: Option<PathBuf>,
    /// Command that the agent shall start, instead of `lore` or the path of this program
    #[arg(long, value_name = "COMMAND")]
    program: Option<String>,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
}

// Its line in the help stands with the command; there is nothing to choose but whose settings.
#[derive(Debug, clap::Args)]
#[command(after_help = OUT)]
pub(super) struct OutArgs {
    /// Agents to take it out of, such as `claude-code` or `codex`, or `git` for merging entries by meaning
    agents: Vec<String>,
    /// Every agent that we are in, here or in your own settings
    #[arg(long, conflicts_with = "agents")]
    all: bool,
    /// Out of this project's settings, which travel with it; so it is without being said
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Out of your own settings, for all your projects
    #[arg(long)]
    user: bool,
    /// A plugin is taken out by its agent
    #[arg(long, value_name = "DIR", hide = true)]
    plugin: Option<PathBuf>,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
}

impl From<OutArgs> for Args {
    fn from(out: OutArgs) -> Args {
        let OutArgs { agents, all, project, user, plugin, dry_run } = out;
        Args { agents, all, project, user, plugin, program: None, dry_run }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

pub(super) fn run(ui: &Ui, world: &World, args: &Args, direction: Direction) -> Outcome {
    if let Some(folder) = &args.plugin {
        return plugin(ui, world, folder, args, direction);
    }
    let states = install::states(world);
    let whose = if args.user { Whose::User } else { Whose::Project };
    let agents = match (args.all, args.agents.is_empty()) {
        (true, _) => meant(world, &states, whose, direction),
        (false, false) => args.agents.clone(),
        (false, true) if direction == Direction::In => return listing(ui, &states),
        (false, true) => {
            return Err(Failure::usage("no agent is named".to_owned(), "name one, or say `--all`"));
        }
    };
    let mut reports = Vec::new();
    let mut refused: Vec<(String, Failure)> = Vec::new();
    for agent in agents {
        // What travels with the project names us as everybody's shell finds us.
        let usual = || {
            if whose == Whose::Project && agent != install::GIT { "lore".to_owned() } else { program(world) }
        };
        let program = args.program.clone().unwrap_or_else(usual);
        let options = InstallOptions { agent: agent.clone(), whose, program, dry_run: args.dry_run };
        let outcome = match direction {
            Direction::In => install::install(world, &options),
            Direction::Out => install::uninstall(world, &options),
        };
        // One whose settings cannot be changed must not keep the others out, nor in; what was done is told.
        match outcome {
            Ok(report) => reports.push(report),
            Err(error) => refused.push((agent, error.into())),
        }
    }
    if ui.is_json() {
        return as_json(ui, direction, &reports, refused);
    }
    if reports.is_empty() && refused.is_empty() {
        let nobody = match direction {
            Direction::In => "No agent was found here; `lore install NAME` wires one all the same.",
            Direction::Out => "We are in no agent's settings here.",
        };
        ui.note(nobody);
    }
    if direction == Direction::In && args.program.is_none() && whose == Whose::Project && !world.finds("lore")
    {
        ui.note(format!(
            "{} `lore` is not on your PATH; until it is, the hooks do nothing",
            paint(Tone::Warn, "note:")
        ));
    }
    let project = install::project_of(world);
    for (at, report) in reports.iter().enumerate() {
        if reports.len() > 1 {
            ui.line(format!("{}{}", if at > 0 { "\n" } else { "" }, paint(Tone::Strong, &report.agent)));
        }
        people(ui, &project, report);
    }
    // The last is told by whoever called us.
    let last = refused.pop();
    for (_, failure) in &refused {
        failure.report(ui);
    }
    last.map_or(Ok(Code::Done), |(_, failure)| Err(failure))
}

/// Tells programs in one object what was done and what was not; where nothing was, that is the error.
fn as_json(
    ui: &Ui,
    direction: Direction,
    reports: &[InstallReport],
    mut refused: Vec<(String, Failure)>,
) -> Outcome {
    let schema = if direction == Direction::In { "lore.install/1" } else { "lore.uninstall/1" };
    if reports.is_empty() && !refused.is_empty() {
        return Err(refused.swap_remove(0).1);
    }
    let code = refused.first().map_or(Code::Done, |(_, failure)| failure.code());
    let mut told = serde_json::json!({ "agents": reports });
    if !refused.is_empty() {
        let refused = refused.iter().map(
            |(agent, failure)| serde_json::json!({ "agent": agent, "error": failure.as_json()["error"] }),
        );
        told["refused"] = refused.collect();
    }
    ui.json(schema, &told);
    Ok(code)
}

/// Writes a plugin's folder.
fn plugin(ui: &Ui, world: &World, folder: &Path, args: &Args, direction: Direction) -> Outcome {
    if direction == Direction::Out {
        return Err(Failure::usage(
            "a plugin is a folder of its own".to_owned(),
            "take it out of Claude Code with `claude plugin uninstall lore@lorekeep` and delete the folder",
        ));
    }
    let program = args.program.as_deref().unwrap_or("lore");
    let report = install::write_plugin(world, folder, program, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.install/1", &serde_json::json!({ "agents": [report] }));
    } else {
        people(ui, &install::project_of(world), &report);
    }
    Ok(Code::Done)
}

/// Names the agents that `--all` means.
fn meant(world: &World, states: &[AgentState], whose: Whose, direction: Direction) -> Vec<String> {
    // Where an agent's settings went, what else was put there for it is still ours to take out.
    let left = if direction == Direction::Out { install::left_behind(world, whose) } else { Vec::new() };
    let is_meant = |state: &&AgentState| match direction {
        // Whoever wants the block for unknown agents says so.
        Direction::In => state.found.is_some() && state.agent != "other",
        Direction::Out => {
            state.installed.iter().any(|installed| installed.whose == whose)
                || left.iter().any(|agent| agent == state.agent)
        }
    };
    states.iter().filter(is_meant).map(|state| state.agent.to_owned()).collect()
}

/// Shows how each agent stands.
fn listing(ui: &Ui, states: &[AgentState]) -> Outcome {
    if ui.is_json() {
        ui.json("lore.install.list/1", &serde_json::json!({ "agents": states }));
        return Ok(Code::Done);
    }
    for state in states {
        let how = if state.installed.is_empty() {
            match &state.found {
                Some(why) => format!("not wired; {}", sanitised(why)),
                None => "not wired".to_owned(),
            }
        } else {
            state.installed.iter().map(standing).collect::<Vec<_>>().join("; ")
        };
        ui.line(format!("{}  {how}", paint(Tone::Strong, format!("{:<12}", state.agent))));
    }
    ui.note("\n`lore install NAME` wires one, `--dry-run` shows the change first.");
    Ok(Code::Done)
}

/// Says in a few words how an installation stands.
pub(super) fn standing(installed: &install::Installed) -> String {
    let whose = if installed.whose == Whose::Project { "this project" } else { "your own settings" };
    let trust = match &installed.trust {
        Trust::Trusted => "",
        Trust::Pending { .. } => ", not yet trusted",
        Trust::Off { .. } => ", hooks turned off",
        Trust::Unknown { .. } => ", once trusted",
    };
    let missing = match installed.missing.len() {
        0 => String::new(),
        count => format!(", {} missing or changed", counted(count, "file", "files")),
    };
    format!("in {whose}{trust}{missing}")
}

/// Joins skills of which the same is to be said; a rehearsal shows every file.
fn grouped(report: &InstallReport) -> Vec<(String, &FileChange)> {
    let mut rows: Vec<(String, &FileChange)> = Vec::new();
    for file in &report.files {
        let skill = file.path.ends_with("SKILL.md").then(|| file.path.parent()).flatten();
        let name = skill.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let beside = |other: &FileChange| {
            let folder = |file: &FileChange| file.path.ancestors().nth(2).map(Path::to_owned);
            other.path.ends_with("SKILL.md") && folder(other) == folder(file) && other.done == file.done
        };
        match (rows.last_mut(), name) {
            (Some((names, first)), Some(name)) if !report.dry_run && beside(first) => {
                names.push_str(&format!(", {name}"));
            }
            (_, Some(name)) if !report.dry_run => rows.push((name, file)),
            _ => rows.push((String::new(), file)),
        }
    }
    rows
}

fn people(ui: &Ui, project: &Path, report: &InstallReport) {
    let would = |done: &str| if report.dry_run { format!("would be {done}") } else { done.to_owned() };
    for (skills, file) in grouped(report) {
        let word = match file.done {
            Done::Created => would("made"),
            Done::Changed => would("changed"),
            Done::Restored => would("restored, byte for byte"),
            Done::Removed => would("removed"),
            Done::Kept if file.needed_by.is_empty() => "left as it is, because it is not ours".to_owned(),
            Done::Kept => format!("left for {}", file.needed_by.join(", ")),
            Done::Unchanged => "nothing to do".to_owned(),
        };
        let path = if skills.is_empty() { Some(file.path.as_path()) } else { file.path.ancestors().nth(2) };
        let path = path.unwrap_or(&file.path);
        let path = path.strip_prefix(project).unwrap_or(path).display().to_string();
        let skills = if skills.is_empty() { skills } else { format!(" ({skills})") };
        ui.line(format!("{}{skills}: {word}", paint(Tone::Strong, path)));
        if report.dry_run {
            diff(ui, file);
        } else if file.before.is_some()
            && let Some(backup) = &file.backup
        {
            ui.note(format!("  as it was: {}", sanitised(&backup.display().to_string())));
        }
    }
    match &report.trust {
        Some(Trust::Pending { how }) => {
            ui.note(format!("{} {}", paint(Tone::Warn, "not yet trusted:"), sanitised(how)));
        }
        Some(Trust::Off { how }) => {
            ui.note(format!("{} {}", paint(Tone::Warn, "hooks are turned off:"), sanitised(how)));
        }
        Some(Trust::Unknown { how }) => ui.note(sanitised(how)),
        Some(Trust::Trusted) | None => {}
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
