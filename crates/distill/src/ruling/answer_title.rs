//! The title of an answer: what was asked, and what was answered.

use super::lead;
use super::message::casual;
use super::qualified::{NO, YES, bounds};
use super::question::{asking_sentence, asks_of_the_moment};
use super::reply::says;
use super::wording;
use crate::extract::flaws::is_plain_verb;
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
    let told = in_short(label);
    // "Should it stop or go on?" leaves to the sentence before it what "it" is.
    if let Some(subject) = lead::subject(question) {
        return of_subject(&stem_of(&subject), &told);
    }
    if let Some(title) = before_keys(asked).and_then(|subject| joined(&subject, &told)) {
        return title;
    }
    // What it was chosen over stands on the page, and so do the circumstances.
    let parted = circumstances(&stem);
    let rest = parted.map(|(_, rest)| rest).filter(|rest| says(rest) > 0 && !points_back(rest));
    let asked_so = [Some(stem.as_str()), Some(without_others(&stem)), rest, rest.map(without_others)];
    let named = parted.map(|(before, _)| named(before));
    if let Some(title) = named.filter(|_| rest.is_some_and(asks_somebody)).and_then(|of| joined(of, &told)) {
        return title;
    }
    if says(&stem) > 0 && !asks_of_the_moment(asked) {
        for label in &told {
            if let Some(stem) = asked_so.into_iter().flatten().find(|stem| fits(stem, label)) {
                return format!("{}? {}", capital(stem), capital(label));
            }
            if let Some(subject) = named.filter(|subject| fits(subject, label)) {
                return format!("{}: {}", capital(subject), capital(label));
            }
        }
        let stem = without_others(&stem);
        if is_yes_or_no(label) && word_count(stem) + 2 <= ASKED_AND_ANSWERED {
            return within_bounds(stem, label);
        }
        let shorter = cut_short(stem);
        let both = shorter.iter().find_map(|stem| Some((stem, told.iter().find(|label| fits(stem, label))?)));
        if let Some((stem, label)) = both {
            return format!("{}? {}", capital(stem), capital(label));
        }
    }
    // An answer of a word or two says nothing alone.
    match word_count(label) > 2 || says(&stem) < 2 {
        true => wording::title(if word_count(label) > 2 { label } else { answer }),
        false => wording::title(&format!("{}?", capital(&stem))),
    }
}

/// Tells whether what was asked and what was answered stand in one title.
fn fits(stem: &str, label: &str) -> bool {
    says(stem) > 0 && word_count(stem) + word_count(label) <= ASKED_AND_ANSWERED
}

/// Puts an answer behind what it is about, as much of it as there is room for.
fn joined(subject: &str, told: &[String]) -> Option<String> {
    let label = told.iter().find(|label| fits(subject, label))?;
    Some(format!("{}: {}", capital(subject), capital(label)))
}

/// … and where there is none, the one that says more.
fn of_subject(subject: &str, told: &[String]) -> String {
    let plain = ["The ", "the ", "A ", "a ", "Die ", "Der ", "Das "]
        .iter()
        .find_map(|article| subject.strip_prefix(article));
    let whole = [Some(subject), plain].into_iter().flatten().find_map(|subject| joined(subject, told));
    let label = told.first().map_or("", String::as_str);
    whole.unwrap_or_else(|| wording::title(if word_count(label) > 2 { label } else { subject }))
}

/// "Should late ferries (a) wait or (b) go on?" is about late ferries.
fn before_keys(asked: &str) -> Option<String> {
    const ASKS: [&str; 5] = ["should ", "shall ", "sollen ", "soll ", "must "];
    let head = lead::before_options(asked);
    let lower = head.to_lowercase();
    let rest = ASKS.iter().find_map(|asks| lower.strip_prefix(asks)).filter(|_| head.len() < asked.len())?;
    let subject = head.get(head.len() - rest.len()..)?;
    let subject = subject.split(" be ").next().unwrap_or(subject).trim_end_matches([' ', ',', ':', '(']);
    let opens = subject.split_whitespace().next().unwrap_or_default().to_lowercase();
    (says(subject) > 0 && !matches!(opens.as_str(), "i" | "we" | "it" | "they" | "ich" | "wir"))
        .then(|| subject.to_owned())
}

/// "Would you rather have …", "should I use …": whom it asks says nothing.
fn asks_somebody(rest: &str) -> bool {
    let lower = rest.to_lowercase();
    ["would you ", "do you ", "should i use ", "shall i use ", "should we use ", "shall we use "]
        .iter()
        .any(|asks| lower.starts_with(asks))
}

/// Lists what a title can tell of an answer, the longest first: its first sentence, and that without its last clauses. A yes
/// or a no keeps what bounds it.
fn in_short(label: &str) -> Vec<String> {
    if label.contains("? ") {
        return vec![label.to_owned()];
    }
    let first = casual(label).into_iter().next().unwrap_or_else(|| label.to_owned());
    let mut told = first.trim_end_matches(['.', '!', ',', ';', ' ']);
    let mut out = vec![told.to_owned()];
    while let Some((head, _)) = told.rsplit_once([',', ';']).or_else(|| told.rsplit_once(" because ")) {
        told = head.trim_end();
        if is_yes_or_no(told) && word_count(told) < 2 {
            break;
        }
        out.push(told.to_owned());
    }
    out.extend(bounds(&first));
    out
}

/// Lists a question without what stands behind its last small words, the longest first.
fn cut_short(stem: &str) -> Vec<&str> {
    const SMALL: [&str; 12] =
        ["that", "which", "when", "if", "to", "per", "for", "in", "on", "with", "from", "während"];
    let mut out = Vec::new();
    for (at, _) in stem.match_indices(' ').collect::<Vec<_>>().into_iter().rev() {
        let mut behind = stem[at + 1..].split(' ');
        let small = behind.next().is_some_and(|word| SMALL.contains(&word));
        // "Has to work": the verb goes with it.
        let verb = behind.next().is_none_or(is_plain_verb);
        if small && !verb && says(&stem[..at]) > 1 {
            out.push(&stem[..at]);
        }
    }
    out
}

fn is_yes_or_no(label: &str) -> bool {
    let opens = label.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    YES.contains(&opens.as_str()) || NO.contains(&opens.as_str())
}

/// "Shall every boat …? Yes, …": there is no room for the bounds, and that there are some is told.
fn within_bounds(stem: &str, label: &str) -> String {
    let opens = label.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(label);
    let more = if word_count(label) > 1 { ", …" } else { "" };
    format!("{}? {opens}{more}", capital(stem))
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
pub(super) fn circumstances(question: &str) -> Option<(&str, &str)> {
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
    [
        "do you want me to ",
        "would you like me to ",
        "do you want to ",
        "should i ",
        "shall i ",
        "may i ",
        "can i ",
    ]
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
