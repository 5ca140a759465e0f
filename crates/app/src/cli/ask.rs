//! `lore ask`

use lore_engine::Engine;
use lore_engine::ask::{Answer, Question};
use lore_engine::sessions::SessionFilter;

use super::projects::Projects;
use super::{Outcome, written};
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore ask \"why did we choose SQLite?\" --as-of 2026-01-31\n  lore ask \"where are uploads kept?\" --evidence"
)]
pub(super) struct Args {
    /// The question, in words
    #[arg(required = true)]
    question: Vec<String>,
    /// Answer as things stood on this day: `2026-01-31`, `2 weeks ago`, `yesterday`
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
    /// What the answer may cost, in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 500)]
    budget: usize,
    /// Also show the words it rests on, within the budget
    #[arg(long, short)]
    evidence: bool,
    /// Do not look for new sessions first
    #[arg(long)]
    no_sessions: bool,
    #[command(flatten)]
    projects: Projects,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> String {
        self.question.join(" ")
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let as_of = args.as_of.as_deref().map(|text| engine.looking_back(text)).transpose()?;
    if !args.no_sessions {
        shelve(ui, engine);
    }
    let question = Question { text: args.question.join(" "), budget: args.budget, as_of };
    let answer = engine.ask_across(&question, &args.projects.clone().across())?;
    if ui.is_json() {
        ui.json("lore.ask/1", &answer);
    } else {
        people(ui, &answer, args.evidence);
    }
    Ok(if answer.known { Code::Done } else { Code::No })
}

/// Makes past sessions searchable; an answer is worth having without them.
pub(super) fn shelve(ui: &Ui, engine: &Engine) {
    let progress = ui.progress("reading sessions");
    let done = engine.shelve(&SessionFilter::default(), &|done, total| progress.at(done, total));
    drop(progress);
    if let Err(error) = done {
        ui.note(format!("{} past sessions were left out: {error}", paint(Tone::Warn, "warning:")));
    }
}

fn people(ui: &Ui, answer: &Answer, evidence: bool) {
    if !answer.known {
        ui.line(format!("{} {}", paint(Tone::Warn, "Not known:"), sanitised(&answer.why)));
    }
    for line in &answer.lead {
        let text = sanitised(&line.text);
        let tone = match line.status.as_str() {
            "disputed" => Tone::Bad,
            "possibly-replaced" => Tone::Warn,
            _ => Tone::Faint,
        };
        ui.line(match line.opening() {
            "" => text.into_owned(),
            opening => format!("{} {text}", paint(tone, opening)),
        });
        ui.line(format!("  {}", paint(Tone::Faint, line.citation())));
    }
    written::beside(ui, &answer.written);
    if !evidence {
        if !answer.passages.is_empty() {
            let what = if answer.known { "the evidence" } else { "the nearest that was found" };
            ui.note(paint(Tone::Faint, format!("--evidence shows {what}")));
        }
        return;
    }
    if answer.known {
        ui.line(paint(Tone::Faint, "Evidence:"));
    } else if !answer.passages.is_empty() {
        ui.line("The nearest that was found:");
    }
    if let Some(answered) = answer.answered.as_ref().filter(|answered| !answered.is_whole()) {
        ui.line(format!("{} {}", paint(Tone::Warn, "open:"), sanitised(&answered.open.join("; "))));
    }
    let mut section = "";
    for evidence in &answer.passages {
        let heading = match evidence.status.as_str() {
            "earlier" => "Said earlier, before a change that was told:",
            "superseded" | "outdated" => "No longer so:",
            _ => "",
        };
        if heading != section {
            ui.line(paint(Tone::Faint, heading));
            section = heading;
        }
        ui.line(format!("- {}", sanitised(&evidence.text.replace('\n', "\n  "))));
        ui.line(format!("  {}", paint(Tone::Faint, evidence.citation())));
    }
}
