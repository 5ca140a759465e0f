//! `lore usage`

use lore_core::handle::shown;
use lore_engine::Engine;
use lore_engine::usage::{UsageReport, Use};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: lore usage\n         lore usage --mark applied dec-2026-03-27-use-postgresql"
)]
pub(super) struct Args {
    /// Entry to mark
    #[arg(requires = "mark")]
    entry: Option<String>,
    /// Say that the entry was `applied` or `contradicted`
    #[arg(long, value_name = "USE", requires = "entry")]
    mark: Option<String>,
    /// Show at most this many
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    limit: usize,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if let (Some(entry), Some(mark)) = (&args.entry, &args.mark) {
        let what: Use = mark.parse()?;
        let id = engine.mark(entry, what, None)?;
        if ui.is_json() {
            ui.json("lore.usage/1", &serde_json::json!({ "marked": id, "use": what }));
        } else {
            ui.line(format!("{} is marked as {}", paint(Tone::Name, shown(&id)), what.word()));
        }
        return Ok(Code::Done);
    }
    let report = engine.usage()?;
    if ui.is_json() {
        ui.json("lore.usage/1", &report);
    } else {
        people(ui, &report, args.limit);
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, report: &UsageReport, limit: usize) {
    if !report.used.is_empty() {
        ui.line(paint(Tone::Strong, "applied opened shown against"));
    }
    for item in report.used.iter().take(limit) {
        ui.line(format!(
            "{:>7} {:>6} {:>5} {:>7}  {}",
            item.applied,
            item.opened,
            item.surfaced,
            item.contradicted,
            cut(&item.title, 44)
        ));
        ui.line(format!("                             {}", paint(Tone::Name, shown(&item.id))));
    }
    ui.line(format!(
        "{} used in {} on this machine; {} never",
        counted(report.used.len(), "entry", "entries"),
        counted(report.sessions, "session", "sessions"),
        report.never
    ));
    for id in &report.ballast {
        ui.line(format!(
            "{} {}",
            paint(Tone::Warn, "shown often, never used:"),
            paint(Tone::Name, shown(id))
        ));
    }
}
