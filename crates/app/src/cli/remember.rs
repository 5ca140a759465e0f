//! `lore remember`

use lore_core::{EntryId, Kind};
use lore_engine::Engine;
use lore_engine::meet::{Meeting, Met};
use lore_engine::remember::Remembered;

use super::{Outcome, words};
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore remember \"Always run the migrations before the seeds.\"\n  lore remember --personal \"I like short commit messages.\""
)]
pub(super) struct Args {
    /// What to remember, in a sentence or two
    #[arg(required = true)]
    sentence: Vec<String>,
    /// Kind of entry, where it is not the one your words have
    #[arg(long, short = 'k', visible_alias = "type", value_name = "KIND", value_parser = words::kinds())]
    kind: Option<String>,
    /// Show what would be kept and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let kind: Option<Kind> =
        args.kind.as_deref().map(str::parse).transpose().map_err(lore_engine::Error::from)?;
    let done = engine.remember(&args.sentence.join(" "), kind, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.remember/1", &done);
    } else {
        people(ui, &done);
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, done: &Remembered) {
    let would = if done.dry_run { "would be " } else { "" };
    let head = match done.outcome {
        "known" => paint(Tone::Warn, format!("{would}confirmed, known already:")),
        "withdrawn" => paint(Tone::Warn, format!("{would}withdrawn, as you take it back:")),
        _ => paint(Tone::Good, format!("{would}kept as {}:", done.kind.one())),
    };
    ui.line(format!("{head} {}", paint(Tone::Strong, sanitised(&cut(&done.title, 60)))));
    let place = if done.personal { " (your own base)" } else { "" };
    ui.line(format!(
        "  {}  {}{place}",
        paint(Tone::Name, done.handle.as_str()),
        paint(Tone::Faint, &done.path)
    ));
    match (&done.met, &done.run) {
        (Some(_), Some(run)) if done.outcome == "withdrawn" => {
            ui.line(format!("  undo with `lore undo {run}`"))
        }
        (Some(met), run) if met.how != Meeting::Known && done.outcome != "withdrawn" => {
            ui.line(meeting(met, run.as_deref()));
        }
        _ => {}
    }
}

/// Says what something new met, and how to take that back.
pub(super) fn meeting(met: &Met, run: Option<&str>) -> String {
    let word = match met.how {
        Meeting::Known => "says the same as",
        Meeting::Replaces => "replaces",
        Meeting::Changes => "changes a part of (the rest still holds, and both are shown together)",
        Meeting::Contradicts if met.unsure => "may contradict (both are shown until you decide)",
        Meeting::Contradicts => "contradicts (both are shown until you decide)",
        Meeting::Beside => "stands beside",
    };
    let handle = met.id.handle();
    let way = match met.how {
        Meeting::Contradicts if !met.unsure => format!("`lore review settle {handle} --side N` decides, "),
        Meeting::Contradicts | Meeting::Replaces => format!("`lore review both {handle}` if both hold, "),
        _ => String::new(),
    };
    let undo = match (met.how, run) {
        (Meeting::Replaces | Meeting::Changes | Meeting::Contradicts, Some(run)) => {
            format!(": {way}undo with `lore undo {run}`")
        }
        _ => String::new(),
    };
    let one = |id: &EntryId, said: &str| {
        let said = format!("“{}”", cut(said, 80));
        format!("{} {}", paint(Tone::Name, id.handle().as_str()), sanitised(&said))
    };
    let first = std::iter::once(one(&met.id, &met.said));
    let all: Vec<String> = first.chain(met.also.iter().map(|also| one(&also.id, &also.said))).collect();
    format!("  {word} {}{undo}", all.join(", "))
}
