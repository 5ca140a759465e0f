//! `lore init`

use std::path::PathBuf;

use lore_engine::{Engine, InitOptions};

use super::{Global, Outcome};
use crate::error::Code;
use crate::ui::{Tone, Ui, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore init\n  lore init --personal")]
pub(super) struct Args {
    /// Project folder, instead of the repository around the current folder
    project: Option<PathBuf>,
}

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let world = global.world()?;
    let options = InitOptions { personal: global.personal, project: args.project.clone() };
    let made = Engine::init(&world, &options)?;
    if ui.is_json() {
        ui.json("lore.init/1", &made);
        return Ok(Code::Done);
    }
    ui.line(format!("{} {}", paint(Tone::Good, "made a knowledge base at"), made.base.display()));
    if !made.in_git && !made.personal {
        ui.note("This folder is not in a git repository, so the base will not travel with your code.");
    }
    Ok(Code::Done)
}
