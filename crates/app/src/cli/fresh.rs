//! `lore fresh`

use lore_engine::Engine;
use lore_engine::freshness::{Judged, Truth};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore fresh\n  lore fresh --suggest")]
pub(super) struct Args {
    /// Also show what still holds
    #[arg(long)]
    all: bool,
    /// Show conditions that entries without any could rest on
    #[arg(long)]
    suggest: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if args.suggest {
        return suggest(ui, engine);
    }
    let judged = engine.freshness()?;
    let broken = judged.iter().filter(|one| one.truth == Truth::Broken).count();
    let code = if broken > 0 { Code::No } else { Code::Done };
    if ui.is_json() {
        ui.json("lore.fresh/1", &serde_json::json!({ "broken": broken, "entries": judged }));
        return Ok(code);
    }
    for one in judged.iter().filter(|one| args.all || one.truth != Truth::Holds) {
        entry(ui, one);
    }
    if judged.is_empty() {
        ui.note("No entry rests on conditions; `lore fresh --suggest` shows which could.");
        return Ok(code);
    }
    let rest = counted(judged.len(), "entry rests", "entries rest");
    let hold = counted(broken, "no longer holds", "no longer hold");
    ui.note(format!("{rest} on conditions: {hold}"));
    Ok(code)
}

fn entry(ui: &Ui, judged: &Judged) {
    ui.line(format!(
        "{}  {}",
        paint(Tone::Strong, cut(&judged.title, 60)),
        paint(Tone::Name, judged.id.handle().as_str())
    ));
    for condition in &judged.conditions {
        let (tone, word) = match condition.truth {
            Truth::Holds => (Tone::Good, "holds"),
            Truth::Broken => (Tone::Bad, "broken"),
            Truth::CannotTell => (Tone::Warn, "cannot tell"),
        };
        ui.line(format!("  {} {}", paint(tone, format!("{word}:")), sanitised(&condition.condition)));
        for evidence in &condition.evidence {
            ui.line(format!("    {}", paint(Tone::Faint, evidence)));
        }
    }
}

/// Lists conditions for people to take over; nothing is written.
fn suggest(ui: &Ui, engine: &Engine) -> Outcome {
    let suggested = engine.suggested_conditions()?;
    if ui.is_json() {
        ui.json("lore.fresh/1", &serde_json::json!({ "suggested": suggested }));
        return Ok(Code::Done);
    }
    for one in &suggested {
        let id = paint(Tone::Name, one.id.handle().as_str());
        ui.line(format!("{}  {id}", paint(Tone::Strong, cut(&one.title, 60))));
        for condition in &one.conditions {
            ui.line(format!("  depends_on: {}", sanitised(condition)));
        }
    }
    ui.note(format!(
        "{} could rest on conditions that hold today; `lore edit ID` adds them",
        counted(suggested.len(), "entry", "entries")
    ));
    Ok(Code::Done)
}
