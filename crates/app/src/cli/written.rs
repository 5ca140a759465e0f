//! `lore written`

use lore_engine::Engine;
use lore_engine::written::Written;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Ends with 1 where a file and the base disagree.\n\nExamples:\n  lore written\n  \
                        lore written --all\n  lore verify AGENTS.md:12")]
pub(super) struct Args {
    /// List every statement that is read, with file and line
    #[arg(long)]
    all: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let files = engine.written_files();
    let disagreements = engine.disagreements()?;
    let statements = if args.all { engine.everything_written() } else { Vec::new() };
    let ending = if disagreements.is_empty() { Code::Done } else { Code::No };
    if ui.is_json() {
        let report =
            serde_json::json!({ "files": files, "statements": statements, "disagreements": disagreements });
        ui.json("lore.written/1", &report);
        return Ok(ending);
    }
    if files.is_empty() {
        ui.note("There is no AGENTS.md, no rule file and no decision record here.");
    }
    if args.all {
        statements.iter().for_each(|one| row(ui, one));
    } else {
        for file in &files {
            let about = paint(Tone::Faint, file.about);
            ui.line(format!(
                "{}  {}  {about}",
                paint(Tone::Strong, sanitised(&file.file)),
                counted(file.statements, "statement", "statements")
            ));
        }
    }
    if !disagreements.is_empty() {
        ui.line(format!("\n{}", paint(Tone::Bad, "A file and the base disagree")));
    }
    for one in &disagreements {
        ui.line(format!("- {}:{}  {}", sanitised(&one.file), one.line, sanitised(&one.written)));
        ui.line(format!("  {}  {}", paint(Tone::Name, one.entry.handle().as_str()), sanitised(&one.says)));
    }
    if !disagreements.is_empty() {
        ui.note("Neither is changed: correct the file, or the entry with `lore edit ID`.");
    }
    Ok(ending)
}

/// Prints what files say, apart from entries.
pub(super) fn beside(ui: &Ui, written: &[Written]) {
    if written.is_empty() {
        return;
    }
    ui.line(paint(Tone::Warn, "Written in files"));
    written.iter().for_each(|one| row(ui, one));
}

fn row(ui: &Ui, one: &Written) {
    ui.line(format!("  {}", sanitised(&one.text)));
    ui.line(format!(
        "  {}",
        paint(Tone::Faint, format!("({}:{}, {})", sanitised(&one.file), one.line, one.standing.word()))
    ));
}
