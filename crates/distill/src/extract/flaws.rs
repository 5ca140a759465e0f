//! What is wrong with a title.
//!
//! A title is read in a list, without the session, the article or the page around it. What points at
//! something nearby, speaks to somebody, or stops in the middle of a thought puzzles there.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::extract::phrases::is_empty_word;
use crate::extract::sentence::{self, word_count};
use crate::extract::shape::opens_with_pronoun;
use crate::extract::terms::is_common;

/// From here on a title is too poor to stand above an article.
const TOO_MUCH: f64 = 1.0;

const VERB_LIST: &str = include_str!("verbs.txt");

/// Small verbs.
const AUXILIARIES: [&str; 28] = [
    "is", "are", "was", "were", "be", "has", "have", "had", "can", "cannot", "could", "will", "would",
    "should", "must", "may", "does", "do", "did", "isn't", "aren't", "wasn't", "doesn't", "don't", "didn't",
    "can't", "won't", "gets",
];

/// Words that cannot end a title.
const DANGLING: [&str; 74] = [
    "the",
    "a",
    "an",
    "and",
    "or",
    "but",
    "of",
    "in",
    "on",
    "at",
    "by",
    "to",
    "from",
    "with",
    "into",
    "for",
    "as",
    "is",
    "are",
    "was",
    "were",
    "be",
    "that",
    "which",
    "when",
    "if",
    "so",
    "because",
    "than",
    "its",
    "their",
    "this",
    "these",
    "it",
    "we",
    "you",
    "i",
    "not",
    "no",
    "any",
    "each",
    "will",
    "should",
    "can",
    "has",
    "have",
    "only",
    "both",
    "who",
    "while",
    "then",
    "it's",
    "that's",
    "there's",
    "here's",
    "they're",
    "we're",
    "i'm",
    "i'd",
    "such",
    "also",
    "even",
    "like",
    "based",
    "using",
    "via",
    "per",
    "without",
    "between",
    "during",
    "about",
    "including",
    "e.g",
    "i.e",
];

/// Patterns that puzzle, and how much.
const PATTERNS: [(&str, f64); 20] = [
    // Points at something that is not there.
    (r"\b(?:this|these|those)\b", 1.0),
    (
        r"^that\b|\b(?:invert|change|remove|keep|use|do|make|drop|rename|revert|undo|fix|like|of|with|on|to|for|about) that\b",
        1.0,
    ),
    (r"(?:^|\s)(?:it|it's|them|one|ones)(?:\s|$)", 0.7),
    (
        r"\b(?:above|below|the (?:following|same|former|latter)|as (?:discussed|mentioned|before)|for now|one last|makes sense)\b",
        0.7,
    ),
    // Speaks to somebody.
    (r"(?:^|\s)(?:i|i'd|i'm|i've|i'll|my|me|please)(?:[\s,]|$)", 0.7),
    (r"(?:^|\s)(?:you|your|you're|you'd)(?:[\s,]|$)", 0.5),
    (r"(?:^|\s)(?:we|we're|we've|we'd|our|us|let's)(?:[\s,]|$)", 0.5),
    (r"\?$", 0.8),
    // Begins in the middle.
    (r"^(?:\d+[.,)]|/\d|[+*#)=]|lines? \d)", 1.0),
    (
        r"^(?:measured|based|given|compared|according|due|assuming|regarding|related|following|looking|depending|speaking|talking|thinking|brainstorm\w*|improvements? to|instead|also|now|then|so|here|here's|there|there's|yes|no|yeah|still|otherwise|however|and|or|but|except|including|plus|aligned)\b",
        1.0,
    ),
    // Stops in the middle.
    (r"\b(?:that|which|who) [\w'-]+$", 1.0),
    (
        r"\b(?:we|i|you|they)(?:'d|'ll)?(?: \w+)? (?:do|use|like|want|need|have|go|make|get|see|say|call)$",
        1.0,
    ),
    (r"\b(?:be|being|been|was|were|is|are) (?:able|about|going|supposed|used)$", 1.0),
    (r"\b(?:make sure|so that|such that|in case|as well|has been|had been|need to|want to)$", 1.0),
    (r"^(?:be|being|been|have)\b", 1.0),
    // Says nothing that lasts.
    (
        r"^(?:the )?(?:codebase|code|change|fix|plan|approach|structure|feature|implementation|solution|issue|problem|bug|function|method|file|result|idea|tests?|caveat|difference|reason|goal|intent(?:ion)?|trick|key) (?:\w+ly )?(?:is|has|was|are|isn't|ensures|makes|works|now|here|moved?|changed|removes|adds)\b",
        1.0,
    ),
    (
        r"\b(?:is|are|was|were)(?: now)?(?: \w+)? (?:complete|done|working|ready|interesting|special case|correct|wrong|fine|good|solid|clear|simple|straightforward|nice|great|weird|confusing)(?: and \w+)?$",
        1.0,
    ),
    (
        r"^(?:update|adjust|change|edit|improve|check|review|modify|extend) (?:the )?(?:readme|docs?|changelog|documentation|pr|tests?|code|comments?|plan|description|wording|text|claude|agents)\b",
        1.0,
    ),
    (r"\b(?:readme|docs?|documentation|changelog) updated?s?\b", 1.0),
    (r"→|->|=>", 0.5),
];

