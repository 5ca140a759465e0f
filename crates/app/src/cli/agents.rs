//! `lore agents`

use lore_core::Moment;
use lore_engine::Engine;
use lore_engine::agents::{AgentFigures, Work};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: lore agents record reviewer --outcome success --domain auth --issue 42")]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Record how a piece of work ended
    Record(Record),
    /// Show how agents did, by domain
    Show(Show),
}

#[derive(Debug, clap::Args)]
struct Record {
    /// The agent
    agent: String,
    /// success, partial or failed
    #[arg(long)]
    outcome: String,
    /// Part of the system
    #[arg(long)]
    domain: Option<String>,
    /// Issue it was about
    #[arg(long)]
    issue: Option<String>,
    /// How long it took
    #[arg(long)]
    minutes: Option<u32>,
    /// It had to be done again
    #[arg(long)]
    rework: bool,
    /// Check the request and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args, Default)]
struct Show {
    /// Only work on this part of the system
    #[arg(long)]
    domain: Option<String>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    match args.what.unwrap_or(What::Show(Show::default())) {
        What::Record(record) => {
            let work = Work {
                agent: record.agent,
                outcome: record.outcome.parse()?,
                domain: record.domain,
                issue: record.issue.map(|issue| issue.trim_start_matches('#').to_owned()),
                minutes: record.minutes,
                rework: record.rework,
                at: Moment::Instant(engine.world().now),
            };
            engine.record_work(&work, record.dry_run)?;
            if ui.is_json() {
                ui.json("lore.agents.record/1", &work);
            } else {
                let would = if record.dry_run { "would record" } else { "recorded" };
                ui.line(format!("{would} {}", paint(Tone::Strong, &work.agent)));
            }
        }
        What::Show(show) => {
            let found = engine.agents(show.domain.as_deref());
            if ui.is_json() {
                ui.json("lore.agents/1", &serde_json::json!({ "agents": found }));
            } else if found.is_empty() {
                ui.note("Nothing was recorded. `lore agents record NAME --outcome success` does.");
            }
            if !ui.is_json() {
                found.iter().for_each(|agent| people(ui, agent));
            }
        }
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, agent: &AgentFigures) {
    let minutes = agent.minutes.map(|minutes| format!(", {minutes} min in the middle")).unwrap_or_default();
    ui.line(format!(
        "{}  {} pieces of work, {:.0} % success, {:.0} % done again{minutes}",
        paint(Tone::Strong, &agent.agent),
        agent.invocations,
        agent.success * 100.0,
        agent.rework * 100.0
    ));
    for (domain, (count, success)) in &agent.domains {
        ui.line(format!("  {domain:<16} {count:>4}  {:>3.0} %", success * 100.0));
    }
}
