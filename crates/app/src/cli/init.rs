//! `lore init`

use std::collections::BTreeMap;
use std::path::PathBuf;

use lore_engine::curate::CurateOptions;
use lore_engine::entries::Filter;
use lore_engine::sessions::{Archive, SessionFilter};
use lore_engine::{Engine, InitOptions, World};

use super::{Global, Outcome, curate, install};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore init\n  lore init --bootstrap\n  lore init --personal")]
pub(super) struct Args {
    /// Project folder, instead of the repository around the current folder
    project: Option<PathBuf>,
    /// Also turn the past sessions of this project into articles right away
    #[arg(long)]
    bootstrap: bool,
    /// Leave git's merging as it is; `lore install git` changes it later
    #[arg(long)]
    no_merge_driver: bool,
}

/// New articles shown after a bootstrap.
const SHOWN: usize = 10;

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let world = global.world()?;
    let merge_driver = (!args.no_merge_driver && !global.personal).then(|| install::program(&world));
    let options = InitOptions { personal: global.personal, project: args.project.clone(), merge_driver };
    let made = Engine::init(&world, &options)?;
    if ui.is_json() {
        ui.json("lore.init/1", &made);
        return Ok(Code::Done);
    }
    ui.line(format!("{} {}", paint(Tone::Good, "made a knowledge base at"), made.base.display()));
    if !made.in_git && !made.personal {
        ui.note("This folder is not in a git repository, so the base will not travel with your code.");
    }
    if let Some(rule) = &made.ignored {
        ui.note(format!(
            "{} git leaves the base out, so it will not travel with your code: {}",
            paint(Tone::Warn, "Mind:"),
            sanitised(rule)
        ));
    }
    for kept in &made.rescued {
        ui.note(format!("{} {}", paint(Tone::Warn, "Kept aside:"), sanitised(kept)));
    }
    if let Some(remote) = &made.remote {
        ui.note(format!(
            "{} the base is pushed with the code to {}: whoever can read that can read the base.\n\
             Where the repository is public, so is what sessions leave in it; see first with `lore curate --dry-run`,\n\
             keep sessions and topics out with `sessions.exclude` and `topics.exclude`, yourself in `lore init --personal`.",
            paint(Tone::Warn, "Mind:"),
            sanitised(remote)
        ));
    }
    if made.merge_driver {
        ui.line("git will merge entries by meaning in this clone; `lore uninstall git` takes that back");
    }
    if made.personal {
        return Ok(Code::Done);
    }
    let mut there = world.clone();
    if let Some(project) = made.base.parent() {
        project.clone_into(&mut there.directory);
    }
    let found = past_sessions(ui, &there);
    let total: usize = found.values().sum();
    if total == 0 {
        ui.note("No past sessions of this project were found on this machine.");
        next(ui, &[("lore remember \"…\"", "keep what you know, in a sentence"), WIRE]);
    } else {
        let agents: Vec<String> = found.iter().map(|(agent, count)| format!("{count} of {agent}")).collect();
        let found = counted(total, "past session", "past sessions");
        ui.line(format!("found {found} of this project: {}", agents.join(", ")));
        if args.bootstrap {
            return bootstrap(ui, there);
        }
        next(
            ui,
            &[
                ("lore curate --bootstrap --dry-run", "see what would become of them"),
                ("lore curate --bootstrap", "turn them into articles"),
                WIRE,
            ],
        );
    }
    Ok(Code::Done)
}

const WIRE: (&str, &str) = ("lore install --all", "let your agents use the base, and add to it");

fn bootstrap(ui: &Ui, world: World) -> Outcome {
    let engine = Engine::open(world).map_err(Failure::from)?;
    let progress = ui.progress("reading sessions");
    let options = CurateOptions { bootstrap: true, ..CurateOptions::default() };
    let report = engine.curate(&options, &|done, total| progress.at(done, total))?;
    drop(progress);
    curate::people(ui, &report, SHOWN);
    let pending = engine.to_review(&Filter::default())?.len();
    let review = format!("confirm, correct or remove them one by one; {}", counted(pending, "waits", "wait"));
    next(ui, &[("lore review", &review), ("lore ask \"QUESTION\"", "ask what is known"), WIRE]);
    Ok(curate::ending(&report))
}

/// Counts the sessions by agent; nothing where they cannot be looked for.
fn past_sessions(ui: &Ui, world: &World) -> BTreeMap<String, usize> {
    let progress = ui.progress("looking for past sessions");
    let count =
        |archive: Archive| archive.count(&SessionFilter::default(), &|done, total| progress.at(done, total));
    Archive::new(world.clone()).and_then(count).unwrap_or_default()
}

fn next(ui: &Ui, steps: &[(&str, &str)]) {
    ui.note("");
    for (command, what) in steps {
        ui.note(format!("  {:<34} {what}", paint(Tone::Name, command)));
    }
}
