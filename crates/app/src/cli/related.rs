//! `lore related`

use lore_engine::Engine;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint};

#[derive(Debug, clap::Args)]
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
    ui.line(format!("{}  {}", paint(Tone::Strong, &around.title), paint(Tone::Name, &around.entry)));
    for edge in &around.edges {
        let (arrow, other) = if edge.from == around.entry { ("→", &edge.to) } else { ("←", &edge.from) };
        let title = around.titles.get(other).map_or("", String::as_str);
        ui.line(format!(
            "  {arrow} {:<13} {}  {}",
            edge.kind.key(),
            cut(title, 40),
            paint(Tone::Name, other)
        ));
    }
    for hit in &around.similar {
        ui.line(format!(
            "  ~ {:<13} {}  {}",
            "similar",
            cut(&hit.title, 40),
            paint(Tone::Name, hit.id.as_str())
        ));
    }
    Ok(Code::Done)
}
