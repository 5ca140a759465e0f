//! What a question lets one choose from, and what it is about.

use std::ops::Range;

use super::lexicon::{
    CHOOSING, CONNECTIVES, DETERMINERS, JUDGING, MEANS, MEASURES, OPENERS, PREFERRING, PREPOSITIONS,
};
use super::parse::Word;

/// Longest name of an alternative, in words.
const LONGEST: usize = 5;

/// Finds the alternatives, in the order in which they stand.
pub(super) fn alternatives(words: &[Word], used: &[bool]) -> Vec<Range<usize>> {
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
