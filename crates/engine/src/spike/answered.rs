//! Whether a question is answered already: one look for `lore spike`, `lore surface` and `lore ask`.

use std::collections::BTreeSet;

use lore_core::handle::shown;
use lore_core::{Confidence, Detail, Entry, Kind, Spike, SpikeOutcome, Status};
use lore_distill::spike::Criterion;
use lore_ground::freshness::Truth;
pub use lore_surface::AnsweredHow;
use lore_surface::{Already, Inquiry, KnownAnswer, already_answered};
use serde::Serialize;

use crate::verdicts::Verdicts;
use crate::{Engine, Error};

/// Questions that need not be measured, because they were.
const AVOIDED: &str = "spikes/avoided.tsv";
/// Entries of these kinds may answer a question by the way.
const BY_THE_WAY: [Kind; 5] =
    [Kind::Decision, Kind::Lesson, Kind::Limitation, Kind::Architecture, Kind::Fact];

/// What answers a question already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// How far: full, composite, partial, incidental.
    pub how: AnsweredHow,
    /// The entries that do, the best first.
    pub by: Vec<AnsweringEntry>,
    /// What stays open.
    pub open: Vec<String>,
    /// How sure one can be: what was measured apart, or said by the way, is less sure.
    pub confidence: Confidence,
}

/// An entry that answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnsweringEntry {
    /// The entry.
    pub id: String,
    /// What it was asked, where it is a spike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The answer, in one sentence.
    pub answer: String,
    /// What came out, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<SpikeOutcome>,
    /// What it was found under.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
}

impl Answered {
    /// Tells whether nothing is left to measure.
    pub fn is_whole(&self) -> bool {
        matches!(self.how, AnsweredHow::Full | AnsweredHow::Composite)
    }

    /// Says it in one line, with what is cited.
    pub fn line(&self) -> String {
        let by: Vec<String> = self.by.iter().map(|one| format!("[{}]", shown(&one.id))).collect();
        let by = by.join(", ");
        match self.how {
            AnsweredHow::Full => format!("answered by {by}"),
            AnsweredHow::Composite => {
                format!("answered by {by} together, a composite: they were measured apart")
            }
            AnsweredHow::Partial => format!("answered in part by {by}; open: {}", self.open.join("; ")),
            AnsweredHow::Incidental => format!("{by} says so by the way; nobody measured it for this"),
        }
    }
}

impl Engine {
    /// Looks whether a question that somebody puts is answered already; refuses one that asks nothing.
    pub fn answer_to(&self, question: &str) -> Result<Option<Answered>, Error> {
        if question.trim().is_empty() {
            let hint = "ask in words, such as “Should we use X or Y for Z?”";
            return Err(Error::request("there is no question", hint));
        }
        self.answered(question)
    }

