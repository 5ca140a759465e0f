//! Spikes as they are shown to people.

use lore_core::SpikeState;
use lore_engine::Engine;
use lore_engine::spike::{RunStatus, SpikeCandidate, SpikeDecision, SpikeImport, SpikeView};

use super::SCHEMA;
use crate::cli::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

pub(super) fn list(ui: &Ui, engine: &Engine, spikes: &[SpikeView]) -> Outcome {
    let avoided = engine.spikes_avoided();
    if ui.is_json() {
        ui.json(SCHEMA, &serde_json::json!({ "spikes": spikes, "avoided": avoided }));
        return Ok(Code::Done);
    }
    for spike in spikes {
        let state = match (spike.state, spike.outcome) {
            (SpikeState::Concluded, Some(outcome)) => outcome.to_string(),
            (SpikeState::Running, _) if spike.run.as_ref().is_some_and(|run| !run.is_running) => {
                "interrupted".to_owned()
            }
            (state, _) => state.to_string(),
        };
        let said = spike.answer.as_deref().or(spike.question.as_deref()).unwrap_or(&spike.title);
        ui.line(format!("{:<12} {}", state, paint(Tone::Name, spike.handle.as_str())));
        ui.line(format!("             {}", cut(said, 120)));
    }
    if spikes.is_empty() {
        ui.line("There are no spikes.");
    }
    ui.line(paint(Tone::Faint, format!("spikes avoided: {avoided}")));
    Ok(Code::Done)
}

pub(super) fn show(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let spike = engine.show_spike(name)?;
    if ui.is_json() {
        ui.json(SCHEMA, &spike);
        return Ok(Code::Done);
    }
    let outcome = spike.outcome.map(|outcome| format!(", {outcome}")).unwrap_or_default();
    ui.line(format!("{}  {}", paint(Tone::Name, spike.handle.as_str()), sanitised(&spike.title)));
    let row = |name: &str, value: &str| row(ui, Tone::Faint, name, value);
    row("state", &format!("{}{outcome}", spike.state));
    row("question", spike.question.as_deref().unwrap_or_default());
    row("answer", spike.answer.as_deref().unwrap_or_default());
    row("alternatives", &spike.alternatives.join(", "));
    for criterion in &spike.criteria {
        row("criterion", criterion);
    }
    for condition in spike.conditions.iter().chain(&spike.depends_on) {
        row("found under", condition);
    }
    row("rounds", &spike.rounds.to_string());
    row("papers", &format!("{}: {}", engine.root().join(&spike.folder).display(), spike.papers.join(", ")));
    if let Some(run) = &spike.run {
        progress(ui, run);
    }
    row("next", &spike.next);
    Ok(Code::Done)
}

pub(super) fn status(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let spike = engine.show_spike(name)?;
    if ui.is_json() {
        ui.json(SCHEMA, &spike);
        return Ok(Code::Done);
    }
    ui.line(format!("{}  {}", paint(Tone::Name, spike.handle.as_str()), spike.state));
    match &spike.run {
        Some(run) => progress(ui, run),
        None => ui.line("  it was never run on this machine"),
    }
    row(ui, Tone::Faint, "next", &spike.next);
    Ok(Code::Done)
}

fn progress(ui: &Ui, run: &RunStatus) {
    let how = match (&run.ended, run.is_running) {
        (Some(ended), _) => ended.clone(),
        (None, true) => "running".to_owned(),
        (None, false) => "interrupted; it goes on where it stopped".to_owned(),
    };
    let line = format!(
        "round {}, {} of {}, began {}: {how}",
        run.round,
        run.done,
        counted(run.total, "run", "runs"),
        run.began
    );
    row(ui, Tone::Faint, "run", &line);
    for (name, why) in &run.failed {
        ui.line(format!(
            "  {} {}",
            paint(Tone::Bad, format!("{:<13}", "failed")),
            sanitised(&format!("{name}: {why}"))
        ));
    }
}

