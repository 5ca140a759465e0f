//! Secrets out of text, before anything is stored or leaves the machine.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// What stands where a secret stood.
pub const MARK: &str = "[REDACTED]";

/// Finds secrets and takes them out.
#[derive(Debug)]
pub struct Redactor {
    own: Vec<Regex>,
}

/// A user's own pattern that is not a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a regular expression: {message}")]
pub struct PatternError {
    /// The pattern as it was given.
    pub pattern: String,
    /// What is wrong with it.
    pub message: String,
}

/// One secret that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Name of the rule.
    pub rule: &'static str,
    /// Where the value stood in the text that was given, in bytes.
    pub range: Range<usize>,
}

/// The text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// What is left.
    pub text: Cow<'a, str>,
    /// What was taken out.
    pub findings: Vec<Finding>,
}

static STANDARD: LazyLock<Redactor> = LazyLock::new(|| Redactor { own: Vec::new() });

impl Redactor {
    /// Returns the redactor with our rules only.
    pub fn standard() -> &'static Redactor {
        &STANDARD
    }

    /// Adds a user's own patterns; what they match is taken out whole.
    pub fn with_patterns(patterns: &[String]) -> Result<Redactor, PatternError> {
        let compile = |pattern: &String| {
            Regex::new(pattern).map_err(|e| PatternError { pattern: pattern.clone(), message: e.to_string() })
        };
        Ok(Redactor { own: patterns.iter().map(compile).collect::<Result<_, _>>()? })
    }

    /// Takes every secret out of the text.
    pub fn redact<'a>(&self, text: &'a str) -> Redacted<'a> {
        let mut findings = Vec::new();
        for own in &self.own {
            findings.extend(own.find_iter(text).map(|m| Finding { rule: "own-pattern", range: m.range() }));
        }
        if findings.is_empty() {
            return Redacted { text: Cow::Borrowed(text), findings };
        }
        findings.sort_by_key(|finding| finding.range.start);
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for finding in &findings {
            if finding.range.start >= at {
                out.push_str(&text[at..finding.range.start]);
                out.push_str(MARK);
                at = finding.range.end;
            }
        }
        out.push_str(&text[at..]);
        Redacted { text: Cow::Owned(out), findings }
    }
}
