//! `lore agents`

use std::collections::BTreeMap;

use lore_core::Moment;
use lore_engine::Engine;
use lore_engine::agents::{AgentFigures, Work, WorkFilter, outcome};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint};

/// The longest bar of the chart.
const BAR: usize = 20;
/// So many domains of an agent are shown to people, the busiest.
const DOMAINS: usize = 8;

#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  lore agents --since 30d\n  lore agents --domain src/auth\n  lore agents record reviewer --outcome success --domain auth --issue 42"
)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    show: Show,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Record how a piece of work ended
    Record(Record),
    /// Show how agents did, by model and domain
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
    /// Only work on this part of the system: a folder, or a part of its name
    #[arg(long)]
    domain: Option<String>,
    /// Only work of this agent
    #[arg(long)]
    agent: Option<String>,
    /// Only work since then: a date, `7d`, `yesterday`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    match args.what.unwrap_or(What::Show(args.show)) {
        What::Record(record) => {
            let work = Work {
                agent: record.agent,
                outcome: outcome(&record.outcome)?,
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
            let since = show.since.as_deref().map(|text| engine.looking_back(text)).transpose()?;
            let found = engine.agents(&WorkFilter { domain: show.domain, agent: show.agent, since });
            if ui.is_json() {
                ui.json("lore.agents/1", &serde_json::json!({ "agents": found }));
            } else if found.is_empty() {
                ui.note("No work is known. `lore sense` reads it off sessions (`--again` those that were read before),");
                ui.note("`lore agents record NAME --outcome success` takes it from you.");
            } else {
                people(ui, &found);
            }
        }
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, found: &[AgentFigures]) {
    let widest = |agent: &AgentFigures| {
        let names = agent.models.keys().chain(agent.domains.keys()).map(|name| name.chars().count() + 5);
        names.chain([agent.agent.chars().count()]).max().unwrap_or(0)
    };
    let wide = found.iter().map(widest).max().unwrap_or(0).clamp(12, 40);
    let head = format!(
        "{:<wide$}  {:>4}  {:>5}  {:>7}  {:>5}  {:>5}  {:>9}  {:>9}  {:>10}  {:>7}",
        "agent",
        "work",
        "known",
        "success",
        "green",
        "red",
        "committed",
        "corrected",
        "taken back",
        "minutes"
    );
    ui.line(paint(Tone::Faint, head));
    for agent in found {
        let minutes = agent.minutes.map_or_else(|| "-".to_owned(), |minutes| minutes.to_string());
        ui.line(format!(
            "{}  {:>4}  {:>5}  {:>7}  {:>5}  {:>5}  {:>9}  {:>9}  {:>10}  {:>7}",
            paint(Tone::Strong, format!("{:<wide$}", cut(&agent.agent, wide))),
            agent.invocations,
            agent.judged,
            percent(agent.judged, agent.success),
            agent.green,
            agent.red,
            agent.committed,
            agent.corrected,
            agent.reverted,
            minutes
        ));
        chart(ui, "with", &agent.models, wide);
        chart(ui, "in", &agent.domains, wide);
    }
    ui.note(
        "known: how it ended is known (tests, commits, corrections, what was taken back, what was recorded).",
    );
}

/// Draws one bar per model or domain, the busiest first.
fn chart(ui: &Ui, word: &str, parts: &BTreeMap<String, (usize, f64)>, wide: usize) {
    let mut parts: Vec<(&String, usize, f64)> =
        parts.iter().map(|(name, (count, share))| (name, *count, *share)).collect();
    parts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let more = parts.len().saturating_sub(DOMAINS);
    for (at, (name, count, share)) in parts.into_iter().take(DOMAINS).enumerate() {
        let word = if at == 0 { word } else { "" };
        let full = ((share * BAR as f64).round() as usize).min(BAR);
        let name = format!("{word:>4} {}", cut(name, wide.saturating_sub(5)));
        ui.line(format!(
            "{name:<wide$}        {count:>5}  {:>7}  {}{}",
            percent(count, share),
            paint(Tone::Good, "█".repeat(full)),
            paint(Tone::Faint, "░".repeat(BAR - full))
        ));
    }
    if more > 0 {
        ui.line(paint(Tone::Faint, format!("     and {more} more (--json lists all)")));
    }
}

fn percent(count: usize, share: f64) -> String {
    if count == 0 { "-".to_owned() } else { format!("{:.0} %", share * 100.0) }
}
