//! `lore reflect`

use lore_engine::Engine;
use lore_engine::curator::grouped;
use lore_engine::reflection::{LessonLine, ReflectOptions, ReflectReport, WordingReport};

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised, shell_word};

/// The longest bar of the chart.
const BAR: usize = 40;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore reflect --dry-run\n  lore reflect --with claude\n  lore reflect --personal --across"
)]
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
    /// Have this editor word the lessons: claude, codex, gemini, opencode, llm, or a name of `curate.editors`
    ///
    /// It is shown the signals behind each lesson and nothing else. Every name and number it says has to stand in
    /// them; where something does not, the lesson keeps the words it has without an editor; where it finds no lesson in the
    /// signals, they stay an open question. With `--dry-run` it is
    /// asked too, and the answer is remembered, so that the run that follows costs nothing.
    #[arg(long, value_name = "NAME", help_heading = "Editor")]
    with: Option<String>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let options = ReflectOptions { dry_run: args.dry_run, due: args.due, across: args.across };
    let model = args.with.as_deref().map(|name| engine.editor(name)).transpose()?;
    let progress = model.as_ref().map(|_| ui.progress("wording lessons"));
    let report = engine.reflect_with(&options, model.as_deref())?;
    drop(progress);
    if ui.is_json() {
        ui.json("lore.reflect/1", &report);
    } else {
        people(ui, &report);
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, report: &ReflectReport) {
    if report.not_due {
        let wait = counted(report.unprocessed, "signal waits", "signals wait");
        ui.note(format!("Not due: {wait} for a lesson."));
        return;
    }
    if report.signals == 0 && report.lessons.is_empty() && report.outdated.is_empty() {
        ui.note("There are no signals to learn from; `lore sense` looks for friction in sessions, plans and history.");
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
    if let Some(wording) = &report.wording {
        worded(ui, wording);
    }
    if report.dry_run {
        ui.note("Nothing was written.");
    }
}

/// Says what an editor's words came to, and which lessons keep ours.
fn worded(ui: &Ui, wording: &WordingReport) {
    ui.line("");
    let by = sanitised(&wording.by);
    if wording.asked == 0 {
        ui.line(paint(Tone::Faint, format!("{by} was not asked: every lesson is worded already")));
        return;
    }
    let asked = counted(wording.asked, "lesson", "lessons");
    ui.line(paint(Tone::Strong, format!("{} of {asked} worded by {by}", wording.worded)));
    for kept in &wording.kept {
        let why = paint(Tone::Faint, sanitised(&cut(&kept.why, 160)));
        ui.line(format!("  {} {}  {why}", paint(Tone::Warn, "kept"), sanitised(&cut(&kept.title, 60))));
    }
    for title in &wording.none {
        let why = paint(Tone::Faint, "its signals have no lesson in common");
        ui.line(format!("  {} {}  {why}", paint(Tone::Warn, "left"), sanitised(&cut(title, 60))));
    }
    if let Some(why) = &wording.stopped {
        ui.note(format!("{} {}", paint(Tone::Warn, "stopped:"), sanitised(why)));
    }
    let remembered = match wording.remembered {
        0 => String::new(),
        count => format!(", {} known from before", counted(count, "answer", "answers")),
    };
    let spent = format!("{} tokens in, {} out", grouped(wording.tokens_in), grouped(wording.tokens_out));
    ui.line(paint(Tone::Faint, format!("{spent}{remembered}")));
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
        let counts = match one.good {
            0 => one.trouble.to_string(),
            good => format!("{} + {good} good", one.trouble),
        };
        ui.line(format!(
            "  {}  {}{} {}",
            one.month,
            paint(Tone::Warn, "█".repeat(width(one.trouble))),
            paint(Tone::Good, "░".repeat(width(one.good))),
            paint(Tone::Faint, counts)
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
    let by =
        lesson.worded_by.as_deref().map(|by| format!(", worded by {}", sanitised(by))).unwrap_or_default();
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
                "{} in {}{against}{by}",
                signals(lesson.evidence.len()),
                counted(lesson.places, "place", "places")
            )
        )
    ));
}
