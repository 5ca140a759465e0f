//! Whether a person's message was typed or pasted.

use std::sync::LazyLock;

use regex::Regex;

/// Shorter messages are taken as typed.
const SHORT: usize = 600;
/// So much of a message must look like somebody else's words.
const SHARE: f64 = 0.34;

/// Lines that tools print and people do not type.
static PRINTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^\s*(?:
            (?:\$|❯|➜|PS\ [A-Z]:|[\w.-]+@[\w.-]+[:~]).*          # a shell
          | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d.*                   # a log
          | \[?\d\d:\d\d:\d\d.*
          | (?:\[)?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b.*
          | at\ [\w.$<>\[\]\ ]+\(.*\)$                           # a stack trace
          | File\ \x22.+\x22,\ line\ \d+.*
          | Traceback\ \(most\ recent.*
          | (?:npm|yarn|pnpm)\ (?:ERR!|WARN|error).*
          | (?:error|warning)(?:\[E?\d+\])?:.*
          | (?:--->?|-->|\|)\s.*                                 # compilers and tables
          | [+-]{3}\ [ab]?/.*  | @@\ .*                          # differences
          | <\/?[a-zA-Z][^>]*>.*                                 # mark-up
          | (?:✓|✗|✘|✔|✖|×|●|■|⚠|❌|✅|PASS|FAIL)\s.*            # test runs
          | \#{2,}\ .*                                           # reports
          | (?:Actionable\ comments\ posted|Caution|Reviewed\ by|Severity)\b.*
        )$",
    )
    .expect("the pattern is a constant")
});

/// Tells whether most of a long message was not typed by the person who sent it.
pub(super) fn looks_pasted(text: &str) -> bool {
    let length = text.chars().count();
    if length <= SHORT {
        return false;
    }
    let mut foreign = 0;
    let mut fenced = false;
    for line in text.lines() {
        let mark = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        fenced ^= mark;
        if fenced || mark || PRINTED.is_match(line) {
            foreign += line.chars().count() + 1;
        }
    }
    foreign as f64 >= SHARE * length as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_prints_are_pasted_and_long_words_are_typed() {
        let log = "2026-03-01T10:00:00Z INFO starting the worker for the queue\n".repeat(12);
        assert!(looks_pasted(&format!("why does this happen?\n{log}")));
        assert!(!looks_pasted("2026-03-01T10:00:00Z INFO starting"), "it is short");
        let trace = "    at Object.run (/srv/app/index.js:10:5)\n".repeat(20);
        assert!(looks_pasted(&trace));
        let typed = "Please keep the retry limit low, and tell me before you change the schema. ".repeat(12);
        assert!(!looks_pasted(&typed));
        let fenced = format!("see\n```\n{}```\n", "let a = compute(b, c);\n".repeat(30));
        assert!(looks_pasted(&fenced));
        assert!(
            !looks_pasted(&format!("{typed}\n```\nlet a = 1;\n```\n")),
            "a little code inside a long text"
        );
    }
}
