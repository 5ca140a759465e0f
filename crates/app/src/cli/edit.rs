//! `lore edit`

use std::io::IsTerminal as _;
use std::process::Command;

use lore_engine::Engine;

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore edit use-postgresql")]
pub(super) struct Args {
    /// Id, alias, path, or the beginning of an id
    name: String,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    open(ui, engine, &args.name)
}

/// Opens an entry in the editor and puts it back.
pub(super) fn open(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let draft = engine.checkout(name)?;
    let mut text = in_editor(engine, &draft.text, &format!("{}.md", draft.id))?;
    loop {
        if text == draft.text {
            ui.note("Nothing was changed.");
            return Ok(Code::Done);
        }
        let problems = engine.problems(&draft, &text);
        if problems.is_empty() {
            break;
        }
        for problem in &problems {
            ui.note(format!("{} {problem}", paint(Tone::Warn, "note:")));
        }
        if !again(ui) {
            break;
        }
        text = in_editor(engine, &text, &format!("{}.md", draft.id))?;
    }
    let done = engine.checkin(&draft, &text)?;
    if ui.is_json() {
        ui.json("lore.done/1", &done);
    } else {
        ui.line(format!(
            "edited {}  {}",
            paint(Tone::Name, done.id.as_str()),
            paint(Tone::Faint, &done.path)
        ));
    }
    Ok(Code::Done)
}

/// Asks whether to open the editor again; in a script the text is taken as it is.
fn again(ui: &Ui) -> bool {
    if !std::io::stdin().is_terminal() {
        return false;
    }
    ui.note("Open the editor again? [Y/n]");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && !answer.trim().eq_ignore_ascii_case("n")
}

/// Lets the user edit a text in their editor and returns what they made of it.
pub(super) fn in_editor(engine: &Engine, text: &str, name: &str) -> Result<String, Failure> {
    let Some(editor) = engine.world().editor() else {
        return Err(Failure::usage("no editor is set", "set EDITOR, for instance `EDITOR=vi lore edit …`"));
    };
    let path = engine.scratch(name, text)?;
    let mut words = editor.split_whitespace();
    let program = words.next().unwrap_or("vi");
    let status = Command::new(program)
        .args(words)
        .arg(&path)
        .status()
        .map_err(|e| Failure::environment(format!("cannot start the editor `{editor}`"), &e))?;
    let edited = std::fs::read_to_string(&path)
        .map_err(|e| Failure::environment(format!("cannot read back `{}`", path.display()), &e));
    engine.drop_scratch(name);
    if !status.success() {
        return Err(Failure::usage(
            format!("the editor `{editor}` ended with an error"),
            "nothing was changed; try again",
        ));
    }
    edited
}
