//! The part of `lore curate` in which an editor is asked.

use std::io::Write as _;

use lore_core::{Op, ProofMark};
use lore_engine::curator::{
    Backlog, EditCost, EditOptions, EditOutcome, EditReport, Model, PacketOutcome, grouped, nothing_waits,
};
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, Presence};

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

/// From so many tokens on a person is asked before they are spent.
const MUCH: usize = 20_000;

/// Who is asked, and how.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub(super) with: Option<String>,
    pub(super) show_packet: bool,
    pub(super) no_ask: bool,
    pub(super) yes: bool,
    pub(super) dry_run: bool,
    pub(super) limit: usize,
}

/// Asks an editor, or says what waits for one; returns what was done, where somebody was asked.
pub(super) fn run(
    ui: &Ui,
    engine: &Engine,
    filter: &SessionFilter,
    wanted: &Wanted,
) -> Result<(Backlog, Option<EditReport>), Failure> {
    let model = match &wanted.with {
        Some(name) => Some(engine.editor(name)?),
        None => engine.configured_model()?,
    };
    let model = model.filter(|_| !wanted.no_ask);
    let progress = ui.progress("looking for what waits");
    let look = |engine: &Engine| engine.backlog(filter, &|done, total| progress.at(done, total));
    // Only what a rehearsed editor answers is kept, because it is paid for.
    let backlog =
        if wanted.dry_run && model.is_none() { look(&engine.rehearsing()?)? } else { look(engine)? };
    drop(progress);
    let Some(model) = model else { return Ok((backlog, None)) };
    if backlog.sessions.is_empty() && wanted.with.is_some() {
        ui.note(nothing_waits(backlog.going_on));
    }
    if backlog.sessions.is_empty() || !agreed(ui, &backlog, model.as_ref(), wanted) {
        return Ok((backlog, None));
    }
    let options = EditOptions {
        filter: filter.clone(),
        dry_run: wanted.dry_run,
        insist: wanted.with.is_some(),
        ..EditOptions::default()
    };
    let progress = ui.progress("editing");
    let total = backlog.sessions.len() as u64;
    let told = |now: lore_engine::curator::EditProgress| {
        progress.at(total.saturating_sub(now.sessions_left as u64), total);
        progress.say(&format!("editing, {} tokens spent, {} left", grouped(now.spent), grouped(now.left)));
    };
    let report = engine.edit_with(model.as_ref(), &options, &told, &|_, _| {})?;
    drop(progress);
    Ok((backlog, Some(report)))
}

/// Prints what an editor would be shown next.
pub(super) fn show_packet(ui: &Ui, engine: &Engine, filter: &SessionFilter) -> Outcome {
    let handed = engine.show_packet(filter, None)?;
    if ui.is_json() {
        ui.json("lore.packet/1", &handed);
    } else {
        ui.print(sanitised(&handed.text));
        if let Some(why) = handed.why_none() {
            ui.note(why);
        }
    }
    Ok(Code::Done)
}

/// Asks before much is spent.
fn agreed(ui: &Ui, backlog: &Backlog, model: &dyn Model, wanted: &Wanted) -> bool {
    let EditCost { sent, back } = backlog.cost();
    let line = format!(
        "{}, about {} tokens in, {} out, by {}",
        counted(backlog.sessions.len(), "session", "sessions"),
        grouped(sent),
        grouped(back),
        sanitised(model.name())
    );
    if wanted.yes || sent + back < MUCH || wanted.with.is_none() {
        ui.note(line);
        return true;
    }
    if super::presence() == Presence::Unseen || ui.is_json() {
        ui.note(format!("{line}; say `--yes` to go on"));
        return false;
    }
    ui.note(format!("{line}. Go on? [y/N]"));
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).is_ok()
        && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Says what waits, where nobody was asked.
pub(super) fn waiting(ui: &Ui, backlog: &Backlog) {
    if backlog.sessions.is_empty() {
        return;
    }
    ui.note(format!(
        "{} for an editor, about {} tokens: {}, or {} in your agent",
        counted(backlog.sessions.len(), "session waits", "sessions wait"),
        grouped(backlog.cost().sent),
        paint(Tone::Name, "lore curate --with claude"),
        paint(Tone::Name, "/curate")
    ));
}

