//! `lore packet`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::curator::{HandedPacket, grouped};
use lore_engine::sessions::SessionFilter;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Ui, counted, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  lore packet > packet.txt\n\nAnswer it with the one JSON object it asks for and hand that in with `lore edits`.\nNobody else gets the same packet for a quarter of an hour."
)]
pub(super) struct Args {
    /// File, folder or archive with transcripts, instead of the usual places
    #[arg(long, value_name = "PATH")]
    sessions: Option<PathBuf>,
    /// Only sessions of this agent
    #[arg(long)]
    agent: Option<String>,
    /// At most this large, in tokens
    #[arg(long, value_name = "TOKENS")]
    max_tokens: Option<usize>,
    /// Show it without taking it
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let filter = SessionFilter { path: args.sessions, agent: args.agent, ..SessionFilter::default() };
    let handed = if args.dry_run {
        engine.show_packet(&filter, args.max_tokens)?
    } else {
        engine.next_packet(&filter, args.max_tokens)?
    };
    if ui.is_json() {
        ui.json("lore.packet/1", &handed);
        return Ok(ending(&handed));
    }
    ui.print(sanitised(&handed.text));
    if let Some(packet) = &handed.packet {
        ui.note(format!(
            "packet {packet}; {}, about {} tokens; `lore edits FILE` takes the answer",
            counted(handed.left, "session waits", "sessions wait"),
            grouped(handed.tokens)
        ));
    }
    if let Some(why) = handed.why_none() {
        ui.note(why);
    }
    Ok(ending(&handed))
}

/// Where nothing waits, the honest answer is no.
fn ending(handed: &HandedPacket) -> Code {
    if handed.packet.is_some() { Code::Done } else { Code::No }
}
