//! The proof-reader against recorded edits: how many it loses, and how many made false it finds.
//!
//! A recorded editor is taken at its word: every statement of it counts as true. Each is read as it was
//! given, and then once for every way of making it false in one place.
//!
//! A turned “not” is for the second look. `--set looks-out=FILE` writes down what a second look would be
//! asked, true claims among turned ones and in no order that tells them apart; `--set looks-in=FILE` reads
//! the answers (`{"looks": {"NUMBER": "entailed"}}`) back.

use lore_core::Proofread;
use lore_core::redact::Redactor;
use lore_core::{Edit, Entry, Op, Packet, ProofMark};
use lore_distill::curator::mutants::{Dice, MutantTally, Mutation, mutants};
use lore_distill::curator::{
    Glance, LookAt, ProofContext, read_answer, read_second_look, second_look, verify,
};

use serde_json::{Value, json};

use crate::context::{Context, Failure};
use crate::report::Report;

/// So many edits are read at a time, that no cap cuts them.
const AT_A_TIME: usize = 4;

/// One claim in so many is written down for a second look.
const DRAWN: u64 = 4;
/// Claims have names of so many digits.
const NAMES: u64 = 100_000_000;

/// A claim for a second look.
struct Claim {
    name: usize,
    is_turned: bool,
    asked: String,
}

/// What was read so far.
pub(super) struct Mutants {
    claims: Vec<Claim>,
    dice: Dice,
    tally: MutantTally,
    edits: usize,
    refused: usize,
    flagged: usize,
    /// Those that the editor would be asked to say better.
    wanting: usize,
    /// Each edit is made false so many times over.
    rolls: usize,
    /// What was made up and passed, and what could be said better, for somebody to read.
    pub(super) passed: Vec<Value>,
}

impl Mutants {
    /// `--set rolls=20` makes each edit false twenty times over, by other throws of the dice.
    pub(super) fn new(context: &Context) -> Mutants {
        Mutants {
            claims: Vec::new(),
            dice: Dice(29),
            tally: MutantTally::default(),
            edits: 0,
            refused: 0,
            flagged: 0,
            wanting: 0,
            rolls: context.setting("rolls", 1),
            passed: Vec::new(),
        }
    }