/// Tells whether a word leaves a title open.
pub(crate) fn cannot_end(word: &str) -> bool {
    DANGLING.contains(&word)
}

/// Weighs what is wrong with a title; nothing is 0.
pub(crate) fn flaws(title: &str) -> f64 {
    static COMPILED: LazyLock<Vec<(Regex, f64)>> = LazyLock::new(|| {
        let compile =
            |pattern: &str| Regex::new(&format!("(?i){pattern}")).expect("the pattern is a constant");
        PATTERNS.iter().map(|(pattern, weight)| (compile(pattern), *weight)).collect()
    });
    // What stands in code is quoted, not said.
    let said = without_code(title);
    let lost = if opens_without_subject(&said) { TOO_MUCH } else { 0.0 };
    let matched = COMPILED.iter().filter(|(regex, _)| regex.is_match(&said)).map(|(_, weight)| weight);
    matched.sum::<f64>() + lost + shape(title)
}

/// Tells whether a title would puzzle whoever reads it in a list.
pub(crate) fn is_poor(title: &str) -> bool {
    flaws(title) >= TOO_MUCH
}

/// Tells whether a text opens with what somebody or something does, and does not say who or what.
///
/// “Exports the table” does; in “exports are written” it is the exports that the text is about.
pub(crate) fn opens_without_subject(text: &str) -> bool {
    const AFTER_A_NOUN: [&str; 24] = [
        "of", "from", "in", "for", "with", "on", "at", "by", "without", "between", "under", "per", "that",
        "which", "who", "as", "and", "or", "only", "always", "never", "now", "still", "not",
    ];
    let mut words = sentence::words(text);
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let names = AUXILIARIES.contains(&second.as_str())
        || AFTER_A_NOUN.contains(&second.as_str())
        || is_plain_verb(&second)
        || past(&second);
    ["had", "has", "was", "is", "are", "were", "does"].contains(&first.as_str())
        || third_person(&first) && !names
}

/// Tells whether a text seems to have a verb: what was cut out of a sentence is a title with one only.
pub(crate) fn has_verb(text: &str) -> bool {
    let mut words = sentence::words(text);
    let first = words.next().unwrap_or_default();
    is_plain_verb(&first)
        || past(&first)
        || words.any(|word| AUXILIARIES.contains(&word.as_str()) || third_person(&word) || past(&word))
}

/// Tells whether a lower-case word is the plain form of a verb.
pub(crate) fn is_plain_verb(word: &str) -> bool {
    static VERBS: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| VERB_LIST.lines().filter(|line| !line.starts_with('#')).collect());
    VERBS.contains(word)
}

/// Tells whether a lower-case word is a verb as in "it runs".
pub(crate) fn third_person(word: &str) -> bool {
    let stem = |end: &str| word.strip_suffix(end);
    stem("ies").is_some_and(|stem| is_plain_verb(&format!("{stem}y")))
        || stem("es").is_some_and(is_plain_verb)
        || stem("s").is_some_and(is_plain_verb)
}

