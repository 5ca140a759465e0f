//! The statements of a Markdown file: list items and paragraphs, each with its line and heading.

use serde::{Deserialize, Serialize};

use crate::export::is_page;
use crate::install::block;

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) heading: String,
    /// Where it begins, counted from 1.
    pub(super) line: u32,
    /// Where it ends.
    pub(super) end: u32,
}

/// Shorter ones say nothing, longer ones are no statement.
const SHORTEST: usize = 12;
const LONGEST: usize = 600;
/// Sections of a decision record that say what did not become so.
const ASIDE: [&str; 6] = ["alternatives", "options", "considered", "pros and cons", "rejected", "references"];

/// Reads what a file states; code, tables, front matter, our own blocks and our own pages are left out.
pub(super) fn read(text: &str) -> Vec<Statement> {
    if is_page(text) {
        return Vec::new();
    }
    let ours: Vec<_> = block::ALL.iter().filter_map(|name| block::find(text, name)).collect();
    let mut found: Vec<Statement> = Vec::new();
    let (mut heading, mut open): (String, Option<Statement>) = (String::new(), None);
    let (mut fenced, mut front, mut superseded) = (false, false, false);
    let mut at = 0;
    for (number, line) in text.lines().enumerate() {
        let start = at;
        at += line.len() + 1;
        let number = number as u32 + 1;
        let trimmed = line.trim();
        if number == 1 && trimmed == "---" {
            front = true;
            continue;
        }
        if front {
            front = trimmed != "---";
            continue;
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            found.extend(open.take());
            continue;
        }
        if fenced || ours.iter().any(|range| range.contains(&start)) {
            found.extend(open.take());
            continue;
        }
        if trimmed.is_empty() || trimmed.starts_with(['|', '@', '>']) || trimmed.starts_with("<!--") {
            found.extend(open.take());
            continue;
        }
        if trimmed.starts_with('#') {
            found.extend(open.take());
            trimmed.trim_start_matches('#').trim().clone_into(&mut heading);
            continue;
        }
        let is_status =
            heading.eq_ignore_ascii_case("status") || trimmed.to_lowercase().starts_with("status:");
        if is_status {
            let word = trimmed.to_lowercase();
            superseded |= ["superseded", "deprecated", "rejected"].iter().any(|state| word.contains(state));
            continue;
        }
        match item(trimmed) {
            Some(text) => {
                found.extend(open.take());
                open = Some(statement(text, &heading, number));
            }
            None => match &mut open {
                Some(open) => {
                    open.text.push(' ');
                    open.text.push_str(trimmed);
                    open.end = number;
                }
                None => open = Some(statement(trimmed, &heading, number)),
            },
        }
    }
    found.extend(open);
    if superseded {
        return Vec::new();
    }
    let is_aside = |heading: &str| {
        let heading = heading.to_lowercase();
        ASIDE.iter().any(|word| heading.contains(word))
    };
    found.retain(|one| (SHORTEST..LONGEST).contains(&one.text.len()) && !is_aside(&one.heading));
    found
}

fn statement(text: &str, heading: &str, line: u32) -> Statement {
    Statement { text: text.to_owned(), heading: heading.to_owned(), line, end: line }
}

/// Takes the mark of a list item away.
fn item(line: &str) -> Option<&str> {
    let bullet =
        line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| line.strip_prefix("+ "));
    let bullet =
        bullet.map(|rest| rest.strip_prefix("[ ] ").or_else(|| rest.strip_prefix("[x] ")).unwrap_or(rest));
    bullet.or_else(|| {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (digits.len() < line.len())
            .then(|| digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") ")))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_their_line_and_heading() {
        let text = "---\nglobs: x\n---\n# Style\n\nWe indent with tabs,\neverywhere.\n\n- Never commit to main.\n- Run the tests\n  before every push.\n\n```sh\n- not a rule at all\n```\n\n<!-- lore:rules begin -->\n- Ours and not read back.\n<!-- lore:rules end -->\n\n1. Ask before adding a dependency.\n@other.md\n";
        let found: Vec<(u32, u32, String)> =
            read(text).into_iter().map(|one| (one.line, one.end, one.text)).collect();
        assert_eq!(
            found,
            [
                (6, 7, "We indent with tabs, everywhere.".to_owned()),
                (9, 9, "Never commit to main.".to_owned()),
                (10, 11, "Run the tests before every push.".to_owned()),
                (21, 21, "Ask before adding a dependency.".to_owned()),
            ]
        );
        assert_eq!(read(text)[0].heading, "Style");
    }

    #[test]
    fn a_record_that_no_longer_holds_says_nothing() {
        let record = |status: &str| {
            format!(
                "# 7. Use Kafka\n\n## Status\n\n{status}\n\n## Decision\n\nWe use Kafka for all events.\n\n## Alternatives\n\n- RabbitMQ would have done as well.\n"
            )
        };
        assert_eq!(read(&record("Accepted")).len(), 1);
        assert_eq!(read(&record("Superseded by ADR 9")), []);
    }
}
