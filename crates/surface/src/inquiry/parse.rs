//! Takes a question apart: what can be chosen from, for what, under which conditions.

use super::alternatives::alternatives;
use super::lexicon::{CONDITIONAL, CONNECTIVES, DETERMINERS, EMPTY, MEASURES, OPENERS, PREPOSITIONS};
use super::{Inquiry, Measure, Quantity};
use crate::token;

/// A word, or a mark that ends a phrase.
pub(super) struct Word {
    pub(super) text: String,
    pub(super) lower: String,
    /// Whether it is a comma, a colon or the like.
    pub(super) is_mark: bool,
    /// Whether it is written like a name: a capital inside the sentence, a digit, a joint.
    pub(super) is_name: bool,
}

pub(super) fn parse(text: &str) -> Inquiry {
    let words = words(text);
    let mut used = vec![false; words.len()];
    let quantities = quantities(&words, &mut used);
    let ranges = alternatives(&words, &used);
    for range in &ranges {
        used[range.clone()].fill(true);
    }
    let measure = measure(&words, &mut used);
    let conditions = conditions(&words, &mut used);
    let rest: Vec<&Word> = words
        .iter()
        .zip(&used)
        .filter(|(word, used)| !**used && !word.is_mark && !EMPTY.contains(&word.lower.as_str()))
        .map(|(word, _)| word)
        .collect();
    let subject = rest.iter().map(|word| word.text.as_str()).filter(|word| !is_small(&word.to_lowercase()));
    let subject = subject.collect::<Vec<_>>().join(" ");
    let names = rest.iter().filter(|word| word.is_name).map(|word| word.lower.clone()).collect();
    let alternatives = ranges.into_iter().map(|range| joined(&words[range])).collect();
    Inquiry {
        text: text.trim().to_owned(),
        alternatives,
        terms: terms(&subject),
        subject,
        conditions,
        quantities,
        measure,
        measured: Vec::new(),
        names,
    }
}

/// Reads off the name of a metric what it measures: `wall_ms` time, `peak_mb` memory, `size_kb` size.
pub(super) fn measure_of(metric: &str) -> Option<Measure> {
    let words: Vec<String> = metric
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect();
    let named = MEASURES.iter().find(|(_, known)| words.iter().any(|word| known.contains(&word.as_str())));
    if let Some((measure, _)) = named {
        return Some(*measure);
    }
    // `recall_min` is the smallest recall, and no minutes.
    let is = |base: &str| words.iter().any(|word| word != "min" && Quantity::base_of(word) == Some(base));
    let of_memory = words.iter().any(|word| matches!(word.as_str(), "peak" | "mem" | "maxrss"));
    match () {
        () if is("second") => Some(Measure::Time),
        () if is("byte") && of_memory => Some(Measure::Memory),
        () if is("byte") => Some(Measure::Size),
        () => None,
    }
}

/// Returns the stems of the words that mean something.
pub(super) fn terms(text: &str) -> Vec<String> {
    let mut found: Vec<String> = token::tokens(text)
        .into_iter()
        .filter(|token| token.form != token::Form::Whole && !token::is_stop_word(&token.word))
        .filter(|token| !EMPTY.contains(&token.word.as_str()))
        .map(|token| token.term)
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Tells whether a word is too small to be what is counted or named.
pub(super) fn is_small(word: &str) -> bool {
    PREPOSITIONS.contains(&word)
        || DETERMINERS.contains(&word)
        || OPENERS.contains(&word)
        || CONNECTIVES.contains(&word)
        || matches!(word, "and" | "we" | "it" | "be" | "than")
}

fn words(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mark =
        |text: &str| Word { text: text.to_owned(), lower: text.to_owned(), is_mark: true, is_name: false };
    for raw in text.split_whitespace() {
        let opened = raw.trim_start_matches(['(', '"', '“', '\'', '`', '[', '*']);
        let word = opened.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%'));
        if opened.len() < raw.len() && raw.starts_with('(') {
            out.push(mark("("));
        }
        if !word.is_empty() {
            let first = out.iter().all(|word| word.is_mark);
            let has = |test: fn(char) -> bool| word.chars().any(test);
            let capital = word.chars().skip(usize::from(first)).any(char::is_uppercase);
            let joint = word.chars().skip(1).any(|c| matches!(c, '.' | '_' | '-' | '/' | '+' | '#' | ':'));
            let is_name = capital || has(|c| c.is_ascii_digit()) || joint;
            out.push(Word { text: word.to_owned(), lower: word.to_lowercase(), is_mark: false, is_name });
        }
        let tail = &opened[word.len()..];
        if tail.chars().any(|c| matches!(c, ',' | ':' | ';' | '?' | '!' | '.' | ')' | '–' | '—')) {
            out.push(mark(&tail[..tail.chars().next().map_or(0, char::len_utf8)]));
        }
    }
    out
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn quantities(words: &[Word], used: &mut [bool]) -> Vec<Quantity> {
    let stem = |word: &str| terms(word).into_iter().next().unwrap_or_else(|| word.to_owned());
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let named = at > 0 && words[at - 1].text.starts_with(char::is_uppercase) && at > 1;
        let ahead: Vec<&str> = words[at..]
            .iter()
            .take(5)
            .take_while(|word| !word.is_mark)
            .map(|word| word.text.as_str())
            .collect();
        match Quantity::read(&ahead, stem).filter(|_| !named) {
            Some((quantity, length)) => {
                used[at..at + length].fill(true);
                at += length;
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found
}

fn measure(words: &[Word], used: &mut [bool]) -> Option<Measure> {
    let mut found = None;
    for (measure, known) in MEASURES {
        for (at, word) in words.iter().enumerate() {
            if !used[at] && known.contains(&word.lower.as_str()) {
                found.get_or_insert(measure);
                used[at] = true;
            }
        }
    }
    found
}

/// Reads what follows “with”, “without”, “on”, “under” …
fn conditions(words: &[Word], used: &mut [bool]) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        // “over 30 years” is told by its number.
        let counted = words[at].lower == "over" && used.get(at + 1).is_some_and(|used| *used);
        let opens = CONDITIONAL.contains(&words[at].lower.as_str()) && !used[at] && !counted;
        if !opens {
            at += 1;
            continue;
        }
        let without = words[at].lower == "without";
        let start = at + 1;
        let mut end = start;
        while end < words.len()
            && !words[end].is_mark
            && !(end > start && PREPOSITIONS.contains(&words[end].lower.as_str()))
        {
            end += 1;
        }
        let held: Vec<usize> = (start..end)
            .filter(|at| !used[*at] && !EMPTY.contains(&words[*at].lower.as_str()))
            .filter(|at| !is_small(&words[*at].lower))
            .collect();
        let phrase = held.iter().map(|at| words[*at].text.as_str()).collect::<Vec<_>>().join(" ");
        // What names nothing is still there to be read as the subject.
        if !terms(&phrase).is_empty() {
            held.iter().for_each(|at| used[*at] = true);
            found.push(if without { format!("without {phrase}") } else { phrase });
        }
        used[at] = true;
        at = end.max(at + 1);
    }
    found
}
