//! When a lesson applies: the situation it is told for, and the signs it is known by.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use lore_core::words::{Commonness, commonness};
use regex::Regex;

use super::Friction;
use super::order::parted;
use super::remedy::{DANGLES, ONCE, capital};
use super::said::{Part, said};
use super::wording::{COUNTS, is_general, lower_first, named};
use crate::extract::flaws::has_verb;
use crate::extract::sentence::word_count;
use crate::extract::terms::{overlap, terms};

/// A condition of fewer or more words is none to recognise.
const CONDITION: std::ops::RangeInclusive<usize> = 3..=24;
/// An example of fewer or more words is none.
const EXAMPLE: std::ops::RangeInclusive<usize> = 7..=34;
/// So much of it has to be about the matter.
const FITS: f64 = 0.4;
/// So many signs are enough.
const SIGNS: usize = 3;
/// More letters of code are a quotation and not a name.
const SPAN: usize = 40;

/// Speaks of somebody or something that was named before.
static LEANS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:their|its|his|her|the (?:user|result|commit|plan|phase|session)|user|instead|when asked)\b|\bsig-")
        .expect("a constant")
});
/// Tells that something is not as it should be.
static TROUBLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)n't\b|\b(?:but|not|no|never|without|instead|despite|fail\w*|missing|missed|wrong\w*|lost|broke\w*|skipped|ignored|stale|incorrect\w*|silently|cannot|crash\w*|differ\w*|caught)\b")
        .expect("a constant")
});
/// What a title ends with that says when.
static WHEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?P<when>(?:during|after|before|when|while) (?:\S+ ){0,6}\S+)$").expect("a constant")
});

/// Says when to think of a lesson: the situation that is told with it, what is touched, and how it showed.
///
/// What is in the title or in the lesson is no sign of it.
pub(super) fn applies(ordered: &[&Friction], subjects: &[String], advice: &str, told: [&str; 2]) -> String {
    let mut parts = Vec::new();
    let commands: BTreeSet<&str> = ordered.iter().filter_map(|one| one.command.as_deref()).collect();
    let files: BTreeSet<&str> = ordered.iter().flat_map(|one| &one.files).map(String::as_str).collect();
    let situation = situation(ordered, subjects, advice);
    let is_known = situation.is_some();
    parts.extend(situation.map(|situation| format!("{}.", situation.trim_end_matches('.'))));
    let mut spans = shared_spans(ordered);
    // A word that anybody uses names nothing in particular.
    let is_word = |span: &str| {
        span.chars().all(char::is_alphabetic) && commonness(&span.to_lowercase()) != Commonness::Rare
    };
    spans.retain(|span| !commands.contains(span.as_str()) && !is_word(span));
    if !spans.is_empty() && parts.is_empty() {
        parts.push(format!("Work that involves {}.", listed(spans.iter().map(String::as_str))));
    }
    if !commands.is_empty() {
        parts.push(format!("Before running {}.", listed(commands.into_iter())));
    }
    if !files.is_empty() {
        parts.push(format!("When changing {}.", listed(files.into_iter())));
    }
    let signs = signs(ordered, told);
    if parts.is_empty() && signs.is_empty() {
        let about = subjects.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
        parts.extend((!about.is_empty()).then(|| format!("Work that has to do with {about}.")));
    }
    if !signs.is_empty() {
        parts.push(format!("Signs of it: {}.", signs.join(", ")));
    }
    if !is_known && let Some(example) = example(ordered, subjects, told) {
        parts.push(format!("For example: {example}"));
    }
    parts.join(" ")
}

