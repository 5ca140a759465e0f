//! The title of an answer: what was asked, and what was answered.

use super::question::{asking_sentence, asks_of_the_moment};
use super::reply::says;
use super::wording;
use crate::extract::sentence::word_count;
use crate::extract::wording::capital;

/// A question and its answer of so many words together fit into a title.
const ASKED_AND_ANSWERED: usize = crate::article::TITLE_WORDS;

/// Names what was asked and what was answered, as much of the question as there is room for; where there is none, or the
/// question names nothing, the answer alone.
pub(super) fn title(question: &str, label: &str, answer: &str) -> String {
    let label = &capital(label.split(" (").next().unwrap_or(label).trim());
    let asked = asking_sentence(question);
    let stem = stem_of(without_offer(asked.trim_end_matches(['?', ' '])));
    // What it was chosen over stands on the page, and so do the circumstances.
    let parted = circumstances(&stem);
    let rest = parted.map(|(_, rest)| rest).filter(|rest| says(rest) > 0 && !points_back(rest));
    let asked_so = [Some(stem.as_str()), Some(without_others(&stem)), rest, rest.map(without_others)];
    let fits = |stem: &str| says(stem) > 0 && word_count(stem) + word_count(label) <= ASKED_AND_ANSWERED;
    if says(&stem) > 1 && !asks_of_the_moment(asked) {
        if let Some(stem) = asked_so.into_iter().flatten().find(|stem| fits(stem)) {
            return format!("{}? {label}", capital(stem));
        }
        if let Some(subject) = parted.map(|(before, _)| named(before)).filter(|before| fits(before)) {
            return format!("{}: {label}", capital(subject));
        }
    }
    // An answer of a word or two says nothing alone.
    let said = label
        .split_once(", ")
        .filter(|(yes, _)| matches!(*yes, "Yes" | "No"))
        .map_or(label.as_str(), |(_, rest)| rest);
    match word_count(said) > 2 || says(&stem) < 2 {
        true => wording::title(if word_count(said) > 2 { said } else { answer }),
        false => wording::title(&format!("{}?", capital(&stem))),
    }
}

/// Puts what was chosen behind what a form calls the question, where that names a subject: “Plan storage: in the ledger”.
pub(super) fn headed(heading: &str, label: &str) -> Option<String> {
    let label = label.split(" (").next().unwrap_or(label).trim();
    let opens = label.split([',', ' ']).next().unwrap_or_default().to_lowercase();
    let is_named = |word: &str| !WEAK_HEADINGS.contains(&word.to_lowercase().as_str());
    // One word says of which side of a thing, not of what: “Location”.
    let names = word_count(heading) > 1 && heading.split_whitespace().any(is_named);
    let tells = word_count(label) > 1 && says(label) > 0 && !matches!(opens.as_str(), "yes" | "no" | "not");
    let fits = word_count(heading) + word_count(label) <= ASKED_AND_ANSWERED;
    (names && tells && fits).then(|| format!("{}: {}", capital(heading), label))
}

/// Words of headings that name nothing.
const WEAK_HEADINGS: [&str; 18] = [
    "action", "approach", "choice", "confirm", "decision", "design", "fix", "method", "move", "next",
    "option", "question", "scope", "step", "steps", "today's", "what", "work",
];

fn without_others(question: &str) -> &str {
    question.split(" or ").next().unwrap_or(question).trim_end_matches([',', ' '])
}

/// "For the north gate, should we …": the circumstances, and what is asked.
fn circumstances(question: &str) -> Option<(&str, &str)> {
    let (before, rest) = question.split_once(", ")?;
    let opens = before.split_whitespace().next()?.to_lowercase();
    wording::LEADING_UP.contains(&opens.as_str()).then_some((before, rest))
}

/// "Where should they be put": what they are stands before it.
fn points_back(rest: &str) -> bool {
    let pronoun = |word: &str| matches!(word, "it" | "they" | "them" | "this" | "that" | "these");
    rest.to_lowercase().split_whitespace().take(SUBJECT).any(pronoun)
}

/// The subject of a question stands among so many words.
const SUBJECT: usize = 4;

/// "For the north gate" is about the north gate.
fn named(circumstances: &str) -> &str {
    let (opens, rest) = circumstances.split_once(' ').unwrap_or(("", circumstances));
    if matches!(opens.to_lowercase().as_str(), "for" | "with" | "in") { rest } else { circumstances }
}

/// "Do you want me to hang the keys …": what is asked stands behind the offer.
fn without_offer(question: &str) -> &str {
    let lower = question.to_ascii_lowercase();
    ["do you want me to ", "would you like me to ", "do you want to ", "should i "]
        .iter()
        .find(|offer| lower.starts_with(**offer))
        .map_or(question, |offer| &question[offer.len()..])
}

/// Leaves the options and what is put in brackets out of a question.
fn stem_of(question: &str) -> String {
    // "One question: when should …" asks behind the colon, "Which paint: red, green" before it.
    let question = question
        .split_once(": ")
        .filter(|(_, rest)| {
            let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
            ["when", "what", "which", "where", "how", "who", "should", "is", "do", "does", "can"]
                .contains(&first.as_str())
        })
        .map_or(question, |(_, rest)| rest);
    let cut = question.find(':').filter(|at| *at > 12).unwrap_or(question.len());
    let cut = question[..cut].find(" A) ").unwrap_or(cut);
    let mut stem = String::new();
    let mut depth = 0_usize;
    for c in question[..cut].chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => stem.push(c),
            _ => {}
        }
    }
    stem.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_what_was_asked_and_what_was_answered() {
        let check = |question: &str, label: &str, expected: &str| {
            assert_eq!(title(question, label, label), expected);
        };
        check("Where should the keys hang?", "in the hall", "Where should the keys hang? In the hall");
        check(
            "For the old gates, should we keep the brass locks or buy new ones of iron for each of them?",
            "No locks at all",
            "For the old gates, should we keep the brass locks? No locks at all",
        );
        check(
            "When the ferries come in late on one of the long winter evenings, should the bell of the pier be rung?",
            "Only by hand",
            "Should the bell of the pier be rung? Only by hand",
        );
        check(
            "For keeping the ledgers of the pier over the winter, where should they be put?",
            "Boathouse",
            "Keeping the ledgers of the pier over the winter: Boathouse",
        );
        check(
            "For ferries that come in late, should the harbour bell still be rung by hand, even though it wakes the town?",
            "Yes, by hand",
            "Ferries that come in late: Yes, by hand",
        );
        check(
            "With the new piers, should we keep numbering or give every berth a name of its own?",
            "No numbering at all",
            "With the new piers, should we keep numbering? No numbering at all",
        );
        check(
            "Do you want me to hang the keys by number or by name?",
            "by name of course",
            "Hang the keys by number or by name? By name of course",
        );
        check("One question: when should the bell ring?", "At noon", "When should the bell ring? At noon");
        let heading = |heading: &str, label: &str, expected: Option<&str>| {
            assert_eq!(headed(heading, label).as_deref(), expected, "{heading} {label}");
        };
        heading("Ledger place", "In the boathouse (dry)", Some("Ledger place: In the boathouse"));
        heading("Bell policy", "Yes, by hand", None);
        heading("Bell policy", "Never", None);
        heading("Location", "In the boathouse", None);
        heading("Next step", "Paint the pier", None);
        check("Which approach do you prefer?", "Paint the pier in spring", "Paint the pier in spring");
    }
}
