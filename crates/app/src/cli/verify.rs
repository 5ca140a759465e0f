//! `lore verify`

use lore_engine::Engine;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore verify use-postgresql")]
pub(super) struct Args {
    /// Ids, aliases or paths
    #[arg(required = true)]
    names: Vec<String>,
    /// Show what would be marked and mark nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let done = engine.verify(&args.names, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.verify/1", &serde_json::json!({ "verified": done, "by": engine.world().person() }));
        return Ok(Code::Done);
    }
    let verb = if args.dry_run { "would confirm" } else { "confirmed" };
    for one in &done {
        let by = paint(Tone::Faint, engine.world().person());
        ui.line(format!("{verb} {}  {by}", paint(Tone::Name, one.id.handle().as_str())));
    }
    Ok(Code::Done)
}
