//! The proof-reader against recorded edits: how many it loses, and how many made false it finds.
//!
//! A recorded editor is taken at its word: every statement of it counts as true. Each is read as it was
//! given, and then once for every way of making it false in one place.

use lore_core::redact::Redactor;
use lore_core::{Edit, Entry, Op, Packet, ProofMark};
use lore_distill::curator::mutants::{Dice, MutantTally, Mutation, mutants};
use lore_distill::curator::{ProofContext, read_answer, verify};

use crate::report::Report;

/// So many edits are read at a time, that no cap cuts them.
const AT_A_TIME: usize = 4;

/// What was read so far.
pub(super) struct Mutants {
    dice: Dice,
    tally: MutantTally,
    edits: usize,
    refused: usize,
    flagged: usize,
}

impl Mutants {
    pub(super) fn new() -> Mutants {
        Mutants { dice: Dice(29), tally: MutantTally::default(), edits: 0, refused: 0, flagged: 0 }
    }

    /// Reads the answer to a packet, beside the entries as they stood before it.
    pub(super) fn read(&mut self, packet: &Packet, answer: &str, entries: &[Entry]) {
        let Ok(answer) = read_answer(answer) else { return };
        let shown = |entry: &&Entry| packet.nearest.iter().any(|near| near.id == entry.id);
        let entries: Vec<Entry> = entries.iter().filter(shown).cloned().collect();
        let context =
            ProofContext { packet, entries: &entries, removed: &[], redactor: Redactor::standard() };
        for (number, edit) in &answer.edits {
            let Ok(edit) = edit else {
                self.edits += 1;
                self.refused += 1;
                continue;
            };
            let target = edit.entry.as_deref().and_then(|short| packet.entry(short));
            let is_there = edit.op == Op::New
                || target.is_some_and(|target| entries.iter().any(|entry| entry.id == *target));
            if matches!(edit.op, Op::Same | Op::Drop | Op::Split) || !is_there {
                continue;
            }
            self.edits += 1;
            let proof = verify(&[(*number, edit.clone())], &context).remove(0);
            if proof.mark == ProofMark::Refused {
                self.refused += 1;
                continue;
            }
            self.flagged += usize::from(proof.mark == ProofMark::Flagged);
            let (sorts, made): (Vec<Mutation>, Vec<Edit>) =
                mutants(edit, packet, &mut self.dice).into_iter().unzip();
            let few = |few: &[Edit]| verify(&few.iter().cloned().enumerate().collect::<Vec<_>>(), &context);
            for (sort, proof) in sorts.into_iter().zip(made.chunks(AT_A_TIME).flat_map(few)) {
                self.tally.count(sort, &proof);
            }
        }
    }

    /// Writes the figures down.
    pub(super) fn write(&self, report: &mut Report) {
        if self.edits == 0 {
            return;
        }
        let mut share = |name: &str, part: usize, all: usize| {
            report.set_number(&format!("mutation.{name}"), part as f64 / all.max(1) as f64);
            report.set(&format!("mutation.{name}.n"), all);
        };
        share("true_refused", self.refused, self.edits);
        share("true_looked_at_twice", self.flagged, self.edits);
        let sum = |sorts: &[Mutation]| {
            let rows = sorts.iter().filter_map(|sort| self.tally.0.get(sort));
            rows.fold((0, 0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2))
        };
        for (name, sorts) in [
            ("foreign", &[Mutation::ForeignName, Mutation::ForeignNumber][..]),
            ("foreign_names", &[Mutation::ForeignName][..]),
            ("foreign_numbers", &[Mutation::ForeignNumber][..]),
            ("invented", &[Mutation::InventedSentence][..]),
            ("wrong_lines", &[Mutation::WrongLines][..]),
        ] {
            let (refused, _, all) = sum(sorts);
            share(name, refused, all);
        }
        for (name, sorts) in [
            ("name_from_elsewhere_seen", &[Mutation::NameFromElsewhere][..]),
            ("number_from_elsewhere_seen", &[Mutation::NumberFromElsewhere][..]),
            ("turned_not_seen", &[Mutation::NotPutIn, Mutation::NotTakenOut][..]),
        ] {
            let (refused, flagged, all) = sum(sorts);
            share(name, refused + flagged, all);
        }
    }
}
