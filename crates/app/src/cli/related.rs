//! `lore related`

use lore_engine::Engine;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: lore related use-postgresql --mermaid")]
pub(super) struct Args {
    /// Id, alias, path, or the beginning of an id
    name: String,
    /// Draw the graph in Graphviz's language
    #[arg(long, conflicts_with = "mermaid")]
    dot: bool,
    /// Draw the graph as a Mermaid diagram
    #[arg(long)]
    mermaid: bool,
    /// How many similar entries
    #[arg(long, short = 'n', value_name = "N", default_value_t = 5)]
    limit: usize,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let around = engine.related(&args.name, args.limit)?;
    if ui.is_json() {
        ui.json("lore.related/1", &around);
        return Ok(Code::Done);
    }
    if args.dot || args.mermaid {
        ui.print(if args.dot { around.to_dot() } else { around.to_mermaid() });
        return Ok(Code::Done);
    }
    ui.print(sanitised(&around.to_text()));
    for hit in &around.similar {
        ui.line(format!(
            "  ~ similar: {} [{}]",
            cut(&hit.title, 50),
            paint(Tone::Name, hit.id.handle().as_str())
        ));
    }
    Ok(Code::Done)
}
