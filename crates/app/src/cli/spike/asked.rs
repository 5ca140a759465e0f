//! What became of a question, for people.

use lore_core::handle::shown;
use lore_engine::Engine;
use lore_engine::spike::{Answered, SpikeAsked};

use super::told::row;
use crate::ui::{Tone, Ui, paint, sanitised};

pub(super) fn people(ui: &Ui, engine: &Engine, asked: &SpikeAsked) {
    if let Some(answered) = &asked.answered {
        answer(ui, answered);
    }
    let Some(spike) = &asked.spike else {
        ui.line("No spike is made. `--force` makes one all the same.");
        return;
    };
    if asked.look_up_first {
        ui.note(format!(
            "{} this may be answered by reading; then say so with `lore spike decide {} --outcome … --answer …`",
            paint(Tone::Warn, "note:"),
            spike.handle
        ));
    }
    let verb = match (asked.is_open, asked.dry_run) {
        (true, _) => "it is asked already and open:",
        (false, true) => "would make",
        (false, false) => "made",
    };
    ui.line(format!("{verb} {}  {}", paint(Tone::Name, spike.handle.as_str()), sanitised(&spike.title)));
    let row = |name: &str, value: &str| row(ui, Tone::Faint, name, value);
    row("alternatives", &asked.alternatives.join(", "));
    row("for", &asked.subject);
    row("scale", asked.scale.as_deref().unwrap_or_default());
    row("constraint", asked.constraint.as_deref().unwrap_or_default());
    row("told by", asked.measure.as_deref().unwrap_or_default());
    row("papers", &engine.root().join(&spike.folder).display().to_string());
    row("next", &spike.next);
}

/// Says what answers a question already.
pub(super) fn answer(ui: &Ui, answered: &Answered) {
    let tone = if answered.is_whole() { Tone::Good } else { Tone::Warn };
    ui.line(format!("{} {}", paint(tone, "known:"), sanitised(&answered.line())));
    for one in &answered.by {
        let outcome = one.outcome.map(|outcome| format!(" ({outcome})")).unwrap_or_default();
        ui.line(format!("- {}{outcome}", sanitised(&one.answer)));
        ui.line(format!(
            "  {}",
            paint(Tone::Faint, format!("[{}] {}", shown(&one.id), one.conditions.join("; ")))
        ));
    }
    ui.line(paint(Tone::Faint, format!("confidence: {}", answered.confidence)));
}
