//! What `ask` gives: the lead that `lore ask` prints, with what it rests on.

use lore_core::handle::shown;
use lore_core::sentinel;
use lore_core::text::tokens;
use lore_engine::ask::{Answer, Evidence};
use lore_engine::written::Written;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AnswerText {
    /// Whether what is known answers the question.
    known: bool,
    why: String,
    /// The answer in the words that were written or said, each line with its citation; both sides where it changed
    /// or is disputed. Empty where nothing was found.
    text: String,
    /// What its lines rest on, in their order.
    sources: Vec<SourceText>,
    /// The words it rests on, or the nearest that was found; only where that was asked for.
    evidence: String,
    /// How many passages are left that are not shown here; `evidence` and a larger `budget` show them.
    more: usize,
}

/// What a line of an answer rests on.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SourceText {
    /// Id of an entry, session and line, or file and line.
    source: String,
    /// current, disputed, outdated, superseded, possibly-replaced, uncurated, earlier; of a file: file, yours, confirmed.
    status: String,
    /// Whether the machine wrote it and no person has confirmed it.
    unreviewed: bool,
    /// By what the code shows that it no longer holds; empty where it does not.
    broken: String,
    /// The project it is from; empty for this one.
    project: String,
}

/// How much of an answer is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// In tokens, everything together.
    pub(super) budget: usize,
    pub(super) evidence: bool,
}

/// A text that grows until its budget is spent.
struct Page {
    text: String,
    left: usize,
}

impl Page {
    /// Adds lines where there is room; says whether there was.
    fn add(&mut self, lines: &str) -> bool {
        let cost = tokens(lines);
        let fits = cost <= self.left;
        if fits {
            self.text.push_str(lines);
            self.left -= cost;
        }
        fits
    }

    fn fenced(&self) -> String {
        if self.text.is_empty() { String::new() } else { sentinel::wrap(&self.text) }
    }
}

impl From<(Answer, Extent)> for AnswerText {
    fn from((answer, extent): (Answer, Extent)) -> AnswerText {
        let mut page = Page { text: String::new(), left: extent.budget };
        let mut sources = Vec::new();
        for (at, line) in answer.lead.iter().enumerate() {
            let opening = line.opening();
            let gap = if opening.is_empty() { "" } else { " " };
            let lines = format!("{opening}{gap}{}\n  {}\n", line.text, line.citation());
            // Something is said, whatever it costs: what answers in one line is never left out.
            if at == 0 {
                page.left = page.left.max(tokens(&lines));
            }
            if page.add(&lines) {
                sources.push(SourceText::of(line));
            }
        }
        for one in &answer.written {
            let place = format!("{}:{}", one.file, one.line);
            if page.add(&format!("written in a file: {}\n  ({place}, {})\n", one.text, one.standing.word())) {
                sources.push(SourceText::in_file(place, one));
            }
        }
        let mut beside = Page { text: String::new(), left: page.left };
        let mut more = answer.passages.len();
        if extent.evidence {
            for one in &answer.passages {
                let text = one.text.replace('\n', "\n  ");
                more -= usize::from(beside.add(&format!("- {text}\n  {}\n", one.citation())));
            }
        }
        AnswerText {
            known: answer.known,
            why: answer.why,
            text: page.fenced(),
            sources,
            evidence: beside.fenced(),
            more,
        }
    }
}

impl SourceText {
    fn of(line: &Evidence) -> SourceText {
        SourceText {
            source: shown(&line.source),
            status: line.status.clone(),
            unreviewed: line.unreviewed,
            broken: line.broken.as_deref().map(sentinel::wrap).unwrap_or_default(),
            project: line.project.clone().unwrap_or_default(),
        }
    }

    fn in_file(source: String, one: &Written) -> SourceText {
        SourceText {
            source,
            status: one.standing.word().to_owned(),
            unreviewed: false,
            broken: String::new(),
            project: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use lore_core::Voice;

    use super::*;

    fn evidence(text: &str, status: &str) -> Evidence {
        Evidence {
            text: text.to_owned(),
            status: status.to_owned(),
            unreviewed: false,
            broken: None,
            source: "session://claude-code/6af70815#L88".to_owned(),
            level: "entry",
            voice: Voice::Person,
            at: None,
            score: 1.0,
            project: None,
        }
    }

    fn answer() -> Answer {
        Answer {
            question: "where do bookings live?".to_owned(),
            known: true,
            why: String::new(),
            lead: vec![
                evidence("They live in PostgreSQL.", "current"),
                evidence("They live in Redis.", "superseded"),
            ],
            passages: vec![evidence("They live in PostgreSQL.", "current"); 9],
            answered: None,
            written: Vec::new(),
        }
    }

    #[test]
    fn the_lead_is_given_within_the_budget_and_the_evidence_only_on_request() {
        let check = |budget: usize, evidence: bool, sources: usize, shown: bool| {
            let told = AnswerText::from((answer(), Extent { budget, evidence }));
            assert_eq!((told.sources.len(), !told.evidence.is_empty()), (sources, shown), "{told:?}");
            assert_eq!(told.more == 9, !shown, "{told:?}");
            assert_eq!(told.text.matches(sentinel::OPEN).count(), 1, "{told:?}");
        };
        check(500, false, 2, false);
        check(500, true, 2, true);
        check(1, true, 1, false);
        let told = AnswerText::from((answer(), Extent { budget: 500, evidence: false }));
        assert!(told.text.contains("before that: They live in Redis.\n  ("), "{told:?}");
    }
}
