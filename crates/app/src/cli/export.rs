//! `lore export`

use lore_engine::Engine;
use lore_engine::export::ExportForm;

use super::{Outcome, list};
use crate::error::Code;
use crate::ui::{Ui, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore export --status current > knowledge.md\n  lore export --agents-md --dry-run"
)]
pub(super) struct Args {
    /// Write the rules that people confirmed into AGENTS.md, between marks; from then on workers keep them current
    #[arg(long)]
    agents_md: bool,
    /// Also replace what somebody changed between the marks
    #[arg(long, requires = "agents_md")]
    replace: bool,
    /// Show AGENTS.md as it would be and write nothing
    #[arg(long, requires = "agents_md")]
    dry_run: bool,
    #[command(flatten)]
    filter: list::FilterArgs,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if args.agents_md {
        return rules(ui, engine, args);
    }
    let form = if ui.is_json() { ExportForm::Json } else { ExportForm::Markdown };
    ui.print(engine.export(form, &args.filter.clone().resolve(engine)?)?);
    Ok(Code::Done)
}

fn rules(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let done = engine.write_rules(args.replace, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.export.agents_md/1", &done);
    } else if args.dry_run {
        ui.print(sanitised(&done.text));
    } else if done.theirs {
        ui.line("AGENTS.md: left as it is, because somebody changed what stands between the marks");
        ui.note("`--replace` writes it anew, `--dry-run` shows how it would be.");
    } else {
        let what = match (done.changed, done.rules) {
            (true, 0) => "the block is gone, because no rule is confirmed".to_owned(),
            (false, 0) => "no rule is confirmed yet; `lore review` does that".to_owned(),
            (true, count) => format!("{count} confirmed rules written"),
            (false, count) => format!("{count} confirmed rules, nothing to do"),
        };
        ui.line(format!("AGENTS.md: {what}"));
    }
    Ok(if done.theirs { Code::No } else { Code::Done })
}
