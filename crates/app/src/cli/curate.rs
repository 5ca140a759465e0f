//! `lore curate`

use std::path::PathBuf;

use lore_core::{Kind, Status};
use lore_engine::Engine;
use lore_engine::curate::{CurateOptions, CurateReport, Touched, When};
use lore_engine::curator::{EditCost, EditReport};
use lore_engine::diff::{Line, diff};
use lore_engine::sessions::SessionFilter;

use super::{Outcome, editing};
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore curate --dry-run\n  lore curate --with claude\n  lore curate --with claude --dry-run --no-ask\n  lore curate --show-packet\n  lore curate --since 2026-02-01"
)]
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
    /// Only sessions that went on since then: a date or time, `7d`, `yesterday`
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Only if enough sessions are new (the setting `curate.after_sessions`)
    #[arg(long)]
    due: bool,
    /// Read every session again, also those that were curated before
    #[arg(long)]
    bootstrap: bool,
    /// Show what would change as a difference, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Make one git commit of it
    #[arg(long)]
    commit: bool,
    /// Have this editor go through what waits: claude, codex, gemini, opencode, llm, or a name of `curate.editors`
    #[arg(long, value_name = "NAME", help_heading = "Editor")]
    with: Option<String>,
    /// Print exactly what the editor would be shown next, and do nothing
    #[arg(long, help_heading = "Editor", conflicts_with_all = ["with", "dry_run"])]
    show_packet: bool,
    /// Ask no editor, whatever the settings say; only estimate
    #[arg(long, help_heading = "Editor")]
    no_ask: bool,
    /// Go on without asking what it may cost
    #[arg(long, short = 'y', help_heading = "Editor")]
    yes: bool,
    /// Say why, for each statement
    #[arg(long)]
    explain: bool,
    /// Name at most this many articles of each sort
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    limit: usize,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let since = args.since.as_deref().map(|text| engine.looking_back(text)).transpose()?;
    let options = CurateOptions {
        filter: SessionFilter {
            path: args.sessions,
            agent: args.agent,
            everywhere: args.all,
            ..SessionFilter::default()
        },
        bootstrap: args.bootstrap,
        since,
        when: if args.due { When::Due } else { When::Now },
        dry_run: args.dry_run,
        commit: args.commit,
    };
    let wanted = editing::Wanted {
        with: args.with,
        show_packet: args.show_packet,
        no_ask: args.no_ask,
        yes: args.yes,
        dry_run: args.dry_run,
        limit: args.limit,
    };
    if wanted.show_packet {
        return editing::show_packet(ui, engine, &options.filter);
    }
    if let Some(name) = &wanted.with {
        // A wrong name is said before anything is read.
        engine.editor(name)?;
    }
    let progress = ui.progress("reading sessions");
    let mut report = engine.curate(&options, &|done, total| {
        progress.at(done, total);
        if done == total {
            progress.say("weighing what was said");
        }
    })?;
    drop(progress);
    let was_due = !report.was_not_due();
    let (backlog, edited) =
        if was_due { editing::run(ui, engine, &options.filter, &wanted)? } else { Default::default() };
    if ui.is_json() {
        if !args.explain {
            report.decisions.clear();
        }
        let EditCost { sent, back } = backlog.cost();
        let waiting = serde_json::json!({
            "sessions": backlog.sessions.len(), "tokens_in": sent, "tokens_out": back, "private": backlog.private,
        });
        let mut whole = serde_json::to_value(&report).unwrap_or_default();
        whole["waiting"] = waiting;
        whole["edited"] = serde_json::to_value(&edited).unwrap_or_default();
        ui.json("lore.curate/1", &whole);
        return Ok(after(&report, edited.as_ref()));
    }
    if args.explain {
        explain(ui, &report);
    }
    if report.dry_run {
        changes(ui, &report, args.limit);
    }
    people(ui, &report, args.limit);
    match &edited {
        Some(edited) => editing::people(ui, edited, wanted.limit),
        None if was_due => editing::waiting(ui, &backlog),
        None => {}
    }
    Ok(after(&report, edited.as_ref()))
}

/// A run whose editor was asked in vain did not do what was asked for either.
fn after(report: &CurateReport, edited: Option<&EditReport>) -> Code {
    if edited.is_some_and(EditReport::is_in_vain) { Code::No } else { ending(report) }
}

/// A run whose commit git refused did not do all that was asked for.
pub(super) fn ending(report: &CurateReport) -> Code {
    if report.not_committed.is_some() { Code::No } else { Code::Done }
}

