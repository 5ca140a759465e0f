//! How many false edits the proof-reader finds, and how many true ones it loses.

use lore_core::{Edit, ProofMark};

use super::fields::invented;
use super::proofs::{read_all, read_one};
use crate::curator::mutants::{Dice, MutantTally, Mutation, mutants};

#[test]
fn false_edits_are_refused_and_true_ones_are_not() {
    let mut tally = MutantTally::default();
    let mut dice = Dice(11);
    let (mut edits, mut flagged, mut refused) = (0, 0, Vec::new());
    for session in invented() {
        for edit in &session.edits {
            edits += 1;
            let proof = read_one(edit.clone(), &session.packet, &[]);
            if proof.mark == ProofMark::Refused {
                refused.push(format!("{}: {:?}", edit.said(), proof.why()));
                continue;
            }
            flagged += usize::from(proof.mark == ProofMark::Flagged);
            let (sorts, made): (Vec<Mutation>, Vec<Edit>) =
                mutants(edit, &session.packet, &mut dice).into_iter().unzip();
            for (mutation, proof) in sorts.into_iter().zip(read_all(&made, &session.packet)) {
                tally.count(mutation, &proof);
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
    // A turned “not” is for the second look, which has to get to see it.
    let (_, first, all) = tally.0[&Mutation::NotPutIn];
    let (_, second, others) = tally.0[&Mutation::NotTakenOut];
    assert!((first + second) * 10 >= (all + others) * 8, "{tally:?}");
    assert!(flagged * 10 <= edits * 4, "{flagged} of {edits} true edits are looked at twice");
}