/// Tells what an editor did, so that a person can check it in a minute.
pub(super) fn people(ui: &Ui, report: &EditReport, limit: usize) {
    outcomes_within(ui, &report.packets, report.dry_run, limit);
    for note in report.notes.iter().take(limit) {
        ui.note(format!("{} {}", paint(Tone::Warn, "note:"), sanitised(note)));
    }
    let remembered = match report.remembered {
        0 => String::new(),
        count => format!(", {} known from before", counted(count, "answer", "answers")),
    };
    ui.line(paint(
        Tone::Faint,
        format!(
            "{} by {}; {} tokens in, {} out{remembered}; {}",
            counted(report.packets.len(), "packet", "packets"),
            report.model,
            grouped(report.tokens_in),
            grouped(report.tokens_out),
            counted(report.left, "session still waits", "sessions still wait")
        ),
    ));
    if let Some(why) = &report.stopped {
        ui.note(format!("{} {}", paint(Tone::Warn, "stopped:"), sanitised(why)));
    }
    // What was only said again leaves nothing to list or to take back.
    let tells_more = |edit: &EditOutcome| edit.mark <= ProofMark::Flagged && edit.op != Op::Same;
    let changed = report.packets.iter().flat_map(|packet| &packet.edits).any(tells_more);
    if let Some(run) = report.run.as_ref().filter(|_| changed) {
        ui.note(format!(
            "{} lists it, {} takes all of it back.",
            paint(Tone::Name, "lore review --by model"),
            paint(Tone::Name, format!("lore undo {run}"))
        ));
    }
}

/// Tells what became of edits.
pub(super) fn outcomes(ui: &Ui, packets: &[PacketOutcome], rehearsed: bool) {
    outcomes_within(ui, packets, rehearsed, 20);
}

/// Tells which edits are of a sort.
type Belongs<'a> = &'a dyn Fn(&EditOutcome) -> bool;

fn outcomes_within(ui: &Ui, packets: &[PacketOutcome], rehearsed: bool, limit: usize) {
    let would = if rehearsed { "would be " } else { "" };
    let edits: Vec<&EditOutcome> = packets.iter().flat_map(|packet| &packet.edits).collect();
    let written = |edit: &EditOutcome| edit.mark <= ProofMark::Flagged;
    let sorts: [(&str, Tone, Belongs<'_>); 8] = [
        ("new", Tone::Good, &|edit| written(edit) && edit.op == Op::New),
        ("changed", Tone::Good, &|edit| written(edit) && matches!(edit.op, Op::Adds | Op::Refines)),
        ("superseded", Tone::Warn, &|edit| written(edit) && edit.op == Op::Supersedes),
        ("disputed", Tone::Bad, &|edit| written(edit) && edit.op == Op::Disputes),
        ("set aside", Tone::Warn, &|edit| written(edit) && edit.op == Op::Drop),
        ("said again", Tone::Faint, &|edit| written(edit) && edit.op == Op::Same),
        ("for you to decide", Tone::Warn, &|edit| edit.mark == ProofMark::Proposal),
        ("refused", Tone::Faint, &|edit| edit.mark == ProofMark::Refused),
    ];
    for (word, tone, belongs) in sorts {
        let own: Vec<&&EditOutcome> = edits.iter().filter(|edit| belongs(edit)).collect();
        if own.is_empty() {
            continue;
        }
        let word = if word == "for you to decide" { word.to_owned() } else { format!("{would}{word}") };
        ui.line(format!("{} {}", paint(tone, format!("{word}:")), own.len()));
        for edit in own.iter().take(limit) {
            ui.line(format!("  {}", told(edit)));
        }
        if own.len() > limit {
            ui.line(paint(Tone::Faint, format!("  … and {} more (`-n N` shows more)", own.len() - limit)));
        }
    }
    for said in packets.iter().flat_map(|packet| &packet.left_out).take(limit) {
        ui.line(paint(Tone::Faint, format!("left out: {}", sanitised(said))));
    }
    let questions: usize = packets.iter().map(|packet| packet.questions).sum();
    if questions > 0 && !rehearsed {
        let wait = counted(questions, "question waits", "questions wait");
        ui.note(format!("{wait} in {}.", paint(Tone::Name, "lore review")));
    }
}

fn told(edit: &EditOutcome) -> String {
    let title = if edit.title.is_empty() { format!("edit {}", edit.n) } else { edit.title.clone() };
    let handle = edit.entry.as_ref().map(|id| format!("  {}", paint(Tone::Name, id.handle().as_str())));
    let why = edit.why.as_deref().filter(|_| edit.mark != ProofMark::Applied);
    let why = why.map(|why| paint(Tone::Faint, format!("  {}", sanitised(why))));
    let asked = edit.asked.filter(|_| edit.is_written());
    let asked = asked.map(|asked| paint(Tone::Warn, format!("  {asked} was asked for")));
    let without = (!edit.without.is_empty()).then(|| format!("  without {}", edit.without.join(" and ")));
    format!(
        "{}{}{}{}{}",
        paint(Tone::Strong, cut(&title, 60)),
        handle.unwrap_or_default(),
        asked.unwrap_or_default(),
        without.map(|without| paint(Tone::Warn, without)).unwrap_or_default(),
        why.unwrap_or_default()
    )
}
