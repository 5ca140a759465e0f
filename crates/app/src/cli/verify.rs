//! `lore verify`

use lore_engine::Engine;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore verify use-postgresql\n  lore verify AGENTS.md:12")]
pub(super) struct Args {
    /// Ids, aliases or paths; or a line of a file that is read beside entries, such as `AGENTS.md:12`
    #[arg(required = true)]
    names: Vec<String>,
    /// Show what would be marked and mark nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let mut names = Vec::new();
    let mut lines = Vec::new();
    for name in &args.names {
        match engine.confirm_written(name, args.dry_run)? {
            Some(written) => lines.push(written),
            None => names.push(name.clone()),
        }
    }
    let done = if names.is_empty() { Vec::new() } else { engine.verify(&names, args.dry_run)? };
    if ui.is_json() {
        let by = engine.world().person();
        ui.json("lore.verify/1", &serde_json::json!({ "verified": done, "written": lines, "by": by }));
        return Ok(Code::Done);
    }
    let verb = if args.dry_run { "would confirm" } else { "confirmed" };
    for one in &lines {
        let place = paint(Tone::Name, format!("{}:{}", one.file, one.line));
        ui.line(format!("{verb} {place}  {}", sanitised(&one.text)));
    }
    for one in &done {
        let by = paint(Tone::Faint, engine.world().person());
        ui.line(format!("{verb} {}  {by}", paint(Tone::Name, one.id.handle().as_str())));
    }
    Ok(Code::Done)
}
