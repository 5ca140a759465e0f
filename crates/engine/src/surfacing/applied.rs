//! The `## Knowledge Applied` block, and which entries speak against an approach.

use std::fmt::Write as _;

use lore_core::handle::shown;
use lore_core::{Candidate, Confidence, Curator, Entry, Evidence, Kind, SessionId, Voice};
use lore_distill::curate::{Bars, Base, Outcome, Setting, curate};
use lore_surface::Pick;

use super::{Dismissed, Surfaced, Task};
use crate::query::Across;
use crate::{Engine, Error};

impl Engine {
    /// Finds the entries that an approach would contradict: those that are shown for the task, and those that the
    /// approach itself meets, for a task seldom says how it is to be done.
    pub(super) fn dismissed(&self, task: &Task, shown: &[&Pick]) -> Result<Vec<Dismissed>, Error> {
        let Some(approach) = task.approach.as_deref().filter(|approach| !approach.trim().is_empty()) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for pick in shown {
            let entry = &pick.card.entry;
            // Who wrote it decides what may be done about it, not whether it says otherwise.
            let known = Base::new([Entry { curated_by: Curator::Auto, ..entry.clone() }]);
            let path = |_: &Entry| pick.card.path.clone();
            let setting = Setting { known: &known, now: self.world.now, path: &path, bars: &|_| Bars::OPEN };
            let judged = curate(vec![self.stated(approach, entry.kind)], &setting);
            let against = judged.decisions.into_iter().find(|decision| {
                matches!(
                    decision.outcome,
                    Outcome::Supersedes | Outcome::PossiblyReplaced | Outcome::Disputed
                )
            });
            if let Some(decision) = against {
                let reasons: Vec<String> = decision.reasons.into_iter().map(|reason| reason.0).collect();
                let why =
                    decision.against.map_or_else(|| reasons.join("; "), |claim| format!("it says “{claim}”"));
                found.push(Dismissed { id: entry.id.to_string(), title: entry.title.clone(), why });
            }
        }
        if task.only_here || !matches!(task.across, Across::Project(_)) {
            for (entry, opposing) in self.opposing(approach, &Entry::rests_on_a_person)? {
                let id = entry.id.to_string();
                if found.iter().all(|one: &Dismissed| one.id != id) {
                    let why = format!("it says “{}”", opposing.says);
                    found.push(Dismissed { id, title: entry.title, why });
                }
            }
        }
        Ok(found)
    }

    /// Takes an approach as a statement that somebody has just made.
    fn stated(&self, approach: &str, kind: Kind) -> Candidate {
        let title: Vec<&str> = approach.split_whitespace().take(10).collect();
        let evidence = Evidence {
            session: SessionId::new("approach"),
            agent: "lore".to_owned(),
            line: 1,
            quote: approach.to_owned(),
            voice: Voice::Person,
            // Whatever is known was known before.
            at: None,
        };
        let confidence = Confidence::High;
        Candidate { title: title.join(" "), confidence, ..Candidate::resting_on(evidence, kind) }
    }
}

impl Surfaced {
    /// Writes the whole text: conclusions of earlier steps, entries, then the account of both.
    pub(super) fn written(&self, preface: &str, knowledge: &str, carried: &str) -> String {
        let mut out = String::new();
        if !carried.is_empty() {
            let _ = writeln!(out, "Concluded in earlier steps:\n{carried}");
        }
        if !knowledge.is_empty() {
            let _ = writeln!(out, "{preface}\n{knowledge}\n");
        }
        if self.over_budget {
            out.push_str("(longer than the budget, because disputed entries are always shown)\n\n");
        }
        out.push_str(&self.applied());
        out
    }

    /// Writes the account of what was looked up and what became of it.
    pub fn applied(&self) -> String {
        let mut out = String::from("## Knowledge Applied\n\n");
        if self.items.is_empty() && self.dismissed.is_empty() {
            let more = if self.carried.is_empty() {
                "Checked knowledge base, no relevant entries found."
            } else {
                "Checked knowledge base, nothing beyond what earlier steps found."
            };
            out.push_str(more);
            out.push('\n');
            return out;
        }
        let _ = writeln!(out, "KB entries consulted: {}", self.consulted);
        let is_dismissed = |id: &str| self.dismissed.iter().any(|one| one.id == id);
        let applied: Vec<_> = self.items.iter().filter(|item| !is_dismissed(&item.id)).collect();
        if !applied.is_empty() {
            out.push_str("\n**Applied:**\n");
        }
        for item in applied {
            let _ = writeln!(out, "- [{}] {}", shown(&item.id), item.title);
        }
        if !self.dismissed.is_empty() {
            out.push_str("\n**Dismissed** (they contradict the approach):\n");
            for one in &self.dismissed {
                let _ = writeln!(out, "- [{}] {}: {}", shown(&one.id), one.title, one.why);
            }
        }
        let spikes: Vec<String> = self
            .spikes_avoided
            .iter()
            .map(|spike| format!("{} ({})", shown(&spike.id), spike.outcome))
            .collect();
        let _ = write!(out, "\nSpikes avoided: {}", spikes.len());
        if spikes.is_empty() {
            out.push('\n');
        } else {
            let composite = if spikes.len() > 1 { "; a composite answer" } else { "" };
            let _ = writeln!(out, " ({}{composite})", spikes.join(", "));
        }
        if let Some(answered) = self.answered.as_ref().filter(|answered| !answered.is_whole()) {
            let _ = writeln!(out, "The question is {}", answered.line());
        }
        out
    }
}