fn listed<'t>(names: impl Iterator<Item = &'t str>) -> String {
    names.take(3).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Finds the condition that the advice, its signal or its title names.
fn situation(ordered: &[&Friction], subjects: &[String], advice: &str) -> Option<String> {
    if let (Some(condition), _) = parted(advice) {
        return Some(condition.to_owned());
    }
    let told = ordered.first()?;
    let wanted = terms(&format!("{} {} {advice}", subjects.join(" "), told.title));
    let mut best: Option<(f64, String)> = None;
    for said in said(told).iter().filter(|said| said.part != Part::Remedy) {
        let (Some(condition), _) = parted(&said.text) else { continue };
        let opens = condition.to_lowercase();
        let says_when =
            ["when ", "whenever ", "before ", "after ", "during "].iter().any(|word| opens.starts_with(word));
        let fits = CONDITION.contains(&word_count(condition))
            && !ONCE.is_match(condition)
            && !DANGLES.is_match(condition);
        let share = overlap(&terms(condition), &wanted);
        if says_when && fits && share > 0.0 && best.as_ref().is_none_or(|(known, _)| share > *known) {
            best = Some((share, condition.to_owned()));
        }
    }
    best.map(|(_, condition)| condition).or_else(|| ordered.iter().find_map(|one| when(&one.title)))
}

/// Finds when something happens in what it is called: "Chain slips after mooring".
fn when(title: &str) -> Option<String> {
    let name = named(title);
    let when = WHEN.captures(&name)?["when"].to_owned();
    // Within a sentence a heading is written small, but for its names.
    let own: Vec<&str> = when.split_whitespace().collect();
    let is_heading = own.iter().skip(1).all(|word| word.starts_with(char::is_uppercase));
    let small = |word: &&str| if is_heading { lower_first(word) } else { (*word).to_owned() };
    let text = own.iter().map(small).collect::<Vec<_>>().join(" ");
    (word_count(&text) > 1 && is_general(&text)).then(|| capital(&text))
}

/// Finds a sentence that tells what it is like, whenever it happens.
fn example(ordered: &[&Friction], subjects: &[String], told: [&str; 2]) -> Option<String> {
    let known = told.map(terms);
    let mut best: Option<(f64, String)> = None;
    for one in ordered.iter().filter(|one| one.command.is_none()) {
        let wanted = terms(&format!("{} {}", subjects.join(" "), one.title));
        for said in said(one).into_iter().filter(|said| said.part == Part::Story) {
            let text = said.text;
            let whole =
                text.ends_with('.') && text.starts_with(|first: char| first.is_uppercase() || first == '`');
            let once = ONCE.is_match(&text) || COUNTS.is_match(&text) || LEANS.is_match(&text);
            if !whole
                || once
                || !TROUBLE.is_match(&text)
                || DANGLES.is_match(&text)
                || !EXAMPLE.contains(&word_count(&text))
            {
                continue;
            }
            let own = terms(&text);
            let share = overlap(&own, &wanted);
            let is_new = known.iter().all(|known| overlap(&own, known) < 0.8);
            if is_new && share >= FITS && best.as_ref().is_none_or(|(known, _)| share > *known) {
                best = Some((share, text));
            }
        }
    }
    best.map(|(_, text)| text)
}

/// Lists how the trouble showed, in the titles of its signals: those that say something first.
fn signs(ordered: &[&Friction], told: [&str; 2]) -> Vec<String> {
    let mut known = told.map(terms).to_vec();
    let mut found: Vec<String> = Vec::new();
    let (says, names): (Vec<String>, Vec<String>) = ordered
        .iter()
        .filter(|one| is_general(&one.title) && one.command.is_none())
        .map(|one| named(&one.title))
        .partition(|name| has_verb(name));
    for name in says.into_iter().chain(names) {
        let own = terms(&name);
        // The same in other words is no second sign.
        if known.iter().all(|other| overlap(&own, other) < 0.8) && found.len() < SIGNS {
            found.push(format!("“{name}”"));
            known.push(own);
        }
    }
    found
}

/// Lists what several signals name as code, most often named first.
fn shared_spans(ordered: &[&Friction]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in ordered {
        let own: BTreeSet<&str> = spans_of(&one.happened).chain(spans_of(&one.cause)).collect();
        for span in own {
            *counts.entry(span.to_owned()).or_default() += 1;
        }
    }
    let mut found: Vec<(String, usize)> = counts.into_iter().filter(|(_, who)| *who > 1).collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    found.into_iter().map(|(span, _)| span).collect()
}

/// Lists what a text names as code.
fn spans_of(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2).map(str::trim);
    spans.filter(|span| (3..=SPAN).contains(&span.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::super::tests::friction;
    use super::*;

    fn told(signals: &[Friction], advice: &str) -> String {
        let own: Vec<&Friction> = signals.iter().collect();
        applies(&own, &["anchor".to_owned(), "chain".to_owned()], advice, ["", ""])
    }

    #[test]
    fn the_advice_names_the_situation_first() {
        let signals = [friction(1, "Chain slips after mooring", "1"), friction(2, "Anchor adrift", "2")];
        assert_eq!(
            told(&signals, "When the tide turns, lock the chain."),
            "When the tide turns. Signs of it: “Chain slips after mooring”, “Anchor adrift”."
        );
        assert!(told(&signals, "Lock the chain.").starts_with("After mooring. "));
    }

    #[test]
    fn a_heading_is_written_small_and_a_name_is_not() {
        assert_eq!(when("Lock Forgotten During Mooring Drill").as_deref(), Some("During mooring drill"));
        assert_eq!(when("Chain slips after GitHub update").as_deref(), Some("After GitHub update"));
        assert_eq!(when("Chain slips"), None);
    }

    #[test]
    fn without_a_situation_an_example_is_told() {
        let story = "Rain fell. The anchor chain was not locked and slipped from the winch.";
        let signal = Friction { happened: story.to_owned(), ..friction(1, "Anchor chain slips", "1") };
        let example = "For example: The anchor chain was not locked and slipped from the winch.";
        assert!(told(std::slice::from_ref(&signal), "Lock it.").ends_with(example));
        let once = Friction { happened: story.replace("chain was", "chain of 2026-03-01 was"), ..signal };
        assert!(!told(&[once], "Lock it.").contains("For example"), "one occasion is no example");
    }

    #[test]
    fn a_word_of_everybody_is_no_name() {
        let of = |number: usize, span: &str| Friction {
            happened: format!("`{span}` and `main` are stuck."),
            ..friction(number, "Anchor", &number.to_string())
        };
        let signals = [of(1, "chain_lock"), of(2, "chain_lock")];
        assert!(told(&signals, "Lock it.").starts_with("Work that involves `chain_lock`. "));
    }
}
