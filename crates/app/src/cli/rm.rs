//! `lore rm`

use lore_engine::Engine;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore rm use-sqlite --why \"never true\"")]
pub(super) struct Args {
    /// Id, alias, path, or the beginning of an id
    name: String,
    /// Why it goes; kept so that others understand
    #[arg(long, default_value = "removed by hand")]
    why: String,
    /// Show what would be removed and remove nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let done = engine.remove(&args.name, &args.why, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.done/1", &done);
    } else {
        let verb = if args.dry_run { "would remove" } else { "removed" };
        ui.line(format!(
            "{verb} {}  {}",
            paint(Tone::Name, done.id.handle().as_str()),
            paint(Tone::Faint, &done.path)
        ));
        for id in &done.holds_again {
            let verb = if args.dry_run { "would hold" } else { "holds" };
            ui.line(format!(
                "{} {verb} again: nothing else replaces it",
                paint(Tone::Name, id.handle().as_str())
            ));
        }
    }
    Ok(Code::Done)
}
