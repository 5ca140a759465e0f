//! Finds cue phrases, grouped by speech act. The phrases are data, in `lexicon.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.txt")));

/// The cue groups found in a text, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cues(u64);

impl Cues {
    /// Finds the cues of one sentence.
    pub(crate) fn of(sentence: &str) -> Cues {
        LEXICON.find(sentence)
    }

    /// Tells whether a cue of the group was found; an unknown group never is.
    pub(crate) fn has(self, group: &str) -> bool {
        LEXICON.groups.get(group).is_some_and(|index| self.0 & (1 << index) != 0)
    }

    /// Joins two sets.
    pub(crate) fn union(self, other: Cues) -> Cues {
        Cues(self.0 | other.0)
    }
}

/// Lists the names of all groups, in alphabetical order.
pub(crate) fn groups() -> impl Iterator<Item = &'static str> {
    LEXICON.groups.keys().copied()
}

struct Lexicon {
    groups: BTreeMap<&'static str, u32>,
    automaton: AhoCorasick,
    phrases: Vec<Phrase>,
}

struct Phrase {
    group: u32,
    at_start: bool,
    open_end: bool,
}

impl Lexicon {
    fn read(text: &'static str) -> Lexicon {
        let mut groups = BTreeMap::new();
        let mut patterns = Vec::new();
        let mut phrases = Vec::new();
        let mut group = 0;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let next = u32::try_from(groups.len()).unwrap_or(u32::MAX);
                group = *groups.entry(name).or_insert(next);
                continue;
            }
            let (line, at_start) = line.strip_prefix('^').map_or((line, false), |rest| (rest, true));
            let (line, open_end) = line.strip_suffix('*').map_or((line, false), |rest| (rest, true));
            patterns.push(line);
            phrases.push(Phrase { group, at_start, open_end });
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(patterns)
            .expect("the lexicon is a small list of literal phrases");
        Lexicon { groups, automaton, phrases }
    }

    fn find(&self, sentence: &str) -> Cues {
        let straight = sentence.replace('’', "'");
        let sentence = straight.trim_start_matches(|c: char| !c.is_alphanumeric());
        let mut found = 0_u64;
        for hit in self.automaton.find_overlapping_iter(sentence) {
            let phrase = &self.phrases[hit.pattern().as_usize()];
            let before = sentence[..hit.start()].chars().next_back();
            let after = sentence[hit.end()..].chars().next();
            let inner = sentence[hit.start()..].chars().next();
            let bounded_left = if phrase.at_start {
                hit.start() == 0
            } else {
                !(inner.is_some_and(is_word) && before.is_some_and(is_word))
            };
            let last = sentence[..hit.end()].chars().next_back();
            let bounded_right = phrase.open_end || !(last.is_some_and(is_word) && after.is_some_and(is_word));
            if bounded_left && bounded_right {
                found |= 1 << phrase.group;
            }
        }
        Cues(found)
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, group: &str, expected: bool) {
        assert_eq!(Cues::of(sentence).has(group), expected, "{group} in {sentence}");
    }

    #[test]
    fn cues_stand_on_word_boundaries() {
        check("Let me check the file", "announcing", true);
        check("Then let me check", "announcing", true);
        check("They will let men in", "announcing", false);
        check("We chose it because it is small", "reasoning", true);
        check("becausewards", "reasoning", false);
        check("a known limitations list", "limiting", true);
        check("nothing at all", "no such group", false);
    }

    #[test]
    fn a_tied_cue_counts_at_the_start_only() {
        check("No, use the binary", "refusing", true);
        check("There is no file", "refusing", false);
        check("“No”, she said", "refusing", true);
    }

    #[test]
    fn every_group_fits_the_set() {
        assert!(groups().count() <= 64);
    }
}
