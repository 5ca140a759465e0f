//! What people and agents say when something goes wrong. The patterns are data, in `cues.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

static BOOK: LazyLock<HashMap<&'static str, Vec<Cue>>> = LazyLock::new(|| read(include_str!("cues.txt")));

/// A pattern, and what the sentence must not have besides.
struct Cue {
    pattern: Regex,
    unless: Option<Regex>,
}

/// Finds a cue of a group in a sentence and returns the words that fit.
pub(super) fn find<'s>(group: &str, sentence: &'s str) -> Option<&'s str> {
    let cues = BOOK.get(group)?;
    cues.iter().find_map(|cue| {
        let found = cue.pattern.find(sentence)?;
        let is_other = cue.unless.as_ref().is_some_and(|unless| unless.is_match(sentence));
        (!is_other).then_some(found.as_str())
    })
}

fn read(text: &'static str) -> HashMap<&'static str, Vec<Cue>> {
    let mut book: HashMap<&'static str, Vec<Cue>> = HashMap::new();
    let mut group = "";
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        {
            group = name;
            continue;
        }
        let (pattern, unless) = match line.split_once("  unless  ") {
            Some((pattern, unless)) => (pattern, Some(compiled(unless))),
            None => (line, None),
        };
        book.entry(group).or_default().push(Cue { pattern: compiled(pattern), unless });
    }
    book
}

fn compiled(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).case_insensitive(true).build().expect("a test compiles every pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_every_group_is_filled() {
        let groups = [
            "persists",
            "contradicts",
            "restates",
            "challenges",
            "exclaims",
            "forbids",
            "undoes",
            "displeased",
            "own-fault",
            "asks",
            "supposes",
            "praises",
            "admits",
            "turns-back",
            "meant",
            "waits",
            "departs",
            "misconfigured",
            "ruins",
        ];
        for group in groups {
            assert!(BOOK.get(group).is_some_and(|cues| !cues.is_empty()), "{group}");
        }
        assert_eq!(BOOK.len(), groups.len());
    }

    #[test]
    fn an_exception_takes_a_cue_back() {
        assert_eq!(find("restates", "i meant the other harbour"), Some("i meant"));
        assert_eq!(find("restates", "how am i meant to moor here"), None);
        assert_eq!(find("nothing", "i meant"), None);
    }
}
