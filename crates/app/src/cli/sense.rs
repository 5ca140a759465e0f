//! `lore sense`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::sessions::SessionFilter;
use lore_engine::signals::{Raised, SenseOptions, SenseReport};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore sense\n  lore sense --dry-run --explain --since 7d")]
pub(super) struct Args {
    /// Only sessions that went on since then: a date, `7d`, `yesterday`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Show what would be noticed and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Also say which rules raised each signal, with the words that fitted
    #[arg(long)]
    explain: bool,
    /// Look at every session again
    #[arg(long)]
    again: bool,
    /// File, folder or archive to read instead of the usual places
    #[arg(long, value_name = "PATH")]
    sessions: Option<PathBuf>,
    /// Only sessions of this agent, such as `claude-code`
    #[arg(long)]
    agent: Option<String>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let since = args.since.as_deref().map(|text| engine.looking_back(text)).transpose()?;
    let filter = SessionFilter { path: args.sessions, agent: args.agent, ..SessionFilter::default() };
    let options = SenseOptions { filter, since, dry_run: args.dry_run, again: args.again };
    let progress = ui.progress("reading sessions");
    let mut report = engine.sense(&options, &|done, total| progress.at(done, total))?;
    drop(progress);
    if !args.explain {
        // The words that fitted are a person's own; who wants them asks for them.
        report.raised.iter_mut().for_each(|raised| raised.why.clear());
    }
    if ui.is_json() {
        ui.json("lore.sense/1", &report);
    } else {
        people(ui, &report);
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, report: &SenseReport) {
    for raised in &report.raised {
        line(ui, raised, report.dry_run);
    }
    for why in &report.problems {
        ui.note(format!("{} {}", paint(Tone::Warn, "left out:"), sanitised(why)));
    }
    let would = if report.dry_run { "would be " } else { "" };
    let told = |list: &[String], what: &str| {
        if !list.is_empty() {
            let names: Vec<String> = list.iter().map(|id| lore_core::handle::shown(id)).collect();
            ui.line(format!("{} {would}{what}: {}", list.len(), paint(Tone::Name, names.join(", "))));
        }
    };
    told(&report.written, "written down");
    told(&report.personal, "written to your own base");
    told(&report.recurred, "seen again");
    for (id, state) in &report.moved {
        ui.line(format!("{} {would}{state}", paint(Tone::Name, lore_core::handle::shown(id))));
    }
    told(&report.archived, "archived");
    if !report.held.is_empty() {
        let tell = counted(report.held.len(), "serious note tells", "serious notes tell");
        ui.note(format!(
            "{tell} of somebody's annoyance, on this machine only; `lore init --personal` makes a base for that."
        ));
    }
    if report.forgotten > 0 {
        let notes = counted(report.forgotten, "note is", "notes are");
        ui.note(format!("{notes} forgotten: nothing like it came again for half a year."));
    }
    if report.passed_over > 0 {
        let signs = counted(report.passed_over, "sign of friction was", "signs of friction were");
        ui.note(format!("{signs} passed over: light, and older than half a year or than many others."));
    }
    ui.note(format!(
        "{} read, {} noticed, {} (`lore signal list --notes`).",
        counted(report.sessions, "session", "sessions"),
        counted(report.raised.len(), "sign of friction", "signs of friction"),
        counted(report.notes, "note waits", "notes wait")
    ));
}

fn line(ui: &Ui, raised: &Raised, is_rehearsed: bool) {
    let tone = if raised.severity >= lore_core::Severity::High { Tone::Bad } else { Tone::Warn };
    let again = match (raised.again, raised.times) {
        (true, 0 | 1) => " (again)".to_owned(),
        (_, 0 | 1) => String::new(),
        (_, times) => format!(" ({times} times)"),
    };
    ui.line(format!(
        "{} {}  {}{again}",
        paint(tone, format!("{:<8}", raised.severity.word())),
        paint(Tone::Strong, format!("{:<11}", raised.signal_type.word())),
        sanitised(&cut(&raised.title, 80)),
    ));
    let place = match raised.line {
        0 => format!("{} {}", raised.agent, raised.session),
        line => format!("{} {} line {line}", raised.agent, raised.session),
    };
    // What a rehearsal would note has no name yet that anything finds.
    let name = if is_rehearsed && !raised.again { "would be noted" } else { &raised.note };
    ui.line(format!("  {}  {}", paint(Tone::Name, name), paint(Tone::Faint, place)));
    for why in &raised.why {
        ui.line(format!("  {}", paint(Tone::Faint, cut(why, 110))));
    }
}
