//! `lore import`

use std::path::PathBuf;

use lore_engine::Engine;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore import ~/.claude/gsd-knowledge --dry-run")]
pub(super) struct Args {
    /// Folder of a GSD store, a GitClaw state, a `.claude/knowledge` store or an OKF bundle
    path: PathBuf,
    /// Show what would be taken and take nothing
    #[arg(long)]
    dry_run: bool,
    /// Also show every entry that was taken
    #[arg(long, short)]
    verbose: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let report = engine.import(&args.path, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.import/1", &report);
        return Ok(Code::Done);
    }
    let repaired = report.taken.iter().filter(|taken| !taken.repaired.is_empty()).count();
    for taken in report.taken.iter().filter(|taken| args.verbose || !taken.repaired.is_empty()) {
        ui.line(format!(
            "{}  {}",
            paint(Tone::Name, taken.id.handle().as_str()),
            paint(Tone::Faint, &taken.from)
        ));
        for diagnostic in &taken.repaired {
            ui.line(format!("  {} {}", paint(Tone::Warn, "repaired:"), sanitised(&diagnostic.message)));
        }
    }
    for left in &report.left {
        ui.line(format!("{} {}: {}", paint(Tone::Warn, "left"), sanitised(&left.from), sanitised(&left.why)));
    }
    let verb = if args.dry_run { "would take" } else { "took" };
    ui.line(format!(
        "{verb} {} entries from a store of kind `{}` ({repaired} repaired), {} known already, {} files left",
        report.taken.len(),
        report.store,
        report.known.len(),
        report.left.len()
    ));
    Ok(Code::Done)
}