/// Tells what was written, and how the rest went.
pub(super) fn people(ui: &Ui, report: &CurateReport, limit: usize) {
    for problem in report.problems.iter().take(limit) {
        ui.note(format!("{} {}", paint(Tone::Warn, "left out:"), sanitised(problem)));
    }
    if report.problems.len() > limit {
        ui.note(format!("… and {}", counted(report.problems.len() - limit, "more problem", "more problems")));
    }
    if let Some(due) = report.due.filter(|_| report.was_not_due()) {
        ui.line(match due.needed {
            0 => "Curating by itself is turned off (`curate.after_sessions` is 0).".to_owned(),
            needed => format!(
                "{} of {}; nothing to do yet",
                due.new,
                counted(needed, "new session", "new sessions")
            ),
        });
        return;
    }
    if !report.dry_run {
        section(ui, "new", Tone::Good, &report.created, limit);
        section(ui, "changed", Tone::Warn, &report.updated, limit);
    }
    for id in &report.deleted {
        ui.line(format!(
            "{} {}",
            paint(Tone::Faint, "stays deleted"),
            paint(Tone::Name, id.handle().as_str())
        ));
    }
    summary(ui, report);
    if let Some(why) = &report.not_committed {
        let said = "the knowledge is written, but git made no commit of it:";
        ui.note(format!("{} {}", paint(Tone::Warn, said), sanitised(why)));
    }
}

fn summary(ui: &Ui, report: &CurateReport) {
    if report.sources == 0 {
        ui.note("No sessions of this project were found. `--all` takes other projects too, `--sessions PATH` looks elsewhere.");
    }
    let (would, changed) = if report.dry_run { ("would make", "change") } else { ("made", "changed") };
    let unchanged = match report.unchanged {
        0 => String::new(),
        count => format!(" ({} unchanged)", counted(count, "file", "files")),
    };
    ui.line(format!(
        "{} with something new{unchanged}; {would} {}, {changed} {}",
        counted(report.fresh, "session", "sessions"),
        counted(report.created.len(), "article", "articles"),
        report.updated.len()
    ));
    if !report.outcomes.is_empty() {
        let words: Vec<String> =
            report.outcomes.iter().map(|(word, count)| format!("{count} {word}")).collect();
        ui.line(paint(Tone::Faint, format!("statements: {}", words.join(", "))));
        let counts = [
            (
                report.queued,
                if report.queued == 1 {
                    "waits for more to speak for it"
                } else {
                    "wait for more to speak for them"
                },
            ),
            (report.rejected, "left out that a person removed"),
            (report.rejected_by_agents, "left out that an agent removed"),
        ];
        let rest: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        if !rest.is_empty() {
            ui.line(paint(Tone::Faint, rest.join("; ")));
        }
    }
    if let Some(commit) = &report.commit {
        ui.line(format!("commit {}", paint(Tone::Name, commit.chars().take(12).collect::<String>())));
    }
    let wrote = !report.created.is_empty() || !report.updated.is_empty();
    if wrote && !report.dry_run {
        ui.note(format!("Next: {} goes through what is new.", paint(Tone::Name, "lore review")));
    }
}

/// Counts articles by kind and names the first of them, those in dispute before the others.
fn section(ui: &Ui, what: &str, tone: Tone, touched: &[Touched], limit: usize) {
    if touched.is_empty() {
        return;
    }
    let count = |kind: Kind| touched.iter().filter(|one| one.kind == kind).count();
    let kinds = Kind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0);
    let kinds: Vec<String> =
        kinds.map(|(kind, count)| counted(count, kind.word(), &kind.heading().to_lowercase())).collect();
    ui.line(format!("{} {}", paint(tone, format!("{what}:")), kinds.join(", ")));
    let mut order: Vec<&Touched> = touched.iter().collect();
    order.sort_by_key(|one| one.status != Status::Disputed);
    for one in order.iter().take(limit) {
        let status = match one.status {
            Status::Disputed => format!(" {}", paint(Tone::Bad, "disputed")),
            _ => String::new(),
        };
        ui.line(format!(
            "  {}{status}  {}",
            paint(Tone::Strong, cut(&one.title, 44)),
            paint(Tone::Faint, &one.path)
        ));
    }
    if touched.len() > limit {
        ui.line(paint(Tone::Faint, format!("  … and {} more", touched.len() - limit)));
    }
}

/// Shows a rehearsal as a difference.
fn changes(ui: &Ui, report: &CurateReport, limit: usize) {
    let all: Vec<&Touched> = report.updated.iter().chain(&report.created).collect();
    for one in all.iter().take(limit) {
        let what = if one.before.is_some() { "changed" } else { "new" };
        ui.line(format!("{} {}", paint(Tone::Strong, &one.path), paint(Tone::Faint, what)));
        for line in diff(one.before.as_deref().unwrap_or_default(), &one.text) {
            ui.line(match line {
                Line::Kept(text) => format!("    {}", sanitised(&text)),
                Line::Added(text) => format!("  {}", paint(Tone::Good, format!("+ {text}"))),
                Line::Removed(text) => format!("  {}", paint(Tone::Bad, format!("- {text}"))),
                Line::Gap(count) => {
                    format!("    {}", paint(Tone::Faint, format!("… {}", counted(count, "line", "lines"))))
                }
            });
        }
    }
    if all.len() > limit {
        ui.line(paint(Tone::Faint, format!("… and {} more (`-n N` shows more)", all.len() - limit)));
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
