//! Secrets out of text, before anything is stored or leaves the machine.
//!
//! One pass looks for anchors (prefixes of keys, words in names, `://`, armour lines) and then reads a
//! bounded stretch around each. What is found is replaced by [`MARK`]; names, quotes, users and hosts
//! around a value stay. The pass is repeated until it finds nothing, so redacting twice is redacting once.

mod anchors;
mod assignment;
mod blocks;
mod bytes;
mod commands;
mod directives;
mod gutters;
mod headers;
mod joints;
mod literals;
mod manifests;
mod names;
mod phrases;
mod providers;
mod runs;
mod scan;
mod sentences;
mod shapes;
mod tables;
mod urls;
mod values;
mod wordlike;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
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
    /// What was taken out, in the order of the text; ranges do not overlap.
    pub findings: Vec<Finding>,
}

impl Redacted<'_> {
    /// Counts what was taken out, by rule.
    pub fn tally(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for finding in &self.findings {
            *counts.entry(finding.rule).or_default() += 1;
        }
        counts
    }
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
        let mut found = self.find(text);
        if found.is_empty() {
            return Redacted { text: Cow::Borrowed(text), findings: found };
        }
        // What is left may read differently without the secret; every round takes something out of a
        // finite text and puts in only marks, which no rule touches, so the rounds end.
        let mut current = replace(text, &found);
        loop {
            let more = self.find(&current);
            if more.is_empty() {
                return Redacted { text: Cow::Owned(current), findings: found };
            }
            let next = replace(&current, &more);
            found = merged(&found, more);
            current = next;
        }
    }

    /// Returns what has to be taken out: in order, without overlaps, outside of marks, never empty.
    fn find(&self, text: &str) -> Vec<Finding> {
        let mut raw = Vec::new();
        scan::scan(text, &mut raw);
        for own in &self.own {
            raw.extend(own.find_iter(text).map(|m| Finding { rule: "own-pattern", range: m.range() }));
        }
        if raw.is_empty() {
            return raw;
        }
        // Longer findings win over what they contain, and rules that know the issuer over those that do not.
        raw.sort_by_key(|finding| {
            (finding.range.start, Reverse(finding.range.end), scan::GENERAL.contains(&finding.rule))
        });
        let marks: Vec<Range<usize>> = text.match_indices(MARK).map(|(at, _)| at..at + MARK.len()).collect();
        let mut found: Vec<Finding> = Vec::with_capacity(raw.len());
        let mut done = 0;
        let mut next_mark = 0;
        for Finding { rule, range } in raw {
            let mut start = range.start.max(done);
            while next_mark < marks.len() && marks[next_mark].end <= start {
                next_mark += 1;
            }
            for mark in marks[next_mark..].iter().take_while(|mark| mark.start < range.end) {
                if start < mark.start {
                    found.push(Finding { rule, range: start..mark.start });
                }
                start = start.max(mark.end);
            }
            if start < range.end {
                found.push(Finding { rule, range: start..range.end });
            }
            done = done.max(range.end);
        }
        found
    }
}

fn replace(text: &str, findings: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for finding in findings {
        out.push_str(&text[at..finding.range.start]);
        out.push_str(MARK);
        at = finding.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Adds the findings of a later round, whose ranges speak of the text after the earlier ones.
fn merged(earlier: &[Finding], later: Vec<Finding>) -> Vec<Finding> {
    let mut all = Vec::with_capacity(earlier.len() + later.len());
    let mut taken = earlier.iter().peekable();
    let mut removed = 0;
    let mut added = 0;
    for Finding { rule, range } in later {
        while let Some(finding) = taken.next_if(|finding| finding.range.start + added < range.start + removed)
        {
            removed += finding.range.len();
            added += MARK.len();
            all.push(finding.clone());
        }
        let shift = |at: usize| at + removed - added;
        all.push(Finding { rule, range: shift(range.start)..shift(range.end) });
    }
    all.extend(taken.cloned());
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let redacted = Redactor::standard().redact(text);
        assert_eq!(redacted.text, expected);
        let again = Redactor::standard().redact(&redacted.text);
        assert_eq!(again.text, expected, "redacting twice");
        assert!(again.findings.is_empty(), "{:?}", again.findings);
        let plain: String = replace(text, &redacted.findings);
        assert_eq!(plain, expected, "ranges speak of the given text");
    }

    #[test]
    fn a_setting_keeps_its_name() {
        check("API_KEY=abc123", "API_KEY=[REDACTED]");
        check("API_KEY = \"x1y2z3w4\"", "API_KEY = \"[REDACTED]\"");
        check("KEY=[REDACTED]", "KEY=[REDACTED]");
    }

    #[test]
    fn a_quotation_may_end_with_what_introduces_a_value() {
        for text in
            ["- “use the action to mint a short-lived token:”[^s3]", "“then set the password:”[^s1][^s12]"]
        {
            check(text, text);
        }
        let told = "“set the token: q8Zr4kLw2Xc9vB”";
        check(&format!("{told}[^s3]"), "“set the token: [REDACTED]”[^s3]");
        check(told, "“set the token: [REDACTED]”");
    }

    #[test]
    fn findings_are_counted_by_rule() {
        let text = "password = \"hunter2\"\ndb_password: \"hunter3\"\nAPI_KEY=abc123";
        let tally = Redactor::standard().redact(text).tally();
        assert_eq!(tally, BTreeMap::from([("key-or-token", 1), ("password", 2)]));
        let text = format!("API_KEY=npm_{}", "a1B2".repeat(9));
        let tally = Redactor::standard().redact(&text).tally();
        assert_eq!(tally, BTreeMap::from([("npm-token", 1)]), "the rule that knows more names it");
    }

    #[test]
    fn own_patterns_are_taken_out_whole() {
        let redactor = Redactor::with_patterns(&["ACME-[0-9]+".to_owned(), ".+CASE.+".to_owned()]).unwrap();
        let redacted = redactor.redact("ticket ACME-12 and API_KEY=abc123");
        assert_eq!(redacted.text, "ticket [REDACTED] and API_KEY=[REDACTED]");
        let all = redactor.redact("a CASE b");
        assert_eq!(all.text, MARK);
        assert_eq!(redactor.redact(&all.text).text, MARK);
        assert!(Redactor::with_patterns(&["(".to_owned()]).is_err());
    }

    proptest! {
        #[test]
        fn redacting_twice_is_redacting_once(text in "\\PC{0,200}") {
            let once = Redactor::standard().redact(&text).text.into_owned();
            prop_assert!(Redactor::standard().redact(&once).findings.is_empty());
        }
    }
}
