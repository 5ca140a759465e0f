//! `lore import`

use std::io::IsTerminal as _;
use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::import::ImportReport;

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore import ~/.claude/gsd-knowledge --dry-run")]
pub(super) struct Args {
    /// Folder of a GSD store, a GitClaw state, a `.claude/knowledge` store or an OKF bundle
    path: PathBuf,
    /// Show what would be taken and take nothing
    #[arg(long)]
    dry_run: bool,
    /// Take it also where the folder only looks like a store
    #[arg(long, short)]
    yes: bool,
    /// Also show every entry that was taken
    #[arg(long, short)]
    verbose: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let mut report = engine.import(&args.path, true)?;
    if !args.dry_run {
        if report.guessed && !args.yes {
            ask(ui, args, &report)?;
        }
        report = engine.import(&args.path, false)?;
    }
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
        "{verb} {} from a store of kind `{}` ({repaired} repaired), {} known already, {} left",
        counted(report.taken.len(), "entry", "entries"),
        report.store,
        report.known.len(),
        counted(report.left.len(), "file", "files")
    ));
    Ok(Code::Done)
}

/// Says what was found in a folder that may be no store at all, and asks; in a script nobody answers.
fn ask(ui: &Ui, args: &Args, report: &ImportReport) -> Result<(), Failure> {
    let found = format!(
        "`{}` only looks like a store of kind `{}`: {} could be taken, {} would be left",
        args.path.display(),
        report.store,
        counted(report.taken.len(), "entry", "entries"),
        counted(report.left.len(), "file", "files")
    );
    let refuse = || Failure::usage(&found, "`--dry-run --verbose` lists them, `--yes` takes them");
    if ui.is_json() || !std::io::stdin().is_terminal() {
        return Err(refuse());
    }
    for taken in report.taken.iter().take(5) {
        ui.note(format!("  {}", sanitised(&taken.from)));
    }
    ui.note(format!("{found}. Take them? [y/N]"));
    let mut answer = String::new();
    let heard = std::io::stdin().read_line(&mut answer).is_ok();
    if heard && answer.trim().eq_ignore_ascii_case("y") { Ok(()) } else { Err(refuse()) }
}
