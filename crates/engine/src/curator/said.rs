//! What an editor said to a packet, its second thoughts included.

use std::collections::BTreeMap;

use lore_core::{Proofread, one_line};
use lore_distill::curator::{
    EditAnswer, Glance, ProofSheet, Remainder, Renamed, read_remainders, read_second_look,
};

/// What an editor said to a packet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) first: EditAnswer,
    /// The second try for what was refused.
    pub(crate) repaired: Option<EditAnswer>,
    /// Which edits the second try may say in other words.
    pub(crate) renamed: Renamed,
    /// What a second look said, by the words of the claim.
    pub(crate) looks: BTreeMap<String, Glance>,
    /// What a second look left of a claim, by the words of the claim.
    pub(crate) remainders: BTreeMap<String, Remainder>,
}

impl Said {
    /// Takes an edit that came back in other words, because it was asked for, as the answer to its second look: whoever
    /// corrects it has looked at it.
    pub(super) fn corrected(&mut self, sheet: &ProofSheet) {
        let Some(second) = &self.repaired else { return };
        let first = |number: usize| {
            let own = self.first.edits.iter().find(|(n, _)| *n == number)?;
            own.1.as_ref().ok().map(|edit| one_line(edit.said()))
        };
        for proof in sheet.proofs.iter().filter(|proof| second.again.values().any(|n| *n == proof.number)) {
            let said = one_line(proof.edit.said());
            if first(proof.number).is_some_and(|before| before != said) {
                self.looks.entry(claim(proof)).or_insert(Glance::Entailed);
            }
        }
    }
}

/// Keeps what a second look said by the words of the claims: their numbers may be others the next time.
pub(crate) fn looked(said: &mut Said, sheet: &ProofSheet, answer: &str) {
    let (looks, rests) = (read_second_look(answer), read_remainders(answer));
    for proof in &sheet.proofs {
        if let Some(glance) = looks.get(&proof.number) {
            said.looks.insert(claim(proof), *glance);
        }
        if let Some(rest) = rests.get(&proof.number) {
            said.remainders.insert(claim(proof), rest.clone());
        }
    }
}

/// Names a claim by its words, so that what a second look said finds it again.
pub(super) fn claim(proof: &Proofread) -> String {
    format!("{} {}", proof.edit.op, one_line(proof.edit.said()))
}
