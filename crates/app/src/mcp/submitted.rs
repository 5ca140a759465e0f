//! What `curate_submit` answers: what became of each edit, and every reason once.

use lore_core::ProofMark;
use lore_engine::curator::{EditOutcome, SubmittedEdits};
use schemars::JsonSchema;
use serde::Serialize;

/// What became of edits.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SubmittedText {
    packet: String,
    /// Whether it was written; if not, `ask` says what to hand in first.
    written: bool,
    /// Whether this packet was answered before; nothing was done now, and the same answer gets the same result again.
    already: bool,
    /// How many edits go into the base, `lowered` ones among them.
    applied: usize,
    /// Those of them that go in with less than was asked for.
    lowered: Vec<LoweredText>,
    /// Edits that a person is asked about.
    proposals: Vec<RuledText>,
    /// Edits that go nowhere; those that `ask` gives back are not among them.
    refused: Vec<RuledText>,
    /// What was read and left out, in words.
    left_out: Vec<String>,
    /// What to answer before anything is written; empty where it is done.
    ask: String,
    /// Sessions that still wait.
    left: usize,
    /// What to do next.
    next: String,
}

/// Edits of which the same is so.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RuledText {
    /// Their places in the answer.
    edits: Vec<usize>,
    why: String,
}

/// An edit that goes in with less than was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LoweredText {
    /// Its place in the answer.
    n: usize,
    /// What was asked for, such as supersedes.
    asked: String,
    /// What it does instead, such as disputes; the same where only a part of it is left out.
    op: String,
    /// Fields of it that are left out: was, reason.
    without: Vec<String>,
    why: String,
}

impl From<SubmittedEdits> for SubmittedText {
    fn from(done: SubmittedEdits) -> SubmittedText {
        let outcome = done.outcome;
        let ask = done.ask.as_deref().unwrap_or_default();
        let of = |mark: ProofMark| {
            together(outcome.edits.iter().filter(|edit| edit.mark == mark && !is_given_back(edit, ask)))
        };
        let next = match (&done.ask, done.left) {
            (Some(_), _) => "answer `ask` and call curate_submit once more with the same packet",
            (None, 0) => "nothing waits any more",
            (None, _) => "call curate_next for the next packet, or stop",
        };
        SubmittedText {
            packet: outcome.packet.to_string(),
            written: done.ask.is_none() && !done.dry_run && (!outcome.already || done.again),
            already: outcome.already,
            applied: outcome.written(),
            lowered: outcome.edits.iter().filter(|edit| edit.is_less()).map(LoweredText::from).collect(),
            proposals: of(ProofMark::Proposal),
            refused: of(ProofMark::Refused),
            left_out: outcome.left_out.clone(),
            ask: done.ask.unwrap_or_default(),
            left: done.left,
            next: next.to_owned(),
        }
    }
}

impl From<&EditOutcome> for LoweredText {
    fn from(edit: &EditOutcome) -> LoweredText {
        LoweredText {
            n: edit.n,
            asked: edit.asked.unwrap_or(edit.op).to_string(),
            op: edit.op.to_string(),
            without: edit.without.clone(),
            why: edit.why.clone().unwrap_or_default(),
        }
    }
}

/// Puts edits together of which the same is so.
fn together<'e>(edits: impl Iterator<Item = &'e EditOutcome>) -> Vec<RuledText> {
    let mut out: Vec<RuledText> = Vec::new();
    for edit in edits {
        let why = edit.why.clone().unwrap_or_default();
        match out.iter_mut().find(|known| known.why == why) {
            Some(known) => known.edits.push(edit.n),
            None => out.push(RuledText { edits: vec![edit.n], why }),
        }
    }
    out
}

/// Tells whether an edit is given back in what is asked, with the reason.
fn is_given_back(edit: &EditOutcome, ask: &str) -> bool {
    let listed = ["- ", "; "].iter().any(|mark| ask.contains(&format!("{mark}{}, ", edit.n)));
    let opening: String = edit.why.iter().flat_map(|why| why.chars()).take(OPENING).collect();
    listed && ask.contains(&opening)
}

/// So many letters of a reason are enough to know it again: long ones are cut.
const OPENING: usize = 60;

#[cfg(test)]
mod tests {
    use lore_core::Op;
    use lore_engine::curator::PacketOutcome;

    use super::*;

    fn edit(n: usize, mark: ProofMark, why: &str) -> EditOutcome {
        EditOutcome {
            n,
            op: Op::New,
            asked: None,
            mark,
            title: String::new(),
            entry: None,
            why: Some(why.to_owned()),
            without: Vec::new(),
        }
    }

    #[test]
    fn the_same_reason_is_told_once_and_not_again_beside_the_request() {
        let edits = vec![
            edit(1, ProofMark::Refused, "the text says nothing"),
            edit(2, ProofMark::Refused, "a person removed it before"),
            edit(3, ProofMark::Refused, "a person removed it before"),
            EditOutcome {
                asked: Some(Op::Supersedes),
                op: Op::Disputes,
                ..edit(4, ProofMark::Lowered, "both stand")
            },
            edit(5, ProofMark::Applied, ""),
        ];
        let done = |ask: Option<&str>| SubmittedEdits {
            outcome: PacketOutcome { edits: edits.clone(), ..PacketOutcome::default() },
            ask: ask.map(str::to_owned),
            left: 0,
            dry_run: false,
            again: false,
        };
        let told = SubmittedText::from(done(Some("Once more:\n- 1, new “Tea”: the text says nothing\n")));
        let ruled: Vec<&[usize]> = told.refused.iter().map(|one| one.edits.as_slice()).collect();
        assert_eq!((ruled, told.applied, told.written), (vec![[2, 3].as_slice()], 2, false), "{told:?}");
        let told = SubmittedText::from(done(None));
        assert_eq!((told.refused.len(), told.written), (2, true), "{told:?}");
        let lowered = &told.lowered[0];
        assert_eq!((lowered.n, lowered.asked.as_str(), lowered.op.as_str()), (4, "supersedes", "disputes"));
    }
}
