//! `lore status`

use std::collections::BTreeMap;

use lore_core::Kind;
use lore_engine::Engine;
use lore_engine::curator::Editing;
use lore_engine::status::StatusReport;

use super::{Outcome, list};
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, paint, sanitised};

/// How many of each list are shown before a count stands for the rest.
const SHOWN: usize = 5;

pub(super) fn run(ui: &Ui, engine: &Engine) -> Outcome {
    let status = engine.status()?;
    if ui.is_json() {
        ui.json("lore.status/1", &status);
    } else {
        people(ui, &status);
        if let Some(line) = status.news.line(engine.world().now) {
            ui.line(format!("\n{line}"));
        }
    }
    Ok(Code::Done)
}

fn people(ui: &Ui, status: &StatusReport) {
    ui.line(paint(Tone::Strong, &status.base));
    let archived =
        if status.archived > 0 { format!(", {} archived", status.archived) } else { String::new() };
    let changed = status.last_change.map(|at| format!(", last changed {}", at.date())).unwrap_or_default();
    ui.line(format!("{}{archived}{changed}", counted(status.entries, "entry", "entries")));
    for kind in Kind::ALL {
        if let Some(count) = status.kinds.get(kind.word()) {
            ui.line(format!("  {count:>6}  {}", kind.word()));
        }
    }
    ui.line(format!("  status      {}", counts(&status.statuses)));
    ui.line(format!("  confidence  {}", counts(&status.confidences)));
    ui.line(format!(
        "  people      {} written or edited by people, {} not yet confirmed",
        status.by_people, status.unverified
    ));
    if status.curated_sessions > 0 || status.tombstones > 0 {
        ui.line(format!(
            "  sessions    {} curated; {} removed for good",
            status.curated_sessions,
            counted(status.tombstones, "entry", "entries")
        ));
    }
    editing(ui, &status.editing);
    if status.open_signals > 0 {
        ui.line(format!("  signals     {} open", status.open_signals));
    }
    section(ui, Tone::Bad, ["disputed"; 2], status.disputed.iter().map(list::line).collect());
    section(ui, Tone::Warn, ["to be looked at again"; 2], status.stale.iter().map(list::line).collect());
    let broken =
        status.broken_links.iter().map(|link| format!("{}\n  {} {}", link.path, link.key, link.target));
    section(ui, Tone::Warn, ["link that leads nowhere", "links that lead nowhere"], broken.collect());
    let aside = status.set_aside.iter().map(|trouble| {
        let path = sanitised(&trouble.transcript.display().to_string()).into_owned();
        format!("{path}\n  {}\n  retry: {}", sanitised(&trouble.reason), sanitised(&trouble.retry()))
    });
    let set_aside = [
        "session set aside, because it could not be curated",
        "sessions set aside, because they could not be curated",
    ];
    section(ui, Tone::Warn, set_aside, aside.collect());
    if let Some(failure) = &status.worker_failure {
        let day = failure.at.strftime("%Y-%m-%d %H:%M");
        ui.line(format!(
            "\n{} {}",
            paint(Tone::Warn, format!("the last worker failed ({day}):")),
            sanitised(&failure.reason)
        ));
    }
    if status.secrets > 0 {
        ui.line(format!(
            "\n{} `lore check` says where",
            paint(
                Tone::Bad,
                format!(
                    "{} what looks like a secret:",
                    counted(status.secrets, "entry holds", "entries hold")
                )
            )
        ));
    }
    let ignored = status.ignored_settings.iter().map(|one| {
        let key = if one.key.is_empty() { one.path.display().to_string() } else { one.key.clone() };
        format!("{key} ({})\n  {}", one.layer, one.why)
    });
    let unheard = ["setting of this repository is ignored", "settings of this repository are ignored"];
    section(ui, Tone::Warn, unheard, ignored.collect());
    if status.problems > 0 {
        ui.line(format!(
            "\n{} `lore check` says what",
            paint(
                Tone::Warn,
                format!("{}:", counted(status.problems, "file has problems", "files have problems"))
            )
        ));
    }
}

/// Says how editing goes, where there is anything to say.
fn editing(ui: &Ui, editing: &Editing) {
    if editing.edited > 0 || editing.questions > 0 {
        let questions = match editing.questions {
            0 => String::new(),
            count => format!("; {} in `lore review`", counted(count, "question waits", "questions wait")),
        };
        ui.line(format!(
            "  editor      {} edited{questions}",
            counted(editing.edited, "session", "sessions")
        ));
    }
    if let Some(line) = editing.line() {
        ui.line(format!("  waiting     {line}"));
    }
    if editing.given_up > 0 {
        ui.line(format!(
            "  left        {} to rules: no editor could answer for what was said",
            counted(editing.given_up, "session", "sessions")
        ));
    }
    if let Some(pause) = &editing.pause {
        let until = pause.until.strftime("%Y-%m-%d %H:%M");
        ui.line(paint(Tone::Warn, format!("  paused      until {until}: {}", sanitised(&pause.why))));
    }
    if let Some(model) = &editing.unfit {
        let said = format!(
            "  unfit       {}: nothing of its answers could be taken; set another model",
            sanitised(model)
        );
        ui.line(paint(Tone::Warn, said));
    }
}

fn section(ui: &Ui, tone: Tone, [one, many]: [&str; 2], lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    ui.line(format!("\n{}", paint(tone, counted(lines.len(), one, many))));
    for line in lines.iter().take(SHOWN) {
        ui.line(line);
    }
    if lines.len() > SHOWN {
        ui.line(format!("… and {} more", lines.len() - SHOWN));
    }
}

fn counts(counts: &BTreeMap<String, usize>) -> String {
    let parts: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    if parts.is_empty() { "nothing yet".to_owned() } else { parts.join(", ") }
}
