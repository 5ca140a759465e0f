//! Finds literals in a text, letter case aside, whichever of a hundred they are.
//!
//! An automaton for all of them is larger than the fastest memory of a processor and waits at every
//! byte. Three bytes, reduced to a few bits, nearly always tell that no literal begins with them.

use std::ops::Range;

/// Bits that are left of three bytes.
const BITS: u32 = 14;
const SLOTS: usize = 1 << BITS;
/// Makes small letters of great ones, and moves other signs about; letters stay apart.
const FOLD: u64 = u64::from_le_bytes([0x20; 8]);
/// Places of eight bytes from which three can be taken.
const STEP: usize = 6;

/// Finds a set of literals.
pub(super) struct Finder {
    /// One for every slot that literals begin with.
    is_used: Box<[u8; SLOTS]>,
    /// Slot → where its literals begin in `by_slot`.
    begins: Box<[u16]>,
    by_slot: Vec<Candidate>,
    literals: Vec<&'static str>,
}

/// A literal that may stand where its slot was found.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// The fourth byte, folded; nothing where it is shorter.
    fourth: Option<u8>,
    literal: u16,
}

/// Returns the slot of three folded bytes.
#[inline]
fn slot(three: u64) -> usize {
    ((three as u32) << 8).wrapping_mul(0x9e37_79b1) as usize >> (32 - BITS)
}

impl Finder {
    /// Prepares to find the literals, each of two bytes or more.
    ///
    /// One of two bytes is not found at the very end of a text.
    pub(super) fn new(literals: Vec<&'static str>) -> Finder {
        let mut pairs: Vec<(usize, u16)> = Vec::new();
        for (index, literal) in literals.iter().enumerate() {
            let index = u16::try_from(index).expect("the table of anchors is small");
            let bytes = literal.as_bytes();
            let thirds = bytes.get(2).map_or(0..=u8::MAX, |third| *third..=*third);
            pairs.extend(thirds.map(|third| {
                (slot((u64::from_le_bytes([bytes[0], bytes[1], third, 0, 0, 0, 0, 0])) | FOLD), index)
            }));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut is_used = Box::new([0; SLOTS]);
        for (slot, _) in &pairs {
            is_used[*slot] = 1;
        }
        let begin = |slot| u16::try_from(pairs.partition_point(|(other, _)| *other < slot));
        let begins = (0..=SLOTS).map(|slot| begin(slot).expect("the table of anchors is small")).collect();
        let candidate = |(_, literal): &(usize, u16)| {
            let fourth = literals[usize::from(*literal)].as_bytes().get(3).map(|byte| byte | FOLD as u8);
            Candidate { fourth, literal: *literal }
        };
        let by_slot = pairs.iter().map(candidate).collect();
        Finder { is_used, begins, by_slot, literals }
    }

    /// Returns where literals stand, overlapping ones too, in the order they end.
    pub(super) fn find(&self, text: &[u8]) -> Vec<(Range<usize>, usize)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at + 2 < text.len() {
            let eight = match text[at..].first_chunk() {
                Some(eight) => u64::from_le_bytes(*eight),
                None => {
                    let mut eight = [0; 8];
                    eight[..text.len() - at].copy_from_slice(&text[at..]);
                    u64::from_le_bytes(eight)
                }
            };
            let folded = eight | FOLD;
            let mut hits = 0;
            for place in (0..STEP).rev() {
                hits = hits << 1 | u32::from(self.is_used[slot(folded >> (8 * place))]);
            }
            while hits != 0 {
                let place = hits.trailing_zeros() as usize;
                self.compare(text, at + place, slot(folded >> (8 * place)), &mut found);
                hits &= hits - 1;
            }
            at += STEP;
        }
        found.sort_unstable_by_key(|(range, literal): &(Range<usize>, usize)| {
            (range.end, range.start, *literal)
        });
        found
    }

    fn compare(&self, text: &[u8], start: usize, slot: usize, found: &mut Vec<(Range<usize>, usize)>) {
        let fourth = text.get(start + 3).map(|byte| byte | FOLD as u8);
        for candidate in &self.by_slot[usize::from(self.begins[slot])..usize::from(self.begins[slot + 1])] {
            // Most are told apart here.
            if candidate.fourth.is_some() && candidate.fourth != fourth {
                continue;
            }
            let literal = self.literals[usize::from(candidate.literal)].as_bytes();
            let end = start + literal.len();
            // A literal of two bytes counts only where a third one follows.
            if start + 2 < text.len()
                && text.get(start..end).is_some_and(|there| there.eq_ignore_ascii_case(literal))
            {
                found.push((start..end, usize::from(candidate.literal)));
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
            let literals = vec!["ab", "abc", "bc", "_a", "://", "cab", "a_b", "$2", "bcabc", "abc"];
            let automaton =
                AhoCorasick::builder().ascii_case_insensitive(true).build(&literals).expect("is small");
            let expected: Vec<(Range<usize>, usize)> = automaton
                .find_overlapping_iter(&text)
                .map(|found| (found.start()..found.end(), found.pattern().as_usize()))
                .filter(|(range, _)| range.len() > 2 || range.end < text.len())
                .collect();
            prop_assert_eq!(Finder::new(literals).find(text.as_bytes()), expected);
        }
    }
}