    /// Reads the answer to a packet of a project, beside the entries as they stood before it.
    pub(super) fn read(&mut self, (project, packet): (&str, &Packet), answer: &str, entries: &[Entry]) {
        let Ok(answer) = read_answer(answer) else { return };
        let shown = |entry: &&Entry| packet.nearest.iter().any(|near| near.id == entry.id);
        let entries: Vec<Entry> = entries.iter().filter(shown).cloned().collect();
        let context =
            ProofContext { packet, entries: &entries, removed: &[], project, redactor: Redactor::standard() };
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
            self.wanting += usize::from(!proof.wanting.is_empty());
            if !proof.wanting.is_empty() {
                self.passed.push(json!({
                    "packet": packet.id, "wanting": proof.wanting, "title": proof.edit.title, "said": proof.edit.said(),
                }));
            }
            self.draw(&proof, packet, &entries, false);
            let rolls = (0..self.rolls).flat_map(|_| mutants(edit, packet, &mut self.dice));
            let (sorts, made): (Vec<Mutation>, Vec<Edit>) = rolls.unzip();
            let few = |few: &[Edit]| verify(&few.iter().cloned().enumerate().collect::<Vec<_>>(), &context);
            let read = made.chunks(AT_A_TIME).flat_map(few);
            for ((sort, mutant), proof) in sorts.into_iter().zip(&made).zip(read) {
                let is_foreign = matches!(sort, Mutation::ForeignName | Mutation::ForeignNumber);
                // What was put into an address, or made one of a version, went with it: nothing false is left.
                if is_foreign && !says_any(proof.edit.said(), mutant.said(), edit.said()) {
                    continue;
                }
                self.tally.count(sort, &proof);
                if is_foreign && proof.mark != ProofMark::Refused {
                    self.passed.push(
                        json!({ "packet": packet.id, "passed": proof.edit.said(), "true": edit.said() }),
                    );
                }
                if matches!(sort, Mutation::NotPutIn | Mutation::NotTakenOut) {
                    self.draw(&proof, packet, &entries, true);
                }
            }
        }
    }

    /// Draws a claim that a second look would be asked about.
    fn draw(&mut self, proof: &Proofread, packet: &Packet, entries: &[Entry], is_turned: bool) {
        let key = lore_core::hash::key(&[packet.id.as_str().as_bytes(), proof.edit.said().as_bytes()]);
        if proof.mark != ProofMark::Flagged || !key.is_multiple_of(DRAWN) {
            return;
        }
        let name = usize::try_from(key / DRAWN % NAMES).unwrap_or(0);
        let named = Proofread { number: name, ..proof.clone() };
        if let Some(asked) = second_look(&[named], packet, entries, LookAt::Doubtful) {
            self.claims.push(Claim { name, is_turned, asked });
        }
    }

    /// Writes the claims down, or reads what was said to them.
    pub(super) fn second_look(&mut self, context: &Context, report: &mut Report) -> Result<(), Failure> {
        self.claims.sort_by_key(|claim| claim.name);
        if let Some(path) = context.setting_text("looks-out") {
            let task = self.claims.first().and_then(|claim| claim.asked.split("\nCLAIM ").next());
            let claims = self.claims.iter().filter_map(|claim| claim.asked.split_once("\nCLAIM "));
            let claims: Vec<String> = claims.map(|(_, claim)| format!("\nCLAIM {claim}")).collect();
            std::fs::write(path, format!("{}\n{}", task.unwrap_or_default(), claims.concat()))?;
        }
        let Some(path) = context.setting_text("looks-in") else { return Ok(()) };
        let looks = read_second_look(&std::fs::read_to_string(path)?);
        let mut said = |is_turned: bool, name: &str| {
            let asked = self.claims.iter().filter(|claim| claim.is_turned == is_turned);
            let answers: Vec<Glance> = asked.filter_map(|claim| looks.get(&claim.name).copied()).collect();
            let entailed = answers.iter().filter(|glance| **glance == Glance::Entailed).count();
            let share = entailed as f64 / answers.len().max(1) as f64;
            report.set_number(&format!("mutation.{name}"), share);
            report.set(&format!("mutation.{name}.n"), answers.len());
            (1.0 - share, answers.len())
        };
        said(false, "look_entails_true");
        let (found, answers) = said(true, "look_entails_turned");
        let (refused, flagged, all) = self.sum(&[Mutation::NotPutIn, Mutation::NotTakenOut]);
        if answers > 0 && all > 0 {
            let share = (refused as f64 + flagged as f64 * found) / all as f64;
            report.set_number("mutation.turned_not", share);
            report.set("mutation.turned_not.n", answers);
        }
        Ok(())
    }

    /// Counts mutants of these sorts: refused, flagged, made.
    fn sum(&self, sorts: &[Mutation]) -> (usize, usize, usize) {
        let rows = sorts.iter().filter_map(|sort| self.tally.0.get(sort));
        rows.fold((0, 0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2))
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
        share("true_asked_to_be_reworded", self.wanting, self.edits);
        for (name, sorts) in [
            ("foreign", &[Mutation::ForeignName, Mutation::ForeignNumber][..]),
            ("foreign_names", &[Mutation::ForeignName][..]),
            ("foreign_numbers", &[Mutation::ForeignNumber][..]),
            ("invented", &[Mutation::InventedSentence][..]),
            ("wrong_lines", &[Mutation::WrongLines][..]),
        ] {
            let (refused, _, all) = self.sum(sorts);
            share(name, refused, all);
        }
        for (name, sorts) in [
            ("name_from_elsewhere_seen", &[Mutation::NameFromElsewhere][..]),
            ("number_from_elsewhere_seen", &[Mutation::NumberFromElsewhere][..]),
            ("turned_not_seen", &[Mutation::NotPutIn, Mutation::NotTakenOut][..]),
        ] {
            let (refused, flagged, all) = self.sum(sorts);
            share(name, refused + flagged, all);
        }
    }
}

/// Tells whether a text still says a word of a mutant that the true one does not.
fn says_any(text: &str, mutant: &str, truth: &str) -> bool {
    let own: Vec<&str> = truth.split_whitespace().collect();
    mutant.split_whitespace().filter(|word| !own.contains(word)).any(|word| text.contains(word))
}
