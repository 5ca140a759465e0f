//! `lore export`

use lore_engine::Engine;
use lore_engine::export::ExportForm;

use super::{Outcome, list};
use crate::error::Code;
use crate::ui::Ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore export --status current > knowledge.md")]
pub(super) struct Args {
    #[command(flatten)]
    filter: list::FilterArgs,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let form = if ui.is_json() { ExportForm::Json } else { ExportForm::Markdown };
    ui.print(engine.export(form, &args.filter.clone().resolve(engine)?)?);
    Ok(Code::Done)
}
