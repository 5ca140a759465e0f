//! `lore curate`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::curate::{CurateOptions, CurateReport, Touched};
use lore_engine::sessions::SessionFilter;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File, folder or archive with transcripts, instead of the usual places
    #[arg(long, value_name = "PATH")]
    sessions: Option<PathBuf>,
    /// Only sessions of this agent
    #[arg(long)]
    agent: Option<String>,
    /// Also sessions of other projects
    #[arg(long)]
    all: bool,
    /// Read every session again, also those that were curated before
    #[arg(long)]
    bootstrap: bool,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Make one git commit of it
    #[arg(long)]
    commit: bool,
    /// Say why, for each candidate
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let options = CurateOptions {
        filter: SessionFilter {
            path: args.sessions,
            agent: args.agent,
            everywhere: args.all,
            paths: Vec::new(),
        },
        bootstrap: args.bootstrap,
        dry_run: args.dry_run,
        commit: args.commit,
    };
    let progress = ui.progress("reading sessions");
    let report = engine.curate(&options, &|done, total| progress.at(done, total))?;
    drop(progress);
    if ui.is_json() {
        ui.json("lore.curate/1", &report);
        return Ok(Code::Done);
    }
    if args.explain {
        explain(ui, &report);
    }
    people(ui, &report);
    Ok(Code::Done)
}

/// Tells what was written, and how the rest went.
pub(super) fn people(ui: &Ui, report: &CurateReport) {
    let section = |what: &str, tone: Tone, touched: &[Touched]| {
        for one in touched {
            ui.line(format!(
                "{} {}  {}",
                paint(tone, what),
                paint(Tone::Strong, cut(&one.title, 44)),
                paint(Tone::Faint, &one.path)
            ));
            if report.dry_run {
                for line in one.text.lines() {
                    ui.line(format!("  {}", paint(Tone::Good, format!("+ {line}"))));
                }
            }
        }
    };
    section("new    ", Tone::Good, &report.created);
    section("changed", Tone::Warn, &report.updated);
    for problem in &report.problems {
        ui.note(format!("{} {}", paint(Tone::Warn, "left out:"), sanitised(problem)));
    }
    let would = if report.dry_run { "would make" } else { "made" };
    let outcomes: Vec<String> =
        report.outcomes.iter().map(|(word, count)| format!("{count} {word}")).collect();
    ui.line(format!(
        "{} sessions read, {} with something new; {would} {} articles, changed {}",
        report.sessions,
        report.fresh,
        report.created.len(),
        report.updated.len()
    ));
    if !outcomes.is_empty() {
        ui.line(format!(
            "statements: {}; {} wait for more to speak for them",
            outcomes.join(", "),
            report.queued
        ));
    }
}

fn explain(ui: &Ui, report: &CurateReport) {
    for decision in &report.decisions {
        ui.line(format!("{:<10} {}", decision.outcome.word(), paint(Tone::Strong, cut(&decision.title, 66))));
        for reason in &decision.reasons {
            ui.line(format!("  {}", sanitised(&reason.0)));
        }
    }
}
