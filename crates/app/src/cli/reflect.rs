//! `lore reflect`

use lore_engine::Engine;
use lore_engine::reflection::{LessonLine, ReflectOptions, ReflectReport};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised, shell_word};

/// The longest bar of the chart.
const BAR: usize = 40;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore reflect --dry-run\n  lore reflect --personal --across")]
pub(super) struct Args {
    /// Show what would be learned and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Only if enough came since the last time
    #[arg(long)]
    due: bool,
    /// Also the signals of all known projects, for your own base
    #[arg(long)]
    across: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let options = ReflectOptions { dry_run: args.dry_run, due: args.due, across: args.across };
    let report = engine.reflect(&options)?;
    if ui.is_json() {
        ui.json("lore.reflect/1", &report);
    } else {
        people(ui, &report);
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, report: &ReflectReport) {
    if report.not_due {
        ui.note(format!("Not due: {} signals wait for a lesson.", report.unprocessed));
        return;
    }
    let states: Vec<String> = report.states.iter().map(|(state, count)| format!("{count} {state}")).collect();
    ui.line(paint(Tone::Strong, format!("{}: {}", signals(report.signals), states.join(", "))));
    chart(ui, report);
    let new = report.lessons.iter().filter(|line| line.change == "new").count();
    ui.line("");
    ui.line(paint(
        Tone::Strong,
        format!("{}, {new} new", counted(report.lessons.len(), "lesson", "lessons")),
    ));
    for lesson in &report.lessons {
        tell(ui, lesson);
    }
    for lesson in &report.outdated {
        ui.line(format!(
            "{} {}  {}",
            paint(Tone::Faint, lesson.change),
            sanitised(&cut(&lesson.title, 70)),
            paint(Tone::Faint, &lesson.lesson)
        ));
    }
    if !report.unclear.is_empty() {
        ui.line("");
        ui.line(paint(Tone::Strong, "Unclear; a spike could tell"));
        for one in &report.unclear {
            let count = paint(Tone::Faint, format!("({})", signals(one.evidence.len())));
            ui.line(format!("  {} {count}", sanitised(&cut(&one.title, 80))));
            ui.line(format!("    {}", paint(Tone::Name, next_step(&one.title))));
        }
    }
    let drifting: Vec<_> = report.drift.iter().filter(|one| one.verdict != "steady").collect();
    if !drifting.is_empty() {
        ui.line("");
        ui.line(paint(Tone::Strong, "Drift, signals in thirty days"));
        for one in drifting {
            let tone = if one.verdict == "better" { Tone::Good } else { Tone::Warn };
            ui.line(format!(
                "  {:<14} {:>5.1} before, {:>5.1} lately  {}",
                one.what,
                one.earlier,
                one.recent,
                paint(tone, one.verdict)
            ));
        }
    }
    if !report.never_acted_on.is_empty() {
        ui.line("");
        let count = counted(report.never_acted_on.len(), "serious signal", "serious signals");
        ui.line(paint(Tone::Strong, format!("{count} that nobody acted on, the oldest first")));
        for (id, title) in report.never_acted_on.iter().take(5) {
            let name = lore_core::handle::shown(id);
            ui.line(format!("  {}  {}", paint(Tone::Name, name), sanitised(&cut(title, 70))));
        }
    }
    if report.dry_run {
        ui.note("Nothing was written.");
    }
}

fn signals(count: usize) -> String {
    counted(count, "signal", "signals")
}

/// What a person would type to find out what is behind something unclear.
fn next_step(title: &str) -> String {
    let about = title.trim_end_matches(['.', '…', ' ']);
    format!("lore spike {}", shell_word(&format!("What would prevent this: {about}?")))
}

fn chart(ui: &Ui, report: &ReflectReport) {
    let most = report.months.iter().map(|one| one.trouble + one.good).max().unwrap_or(0).max(1);
    for one in &report.months {
        let width = |count: usize| (count * BAR).div_ceil(most);
        ui.line(format!(
            "  {}  {}{} {}",
            one.month,
            paint(Tone::Warn, "█".repeat(width(one.trouble))),
            paint(Tone::Good, "░".repeat(width(one.good))),
            paint(Tone::Faint, format!("{} + {} good", one.trouble, one.good))
        ));
    }
}

fn tell(ui: &Ui, lesson: &LessonLine) {
    ui.line("");
    ui.line(format!(
        "{} {}",
        paint(Tone::Strong, sanitised(&cut(&lesson.title, 76))),
        paint(Tone::Faint, format!("[{}, {}, {}]", lesson.category, lesson.confidence, lesson.change))
    ));
    ui.line(format!("  {}", sanitised(&cut(&lesson.lesson, 240))));
    ui.line(format!("  {} {}", paint(Tone::Good, "do"), sanitised(&cut(&lesson.recommendation, 240))));
    for trigger in &lesson.triggers {
        ui.line(format!("  {} {}", paint(Tone::Warn, "when"), sanitised(&cut(trigger, 100))));
    }
    let name = lore_core::handle::shown(&lesson.id);
    let against = match lesson.against.len() {
        0 => String::new(),
        count => format!(", {count} against"),
    };
    ui.line(format!(
        "  {}  {}",
        paint(Tone::Name, name),
        paint(
            Tone::Faint,
            format!(
                "{} in {}{against}",
                signals(lesson.evidence.len()),
                counted(lesson.places, "place", "places")
            )
        )
    ));
}
