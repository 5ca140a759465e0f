//! `lore told`

use lore_core::Moment;
use lore_engine::Engine;
use lore_engine::told::Telling;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore told --since today\n  lore told 6af70815")]
pub(super) struct Args {
    /// The session, or the beginning of its id; without it every session is listed
    session: Option<String>,
    /// Only what was given since: `7d`, `yesterday`, `2026-02-01`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let since = args.since.as_deref().map(|text| Moment::looking_back(text, engine.world().now));
    let since = since.transpose().map_err(lore_engine::Error::from)?;
    let told = engine.told(args.session.as_deref(), since)?;
    if ui.is_json() {
        ui.json("lore.told/1", &serde_json::json!({ "told": told }));
    } else if args.session.is_some() {
        told.iter().for_each(|telling| whole(ui, telling));
    } else {
        told.iter().for_each(|telling| line(ui, telling));
        if told.is_empty() {
            ui.note("No agent was told anything in that time.");
        } else {
            ui.note("`lore told SESSION` shows the words.");
        }
    }
    Ok(if told.is_empty() { Code::No } else { Code::Done })
}

fn heading(telling: &Telling) -> String {
    let at = telling.at.strftime("%Y-%m-%d %H:%M:%S").to_string();
    format!("{at}  {}  {}", paint(Tone::Name, &telling.session), paint(Tone::Strong, &telling.event))
}

fn line(ui: &Ui, telling: &Telling) {
    let asked =
        if telling.asked.is_empty() { String::new() } else { format!("  {}", cut(&telling.asked, 50)) };
    let characters = telling.text.chars().count();
    ui.line(format!(
        "{}  {}, {characters} characters{asked}",
        heading(telling),
        counted(telling.because.len(), "source", "sources")
    ));
}

fn whole(ui: &Ui, telling: &Telling) {
    ui.line(heading(telling));
    if !telling.asked.is_empty() {
        ui.line(format!("{} {}", paint(Tone::Faint, "asked:"), sanitised(&telling.asked)));
    }
    for one in &telling.because {
        let score = one.score.map(|score| format!(" {score:.2}")).unwrap_or_default();
        ui.line(format!("{} {}{score}  {}", paint(Tone::Faint, "because:"), one.why, sanitised(&one.source)));
    }
    ui.line(sanitised(&telling.text));
    ui.line("");
}
