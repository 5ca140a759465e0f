//! `lore refine`

use std::io::Read as _;
use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::refine::RefineReport;
use lore_engine::sessions::SessionFilter;

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  lore refine < refined.json\n\nThe form is {\"entries\": [{\"candidate\": \"…\", \"title\": \"…\", \"text\": \"…\"}]}.\nEach is checked against the words it rests on; what they do not say is refused."
)]
pub(super) struct Args {
    /// File with refined entries, instead of standard input
    file: Option<PathBuf>,
    /// File, folder or archive with transcripts, instead of the usual places
    #[arg(long, value_name = "PATH")]
    sessions: Option<PathBuf>,
    /// Show what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let json = match &args.file {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|e| Failure::environment(format!("cannot read `{}`", path.display()), &e))?,
        None => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|e| Failure::environment("cannot read standard input", &e))?;
            text
        }
    };
    let filter = SessionFilter { path: args.sessions, ..SessionFilter::default() };
    let mut report = engine.refine(&filter, &json, args.dry_run)?;
    if ui.is_json() {
        if let Some(curated) = &mut report.curated {
            curated.decisions.clear();
        }
        ui.json("lore.refine/1", &report);
    } else {
        people(ui, &report);
    }
    Ok(report.curated.as_ref().map_or(Code::Done, super::curate::ending))
}

fn people(ui: &Ui, report: &RefineReport) {
    for note in &report.notes {
        ui.note(format!("{} {}", paint(Tone::Warn, "refused:"), sanitised(note)));
    }
    let would = if report.dry_run { "would be " } else { "" };
    for id in &report.entries {
        ui.line(format!("{would}worded better  {}", paint(Tone::Name, id.handle().as_str())));
    }
    for id in &report.dropped {
        ui.line(format!("{would}taken back  {}", paint(Tone::Name, id.handle().as_str())));
    }
    if let Some(curated) = &report.curated {
        super::curate::people(ui, curated, 10);
    }
    ui.line(format!("{} worded better, {} refused", report.reworded, report.notes.len()));
}
