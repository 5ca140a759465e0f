//! Subject words and files of a statement.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lore_core::words::{Commonness, commonness};
use regex::Regex;

use crate::extract::sentence::words;
use crate::extract::terms::is_common;

static FILE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[\w.@-]+/)*[\w@-]*[\w-]\.(?:rs|go|py|ts|tsx|js|jsx|mjs|md|json|toml|ya?ml|sh|rb|java|kt|c|h|cpp|cs|css|html|sql|proto|lock|txt|swift|php|env|cfg|ini|xml|gradle|tf|vue|svelte)\b")
        .expect("the pattern is a constant")
});
static CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`([^`\n]{2,60})`").expect("the pattern is a constant"));

/// Most keywords of one candidate.
const MOST: usize = 8;

/// Lists subject words: names in code first, then the telling words, the most used first.
pub(crate) fn keywords(title: &str, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let whole = format!("{title} {text}");
    for code in CODE.captures_iter(&whole) {
        add(&mut found, code[1].trim().trim_end_matches("()").to_lowercase());
    }
    found.truncate(MOST / 2);
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (position, word) in words(&whole).enumerate() {
        if is_subject(&word) {
            counts.entry(word).or_insert((0, position)).0 += 1;
        }
    }
    let mut ordered: Vec<(String, (usize, usize))> = counts.into_iter().collect();
    ordered.sort_by(|one, other| other.1.0.cmp(&one.1.0).then(one.1.1.cmp(&other.1.1)));
    for (word, _) in ordered {
        if found.len() >= MOST {
            break;
        }
        add(&mut found, word);
    }
    found
}

/// Tells whether a word can say what something is about: what anybody says to anybody, in whatever language, does not.
fn is_subject(word: &str) -> bool {
    !is_common(word) && word.chars().any(char::is_alphabetic) && commonness(word) != Commonness::Chat
}

/// Lists the files that a text names, in order.
pub fn files(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for file in FILE.find_iter(text) {
        add(&mut found, file.as_str().trim_start_matches("./").to_owned());
    }
    found
}

fn add(list: &mut Vec<String>, word: String) {
    if !word.is_empty() && !list.contains(&word) {
        list.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_first() {
        let found = keywords("Cache is emptied", "The cache in `Store` is emptied on restart.");
        assert_eq!(found, ["store", "cache", "emptied", "restart"]);
        let found = keywords("Die Fähre legt ab", "Die Fähre legt immer nach der Flut ab.");
        assert_eq!(found, ["fähre", "legt", "flut"]);
        assert_eq!(keywords("Never oil bells", "Everybody is gone, never oil the bells."), ["oil", "bells"]);
        assert_eq!(files("see src/a.rs, b.toml and src/a.rs"), ["src/a.rs", "b.toml"]);
    }
}
