//! Agents' words that a person pasted: plans, reviews, reports.
//!
//! People type paragraphs; agents write documents. Where a text turns from one into the other,
//! the person's part ends.

use super::marks::{PLAN_OPENINGS, REVIEW_MARKS};

/// Fewest headings of a text that is a document.
const HEADINGS: usize = 3;

/// Fewest bytes of a text that is a document.
const DOCUMENT: usize = 800;

/// Returns where an agent's words begin in a text that a person sent, if they do.
pub(super) fn agents_words_from(text: &str) -> Option<usize> {
    let opens_plan = PLAN_OPENINGS
        .iter()
        .any(|opening| text.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening)));
    // A short one was typed by hand.
    if opens_plan && text.len() > 200 {
        return Some(0);
    }
    let review = REVIEW_MARKS.iter().filter_map(|mark| text.find(mark)).map(|at| line_start(text, at));
    [severity_from(text), document_from(text)].into_iter().flatten().chain(review).min()
}

/// Finds a review comment by its severity, which stands on a line of its own below the title.
fn severity_from(text: &str) -> Option<usize> {
    let mut title = None;
    let mut before = None;
    for (at, line) in lines(text) {
        let words = line.trim();
        if is_severity(words) {
            return Some(title.unwrap_or(at));
        }
        if words.is_empty() {
            title = before.take().or(title);
        } else {
            // A title is one line; of a paragraph none is taken.
            title = None;
            before = if before.is_none() { Some(at) } else { None };
        }
    }
    None
}

fn is_severity(line: &str) -> bool {
    let Some(level) = line.strip_suffix(" Severity").or_else(|| line.strip_suffix(" severity")) else {
        return false;
    };
    let level = level.trim_matches(|c: char| !c.is_ascii_alphabetic());
    ["critical", "high", "medium", "low", "major", "minor"]
        .iter()
        .any(|known| level.eq_ignore_ascii_case(known))
}

/// Finds the first heading of a long text with several; what is fenced as code does not count.
fn document_from(text: &str) -> Option<usize> {
    let mut fenced = false;
    let mut headings = 0;
    let mut first = None;
    for (at, line) in lines(text) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && is_heading(line) {
            headings += 1;
            first = first.or(Some(at));
        }
    }
    let first = first?;
    (headings >= HEADINGS && text.len() - first >= DOCUMENT).then_some(first)
}

fn is_heading(line: &str) -> bool {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (1..=4).contains(&level) && title.starts_with(' ')
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end())
    })
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |line_end| line_end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_words_are_told_from_a_persons() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(agents_words_from(text).map(|at| &text[at..]), expected, "{text}");
        };
        check("move the pier", None);
        check("Implement the following plan: just do it", None);
        let plan =
            format!("Implement the following plan:\n\n# Pier\n{}", "steps and more steps\n".repeat(12));
        check(&plan, Some(&plan));
        let review = "Pier can sink\n\nHigh Severity\n\nThe pier has no piles.";
        check(review, Some(review));
        check(&format!("what do you say to this:\n\n{review}"), Some(review));
        check("Low Severity\n\nIt wobbles.", Some("Low Severity\n\nIt wobbles."));
        check("this is of high severity\nand urgent", None);
        let body = "The harbour grows and so does the pier.\n".repeat(10);
        let document = format!("## Why\n{body}## What\n{body}## How\n{body}");
        check(&document, Some(&document));
        check(&format!("please read this first\n{document}"), Some(&document));
        check("# one\n# two\n# three", None);
        let fenced = format!("what is wrong here?\n```sh\n{document}\n```");
        check(&fenced, None);
    }
}
