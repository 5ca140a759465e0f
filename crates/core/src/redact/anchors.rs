//! Finds literals in a text, letter case aside, whichever of a hundred they are.
//!
//! An automaton for all of them is larger than the fastest memory of a processor and waits at every
//! byte. Four bytes, the rarest of each literal, nearly always tell that none of them stands there.

use std::ops::Range;

/// Bits that are left of three bytes.
const BITS: u32 = 12;
const SLOTS: usize = 1 << BITS;
/// Makes small letters of great ones, and moves other signs about; letters stay apart.
const FOLD: u64 = u64::from_le_bytes([0x20; 8]);
/// Places of eight bytes from which four can be taken.
const STEP: usize = 5;

/// Finds a set of literals.
pub(super) struct Finder {
    /// Slot of three bytes → which fourth ones may follow, by their last five bits.
    fourths: Box<[u32; SLOTS]>,
    /// Slot → where its literals begin in `by_slot`.
    begins: Box<[u16]>,
    by_slot: Vec<Candidate>,
    literals: Vec<&'static str>,
}

/// A literal that may stand where four of its bytes were found.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    literal: u16,
    /// Where in the literal the four bytes are.
    offset: u8,
}

/// Returns the slot of three folded bytes.
#[inline]
fn slot(three: u64) -> usize {
    ((three as u32) << 8).wrapping_mul(0x9e37_79b1) as usize >> (32 - BITS)
}

/// Returns the fourth of the folded bytes as one bit of many.
#[inline]
fn fourth(four: u64) -> u32 {
    1 << (four >> 24 & 31)
}

/// How common a byte is in prose and code, in no unit; letters as in English.
fn commonness(byte: u8) -> u32 {
    const LETTERS: [u32; 26] =
        [82, 15, 35, 42, 127, 22, 20, 50, 70, 2, 8, 40, 27, 67, 75, 22, 1, 60, 63, 90, 28, 10, 20, 3, 20, 1];
    match byte.to_ascii_lowercase() {
        letter @ b'a'..=b'z' => LETTERS[usize::from(letter - b'a')],
        b' ' => 150,
        b'0'..=b'9' => 15,
        _ => 20,
    }
}

/// Returns where the four rarest bytes of a literal begin.
fn rarest(literal: &[u8]) -> usize {
    let common = |at: &usize| literal[*at..].iter().take(4).map(|byte| commonness(*byte)).sum::<u32>();
    (0..=literal.len().saturating_sub(4)).min_by_key(common).unwrap_or(0)
}

/// Looks from a place on for the next step in which four bytes may be part of a literal; returns
/// where it begins and one bit for each such place in it. Apart from all else, so that everything it
/// needs stays in registers.
#[inline(never)]
fn next_hits(fourths: &[u32; SLOTS], text: &[u8], from: usize) -> Option<(usize, u32)> {
    let mut at = from;
    while let Some(eight) = text.get(at..)?.first_chunk() {
        let folded = u64::from_le_bytes(*eight) | FOLD;
        let mut hits = 0;
        for place in 0..STEP {
            let four = folded >> (8 * place);
            hits |= (fourths[slot(four)] >> (four >> 24 & 31) & 1) << place;
        }
        if hits != 0 {
            return Some((at, hits));
        }
        at += STEP;
    }
    None
}

fn for_each_bit(mut bits: u32, mut then: impl FnMut(usize)) {
    while bits != 0 {
        then(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

impl Finder {
    /// Prepares to find the literals, each of three bytes or more.
    pub(super) fn new(literals: Vec<&'static str>) -> Finder {
        let mut fourths = Box::new([0; SLOTS]);
        let mut pairs: Vec<(usize, Candidate)> = Vec::new();
        for (index, literal) in literals.iter().enumerate() {
            assert!(literal.len() >= 3, "`{literal}` is too short to be found");
            let offset = rarest(literal.as_bytes());
            let mut eight = [0; 8];
            let part = literal.as_bytes()[offset..].iter().take(4);
            part.zip(&mut eight).for_each(|(byte, place)| *place = *byte);
            let folded = u64::from_le_bytes(eight) | FOLD;
            fourths[slot(folded)] |= if literal.len() < 4 { u32::MAX } else { fourth(folded) };
            let literal = u16::try_from(index).expect("the table of anchors is small");
            let offset = u8::try_from(offset).expect("anchors are short");
            pairs.push((slot(folded), Candidate { literal, offset }));
        }
        pairs.sort_unstable_by_key(|(slot, candidate)| (*slot, candidate.literal));
        let begin = |slot| u16::try_from(pairs.partition_point(|(other, _)| *other < slot));
        let begins = (0..=SLOTS).map(|slot| begin(slot).expect("the table of anchors is small")).collect();
        Finder {
            fourths,
            begins,
            by_slot: pairs.into_iter().map(|(_, candidate)| candidate).collect(),
            literals,
        }
    }

    /// Returns where literals stand, overlapping ones too, in the order they end.
    pub(super) fn find(&self, text: &[u8]) -> Vec<(Range<usize>, usize)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((from, hits)) = next_hits(&self.fourths, text, at) {
            for_each_bit(hits, |bit| self.compare(text, from + bit, &mut found));
            at = from + STEP;
        }
        // What is left is too short for a step.
        for at in at.max(text.len().saturating_sub(7))..text.len().saturating_sub(2) {
            self.compare(text, at, &mut found);
        }
        found.sort_unstable_by_key(|(range, literal): &(Range<usize>, usize)| {
            (range.end, range.start, *literal)
        });
        found
    }

    /// Adds the literals of which the four bytes at a place are part.
    fn compare(&self, text: &[u8], at: usize, found: &mut Vec<(Range<usize>, usize)>) {
        let slot = slot(u64::from_le_bytes([text[at], text[at + 1], text[at + 2], 0, 0, 0, 0, 0]) | FOLD);
        for candidate in &self.by_slot[usize::from(self.begins[slot])..usize::from(self.begins[slot + 1])] {
            let Some(start) = at.checked_sub(usize::from(candidate.offset)) else { continue };
            let literal = self.literals[usize::from(candidate.literal)].as_bytes();
            let range = start..start + literal.len();
            if text.get(range.clone()).is_some_and(|there| there.eq_ignore_ascii_case(literal)) {
                found.push((range, usize::from(candidate.literal)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use aho_corasick::AhoCorasick;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_an_automaton_finds(text in "[a-cA-C_:/$é ]{0,40}") {
            let literals = vec!["abb", "abc", "bca", "_ab", "://", "cab", "a_b", "$2a$", "bcabc", "abc", "aBcabB"];
            let automaton =
                AhoCorasick::builder().ascii_case_insensitive(true).build(&literals).expect("is small");
            let expected: Vec<(Range<usize>, usize)> = automaton
                .find_overlapping_iter(&text)
                .map(|found| (found.start()..found.end(), found.pattern().as_usize()))
                .collect();
            prop_assert_eq!(Finder::new(literals).find(text.as_bytes()), expected);
        }
    }
}
