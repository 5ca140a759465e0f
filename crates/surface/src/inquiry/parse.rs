//! Takes a question apart: what can be chosen from, for what, under which conditions.

use std::ops::Range;

use super::lexicon::{
    CHOOSING, CONDITIONAL, CONNECTIVES, DETERMINERS, EMPTY, JUDGING, MEANS, MEASURES, OPENERS, PREFERRING,
    PREPOSITIONS,
};
use super::{Inquiry, Measure, Quantity};
use crate::token;

/// A word, or a mark that ends a phrase.
struct Word {
    text: String,
    lower: String,
    /// Whether it is a comma, a colon or the like.
    is_mark: bool,
    /// Whether it is written like a name: a capital inside the sentence, a digit, a joint.
    is_name: bool,
}

/// Longest name of an alternative, in words.
const LONGEST: usize = 5;

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

/// Finds the alternatives, in the order in which they stand.
fn alternatives(words: &[Word], used: &[bool]) -> Vec<Range<usize>> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|one| one.lower == word);
    if let Some(at) = (0..words.len()).find(|at| is(*at, "which") && is(at + 1, "of")) {
        return list(words, used, at + 2);
    }
    if let Some(both) = preferred(words, used) {
        return both;
    }
    let choice = (1..words.len()).find(|at| matches!(words[*at].lower.as_str(), "or" | "vs" | "versus"));
    if let Some(at) = choice {
        return chosen(words, used, at);
    }
    let compared = (1..words.len()).find_map(|at| match words[at].lower.as_str() {
        "than" | "against" | "beat" | "beats" => Some(at + 1),
        "compared" if is(at + 1, "with") || is(at + 1, "to") => Some(at + 2),
        "over"
            if words[..at].iter().any(|word| matches!(word.lower.as_str(), "lift" | "improve" | "gain")) =>
        {
            Some(at + 1)
        }
        _ => None,
    });
    match compared {
        Some(at) => {
            let first = twin(words, used, at).or_else(|| subject(words, used));
            first.into_iter().chain(name_from(words, used, at)).collect()
        }
        None => means(words, used).or_else(|| subject(words, used)).into_iter().collect(),
    }
}

/// Reads “prefer X over Y”, “X instead of Y” and “X rather than Y”.
fn preferred(words: &[Word], used: &[bool]) -> Option<Vec<Range<usize>>> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|one| one.lower == word);
    let (end, next) = (1..words.len()).find_map(|at| match words[at].lower.as_str() {
        "over" if is_preference(words, at) => Some((at, at + 1)),
        "instead" if is(at + 1, "of") => Some((at, at + 2)),
        "rather" if is(at + 1, "than") => Some((at, at + 2)),
        _ => None,
    })?;
    Some(vec![name_before(words, used, end)?, name_from(words, used, next)?])
}

/// Tells whether “over” goes with a verb before it, and not with what stands between: “over SSH”.
fn is_preference(words: &[Word], over: usize) -> bool {
    let verb = words[..over].iter().rposition(|word| PREFERRING.contains(&word.lower.as_str()));
    verb.is_some_and(|verb| {
        words[verb + 1..over].iter().all(|word| {
            let lower = word.lower.as_str();
            !word.is_mark && !PREPOSITIONS.contains(&lower) && !CONNECTIVES.contains(&lower)
        })
    })
}

/// Reads the first of “smaller with X than with Y”.
fn twin(words: &[Word], used: &[bool], second: usize) -> Option<Range<usize>> {
    let preposition = words.get(second).map(|word| word.lower.as_str())?;
    if !PREPOSITIONS.contains(&preposition) {
        return None;
    }
    let first = words[..second].iter().position(|word| word.lower == preposition)?;
    name_from(words, used, first + 1)
}

/// Reads the means of “are builds twice as fast with X?”, where what is asked about has no name.
fn means(words: &[Word], used: &[bool]) -> Option<Range<usize>> {
    let opens = words.first().is_some_and(|word| matches!(word.lower.as_str(), "is" | "are"));
    let at = words.iter().position(|word| MEANS.contains(&word.lower.as_str()))?;
    let named = subject(words, used).is_some_and(|range| words[range].iter().any(|word| word.is_name));
    let measured = words[..at].iter().any(is_measuring);
    (opens && measured && !named).then(|| name_from(words, used, at + 1)).flatten()
}

/// Reads “A, B and C”.
fn list(words: &[Word], used: &[bool], start: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = start;
    while let Some(range) = name_from(words, used, at) {
        at = range.end;
        found.push(range);
        while words.get(at).is_some_and(|word| matches!(word.lower.as_str(), "," | "and" | "or")) {
            at += 1;
        }
        if at == found.last().map_or(0, |range: &Range<usize>| range.end) {
            break;
        }
    }
    found
}

