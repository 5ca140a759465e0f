//! `lore model`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::models::Verified;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: lore model install ./all-MiniLM-L6-v2 && lore config set query.model all-minilm-l6-v2"
)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// List where vectors for the search by meaning can come from
    List,
    /// Copy a sentence model out of a local folder, after trying it
    Install(Install),
    /// Read a model's files again and try it
    Verify {
        /// Its name
        name: String,
    },
}

#[derive(Debug, clap::Args)]
struct Install {
    /// Folder in Hugging Face layout: config.json, vocab.txt, model.safetensors
    folder: PathBuf,
    /// What to call it, instead of the folder's name
    #[arg(long)]
    name: Option<String>,
    /// Try it and copy nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    match args.what.unwrap_or(What::List) {
        What::List => {
            let models = engine.models()?;
            if ui.is_json() {
                ui.json("lore.model/1", &serde_json::json!({ "models": models }));
                return Ok(Code::Done);
            }
            for model in models {
                let place = model
                    .folder
                    .map_or_else(|| "part of the program".to_owned(), |folder| folder.display().to_string());
                let used = if model.in_use { "  in use" } else { "" };
                ui.line(format!(
                    "{:<24} {:>6.1} MB  {}{used}",
                    paint(Tone::Strong, &model.name),
                    model.bytes as f64 / 1e6,
                    paint(Tone::Faint, place)
                ));
            }
            Ok(Code::Done)
        }
        What::Install(install) => {
            let verified = engine.install_model(&install.folder, install.name.as_deref(), install.dry_run)?;
            let outcome = report(ui, "lore.model.install/1", &verified);
            if verified.problems.is_empty() && !install.dry_run {
                ui.note(format!("use it with: lore config set query.model {}", verified.name));
            }
            outcome
        }
        What::Verify { name } => report(ui, "lore.model.verify/1", &engine.verify_model(&name)?),
    }
}

fn report(ui: &Ui, schema: &str, verified: &Verified) -> Outcome {
    let is_good = verified.problems.is_empty();
    if ui.is_json() {
        ui.json(schema, verified);
    } else if is_good {
        ui.line(format!(
            "{} {}: {} dimensions, contrast {:.2}",
            paint(Tone::Good, "good:"),
            verified.name,
            verified.dimensions,
            verified.contrast
        ));
    } else {
        for problem in &verified.problems {
            ui.line(format!("{} {}: {problem}", paint(Tone::Bad, "bad:"), verified.name));
        }
    }
    Ok(if is_good { Code::Done } else { Code::No })
}
