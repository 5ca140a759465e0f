//! `lore candidates`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::refine::OfferOptions;
use lore_engine::sessions::SessionFilter;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  lore candidates --json > offered.json\n\nWord them better and hand them back with `lore refine`."
)]
pub(super) struct Args {
    /// File, folder or archive with transcripts, instead of the usual places
    #[arg(long, value_name = "PATH")]
    sessions: Option<PathBuf>,
    /// Hand out at most this many
    #[arg(long, short = 'n', value_name = "N", default_value_t = 40)]
    limit: usize,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let filter = SessionFilter { path: args.sessions, ..SessionFilter::default() };
    let offers = engine.offers(&OfferOptions { filter, limit: args.limit })?;
    if ui.is_json() {
        ui.json("lore.candidates/1", &serde_json::json!({ "candidates": offers }));
        return Ok(Code::Done);
    }
    for offer in &offers {
        let name = paint(Tone::Name, &offer.offered.candidate);
        ui.line(format!("{}  {name}", paint(Tone::Strong, cut(&offer.offered.title, 60))));
        ui.line(format!("  {}", cut(&offer.offered.text, 76)));
    }
    ui.note(format!(
        "{} could be worded better; `--json` hands them out with the words they rest on",
        offers.len()
    ));
    Ok(Code::Done)
}
