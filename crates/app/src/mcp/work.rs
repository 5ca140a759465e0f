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
    /// What came out: confirmed, rejected, partial or inconclusive, each once; `said by the way` where nobody measured
    /// it for this, and empty where nothing is known.
    verdict: String,
    /// The answer of each spike or entry that gives one, what it was found under, and how they belong together; empty
    /// where nothing is known.
    text: String,
    /// How sure one can be: high, medium or low; empty where nothing is known.
    confidence: String,
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
                verdict: String::new(),
                text: String::new(),
                confidence: String::new(),
                entries: Vec::new(),
                open: vec![question],
                next: "nothing was measured; with the user's yes, run `lore spike \"…\"` in a shell and follow it; the \
                       experiment itself is run by the user"
                    .to_owned(),
            };
        };
        let whole = answered.is_whole();
        SpikeText {
            answered: whole,
            verdict: verdict(&answered),
            text: sentinel::wrap(&told(&answered)),
            confidence: answered.confidence.word().to_owned(),
            entries: answered.by.iter().map(|one| shown_name(&one.id)).collect(),
            open: answered.open.clone(),
            next: if whole { "cite it; nothing to measure" } else { "measure only what is open" }.to_owned(),
        }
    }
}

/// Names what came out of the spikes that answer, each outcome once.
fn verdict(answered: &Answered) -> String {
    let mut words: Vec<&str> = Vec::new();
    for outcome in answered.by.iter().filter_map(|one| one.outcome) {
        if !words.contains(&outcome.word()) {
            words.push(outcome.word());
        }
    }
    if words.is_empty() { "said by the way".to_owned() } else { words.join(", ") }
}

/// Tells the answers themselves, and under what they were found.
fn told(answered: &Answered) -> String {
    let mut out = String::new();
    for one in &answered.by {
        if let Some(question) = &one.question {
            out.push_str(&format!("{question}\n"));
        }
        let outcome = one.outcome.map(|outcome| format!("{}: ", outcome.word())).unwrap_or_default();
        out.push_str(&format!("{outcome}{} [{}]\n", one.answer, shown_name(&one.id)));
        if !one.conditions.is_empty() {
            out.push_str(&format!("found under: {}\n", one.conditions.join("; ")));
        }
    }
    format!("{out}{}", answered.line())
}

#[cfg(test)]
mod tests {
    use lore_core::{Confidence, SpikeOutcome};
    use lore_engine::spike::{AnsweredHow, AnsweringEntry};

    use super::*;

    /// It was said that a spike answers, and not what.
    #[test]
    fn a_spike_that_answers_is_told_with_its_verdict_and_its_words() {
        let by = AnsweringEntry {
            id: "spk-2026-01-02-mmap-or-read".to_owned(),
            question: Some("Should we use mmap or read?".to_owned()),
            answer: "read is faster below 4 MB".to_owned(),
            outcome: Some(SpikeOutcome::Rejected),
            conditions: vec!["files of 2 MB".to_owned()],
        };
        let answered =
            Answered { how: AnsweredHow::Full, by: vec![by], open: Vec::new(), confidence: Confidence::High };
        let told = SpikeText::from((Some(answered), "mmap or read?".to_owned()));
        assert_eq!(
            (told.answered, told.verdict.as_str(), told.confidence.as_str()),
            (true, "rejected", "high")
        );
        for part in [
            "Should we use mmap or read?",
            "rejected: read is faster",
            "found under: files of 2 MB",
            "answered by [",
        ] {
            assert!(told.text.contains(part), "{part}: {}", told.text);
        }
        let unknown = SpikeText::from((None, "mmap or read?".to_owned()));
        assert_eq!((unknown.answered, unknown.verdict.as_str()), (false, ""));
    }
}
