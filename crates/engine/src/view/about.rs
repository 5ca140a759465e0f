//! What is known about an entry besides what it says.

use lore_core::{Detail, Entry};
use serde::Serialize;

use super::entry::{day, known};

/// Something that is known about an entry: what, and its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewAbout {
    /// What it is, in words.
    pub name: &'static str,
    /// Its values.
    pub values: Vec<String>,
}

/// Lists what its kind adds and what else is known of an entry, in the order in which it is shown.
pub(super) fn about(entry: &Entry) -> Vec<ViewAbout> {
    let mut out = of_detail(&entry.detail);
    out.push(("files", entry.files.clone()));
    out.push(("issues", entry.issues.clone()));
    out.push(("depends on", entry.depends_on.clone()));
    out.push(("part", entry.domain.iter().cloned().collect()));
    out.push(("look again on", known(entry.stale_after).map(day).into_iter().collect()));
    let filled = out.into_iter().filter(|(_, values)| !values.is_empty());
    filled.map(|(name, values)| ViewAbout { name, values }).collect()
}

fn of_detail(detail: &Detail) -> Vec<(&'static str, Vec<String>)> {
    let one = |text: Option<&str>| text.map(str::to_owned).into_iter().collect::<Vec<String>>();
    match detail {
        Detail::None => Vec::new(),
        Detail::Decision(decision) => {
            let refused = decision.alternatives.iter().map(|other| match &other.rejected_because {
                Some(because) => format!("{}: {because}", other.option),
                None => other.option.clone(),
            });
            vec![
                ("not taken", refused.collect()),
                ("review on", known(decision.review_date).map(day).into_iter().collect()),
            ]
        }
        Detail::Resolution(resolution) => vec![
            ("cause", one(resolution.root_cause.as_deref())),
            ("took", one(resolution.time_to_resolve.as_deref())),
            ("tests", resolution.tests_added.clone()),
        ],
        Detail::Pattern(pattern) => vec![("sort", one(pattern.pattern_type.map(|sort| sort.word())))],
        Detail::Feedback(feedback) => vec![
            ("severity", one(feedback.severity.map(|severity| severity.word()))),
            ("category", one(feedback.category.as_deref())),
        ],
        Detail::Signal(signal) => vec![
            ("severity", one(signal.severity.map(|severity| severity.word()))),
            ("sort", one(signal.signal_type.map(|sort| sort.word()))),
            ("state", vec![signal.lifecycle_state.to_string()]),
            ("command", one(signal.command.as_deref())),
            ("error", one(signal.error.as_deref())),
        ],
        Detail::Spike(spike) => vec![
            ("question", one(spike.question.as_deref())),
            ("state", vec![spike.stage().to_string()]),
            ("outcome", one(spike.outcome.map(|outcome| outcome.word()))),
            ("hypothesis", one(spike.hypothesis.as_deref())),
            ("alternatives", spike.alternatives.clone()),
            ("criteria", spike.criteria.clone()),
            ("conditions", spike.conditions.clone()),
        ],
        Detail::Lesson(lesson) => vec![
            ("category", one(lesson.category.as_deref())),
            ("signals behind it", lesson.evidence_count.map(|count| count.to_string()).into_iter().collect()),
            ("shown when", lesson.triggers.clone()),
        ],
    }
}