/// Tells whether a lower-case word is a verb as in "it was checked".
pub(crate) fn past(word: &str) -> bool {
    let stem = |end: &str| word.strip_suffix(end);
    let doubled = |stem: &str| stem.len() > 2 && is_plain_verb(&stem[..stem.len() - 1]);
    stem("ied").is_some_and(|stem| is_plain_verb(&format!("{stem}y")))
        || stem("d").is_some_and(is_plain_verb)
        || stem("ed").is_some_and(|stem| is_plain_verb(stem) || stem.is_ascii() && doubled(stem))
}

/// Weighs length, ends and brackets.
fn shape(title: &str) -> f64 {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_lowercase();
    let words: Vec<String> = title.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let Some(last) = words.last() else { return TOO_MUCH };
    // “Which” opens a question too.
    let points_back = opens_with_pronoun(&without_code(title)) && !title.ends_with('?');
    let in_code = title.trim_end().ends_with('`');
    let unbalanced = [('(', ')'), ('{', '}'), ('[', ']')]
        .iter()
        .any(|(open, close)| title.matches(*open).count() != title.matches(*close).count());
    let mut sum = 0.0;
    let names = words.iter().any(|word| !is_common(word) && !is_empty_word(word) && !is_plain_verb(word));
    if words.len() < 3 || !names || unbalanced || points_back || !in_code && cannot_end(last) {
        sum += TOO_MUCH;
    }
    sum + opening(title)
}

/// A condition or a circumstance alone is not a title; one with its consequence is.
fn opening(title: &str) -> f64 {
    const CONDITIONS: [&str; 13] = [
        "if", "when", "whenever", "while", "until", "once", "because", "since", "after", "before", "unless",
        "although", "though",
    ];
    const CIRCUMSTANCES: [&str; 8] = ["in", "for", "to", "as", "from", "at", "by", "on"];
    let first = title.split_whitespace().next().unwrap_or_default().to_lowercase();
    let concludes = title.split_once(", ").is_some_and(|(_, rest)| word_count(rest) >= 3);
    match first.as_str() {
        _ if concludes => 0.0,
        first if CONDITIONS.contains(&first) => TOO_MUCH,
        "with" | "instead" => TOO_MUCH,
        first if CIRCUMSTANCES.contains(&first) => 0.7,
        _ => 0.0,
    }
}

fn without_code(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for (place, part) in title.split('`').enumerate() {
        out.push_str(if place % 2 == 0 { part } else { "x" });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, poor: bool) {
        assert_eq!(is_poor(title), poor, "{title}: {}", flaws(title));
    }

    #[test]
    fn what_a_stranger_understands_is_a_title() {
        check("Exports are written to a temporary file first", false);
        check("Retry uploads three times", false);
        check("After a crash, the journal is replayed", false);
        check("`this.cache` is cleared on start", false);
        check("Ensure that parsing of settings is strict", false);
        check("Which time zone do exports use?", false);
    }

    #[test]
    fn verbs_are_seen_in_their_forms() {
        assert!(has_verb("Drop the cache") && has_verb("The cache drops it") && has_verb("Cache dropped"));
        assert!(has_verb("The export was wrong") && !has_verb("Old files from the tree"));
        assert!(opens_without_subject("Copies the file") && !opens_without_subject("Copy the file"));
        assert!(
            !opens_without_subject("Exports are written") && !opens_without_subject("Copies of the file")
        );
    }

    #[test]
    fn what_needs_its_surroundings_is_none() {
        check("Remove this restriction", true);
        check("Invert that flag logic", true);
        check("New commits that go", true);
        check("When the session ends", true);
        check("To disable tracking we use", true);
        check("Measured in large repositories", true);
        check("Returns the number of rows", true);
        check("The export is now complete", true);
        check("Session hook never worked, but I think it's weird", true);
        check("UTC", true);
        check("Add an additional note", true);
        check("Be the first to be created", true);
        check("With the path of the export", true);
    }
}
