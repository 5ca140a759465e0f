//! `lore open`

use std::path::Path;

use lore_engine::Engine;
use lore_engine::reference::Opened;

use super::edit::{editor, not_started};
use super::{Outcome, show};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore open dec-k3f9x2\n  lore open dec-k3f9x2#s1\n  lore open 6af70815#L88\n  lore open src/db/pool.rs:12\n  lore open '#74'"
)]
pub(super) struct Args {
    /// Whatever stands in our output: an id or its short form, a path, a title, a footnote such as
    /// `dec-k3f9x2#s1`, `session://…#L88`, `6af70815:24`, a commit, `file:line`, an issue
    #[arg(value_name = "REF")]
    reference: String,
    /// Show this many lines of a file, or turns of a session, around the one that is meant, instead of three; without
    /// it a footnote shows only what is cited
    #[arg(long, value_name = "N")]
    context: Option<usize>,
    /// Open the file in your editor, at the line
    #[arg(long, conflicts_with = "path")]
    editor: bool,
    /// Print only where it stands, as `file:line`
    #[arg(long)]
    path: bool,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> String {
        self.reference.clone()
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let opened = engine.open_reference("by-hand", &args.reference, args.context)?;
    if args.path || args.editor {
        let Some(file) = &opened.file else {
            let sentence = format!("`{}` is a {} and stands in no file", args.reference, opened.what);
            return Err(Failure::usage(sentence, "leave `--path` and `--editor` out to print it"));
        };
        if args.path {
            let line = opened.line.map(|line| format!(":{line}")).unwrap_or_default();
            ui.line(format!("{}{line}", file.display()));
            return Ok(Code::Done);
        }
        return edit(engine, file, opened.line);
    }
    if ui.is_json() {
        ui.json("lore.open/1", &opened);
    } else {
        people(ui, &opened);
    }
    Ok(Code::Done)
}

/// Prints what a reference led to.
pub(super) fn people(ui: &Ui, opened: &Opened) {
    if let Some(shown) = opened.entry.as_ref().filter(|_| opened.line.is_none()) {
        // What another project holds must not be taken for what holds here.
        if let Some(note) = &opened.note {
            ui.line(format!("{} {}", paint(Tone::Warn, "note:"), sanitised(note)));
        }
        return show::people(ui, shown);
    }
    ui.line(paint(Tone::Strong, &opened.title));
    ui.line(format!("{} · {}", opened.what, paint(Tone::Name, &opened.name)));
    ui.line("");
    ui.print(sanitised(&opened.text));
    if let Some(note) = &opened.note {
        ui.note(format!("{} {}", paint(Tone::Warn, "note:"), sanitised(note)));
    }
}

/// Starts the user's editor on a file, at the line where the editor is known to take one.
fn edit(engine: &Engine, file: &Path, line: Option<u32>) -> Outcome {
    let (program, mut command) = editor(engine.world(), "open")?;
    let name = Path::new(&program).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    match (name, line) {
        ("code" | "codium" | "cursor", Some(line)) => {
            command.arg("--goto").arg(format!("{}:{line}", file.display()));
        }
        ("hx" | "zed" | "subl", Some(line)) => {
            command.arg(format!("{}:{line}", file.display()));
        }
        (_, Some(line)) => {
            command.arg(format!("+{line}")).arg(file);
        }
        (_, None) => {
            command.arg(file);
        }
    }
    let status = command.status().map_err(|e| not_started(&program, &e))?;
    Ok(if status.success() { Code::Done } else { Code::Environment })
}
