//! Finds literals in a text, letter case aside, whichever of a hundred they are.
//!
//! An automaton for all of them is larger than the fastest memory of a processor and waits at every
//! byte. Three bytes, reduced to five bits each, nearly always tell that no literal begins with them.

use std::collections::BTreeMap;
use std::ops::Range;

/// Bits that are left of a byte.
const BITS: usize = 5;
/// As many combinations of three bytes there are.
const TRIPLES: usize = 1 << (3 * BITS);

const CODES: [u8; 256] = codes();

/// Keeps letters apart, and from all else; the signs that literals begin with share what is left, and
/// those that stand everywhere in code are no sign of anything.
const fn codes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'A'..=b'Z') => letter & 31,
            b'_' => 27,
            b'-' => 28,
            b':' | b'/' | b'.' => 29,
            b'0'..=b'9' => 30,
            b'$' | b'!' | b'~' | b'+' | b'|' => 31,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Finds a set of literals.
pub(super) struct Finder {
    /// Triple → which of the groups to compare with, counted from one; nothing for most.
    groups_of: Box<[u8; TRIPLES]>,
    groups: Vec<Vec<usize>>,
    literals: Vec<&'static str>,
}

impl Finder {
    /// Prepares to find the literals, each of two bytes or more.
    ///
    /// One of two bytes is not found at the very end of a text.
    pub(super) fn new(literals: Vec<&'static str>) -> Finder {
        let mut by_triple: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, literal) in literals.iter().enumerate() {
            let code = |at: usize| literal.as_bytes().get(at).map(|byte| usize::from(CODES[*byte as usize]));
            let (first, second) = (code(0).unwrap_or(0), code(1).unwrap_or(0));
            let thirds = code(2).map_or(0..1 << BITS, |third| third..third + 1);
            for third in thirds {
                by_triple.entry((first << BITS | second) << BITS | third).or_default().push(index);
            }
        }
        let mut groups_of = Box::new([0; TRIPLES]);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (triple, members) in by_triple {
            let known = groups.iter().position(|group| *group == members).unwrap_or_else(|| {
                groups.push(members);
                groups.len() - 1
            });
            groups_of[triple] = u8::try_from(known + 1).expect("the table of anchors is small");
        }
        Finder { groups_of, groups, literals }
    }

    /// Returns where literals stand, overlapping ones too, in the order they end.
    pub(super) fn find(&self, text: &[u8]) -> Vec<(Range<usize>, usize)> {
        let mut found = Vec::new();
        let Some(([first, second], rest)) = text.split_first_chunk() else { return found };
        let code = |byte: u8| usize::from(CODES[byte as usize]);
        let mut triple = code(*first) << BITS | code(*second);
        for (start, byte) in rest.iter().enumerate() {
            triple = (triple << BITS | code(*byte)) % TRIPLES;
            let group = self.groups_of[triple];
            if group != 0 {
                self.compare(text, start, usize::from(group) - 1, &mut found);
            }
        }
        found.sort_unstable_by_key(|(range, literal): &(Range<usize>, usize)| {
            (range.end, range.start, *literal)
        });
        found
    }

    #[inline(never)]
    fn compare(&self, text: &[u8], start: usize, group: usize, found: &mut Vec<(Range<usize>, usize)>) {
        for index in &self.groups[group] {
            let literal = self.literals[*index].as_bytes();
            let end = start + literal.len();
            if text.get(start..end).is_some_and(|there| there.eq_ignore_ascii_case(literal)) {
                found.push((start..end, *index));
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
