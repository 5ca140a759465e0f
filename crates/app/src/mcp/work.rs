//! What clients get back about designs and questions: shapes of our own.

use lore_core::handle::shown as shown_name;
use lore_core::sentinel;
use lore_engine::grounding::Grounding;
use lore_engine::impact::Impact;
use lore_engine::spike::Answered;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GroundedText {
    /// high, medium, low or none.
    level: String,
    /// From 0 to 1.
    confidence: f64,
    /// What was found, the surest first.
    findings: Vec<FindingText>,
    /// Rules and decisions that the wish or plan does not keep to.
    against: Vec<String>,
    /// Where sources contradict each other.
    conflicts: Vec<String>,
    warnings: Vec<String>,
    recommendation: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FindingText {
    text: String,
    /// Which source, and the place in it.
    source: String,
    confidence: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ImpactText {
    /// The likeliest first.
    files: Vec<ImpactedFile>,
    /// Files that the design names and that are not there yet.
    new_files: Vec<String>,
    /// Whether the time was up before everything was read.
    partial: bool,
    /// What keeps the list from being more than a guess.
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ImpactedFile {
    path: String,
    /// What will happen to it, what it is for and what to look out for.
    about: String,
    /// When to go about it, from 1.
    order: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SpikeText {
    /// Whether an experiment answers the whole question.
    answered: bool,
    /// What it found; empty where nothing is known.
    text: String,
    /// Spikes it rests on.
    entries: Vec<String>,
    /// What is still open.
    open: Vec<String>,
    /// What to do next.
    next: String,
}

impl From<Grounding> for GroundedText {
    fn from(grounding: Grounding) -> GroundedText {
        GroundedText {
            level: grounding.level.to_owned(),
            confidence: grounding.confidence,
            findings: grounding
                .findings
                .into_iter()
                .map(|finding| FindingText {
                    source: format!("{} {}", finding.source.word(), finding.at),
                    text: sentinel::wrap(&finding.text),
                    confidence: finding.confidence,
                })
                .collect(),
            against: grounding.against.iter().map(|one| sentinel::wrap(&one.line())).collect(),
            conflicts: grounding.conflicts.into_iter().map(|conflict| conflict.summary).collect(),
            warnings: grounding.warnings,
            recommendation: grounding.recommendation,
        }
    }
}

impl From<Impact> for ImpactText {
    fn from(impact: Impact) -> ImpactText {
        let word = |value: serde_json::Value| value.as_str().map(str::to_owned).unwrap_or_default();
        let file = |file: lore_engine::impact::ImpactFile| ImpactedFile {
            about: format!(
                "{}, {}, risk {}",
                word(serde_json::to_value(file.change).unwrap_or_default()),
                word(serde_json::to_value(file.role).unwrap_or_default()),
                word(serde_json::to_value(file.risk.level).unwrap_or_default())
            ),
            order: u32::try_from(file.order).unwrap_or(u32::MAX),
            path: file.path,
        };
        ImpactText {
            files: impact.files.into_iter().map(file).collect(),
            new_files: impact.new_files,
            partial: impact.partial,
            warnings: impact.warnings,
        }
    }
}

impl From<(Option<Answered>, String)> for SpikeText {
    fn from((answered, question): (Option<Answered>, String)) -> SpikeText {
        let Some(answered) = answered else {
            return SpikeText {
                answered: false,
                text: String::new(),
                entries: Vec::new(),
                open: vec![question],
                next: "nothing was measured; with the user's yes, run `lore spike \"…\"` and follow it"
                    .to_owned(),
            };
        };
        let whole = answered.is_whole();
        SpikeText {
            answered: whole,
            text: sentinel::wrap(&answered.line()),
            entries: answered.by.iter().map(|one| shown_name(&one.id)).collect(),
            open: answered.open.clone(),
            next: if whole { "cite it; nothing to measure" } else { "measure only what is open" }.to_owned(),
        }
    }
}
