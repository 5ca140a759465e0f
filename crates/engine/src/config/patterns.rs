//! Settings that say what is left out, and whether they can be read.

use std::ops::Range;

use lore_core::redact::Redactor;
use regex::{Regex, RegexBuilder};
use toml::Value;

use super::ConfigError;

/// Settings that name what is never read, kept or sent; patterns of them are regular expressions.
const LEFT_OUT: [(&str, Sort); 5] = [
    ("topics.exclude", Sort::AnyCase),
    ("sessions.exclude", Sort::AnyCase),
    ("redact.patterns", Sort::AsWritten),
    ("sessions.ignore_agents", Sort::Words),
    ("curate.private", Sort::Words),
];

/// How the items of such a setting are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    AnyCase,
    AsWritten,
    Words,
}

fn sort_of(key: &str) -> Option<Sort> {
    LEFT_OUT.iter().find(|(name, _)| *name == key).map(|(_, sort)| *sort)
}

/// Tells whether a setting says what is to be left out.
pub(super) fn leaves_out(key: &str) -> bool {
    sort_of(key).is_some()
}

/// Tells whether a setting is a list of regular expressions.
pub(super) fn takes_patterns(key: &str) -> bool {
    matches!(sort_of(key), Some(Sort::AnyCase | Sort::AsWritten))
}

/// Makes the pattern of what is left out.
pub(crate) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).case_insensitive(true).build()
}

/// Turns down what is no regular expression, alone or in a list: it would let through what was to stay out.
pub(super) fn check_patterns(key: &str, value: &Value) -> Result<(), ConfigError> {
    let Some(sort) = sort_of(key).filter(|sort| *sort != Sort::Words) else { return Ok(()) };
    let one = std::slice::from_ref(value);
    let given = value.as_array().map_or(one, Vec::as_slice);
    for pattern in given.iter().filter_map(Value::as_str) {
        let read = match sort {
            Sort::AsWritten => {
                Redactor::with_patterns(&[pattern.to_owned()]).map(drop).map_err(|error| error.message)
            }
            _ => compile(pattern).map(drop).map_err(|error| error.to_string()),
        };
        read.map_err(|why| ConfigError::NoPattern {
            key: key.to_owned(),
            pattern: pattern.to_owned(),
            // The pattern and an arrow below it come first.
            why: why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
        })?;
    }
    Ok(())
}

/// Says on which line a settings file cannot be read, and why.
pub(super) fn unreadable(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    let is_mark = |line: &str| line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>");
    if let Some(at) = text.lines().position(is_mark) {
        return format!("line {}: a merge left it undecided", at + 1);
    }
    let why = message.lines().next().unwrap_or_default();
    match span.and_then(|span| text.get(..span.start)) {
        Some(before) => format!("line {}: {why}", before.matches('\n').count() + 1),
        None => why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_expression_is_turned_down_where_one_is_meant() {
        let check = |key: &str, items: &[&str], expected: &str| {
            let list = Value::Array(items.iter().map(|item| Value::String((*item).to_owned())).collect());
            let said = check_patterns(key, &list).err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(said, expected, "{key} {items:?}");
        };
        check("topics.exclude", &["salar(y|ies)"], "");
        check(
            "topics.exclude",
            &["a", "("],
            "`(` in `topics.exclude` is no regular expression: unclosed group",
        );
        check(
            "sessions.exclude",
            &["[z-a]"],
            "`[z-a]` in `sessions.exclude` is no regular expression: invalid character class range, the start must be <= the end",
        );
        check(
            "redact.patterns",
            &["*"],
            "`*` in `redact.patterns` is no regular expression: repetition operator missing expression",
        );
        check("sessions.ignore_agents", &["("], "");
        check("curate.private", &["("], "");
    }

    #[test]
    fn a_file_that_cannot_be_read_says_where() {
        let check = |text: &str, expected: &str| {
            let error = text.parse::<toml::Table>().expect_err("is broken");
            assert_eq!(unreadable(text, error.span(), error.message()), expected, "{text}");
        };
        check(
            "a = 1\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> other\n",
            "line 2: a merge left it undecided",
        );
        let said = unreadable("[a]\nb = \n", Some(8..8), "expected a value\nmore");
        assert_eq!(said, "line 2: expected a value");
    }
}
