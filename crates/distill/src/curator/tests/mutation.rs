//! How many false edits the proof-reader finds, and how many true ones it loses.

use lore_core::ProofMark;

use super::fields::invented;
use super::mutants::{Dice, MutantTally, Mutation, mutants};
use super::proofs::read_one;

#[test]
fn false_edits_are_refused_and_true_ones_are_not() {
    let mut tally = MutantTally::default();
    let mut dice = Dice(11);
    let (mut edits, mut refused) = (0, Vec::new());
    for session in invented() {
        for edit in &session.edits {
            edits += 1;
            let proof = read_one(edit.clone(), &session.packet, &[]);
            if proof.mark == ProofMark::Refused {
                refused.push(format!("{}: {:?}", edit.said(), proof.why()));
                continue;
            }
            for (mutation, mutant) in mutants(edit, &session.packet, &mut dice) {
                tally.count(mutation, &read_one(mutant, &session.packet, &[]));
            }
        }
    }
    assert!(edits >= 300, "{edits} true edits");
    assert!(
        refused.len() * 50 <= edits,
        "{} of {edits} true edits are refused:\n{}",
        refused.len(),
        refused.join("\n")
    );
    let floor = |mutation: Mutation, share: f64| {
        let found = tally.refused(mutation);
        assert!(found >= share, "{mutation:?}: {found:.3} of {share} in {tally:?}");
    };
    floor(Mutation::ForeignName, 1.0);
    floor(Mutation::ForeignNumber, 1.0);
    floor(Mutation::InventedSentence, 0.95);
    floor(Mutation::WrongLines, 0.8);
    // Taken from the same session, a name or a number is often found and never always.
    floor(Mutation::NumberFromElsewhere, 0.6);
}
