//! `lore log`

use lore_core::Moment;
use lore_engine::Engine;
use lore_engine::log::{Chronicle, LogOptions, RunTold};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore log --since 7d\n  lore log --since yesterday --json")]
pub(super) struct Args {
    /// Only what happened since: `7d`, `2 weeks`, `yesterday`, `monday`, `2026-02-01`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Show at most so many runs
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    limit: usize,
}

/// So many entries of one run are named.
const NAMED: usize = 30;

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let since = args.since.as_deref().map(|text| Moment::looking_back(text, engine.world().now));
    let since = since.transpose().map_err(lore_engine::Error::from)?;
    let chronicle = engine.log_of_runs(&LogOptions { since, limit: Some(args.limit) })?;
    if ui.is_json() {
        ui.json("lore.log/1", &chronicle);
    } else {
        people(ui, &chronicle);
    }
    Ok(if is_empty(&chronicle) { Code::No } else { Code::Done })
}

/// Tells whether nothing happened at all, shown or not.
fn is_empty(chronicle: &Chronicle) -> bool {
    chronicle.runs.is_empty() && chronicle.more == 0
}

fn people(ui: &Ui, chronicle: &Chronicle) {
    if is_empty(chronicle) {
        ui.note("Nothing happened in that time.");
    }
    for (number, run) in chronicle.runs.iter().enumerate() {
        if number > 0 {
            ui.line("");
        }
        one(ui, run);
    }
    if chronicle.more > 0 {
        let earlier = counted(chronicle.more, "earlier run", "earlier runs");
        ui.note(format!("{earlier}: `lore log --limit N` shows more"));
    }
}

fn one(ui: &Ui, run: &RunTold) {
    let id = run.id.as_deref().unwrap_or("-");
    let at = run.at.strftime("%Y-%m-%d %H:%M").to_string();
    let said = run.said.as_deref().unwrap_or(&run.command);
    let undone = run.undone_by.as_ref().map(|by| format!(" (undone by {by})")).unwrap_or_default();
    ui.line(format!(
        "{}  {at}  {}  {}{undone}",
        paint(Tone::Name, id),
        sanitised(&run.by),
        paint(Tone::Strong, cut(said, 60))
    ));
    for entry in run.entries.iter().take(NAMED) {
        let kind = entry.kind.map_or("entry", |kind| kind.word());
        let id = entry.id.as_ref().map(|id| format!("  {}", paint(Tone::Name, id.handle().as_str())));
        ui.line(format!(
            "  {:<10} {kind:<12} {}{}",
            entry.what,
            cut(&entry.title, 60),
            id.unwrap_or_default()
        ));
    }
    if run.entries.len() > NAMED {
        ui.line(format!("  … and {} more", run.entries.len() - NAMED));
    }
}
