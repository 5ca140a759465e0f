//! Surface marks of a text: identifiers, paths, flags, tense, person.

use std::sync::LazyLock;

use regex::Regex;

/// Heading words by what a section is for, with the name of the observation.
pub(crate) const HEADINGS: [(&str, &[&str]); 12] = [
    (
        "under changes made",
        &[
            "summary",
            "changes",
            "what changed",
            "what was",
            "what i",
            "implemented",
            "completed",
            "fixed",
            "done",
            "added",
            "updated",
            "removed",
        ],
    ),
    (
        "under a decision",
        &[
            "decision",
            "decided",
            "approach",
            "design",
            "chosen",
            "solution",
            "the fix",
            "fix:",
            "strategy",
            "principle",
            "goal",
        ],
    ),
    (
        "under a cause",
        &[
            "root cause",
            "cause",
            "problem",
            "issue",
            "bug",
            "why",
            "what happened",
            "finding",
            "diagnos",
            "analysis",
        ],
    ),
    (
        "under how it works",
        &[
            "how it works",
            "how",
            "architecture",
            "overview",
            "flow",
            "behavior",
            "behaviour",
            "current",
            "key",
            "background",
            "context",
            "concept",
        ],
    ),
    (
        "under limits",
        &[
            "limitation",
            "caveat",
            "known issue",
            "trade-off",
            "tradeoff",
            "risk",
            "edge case",
            "note",
            "important",
            "gotcha",
            "warning",
        ],
    ),
    ("under results", &["result", "now", "after", "benefit", "output", "effect", "before"]),
    (
        "under options",
        &[
            "option",
            "alternative",
            "approaches",
            "possibilit",
            "recommend",
            "suggest",
            "proposal",
            "pros",
            "cons",
        ],
    ),
    ("under steps", &["step", "task", "phase", "todo", "next", "remaining", "implementation", "plan"]),
    ("under files", &["file", "modified", "critical files", "module", "code"]),
    ("under tests", &["test", "verif", "coverage", "manual"]),
    ("under review", &["review", "strength", "feedback", "comment", "concern", "minor", "nit", "assessment"]),
    ("under questions", &["question", "clarif", "unclear", "open "]),
];

static LINE_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\.\w{1,5}:\d+|\blines? \d+|\bL\d{2,}\b").expect("the pattern is a constant")
});
static FLAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[\s`(\x22'])--?[a-z][a-z-]+").expect("the pattern is a constant"));
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\w.-]+/[\w.-]+|\b[\w-]+\.[a-z]{2,5}\b").expect("the pattern is a constant")
});
static HASH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{5,38}\b").expect("the pattern is a constant")
});
static TEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\btests?\b|\bTest[A-Z_]\w+|_test\b|\.test\.|\bspec\.")
        .expect("the pattern is a constant")
});
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\w\(\w*\)|`[a-z]+[A-Z]\w*|`[A-Z][a-z]+[A-Z]\w*").expect("the pattern is a constant")
});
static COMMAND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`[a-z][\w.-]*(?: [\w./<>=-]+)+`").expect("the pattern is a constant"));
static PAST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:\w+ )?\w{3,}ed\b|\b(?:was|were|has been|have been|did)\b")
        .expect("the pattern is a constant")
});
static SELF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:i|i'm|i'll|i've|i'd|my|me)\b").expect("the pattern is a constant")
});
static INTRODUCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:i'm (?:an?|just|your|simply)|i am (?:an?|just|your)|i don't have|i do not have|i help|i can help|as an ai|i understand)\b")
        .expect("the pattern is a constant")
});
static PRONOUN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\W*(?:it|this|that|these|those|they|he|she|both|which)\b")
        .expect("the pattern is a constant")
});
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[a-z,;] (?:[A-Z][a-z]+[A-Za-z]*|[A-Z]{2,}\b)").expect("the pattern is a constant")
});

/// Marks counted in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Marks {
    pub(crate) code_spans: usize,
    pub(crate) paths: bool,
    pub(crate) line_numbers: bool,
    pub(crate) flags: bool,
    pub(crate) numbers: bool,
    pub(crate) quotes: bool,
    pub(crate) arrows: bool,
    pub(crate) names: bool,
    pub(crate) hashes: bool,
    /// Names a test or speaks of tests.
    pub(crate) tests: bool,
    /// Names a function or type of the code.
    pub(crate) functions: bool,
    /// Names a command with its arguments.
    pub(crate) commands: bool,
    pub(crate) links: bool,
    /// Share of characters that are neither letters, digits nor blanks.
    pub(crate) symbols: f64,
}

impl Marks {
    pub(crate) fn of(text: &str) -> Marks {
        let letters = text.chars().count();
        let symbols = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
        Marks {
            code_spans: text.matches('`').count() / 2,
            paths: PATH.is_match(text),
            line_numbers: LINE_NUMBER.is_match(text),
            flags: FLAG.is_match(text),
            numbers: text.split_whitespace().any(|word| word.starts_with(|c: char| c.is_ascii_digit())),
            quotes: text.contains('"') || text.contains('“'),
            arrows: text.contains('→') || text.contains("->") || text.contains("=>"),
            names: NAME.is_match(text),
            hashes: HASH.is_match(text),
            tests: TEST.is_match(text),
            functions: FUNCTION.is_match(text),
            commands: COMMAND.is_match(text),
            links: text.contains("://"),
            symbols: crate::extract::terms::ratio(symbols, letters),
        }
    }
}

/// Tells whether a text tells of something done.
pub(crate) fn is_past(text: &str) -> bool {
    PAST.is_match(text)
}

/// Tells whether the speaker speaks of themselves.
pub(crate) fn speaks_of_self(text: &str) -> bool {
    SELF.is_match(text)
}

/// Tells whether the speaker says what they are and can do.
pub(crate) fn introduces_self(text: &str) -> bool {
    INTRODUCTION.is_match(text)
}

/// Tells whether the subject of a text is a pronoun.
pub(crate) fn opens_with_pronoun(text: &str) -> bool {
    PRONOUN.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_seen() {
        let marks = Marks::of("Set `a` in src/main.rs:12 with --force → 3 times, see \"x\" by Ada");
        assert_eq!(marks.code_spans, 1);
        assert!(
            marks.paths && marks.line_numbers && marks.flags && marks.numbers && marks.arrows && marks.quotes
        );
        let bare = Marks::of("nothing of the kind");
        assert!(
            !bare.paths && !bare.line_numbers && !bare.flags && !bare.numbers && !bare.names && !bare.hashes
        );
        assert!(opens_with_pronoun("It works") && !opens_with_pronoun("The cache works"));
        assert!(is_past("Removed the flag") && !is_past("Remove the flag"));
    }
}