/// Reads what stands on both sides of an “or”.
fn chosen(words: &[Word], used: &[bool], at: usize) -> Vec<Range<usize>> {
    let after_comma = words[at - 1].is_mark;
    let opens = words.get(at + 1).is_some_and(|word| OPENERS.contains(&word.lower.as_str()));
    let right = name_from(words, used, at + 1);
    if opens {
        // “Is X enough, or do we need Y?” has its left alternative at the beginning.
        let left = subject(&words[..at], used);
        return left.into_iter().chain(right).collect();
    }
    let mut found = Vec::new();
    let mut end = if after_comma { at - 1 } else { at };
    let first = name_before(words, used, end).map_or(0, |range| range.start);
    while let Some(left) = name_before(words, used, end) {
        end = left.start;
        found.insert(0, left);
        if end < first && is_purpose(words, end) {
            found.remove(0);
            break;
        }
        // A list goes on at the left of a comma, as long as names stand there.
        match end.checked_sub(1).filter(|before| words[*before].lower == ",") {
            Some(before) => end = before,
            None => break,
        }
    }
    let mut next = right;
    while let Some(range) = next {
        let end = range.end;
        found.push(range);
        let goes_on = words.get(end).is_some_and(|word| matches!(word.lower.as_str(), "or" | "vs"));
        next = if goes_on { name_from(words, used, end + 1) } else { None };
    }
    found
}

/// Tells whether what begins at a place is what something is for: “for our city map, A or B?”.
fn is_purpose(words: &[Word], start: usize) -> bool {
    let before = words[..start].iter().rfind(|word| !DETERMINERS.contains(&word.lower.as_str()));
    before.is_some_and(|word| word.lower == "for")
}

/// Reads the name that begins at or shortly after a place.
fn name_from(words: &[Word], used: &[bool], start: usize) -> Option<Range<usize>> {
    let skipped = |word: &Word| {
        let lower = word.lower.as_str();
        DETERMINERS.contains(&lower)
            || OPENERS.contains(&lower)
            || CHOOSING.contains(&lower)
            || (PREPOSITIONS.contains(&lower) && lower != "for")
    };
    let mut from = start;
    while words.get(from).is_some_and(|word| !word.is_mark && skipped(word)) {
        from += 1;
    }
    let mut end = from;
    while end < words.len() && end - from < LONGEST && !ends_name(&words[end]) && !used[end] {
        end += 1;
    }
    (end > from).then_some(from..end)
}

/// Reads the name that ends before a place.
fn name_before(words: &[Word], used: &[bool], end: usize) -> Option<Range<usize>> {
    let mut from = end;
    while from > 0 && end - from < LONGEST && !ends_name(&words[from - 1]) && !used[from - 1] {
        from -= 1;
    }
    (from < end).then_some(from..end)
}

fn ends_name(word: &Word) -> bool {
    let lower = word.lower.as_str();
    word.is_mark
        || PREPOSITIONS.contains(&lower)
        || DETERMINERS.contains(&lower)
        || OPENERS.contains(&lower)
        || CHOOSING.contains(&lower)
        || CONNECTIVES.contains(&lower)
        || (JUDGING.contains(&lower) && !word.is_name)
        || matches!(lower, "and" | "which" | "what" | "where" | "how" | "why")
}

/// Reads what a question is about: “Is X …”, “Does X …”, “Should we use X …”.
fn subject(words: &[Word], used: &[bool]) -> Option<Range<usize>> {
    let uses = |word: &Word| {
        matches!(word.lower.as_str(), "use" | "need" | "adopt" | "take" | "choose" | "pick" | "try")
    };
    let opener = words.first().filter(|word| OPENERS.contains(&word.lower.as_str()));
    let for_us = words.get(1).is_some_and(|word| matches!(word.lower.as_str(), "we" | "you" | "i"));
    let Some(opener) = opener else {
        // “LightGBM faster than XGBoost?” begins with the name itself.
        let compares = words.iter().any(|word| word.lower == "than");
        return if compares { named(words, used, 0) } else { None };
    };
    if for_us {
        let at = words.iter().position(uses)?;
        return name_from(words, used, at + 1);
    }
    if opener.lower == "should" {
        return None;
    }
    let mut from = 1;
    while words.get(from).is_some_and(|word| DETERMINERS.contains(&word.lower.as_str())) {
        from += 1;
    }
    match opener.lower.as_str() {
        "is" | "are" => {
            let mut end = from;
            while end < words.len()
                && !ends_name(&words[end])
                && !used[end]
                && !is_measuring(&words[end])
                && words.get(end + 1).is_none_or(|word| word.lower != "than")
            {
                end += 1;
            }
            (end > from && end - from <= LONGEST).then_some(from..end)
        }
        _ => named(words, used, from),
    }
}

/// Reads a name at a place where a verb follows: up to the last word written like one, else one word.
fn named(words: &[Word], used: &[bool], from: usize) -> Option<Range<usize>> {
    let is_free = |at: usize| at < words.len() && !ends_name(&words[at]) && !used[at];
    let first = (from..from + 3).take_while(|at| is_free(*at)).find(|at| words[*at].is_name);
    let end = match first {
        Some(first) => (first..words.len()).take_while(|at| is_free(*at) && words[*at].is_name).last()? + 1,
        None => from + 1,
    };
    is_free(from).then_some(from..end)
}

fn is_measuring(word: &Word) -> bool {
    MEASURES.iter().any(|(_, words)| words.contains(&word.lower.as_str()))
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