    /// Looks whether a question is answered already.
    pub fn answered(&self, question: &str) -> Result<Option<Answered>, Error> {
        let asked = Inquiry::parse(question);
        let snapshot = self.store.snapshot()?;
        let spikes =
            snapshot.summaries().filter(|one| one.kind == Kind::Spike && one.status == Status::Current);
        let mut entries: Vec<Entry> =
            snapshot.read_some(spikes).into_iter().flatten().map(|stored| stored.entry).collect();
        // The newest answer comes first where several fit.
        entries.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.id.cmp(&b.id)));
        let mut verdicts = self.verdicts();
        let mut known: Vec<KnownAnswer> =
            entries.iter().filter_map(|entry| known_spike(entry, &mut verdicts)).collect();
        verdicts.save();
        let said = snapshot
            .summaries()
            .filter(|one| BY_THE_WAY.contains(&one.kind) && one.status == Status::Current);
        known.extend(said.filter(|one| !one.archived).map(|one| KnownAnswer {
            id: one.id.to_string(),
            inquiry: None,
            outcome: None,
            text: format!("{}. {}", one.title, one.description.as_deref().unwrap_or_default()),
            broken: None,
        }));
        let Some(Already { how, by, open }) = already_answered(&asked, &known) else { return Ok(None) };
        let mut sure = vec![match how {
            AnsweredHow::Full => Confidence::High,
            AnsweredHow::Composite | AnsweredHow::Partial => Confidence::Medium,
            AnsweredHow::Incidental => Confidence::Low,
        }];
        let mut found = Vec::new();
        for id in by {
            let entry =
                snapshot.find(&id).and_then(|summary| snapshot.read(summary).ok()).map(|stored| stored.entry);
            let Some(entry) = entry else { continue };
            sure.extend(entry.confidence);
            let spike = match &entry.detail {
                Detail::Spike(spike) => spike.clone(),
                _ => Spike::default(),
            };
            if spike.outcome == Some(SpikeOutcome::Inconclusive) {
                sure.push(Confidence::Low);
            }
            found.push(AnsweringEntry {
                id,
                question: spike.question.clone(),
                answer: entry.description.clone().unwrap_or_else(|| entry.title.clone()),
                outcome: spike.outcome,
                conditions: conditions(&spike),
            });
        }
        let confidence = sure.into_iter().min().unwrap_or(Confidence::Low);
        Ok(Some(Answered { how, by: found, open, confidence }))
    }

    /// Remembers that a question was not measured again; the same question counts once.
    pub(crate) fn note_avoided(&self, question: &str, answered: &Answered) -> Result<(), Error> {
        if answered.how != AnsweredHow::Full {
            return Ok(());
        }
        let key = key(question);
        if self.avoided_keys().contains(&key) {
            return Ok(());
        }
        let by: Vec<&str> = answered.by.iter().map(|one| one.id.as_str()).collect();
        let line = format!("{}\t{key}\t{}\n", self.world.now, by.join(","));
        Ok(self.store.shared().append_text(AVOIDED, &line)?)
    }

    /// Counts the questions that were answered without measuring again.
    pub fn spikes_avoided(&self) -> usize {
        self.avoided_keys().len()
    }

    fn avoided_keys(&self) -> BTreeSet<String> {
        let path = self.store.shared().folder().join(AVOIDED);
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter_map(|line| line.split('\t').nth(1)).map(str::to_owned).collect()
    }
}

/// Lists what an answer was found under, its own words first.
fn conditions(spike: &Spike) -> Vec<String> {
    let own = spike.scale.iter().chain(&spike.constraint).cloned();
    own.chain(spike.conditions.iter().cloned()).collect()
}

/// Takes what the comparison needs out of a spike that has an answer.
fn known_spike(entry: &Entry, verdicts: &mut Verdicts) -> Option<KnownAnswer> {
    let Detail::Spike(spike) = &entry.detail else { return None };
    if !spike.is_answered() {
        return None;
    }
    let question = spike.question.as_deref().unwrap_or(&entry.title);
    let mut inquiry = Inquiry::parse(question).with_alternatives(&spike.alternatives);
    for condition in spike.scale.iter().chain(&spike.constraint) {
        inquiry = inquiry.with_condition(condition);
    }
    for line in &spike.criteria {
        if let Ok(criterion) = line.parse::<Criterion>() {
            inquiry = inquiry.with_metric(&criterion.metric);
        }
    }
    let broken = entry.depends_on.iter().find_map(|condition| {
        let verdict = verdicts.judge(condition);
        let evidence = verdict.evidence.join("; ");
        (verdict.truth == Truth::Broken).then(|| format!("`{condition}` no longer holds: {evidence}"))
    });
    let text = format!("{}. {}", entry.title, entry.description.as_deref().unwrap_or_default());
    Some(KnownAnswer {
        id: entry.id.to_string(),
        inquiry: Some(inquiry),
        outcome: spike.outcome,
        text,
        broken,
    })
}

/// Names a question whatever its case, spaces and marks.
fn key(question: &str) -> String {
    let plain: Vec<String> = question
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    lore_core::ContentHash::of(plain.join(" ").as_bytes()).short().to_owned()
}
