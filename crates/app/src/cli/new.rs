//! `lore new`

use std::io::{IsTerminal as _, Read as _};

use lore_core::{Confidence, Kind};
use lore_engine::Engine;
use lore_engine::entries::{NewEntry, skeleton};
use lore_engine::meet::Meeting;

use super::remember::meeting;
use super::{Outcome, edit, words};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint};

/// What the text of a new entry is called while it is written.
const NEW: &str = "new";

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore new \"Use PostgreSQL\" --type decision --tag storage\n  lore new \"Short answers\" -t preference --body \"Ada wants short answers.\""
)]
pub(super) struct Args {
    /// Title, at most ten words
    title: String,
    /// Kind of entry
    #[arg(long = "type", short = 't', value_name = "KIND", default_value = "fact", value_parser = words::kinds())]
    kind: String,
    /// The text; `-` reads it from standard input, nothing opens your editor
    #[arg(long, short, allow_hyphen_values = true)]
    body: Option<String>,
    /// Subject word, such as `auth/jwt`; may be repeated
    #[arg(long)]
    tag: Vec<String>,
    /// File it is about; may be repeated
    #[arg(long)]
    file: Vec<String>,
    /// Issue it belongs to; may be repeated
    #[arg(long)]
    issue: Vec<String>,
    /// Entry that it replaces; may be repeated
    #[arg(long, value_name = "ID")]
    supersedes: Vec<String>,
    /// Condition it rests on, such as `src/auth.ts exists`; may be repeated
    #[arg(long, value_name = "CONDITION")]
    depends_on: Vec<String>,
    /// How sure you are: high, medium or low
    #[arg(long, value_parser = words::confidences())]
    confidence: Option<String>,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let kind: Kind = args.kind.parse().map_err(lore_engine::Error::from)?;
    let confidence = match &args.confidence {
        None => None,
        Some(word) => Some(Confidence::from_word(word).ok_or_else(|| {
            Failure::usage(format!("`{word}` is not a confidence"), "use high, medium or low")
        })?),
    };
    let body = body(engine, args.body.as_deref(), kind)?;
    let new = NewEntry {
        kind: Some(kind),
        title: args.title,
        body,
        tags: args.tag,
        files: args.file,
        issues: args.issue,
        supersedes: args.supersedes,
        depends_on: args.depends_on,
        confidence,
    };
    let done = engine.add(new, args.dry_run).map_err(|error| typed(engine, error.into()))?;
    engine.drop_scratch(NEW);
    if ui.is_json() {
        ui.json("lore.done/1", &done);
    } else {
        let verb = if args.dry_run { "would write" } else { "wrote" };
        ui.line(format!(
            "{verb} {}  {}",
            paint(Tone::Name, done.id.handle().as_str()),
            paint(Tone::Faint, &done.path)
        ));
        if let Some(met) = done.met.as_ref().filter(|met| met.how != Meeting::Beside) {
            ui.line(meeting(met, None));
        }
    }
    Ok(Code::Done)
}

/// Says where the text is that was typed in vain.
fn typed(engine: &Engine, failure: Failure) -> Failure {
    match engine.unfinished().into_iter().find(|kept| kept.name == NEW) {
        Some(kept) => failure.and_hint(format!(
            "your text is kept in `{0}`; `lore new TITLE --body - < {0}` takes it",
            kept.file.display()
        )),
        None => failure,
    }
}

fn body(engine: &Engine, given: Option<&str>, kind: Kind) -> Result<String, Failure> {
    match given {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|e| Failure::environment("cannot read standard input", &e))?;
            Ok(text)
        }
        Some(text) => Ok(text.to_owned()),
        None if std::io::stdin().is_terminal() => {
            Ok(edit::in_editor(engine, skeleton(kind), skeleton(kind), NEW)?.0)
        }
        None => {
            Err(Failure::usage("an entry needs a text", "give it with `--body`, or `--body -` to read it"))
        }
    }
}
