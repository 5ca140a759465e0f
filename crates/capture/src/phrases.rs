//! Words that are looked for in what tools printed, without keeping what they printed.
//!
//! A session is read a second time only to learn whether an agent's sentence is its own. Then nothing
//! is decoded, cleaned or kept: the bytes of every output run once through an automaton
//! (Aho–Corasick) that knows all the phrases.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use lore_core::session::Printed;

/// Phrases to look for, whatever their case.
#[derive(Debug)]
pub struct Phrases {
    automaton: AhoCorasick,
}

impl Phrases {
    /// Makes the automaton; nothing where there is nothing to look for, or far too much.
    pub fn new(phrases: &[String]) -> Option<Phrases> {
        if phrases.is_empty() {
            return None;
        }
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
        builder.build(phrases).ok().map(|automaton| Phrases { automaton })
    }

    /// Notes which of them stand in the bytes of one record.
    pub(crate) fn note(&self, bytes: &[u8], line: u32, found: &mut Vec<Printed>) {
        for hit in self.automaton.find_overlapping_iter(bytes) {
            let printed = Printed { phrase: hit.pattern().as_usize(), line };
            if !found.contains(&printed) {
                found.push(printed);
            }
        }
    }
}
