//! `lore edits`

use std::io::Read as _;
use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::curator::{EditSubmission, SubmittedEdits};

use super::{Outcome, editing};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  lore edits answer.json\n\nEvery edit is checked against the lines it cites. What was refused for its words, and what needs a\nsecond look, is asked about once; hand in the second half the same way, or say `--now`."
)]
pub(super) struct Args {
    /// File with the answer, instead of standard input
    file: Option<PathBuf>,
    /// The packet, where the answer does not name it
    #[arg(long, value_name = "ID")]
    packet: Option<String>,
    /// Write what is covered now; what needs a second look becomes a question for you
    #[arg(long)]
    now: bool,
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
    let submission = EditSubmission { packet: args.packet, json, now: args.now, dry_run: args.dry_run };
    let done = engine.submit_edits(&submission)?;
    if ui.is_json() {
        ui.json("lore.submitted/1", &done);
    } else {
        people(ui, &done);
    }
    Ok(if done.outcome.not_committed.is_some() { Code::No } else { Code::Done })
}

fn people(ui: &Ui, done: &SubmittedEdits) {
    if done.outcome.already {
        ui.line("Somebody answered this packet before; nothing was done.");
        if done.again {
            ui.line("What came of it then:");
            editing::outcomes(ui, std::slice::from_ref(&done.outcome), false);
        }
        return;
    }
    editing::outcomes(ui, std::slice::from_ref(&done.outcome), done.dry_run || done.ask.is_some());
    if let Some(ask) = &done.ask {
        ui.line(paint(Tone::Warn, "Nothing is written yet:"));
        ui.print(sanitised(ask));
        return;
    }
    let wait = counted(done.left, "session still waits", "sessions still wait");
    ui.note(format!(
        "{wait} where agents keep them; {} fetches the next packet",
        paint(Tone::Name, "lore packet")
    ));
}
