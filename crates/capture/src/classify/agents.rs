//! Agents' words that a person pasted: plans, playbooks, reviews, reports.
//!
//! People type paragraphs; agents write documents. Where a text turns from one into the other,
//! the person's part ends.

use lore_core::session::Telltale;

use super::lines;
use super::marks::{PLAN_OPENINGS, REVIEW_MARKS, ROLE_OPENINGS};

/// Fewest headings of a text that is a document.
const HEADINGS: usize = 3;

/// Fewest bytes of a text that is a document.
const DOCUMENT: usize = 800;

/// Shorter ones were typed by hand.
const PLAN: usize = 200;

/// Fewest bytes of a text that tells an agent who it is and what to do.
const PLAYBOOK: usize = 600;

/// Fewest items and labels of such a text.
const PLAYBOOK_ITEMS: usize = 6;

/// Returns where an agent's words begin in a text that a person sent, and what shows it.
pub(super) fn agents_words_from(text: &str) -> Option<(usize, Telltale)> {
    if text.len() > PLAN && opens_with(text, PLAN_OPENINGS) {
        return Some((0, Telltale::Plan));
    }
    if is_playbook(text) || is_command_file(text) {
        return Some((0, Telltale::Playbook));
    }
    let review = REVIEW_MARKS.iter().filter_map(|mark| text.find(mark)).map(|at| lines::start(text, at));
    let review = severity_from(text).into_iter().chain(review).min();
    let document = document_from(text).map(|at| (at, Telltale::Document));
    review.map(|at| (at, Telltale::Review)).into_iter().chain(document).min_by_key(|(at, _)| *at)
}

fn opens_with(text: &str, openings: &[&str]) -> bool {
    let begins =
        |opening: &&str| text.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening));
    openings.iter().any(begins)
}

/// Tells a long list of instructions that begins by saying who the agent is and is set like a
/// document. People say who the agent is too, but they do not set what they type.
fn is_playbook(text: &str) -> bool {
    let mut rows = lines::each(text).map(|(_, row)| row.trim()).filter(|row| !row.is_empty());
    let is_set = || text.contains("**") || lines::each(text).any(|(_, row)| is_heading(row));
    let opens = text.len() >= PLAYBOOK
        && rows.find(|row| !is_heading(row)).is_some_and(|first| opens_with(first, ROLE_OPENINGS));
    let is_item = |row: &&str| lines::is_item(row) || is_heading(row) || row.ends_with(':');
    // The place of what a person types behind a slash command: nobody writes that by hand.
    text.contains("$ARGUMENTS") && is_set()
        || opens && is_set() && rows.filter(is_item).count() >= PLAYBOOK_ITEMS
}

/// "# /count-boats" and below it what to do: the file of a slash command, which somebody sent as it is.
fn is_command_file(text: &str) -> bool {
    let Some((first, rest)) = text.split_once('\n') else { return false };
    let name = first.trim_start_matches('#').trim().strip_prefix('/').unwrap_or_default();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    is_heading(first) && !name.is_empty() && name.chars().all(is_part) && !rest.trim().is_empty()
}

/// Finds a review comment by its severity, which stands on a line of its own below the title.
fn severity_from(text: &str) -> Option<usize> {
    let mut title = None;
    let mut before = None;
    for (at, line) in lines::each(text) {
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

/// Finds the first heading of a long text with several, or the first line that is emphasised like
/// one; what is fenced as code does not count.
fn document_from(text: &str) -> Option<usize> {
    let mut fenced = false;
    let mut headings = 0;
    let mut first = None;
    for (at, line) in lines::each(text) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && (is_heading(line) || is_emphasised(line)) {
            headings += 1;
            first = first.or(Some(at));
        }
    }
    let first = first?;
    (headings >= HEADINGS && text.len() - first >= DOCUMENT).then_some(first)
}

/// Tells a line, or an item of a list, that begins with words in bold.
fn is_emphasised(line: &str) -> bool {
    let Some(rest) = lines::without_item(line).strip_prefix("**") else { return false };
    // A person who answers an agent's questions leaves the questions standing.
    rest.split_once("**").is_some_and(|(bold, _)| !bold.is_empty() && !bold.ends_with('?'))
}

fn is_heading(line: &str) -> bool {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (1..=4).contains(&level) && title.starts_with(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_words_are_told_from_a_persons() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(agents_words_from(text).map(|(at, _)| &text[at..]), expected, "{text}");
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
        let bold = format!("1. **Piles**\n{body}2. **Planks**\n{body}3. **Lamps**\n{body}");
        check(&format!("do this\n{bold}"), Some(&bold));
        let asked = format!("1. **How many piles?**\n{body}2. **Which wood?**\n{body}3. **When?**\n{body}");
        check(&asked, None);
    }

    #[test]
    fn a_playbook_is_long_and_a_sentence_is_not() {
        let check = |text: &str, expected: Option<Telltale>| {
            assert_eq!(agents_words_from(text).map(|(_, telltale)| telltale), expected, "{text}");
        };
        check("You are a pilot. Look at the pier: is it straight?", None);
        let steps = "- Walk to the end of the pier and look whether the lamp is lit.\n".repeat(10);
        check(
            &format!("You are the **warden** of the harbour.\n\nSteps:\n{steps}"),
            Some(Telltale::Playbook),
        );
        check(&format!("You are to look after the pier today.\n\nSteps:\n{steps}"), None);
        check(&format!("# Context\n\nYour name is **Ada**.\n\n{steps}"), Some(Telltale::Playbook));
        check(&format!("Walk with me.\n{steps}"), None);
        check(
            "# Warden\n\n- walk the pier\n- never skip the lamp\n\nArguments: $ARGUMENTS",
            Some(Telltale::Playbook),
        );
        check("what does $ARGUMENTS stand for?", None);
        check("# /count-boats\nCount the boats. Never wake the warden.", Some(Telltale::Playbook));
        check("# /piers/north is shut\nNever moor there.", None);
    }
}
