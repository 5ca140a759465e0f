//! `lore undo`

use lore_engine::Engine;
use lore_engine::undo::UndoReport;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore undo --dry-run\n  lore undo 12\n  \
                        lore undo 12-ab3f --show decisions/use-sqlite.md")]
pub(super) struct Args {
    /// The run, as `lore log` names it; without it the last one that changed knowledge
    run: Option<String>,
    /// Show what would be taken back and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what this file held before the run, and change nothing
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    show: Option<String>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if let Some(path) = &args.show {
        let text = engine.before_run(args.run.as_deref(), path)?;
        if ui.is_json() {
            ui.json("lore.before/1", &serde_json::json!({ "path": path, "text": text }));
        } else {
            ui.print(sanitised(&text));
        }
        return Ok(Code::Done);
    }
    let report = engine.undo(args.run.as_deref(), args.dry_run)?;
    let nothing = report.restored.is_empty()
        && report.removed.is_empty()
        && report.lifted.is_empty()
        && report.buried.is_empty();
    if ui.is_json() {
        ui.json("lore.undo/1", &report);
    } else {
        people(ui, &report, nothing);
    }
    Ok(if nothing { Code::No } else { Code::Done })
}

fn people(ui: &Ui, report: &UndoReport, nothing: bool) {
    let verb = match (nothing, report.dry_run) {
        (true, _) => "nothing can be taken back of",
        (_, true) => "would take back",
        (_, false) => "took back",
    };
    ui.line(format!("{verb} {}  {}", paint(Tone::Name, &report.run), sanitised(&report.said)));
    let list = |mark: &str, tone: Tone, paths: &[String]| {
        for path in paths {
            ui.line(format!("  {}  {}", paint(tone, mark), sanitised(path)));
        }
    };
    list("restored", Tone::Good, &report.restored);
    list("removed ", Tone::Warn, &report.removed);
    for one in &report.left {
        ui.line(format!("  {}  {} {}", paint(Tone::Faint, "left    "), sanitised(&one.path), one.why));
        ui.line(format!("            {}", sanitised(&one.hint)));
    }
    list("may be made again", Tone::Faint, &report.lifted);
    list("its removal counts again", Tone::Faint, &report.buried);
    if report.read_sessions && !nothing {
        ui.note(if report.edited {
            "The sessions it read count as edited, and its questions are gone; after `lore curate --bootstrap` they wait for an editor again."
        } else {
            "The sessions it read count as read; `lore curate --bootstrap` reads them again if that is wanted."
        });
    }
    if let Some(run) = &report.undone_by {
        ui.note(format!("This was run {run}; `lore undo {run}` brings it back."));
    }
}
