//! Whom a bound holds for: what is said of those under 26 is not said of those over 65.

use lore_core::words::number_word;

use crate::inquiry::is_measure;

/// What lies beyond a number, and on which side of it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound<'t> {
    is_above: bool,
    number: f64,
    /// What the number counts, where that is a measure.
    unit: Option<&'t str>,
}

const ABOVE: [&str; 9] = ["over", "above", "beyond", "older", "more", "least", "über", "älter", "mehr"];
const BELOW: [&str; 9] = ["under", "below", "younger", "less", "most", "fewer", "unter", "jünger", "weniger"];
/// Stands between such a word and its number.
const THAN: [&str; 3] = ["than", "als", "the"];
/// What is said of all others too.
const REST: [&str; 12] = [
    "all",
    "everyone",
    "everybody",
    "else",
    "others",
    "other",
    "rest",
    "otherwise",
    "larger",
    "smaller",
    "only",
    "except",
];

/// Tells whether all that a text bounds lies on the other side of what a question asks about.
pub(crate) fn lie_elsewhere(question: &str, text: &str) -> bool {
    let (question, text) = (question.to_lowercase(), text.to_lowercase());
    let (question, text) = (words(&question), words(&text));
    let (asked, told) = (bounds(&question), bounds(&text));
    let apart = |one: &Bound<'_>, other: &Bound<'_>| {
        let (above, below) = if one.is_above { (one, other) } else { (other, one) };
        one.is_above != other.is_above && one.unit == other.unit && below.number <= above.number
    };
    let none = |asked: &Bound<'_>| told.iter().all(|told| apart(asked, told));
    let says_all = text.iter().any(|word| REST.contains(word));
    !asked.is_empty() && !told.is_empty() && !says_all && asked.iter().all(none)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn bounds<'t>(words: &[&'t str]) -> Vec<Bound<'t>> {
    let read = |at: usize| {
        let is_above = ABOVE.contains(&words[at]);
        if !is_above && !BELOW.contains(&words[at]) {
            return None;
        }
        let behind = at + 1 + usize::from(words.get(at + 1).is_some_and(|word| THAN.contains(word)));
        let number = words.get(behind)?;
        let number = number_word(number).unwrap_or(number).parse().ok()?;
        let unit = words.get(behind + 1).copied().filter(|word| is_measure(word));
        Some(Bound { is_above, number, unit })
    };
    (0..words.len()).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_side_is_not_said_of_the_other() {
        let check = |question: &str, text: &str, expected: bool| {
            assert_eq!(lie_elsewhere(question, text), expected, "{question} {text}");
        };
        let young = "Sailors under 20 wear a blue scarf.";
        check("What do sailors over 60 wear?", young, true);
        check("What do sailors older than sixty wear?", young, true);
        check("What do sailors under 15 wear?", young, false);
        check("What do sailors over 15 wear?", young, false);
        check("What do sailors wear?", young, false);
        check("What do sailors over 60 wear?", "Sailors wear a blue scarf.", false);
        check("What do sailors over 60 wear?", "Only sailors under 20 wear a scarf.", false);
        check("What about ropes over 5 metres?", "Ropes under 2 years are new.", false);
    }
}
