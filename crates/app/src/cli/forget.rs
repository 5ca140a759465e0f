//! `lore forget`

use std::io::{BufRead as _, IsTerminal as _};

use lore_engine::Engine;
use lore_engine::forget::{ForgetReport, Subject};

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore forget \"project zanzibar\" --dry-run\n  \
                        lore forget --session 6af70815 --yes\n  lore forget --person ana --yes")]
pub(super) struct Args {
    /// Words, the id of a session, or the name of a person
    #[arg(required_unless_present_any = ["session", "person", "sealed"])]
    what: Option<String>,
    /// Forget a session by its id
    #[arg(long, value_name = "ID", conflicts_with = "what")]
    session: Option<String>,
    /// Forget a person by their name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["what", "session"])]
    person: Option<String>,
    /// Forget here what other clones forgot
    #[arg(long, conflicts_with_all = ["what", "session", "person"])]
    sealed: bool,
    /// List every place and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short = 'y')]
    yes: bool,
}

/// So many places of a sort are named.
const NAMED: usize = 20;

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let subject = match (args.what, args.session, args.person) {
        (Some(what), _, _) => Subject::Named(what),
        (_, Some(id), _) => Subject::Session(id),
        (_, _, Some(name)) => Subject::Person(name),
        _ => Subject::Sealed,
    };
    if !args.dry_run && !args.yes {
        let rehearsal = engine.forget_about(&subject, true)?;
        if !std::io::stdin().is_terminal() || ui.is_json() {
            let sentence = "forgetting cannot be taken back and was not confirmed";
            return Err(Failure::usage(sentence, "give --dry-run to see where it is, or --yes to do it"));
        }
        people(ui, &rehearsal, "");
        if !rehearsal.is_empty() && !confirmed(ui) {
            ui.note("Nothing was forgotten.");
            return Ok(Code::No);
        }
    }
    let report = engine.forget_about(&subject, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.forget/1", &report);
    } else {
        people(ui, &report, "");
    }
    Ok(if report.is_empty() { Code::No } else { Code::Done })
}

fn confirmed(ui: &Ui) -> bool {
    ui.note("This cannot be taken back. Type `forget` to go on:");
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).is_ok() && answer.trim() == "forget"
}

fn people(ui: &Ui, report: &ForgetReport, whose: &str) {
    let verb = if report.dry_run { "would forget" } else { "forgot" };
    if report.is_empty() && whose.is_empty() {
        let are = if report.kind == "words" { "are" } else { "is" };
        ui.line(format!("{} {are} nowhere in what we keep", what(report)));
    } else if !report.is_empty() || whose.is_empty() {
        let whose = if whose.is_empty() { String::new() } else { format!(" {whose}") };
        ui.line(format!("{} {}{whose}", paint(Tone::Strong, verb), what(report)));
        list(ui, "entries that lose something", &report.changed);
        list(ui, "entries that go", &report.removed);
        list(ui, "tracked state", &report.state);
        list(ui, "files beside the base", &report.files);
        if report.change_sets + report.passages > 0 {
            let (sets, passages) = (report.change_sets, report.passages);
            ui.line(format!(
                "  {} of past sessions, {}",
                counted(passages, "passage", "passages"),
                counted(sets, "change set", "change sets")
            ));
        }
    }
    if let Some(personal) = &report.personal {
        people(ui, personal, "in your personal base");
    }
    let remains = &report.remains;
    let held: Vec<String> =
        remains.commits.iter().map(|one| format!("{} {}", one.commit, one.file)).collect();
    list(ui, "still in git's history, which only you can rewrite", &held);
    list(ui, "to do that", &remains.commands);
    list(ui, "still in agents' own transcripts", &remains.transcripts);
    list(
        ui,
        "still in files of the project, which are yours (what was exported can be deleted and exported again)",
        &remains.files,
    );
    if whose.is_empty() && !report.is_empty() {
        list(ui, "to keep in mind", &remains.notes);
    }
}

/// Names what is forgotten without saying it: a terminal keeps what it showed.
fn what(report: &ForgetReport) -> &'static str {
    match report.kind.as_str() {
        "session" => "this session",
        "person" => "this person",
        _ => "these words",
    }
}

fn list(ui: &Ui, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    ui.line(format!("  {title} ({}):", lines.len()));
    for line in lines.iter().take(NAMED) {
        ui.line(format!("    {}", sanitised(line)));
    }
    if lines.len() > NAMED {
        ui.line(format!("    … and {} more", lines.len() - NAMED));
    }
}
