//! `lore distill`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::sessions::SessionFilter;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore distill 4f1c --explain")]
pub(super) struct Args {
    /// Id of the session, or its beginning
    session: String,
    /// File, folder or archive with transcripts, instead of the usual places
    #[arg(long, value_name = "PATH")]
    sessions: Option<PathBuf>,
    /// Show which evidence counted
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let filter = SessionFilter { path: args.sessions, everywhere: true, ..SessionFilter::default() };
    let candidates = engine.candidates(&filter, &args.session)?;
    if ui.is_json() {
        ui.json("lore.distill/1", &serde_json::json!({ "candidates": candidates }));
        return Ok(Code::Done);
    }
    for candidate in &candidates {
        let weight = format!("{:.2}", candidate.weight);
        ui.line(format!(
            "{} {:<12} {}",
            paint(Tone::Name, weight),
            candidate.kind.word(),
            paint(Tone::Strong, cut(&candidate.title, 60))
        ));
        ui.line(format!("     {}", sanitised(&candidate.text)));
        for evidence in &candidate.evidence {
            let place = format!("{} line {}", evidence.voice.word(), evidence.line);
            ui.line(format!("     {}", paint(Tone::Faint, format!("{place}: {}", cut(&evidence.quote, 60)))));
        }
        if args.explain {
            for (feature, share) in &candidate.features {
                ui.line(format!("       {share:+.2} {feature}"));
            }
        }
    }
    ui.note(counted(candidates.len(), "candidate", "candidates"));
    Ok(Code::Done)
}
