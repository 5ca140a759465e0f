//! `lore check`

use lore_core::Level;
use lore_engine::Engine;
use lore_engine::check::Fix;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore check --fix")]
pub(super) struct Args {
    /// Mend what is safe: generated lists, and front matter of entries nobody edited
    #[arg(long)]
    fix: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let report = engine.check(if args.fix { Fix::Safe } else { Fix::No })?;
    let code = if report.is_clean() { Code::Done } else { Code::No };
    if ui.is_json() {
        ui.json("lore.check/1", &report);
        return Ok(code);
    }
    for file in &report.fixed {
        ui.line(format!("{} {file}", paint(Tone::Good, "mended")));
    }
    for one in &report.disputed {
        let said = format!("{} “{}”", one.id.handle(), sanitised(&one.title));
        ui.line(format!("{} {said}", paint(Tone::Warn, "contradicted by what came")));
    }
    if !report.disputed.is_empty() {
        ui.line(format!("  {} `lore review` shows both sides and decides", paint(Tone::Name, "hint:")));
    }
    for diagnostic in &report.diagnostics {
        let (tone, word) = match diagnostic.level {
            Level::Error => (Tone::Bad, "error"),
            Level::Warning => (Tone::Warn, "warning"),
            Level::Note => (Tone::Faint, "note"),
        };
        let place = paint(Tone::Strong, diagnostic.place.to_string());
        ui.line(format!("{place}: {} {}", paint(tone, format!("{word}:")), sanitised(&diagnostic.message)));
        if let Some(hint) = &diagnostic.hint {
            ui.line(format!("  {} {}", paint(Tone::Name, "hint:"), sanitised(hint)));
        }
    }
    let count = |level: Level| report.diagnostics.iter().filter(|d| d.level == level).count();
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    ui.note(format!(
        "{}: {}, {}",
        counted(report.entries, "entry", "entries"),
        counted(errors, "error", "errors"),
        counted(warnings, "warning", "warnings")
    ));
    Ok(code)
}
