//! `lore edit`: what was typed is never lost.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::Command;

use lore_core::{Diagnostic, Level};
use lore_engine::diff::{Line, diff};
use lore_engine::edit::{Draft, Unfinished};
use lore_engine::{Engine, World};

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore edit use-postgresql\n  lore edit --resume")]
pub(super) struct Args {
    /// Id, short id, alias, path, title, or the beginning of an id
    #[arg(required_unless_present_any = ["resume", "discard"])]
    name: Option<String>,
    /// Go on with a text that could not be put in place
    #[arg(long, conflicts_with = "discard")]
    resume: bool,
    /// Throw such a text away
    #[arg(long)]
    discard: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if !args.resume && !args.discard {
        return open(ui, engine, args.name.as_deref().unwrap_or_default());
    }
    let kept = unfinished(engine, args.name.as_deref())?;
    if args.discard {
        engine.drop_scratch(&kept.name);
        ui.note(format!("The text of {} is thrown away.", sanitised(&kept.name)));
        return Ok(Code::Done);
    }
    let draft = engine.checkout(&kept.name)?;
    if draft.text != kept.base {
        ui.note(paint(Tone::Warn, "The entry was changed meanwhile; this is what your text does not have:"));
        for line in diff(&kept.base, &draft.text) {
            ui.note(match line {
                Line::Kept(text) => format!("  {}", sanitised(&text)),
                Line::Added(text) => paint(Tone::Good, format!("+ {text}")),
                Line::Removed(text) => paint(Tone::Bad, format!("- {text}")),
                Line::Gap(count) => paint(Tone::Faint, format!("  … {}", counted(count, "line", "lines"))),
            });
        }
    }
    edit(ui, engine, &draft, kept.text)
}

/// Opens an entry in the editor and puts it back.
pub(super) fn open(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let draft = engine.checkout(name)?;
    if let Some(kept) = engine.unfinished().into_iter().find(|kept| kept.name == draft.id.as_str()) {
        return Err(Failure::usage(
            format!("there is a text of `{}` that was not put in place: `{}`", draft.id, kept.file.display()),
            format!(
                "`lore edit --resume {0}` goes on with it, `lore edit --discard {0}` throws it away",
                draft.id.handle()
            ),
        ));
    }
    let text = draft.text.clone();
    edit(ui, engine, &draft, text)
}

/// Lets the user edit until the text can be put in place or they give up; either way it is kept until it is.
fn edit(ui: &Ui, engine: &Engine, draft: &Draft, mut text: String) -> Outcome {
    let name = draft.id.as_str();
    let before = engine.problems(draft, &draft.text);
    let known = |found: &Diagnostic| {
        before.iter().any(|other| (&other.code, &other.message) == (&found.code, &found.message))
    };
    loop {
        let (edited, file) = in_editor(engine, &text, &draft.text, name)?;
        text = edited;
        if text == draft.text {
            engine.drop_scratch(name);
            ui.note("Nothing was changed.");
            if ui.is_json() {
                let same = serde_json::json!({ "id": draft.id, "path": draft.path, "changed": false, "dry_run": false });
                ui.json("lore.done/1", &same);
            }
            return Ok(Code::Done);
        }
        // What was odd before is not this edit's to mend.
        let problems: Vec<Diagnostic> =
            engine.problems(draft, &text).into_iter().filter(|found| !known(found)).collect();
        for problem in &problems {
            ui.note(format!("{} {problem}", paint(Tone::Warn, "note:")));
        }
        if problems.iter().any(|problem| problem.level > Level::Note) {
            if again(ui) {
                continue;
            }
            let sentence = format!("the text of `{}` cannot be read as it stands", draft.id.handle());
            return Err(Failure::usage(sentence, kept_at(&file, draft)));
        }
        let failure: Failure = match engine.checkin(draft, &text) {
            Ok(done) => {
                engine.drop_scratch(name);
                if ui.is_json() {
                    ui.json("lore.done/1", &done);
                } else {
                    ui.line(format!(
                        "edited {}  {}",
                        paint(Tone::Name, done.id.handle().as_str()),
                        paint(Tone::Faint, &done.path)
                    ));
                }
                return Ok(Code::Done);
            }
            Err(error) => error.into(),
        };
        if std::io::stdin().is_terminal() {
            ui.note(format!("{} {failure}", paint(Tone::Bad, "not put in place:")));
            if again(ui) {
                continue;
            }
        }
        return Err(failure.and_hint(kept_at(&file, draft)));
    }
}

fn kept_at(file: &std::path::Path, draft: &Draft) -> String {
    format!(
        "your text is kept in `{}`; `lore edit --resume {}` goes on with it",
        file.display(),
        draft.id.handle()
    )
}

/// Finds the text that is meant among those that were not put in place.
fn unfinished(engine: &Engine, name: Option<&str>) -> Result<Unfinished, Failure> {
    let mut all = engine.unfinished();
    if let Some(name) = name {
        let id = engine.checkout(name)?.id;
        all.retain(|kept| kept.name == id.as_str());
    }
    match all.len() {
        0 => {
            Err(Failure::usage("there is no text that was not put in place", "`lore edit ENTRY` begins one"))
        }
        1 => Ok(all.swap_remove(0)),
        _ => {
            let names: Vec<String> = all.iter().map(|kept| format!("`{}`", kept.name)).collect();
            Err(Failure::usage(format!("there are texts of {}", names.join(", ")), "name one of them"))
        }
    }
}

/// Asks whether to open the editor again; in a script nobody answers.
fn again(ui: &Ui) -> bool {
    if !std::io::stdin().is_terminal() {
        return false;
    }
    ui.note("Open the editor again? [Y/n]");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok() && !answer.trim().eq_ignore_ascii_case("n")
}

/// Lets the user edit a text and returns what they made of it, and the file in which that stays.
pub(super) fn in_editor(
    engine: &Engine,
    text: &str,
    base: &str,
    name: &str,
) -> Result<(String, PathBuf), Failure> {
    let (editor, mut command) = editor(engine.world(), "edit")?;
    let path = engine.scratch(name, text, base)?;
    let status = command.arg(&path).status();
    // Bytes that are no text are not thrown away either: the file stays.
    let edited = std::fs::read(&path)
        .map_err(|e| Failure::environment(format!("cannot read back `{}`", path.display()), &e))?;
    let edited = String::from_utf8_lossy(&edited).into_owned();
    let ended = match &status {
        Ok(status) if status.success() => return Ok((edited, path)),
        Ok(_) => Failure::usage(format!("the editor `{editor}` ended with an error"), "nothing was changed"),
        Err(e) => not_started(&editor, e),
    };
    if edited == base {
        engine.drop_scratch(name);
        return Err(ended);
    }
    Err(ended.and_hint(format!(
        "what was typed is kept in `{}`; `lore edit --resume` goes on with it",
        path.display()
    )))
}

/// Returns the user's editor, by its name and as it is started.
pub(super) fn editor(world: &World, what: &str) -> Result<(String, Command), Failure> {
    let Some(words) = world.editor() else {
        let hint = format!("set EDITOR, for instance `EDITOR=vi lore {what} …`");
        return Err(Failure::usage("no editor is set", hint));
    };
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    Ok((words[0].clone(), command))
}

pub(super) fn not_started(editor: &str, source: &std::io::Error) -> Failure {
    Failure::environment(format!("cannot start the editor `{editor}`"), source).and_hint(
        "set EDITOR to a program that is here, such as `EDITOR=vi`; quotes keep a name with spaces together",
    )
}
