//! `lore why`

use lore_core::handle::shown;
use lore_engine::Engine;
use lore_engine::why::{Why, WhyClaim};

use super::{Outcome, show};
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: lore why dec-k3f9x2")]
pub(super) struct Args {
    /// Id, short id, alias, path or title of an entry
    name: String,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> String {
        self.name.clone()
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let why = engine.why(&args.name)?;
    if ui.is_json() {
        ui.json("lore.why/1", &why);
    } else {
        people(ui, &why);
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, why: &Why) {
    ui.line(format!("{}  {}", paint(Tone::Strong, sanitised(&why.title)), paint(Tone::Name, shown(&why.id))));
    if let Some(ended) = &why.ended {
        show::ended(ui, ended);
    }
    why.claims.iter().for_each(|claim| statement(ui, claim));
    for old in &why.replaced {
        let id = paint(Tone::Name, old.id.handle().as_str());
        ui.line(format!("{} {id} “{}”", paint(Tone::Faint, "replaced"), sanitised(&old.title)));
    }
    for one in &why.against {
        ui.line(format!("{} {}", paint(Tone::Bad, "but"), sanitised(one)));
    }
    for one in &why.confirmed {
        ui.line(format!("{} {}", paint(Tone::Good, "confirmed by"), sanitised(one)));
    }
    for run in &why.runs {
        let id = run.id.as_deref().map(|id| format!("  {id}")).unwrap_or_default();
        ui.line(paint(
            Tone::Faint,
            format!("{}  {} by {}{}", run.day, run.what, sanitised(&run.by), sanitised(&id)),
        ));
    }
    if why.runs.iter().any(|run| run.id.is_some()) {
        // What a person wrote rests on nobody else's words.
        let cites = why.claims.iter().any(|claim| !claim.sources.is_empty());
        let open = if cites { "`lore open ID#s1` shows the words where they were said, " } else { "" };
        ui.note(format!("{open}`lore undo RUN` takes a run back."));
    }
}

fn statement(ui: &Ui, claim: &WhyClaim) {
    let standing = match claim.standing.as_str() {
        "holds" => String::new(),
        other => format!("{} ", paint(Tone::Warn, format!("{other}:"))),
    };
    ui.line(format!("- {standing}{}", sanitised(&claim.text)));
    if claim.sources.is_empty() {
        ui.line(paint(Tone::Faint, "    written by a person"));
    }
    for source in &claim.sources {
        let day = source.day.as_deref().map(|day| format!(", {day}")).unwrap_or_default();
        let place = format!("    {}{day}, {}", source.voice.word(), source.reference);
        ui.line(paint(Tone::Faint, place));
        if let Some(quote) = &source.quote {
            ui.line(format!("    “{}”", sanitised(quote)));
        }
    }
}