pub(super) fn moved(ui: &Ui, spike: &SpikeView, verb: &str) -> Outcome {
    if ui.is_json() {
        ui.json(SCHEMA, spike);
        return Ok(Code::Done);
    }
    ui.line(format!("{verb} {}: {}", paint(Tone::Name, spike.handle.as_str()), spike.state));
    warn(ui, &spike.warnings);
    row(ui, Tone::Faint, "next", &spike.next);
    Ok(Code::Done)
}

fn warn(ui: &Ui, warnings: &[String]) {
    for warning in warnings {
        ui.line(format!("{} {}", paint(Tone::Warn, "warning:"), sanitised(warning)));
    }
}

pub(super) fn decided(ui: &Ui, engine: &Engine, decision: &SpikeDecision) -> Outcome {
    if ui.is_json() {
        ui.json(SCHEMA, decision);
        return Ok(Code::Done);
    }
    let outcome = decision.spike.outcome.map(|outcome| outcome.to_string()).unwrap_or_default();
    let verb = if decision.dry_run { "would be " } else { "" };
    ui.line(format!(
        "{} {verb}{}",
        paint(Tone::Name, decision.spike.handle.as_str()),
        paint(Tone::Strong, outcome)
    ));
    ui.line(sanitised(decision.spike.answer.as_deref().unwrap_or_default()));
    for (at, (criterion, measured, verdict)) in decision.criteria.iter().enumerate() {
        let sure = if decision.is_less_sure(at) { ", less sure" } else { "" };
        ui.line(format!("- {}: {verdict}{sure} ({})", sanitised(criterion), sanitised(measured)));
    }
    warn(ui, &decision.warnings);
    for file in &decision.files {
        ui.line(paint(Tone::Faint, engine.root().join(file).display().to_string()));
    }
    if !decision.spike.next.is_empty() {
        ui.line(format!("{} {}", paint(Tone::Faint, "next:"), decision.spike.next));
    }
    Ok(Code::Done)
}

pub(super) fn candidates(ui: &Ui, candidates: &[SpikeCandidate]) -> Outcome {
    if ui.is_json() {
        ui.json(SCHEMA, &serde_json::json!({ "candidates": candidates }));
        return Ok(Code::Done);
    }
    for one in candidates {
        ui.line(format!(
            "{}  {}",
            paint(Tone::Name, lore_core::handle::shown(&one.from)),
            sanitised(&one.question)
        ));
        ui.line(format!("  {}", paint(Tone::Faint, &one.why)));
    }
    if candidates.is_empty() {
        ui.line("Nothing that is known asks for an experiment.");
    }
    Ok(Code::Done)
}

pub(super) fn imported(ui: &Ui, report: &SpikeImport) -> Outcome {
    if ui.is_json() {
        ui.json(SCHEMA, report);
        return Ok(Code::Done);
    }
    for (id, from) in &report.taken {
        ui.line(format!("{}  {}", paint(Tone::Name, lore_core::handle::shown(id)), paint(Tone::Faint, from)));
    }
    for (id, from) in &report.joined {
        let line = format!("papers of {from} added");
        ui.line(format!("{}  {}", paint(Tone::Name, lore_core::handle::shown(id)), paint(Tone::Faint, line)));
    }
    for (from, why) in &report.left {
        ui.line(format!("{} {}: {}", paint(Tone::Warn, "left"), sanitised(from), sanitised(why)));
    }
    let verb = if report.dry_run { "would take" } else { "took" };
    ui.line(format!(
        "{verb} {}, added papers to {}, {} known already",
        counted(report.taken.len(), "spike", "spikes"),
        report.joined.len(),
        report.known.len()
    ));
    Ok(Code::Done)
}

/// Prints a named value, where there is one.
pub(super) fn row(ui: &Ui, tone: Tone, name: &str, value: &str) {
    if !value.is_empty() {
        ui.line(format!("  {} {}", paint(tone, format!("{name:<13}")), sanitised(value)));
    }
}
